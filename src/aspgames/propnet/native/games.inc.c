/* Random games, 512 at a time; a game that ends makes room for the next one. */
#include "choices.h"

struct games {
    struct pool pool;
    const int32_t *block;
    uint64_t *starts; /* rows ... */
    int64_t each;     /* ... and how many games begin from each */
    uint64_t seed;
    int64_t *next; /* the number of the next game; threads share it */
    int64_t end;
    int32_t *lengths; /* of each game, in plies */
    int32_t most;     /* plies of a game */
    int32_t roller;   /* the role that moves by chance, or -1 */
    int32_t longest;  /* at least the plies of each game under way */
    int32_t *goals;   /* of each game and role */
    int64_t first;    /* the number of the game of lengths[0] */
    int64_t states;   /* evaluated so far */
    lanes playing, unrolled; /* ... and those in which chance has no move */
    lanes *values, *after;
    struct choices choices;
    int64_t game[LANES];
    uint64_t key[LANES];
    int32_t length[LANES];
};

void NAME(aspgames_games_free)(struct games *g) {
    if (!g) return;
    struct pool pool = g->pool;
    pool_free(&pool);
}

struct games *NAME(aspgames_games_new)(
    const int32_t *block, const uint64_t *starts, int64_t each, uint64_t seed, int64_t first,
    int64_t end, int32_t most, int32_t roller, int64_t *next, int32_t *lengths, int32_t *goals
) {
    const struct tables *t = tables_of(block);
    int64_t words = (end - first + each - 1) / each * row_words(t->fluents);
    struct pool pool = {0};
    struct games *g = pool_zeroed(&pool, 1, sizeof *g);
    if (!g) return NULL;
    g->block = block;
    g->seed = seed;
    g->first = first;
    g->next = next;
    g->end = end;
    g->lengths = lengths;
    g->most = most;
    g->roller = roller;
    g->goals = goals;
    g->each = each;
    g->starts = pooled(&pool, words, sizeof *g->starts);
    g->values = lanes_slots_new(&pool, t->slots, 1);
    g->after = lanes_new(&pool, t->after);
    choices_new(&g->choices, &pool, t->most_choices);
    if (pool.failed) {
        pool_free(&pool);
        return NULL;
    }
    g->pool = pool;
    memcpy(g->starts, starts, (size_t)words * sizeof *starts);
    memset(g->values + 1, 0, (size_t)(t->slots - 1) * sizeof(lanes));
    return g;
}

static int games_left(const struct games *g) {
    return __atomic_load_n(g->next, __ATOMIC_RELAXED) < g->end;
}

/* The start state of a game. */
static const uint64_t *start_of(const struct games *g, int64_t game) {
    return g->starts + (game - g->first) / g->each * row_words(tables_of(g->block)->fluents);
}

/* Begin games in free lanes, as long as the next game fits the phase. All games fit mixed phases.
 */
static void begin_games(struct games *g, int phase) {
    const struct tables *t = tables_of(g->block);
    const uint64_t *rows[LANES];
    lanes begun = lanes_none();
    int64_t game = __atomic_load_n(g->next, __ATOMIC_RELAXED);
    for (int lane = 0; lane < LANES; lane++) {
        if (lane_of(&g->playing, lane)) continue;
        int taken = 0;
        while (!taken && game < g->end) {
            if (phase != t->turn_count && phase_of_row(g->block, start_of(g, game)) != phase) break;
            taken = __atomic_compare_exchange_n(
                g->next, &game, game + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED
            );
        }
        if (!taken) break;
        set_lane(&begun, lane);
        rows[lane] = start_of(g, game);
        g->game[lane] = game;
        g->key[lane] = key_of_game(g->seed, (uint64_t)game);
        g->length[lane] = 0;
        game++;
    }
    if (!lanes_any(&begun)) return;
    for (int32_t f = 0; f < t->fluents; f++)
        g->values[1 + f] = lanes_without(g->values[1 + f], begun);
    EACH_LANE (begun, lane)
        for (int32_t w = 0; w < row_words(t->fluents); w++)
            for (uint64_t bits = rows[lane][w]; bits; bits &= bits - 1)
                set_lane(g->values + 1 + 64 * w + __builtin_ctzll(bits), (int)lane);
    g->playing = lanes_or(g->playing, begun);
}

/* Write the results of games; `over` are those that are not broken off. */
static void end_games(
    struct games *g, const struct phase *phase, const lanes *ended, const lanes *over,
    const lanes *terminal
) {
    const struct tables *t = tables_of(g->block);
    lanes_evaluate(g->block, &phase->judge, g->values);
    for (int lane = 0; lane < LANES; lane++) {
        if (!lane_of(ended, lane)) continue;
        int64_t game = g->game[lane] - g->first;
        g->lengths[game] = lane_of(&g->unrolled, lane) ? ASPGAMES_NO_ROLL
                           : lane_of(over, lane)       ? g->length[lane]
                                                       : ASPGAMES_BROKEN_OFF;
        const int32_t *goal = g->block + phase->goals;
        int32_t before = -1;
        for (int32_t i = 0; i < phase->goal_count; i++, goal += 3) {
            if (lane_of(g->values + (goal[2] >> 1), lane) == (goal[2] & 1)) continue;
            int unsettled = goal[0] == before || goal[1] < 0;
            before = goal[0];
            g->goals[game * t->roles + goal[0]] =
                !unsettled ? goal[1] : lane_of(terminal, lane) ? ASPGAMES_UNSETTLED : 0;
        }
    }
    g->playing = lanes_without(g->playing, *ended);
}

