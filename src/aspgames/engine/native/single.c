/* One state at a time: a value is a byte, so that a net's values stay in the nearest cache. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "tables.h"

#define VALUE single
#define VECTOR uint8_t
#define PARTS 1
#define OF(name) single_##name
#include "gates.h"

static inline const struct phase *phase_of(const int32_t *block, const uint64_t *row) {
    const struct tables *t = (const struct tables *)block;
    int found = t->turn_count;
    for (int i = 0; i < t->turn_count; i++) {
        int32_t fluent = block[t->turns + i];
        if (!(row[fluent >> 6] >> (fluent & 63) & 1)) continue;
        found = found == t->turn_count ? i : -1;
        if (found < 0) break;
    }
    return (const struct phase *)(block + block[t->phases + (found < 0 ? t->turn_count : found)]);
}

static inline int is_true(const single *values, int32_t literal) {
    return (values[literal >> 1].part[0] & 1) != (literal & 1);
}

static void load(const int32_t *block, const uint64_t *row, single *values) {
    int32_t fluents = ((const struct tables *)block)->fluents;
    values[0].part[0] = 1;
    for (int32_t f = 0; f < fluents; f++) values[1 + f].part[0] = row[f >> 6] >> (f & 63) & 1;
}

/* What the rules say of a state, into `out`: whether it is terminal; how many roles are on move, and the last of
 * these; for each role its goal, and where its moves begin in `out` and end; then the moves that are legal, also in
 * terminal states: twice the number of each, and one more if it is marked. Returns how many numbers these are in
 * all, or -2 if a role has two goals.
 * `values` has a byte for each slot, `out` room for 3 + 3 * roles + choices numbers. */
EXPORT int aspgames_ask(const int32_t *block, single *values, const uint64_t *row, int32_t *out) {
    const struct tables *t = (const struct tables *)block;
    const struct phase *phase = phase_of(block, row);
    int status = 0;
    load(block, row, values);
    single_evaluate(block, &phase->ask, values);
    single_evaluate(block, &phase->judge, values);
    out[0] = is_true(values, phase->terminal);
    out[1] = 0;
    out[2] = -1;
    const int32_t *goal = block + phase->goals;
    int32_t before = -1;
    memset(out + 3, 0, 3 * (size_t)t->roles * sizeof *out);
    for (int32_t i = 0; i < phase->goal_count; i++, goal += 3)
        if (is_true(values, goal[2])) {
            if (goal[0] == before) status = -2;
            before = goal[0];
            out[3 + 3 * goal[0]] = goal[1];
        }
    int32_t *to = out + 3 + 3 * t->roles;
    for (int32_t role = 0; role < t->roles; role++) {
        if (is_true(values, block[phase->to_move + role])) {
            out[1]++;
            out[2] = role;
        }
        const int32_t *bounds = block + phase->choices + 2 * role;
        out[4 + 3 * role] = (int32_t)(to - out);
        for (int32_t c = bounds[0]; c < bounds[1]; c++)
            if (is_true(values, block[phase->choice_literals + c]))
                *to++ = 2 * block[phase->choice_moves + c] + is_true(values, block[phase->marks + c]);
        out[5 + 3 * role] = (int32_t)(to - out);
    }
    return status ? status : (int)(to - out);
}

/* The row that follows when each role makes a move; -1 stands for that of a role without a choice. Returns 0, or
 * -1 if a role has one after all. */
EXPORT int aspgames_play(const int32_t *block, single *values, const uint64_t *row, const int32_t *moves, uint64_t *into) {
    const struct tables *t = (const struct tables *)block;
    const struct phase *phase = phase_of(block, row);
    load(block, row, values);
    memset(values + 1 + t->fluents, 0, (size_t)(phase->gates - 1 - t->fluents));
    for (int32_t role = 0; role < t->roles; role++) {
        const int32_t *bounds = block + phase->choices + 2 * role;
        int32_t move = moves[role];
        if (move < 0 && bounds[1] == bounds[0] + 1 && block[phase->choice_literals + bounds[0]] == 0)
            move = block[phase->choice_moves + bounds[0]];
        if (move < 0) return -1;
        const int32_t *starts = block + phase->effect_starts + move;
        for (int32_t e = starts[0]; e < starts[1]; e++) values[block[e]].part[0] = 1;
    }
    single_evaluate(block, &phase->advance, values);
    memset(into, 0, (size_t)((t->after + 63) / 64) * sizeof *into);
    for (int32_t f = 0; f < t->after; f++)
        into[f >> 6] |= (uint64_t)is_true(values, block[phase->next_alone + f]) << (f & 63);
    return 0;
}

/* The same when the roles but one wait. */
EXPORT int aspgames_play_one(
    const int32_t *block, single *values, const uint64_t *row, int32_t role, int32_t move, int32_t *moves, uint64_t *into
) {
    for (int32_t r = 0; r < ((const struct tables *)block)->roles; r++) moves[r] = r == role ? move : -1;
    return aspgames_play(block, values, row, moves, into);
}

/* Compute the gates of a phase's question in one state, for tests: 0 ask, 1 judge, 2 go_on, 3 advance. With `open`,
 * a slot has two bytes: certainly and possibly. */
EXPORT void aspgames_evaluate_one(const int32_t *block, int32_t phase, int32_t question, int32_t open, single *values) {
    const struct tables *t = (const struct tables *)block;
    const struct program *program = (const struct program *)(block + block[t->phases + phase]) + question;
    if (open) single_evaluate_open(block, program, values);
    else single_evaluate(block, program, values);
}
