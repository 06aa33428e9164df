/* Search trees whose leaves somebody else evaluates, one tree for each of many games.
 *
 * PUCT (Rosin 2011, "Multi-armed bandits with episode context"), as in AlphaZero (Silver et al.
 * 2018). Each role maximises its own value (max^n).
 */
#include <math.h>

#include "aspgames.h"
#include "memory.h"

void aspgames_puct_free(struct puct_trees *t) {
    if (!t) return;
    FREE_ALL(t->roots, t->pending, t->nodes, t->edges, t);
}

struct puct_trees *aspgames_puct_new(int32_t games, int32_t words, int32_t roles) {
    struct puct_trees *t = zeroed(1, sizeof *t);
    if (!t) return NULL;
    int32_t stride = (int32_t)sizeof(struct puct_node) + 8 * words + (roles + 1) / 2 * 8;
    *t = (struct puct_trees){.games = games, .words = words, .roles = roles, .stride = stride};
    t->roots = zeroed(games, sizeof *t->roots);
    t->pending = zeroed(games, sizeof *t->pending);
    for (int32_t game = 0; t->roots && t->pending && game < games; game++) {
        t->roots[game] = -1;
        t->pending[game] = (struct puct_place){-1, -1};
    }
    if (t->roots && t->pending) return t;
    aspgames_puct_free(t);
    return NULL;
}

/* A node; its row and the values of the roles follow it. */
static struct puct_node *node_at(const struct puct_trees *t, int64_t number) {
    return (struct puct_node *)(t->nodes + number * t->stride);
}

static uint64_t *row_of(struct puct_node *node) { return (uint64_t *)(node + 1); }

static float *values_of(const struct puct_trees *t, struct puct_node *node) {
    return (float *)(row_of(node) + t->words);
}

/* Make room for one more node and so many edges; returns the node, or NULL without memory. */
static struct puct_node *next_node(struct puct_trees *t, int64_t edges) {
    if (t->node_count == INT32_MAX) return NULL;
    bool fine = make_room_at(&t->nodes, &t->node_room, t->node_count + 1, (size_t)t->stride)
                && MAKE_ROOM(t->edges, t->edge_room, t->edge_count + edges + 1);
    return fine ? node_at(t, t->node_count) : NULL;
}

/* Add a value of each role to the moves that lead to a place. */
static void back_up(struct puct_trees *t, struct puct_place at, const float *values) {
    while (at.node >= 0) {
        struct puct_node *node = node_at(t, at.node);
        t->edges[at.edge].visits++;
        t->edges[at.edge].sum += values[node->mover];
        node->visits++;
        at = node->parent;
    }
}

static int64_t most_wanted(
    const struct puct_trees *t, const struct puct_node *node, double exploration
) {
    double scale = exploration * sqrt(node->visits + 1.0), highest = -INFINITY;
    const struct puct_edge *edges = t->edges + node->first;
    int32_t best = 0;
    for (int32_t e = 0; e < node->degree; e++) {
        double mean = edges[e].visits ? edges[e].sum / edges[e].visits : 0;
        double here = mean + scale * edges[e].prior / (edges[e].visits + 1);
        if (here > highest) {
            highest = here;
            best = e;
        }
    }
    return node->first + best;
}

int64_t aspgames_puct_select(
    struct puct_trees *t, double exploration, int32_t *games, int32_t *moves, uint64_t *rows
) {
    int64_t count = 0;
    for (int32_t game = 0; game < t->games; game++) {
        struct puct_place at = {-1, -1};
        struct puct_node *node = NULL;
        int32_t next = t->roots[game];
        while (next >= 0 && (node = node_at(t, next))->degree) {
            at = (struct puct_place){next, most_wanted(t, node, exploration)};
            next = t->edges[at.edge].child;
        }
        if (next >= 0) {
            back_up(t, at, values_of(t, node));
        } else if (node) {
            t->pending[game] = at;
            games[count] = game;
            moves[count] = t->edges[at.edge].move;
            memcpy(rows + count++ * t->words, row_of(node), (size_t)t->words * sizeof *rows);
        }
    }
    return count;
}

/* Give a node its moves, with their share of the priors. Returns false if a prior is negative or
 * no number. */
