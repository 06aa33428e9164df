/* The shortest way to a puzzle's goal if both sides cooperate. Compiled once for each instruction
 * set.
 *
 * A breadth-first search. States with the same number of turns and of plies before them are
 * expanded together, up to 512 moves in one evaluation. A child that is over, or that was expanded
 * before, is left out.
 */
#include "rows.h"
#include "verdicts.h"

/* States with the same numbers of turns and of plies before them. */
struct place {
    int32_t turns, plies;
    struct state_set *states;
    uint32_t *parents; /* the numbers of the states before them, among the expanded ones ... */
    int64_t room;      /* ... and for how many there is room */
    int64_t at, end;   /* without `states`: numbers of states, to be expanded again */
};

struct together {
    struct pool pool;
    const int32_t *block;
    int32_t words, within;
    lanes *values, *before, *after; /* the parents; with their moves; the children */
    few *few;                       /* the slots of up to 64 states */
    struct choices choices;
    int32_t *waits; /* the moves of the waiting side that have effects ... */
    lanes *waiting; /* ... and the lanes in which they are made */
    int32_t wait_count;
    uint64_t *rows; /* of up to 512 children */
    struct state_set *expanded;
    uint32_t *parents; /* for each of these states, the number of the state before it */
    int64_t parent_room;
    struct place *places; /* in no order */
    int64_t place_count, place_room;
    struct place now; /* the states that are being expanded: from now.at on */
    struct place *late; /* states with children that were left out */
    int64_t late_count, late_room;
    int32_t with_late; /* whether such children are kept */
    struct place *done; /* the places whose states were expanded, one after the other */
    int64_t done_count, done_room;
    int64_t evaluated;
    int32_t found;       /* whether the goal is reached ... */
    uint32_t found_from; /* ... after which state ... */
    struct place last;   /* ... of which place */
    uint64_t *found_row;
    uint8_t *marks;  /* for each expanded state whether it is on a shortest way; NULL at first */
    int64_t marking; /* the place whose states are being marked */
};

/* Up to 512 children of some states: their parents' lanes, and the moves. */
struct children {
    int count, attacked; /* whether the attacker is on move before */
    int32_t parents[LANES], moves[LANES];
};

static void place_free(struct place *place) {
    aspgames_states_free(place->states);
    free(place->parents);
}

void NAME(aspgames_together_free)(struct together *g) {
    if (!g) return;
    for (int64_t i = 0; i < g->place_count; i++) place_free(g->places + i);
    aspgames_states_free(g->expanded);
    FREE_ALL(g->places, g->late, g->done, g->marks, g->parents);
    pool_free(&g->pool);
    free(g);
}

/* The place with so many turns and plies. NULL when memory runs out. */
static struct place *place_of_turn(struct together *g, int32_t turns, int32_t plies) {
    for (int64_t i = 0; i < g->place_count; i++) {
        struct place *place = g->places + i;
        if (place->states && place->turns == turns && place->plies == plies) return place;
    }
    if (!MAKE_ROOM(g->places, g->place_room, g->place_count + 1)) return NULL;
    struct state_set *states = aspgames_states_new(g->words);
    if (!states) return NULL;
    g->places[g->place_count] = (struct place){.turns = turns, .plies = plies, .states = states};
    return g->places + g->place_count++;
}

/* Add states to a place. */
static int wait_at(
    struct together *g, int32_t turns, int32_t plies, const uint64_t *rows,
    const uint32_t *parents, int count
) {
    struct place *place = place_of_turn(g, turns, plies);
    if (!place || aspgames_states_reserve(place->states, count)) return ASPGAMES_NO_MEMORY;
    int64_t next = aspgames_states_count(place->states), spare = -1;
    if (!MAKE_ROOM(place->parents, place->room, next + count)) return ASPGAMES_NO_MEMORY;
    uint32_t numbers[LANES];
    aspgames_states_add(place->states, rows, count, numbers, &spare);
    for (int i = 0; i < count; i++)
        if (numbers[i] == next) place->parents[next++] = parents[i];
    return ASPGAMES_DONE;
}

