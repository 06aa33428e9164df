/* Writes the tables of a net, phase by phase. */
#include <stdlib.h>
#include <string.h>

#include "aspgames.h"
#include "writer.h"

static void write_marks_and_goals(
    struct phase_writer *p, struct phase *phase, const struct phase_request *from, int32_t roles
) {
    phase->marks = p->w->block.count;
    for (int32_t i = 0; i < phase->choice_count && !p->w->failed; i++) {
        int32_t move = p->w->block.at[phase->choice_moves + i];
        push(p->w, &p->w->block, literal_of(p, from->marks[move]));
    }
    phase->goals = p->w->block.count;
    phase->goal_count = from->goal_count;
    for (int32_t i = 0; i < from->goal_count; i++) {
        push(p->w, &p->w->block, from->goals[3 * i]);
        push(p->w, &p->w->block, from->goals[3 * i + 1]);
        push(p->w, &p->w->block, literal_of(p, from->goals[3 * i + 2]));
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
    phase->terminal = literal_of(p, from->terminal);
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

static const int32_t *mapped(
    struct table_writer *w, const struct phase_request *from, const int32_t *literals,
    int32_t count, int32_t step
) {
    int32_t *found = allocate(w, (int64_t)count * step, sizeof *found);
    for (int64_t i = 0; found && i < (int64_t)count * step; i++) {
        int32_t literal = literals[i];
        int is_literal = i % step == step - 1;
        found[i] = !is_literal   ? literal
                   : literal > 0 ? from->became[literal]
                                 : -from->became[-literal];
    }
    return found;
}

static void unmap(struct phase_request *from) {
    free((void *)from->fluents);
    free((void *)from->does);
    free((void *)from->legal);
    free((void *)from->marks);
    free((void *)from->next);
    free((void *)from->goals);
    free((void *)from->to_move);
}

struct table_writer *aspgames_tables_begin(
    int32_t fluents, int32_t after, int32_t moves, int32_t roles, int32_t turn_count,
    const int32_t *turns
) {
    struct table_writer *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    reserve(w, (int64_t)(sizeof(struct tables) / sizeof(int32_t)));
    struct tables head = {0};
    head.magic = TABLES_MAGIC;
    head.fluents = fluents;
    head.after = after;
    head.moves = moves;
    head.roles = roles;
    head.turn_count = turn_count;
    head.turns = w->block.count;
    for (int32_t i = 0; i < turn_count; i++) push(w, &w->block, turns[i]);
    head.phases = w->block.count; /* the list of the phases' places comes next */
    reserve(w, (int64_t)turn_count + 1);
    if (!w->failed) memcpy(w->block.at, &head, sizeof head);
    return w;
}

enum aspgames_status aspgames_tables_phase(
    struct table_writer *w, int32_t number, const struct phase_request *given
) {
    if (w->failed) return ASPGAMES_NO_MEMORY;
    struct tables head;
    memcpy(&head, w->block.at, sizeof head);
    struct phase_request request = *given, *from = &request;
    request.fluents = mapped(w, given, given->fluents, head.fluents, 1);
    request.does = mapped(w, given, given->does, head.moves, 1);
    request.legal = mapped(w, given, given->legal, head.moves, 1);
    request.marks = mapped(w, given, given->marks, head.moves, 1);
    request.next = mapped(w, given, given->next, head.after, 1);
    request.goals = mapped(w, given, given->goals, given->goal_count, 3);
    request.to_move = mapped(w, given, given->to_move, head.roles, 1);
    request.terminal =
        given->terminal > 0 ? given->became[given->terminal] : -given->became[-given->terminal];
    struct phase phase = {0};
    struct phase_writer p = {0};
    int32_t place = reserve(w, (int64_t)(sizeof phase / sizeof(int32_t)));
    int status = ASPGAMES_NO_MEMORY;
    if (begin_writing(&p, w, from->circuit, from->fluents, head.fluents, from->does, head.moves))
        status = write_phase(&p, &phase, from, &head);
    if (!status) {
        memcpy(w->block.at + place, &phase, sizeof phase);
        int32_t most = phase.slots > phase.advance_slots ? phase.slots : phase.advance_slots;
        if (most > head.slots) head.slots = most;
        if (phase.choice_count > head.most_choices) head.most_choices = phase.choice_count;
        memcpy(w->block.at, &head, sizeof head);
        w->block.at[head.phases + number] = place;
    }
    end_writing(&p);
    unmap(from);
    return status;
}

int64_t aspgames_tables_size(struct table_writer *w) {
    return w->failed ? ASPGAMES_NO_MEMORY : w->block.count;
}

void aspgames_tables_end(struct table_writer *w, int32_t *into) {
    if (into && !w->failed) {
        w->block.at[1] = w->block.count;
        memcpy(into, w->block.at, (size_t)w->block.count * sizeof *into);
    }
    free(w->block.at);
    free(w);
}
