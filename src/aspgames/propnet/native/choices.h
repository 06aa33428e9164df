/* Chooses at random for 512 states at once, uniformly and independently. It counts a state's legal
 * choices, draws a random rank below their number, and selects the choice with that rank.
 *
 * If there are few choices, they are transposed: a state has a word for each 64 of them. Many
 * choices are first counted in bit-sliced numbers: fifteen choices make a number of four bits, and
 * sixteen such numbers are transposed. So a state has a word for each 240 choices, and its
 * hexadecimal digits are the counts. That takes half the time for thousands of choices, and twice
 * the time for a hundred.
 */
#ifndef ASPGAMES_CHOICES_H
#define ASPGAMES_CHOICES_H

#include "rows.h"

enum { MANY = 4096, DIGIT = 15, DIGITS = 16, FALSE_LITERAL = 1 };

/* How many choices share a word. */
static inline int32_t group_size(int32_t choices) { return choices < MANY ? 64 : DIGIT * DIGITS; }

static inline int32_t group_count(int32_t choices) {
    return (choices + group_size(choices) - 1) / group_size(choices);
}

/* Add three bits. */
static inline void add(vector a, vector b, vector c, vector *sum, vector *carry) {
    vector either = a ^ b;
    *carry = (a & b) | (either & c);
    *sum = either ^ c;
}

/* The number of true literals among fifteen, as four bits. */
static inline void count_digit(
    const int32_t literals[DIGIT], const lanes *values, const lanes *among, lanes digit[4]
) {
    EACH_PART {
        vector in[DIGIT], ones[5], twos[7], fours[3];
        for (int i = 0; i < DIGIT; i++) {
            vector value = values[literals[i] >> 1].part[k];
            in[i] = (value ^ -(uint64_t)(literals[i] & 1)) & among->part[k];
        }
        for (int i = 0; i < 5; i++)
            add(in[3 * i], in[3 * i + 1], in[3 * i + 2], ones + i, twos + i);
        add(ones[0], ones[1], ones[2], ones, twos + 5);
        add(ones[0], ones[3], ones[4], &digit[0].part[k], twos + 6);
        add(twos[0], twos[1], twos[2], twos, fours);
        add(twos[3], twos[4], twos[5], twos + 1, fours + 1);
        add(twos[0], twos[1], twos[6], &digit[1].part[k], fours + 2);
        add(fours[0], fours[1], fours[2], &digit[2].part[k], &digit[3].part[k]);
    }
}

static inline void gather_digits(
    const int32_t *literals, int32_t count, const lanes *values, const lanes *among, lanes rows[64]
) {
    for (int32_t digit = 0; digit < DIGITS; digit++) {
        int32_t here = count - digit * DIGIT;
        if (here >= DIGIT) {
            count_digit(literals + digit * DIGIT, values, among, rows + 4 * digit);
        } else if (here > 0) {
            int32_t last[DIGIT];
            for (int i = 0; i < DIGIT; i++)
                last[i] = i < here ? literals[digit * DIGIT + i] : FALSE_LITERAL;
            count_digit(last, values, among, rows + 4 * digit);
        } else {
            memset(rows + 4 * digit, 0, 4 * sizeof *rows);
        }
    }
    transpose(rows);
}

/* Count the choices of some states, by place. `into` has room for them. */
static inline void tally_choices(
    const int32_t *literals, int32_t count, const lanes *values, const lanes *among,
    struct choices *into, uint32_t totals[LANES]
) {
    if (count < MANY) {
        gather_choices(literals, count, values, among, into);
        count_choices(into, block_count(count), totals);
        return;
    }
    memset(totals, 0, LANES * sizeof *totals);
    for (int32_t group = 0; group < group_count(count); group++) {
        int32_t first = group * group_size(count);
        lanes *rows = into->bits + (int64_t)group * BLOCK;
        gather_digits(literals + first, count - first, values, among, rows);
        uint8_t *counts = into->counts + (int64_t)group * LANES;
        for (int place = 0; place < LANES; place++) {
            uint64_t word = const_words(rows)[place];
            uint64_t pairs = (word & 0x0F0F0F0F0F0F0F0F) + (word >> 4 & 0x0F0F0F0F0F0F0F0F);
            pairs += pairs >> 32;
            pairs += pairs >> 16;
            counts[place] = (uint8_t)(pairs + (pairs >> 8));
        }
        for (int place = 0; place < LANES; place++) totals[place] += counts[place];
    }
}

