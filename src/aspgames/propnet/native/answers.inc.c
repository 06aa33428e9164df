/* Decides all moves of the attacker in some states for one more turn together: has every reply of
 * the defender an answer that reaches the goal?
 *
 * The first replies to all moves are evaluated at once, then the next ones to the moves that are
 * left, in growing numbers. A reply that has refuted other moves comes first (the killer heuristic;
 * Akl and Newborn 1977). So most moves are refuted by few evaluations, and none becomes a node with
 * children.
 */
#ifndef ASPGAMES_ANSWERS_INC_C
#define ASPGAMES_ANSWERS_INC_C

#include "expand.inc.c"

enum { MOST_ANSWERS = 32 * LANES }; /* moves that are evaluated in a round */

struct answers {
    struct expander y;     /* the states after replies */
    uint64_t *empty;       /* the row in which no fluent holds */
    int32_t *refutes;      /* for each move, how many moves it has refuted as a reply */
    int32_t next[LANES];   /* for each child, its first reply that is left */
    int32_t owner[LANES];  /* for each lane, the child ... */
    int32_t reply[LANES];  /* ... and the reply */
    int32_t parent[LANES]; /* for each child, its attacker's node */
    int8_t settled[LANES]; /* for each child: 1 all replies are answered, -1 one isn't, 0 open; 2
                              another child of its node has 1 */
    int64_t evaluated, evaluations;
};

static void answers_new(struct answers *a, struct pool *pool, const int32_t *block) {
    expander_new(&a->y, pool, block);
    a->empty = pool_zeroed(pool, row_words(tables_of(block)->fluents), sizeof *a->empty);
    a->refutes = pool_zeroed(pool, tables_of(block)->moves + (int64_t)1, sizeof *a->refutes);
}

static void clear_fluents(const int32_t *block, lanes *values) {
    memset(values + 1, 0, (size_t)tables_of(block)->fluents * sizeof *values);
}

/* Judge the states in the first lanes of `after`; NULL if that is impossible. */
static const struct search_phase *judge_lanes(struct expander *x, int count) {
    const struct search_phase *phase = find_verdicts(x->block, count, x->after, x->few);
    clear_fluents(x->block, x->parent); /* states differ from it by all their fluents */
    return phase && !judge_children(x, phase, 0, count) ? phase : NULL;
}

/* Sort the replies to a child: those first that refute most. */
static void sort_replies(const struct answers *a, int32_t *replies, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        int32_t move = replies[i], k = i;
        for (; k && a->refutes[replies[k - 1]] < a->refutes[move]; k--) replies[k] = replies[k - 1];
        replies[k] = move;
    }
}

/* Fill lanes with the next replies to the open children, at most `most` to each; returns the number
 * of lanes. */
static int next_replies(
    struct answers *a, struct expander *x, const struct search_phase *phase, int count, int most
) {
    int lane = 0;
    begin_moves(x, phase);
    for (int child = 0; child < count; child++) {
        int32_t first = a->next[child], left = x->starts[child] - first;
        int taken = left < most ? left : most;
        if (a->settled[child] || taken > LANES - lane) continue;
        load_replies(x, phase, child, first, lane, taken);
        for (int k = 0; k < taken; k++) {
            a->owner[lane + k] = child;
            a->reply[lane + k] = x->pairs[first + k];
        }
        a->next[child] += taken;
        lane += taken;
    }
    return lane;
}

/* Evaluate the states after replies, and all answers to these. Returns whether that settles each
 * reply. */
static int look_at_answers(
    struct answers *a, struct expander *x, const struct search_phase *phase, int count
) {
    struct expander *y = &a->y;
    find_next(x->block, phase, count, x->before, x->few);
    read_children(y, phase, x->before, a->empty, 0, count);
    const struct search_phase *then = judge_lanes(y, count);
    int64_t moves = 0;
    for (int lane = 0; then && lane < count; lane++) {
        moves += y->replies[lane];
        if (!y->attacks[lane] && !y->reached[lane] && !y->over[lane]) return 0;
    }
    if (!then || moves > MOST_ANSWERS || look_at_replies(y, then, 0, count)) return 0;
    for (int lane = 0; lane < count; lane++) {
        if (y->reached[lane] || y->at_once[lane]) continue;
        if (y->goes_on[lane]) return 0; /* the turn isn't over */
        a->settled[a->owner[lane]] = -1;
        a->refutes[a->reply[lane]]++;
    }
    return 1;
}

/* Note that all replies to a child are answered. That is enough for its node. */
static void note_answered(struct answers *a, int child, int count) {
    for (int other = 0; other < count; other++)
        if (!a->settled[other] && a->parent[other] == a->parent[child]) a->settled[other] = 2;
    a->settled[child] = 1;
}

/* Settle children of attacker's nodes, in which the defender is on move, for one more turn. Their
 * rows are the expander's. A node's part ends with its first child that is proved. Returns 0 if the
 * states don't allow it. */
static int find_answers(struct answers *a, struct expander *x, int count) {
    a->evaluated = a->evaluations = a->y.family.evaluated = a->y.family.evaluations = 0;
    clear_fluents(x->block, x->after);
    int32_t length = row_words(tables_of(x->block)->fluents);
    for (int child = 0; child < count; child++)
        flip_lane(x, a->empty, x->rows + (int64_t)child * length, child);
    const struct search_phase *phase = judge_lanes(x, count);
    if (!phase) return 0;
    for (int child = 0; child < count; child++) {
        a->settled[child] = 0;
        if (x->reached[child] || x->over[child] || x->attacks[child] || !x->replies[child])
            return 0;
        a->next[child] = x->starts[child] - x->replies[child];
        sort_replies(a, x->pairs + a->next[child], x->replies[child]);
    }
    a->evaluated += count;
    a->evaluations++;
    for (int most = 1, used; (used = next_replies(a, x, phase, count, most)); most *= 2) {
        if (!look_at_answers(a, x, phase, used)) return 0;
        a->evaluated += used;
        a->evaluations += 2;
        for (int child = 0; child < count; child++)
            if (!a->settled[child] && a->next[child] == x->starts[child])
                note_answered(a, child, count);
        if (most >= LANES) most = LANES / 2;
    }
    return 1;
}

#endif
