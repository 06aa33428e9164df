/* An observer of clingo's grounder, which writes the ground rules into arrays.
 *
 * The functions are members of ``clingo_ground_program_observer_t`` (clingo's C API, version 5).
 * They need no clingo header: atoms, literals and weights are 32-bit numbers, symbols are 64-bit
 * numbers. A function returns false to stop the grounder. */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "aspgames.h"
#include "memory.h"

struct ground_program *aspgames_ground_new(int32_t most_rules, bool (*go_on)(void)) {
    struct ground_program *ground = zeroed(1, sizeof *ground);
    if (ground) {
        ground->most_rules = most_rules;
        ground->go_on = go_on;
    }
    return ground;
}

void aspgames_ground_free(struct ground_program *ground) {
    if (!ground) return;
    FREE_ALL(
        ground->choices, ground->rules, ground->literals, ground->weights, ground->symbols,
        ground->shown, ground
    );
}

static bool stop(struct ground_program *ground, enum aspgames_status status) {
    ground->status = status;
    return false;
}

/* Whether the caller still wants the rules. Asking the caller and reading the clock both take
 * longer than storing a rule, so only some calls do it. */
static bool is_wanted(struct ground_program *ground) {
    if (++ground->calls % 64) return true;
    int64_t now = (int64_t)clock();
    if (now - ground->asked < CLOCKS_PER_SEC / 50) return true;
    ground->asked = now;
    return ground->go_on() || stop(ground, ASPGAMES_STOPPED);
}

static void note(struct ground_program *ground, int32_t literal) {
    int32_t atom = literal < 0 ? -literal : literal;
    if (atom > ground->atoms) ground->atoms = atom;
}

/* Make room for one more rule with so many literals. */
static bool room_for(struct ground_program *ground, int64_t literals) {
    bool fine =
        MAKE_ROOM(ground->rules, ground->rule_room, ground->rule_count + 1)
        && MAKE_ROOM(ground->literals, ground->literal_room, ground->literal_count + literals + 1);
    return fine || stop(ground, ASPGAMES_NO_MEMORY);
}

static void add_literal(struct ground_program *ground, int32_t literal) {
    note(ground, literal);
    ground->literals[ground->literal_count++] = literal;
}

static void add_rule(struct ground_program *ground, uint32_t head, int32_t bound, int64_t weights) {
    note(ground, (int32_t)head);
    ground->rules[ground->rule_count++] =
        (struct ground_rule){(int32_t)head, bound, weights, ground->literal_count};
}

static bool add_choices(struct ground_program *ground, const uint32_t *head, size_t size) {
    if (!MAKE_ROOM(ground->choices, ground->choice_room, ground->choice_count + (int64_t)size))
        return stop(ground, ASPGAMES_NO_MEMORY);
    for (size_t i = 0; i < size; i++) {
        note(ground, (int32_t)head[i]);
        ground->choices[ground->choice_count++] = (int32_t)head[i];
    }
    return true;
}

bool aspgames_ground_rule(
    bool choice, const uint32_t *head, size_t head_size, const int32_t *body, size_t body_size,
    void *data
) {
    struct ground_program *ground = data;
    if (!is_wanted(ground)) return false;
    if (++ground->seen > ground->most_rules) return stop(ground, ASPGAMES_TOO_MANY_RULES);
    if (choice) return add_choices(ground, head, head_size);
    if (head_size != 1) return stop(ground, ASPGAMES_CONSTRAINS);
    if (!room_for(ground, (int64_t)body_size)) return false;
    for (size_t i = 0; i < body_size; i++) add_literal(ground, body[i]);
    add_rule(ground, head[0], 0, -1);
    return true;
}

bool aspgames_ground_weight_rule(
    bool choice, const uint32_t *head, size_t head_size, int32_t bound,
    const struct weighted_literal *body, size_t body_size, void *data
) {
    struct ground_program *ground = data;
    if (!is_wanted(ground)) return false;
    if (++ground->seen > ground->most_rules) return stop(ground, ASPGAMES_TOO_MANY_RULES);
    if (choice || head_size != 1) return stop(ground, ASPGAMES_CHOOSES);
    if (!room_for(ground, (int64_t)body_size)) return false;
    int64_t first = ground->weight_count;
    if (!MAKE_ROOM(ground->weights, ground->weight_room, first + (int64_t)body_size + 1))
        return stop(ground, ASPGAMES_NO_MEMORY);
    for (size_t i = 0; i < body_size; i++) {
        add_literal(ground, body[i].literal);
        ground->weights[ground->weight_count++] = body[i].weight;
    }
    add_rule(ground, head[0], bound, first);
    return true;
}

bool aspgames_ground_external(uint32_t atom, int type, void *data) {
    (void)type;
    return aspgames_ground_rule(false, &atom, 1, NULL, 0, data);
}

bool aspgames_ground_output_atom(uint64_t symbol, uint32_t atom, void *data) {
    struct ground_program *ground = data;
    if (!is_wanted(ground)) return false;
    if (!MAKE_ROOM(ground->symbols, ground->symbol_room, ground->shown_count + 1)
        || !MAKE_ROOM(ground->shown, ground->shown_room, ground->shown_count + 1))
        return stop(ground, ASPGAMES_NO_MEMORY);
    note(ground, (int32_t)atom);
    ground->symbols[ground->shown_count] = symbol;
    ground->shown[ground->shown_count++] = (int32_t)atom;
    return true;
}
