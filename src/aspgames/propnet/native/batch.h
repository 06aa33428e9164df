/* A batch of states, for the files that evaluate separate states.
 *
 * States are sorted by phase, some thousands at a time. Each is evaluated with its phase's tables.
 */
#ifndef ASPGAMES_BATCH_H
#define ASPGAMES_BATCH_H

#include "choices.h"

enum { SORTED = 8192 };

struct batch {
    struct pool pool;
    const int32_t *block;
    lanes *values, *after;
    lanes *turns; /* for each role, the lanes in which only this role is on move */
    struct choices choices;
    uint8_t phase_of[1 << MOST_TURNS]; /* index: the turns that hold, as bits */
    uint8_t phases[SORTED];
    int64_t sorted[SORTED];         /* the states, phase by phase */
    int64_t starts[MOST_TURNS + 3]; /* for each phase, its first state; then the end of the last
                                       phase */
};

#define sort_by_phase NAME(sort_by_phase)
#define take_states NAME(take_states)
#define judge_states NAME(judge_states)

/* Sort states by their phases. Unless `where` is NULL, leave out the states for which it is 0. */
void sort_by_phase(
    struct batch *b, const uint64_t *rows, int64_t first, int64_t count, const uint8_t *where
);
/* Take up to 512 states of a phase; returns how many. */
int take_states(struct batch *b, int phase, int64_t first, const uint64_t *rows);
/* Write the goals and the role on move. Returns UNSETTLED_GOALS or DONE. */
enum aspgames_status judge_states(
    struct batch *b, const struct phase *phase, const int64_t *states, const lanes *all,
    const lanes *terminal, const lanes *playing, const struct batch_answers *a
);

#endif
