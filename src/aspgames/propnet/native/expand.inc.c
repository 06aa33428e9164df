/* Expands a state: finds all its moves and the states after them, up to 512 in one evaluation.
 *
 * It then looks one ply further: do the replies settle a child? That costs little where a single
 * reply can do it, since the replies to all children share evaluations.
 */
#ifndef ASPGAMES_EXPAND_INC_C
#define ASPGAMES_EXPAND_INC_C

#include "verdicts.h"

/* A family, and scratch memory. */
struct expander {
    struct family family;
    const int32_t *block;
    int32_t *moves;
    uint64_t *rows;
    uint8_t *reached, *over, *attacks;
    uint8_t *at_once; /* whether a reply settles the child: the attacker reaches the goal, or the
                         defender ends play */
    uint8_t *goes_on; /* whether the attacker is on move after a reply, without the goal */
    uint8_t *forced;  /* whether all replies of the defender reach the goal */
    int looks;        /* whether to look at the replies of the defender, too */
    int32_t *replies; /* how many legal moves the side on move has in the child */
    int32_t *soonest; /* a lower bound on the turns that force the child, if it was computed
                         (outlook.inc.c) */
    single *alone;                /* the parent's slots */
    lanes *parent;                /* its fluents, in all lanes */
    lanes *before, *after;
    few *few;                     /* the slots of up to 64 states */
    int32_t starts[LANES + 1]; /* for each child in the lanes: where its replies begin in `pairs`,
                                  later where they end */
    int32_t *pairs;            /* replies, ordered by child ... */
    int32_t *found;            /* ... and in the order of finding: child and move */
    int64_t room[2];           /* of these two */
    int32_t *flips; /* for each child in the lanes: the fluents in which it differs from the parent
                       ... */
    int32_t flipped[LANES]; /* ... and how many */
    int32_t *waits;         /* the moves of the waiting side that have effects ... */
    lanes *waiting;         /* ... and the lanes (children) in which they are made */
    int32_t wait_count;
    int32_t ends[LANES]; /* for each state of `expand_together`, where its children end */
};

static void expander_free(struct expander *x) {
    free(x->pairs);
    free(x->found);
}

static void expander_new(struct expander *x, struct pool *pool, const int32_t *block) {
    const struct tables *t = tables_of(block);
    int64_t most = t->most_choices < LANES ? LANES : t->most_choices + (int64_t)1;
    x->block = block;
    x->family.moves = x->moves = pooled(pool, most, sizeof *x->moves);
    x->family.rows = x->rows =
        pooled(pool, most * (row_words(t->fluents) + 1), sizeof *x->rows);
    x->family.reached = x->reached = pooled(pool, most, 1);
    x->family.over = x->over = pooled(pool, most, 1);
    x->family.attacks = x->attacks = pooled(pool, most, 1);
    x->family.at_once = x->at_once = pooled(pool, most, 1);
    x->goes_on = pooled(pool, most, 1);
    x->forced = pooled(pool, most, 1);
    x->replies = pooled(pool, most, sizeof *x->replies);
    x->soonest = pool_zeroed(pool, most, sizeof *x->soonest);
    x->flips = pooled(pool, (t->fluents + (int64_t)1) * LANES, sizeof *x->flips);
    x->waits = pooled(pool, most, sizeof *x->waits);
    x->waiting = lanes_new(pool, most);
    x->alone = single_slots_new(pool, t->slots, 1);
    x->parent = lanes_new(pool, t->fluents + (int64_t)1);
    x->before = lanes_slots_new(pool, t->slots, 1);
    x->after = lanes_slots_new(pool, t->slots, 1);
    x->few = few_new(pool, t->slots);
}

/* Change a lane of `after` from one state to another, and list the fluents that change. */
static void flip_lane(struct expander *x, const uint64_t *from, const uint64_t *to, int lane) {
    int32_t fluents = tables_of(x->block)->fluents;
    x->flipped[lane] = 0;
    for (int32_t at = 0; 64 * at < fluents; at++)
        for (uint64_t bits = from[at] ^ to[at]; bits; bits &= bits - 1) {
            int32_t fluent = 64 * at + __builtin_ctzll(bits);
            words(x->after + 1 + fluent)[lane >> 6] ^= (uint64_t)1 << (lane & 63);
            x->flips[(int64_t)lane * fluents + x->flipped[lane]++] = fluent;
        }
}

