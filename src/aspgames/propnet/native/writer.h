/* Writes tables: the gates that each question needs, in runs of one shape.
 *
 * The kernel walks a run without a branch for each gate, so few long runs are fast. The next run
 * has the most frequent shape among the gates whose operands are written. A gate that becomes ready
 * meanwhile joins the run if it has the same shape.
 */
#ifndef ASPGAMES_WRITER_H
#define ASPGAMES_WRITER_H

#include "hash_index.h"
#include "tables.h"

enum { NO_SLOT = -1 };
enum { FOR_ASK = 1, FOR_JUDGE = 2, FOR_NEXT = 4, FOR_COUNTED = 8 }; /* what needs a node */

struct numbers {
    int32_t *at;
    int32_t count, room;
};

struct table_writer {
    struct numbers block;
    int failed; /* memory ran out, or the block would be too large */
};

/* The data for writing one circuit. */
struct phase_writer {
    struct table_writer *w;
    const struct circuit *circuit;
    const int32_t *became; /* for each node that requests name, its literal here; NULL: itself */
    int32_t moves;
    struct pool pool; /* of the arrays */
    uint8_t *needed;      /* for each node, which questions need it */
    int32_t *move_of;     /* for each node, the move whose input it is, or -1 */
    int32_t *loop_of;     /* for each node, the loop whose variable it is, or -1 */
    int32_t *slots;       /* for each node, its slot in the program that is being written */
    int32_t *pending;     /* for each node, how many of its operands are not yet written */
    int32_t *unmade_slot; /* for each node, the slot of its negated moves' effect, or NO_SLOT */
    int32_t *made_slot;   /* for each move, the slot of the effect of this move alone, or NO_SLOT */
    int32_t *chain;       /* for each node, the next one in a list of gates of one shape */
    struct numbers effect_moves; /* for each effect, the number of its moves, and the moves */
    struct numbers effect_places; /* for each effect, its place there */
    int32_t effect_first;
    struct hash_index effects; /* the numbers of the effects, from 1 on, by their moves */
};

/* Add a number; returns its place. */
int32_t push(struct table_writer *w, struct numbers *numbers, int32_t number);
/* Add some numbers to the block; returns their place. */
int32_t write_numbers(struct table_writer *w, const int32_t *numbers, int32_t count);
/* Room for so many numbers in the block; returns their place. */
int32_t reserve(struct table_writer *w, int64_t count);

/* A writer of tables that begin with a structure of `size` bytes. The structure begins with the
 * `head`, which gets the places of the turns and phases. */
struct table_writer *begin_tables(struct tables *head, size_t size, const int32_t *turns);
/* Write the structure of a phase, of `size` bytes, after its parts. Errors: NO_MEMORY. */
enum aspgames_status finish_phase(
    struct table_writer *w, int32_t number, const struct phase *phase, size_t size
);
/* Begin to write a circuit, given its inputs for fluents and moves. Returns 0 when memory ran out.
 */
int begin_writing(
    struct phase_writer *p, struct table_writer *w, const struct circuit *circuit,
    const int32_t *became, const int32_t *inputs, const int32_t *does
);
/* A literal of a request as one of the circuit. */
int32_t now(const struct phase_writer *p, int32_t literal);
void end_writing(struct phase_writer *p);
int is_move(const struct phase_writer *p, int32_t node);
void mark(struct phase_writer *p, const int32_t *roots, int32_t count, int32_t step, uint8_t bit);
int asks_for_moves(const struct phase_writer *p, uint8_t bits);
void write_moves(struct phase_writer *p, struct phase *phase, const int32_t *next, int32_t count);
struct program write_program(struct phase_writer *p, uint8_t bit, uint8_t without, int32_t *slot);
void forget(struct phase_writer *p, uint8_t kept);
int32_t literal_of(struct phase_writer *p, int32_t literal);
int32_t write_literals(struct phase_writer *p, const int32_t *literals, int32_t count);
void write_choices(
    struct phase_writer *p, struct phase *phase, const int32_t *legal, const int32_t *bounds,
    int32_t roles
);

#endif
