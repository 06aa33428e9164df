/* Many single states, each as a row of bits: what the rules say of them, and what follows from moves.
 *
 * States are sorted by phase, so that each is asked with its phase's tables. */

struct batch {
    const int32_t *block;
    lanes *values, *after;
    struct choices choices;
    int64_t *sorted; /* the states, phase by phase */
    int64_t *starts; /* for each phase, the first of its states; and where the last one's end */
    int64_t room;
};

EXPORT void NAME(aspgames_batch_free)(struct batch *b) {
    if (!b) return;
    lanes_free(b->values);
    lanes_free(b->after);
    choices_free(&b->choices);
    free(b->sorted);
    free(b->starts);
    free(b);
}

/* Room for questions about up to so many states. NULL: no memory. */
EXPORT struct batch *NAME(aspgames_batch_new)(const int32_t *block, int64_t most) {
    const struct tables *t = tables_of(block);
    struct batch *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->block = block;
    b->room = most;
    b->values = lanes_new(t->slots);
    b->after = lanes_new(t->after);
    b->sorted = malloc((size_t)(most + 1) * sizeof *b->sorted);
    b->starts = malloc(((size_t)t->turn_count + 3) * sizeof *b->starts);
    if (!choices_new(&b->choices, t->most_choices) || !b->values || !b->after || !b->sorted || !b->starts) {
        NAME(aspgames_batch_free)(b);
        return NULL;
    }
    memset(b->values, 0xFF, sizeof(lanes));
    return b;
}

static void sort_by_phase(struct batch *b, const uint64_t *rows, int64_t count) {
    const struct tables *t = tables_of(b->block);
    int32_t length = row_words(t->fluents), phases = t->turn_count + 1;
    memset(b->starts, 0, ((size_t)phases + 2) * sizeof *b->starts);
    for (int64_t i = 0; i < count; i++) b->starts[phase_of_row(b->block, rows + i * length) + 2]++;
    for (int32_t p = 0; p <= phases; p++) b->starts[p + 1] += b->starts[p];
    for (int64_t i = 0; i < count; i++) b->sorted[b->starts[phase_of_row(b->block, rows + i * length) + 1]++] = i;
}

/* Take up to 512 states of a phase; returns how many. */
static int take_states(struct batch *b, int phase, int64_t first, const uint64_t *rows) {
    int64_t left = b->starts[phase + 1] - first;
    int count = left < LANES ? (int)left : LANES;
    int32_t fluents = tables_of(b->block)->fluents, length = row_words(fluents);
    const uint64_t *taken[LANES];
    for (int lane = 0; lane < count; lane++) taken[lane] = rows + b->sorted[first + lane] * length;
    load_rows(taken, count, fluents, b->values + 1);
    return count;
}

/* What is wanted of states; each array may be missing. */
struct answers {
    uint8_t *terminal;   /* for each state */
    uint8_t *to_move;    /* for each state and role */
    int32_t *goals;      /* for each state and role; 0 where the rules give none */
    uint8_t *legal;      /* for each state and move of the net, as the rules have it: also in terminal states */
    int32_t *counts;     /* for each state and role, how many moves are legal */
    int32_t *choices;    /* for each state and role, one of them at random, or -1 if there is none */
    const uint64_t *keys; /* for each state, what its random choices come from ... */
    uint64_t draw;       /* ... with this number */
};

static int judge_states(struct batch *b, const struct phase *phase, const int64_t *states, int count, const struct answers *a) {
    const struct tables *t = tables_of(b->block);
    int status = 0;
    lanes_evaluate(b->block, &phase->judge, b->values);
    const int32_t *goal = b->block + phase->goals;
    lanes seen = lanes_none();
    for (int32_t i = 0; a->goals && i < phase->goal_count; i++, goal += 3) {
        lanes has = lanes_read(b->values, goal[2]), all = lanes_first(count);
        has = lanes_and(has, all);
        if (i == 0 || goal[0] != goal[-3]) seen = lanes_none();
        lanes twice = lanes_and(has, seen);
        if (lanes_any(&twice)) status = -2;
        seen = lanes_or(seen, has);
        for (int lane = 0; lane < count; lane++)
            if (lane_of(&has, lane)) a->goals[states[lane] * t->roles + goal[0]] = goal[1];
    }
    for (int32_t role = 0; a->to_move && role < t->roles; role++) {
        lanes on_move = lanes_read(b->values, b->block[phase->to_move + role]);
        for (int lane = 0; lane < count; lane++)
            a->to_move[states[lane] * t->roles + role] = (uint8_t)lane_of(&on_move, lane);
    }
    return status;
}