/* Begin with the parent in all lanes, and without a move. */
static void begin_moves(struct expander *x, const struct search_phase *phase) {
    int32_t fluents = tables_of(x->block)->fluents;
    memcpy(x->before + 1, x->parent + 1, (size_t)fluents * sizeof(lanes));
    clear_effects(x->block, &phase->phase, x->before);
}

/* Read the next states, as lanes and as rows, and how they differ from a row. */
static void read_children(
    struct expander *x, const struct search_phase *phase, const lanes *before, const uint64_t *row,
    int32_t start, int count
) {
    const int32_t *block = x->block;
    int32_t fluents = tables_of(block)->fluents, length = row_words(fluents);
    lanes all = lanes_first(count);
    for (int child = 0; child < count; child++) {
        memcpy(x->rows + (int64_t)(start + child) * length, row, (size_t)length * sizeof *row);
        x->flipped[child] = 0;
    }
    for (int32_t f = 0; f < fluents; f++) {
        lanes value = lanes_read(before, block[phase->phase.next_alone + f]);
        x->after[1 + f] = value;
        lanes different = bit_of_row(row, f) ? lanes_without(all, value) : lanes_and(all, value);
        EACH_LANE (different, child) {
            x->rows[(int64_t)(start + (int32_t)child) * length + (f >> 6)] ^= (uint64_t)1
                                                                              << (f & 63);
            x->flips[(int64_t)child * fluents + x->flipped[child]++] = f;
        }
    }
}

/* Make room for the found pairs (two numbers each), and for the ordered ones (`numbers` each). */
static int make_room_for_pairs(
    int32_t **found, int32_t **ordered, int64_t numbers, int64_t room[2], int64_t pairs
) {
    return MAKE_ROOM(*ordered, room[0], numbers * pairs) && MAKE_ROOM(*found, room[1], 2 * pairs);
}

/* Sort the replies by child, so that each child has a run of lanes. */
static void order_replies(struct expander *x, int32_t start, int count, int64_t pairs) {
    int32_t place = 0;
    for (int child = 0; child < count; child++) {
        x->starts[child] = place;
        place += x->replies[start + child];
    }
    for (int64_t pair = 0; pair < pairs; pair++)
        x->pairs[x->starts[x->found[2 * pair]]++] = x->found[2 * pair + 1];
}

/* Find the children's replies, after `find_verdicts`. The replies are left in `pairs` and `waiting`. */
static int judge_children(
    struct expander *x, const struct search_phase *phase, int32_t start, int count
) {
    const int32_t *block = x->block;
    lanes all = lanes_first(count);
    lanes found[VERDICTS];
    find_choices(block, phase, count, x->after, x->few);
    for (int which = 0; which < VERDICTS; which++)
        found[which] = lanes_and(verdict(block, phase, which, x->after), all);
    if (lanes_any(found + SIMULTANEOUS)) return ASPGAMES_MIXED;
    for (int child = 0; child < count; child++) {
        x->reached[start + child] = (uint8_t)lane_of(found + REACHED, child);
        x->over[start + child] = (uint8_t)lane_of(found + OVER, child);
        x->attacks[start + child] = (uint8_t)lane_of(found + ATTACKS, child);
        x->at_once[start + child] = x->goes_on[start + child] = 0;
        x->replies[start + child] = x->forced[start + child] = 0;
    }
    lanes live = lanes_without(all, lanes_or(found[REACHED], found[OVER]));
    int64_t pairs = 0;
    x->wait_count = 0;
    for (int side = DEFENDER; side <= ATTACKER; side++) {
        lanes on_move = lanes_and(live, found[side == ATTACKER ? ATTACKS : DEFENDS]);
        lanes waiting = lanes_and(live, found[side == ATTACKER ? DEFENDS : ATTACKS]);
        const int32_t *bounds = choices_of(block, phase, side);
        for (int32_t c = bounds[0]; c < bounds[1]; c++) {
            lanes legal = lanes_read(x->after, block[phase->phase.choice_literals + c]);
            int32_t move = block[phase->phase.choice_moves + c];
            const int32_t *effects = block + phase->phase.effect_starts + move;
            lanes waits = lanes_and(legal, waiting);
            if (effects[0] != effects[1] && lanes_any(&waits)) {
                x->waits[x->wait_count] = move;
                x->waiting[x->wait_count++] = waits;
            }
            lanes replies = lanes_and(legal, on_move);
            if (!lanes_any(&replies)) continue;
            if (!make_room_for_pairs(&x->found, &x->pairs, 1, x->room, pairs + LANES))
                return ASPGAMES_NO_MEMORY;
            EACH_LANE (replies, child) {
                x->replies[start + (int32_t)child]++;
                x->found[2 * pairs] = (int32_t)child;
                x->found[2 * pairs++ + 1] = move;
            }
        }
    }
    order_replies(x, start, count, pairs);
    return ASPGAMES_DONE;
}