/* The games that have as many plies as a game may have. */
static lanes longest_games(struct games *g) {
    lanes found = lanes_none();
    g->longest = 0;
    for (int lane = 0; lane < LANES; lane++) {
        if (!lane_of(&g->playing, lane)) continue;
        if (g->length[lane] >= g->most) set_lane(&found, lane);
        if (g->length[lane] > g->longest) g->longest = g->length[lane];
    }
    return found;
}

/* Choose a move for each role that has a choice, in each state. Returns the lanes without a move. A
 * draw depends only on the game, the ply and the role, not on the roles that have a choice in the
 * current phase. */
static lanes choose_moves(struct games *g, const struct phase *phase, const lanes *going) {
    const struct tables *t = tables_of(g->block);
    lanes stuck = g->unrolled = lanes_none();
    uint32_t totals[LANES], ranks[LANES];
    int32_t chosen[LANES];
    make_waiting_moves(g->block, phase, going, g->values);
    for (int32_t role = 0; role < t->roles; role++) {
        if (waiting_move(g->block, phase, role) >= 0) continue;
        int32_t first = g->block[phase->choices + 2 * role],
                count = g->block[phase->choices + 2 * role + 1] - first;
        const int32_t *moves = g->block + phase->choice_moves + first;
        const int32_t *literals = g->block + phase->choice_literals + first;
        tally_choices(literals, count, g->values, going, &g->choices, totals);
        for (int place = 0; place < LANES; place++) {
            int lane = lane_at(place);
            uint64_t number = (uint64_t)g->length[lane] * (uint64_t)t->roles + (uint64_t)role;
            ranks[place] = totals[place] ? below(draw(g->key[lane], number), totals[place]) : 0;
        }
        select_choices(literals, count, g->values, &g->choices, ranks, totals, chosen);
        for (int place = 0; place < LANES; place++) {
            if (totals[place])
                make_move(g->block, phase, moves[chosen[place]], lane_at(place), g->values);
            else
                set_lane(role == g->roller ? &g->unrolled : &stuck, lane_at(place));
        }
    }
    g->unrolled = lanes_and(g->unrolled, *going);
    return lanes_or(stuck, g->unrolled);
}

/* Play one ply of all games. */
static void play_on(struct games *g) {
    const struct tables *t = tables_of(g->block);
    int phase_number = t->turn_count;
    int64_t game = __atomic_load_n(g->next, __ATOMIC_RELAXED);
    if (lanes_any(&g->playing))
        phase_number = phase_of(g->block, g->values, &g->playing);
    else if (game < g->end)
        phase_number = phase_of_row(g->block, start_of(g, game));
    if (game < g->end) begin_games(g, phase_number);
    const struct phase *phase = phase_at(g->block, phase_number);
    g->states += lanes_count(&g->playing);
    lanes_evaluate(g->block, &phase->ask, g->values);
    lanes terminal = lanes_read(g->values, phase->terminal),
          going = lanes_without(g->playing, terminal);
    clear_effects(g->block, phase, g->values);
    lanes stuck = choose_moves(g, phase, &going);
    lanes over = lanes_and(g->playing, lanes_or(stuck, lanes_without(g->playing, going)));
    lanes ended = over;
    if (g->longest >= g->most) ended = lanes_or(over, longest_games(g));
    if (lanes_any(&ended)) end_games(g, phase, &ended, &over, &terminal);
    lanes_evaluate(g->block, &phase->go_on, g->values);
    read_literals(g->block + phase->next, t->after, g->values, g->after);
    memcpy(g->values + 1, g->after, (size_t)t->after * sizeof(lanes));
    for (int lane = 0; lane < LANES; lane++) g->length[lane]++;
    g->longest++;
}

enum aspgames_status NAME(aspgames_games_run)(struct games *g, int32_t plies) {
    for (int32_t ply = 0; ply < plies; ply++) {
        if (!games_left(g) && !lanes_any(&g->playing)) return ASPGAMES_DONE;
        play_on(g);
    }
    return games_left(g) || lanes_any(&g->playing) ? ASPGAMES_MORE : ASPGAMES_DONE;
}

int64_t NAME(aspgames_games_states)(const struct games *g) { return g->states; }

void NAME(aspgames_phases)(
    const int32_t *block, const uint64_t *rows, int64_t count, uint8_t *into
) {
    int32_t words = row_words(tables_of(block)->fluents);
    for (int64_t i = 0; i < count; i++) into[i] = (uint8_t)phase_of_row(block, rows + i * words);
}
