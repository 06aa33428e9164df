/* Sweeps a full transposition table: forgets the results that took little effort, since they are
 * found again with as little (SmallTreeGC; Nagai 1999). No thread searches meanwhile. */
#ifndef ASPGAMES_SWEEP_INC_C
#define ASPGAMES_SWEEP_INC_C

#include "nodes.inc.c"

static inline uint32_t effort_of(const struct node *node) {
    uint64_t sum = (uint64_t)node->effort[ASPGAMES_BY_NUMBERS] + node->effort[ASPGAMES_DEPTH_FIRST];
    return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

/* Whether a node keeps its edges. A node whose bounds meet no longer needs them. */
static inline int keeps_edges(const struct node *node, uint32_t least) {
    return node->edges > 0 && node->lower < node->upper && effort_of(node) >= least;
}

/* Mark the nodes that stay when nodes with less effort are forgotten: nodes that keep their edges,
 * and the children on these edges. Returns whether half of the room is then free. */
static int mark_kept(const struct search *s, uint32_t least, uint8_t *kept) {
    int64_t nodes = 0, edges = 0;
    for (int64_t n = 0; n < s->node_count; n++) kept[n] = effort_of(s->nodes + n) >= least;
    for (int64_t n = 0; n < s->node_count; n++) {
        const struct node *node = s->nodes + n;
        if (!keeps_edges(node, least)) continue;
        edges += node->edges;
        for (int64_t edge = node->first; edge < node->first + node->edges; edge++)
            kept[s->ends[edge]] = 1;
    }
    for (int64_t n = 0; n < s->node_count; n++) nodes += kept[n];
    return nodes <= s->node_room / 2 && edges <= s->edge_room / 2;
}

/* Close the gaps between the kept nodes and edges. Nodes keep their order. Edges may lie in another
 * order than their nodes, so they are copied. */
static void move_together(
    struct search *s, uint32_t least, const uint8_t *kept, int32_t *number, int32_t *ends,
    int32_t *moves
) {
    int32_t count = 0;
    for (int64_t n = 0; n < s->node_count; n++) number[n] = kept[n] ? count++ : -1;
    int64_t edges = 0;
    for (int64_t n = 0; n < s->node_count; n++) {
        if (!kept[n]) continue;
        struct node node = s->nodes[n];
        if (keeps_edges(&node, least)) {
            for (int32_t e = 0; e < node.edges; e++) {
                ends[edges + e] = number[s->ends[node.first + e]];
                moves[edges + e] = s->moves[node.first + e];
            }
            node.first = edges;
            edges += node.edges;
        } else {
            node.edges = NOT_EXPANDED;
        }
        s->nodes[number[n]] = node;
        if (number[n] != n) copy_row(s, row_of(s, number[n]), row_of(s, n));
    }
    s->node_count = count;
    s->opened = 0;
    s->edge_count = edges;
    memcpy(s->ends, ends, (size_t)edges * sizeof *ends);
    memcpy(s->moves, moves, (size_t)edges * sizeof *moves);
    memset(s->slots, 0xFF, 2 * (size_t)s->node_room * sizeof *s->slots);
    for (int32_t n = 0; n < count; n++) place_in_slots(s, n);
}

/* Forget nodes until half of the table is free. */
enum aspgames_status NAME(aspgames_search_sweep)(struct search *s) {
    if (bytes_for(s, FIRST_NODES, FIRST_EDGES) > s->most_bytes) return ASPGAMES_FULL;
    struct pool pool = {0};
    uint8_t *kept = pooled(&pool, s->node_count, sizeof *kept);
    int32_t *number = pooled(&pool, s->node_count, sizeof *number);
    int32_t *ends = pooled(&pool, s->edge_count, sizeof *ends);
    int32_t *moves = pooled(&pool, s->edge_count, sizeof *moves);
    uint32_t least = 1;
    int roomy = !pool.failed;
    while (roomy && !mark_kept(s, least, kept)) {
        roomy = least < UINT32_MAX / 2;
        least *= 2;
    }
    if (roomy) move_together(s, least, kept, number, ends, moves);
    pool_free(&pool);
    return roomy ? ASPGAMES_DONE : ASPGAMES_FULL;
}

#endif