/* How many replies of a child are looked at. */
static inline int32_t looked_at(const struct expander *x, int32_t child) {
    return x->looks || x->attacks[child] ? x->replies[child] : 0;
}

/* Fill lanes with replies of a child. Its state is the parent's with the child's fluents flipped.
 */
static void load_replies(
    struct expander *x, const struct search_phase *phase, int child, int32_t first, int lane,
    int count
) {
    int32_t fluents = tables_of(x->block)->fluents;
    lanes here = lanes_between(lane, lane + count);
    for (int k = 0; k < count; k++)
        make_move(x->block, &phase->phase, x->pairs[first + k], lane + k, x->before);
    for (int32_t k = 0; k < x->flipped[child]; k++) {
        lanes *value = x->before + 1 + x->flips[(int64_t)child * fluents + k];
        *value = lanes_flip(*value, here);
    }
    for (int32_t k = 0; k < x->wait_count; k++)
        if (lane_of(x->waiting + k, child))
            make_move_in(x->block, &phase->phase, x->waits[k], &here, x->before);
}

/* Record the results in the lanes for the children of these replies, from `child` on. Some replies
 * of `child` were evaluated before. */
static void note_replies(
    struct expander *x, const struct search_phase *phase, int32_t start, int child, int32_t seen,
    int lanes_used
) {
    lanes reached = verdict(x->block, phase, REACHED, x->after),
          over = verdict(x->block, phase, OVER, x->after);
    lanes attacks =
        lanes_without(verdict(x->block, phase, ATTACKS, x->after), lanes_or(reached, over));
    for (int lane = 0; lane < lanes_used; child++, seen = 0) {
        int32_t left = looked_at(x, start + child) - seen;
        int end = left < lanes_used - lane ? lane + left : lanes_used;
        if (end == lane) continue;
        lanes here = lanes_between(lane, end);
        lanes settled = lanes_and(here, x->attacks[start + child] ? reached : over);
        lanes going = lanes_and(here, attacks), missed = lanes_without(here, reached);
        x->at_once[start + child] |= (uint8_t)lanes_any(&settled);
        x->goes_on[start + child] |= (uint8_t)lanes_any(&going);
        if (!x->attacks[start + child])
            x->forced[start + child] =
                (uint8_t)((!seen || x->forced[start + child]) && !lanes_any(&missed));
        lane = end;
    }
}

/* Evaluate the states after the children's replies. */
static int look_at_replies(
    struct expander *x, const struct search_phase *phase, int32_t start, int count
) {
    const int32_t *block = x->block;
    int child = 0;
    int32_t seen = 0; /* how many replies of `child` were evaluated already */
    while (child < count) {
        begin_moves(x, phase);
        int first = child, lane = 0;
        int32_t seen_first = seen;
        while (child < count && lane < LANES) {
            int32_t left = looked_at(x, start + child) - seen;
            int taken = left < LANES - lane ? left : LANES - lane;
            if (taken) load_replies(x, phase, child, x->starts[child] - left, lane, taken);
            lane += taken;
            if (taken == left) {
                child++;
                seen = 0;
            } else {
                seen += taken;
            }
        }
        if (!lane) break;
        x->family.evaluated += lane;
        x->family.evaluations++;
        find_next(block, phase, lane, x->before, x->few);
        read_literals(
            block + phase->phase.next_alone, tables_of(block)->fluents, x->before, x->after + 1
        );
        const struct search_phase *then = find_verdicts(block, lane, x->after, x->few);
        if (!then) return ASPGAMES_LEFT_OUT;
        note_replies(x, then, start, first, seen_first, lane);
    }
    return ASPGAMES_DONE;
}

