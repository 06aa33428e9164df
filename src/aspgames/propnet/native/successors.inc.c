/* Finds all successors of states, for tables of games in which one role at a time has a choice. */
#include "batch.h"
#include "movers.inc.c"

enum { NOBODY = 254, ENDED = 255 }; /* instead of a role */

struct successors {
    struct pool pool;
    struct batch *batch;
    struct movers movers;
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
    struct successors *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    x->batch = NAME(aspgames_batch_new)(block);
    movers_new(&x->movers, &x->pool, block);
    x->images = images;
    x->symmetries = symmetries;
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

/* Make successors of the parents. */
static void make_successors(struct successors *x, struct joint_moves *made) {
    struct batch *b = x->batch;
    const struct tables *t = tables_of(b->block);
    int32_t words = row_words(t->fluents);
    uint64_t *into[LANES];
    for (int lane = 0; lane < made->count; lane++) into[lane] = x->rows + (x->count + lane) * words;
    make_moves(&x->movers, made, b->values);
    lanes_evaluate(b->block, &x->movers.phase->advance, b->values);
    read_literals(b->block + x->movers.phase->next_alone, t->after, b->values, b->after);
    store_rows(b->after, t->fluents, made->count, into);
    NAME(aspgames_successors_least)(x, x->rows + x->count * words, made->count);
    x->count += made->count;
    made->count = 0;
}

/* Find the successors of up to 512 states of a phase. */
static int expand_states(
    struct successors *x, const struct batch_parts *p, const struct successor_lists *out
) {
    struct batch *b = x->batch;
    struct movers *m = &x->movers;
    int32_t words = row_words(tables_of(b->block)->fluents);
    lanes all = lanes_first(p->count);
    lanes_evaluate(b->block, &p->phase->ask, b->values);
    lanes terminal = lanes_and(lanes_read(b->values, p->phase->terminal), all),
          going = lanes_without(all, terminal);
    int status = find_movers(m, p->phase, b->values, &going);
    if (status) return status;
    lanes ended = lanes_without(all, going);
    if (lanes_any(&ended) && note_goals(b, p->phase, p->states, &ended, &terminal, out->goals))
        return ASPGAMES_UNSETTLED_GOALS;
    int64_t next = x->count;
    for (int lane = 0; lane < p->count; lane++) {
        int has_ended = lane_of(&ended, lane), role = m->role[lane] < 0 ? NOBODY : m->role[lane];
        uint32_t degree = has_ended ? 0 : m->degree[lane];
        if (degree > UINT16_MAX) return ASPGAMES_TOO_MANY_MOVES;
        out->movers[p->states[lane]] = (uint8_t)(has_ended ? ENDED : role);
        out->degrees[p->states[lane]] = (uint16_t)degree;
        int stuck = has_ended && !lane_of(&terminal, lane);
        out->starts[p->states[lane]] = stuck ? INT64_MIN : next;
        next += degree;
    }
    if (!MAKE_ROOM(x->rows, x->room, (next + LANES) * words + 1)) return ASPGAMES_NO_MEMORY;
    struct joint_moves made = {0};
    EACH_LANE (going, lane) {
        int32_t count = moves_of(m, (int)lane);
        for (int32_t i = 0; i < count; i++) {
            made.from[made.count] = p->rows + p->states[lane] * words;
            made.parent[made.count] = (int32_t)lane;
            made.move[made.count++] = m->moves[i];
            if (made.count == LANES) make_successors(x, &made);
        }
    }
    if (made.count) make_successors(x, &made);
    return 0;
}

enum aspgames_status NAME(aspgames_successors_of)(
    struct successors *x, const uint64_t *rows, int64_t count, const struct successor_lists *out
) {
    int status = 0;
    x->count = 0;
    for (struct batch_parts p = begin_parts(x->batch, rows, count, NULL);
         !status && take_part(x->batch, &p);)
        status = expand_states(x, &p, out);
    return status;
}