struct together *NAME(aspgames_together_new)(
    const int32_t *block, const uint8_t *root, int32_t attacks, int32_t within
) {
    const struct tables *t = tables_of(block);
    struct together *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->words = row_words(t->fluents);
    g->within = within;
    g->rows = pooled(&g->pool, (int64_t)LANES * g->words, sizeof *g->rows);
    g->found_row = pooled(&g->pool, g->words, sizeof *g->found_row);
    g->expanded = aspgames_states_new(g->words);
    uint32_t none = 0;
    if (g->expanded && !g->pool.failed && NAME(aspgames_together_use)(g, block)
        && !wait_at(g, attacks, 0, (const uint64_t *)root, &none, 1))
        return g;
    NAME(aspgames_together_free)(g);
    return NULL;
}

bool NAME(aspgames_together_use)(struct together *g, const int32_t *block) {
    const struct tables *t = tables_of(block);
    g->block = block;
    g->values = lanes_slots_new(&g->pool, t->slots, 1);
    g->before = lanes_slots_new(&g->pool, t->slots, 1);
    g->after = lanes_slots_new(&g->pool, t->slots, 1);
    g->few = few_new(&g->pool, t->slots);
    g->waits = pooled(&g->pool, t->most_choices + (int64_t)1, sizeof *g->waits);
    g->waiting = lanes_new(&g->pool, t->most_choices + (int64_t)1);
    choices_new(&g->choices, &g->pool, t->most_choices);
    return !g->pool.failed;
}

/* Leave the place with the fewest turns, and among them the fewest plies, and begin to expand its
 * states. */
static int begin_place(struct together *g) {
    int64_t first = 0;
    for (int64_t i = 1; i < g->place_count; i++) {
        const struct place *a = g->places + i, *b = g->places + first;
        if (a->turns < b->turns || (a->turns == b->turns && a->plies < b->plies)) first = i;
    }
    g->now = g->places[first];
    struct state_set *states = g->now.states;
    if (states) {
        int64_t count = aspgames_states_count(states), spare = -1;
        int64_t next = aspgames_states_count(g->expanded);
        if (aspgames_states_reserve(g->expanded, count)
            || !MAKE_ROOM(g->parents, g->parent_room, next + count))
            return ASPGAMES_NO_MEMORY;
        g->now.at = next;
        for (int64_t start = 0; start < count; start += LANES) {
            int64_t here = count - start < LANES ? count - start : LANES;
            uint32_t numbers[LANES];
            const uint64_t *rows = aspgames_states_rows(states) + start * g->words;
            aspgames_states_add(g->expanded, rows, here, numbers, &spare);
            for (int64_t i = 0; i < here; i++)
                if (numbers[i] == next) g->parents[next++] = g->now.parents[start + i];
        }
        g->now.end = next;
        place_free(g->places + first);
        g->now.states = NULL; /* a late place is a copy of this one */
        g->now.parents = NULL;
    }
    g->places[first] = g->places[--g->place_count];
    if (!MAKE_ROOM(g->done, g->done_room, g->done_count + 1)) return ASPGAMES_NO_MEMORY;
    g->done[g->done_count++] = g->now;
    return ASPGAMES_DONE;
}

static const uint64_t *expanded_row(const struct together *g, int64_t number) {
    return aspgames_states_rows(g->expanded) + number * g->words;
}

/* Whether a state was expanded at this place, and is on a shortest way. */
static int is_marked(const struct together *g, uint32_t number, int32_t turns, int32_t plies) {
    if (number == UINT32_MAX || !g->marks[number]) return 0;
    for (int64_t i = 0; i < g->done_count; i++) {
        const struct place *place = g->done + i;
        if (place->turns == turns && place->plies == plies && place->at <= number
            && number < place->end)
            return 1;
    }
    return 0;
}

/* Mark the parents of the children in some lanes that are on a shortest way or reach the goal, which
 * only children of the last place do. */