/* The position of the set bit with `rank` set bits below it. */
static inline int select_bit(uint64_t bits, int rank) {
#if defined(__BMI2__)
    return __builtin_ctzll(__builtin_ia32_pdep_di((uint64_t)1 << rank, bits));
#else
    while (rank--) bits &= bits - 1;
    return __builtin_ctzll(bits);
#endif
}

/* The first digit at which the running sum exceeds the rank. Subtracts the digits before it from
 * the rank. Has no unpredictable branch. */
static inline int find_digit(uint64_t digits, uint32_t *rank) {
    uint64_t even = digits & 0x0F0F0F0F0F0F0F0F;
    uint64_t sums = (even + (digits >> 4 & 0x0F0F0F0F0F0F0F0F))
                    * 0x0101010101010101; /* of pairs, from the lowest on */
    int pair = 0;
    for (int i = 0; i < 7; i++) pair += (sums >> (8 * i) & 0xFF) <= *rank;
    *rank -= pair ? (uint32_t)(sums >> (8 * pair - 8) & 0xFF) : 0;
    uint32_t left = (uint32_t)(even >> (8 * pair) & 0xFF), odd = *rank >= left;
    *rank -= odd ? left : 0;
    return 2 * pair + (int)odd;
}

/* The choice with `rank` choices before it, among those that a word counts. */
static inline int32_t select_from_digits(
    uint64_t digits, uint32_t rank, const int32_t *literals, int32_t count, const lanes *values,
    int lane
) {
    int32_t first = DIGIT * find_digit(digits, &rank);
    uint64_t bits = 0;
    for (int i = 0; i < DIGIT && first + i < count; i++) {
        int32_t literal = literals[first + i];
        bits |= (uint64_t)(lane_of(values + (literal >> 1), lane) ^ (literal & 1)) << i;
    }
    return first + select_bit(bits, (int)rank);
}

/* For each place, the choice with ranks[place] choices before it. Undefined where ranks[place] >=
 * totals[place]. */
static inline void select_choices(
    const int32_t *literals, int32_t count, const lanes *values, const struct choices *c,
    const uint32_t ranks[LANES], const uint32_t totals[LANES], int32_t chosen[LANES]
) {
    uint32_t below[LANES] = {0}, base[LANES] = {0}, group[LANES] = {0};
    for (int32_t g = 0; g < group_count(count); g++) {
        const uint8_t *counts = c->counts + (int64_t)g * LANES;
        for (int place = 0; place < LANES; place++) {
            uint32_t with = below[place] + counts[place], passed = with <= ranks[place];
            group[place] += passed;
            base[place] = passed ? with : base[place];
            below[place] = with;
        }
    }
    for (int place = 0; place < LANES; place++) {
        if (!totals[place]) continue;
        int32_t first = (int32_t)group[place] * group_size(count);
        uint64_t bits = choice_bits(c, (int32_t)group[place], place);
        uint32_t rank = ranks[place] - base[place];
        chosen[place] = first
                        + (count < MANY ? select_bit(bits, (int)rank)
                                        : select_from_digits(
                                              bits, rank, literals + first, count - first, values,
                                              lane_at(place)
                                          ));
    }
}

/* Random numbers by counting: the nth number of a key is one round of SplitMix64 (Steele, Lea and
 * Flood 2014), so the draws of a game don't depend on the other games. */
static inline uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint64_t draw(uint64_t key, uint64_t n) {
    return mix(key + (n + 1) * 0x9E3779B97F4A7C15u);
}

static inline uint64_t key_of_game(uint64_t seed, uint64_t game) {
    return mix(
        mix(seed + 0x9E3779B97F4A7C15u) + mix(game * 0xD1342543DE82EF95u + 0x2545F4914F6CDD1Du)
    );
}

/* A number below `total`, uniform to within total / 2^64 (Lemire 2019, without the rejection). */
static inline uint32_t below(uint64_t random, uint32_t total) {
    return (uint32_t)(((unsigned __int128)random * total) >> 64);
}

#endif
