/* A net as tables: one block of 32-bit numbers that the kernel walks, the same in memory and in a
 * file.
 *
 * Values stand in slots. Slot 0 is the constant true; slots 1 to `fluents` are the state's fluents;
 * then come the effects of moves, then gates. A literal is twice its slot, plus one if it is
 * negated.
 *
 * Some fluents of a net say whose turn it is. For each of them there is a phase in which it alone
 * holds; its circuit is simplified accordingly. A last phase covers all other cases.
 *
 * All places are counted in numbers from the beginning of the block.
 */
#ifndef ASPGAMES_TABLES_H
#define ASPGAMES_TABLES_H

#include <stdint.h>

enum { TABLES_MAGIC = 0x41535031, MOST_TURNS = 8 };

/* The gates that a question needs, as a list of segments. */
struct program {
    int32_t segments; /* where they are */
    int32_t count;
};

/* Runs of gates, repeated until the variables of a loop no longer change. The variables begin as
 * false. */
struct segment {
    int32_t runs; /* where they are */
    int32_t end;
    int32_t variables;      /* where the loop's variables are: pairs of a slot and the literal that
                               defines it */
    int32_t variable_count; /* 0: no loop */
};

/* Gates of one shape: conjunctions of `positive` slots and the complements of `negative` ones.
 * Their slots follow the run, gate by gate; a gate may use those before it in its run. */
struct run {
    int32_t positive;
    int32_t negative;
    int32_t count;
    int32_t first; /* the slot of the first gate; those of the other gates follow */
};

struct phase {
    struct program ask;     /* terminal, and the legal moves */
    struct program judge;   /* after `ask`: goals, roles on move, and marks */
    struct program go_on;   /* after `ask`, given the effects: the next state */
    struct program advance; /* the next state without `ask`, with its own slots from `gates` on */
    int32_t gates;          /* the first slot after those of effects */
    int32_t slots;          /* the slots of the first three programs */
    int32_t advance_slots;  /* the slots of `advance` */
    int32_t terminal;       /* a literal */
    int32_t choices;        /* where: for each role its first choice, and the one after its last */
    int32_t choice_count;
    int32_t choice_literals;
    int32_t choice_moves;
    int32_t marks; /* where: for each choice, the literal of its mark */
    int32_t goals; /* where: triples of role, value (-1: not a goal value) and literal, sorted */
    int32_t goal_count;
    int32_t to_move;       /* where: a literal for each role */
    int32_t next;          /* where: a literal for each fluent of the next state, after `go_on` */
    int32_t next_alone;    /* the same after `advance` */
    int32_t effect_starts; /* where: for each move, its first effect; its effects end where the next
                              move's begin */
    int32_t effects;       /* where: slots */
};

struct tables {
    int32_t magic;
    int32_t words; /* of the whole block */
    int32_t fluents;
    int32_t after; /* how many fluents the next state may have */
    int32_t moves;
    int32_t roles;
    int32_t slots; /* the most that any phase needs */
    int32_t most_choices;
    int32_t turn_count; /* at most MOST_TURNS */
    int32_t turns;      /* where: the fluents that say whose turn it is, counted from 0 */
    int32_t phases;     /* where: `turn_count` + 1 phases' places */
};

static inline int32_t row_words(int32_t fluents) { return (fluents + 63) / 64; }

/* A hash of a row: the last step of MurmurHash3's mixing. */
static inline uint64_t hash_of(const uint64_t *row, int32_t words) {
    uint64_t h = 0x9E3779B97F4A7C15;
    for (int32_t w = 0; w < words; w++) {
        h = (h ^ row[w]) * 0xFF51AFD7ED558CCD;
        h ^= h >> 33;
        h *= 0xC4CEB9FE1A85EC53;
        h ^= h >> 33;
    }
    return h;
}

static inline const struct tables *tables_of(const int32_t *block) {
    return (const struct tables *)block;
}

static inline const struct phase *phase_at(const int32_t *block, int number) {
    return (const struct phase *)(block + block[tables_of(block)->phases + number]);
}

static inline int bit_of_row(const uint64_t *row, int32_t fluent) {
    return row[fluent >> 6] >> (fluent & 63) & 1;
}

/* The phase of a state, given as a row. */
static inline int phase_of_row(const int32_t *block, const uint64_t *row) {
    const struct tables *t = tables_of(block);
    int found = t->turn_count;
    for (int i = 0; i < t->turn_count; i++) {
        if (!bit_of_row(row, block[t->turns + i])) continue;
        if (found != t->turn_count) return t->turn_count;
        found = i;
    }
    return found;
}

#endif