static int mark_parents(
    struct together *g, const struct children *made, const lanes *reached, const lanes *attacks,
    const lanes *defends, int begins
) {
    uint32_t numbers[LANES];
    aspgames_states_find(g->expanded, g->rows, made->count, numbers);
    for (int lane = 0; lane < made->count; lane++) {
        int attacked = lane_of(attacks, lane);
        int32_t turns = g->now.turns + (attacked ? begins : 0);
        int going = attacked || lane_of(defends, lane);
        int right = lane_of(reached, lane)
                    || (going && is_marked(g, numbers[lane], turns, g->now.plies + 1));
        if (right) g->marks[g->now.at + made->parents[lane]] = 1;
    }
    return ASPGAMES_DONE;
}

/* Keep the children in some lanes. */
static int keep_children(
    struct together *g, const struct children *made, const lanes *among, int32_t turns
) {
    if (turns > g->within) return ASPGAMES_DONE;
    uint32_t parents[LANES];
    int count = 0;
    EACH_LANE (*among, lane) {
        memmove(
            g->rows + (int64_t)count * g->words, g->rows + (int64_t)lane * g->words,
            (size_t)g->words * sizeof *g->rows
        );
        parents[count++] = (uint32_t)(g->now.at + made->parents[lane]);
    }
    return count ? wait_at(g, turns, g->now.plies + 1, g->rows, parents, count) : ASPGAMES_DONE;
}

/* Look for the goal in the children, whose fluents are in `after`, and keep those with a future. */
static int judge_children(
    struct together *g, const struct search_phase *phase, const struct children *made
) {
    const int32_t *block = g->block;
    lanes all = lanes_first(made->count), unseen = lanes_none();
    lanes mixed = lanes_and(verdict(block, phase, SIMULTANEOUS, g->after), all);
    if (lanes_any(&mixed)) return ASPGAMES_MIXED;
    lanes reached = lanes_and(verdict(block, phase, REACHED, g->after), all),
          over = lanes_or(verdict(block, phase, OVER, g->after), reached),
          attacks = lanes_without(verdict(block, phase, ATTACKS, g->after), over),
          defends = lanes_without(lanes_without(all, over), attacks);
    int begins = !made->attacked || search_tables_of(block)->single;
    int is_late = g->now.turns == g->within && !g->with_late;
    uint64_t *rows[LANES];
    for (int lane = 0; lane < made->count; lane++) rows[lane] = g->rows + lane * (int64_t)g->words;
    attacks = lanes_and(attacks, all);
    if (is_late && !g->marks && lanes_any(&defends)) {
        if (!g->late_count || g->late[g->late_count - 1].plies != g->now.plies) {
            if (!MAKE_ROOM(g->late, g->late_room, g->late_count + 1)) return ASPGAMES_NO_MEMORY;
            g->late[g->late_count++] = g->now;
        }
    }
    if (is_late) defends = lanes_none();
    if (g->now.turns + begins > g->within) attacks = lanes_none();
    lanes going = lanes_or(attacks, defends);
    if (!lanes_any(&reached) && !lanes_any(&going)) return ASPGAMES_DONE;
    store_rows(g->after + 1, tables_of(block)->fluents, made->count, rows);
    if (g->marks) return mark_parents(g, made, &reached, &attacks, &defends, begins);
    EACH_LANE (reached, lane) {
        g->found = 1;
        g->last = g->now;
        g->found_from = (uint32_t)(g->now.at + made->parents[lane]);
        memcpy(g->found_row, rows[lane], (size_t)g->words * sizeof *g->found_row);
        return ASPGAMES_DONE;
    }
    uint32_t numbers[LANES];
    aspgames_states_find(g->expanded, g->rows, made->count, numbers);
    for (int lane = 0; lane < made->count; lane++)
        if (numbers[lane] == UINT32_MAX) set_lane(&unseen, lane);
    attacks = lanes_and(attacks, unseen);
    defends = lanes_and(defends, unseen);
    /* Children with the same side on move as others wait at one place. */
    if (lanes_any(&attacks) && lanes_any(&defends)) {
        int status = keep_children(g, made, &attacks, g->now.turns + begins);
        if (status) return status;
        store_rows(g->after + 1, tables_of(block)->fluents, made->count, rows);
        return keep_children(g, made, &defends, g->now.turns);
    }
    if (lanes_any(&attacks)) return keep_children(g, made, &attacks, g->now.turns + begins);
    return keep_children(g, made, &defends, g->now.turns);
}

