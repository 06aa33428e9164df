/* Finds all successors of states, for tables of games in which one role at a time has a choice. */
#include "batch.h"

enum { NOBODY = 254, ENDED = 255 }; /* instead of a role */

struct successors {
    struct pool pool;
    struct batch *batch;
    struct choices *choices; /* of each role */
    uint64_t *rows;          /* the successors, state after state ... */
    int64_t count, room;     /* ... how many there are, and for how many words there is room */
    const uint64_t *images;  /* for each symmetry, the images of the fluents, as tables by byte */
    int32_t symmetries;
};

void NAME(aspgames_successors_free)(struct successors *x) {
    if (!x) return;
    pool_free(&x->pool);
    free(x->rows);
    NAME(aspgames_batch_free)(x->batch);
    free(x);
}

struct successors *NAME(aspgames_successors_new)(
    const int32_t *block, const uint64_t *images, int32_t symmetries
) {
    const struct tables *t = tables_of(block);
    struct successors *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    x->batch = NAME(aspgames_batch_new)(block);
    x->choices = pooled(&x->pool, t->roles, sizeof *x->choices);
    x->images = images;
    x->symmetries = symmetries;
    for (int32_t r = 0; x->choices && r < t->roles; r++)
        choices_new(x->choices + r, &x->pool, t->most_choices);
    if (x->batch && !x->pool.failed) return x;
    NAME(aspgames_successors_free)(x);
    return NULL;
}

int64_t NAME(aspgames_successors_rows)(const struct successors *x, const uint64_t **rows) {
    *rows = x->rows;
    return x->count;
}

/* Compare rows as numbers, the last word highest. The least of a state's images stands for all. */
static int is_less(const uint64_t *a, const uint64_t *b, int32_t words) {
    for (int32_t w = words - 1; w >= 0; w--)
        if (a[w] != b[w]) return a[w] < b[w];
    return 0;
}

enum { MOST_WORDS_FOR_SYMMETRY = 16 };

static void take_least_image(
    const uint64_t *images, int32_t symmetries, int32_t words, uint64_t *row
) {
    uint64_t least[MOST_WORDS_FOR_SYMMETRY], image[MOST_WORDS_FOR_SYMMETRY];
    memcpy(least, row, (size_t)words * sizeof *row);
    const uint64_t *of_byte = images;
    for (int32_t s = 0; s < symmetries; s++) {
        memset(image, 0, (size_t)words * sizeof *image);
        for (int32_t byte = 0; byte < 8 * words; byte++, of_byte += (int64_t)256 * words) {
            const uint64_t *bits =
                of_byte + (int64_t)(row[byte >> 3] >> (8 * (byte & 7)) & 255) * words;
            for (int32_t w = 0; w < words; w++) image[w] |= bits[w];
        }
        if (is_less(image, least, words)) memcpy(least, image, (size_t)words * sizeof *image);
    }
    memcpy(row, least, (size_t)words * sizeof *row);
}

void NAME(aspgames_successors_least)(const struct successors *x, uint64_t *rows, int64_t count) {
    int32_t words = row_words(tables_of(x->batch->block)->fluents);
    for (int64_t i = 0; x->symmetries && i < count; i++)
        take_least_image(x->images, x->symmetries, words, rows + i * words);
}

/* Write the goals of ended states. Returns -2 if a game is over with unsettled goals. */
static int note_goals(
    struct batch *b, const struct phase *phase, const int64_t *states, const lanes *ended,
    const lanes *terminal, int32_t *goals
) {
    struct batch_answers a = {.goals = goals};
    int32_t roles = tables_of(b->block)->roles;
    EACH_LANE (*ended, lane) memset(goals + states[lane] * roles, 0, (size_t)roles * sizeof *goals);
    lanes over = lanes_and(*terminal, *ended);
    lanes_evaluate(b->block, &phase->judge, b->values);
    return judge_states(b, phase, states, ended, &over, ended, &a);
}

struct made {
    int32_t lane; /* the parent's */
    int32_t move; /* of the role that has a choice; -1: no role has one */
};

/* Make the successors of up to 512 parents by up to 512 moves. */
static void make_successors(
    struct successors *x, const struct phase *phase, const uint64_t *const parents[LANES],
    const struct made *made, int count, const int32_t (*singles)[LANES]
) {
    struct batch *b = x->batch;
    const struct tables *t = tables_of(b->block);
    int32_t words = row_words(t->fluents);
    const uint64_t *from[LANES];
    uint64_t *into[LANES];
    lanes all = lanes_first(count);
    for (int lane = 0; lane < count; lane++) {
        from[lane] = parents[made[lane].lane];
        into[lane] = x->rows + (x->count + lane) * words;
    }
    load_rows(from, count, t->fluents, b->values + 1);
    clear_effects(b->block, phase, b->values);
    make_waiting_moves(b->block, phase, &all, b->values);
    for (int lane = 0; lane < count; lane++) {
        if (made[lane].move >= 0) make_move(b->block, phase, made[lane].move, lane, b->values);
        for (int32_t role = 0; role < t->roles; role++) {
            int32_t move = singles[role][made[lane].lane];
            if (move >= 0) make_move(b->block, phase, move, lane, b->values);
        }
    }
    lanes_evaluate(b->block, &phase->advance, b->values);
    read_literals(b->block + phase->next_alone, t->after, b->values, b->after);
    store_rows(b->after, t->fluents, count, into);
    NAME(aspgames_successors_least)(x, x->rows + x->count * words, count);
    x->count += count;
}

