/* What is done with many states at once; compiled once for each set of instructions. */
#include "lanes.h"

#include "rows.h"

#include "choice.h"

#include "batch.h"
#include "games.h"
#include "walk.h"
#include "successors.h"

/* Compute the gates of a phase's question, for tests: 0 ask, 1 judge, 2 go_on, 3 advance. With `open`, a slot has two
 * values: certainly and possibly. */
void NAME(aspgames_evaluate)(const int32_t *block, int32_t phase, int32_t question, int32_t open, void *values) {
    const struct program *program = (const struct program *)phase_at(block, phase) + question;
    if (open) lanes_evaluate_open(block, program, values);
    else lanes_evaluate(block, program, values);
}
