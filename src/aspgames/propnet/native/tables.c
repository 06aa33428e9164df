/* Writes the tables of a net, phase by phase. */
#include "aspgames.h"
#include "writer.h"

static void write_marks_and_goals(
    struct phase_writer *p, struct phase *phase, const struct phase_request *from, int32_t roles
) {
    phase->marks = p->w->block.count;
    for (int32_t i = 0; i < phase->choice_count && !p->w->failed; i++) {
        int32_t move = p->w->block.at[phase->choice_moves + i];
        push(p->w, &p->w->block, literal_of(p, now(p, from->marks[move])));
    }
    phase->goals = p->w->block.count;
    phase->goal_count = from->goal_count;
    for (int32_t i = 0; i < from->goal_count; i++) {
        push(p->w, &p->w->block, from->goals[3 * i]);
        push(p->w, &p->w->block, from->goals[3 * i + 1]);
        push(p->w, &p->w->block, literal_of(p, now(p, from->goals[3 * i + 2])));
    }
    phase->to_move = write_literals(p, from->to_move, roles);
}

static int write_phase(
    struct phase_writer *p, struct phase *phase, const struct phase_request *from,
    const struct tables *shape
) {
    mark(p, &from->terminal, 1, 1, FOR_ASK);
    mark(p, from->legal, shape->moves, 1, FOR_ASK);
    mark(p, from->goals + 2, from->goal_count, 3, FOR_JUDGE);
    mark(p, from->to_move, shape->roles, 1, FOR_JUDGE);
    mark(p, from->marks, shape->moves, 1, FOR_JUDGE);
    mark(p, from->next, shape->after, 1, FOR_NEXT);
    if (asks_for_moves(p, FOR_ASK | FOR_JUDGE)) return ASPGAMES_DEPENDS_ON_MOVES;
    write_moves(p, phase, from->next, shape->after);
    int32_t slot = phase->gates;
    phase->ask = write_program(p, FOR_ASK, 0, &slot);
    phase->terminal = literal_of(p, now(p, from->terminal));
    write_choices(p, phase, from->legal, from->bounds, shape->roles);
    phase->judge = write_program(p, FOR_JUDGE, FOR_ASK, &slot);
    write_marks_and_goals(p, phase, from, shape->roles);
    forget(p, FOR_ASK);
    phase->go_on = write_program(p, FOR_NEXT, FOR_ASK, &slot);
    phase->next = write_literals(p, from->next, shape->after);
    phase->slots = slot;
    forget(p, 0);
    slot = phase->gates;
    phase->advance = write_program(p, FOR_NEXT, 0, &slot);
    phase->next_alone = write_literals(p, from->next, shape->after);
    phase->advance_slots = slot;
    return p->w->failed ? ASPGAMES_NO_MEMORY : 0;
}

struct table_writer *aspgames_tables_begin(
    int32_t fluents, int32_t after, int32_t moves, int32_t roles, int32_t turn_count,
    const int32_t *turns
) {
    struct tables head = {
        .fluents = fluents, .after = after, .moves = moves, .roles = roles, .turn_count = turn_count
    };
    return begin_tables(&head, sizeof head, turns);
}

enum aspgames_status aspgames_tables_phase(
    struct table_writer *w, int32_t number, const struct phase_request *from
) {
    if (w->failed) return ASPGAMES_NO_MEMORY;
    const struct tables shape = *(const struct tables *)w->block.at;
    struct phase phase = {0};
    struct phase_writer p;
    int status = ASPGAMES_NO_MEMORY;
    if (begin_writing(&p, w, from->circuit, from->became, from->fluents, from->does))
        status = write_phase(&p, &phase, from, &shape);
    end_writing(&p);
    return status ? status : finish_phase(w, number, &phase, sizeof phase);
}

int64_t aspgames_tables_size(struct table_writer *w) {
    return w->failed ? ASPGAMES_NO_MEMORY : w->block.count;
}

int32_t *aspgames_tables_end(struct table_writer *w) {
    int32_t *block = w->block.at;
    if (!w->failed) {
        block[1] = w->block.count;
        int32_t *shrunk = realloc(block, (size_t)w->block.count * sizeof *block);
        if (shrunk) block = shrunk;
    }
    free(w);
    return block;
}

void aspgames_tables_free(int32_t *block) { free(block); }
