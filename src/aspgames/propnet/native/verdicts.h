/* Evaluates a puzzle's tables in 512 states at once, in 64, or in one. */
#ifndef ASPGAMES_VERDICTS_H
#define ASPGAMES_VERDICTS_H

#include "lanes.h"
#include "search_tables.h"

static inline const struct search_tables *search_tables_of(const int32_t *block) {
    return (const struct search_tables *)block;
}

/* A phase; NULL if the tables leave it out. */
static inline const struct search_phase *search_phase_at(const int32_t *block, int number) {
    int32_t place = block[tables_of(block)->phases + number];
    return place ? (const struct search_phase *)(block + place) : NULL;
}

static inline lanes verdict(
    const int32_t *block, const struct search_phase *phase, int which, const lanes *values
) {
    return lanes_read(values, block[phase->verdicts + which]);
}

static inline void evaluate_verdicts(
    const int32_t *block, const struct search_phase *phase, lanes *values
) {
    lanes_evaluate(block, &phase->count, values);
    lanes_evaluate(block, &phase->phase.judge, values);
}

/* Load the first lanes of the slots from 1 to `end` - 1. */
static inline void load_few(const lanes *values, int32_t end, few *into) {
    for (int32_t slot = 1; slot < end; slot++) into[slot].part[0] = const_words(values + slot)[0];
}

/* Store the slots of some literals, if they are gates. */
static inline void store_few(
    const few *from, int32_t gates, const int32_t *literals, int32_t count, lanes *values
) {
    for (int32_t i = 0; i < count; i++) {
        int32_t slot = literals[i] >> 1;
        if (slot < gates) continue;
        values[slot] = lanes_none();
        words(values + slot)[0] = from[slot].part[0];
    }
}

/* The phase of the states in the first lanes, whose verdicts it evaluates; NULL if the tables leave
 * it out. `room` is for few states, if the net is large. */
static inline const struct search_phase *find_verdicts(
    const int32_t *block, int count, lanes *values, few *room
) {
    lanes all = lanes_first(count);
    const struct search_phase *phase = search_phase_at(block, phase_of(block, values, &all));
    int is_narrow = room && count <= FEW;
    if (phase && !is_narrow) evaluate_verdicts(block, phase, values);
    if (!phase || !is_narrow) return phase;
    load_few(values, 1 + tables_of(block)->fluents, room);
    few_evaluate(block, &phase->count, room);
    few_evaluate(block, &phase->phase.judge, room);
    store_few(room, phase->phase.gates, block + phase->verdicts, VERDICTS, values);
    return phase;
}

/* Find the legal moves of the same states, after `find_verdicts`. */
static inline void find_choices(
    const int32_t *block, const struct search_phase *phase, int count, lanes *values, few *room
) {
    const struct phase *p = &phase->phase;
    if (!room || count > FEW) {
        lanes_evaluate(block, &p->ask, values);
        return;
    }
    few_evaluate(block, &p->ask, room);
    store_few(room, p->gates, block + p->choice_literals, p->choice_count, values);
}

/* Find the next states of the first lanes: the literals of `next_alone`. */
static inline void find_next(
    const int32_t *block, const struct search_phase *phase, int count, lanes *values, few *room
) {
    const struct phase *p = &phase->phase;
    if (!room || count > FEW) {
        lanes_evaluate(block, &p->advance, values);
        return;
    }
    load_few(values, p->gates, room);
    few_evaluate(block, &p->advance, room);
    store_few(room, p->gates, block + p->next_alone, tables_of(block)->fluents, values);
}

/* The phase of a state, whose verdicts it evaluates; NULL if the tables leave it out. */
static inline const struct search_phase *judge_alone(
    const int32_t *block, const uint64_t *row, single *values
) {
    const struct search_phase *phase = search_phase_at(block, phase_of_row(block, row));
    if (!phase) return NULL;
    for (int32_t f = 0; f < tables_of(block)->fluents; f++)
        values[1 + f].part[0] = bit_of_row(row, f) ? 0xFF : 0;
    single_evaluate(block, &phase->count, values);
    single_evaluate(block, &phase->phase.judge, values);
    return phase;
}

static inline int has_verdict(
    const int32_t *block, const struct search_phase *phase, int which, const single *values
) {
    return single_holds(values, block[phase->verdicts + which]);
}

static inline const int32_t *choices_of(
    const int32_t *block, const struct search_phase *phase, int side
) {
    return block + phase->phase.choices + 2 * side;
}

#endif