/* Whether the goal is found and nothing is to be marked. */
static int is_finished(const struct together *g) { return g->found && !g->marks; }

static int make_children(
    struct together *g, const struct search_phase *phase, struct children *made
) {
    const int32_t *block = g->block;
    int32_t fluents = tables_of(block)->fluents;
    const uint64_t *from[LANES];
    if (!made->count || is_finished(g)) return ASPGAMES_DONE;
    for (int lane = 0; lane < made->count; lane++)
        from[lane] = expanded_row(g, g->now.at + made->parents[lane]);
    load_rows(from, made->count, fluents, g->before + 1);
    clear_effects(block, &phase->phase, g->before);
    for (int lane = 0; lane < made->count; lane++) {
        make_move(block, &phase->phase, made->moves[lane], lane, g->before);
        for (int32_t k = 0; k < g->wait_count; k++)
            if (lane_of(g->waiting + k, made->parents[lane]))
                make_move(block, &phase->phase, g->waits[k], lane, g->before);
    }
    find_next(block, phase, made->count, g->before, g->few);
    read_literals(block + phase->phase.next_alone, fluents, g->before, g->after + 1);
    const struct search_phase *then = find_verdicts(block, made->count, g->after, g->few);
    if (!then) return ASPGAMES_LEFT_OUT;
    g->evaluated += made->count;
    int status = judge_children(g, then, made);
    made->count = 0;
    return status;
}

/* Find the moves of the waiting side that have effects. */
static void find_waits(
    struct together *g, const struct search_phase *phase, int side, const lanes *among
) {
    const int32_t *block = g->block, *bounds = choices_of(block, phase, side);
    g->wait_count = 0;
    for (int32_t c = bounds[0]; c < bounds[1]; c++) {
        int32_t move = block[phase->phase.choice_moves + c];
        const int32_t *effects = block + phase->phase.effect_starts + move;
        lanes waits =
            lanes_and(lanes_read(g->values, block[phase->phase.choice_literals + c]), *among);
        if (effects[0] == effects[1] || !lanes_any(&waits)) continue;
        g->waits[g->wait_count] = move;
        g->waiting[g->wait_count++] = waits;
    }
}

/* Expand the parents in some lanes, in which one side is on move. */
static int expand_side(
    struct together *g, const struct search_phase *phase, int side, const lanes *among
) {
    const int32_t *bounds = choices_of(g->block, phase, side),
                  *moves = g->block + phase->phase.choice_moves + bounds[0];
    struct children made = {.attacked = side == ATTACKER};
    find_waits(g, phase, 1 - side, among);
    gather_choices(
        g->block + phase->phase.choice_literals + bounds[0], bounds[1] - bounds[0], g->values,
        among, &g->choices
    );
    EACH_LANE (*among, lane)
        for (int32_t b = 0; b < block_count(bounds[1] - bounds[0]); b++)
            for (uint64_t bits = choice_bits(&g->choices, b, place_of((int)lane)); bits;
                 bits &= bits - 1) {
                made.parents[made.count] = (int32_t)lane;
                made.moves[made.count++] = moves[64 * b + __builtin_ctzll(bits)];
                int status = made.count < LANES ? 0 : make_children(g, phase, &made);
                if (status || is_finished(g)) return status;
            }
    return make_children(g, phase, &made);
}

