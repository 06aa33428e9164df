/* The parts of a transposition table that are saved when a search stops. Python writes them to a
 * file, and reads them into an empty table. A file may contain any numbers, so they are checked
 * before use: each stays within its array. The check cannot see whether the bounds are true. */
#ifndef ASPGAMES_PARTS_H
#define ASPGAMES_PARTS_H

#include "nodes.inc.c"

enum aspgames_status NAME(aspgames_search_parts)(
    struct search *s, int64_t nodes, int64_t edges, struct table_part into[5]
) {
    if (nodes < 0 || edges < 0 || nodes > INT32_MAX / 2 || edges > s->most_bytes / 8
        || !make_room(s, nodes, edges))
        return ASPGAMES_FULL;
    nodes += s->node_count;
    edges += s->edge_count;
    into[0] = (struct table_part){s->rows, s->row_length * (int64_t)sizeof *s->rows, nodes};
    into[1] = (struct table_part){s->nodes, sizeof *s->nodes, nodes};
    into[2] = (struct table_part){s->ends, sizeof *s->ends, edges};
    into[3] = (struct table_part){s->moves, sizeof *s->moves, edges};
    into[4] = (struct table_part){s->history, sizeof *s->history, tables_of(s->block)->moves};
    return ASPGAMES_DONE;
}

static inline int is_bound(int turns) { return turns >= 0 && turns <= NEVER; }

/* Returns false if no search can have produced the data. */
bool NAME(aspgames_search_adopt)(struct search *s, int64_t nodes, int64_t edges) {
    const int64_t most_history = (int64_t)1 << 50;
    int32_t moves = tables_of(s->block)->moves;
    int64_t owned = 0; /* the edges with an owner; nodes do not share edges */
    int sound = 1;
    for (int32_t m = 0; m < moves; m++)
        sound &= s->history[m] >= 0 && s->history[m] <= most_history;
    for (int64_t e = 0; e < edges; e++)
        sound &= s->ends[e] >= 0 && s->ends[e] < nodes && s->moves[e] >= 0 && s->moves[e] < moves;
    for (int64_t n = 0; n < nodes && sound; n++) {
        struct node *node = s->nodes + n;
        sound &= is_bound(node->lower) && is_bound(node->upper) && is_bound(node->floor)
                 && node->attacks <= 1;
        sound &= node->proof <= UNPROVABLE && node->disproof <= UNPROVABLE;
        if (node->edges != NOT_EXPANDED) {
            sound &= node->edges >= 0 && node->first >= 0 && node->first <= edges - node->edges;
            owned += node->edges;
        }
        node->threads = node->busy = node->seen = 0;
    }
    if (!sound || owned > edges) return false;
    s->node_count = nodes;
    s->edge_count = edges;
    for (int64_t n = 0; n < nodes; n++) place_in_slots(s, (int32_t)n);
    return true;
}

#endif