static bool add_edges(
    struct puct_trees *t, struct puct_node *node, const uint8_t *legal, const float *priors,
    int32_t moves
) {
    double sum = 0;
    for (int32_t move = 0; move < moves; move++) {
        if (!legal[move]) continue;
        if (!(priors[move] >= 0)) return false;
        t->edges[t->edge_count++] = (struct puct_edge){0, priors[move], 0, move, -1};
        node->degree++;
        sum += priors[move];
    }
    if (!(sum < INFINITY)) return false;
    for (struct puct_edge *edge = t->edges + node->first; edge < t->edges + t->edge_count; edge++)
        edge->prior = sum > 0 ? (float)(edge->prior / sum) : 1.0F / (float)node->degree;
    return true;
}

int64_t aspgames_puct_grow(
    struct puct_trees *t, int64_t count, int32_t moves, const struct puct_leaves *leaves
) {
    for (int64_t i = 0; i < count; i++) {
        struct puct_node *node = next_node(t, moves);
        if (!node) return ASPGAMES_NO_MEMORY;
        struct puct_place at = t->pending[leaves->games[i]];
        *node = (struct puct_node){t->edge_count, at, 0, 0, leaves->movers[i]};
        if (leaves->legal
            && !add_edges(t, node, leaves->legal + i * moves, leaves->priors + i * moves, moves))
            return i;
        memcpy(row_of(node), leaves->rows + i * t->words, (size_t)t->words * sizeof(uint64_t));
        float *values = values_of(t, node);
        for (int32_t role = 0; role < t->roles; role++) {
            int is_stuck = leaves->legal && !node->degree;
            values[role] = is_stuck ? 0 : leaves->values[i * t->roles + role];
            if (!(fabsf(values[role]) < INFINITY)) return i;
        }
        *(at.node < 0 ? t->roots + leaves->games[i] : &t->edges[at.edge].child) =
            (int32_t)t->node_count++;
        back_up(t, at, values);
    }
    return count;
}

enum { SEARCHED_PLIES = 4 };

/* The node of a state at most so many plies below a node; -1 if there is none. */
static int32_t find(const struct puct_trees *t, int32_t number, const uint64_t *row, int plies) {
    struct puct_node *node = node_at(t, number);
    if (!memcmp(row_of(node), row, (size_t)t->words * sizeof *row)) return number;
    for (int64_t e = node->first; plies && e < node->first + node->degree; e++) {
        int32_t found = t->edges[e].child < 0 ? -1 : find(t, t->edges[e].child, row, plies - 1);
        if (found >= 0) return found;
    }
    return -1;
}

/* Copy a node, which gets the next number, and its edges. Returns false without memory. */
static bool copy_node(
    struct puct_trees *t, const struct puct_trees *from, int32_t number, struct puct_place parent
) {
    const struct puct_node *old = node_at(from, number);
    struct puct_node *node = next_node(t, old->degree);
    if (!node) return false;
    size_t edges = (size_t)old->degree * sizeof *t->edges;
    memcpy(t->edges + t->edge_count, from->edges + old->first, edges);
    memcpy(node, old, (size_t)t->stride);
    node->first = t->edge_count;
    node->parent = parent;
    t->edge_count += old->degree;
    t->node_count++;
    return true;
}

enum aspgames_status aspgames_puct_keep(
    struct puct_trees *t, const struct puct_trees *from, const uint64_t *rows
) {
    for (int32_t game = 0; game < t->games && game < from->games; game++) {
        const uint64_t *row = rows + (int64_t)game * t->words;
        int32_t found = find(from, from->roots[game], row, SEARCHED_PLIES);
        if (found < 0) continue;
        int64_t number = t->node_count;
        t->roots[game] = (int32_t)number;
        if (!copy_node(t, from, found, t->pending[game])) return ASPGAMES_NO_MEMORY;
        for (; number < t->node_count; number++)
            for (int64_t e = node_at(t, number)->first, left = node_at(t, number)->degree; left--;
                 e++) {
                int32_t child = t->edges[e].child;
                if (child < 0) continue;
                t->edges[e].child = (int32_t)t->node_count;
                if (!copy_node(t, from, child, (struct puct_place){(int32_t)number, e}))
                    return ASPGAMES_NO_MEMORY;
            }
    }
    return ASPGAMES_DONE;
}