static void list_choices(
    struct batch *b, const struct phase *phase, int32_t role, const int64_t *states, int count, const struct answers *a
) {
    const struct tables *t = tables_of(b->block);
    const int32_t *bounds = b->block + phase->choices + 2 * role, *moves = b->block + phase->choice_moves + bounds[0];
    int32_t blocks = block_count(bounds[1] - bounds[0]);
    lanes all = lanes_first(count);
    uint32_t totals[LANES], ranks[LANES];
    int32_t chosen[LANES];
    gather_choices(b->block + phase->choice_literals + bounds[0], bounds[1] - bounds[0], b->values, &all, &b->choices);
    count_choices(&b->choices, blocks, totals);
    for (int place = 0; a->choices && place < LANES; place++)
        ranks[place] = totals[place]
            ? below(draw(a->keys[states[lane_at(place)]], a->draw * (uint64_t)t->roles + (uint64_t)role), totals[place])
            : 0;
    if (a->choices) select_choices(&b->choices, blocks, ranks, totals, chosen);
    for (int lane = 0; lane < count; lane++) {
        int place = place_of(lane);
        int64_t at = states[lane] * t->roles + role;
        if (a->counts) a->counts[at] = (int32_t)totals[place];
        if (a->choices) a->choices[at] = totals[place] ? moves[chosen[place]] : -1;
    }
    if (!a->legal) return;
    for (int32_t block = 0; block < blocks; block++)
        for (int lane = 0; lane < count; lane++) {
            uint8_t *legal = a->legal + states[lane] * t->moves;
            for (uint64_t bits = choice_bits(&b->choices, block, place_of(lane)); bits; bits &= bits - 1)
                legal[moves[64 * block + __builtin_ctzll(bits)]] = 1;
        }
}

/* Answers for `count` states, at most the room there is. Returns 0, or -2 if a role has two goals. */
EXPORT int NAME(aspgames_batch_ask)(struct batch *b, const uint64_t *rows, int64_t count, const struct answers *a) {
    const struct tables *t = tables_of(b->block);
    int status = 0;
    if (a->goals) memset(a->goals, 0, (size_t)(count * t->roles) * sizeof *a->goals);
    if (a->legal) memset(a->legal, 0, (size_t)(count * t->moves));
    sort_by_phase(b, rows, count);
    for (int number = 0; number <= t->turn_count; number++) {
        const struct phase *phase = phase_at(b->block, number);
        int taken = 0;
        for (int64_t first = b->starts[number]; first < b->starts[number + 1]; first += taken) {
            taken = take_states(b, number, first, rows);
            const int64_t *states = b->sorted + first;
            lanes_evaluate(b->block, &phase->ask, b->values);
            lanes terminal = lanes_read(b->values, phase->terminal);
            for (int lane = 0; a->terminal && lane < taken; lane++)
                a->terminal[states[lane]] = (uint8_t)lane_of(&terminal, lane);
            if ((a->goals || a->to_move) && judge_states(b, phase, states, taken, a)) status = -2;
            for (int32_t role = 0; (a->legal || a->counts || a->choices) && role < t->roles; role++)
                list_choices(b, phase, role, states, taken, a);
        }
    }
    return status;
}

/* The rows that follow when each role of each state makes a move; -1 stands for that of a role without a choice.
 * `into` may be `rows`. Only for nets whose next fluents are their fluents. */
EXPORT void NAME(aspgames_batch_play)(
    struct batch *b, const uint64_t *rows, int64_t count, const int32_t *moves, uint64_t *into
) {
    const struct tables *t = tables_of(b->block);
    int32_t length = row_words(t->fluents);
    sort_by_phase(b, rows, count);
    for (int number = 0; number <= t->turn_count; number++) {
        const struct phase *phase = phase_at(b->block, number);
        int taken = 0;
        for (int64_t first = b->starts[number]; first < b->starts[number + 1]; first += taken) {
            taken = take_states(b, number, first, rows);
            clear_effects(b->block, phase, b->values);
            for (int lane = 0; lane < taken; lane++)
                for (int32_t role = 0; role < t->roles; role++) {
                    int32_t move = moves[b->sorted[first + lane] * t->roles + role];
                    if (move < 0) move = waiting_move(b->block, phase, role);
                    if (move >= 0) make_move(b->block, phase, move, lane, b->values);
                }
            lanes_evaluate(b->block, &phase->advance, b->values);
            read_literals(b->block + phase->next_alone, t->after, b->values, b->after);
            uint64_t *out[LANES];
            for (int lane = 0; lane < taken; lane++) out[lane] = into + b->sorted[first + lane] * length;
            store_rows(b->after, t->fluents, taken, out);
        }
    }
}
