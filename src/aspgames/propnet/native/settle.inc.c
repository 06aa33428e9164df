/* Settles the bounds of all nodes at once: those of each node follow from those of its children,
 * also where play is cyclic.
 *
 * The nodes without children keep their bounds. From them, backward induction goes up the levels of
 * turns: a node of the attacker follows from its first child, a node of the defender from its last
 * (retrograde analysis; Thompson 1986). Nodes that no level reaches are in loops that only the
 * defender can leave for the worse: no number of turns suffices there.
 */
#ifndef ASPGAMES_SETTLE_INC_C
#define ASPGAMES_SETTLE_INC_C

#include "nodes.inc.c"

enum { SETTLED_NODE = -1 };

struct settling {
    int64_t *first;   /* for each node, the first of its parents ... */
    int32_t *parents; /* ... in this list */
    int32_t *heads;   /* for each level, the last node found there, or -1 ... */
    int32_t *others;  /* ... and for each node two links to one found before it */
    int32_t *waits;   /* for each node, how many of its children must be settled before it */
    int16_t *values;  /* the highest level of these so far */
};

static inline int is_open(const struct node *node) {
    return node->edges > 0 && node->lower < node->upper;
}

/* List the parents of each node. */
static void find_parents(const struct search *s, struct settling *f) {
    for (int fill = 0; fill < 2; fill++) {
        for (int64_t n = 0; n < s->node_count; n++) {
            const struct node *node = s->nodes + n;
            for (int64_t e = node->first; is_open(node) && e < node->first + node->edges; e++)
                if (fill)
                    f->parents[--f->first[s->ends[e]]] = (int32_t)n;
                else
                    f->first[s->ends[e]]++;
        }
        for (int64_t n = 0; !fill && n < s->node_count; n++) f->first[n + 1] += f->first[n];
    }
}

/* Note that a node is settled at a level. It may be found twice; the lower level counts. */
static void find_at(const struct search *s, struct settling *f, int64_t node, int again, int level) {
    if (level > UNBOUNDED) return;
    int64_t link = again ? node + s->node_count : node;
    f->others[link] = f->heads[level];
    f->heads[level] = (int32_t)link;
}

/* Settle the upper bounds, or the lower bounds. */
static void settle_bounds(struct search *s, struct settling *f, int upper) {
    for (int level = 0; level <= UNBOUNDED; level++) f->heads[level] = -1;
    for (int64_t n = 0; n < s->node_count; n++) {
        const struct node *node = s->nodes + n;
        int open = is_open(node);
        f->waits[n] = !open ? 0 : node->attacks ? 1 : node->edges;
        f->values[n] = upper ? node->floor : more(node->floor, node->lower);
        if (!open || upper) find_at(s, f, n, 0, upper ? node->upper : node->lower);
    }
    for (int level = 0; level <= UNBOUNDED; level++) {
        while (f->heads[level] >= 0) {
            int64_t link = f->heads[level], n = link < s->node_count ? link : link - s->node_count;
            f->heads[level] = f->others[link];
            if (f->waits[n] == SETTLED_NODE) continue;
            f->waits[n] = SETTLED_NODE;
            struct node *node = s->nodes + n;
            if (upper)
                node->upper = less(node->upper, level);
            else
                node->lower = more(node->lower, level);
            for (int64_t p = f->first[n]; p < f->first[n + 1]; p++) {
                int32_t parent = f->parents[p];
                if (f->waits[parent] <= 0) continue;
                int begins = begins_turn(s, s->nodes + parent, node);
                f->values[parent] = more(f->values[parent], with_turn(level, begins));
                if (!--f->waits[parent]) find_at(s, f, parent, 1, f->values[parent]);
            }
        }
    }
    for (int64_t n = 0; n < s->node_count && !upper; n++)
        if (f->waits[n] > 0) s->nodes[n].lower = NEVER;
}

/* Settle all bounds; returns 0 if memory runs out. */
static int settle_all(struct search *s) {
    struct pool pool = {0};
    int64_t nodes = s->node_count;
    struct settling f = {
        .first = pool_zeroed(&pool, nodes + 1, sizeof *f.first),
        .parents = pooled(&pool, s->edge_count, sizeof *f.parents),
        .heads = pooled(&pool, UNBOUNDED + 1, sizeof *f.heads),
        .others = pooled(&pool, 2 * nodes, sizeof *f.others),
        .waits = pooled(&pool, nodes, sizeof *f.waits),
        .values = pooled(&pool, nodes, sizeof *f.values),
    };
    int whole = !pool.failed;
    if (whole) {
        find_parents(s, &f);
        settle_bounds(s, &f, 1);
        settle_bounds(s, &f, 0);
        s->settled = s->edge_count;
    }
    pool_free(&pool);
    return whole;
}

#endif
