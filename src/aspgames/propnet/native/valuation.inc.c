/* The learned value of states, 512 at a time: weights of what holds, of the outputs of hidden units,
 * and of the numbers of moves. Proven results are exact.
 *
 * The hidden units' inputs are computed once for what holds in most of the states. Each state adds
 * and subtracts the rows of the fluents in which it differs (Nasu 2018, "Efficiently updatable
 * neural-network-based evaluation functions for computer shogi").
 */
#ifndef ASPGAMES_VALUATION_INC_C
#define ASPGAMES_VALUATION_INC_C

#include "choices.h"

enum {
    COUNTED = 256,
    SIDES = 2,
    OWN = 0,
    OTHER = 1,
    SURE = 20000,     /* scores above are proven wins */
    UNITS = 128,      /* hidden ones */
    CEILING = 128,    /* of a unit */
    OUTPUT_UNIT = 256 /* a unit's output is divided by it */
};

struct valuation {
    const int32_t *block;
    const struct value_weights *weights;
    lanes *swapped; /* the states with the other side on move */
    struct choices counted;
    /* What differs from most states. */
    uint8_t *held; /* for each fluent, whether it holds in most of them */
    int32_t *differing, differing_count;
    lanes *differ;           /* for each of the differing ones */
    int32_t *changed;        /* for each lane, the fluents in which it differs ... */
    int32_t changes[LANES];  /* ... and their number */
};

static void valuation_new(
    struct valuation *v, struct pool *pool, const int32_t *block,
    const struct value_weights *weights
) {
    const struct tables *t = tables_of(block);
    int32_t most = 0;
    for (int p = 0; p <= t->turn_count; p++)
        if (phase_at(block, p)->choice_count > most) most = phase_at(block, p)->choice_count;
    *v = (struct valuation){.block = block, .weights = weights};
    v->swapped = lanes_slots_new(pool, t->slots, 1);
    v->held = pool_zeroed(pool, t->fluents, 1);
    v->differing = pool_zeroed(pool, t->fluents, sizeof *v->differing);
    v->differ = lanes_new(pool, t->fluents);
    if (weights->hidden)
        v->changed = pool_zeroed(pool, (int64_t)t->fluents * LANES, sizeof *v->changed);
    choices_new(&v->counted, pool, most);
}

/* Add a weight to the scores in some lanes. */
static void add_weight(int32_t weight, lanes among, int32_t *scores) {
    if (weight) EACH_LANE (among, lane) scores[lane] += weight;
}

/* Find what holds in most states, and the fluents in which some differ. Most are like `base`. */
static void find_differences(
    struct valuation *v, const lanes *values, const lanes *among, const uint64_t *base
) {
    int32_t fluents = tables_of(v->block)->fluents, half = lanes_count(among) / 2;
    v->differing_count = 0;
    for (int32_t f = 0; f < fluents; f++) {
        int held = bit_of_row(base, f);
        lanes differ = held ? lanes_without(*among, values[1 + f])
                            : lanes_and(*among, values[1 + f]);
        if (lanes_any(&differ) && lanes_count(&differ) > half) {
            held = !held;
            differ = lanes_without(*among, differ);
        }
        v->held[f] = (uint8_t)held;
        if (!lanes_any(&differ)) continue;
        v->differing[v->differing_count] = f;
        v->differ[v->differing_count++] = differ;
    }
}

static inline void add_row(int16_t *restrict inputs, const int16_t *restrict row, int sign) {
    for (int u = 0; u < UNITS; u++) inputs[u] = (int16_t)(inputs[u] + sign * row[u]);
}

static inline int32_t sum_outputs(const int16_t *restrict inputs, const int16_t *restrict outputs) {
    int32_t sum = 0;
    for (int u = 0; u < UNITS; u++) {
        int16_t unit = inputs[u] < 0 ? 0 : inputs[u] > CEILING ? CEILING : inputs[u];
        sum += (int32_t)unit * outputs[u];
    }
    return sum / OUTPUT_UNIT;
}

/* Add the outputs of the hidden units, after `find_differences`. */
static void add_hidden(struct valuation *v, int number, const lanes *among, int32_t *scores) {
    int32_t fluents = tables_of(v->block)->fluents;
    const int16_t *rows = v->weights->hidden + (int64_t)number * (1 + fluents) * UNITS;
    const int16_t *outputs = v->weights->outputs + (int64_t)number * UNITS;
    int16_t common[UNITS], inputs[UNITS];
    memcpy(common, rows, sizeof common);
    rows += UNITS;
    for (int32_t f = 0; f < fluents; f++)
        if (v->held[f]) add_row(common, rows + (int64_t)f * UNITS, 1);
    memset(v->changes, 0, sizeof v->changes);
    for (int32_t i = 0; i < v->differing_count; i++)
        EACH_LANE (v->differ[i], lane)
            v->changed[(int64_t)lane * fluents + v->changes[lane]++] = v->differing[i];
    EACH_LANE (*among, lane) {
        const int32_t *changed = v->changed + (int64_t)lane * fluents;
        memcpy(inputs, common, sizeof inputs);
        for (int32_t i = 0; i < v->changes[lane]; i++) {
            const int16_t *row = rows + (int64_t)changed[i] * UNITS;
            if (v->held[changed[i]])
                add_row(inputs, row, -1);
            else
                add_row(inputs, row, 1);
        }
        scores[lane] += sum_outputs(inputs, outputs);
    }
}

/* Add the weights of the fluents that hold, and the outputs of the hidden units. Most states are
 * like `base`. */
