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
    uint8_t phases[SORTED];
    int64_t sorted[SORTED];         /* the states, phase by phase */
    int64_t starts[MOST_TURNS + 3]; /* for each phase, its first state; then the end of the last
                                       phase */
};

/* Many states, taken in parts of up to 512 of one phase. */
struct batch_parts {
    const uint64_t *rows;
    int64_t total;
    const uint8_t *where; /* whether to take each state; NULL: all */
    int64_t done;         /* states sorted so far */
    int number;           /* the phase of the part */
    int64_t next;         /* the first state after it, among the sorted ones */
    const struct phase *phase;
    const int64_t *states; /* the states of the part, by number */
    int count;
};

#define begin_parts NAME(begin_parts)
#define take_part NAME(take_part)
#define judge_states NAME(judge_states)

struct batch_parts begin_parts(
    struct batch *b, const uint64_t *rows, int64_t count, const uint8_t *where
);
/* Load the states of the next part; returns 0 after the last one. */
int take_part(struct batch *b, struct batch_parts *p);
/* Write the goals and the role on move. Returns UNSETTLED_GOALS or DONE. */
enum aspgames_status judge_states(
    struct batch *b, const struct phase *phase, const int64_t *states, const lanes *all,
    const lanes *terminal, const lanes *playing, const struct batch_answers *a
);

#endif
