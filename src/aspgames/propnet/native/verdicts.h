/* Evaluates a puzzle's tables in 512 states at once. */
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

/* The phase of the states in the first lanes, whose verdicts it evaluates; NULL if the tables leave
 * it out. */
static inline const struct search_phase *find_verdicts(
    const int32_t *block, int count, lanes *values
) {
    lanes all = lanes_first(count);
    const struct search_phase *phase = search_phase_at(block, phase_of(block, values, &all));
    if (phase) evaluate_verdicts(block, phase, values);
    return phase;
}

static inline const int32_t *choices_of(
    const int32_t *block, const struct search_phase *phase, int side
) {
    return block + phase->phase.choices + 2 * side;
}

#endif