static void add_fluents(
    struct valuation *v, const lanes *values, int number, const lanes *among,
    const uint64_t *base, int32_t *scores
) {
    int32_t fluents = tables_of(v->block)->fluents;
    const int32_t *weights = v->weights->fluents + (int64_t)number * (fluents + 1);
    int32_t sum = *weights++;
    find_differences(v, values, among, base);
    for (int32_t f = 0; f < fluents; f++)
        if (v->held[f]) sum += weights[f];
    add_weight(sum, *among, scores);
    for (int32_t i = 0; i < v->differing_count; i++) {
        int32_t f = v->differing[i];
        add_weight(v->held[f] ? -weights[f] : weights[f], v->differ[i], scores);
    }
    if (v->weights->hidden) add_hidden(v, number, among, scores);
}

/* Add what depends on the number of moves of one side, after `ask`; or write it into `out`. */
static void add_moves(
    struct valuation *v, const struct phase *phase, const lanes *values, int number, int side,
    const lanes *among, int32_t *scores, int32_t *out
) {
    uint32_t totals[LANES];
    tally_choices(
        v->block + phase->choice_literals, phase->choice_count, values, among, &v->counted, totals
    );
    EACH_LANE (*among, lane) {
        uint32_t total = totals[place_of((int)lane)];
        if (total >= COUNTED) total = COUNTED - 1;
        if (out)
            out[SIDES * lane + (uint64_t)side] = (int32_t)total;
        else
            scores[lane] += v->weights->mobility[COUNTED * (SIDES * number + side) + (int)total];
    }
}

/* Evaluate the rules with the other side on move. */
static void add_other_side(
    struct valuation *v, const lanes *values, int number, const lanes *among, int32_t *scores,
    int32_t *out
) {
    const struct tables *t = tables_of(v->block);
    int32_t partner = v->weights->partners[number];
    if (partner < 0) return;
    memcpy(v->swapped + 1, values + 1, (size_t)t->fluents * sizeof(lanes));
    v->swapped[1 + v->block[t->turns + number]] = lanes_none();
    v->swapped[1 + v->block[t->turns + partner]] = lanes_first(LANES);
    const struct phase *phase = phase_at(v->block, partner);
    lanes_evaluate(v->block, &phase->ask, v->swapped);
    add_moves(v, phase, v->swapped, number, OTHER, among, scores, out);
}

/* The lanes in which a role has no move, after `ask`. */
static lanes stuck_lanes(const int32_t *block, const struct phase *phase, const lanes *values) {
    lanes found = lanes_none();
    for (int32_t role = 0; role < tables_of(block)->roles; role++) {
        if (waiting_move(block, phase, role) >= 0) continue;
        const int32_t *bounds = block + phase->choices + 2 * role;
        lanes any = lanes_none();
        for (int32_t c = bounds[0]; c < bounds[1]; c++)
            any = lanes_or(any, lanes_read(values, block[phase->choice_literals + c]));
        found = lanes_or(found, lanes_without(lanes_first(LANES), any));
    }
    return found;
}

/* Write the scores of results, after `judge`. */
static int score_results(
    const struct valuation *v, const struct phase *phase, const lanes *values, const lanes *over,
    int32_t *scores
) {
    EACH_LANE (*over, lane) scores[lane] = 0;
    const int32_t *goal = v->block + phase->goals;
    for (int32_t i = 0; i < phase->goal_count; i++, goal += 3) {
        lanes has = lanes_and(lanes_read(values, goal[2]), *over);
        if (goal[1] < 0 && lanes_any(&has)) return ASPGAMES_UNSETTLED_GOALS;
        add_weight(goal[0] ? -goal[1] : goal[1], has, scores);
    }
    EACH_LANE (*over, lane) {
        int32_t lead = scores[lane] < -100 ? -100 : scores[lane] > 100 ? 100 : scores[lane];
        scores[lane] = v->weights->results[100 + lead];
    }
    return ASPGAMES_DONE;
}

/* Score up to 512 states, whose fluents are loaded; returns DONE or UNSETTLED_GOALS. They differ
 * little from `base`; if it is NULL, only states that are over get a score. Leaves the answers to `ask` in `values`, and the number of their phase in `phase`. */
static int score_states(
    struct valuation *v, lanes *values, int count, const uint64_t *base, int32_t *scores,
    lanes *over, int *number, int32_t *out
) {
    const struct tables *t = tables_of(v->block);
    lanes all = lanes_first(count);
    *number = phase_of(v->block, values, &all);
    const struct phase *phase = phase_at(v->block, *number);
    lanes_evaluate(v->block, &phase->ask, values);
    *over = lanes_or(
        lanes_read(values, phase->terminal), stuck_lanes(v->block, phase, values)
    );
    *over = lanes_and(*over, all);
    memset(scores, 0, LANES * sizeof *scores);
    lanes rest = lanes_without(all, *over);
    for (int p = 0; base && p <= t->turn_count && lanes_any(&rest); p++) {
        lanes here = rest;
        for (int i = 0; p < t->turn_count && i < t->turn_count; i++) {
            lanes turn = values[1 + v->block[t->turns + i]];
            here = i == p ? lanes_and(here, turn) : lanes_without(here, turn);
        }
        if (!lanes_any(&here)) continue;
        rest = lanes_without(rest, here);
        add_fluents(v, values, p, &here, base, scores);
        if (out || v->weights->mobility)
            add_moves(v, phase, values, p, OWN, &here, scores, out);
        if (v->weights->partners) add_other_side(v, values, p, &here, scores, out);
    }
    for (int lane = 0; lane < count; lane++)
        scores[lane] = scores[lane] > SURE ? SURE : scores[lane] < -SURE ? -SURE : scores[lane];
    if (!lanes_any(over)) return ASPGAMES_DONE;
    lanes_evaluate(v->block, &phase->judge, values);
    return score_results(v, phase, values, over, scores);
}

#endif
