/* Converts states and choices between rows of bits and lanes: transposes eight matrices of 64 by 64
 * bits at once. */
#ifndef ASPGAMES_ROWS_H
#define ASPGAMES_ROWS_H

#include "lanes.h"

/* Transpose eight matrices of 64 by 64 bits: bit c of row r is bit r of row c afterwards (Warren,
 * Hacker's Delight, 7-3). */
static inline void transpose(lanes rows[64]) {
    uint64_t mask = 0x00000000FFFFFFFF;
    for (int width = 32; width; width >>= 1, mask ^= mask << width)
        for (int start = 0; start < 64; start += 2 * width)
            for (int r = start; r < start + width; r++)
                EACH_PART {
                    vector low = rows[r].part[k], high = rows[r + width].part[k];
                    vector moved = ((low >> width) ^ high) & mask;
                    rows[r + width].part[k] = high ^ moved;
                    rows[r].part[k] = low ^ (moved << width);
                }
}

/* Load rows of bits into lanes: `rows[lane]` is a state, fluent by fluent, in `row_words` words of
 * 64 bits. */
static inline void load_rows(
    const uint64_t *const rows[LANES], int count, int32_t fluents, lanes *into
) {
    lanes matrix[64];
    for (int32_t first = 0; first < fluents; first += 64) {
        memset(matrix, 0, sizeof matrix);
        for (int lane = 0; lane < count; lane++)
            words(&matrix[lane & 63])[lane >> 6] = rows[lane][first >> 6];
        transpose(matrix);
        memcpy(
            into + first, matrix,
            (size_t)(fluents - first < 64 ? fluents - first : 64) * sizeof(lanes)
        );
    }
}

static inline void store_rows(
    const lanes *from, int32_t fluents, int count, uint64_t *const rows[LANES]
) {
    lanes matrix[64];
    for (int32_t first = 0; first < fluents; first += 64) {
        int32_t here = fluents - first < 64 ? fluents - first : 64;
        memcpy(matrix, from + first, (size_t)here * sizeof(lanes));
        memset(matrix + here, 0, (size_t)(64 - here) * sizeof(lanes));
        transpose(matrix);
        for (int lane = 0; lane < count; lane++)
            rows[lane][first >> 6] = const_words(&matrix[lane & 63])[lane >> 6];
    }
}

/* The only move of a role without a choice in this phase; -1 if it has a choice, or no move. */
static inline int32_t waiting_move(const int32_t *block, const struct phase *phase, int32_t role) {
    int32_t first = block[phase->choices + 2 * role], end = block[phase->choices + 2 * role + 1];
    return end == first + 1 && block[phase->choice_literals + first] == 0
               ? block[phase->choice_moves + first]
               : -1;
}

/* Make the moves of the roles without a choice, in all states. */
static inline void make_waiting_moves(
    const int32_t *block, const struct phase *phase, const lanes *states, lanes *values
) {
    for (int32_t role = 0; role < tables_of(block)->roles; role++) {
        int32_t move = waiting_move(block, phase, role);
        if (move >= 0) make_move_in(block, phase, move, states, values);
    }
}

/* The choices of a role as rows of bits, state after state, in the order of `place_of`. A block of
 * 64 choices takes 65 values, so that blocks do not all fall on the same cache lines. */
enum { BLOCK = 65 };

struct choices {
    lanes *bits;
    uint8_t *counts; /* how many choices each block has at each place */
};

/* The place of a lane: the eight states of one row of the matrices stand side by side. */
static inline int place_of(int lane) { return (lane & 63) * WORDS + (lane >> 6); }

static inline int lane_at(int place) { return place / WORDS + 64 * (place % WORDS); }

static inline int32_t block_count(int32_t choices) { return (choices + 63) / 64; }

static inline void choices_new(struct choices *c, struct pool *pool, int32_t most) {
    int64_t room = block_count(most) + 1;
    c->bits = lanes_new(pool, room * BLOCK);
    c->counts = pooled(pool, room, LANES);
}

static inline void gather_choices(
    const int32_t *literals, int32_t count, const lanes *values, const lanes *among,
    struct choices *into
) {
    for (int32_t b = 0; b < block_count(count); b++) {
        lanes *matrix = into->bits + (int64_t)b * BLOCK;
        int32_t here = count - 64 * b < 64 ? count - 64 * b : 64;
        for (int32_t i = 0; i < here; i++)
            matrix[i] = lanes_and(lanes_read(values, literals[64 * b + i]), *among);
        memset(matrix + here, 0, (size_t)(64 - here) * sizeof(lanes));
        transpose(matrix);
    }
}

static inline uint64_t choice_bits(const struct choices *c, int32_t block, int place) {
    return const_words(c->bits + (int64_t)block * BLOCK)[place];
}

/* Count the choices of each state, by place. */
static inline void count_choices(struct choices *c, int32_t blocks, uint32_t totals[LANES]) {
    memset(totals, 0, LANES * sizeof *totals);
    for (int32_t b = 0; b < blocks; b++) {
        const word *bits = const_words(c->bits + (int64_t)b * BLOCK);
        uint8_t *counts = c->counts + (int64_t)b * LANES;
        for (int place = 0; place < LANES; place++)
            counts[place] = (uint8_t)__builtin_popcountll(bits[place]);
        for (int place = 0; place < LANES; place++) totals[place] += counts[place];
    }
}

#endif