/* Expand up to 512 states of one phase. */
static int expand_next(struct together *g) {
    const int32_t *block = g->block;
    int64_t left = g->now.end - g->now.at;
    const uint64_t *rows[LANES];
    int count = 0, number = phase_of_row(block, expanded_row(g, g->now.at));
    while (count < LANES && count < left) {
        rows[count] = expanded_row(g, g->now.at + count);
        if (phase_of_row(block, rows[count]) != number) break;
        count++;
    }
    load_rows(rows, count, tables_of(block)->fluents, g->values + 1);
    const struct search_phase *phase = find_verdicts(block, count, g->values, g->few);
    if (!phase) return ASPGAMES_LEFT_OUT;
    find_choices(block, phase, count, g->values, g->few);
    lanes all = lanes_first(count);
    lanes mixed = lanes_and(verdict(block, phase, SIMULTANEOUS, g->values), all);
    if (lanes_any(&mixed)) return ASPGAMES_MIXED;
    lanes defends = lanes_and(verdict(block, phase, DEFENDS, g->values), all),
          others = lanes_without(all, defends);
    int status = lanes_any(&defends) ? expand_side(g, phase, DEFENDER, &defends) : 0;
    if (!status && lanes_any(&others)) status = expand_side(g, phase, ATTACKER, &others);
    if (!status && !is_finished(g)) g->now.at += count;
    return status;
}

enum aspgames_status NAME(aspgames_together_run)(struct together *g, int64_t evaluations) {
    int64_t most = g->evaluated + evaluations;
    while (!g->found) {
        if (g->evaluated >= most) return ASPGAMES_MORE;
        if (g->now.at == g->now.end && !g->place_count) return ASPGAMES_DONE;
        int status = g->now.at == g->now.end ? begin_place(g) : expand_next(g);
        if (status) return status;
    }
    return ASPGAMES_DONE;
}

bool NAME(aspgames_together_go_on)(struct together *g) {
    g->with_late = 1;
    if (!MAKE_ROOM(g->places, g->place_room, g->place_count + g->late_count)) return false;
    for (int64_t i = 0; i < g->late_count; i++) g->places[g->place_count++] = g->late[i];
    return true;
}

enum aspgames_status NAME(aspgames_together_mark)(struct together *g, int64_t evaluations) {
    int64_t most = g->evaluated + evaluations;
    if (!g->marks) {
        g->marks = zeroed(aspgames_states_count(g->expanded), 1);
        if (!g->marks) return ASPGAMES_NO_MEMORY;
        g->marking = g->done_count;
        g->now.at = g->now.end;
    }
    for (;;) {
        if (g->now.at == g->now.end) {
            if (!g->marking) return ASPGAMES_DONE;
            g->now = g->done[--g->marking];
            continue;
        }
        if (g->evaluated >= most) return ASPGAMES_MORE;
        int status = expand_next(g);
        if (status) return status;
    }
}

bool NAME(aspgames_together_is_marked)(
    const struct together *g, const uint8_t *row, int32_t turns, int32_t plies
) {
    uint32_t number;
    aspgames_states_find(g->expanded, (const uint64_t *)row, 1, &number);
    return is_marked(g, number, turns, plies);
}

void NAME(aspgames_together_report)(const struct together *g, struct together_report *into) {
    *into = (struct together_report){
        .turns = g->found ? g->last.turns : g->now.turns,
        .plies = g->found ? g->last.plies : g->now.plies,
        .found = g->found,
        .late = g->late_count && !g->with_late,
        .evaluated = g->evaluated,
        .bytes = aspgames_states_bytes(g->expanded, 0) + 4 * g->parent_room,
    };
    for (int64_t i = 0; i < g->place_count; i++)
        if (g->places[i].states)
            into->bytes += aspgames_states_bytes(g->places[i].states, 0) + 4 * g->places[i].room;
}

void NAME(aspgames_together_way)(const struct together *g, uint8_t *rows) {
    size_t size = (size_t)g->words * sizeof *g->found_row;
    memcpy(rows + (size_t)(g->last.plies + 1) * size, g->found_row, size);
    uint32_t number = g->found_from;
    for (int32_t ply = g->last.plies; ply >= 0; ply--) {
        memcpy(rows + (size_t)ply * size, expanded_row(g, number), size);
        number = g->parents[number];
    }
}
