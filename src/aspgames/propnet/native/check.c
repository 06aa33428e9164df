/* Checks numbers from a file: are they tables that the kernel can walk?
 *
 * All places lie in the block, all slots and literals within the values, and a gate uses only slots
 * before its own. The check does not see whether the tables describe a game correctly.
 */
#include <stdint.h>

#include "aspgames.h"
#include "tables.h"

enum {
    HEAD = sizeof(struct tables) / sizeof(int32_t),
    PHASE = sizeof(struct phase) / sizeof(int32_t)
};

/* A block, and the slots under check: gates have the slots `gates` .. `slots` - 1. */
struct checked {
    const int32_t *block;
    int64_t words;
    int32_t gates, slots;
};

static int has(const struct checked *c, int64_t place, int64_t count) {
    return place >= 0 && count >= 0 && place <= c->words - count;
}

static int in_order(int64_t first, int64_t second, int64_t third) {
    return first <= second && second <= third;
}

/* Whether some numbers lie in the block and are all at least 0 and less than `end`. */
static int are_below(const struct checked *c, int64_t place, int64_t count, int64_t end) {
    if (!has(c, place, count)) return 0;
    const int32_t *numbers = c->block + place;
    int32_t any = 0, most = 0;
    for (int64_t i = 0; i < count; i++) {
        any |= numbers[i];
        most = numbers[i] > most ? numbers[i] : most;
    }
    return any >= 0 && (count == 0 || most < end);
}

static int are_literals(const struct checked *c, int64_t place, int64_t count) {
    return are_below(c, place, count, 2 * (int64_t)c->slots);
}

/* Whether gates use slots before their own. Most gates use no slot of their run: test that first,
 * for many gates at once. */
static int use_earlier_slots(
    const struct checked *c, int64_t place, int32_t width, int32_t count, int32_t slot
) {
    enum { TOGETHER = 32 };
    for (int32_t done = 0; done < count; done += TOGETHER) {
        int32_t here = count - done < TOGETHER ? count - done : TOGETHER;
        int64_t at = place + (int64_t)done * width;
        if (are_below(c, at, (int64_t)here * width, slot + done)) continue;
        for (int32_t g = 0; g < here; g++)
            if (!are_below(c, at + (int64_t)g * width, width, slot + done + g)) return 0;
    }
    return 1;
}

static int is_segment(const struct checked *c, const struct segment *segment) {
    if (!in_order(0, segment->runs, segment->end) || segment->end > c->words) return 0;
    if (segment->variable_count < 0
        || !are_literals(c, segment->variables, 2 * (int64_t)segment->variable_count))
        return 0;
    for (int32_t v = 0; v < segment->variable_count; v++)
        if (!in_order(c->gates, c->block[segment->variables + 2 * v], (int64_t)c->slots - 1))
            return 0;
    for (int64_t at = segment->runs; at < segment->end;) {
        if (segment->end - at < 4) return 0;
        const struct run *run = (const struct run *)(c->block + at);
        int64_t width = (int64_t)run->positive + run->negative;
        if (run->positive < 0 || run->negative < 0 || width < 1 || run->count < 1) return 0;
        if (width * run->count > segment->end - at - 4) return 0;
        if (!in_order(c->gates, run->first, (int64_t)c->slots - run->count)) return 0;
        if (!use_earlier_slots(c, at + 4, (int32_t)width, run->count, run->first)) return 0;
        at += 4 + width * run->count;
    }
    return 1;
}

static int is_program(const struct checked *c, const struct program *program) {
    if (!has(c, program->segments, 4 * (int64_t)program->count) || program->count < 0) return 0;
    const struct segment *segment = (const struct segment *)(c->block + program->segments);
    for (int32_t s = 0; s < program->count; s++)
        if (!is_segment(c, segment + s)) return 0;
    return 1;
}

/* Whether the roles' choices follow each other in order, and all are moves. */
static int are_choices(const struct checked *c, const struct tables *t, const struct phase *phase) {
    if (!has(c, phase->choices, 2 * (int64_t)t->roles)) return 0;
    const int32_t *bounds = c->block + phase->choices;
    int32_t end = 0;
    for (int32_t role = 0; role < t->roles; role++, bounds += 2) {
        if (bounds[0] != end || bounds[1] < end) return 0;
        end = bounds[1];
    }
    return end == phase->choice_count && end <= t->most_choices
           && are_below(c, phase->choice_moves, end, t->moves);
}

/* Whether each move has distinct effects. */
static int are_effects(const struct checked *c, const struct tables *t, const struct phase *phase) {
    if (!are_below(c, phase->effect_starts, (int64_t)t->moves + 1, c->words + 1)) return 0;
    const int32_t *starts = c->block + phase->effect_starts;
    if (starts[0] != phase->effects) return 0;
    for (int32_t move = 0; move < t->moves; move++) {
        int32_t before = t->fluents;
        for (int32_t e = starts[move]; e < starts[move + 1]; e++) {
            if (c->block[e] <= before || c->block[e] >= phase->gates) return 0;
            before = c->block[e];
        }
    }
    return 1;
}

static int are_goals(const struct checked *c, const struct tables *t, const struct phase *phase) {
    if (!has(c, phase->goals, 3 * (int64_t)phase->goal_count)) return 0;
    for (int64_t goal = 0; goal < phase->goal_count; goal++) {
        int64_t at = phase->goals + 3 * goal;
        if (!are_below(c, at, 1, t->roles) || !are_literals(c, at + 2, 1)) return 0;
    }
    return 1;
}

static int is_phase(struct checked *c, const struct tables *t, const struct phase *phase) {
    /* Each slot of an effect or a gate takes a number of the block. */
    int64_t inputs = 1 + (int64_t)t->fluents, most = inputs + c->words;
    if (!in_order(inputs, phase->gates, phase->slots)
        || !in_order(phase->gates, phase->advance_slots, t->slots))
        return 0;
    if (phase->slots > t->slots || t->slots > most) return 0;
    c->gates = phase->gates;
    c->slots = phase->advance_slots;
    if (!is_program(c, &phase->advance) || !are_literals(c, phase->next_alone, t->after)) return 0;
    c->slots = phase->slots;
    return phase->terminal >= 0 && phase->terminal < 2 * (int64_t)c->slots
           && is_program(c, &phase->ask) && is_program(c, &phase->judge)
           && is_program(c, &phase->go_on) && are_choices(c, t, phase) && are_effects(c, t, phase)
           && are_goals(c, t, phase) && are_literals(c, phase->choice_literals, phase->choice_count)
           && are_literals(c, phase->marks, phase->choice_count)
           && are_literals(c, phase->to_move, t->roles) && are_literals(c, phase->next, t->after);
}

bool aspgames_tables_check(const int32_t *block, int64_t words) {
    struct checked c = {.block = block, .words = words};
    const struct tables *t = (const struct tables *)block;
    if (words < HEAD || t->magic != TABLES_MAGIC || t->words != words) return 0;
    if (t->fluents < 0 || t->after < 0 || t->moves < 0 || t->roles < 0
        || t->most_choices > t->moves)
        return 0;
    if (!in_order(0, t->turn_count, MOST_TURNS)
        || !are_below(&c, t->turns, t->turn_count, t->fluents))
        return 0;
    if (!are_below(&c, t->phases, (int64_t)t->turn_count + 1, words - PHASE + 1)) return 0;
    for (int32_t number = 0; number <= t->turn_count; number++)
        if (!is_phase(&c, t, (const struct phase *)(block + block[t->phases + number]))) return 0;
    return 1;
}