/* Find the states after moves, and look at the replies to them. Their differences from `row` are
 * kept. */
static int find_children(
    struct expander *x, const struct search_phase *phase, const uint64_t *row, int32_t start,
    int count
) {
    x->family.evaluations++;
    find_next(x->block, phase, count, x->before, x->few);
    read_children(x, phase, x->before, row, start, count);
    const struct search_phase *then = find_verdicts(x->block, count, x->after, x->few);
    if (!then) return ASPGAMES_LEFT_OUT;
    int status = judge_children(x, then, start, count);
    return status ? status : look_at_replies(x, then, start, count);
}

/* Find the children of a state that is not over. */
static int expand(struct expander *x, const uint64_t *row) {
    const int32_t *block = x->block;
    x->family.count = x->family.evaluated = 0;
    x->family.evaluations = 1;
    const struct search_phase *phase = judge_alone(block, row, x->alone);
    if (!phase) return ASPGAMES_LEFT_OUT;
    if (has_verdict(block, phase, SIMULTANEOUS, x->alone)) return ASPGAMES_MIXED;
    int side = has_verdict(block, phase, DEFENDS, x->alone) ? DEFENDER : ATTACKER;
    single_evaluate(block, &phase->phase.ask, x->alone);
    load_everywhere(block, row, x->parent);
    const int32_t *bounds = choices_of(block, phase, side),
                  *others = choices_of(block, phase, 1 - side);
    int32_t total = 0;
    for (int32_t c = bounds[0]; c < bounds[1]; c++)
        if (single_holds(x->alone, block[phase->phase.choice_literals + c]))
            x->moves[total++] = block[phase->phase.choice_moves + c];
    x->family.count = x->family.evaluated = total;
    for (int32_t start = 0; start < total; start += LANES) {
        int count = total - start < LANES ? total - start : LANES;
        lanes all = lanes_first(count);
        begin_moves(x, phase);
        for (int32_t c = others[0]; c < others[1]; c++)
            if (single_holds(x->alone, block[phase->phase.choice_literals + c]))
                make_move_in(
                    block, &phase->phase, block[phase->phase.choice_moves + c], &all, x->before
                );
        for (int lane = 0; lane < count; lane++)
            make_move(block, &phase->phase, x->moves[start + lane], lane, x->before);
        int status = find_children(x, phase, row, start, count);
        if (status) return status;
    }
    return ASPGAMES_DONE;
}

/* Find the children of some states that are not over; those of each state end at `ends`. At most
 * 512 states and children. */
static int expand_together(struct expander *x, const uint64_t *rows, int count) {
    int32_t fluents = tables_of(x->block)->fluents, length = row_words(fluents), total = 0;
    x->family.count = 0;
    x->family.evaluations = 1;
    load_everywhere(x->block, rows, x->parent);
    memcpy(x->after + 1, x->parent + 1, (size_t)fluents * sizeof(lanes));
    for (int state = 0; state < count; state++) flip_lane(x, rows, rows + state * length, state);
    const struct search_phase *phase = find_verdicts(x->block, count, x->after, x->few);
    int status = phase ? judge_children(x, phase, 0, count) : ASPGAMES_LEFT_OUT;
    if (status) return status;
    begin_moves(x, phase);
    for (int state = 0; state < count; state++) {
        int32_t moves = x->replies[state], first = x->starts[state] - moves;
        if (moves > LANES - total) return ASPGAMES_LEFT_OUT;
        load_replies(x, phase, state, first, total, moves);
        memcpy(x->moves + total, x->pairs + first, (size_t)moves * sizeof *x->moves);
        x->ends[state] = total += moves;
    }
    x->family.count = x->family.evaluated = total;
    return total ? find_children(x, phase, rows, 0, total) : ASPGAMES_DONE;
}

#endif