/* Find the successors of up to 512 states of a phase. `singles` has room for one entry for each
 * role and lane. */
static int expand_states(
    struct successors *x, const struct phase *phase, const uint64_t *rows, const int64_t *states,
    int count, int32_t (*singles)[LANES], const struct successor_lists *out
) {
    struct batch *b = x->batch;
    const struct tables *t = tables_of(b->block);
    int32_t words = row_words(t->fluents);
    int64_t degrees[LANES];
    uint8_t movers[LANES];
    lanes all = lanes_first(count);
    lanes_evaluate(b->block, &phase->ask, b->values);
    lanes terminal = lanes_and(lanes_read(b->values, phase->terminal), all),
          going = lanes_without(all, terminal);
    for (int lane = 0; lane < LANES; lane++) {
        degrees[lane] = 1;
        movers[lane] = NOBODY;
    }
    for (int32_t role = 0; role < t->roles; role++) {
        for (int lane = 0; lane < LANES; lane++) singles[role][lane] = -1;
        if (waiting_move(b->block, phase, role) >= 0) continue;
        const int32_t *bounds = b->block + phase->choices + 2 * role,
                      *moves = b->block + phase->choice_moves + bounds[0];
        int32_t blocks = block_count(bounds[1] - bounds[0]);
        uint32_t totals[LANES];
        gather_choices(
            b->block + phase->choice_literals + bounds[0], bounds[1] - bounds[0], b->values, &going,
            x->choices + role
        );
        count_choices(x->choices + role, blocks, totals);
        lanes stuck = lanes_none();
        EACH_LANE (going, lane) {
            int place = place_of((int)lane);
            uint32_t total = totals[place];
            if (total == 0) set_lane(&stuck, (int)lane);
            if (total == 1) {
                int32_t block = 0;
                while (!choice_bits(x->choices + role, block, place)) block++;
                singles[role][lane] = moves
                    [64 * block + __builtin_ctzll(choice_bits(x->choices + role, block, place))];
            }
            if (total > 1 && movers[lane] != NOBODY) return ASPGAMES_SEVERAL_CHOOSE;
            if (total > 1) {
                movers[lane] = (uint8_t)role;
                degrees[lane] = total;
            }
        }
        going = lanes_without(going, stuck);
    }
    lanes ended = lanes_without(all, going);
    if (lanes_any(&ended) && note_goals(b, phase, states, &ended, &terminal, out->goals))
        return ASPGAMES_UNSETTLED_GOALS;
    EACH_LANE (ended, lane) {
        movers[lane] = ENDED;
        degrees[lane] = 0;
    }
    const uint64_t *parents[LANES];
    int64_t next = x->count;
    for (int lane = 0; lane < count; lane++) {
        parents[lane] = rows + states[lane] * words;
        if (degrees[lane] > UINT16_MAX) return ASPGAMES_TOO_MANY_MOVES;
        out->movers[states[lane]] = movers[lane];
        out->degrees[states[lane]] = (uint16_t)degrees[lane];
        int stuck = movers[lane] == ENDED && !lane_of(&terminal, lane);
        out->starts[states[lane]] = stuck ? INT64_MIN : next;
        next += degrees[lane];
    }
    if (!MAKE_ROOM(x->rows, x->room, (next + LANES) * words + 1)) return ASPGAMES_NO_MEMORY;
    struct made made[LANES];
    int filled = 0;
    EACH_LANE (going, lane) {
        int32_t role = movers[lane] == NOBODY ? 0 : movers[lane];
        const int32_t *bounds = b->block + phase->choices + 2 * role,
                      *moves = b->block + phase->choice_moves + bounds[0];
        int32_t blocks = movers[lane] == NOBODY ? 1 : block_count(bounds[1] - bounds[0]);
        for (int32_t block = 0; block < blocks; block++) {
            uint64_t bits = movers[lane] == NOBODY
                                ? 1
                                : choice_bits(x->choices + role, block, place_of((int)lane));
            for (; bits; bits &= bits - 1) {
                int32_t move =
                    movers[lane] == NOBODY ? -1 : moves[64 * block + __builtin_ctzll(bits)];
                made[filled++] = (struct made){(int32_t)lane, move};
                if (filled < LANES) continue;
                make_successors(x, phase, parents, made, filled, (const int32_t (*)[LANES])singles);
                filled = 0;
            }
        }
    }
    if (filled) make_successors(x, phase, parents, made, filled, (const int32_t (*)[LANES])singles);
    return 0;
}

enum aspgames_status NAME(aspgames_successors_of)(
    struct successors *x, const uint64_t *rows, int64_t count, const struct successor_lists *out
) {
    struct batch *b = x->batch;
    const struct tables *t = tables_of(b->block);
    int32_t (*singles)[LANES] = malloc(((size_t)t->roles + 1) * sizeof *singles);
    int status = singles ? 0 : ASPGAMES_NO_MEMORY;
    x->count = 0;
    for (int64_t done = 0; !status && done < count; done += SORTED) {
        sort_by_phase(b, rows, done, count - done < SORTED ? count - done : SORTED, NULL);
        for (int number = 0; !status && number <= t->turn_count; number++) {
            const struct phase *phase = phase_at(b->block, number);
            int taken = 0;
            for (int64_t first = b->starts[number]; !status && first < b->starts[number + 1];
                 first += taken) {
                taken = take_states(b, number, first, rows);
                status = expand_states(x, phase, rows, b->sorted + first, taken, singles, out);
            }
        }
    }
    free(singles);
    return status;
}
