/* The learned value of states, 512 at a time: a linear function of what holds, of the moves, and
 * of what the moves take. Proven results are exact.
 */
#ifndef ASPGAMES_VALUATION_H
#define ASPGAMES_VALUATION_H

#include "choices.h"

enum { COUNTED = 256, SIDES = 2, OWN = 0, OTHER = 1 };

struct valuation {
    const int32_t *block;
    const struct value_weights *weights;
    lanes *swapped;  /* the states with the other side on move */
    lanes *taken;    /* for each fluent, the lanes in which a move may end it */
    struct choices counted;
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
    v->swapped = slots_new(pool, t->slots, 1);
    v->taken = lanes_new(pool, t->fluents);
    choices_new(&v->counted, pool, most);
}

/* Add a weight to the scores in some lanes. */
static void add_weight(int32_t weight, lanes among, int32_t *scores) {
    if (weight) EACH_LANE (among, lane) scores[lane] += weight;
}

/* Add the weights of the fluents that hold. The states differ little from `base`. */
static void add_fluents(
    const struct valuation *v, const lanes *values, int number, const lanes *among,
    const uint64_t *base, int32_t *scores
) {
    int32_t fluents = tables_of(v->block)->fluents, half = lanes_count(among) / 2;
    const int32_t *weights = v->weights->fluents + (int64_t)number * (fluents + 1);
    int32_t sum = weights[0];
    for (int32_t f = 0; f < fluents; f++) {
        int32_t weight = weights[1 + f];
        if (!weight) continue;
        int held = bit_of_row(base, f);
        lanes changed = held ? lanes_without(*among, values[1 + f])
                             : lanes_and(*among, values[1 + f]);
        if (held) sum += weight;
        if (!lanes_any(&changed)) continue;
        if (held) weight = -weight;
        if (lanes_count(&changed) > half) { /* almost everywhere: count the exceptions */
            sum += weight;
            weight = -weight;
            changed = lanes_without(*among, changed);
        }
        add_weight(weight, changed, scores);
    }
    add_weight(sum, *among, scores);
}

/* Find the fluents that a move may end, after `ask`. */
static void find_taken(struct valuation *v, const struct phase *phase, const lanes *values) {
    const struct value_weights *w = v->weights;
    memset(v->taken, 0, (size_t)tables_of(v->block)->fluents * sizeof(lanes));
    for (int32_t c = 0; c < phase->choice_count; c++) {
        int32_t move = v->block[phase->choice_moves + c];
        int32_t first = w->taken_starts[move], end = w->taken_starts[move + 1];
        if (first == end) continue;
        lanes legal = lanes_read(values, v->block[phase->choice_literals + c]);
        for (int32_t i = first; i < end; i++) {
            int32_t f = w->taken[i];
            v->taken[f] = lanes_or(v->taken[f], lanes_and(legal, values[1 + f]));
        }
    }
}

/* Add what depends on the moves of one side, after `ask`; or write it into `out`. */
static void add_moves(
    struct valuation *v, const struct phase *phase, const lanes *values, int number, int side,
    const lanes *among, int32_t *scores, const struct value_features *out
) {
    const struct value_weights *w = v->weights;
    int32_t fluents = tables_of(v->block)->fluents;
    int64_t at = (int64_t)SIDES * number + side;
    if (out || w->mobility) {
        uint32_t totals[LANES];
        tally_choices(
            v->block + phase->choice_literals, phase->choice_count, values, among, &v->counted,
            totals
        );
        EACH_LANE (*among, lane) {
            uint32_t total = totals[place_of((int)lane)];
            if (total >= COUNTED) total = COUNTED - 1;
            if (out)
                out->mobility[SIDES * lane + (uint64_t)side] = (int32_t)total;
            else
                scores[lane] += w->mobility[COUNTED * at + total];
        }
    }
    if (!out && !w->threats) return;
    find_taken(v, phase, values);
    int32_t length = row_words(fluents);
    for (int32_t f = 0; f < fluents; f++) {
        lanes here = lanes_and(v->taken[f], *among);
        if (!lanes_any(&here)) continue;
        if (out)
            EACH_LANE (here, lane)
                out->threats[(SIDES * (int64_t)lane + side) * length + (f >> 6)] |=
                    (uint64_t)1 << (f & 63);
        else
            add_weight(w->threats[at * fluents + f], here, scores);
    }
}

/* Evaluate the rules with the other side on move. */
static void add_other_side(
    struct valuation *v, const lanes *values, int number, const lanes *among, int32_t *scores,
    const struct value_features *out
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
    lanes *over, int *number, const struct value_features *out
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
        if (out || v->weights->mobility || v->weights->threats)
            add_moves(v, phase, values, p, OWN, &here, scores, out);
        if (v->weights->partners) add_other_side(v, values, p, &here, scores, out);
    }
    if (!lanes_any(over)) return ASPGAMES_DONE;
    lanes_evaluate(v->block, &phase->judge, values);
    return score_results(v, phase, values, over, scores);
}

#endif
