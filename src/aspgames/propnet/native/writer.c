/* Writes a circuit as tables (writer.h). */
#include "writer.h"

int32_t push(struct table_writer *w, struct numbers *numbers, int32_t number) {
    if (w->failed) return 0;
    if (numbers->count == numbers->room) {
        int64_t room = numbers->room ? 2 * (int64_t)numbers->room : 1024;
        if (room > INT32_MAX) room = INT32_MAX;
        int32_t *grown =
            room > numbers->count ? realloc(numbers->at, (size_t)room * sizeof *grown) : NULL;
        if (!grown) {
            w->failed = 1;
            return 0;
        }
        numbers->at = grown;
        numbers->room = (int32_t)room;
    }
    numbers->at[numbers->count] = number;
    return numbers->count++;
}

int32_t reserve(struct table_writer *w, int64_t count) {
    int32_t place = w->block.count;
    for (int64_t i = 0; i < count && !w->failed; i++) push(w, &w->block, 0);
    return place;
}

int32_t write_numbers(struct table_writer *w, const int32_t *numbers, int32_t count) {
    int32_t place = w->block.count;
    for (int32_t i = 0; i < count; i++) push(w, &w->block, numbers[i]);
    return place;
}

struct table_writer *begin_tables(struct tables *head, size_t size, const int32_t *turns) {
    struct table_writer *w = zeroed(1, sizeof *w);
    if (!w) return NULL;
    reserve(w, (int64_t)(size / sizeof(int32_t)));
    head->magic = TABLES_MAGIC;
    head->turns = write_numbers(w, turns, head->turn_count);
    head->phases = reserve(w, head->turn_count + (int64_t)1);
    if (!w->failed) memcpy(w->block.at, head, sizeof *head);
    return w;
}

enum aspgames_status finish_phase(
    struct table_writer *w, int32_t number, const struct phase *phase, size_t size
) {
    int32_t place = reserve(w, (int64_t)(size / sizeof(int32_t)));
    if (w->failed) return ASPGAMES_NO_MEMORY;
    memcpy(w->block.at + place, phase, size);
    struct tables *t = (struct tables *)w->block.at;
    if (phase->slots > t->slots) t->slots = phase->slots;
    if (phase->advance_slots > t->slots) t->slots = phase->advance_slots;
    if (phase->choice_count > t->most_choices) t->most_choices = phase->choice_count;
    w->block.at[t->phases + number] = place;
    return ASPGAMES_DONE;
}

static int32_t gate_size(const struct circuit *circuit, int32_t node) {
    return (int32_t)(circuit->starts[node + 1] - circuit->starts[node]);
}

static const int32_t *gate_of(const struct circuit *circuit, int32_t node) {
    return circuit->literals + circuit->starts[node];
}

int is_move(const struct phase_writer *p, int32_t node) { return p->move_of[node] >= 0; }

int32_t now(const struct phase_writer *p, int32_t literal) {
    if (!p->became) return literal;
    return literal < 0 ? -p->became[-literal] : p->became[literal];
}

/* Mark all nodes on which some of a request's literals depend; a loop is needed as a whole. */
void mark(struct phase_writer *p, const int32_t *roots, int32_t count, int32_t step, uint8_t bit) {
    const struct circuit *circuit = p->circuit;
    struct numbers work = {0};
    for (int32_t i = 0; i < count; i++) push(p->w, &work, abs(now(p, roots[(int64_t)i * step])));
    while (work.count && !p->w->failed) {
        int32_t node = work.at[--work.count];
        if (p->needed[node] & bit) continue;
        p->needed[node] |= bit;
        const int32_t *gate = gate_of(circuit, node);
        for (int32_t i = 0; i < gate_size(circuit, node); i++)
            if (!(p->needed[abs(gate[i])] & bit)) push(p->w, &work, abs(gate[i]));
        if (p->loop_of[node] >= 0) {
            const struct loop *loop = circuit->loops + p->loop_of[node];
            for (int32_t v = 0; v < loop->count; v++) {
                push(p->w, &work, loop->variables[v]);
                push(p->w, &work, abs(loop->definitions[v]));
            }
        }
    }
    free(work.at);
}

/* The slot of the effect of some moves, given the moves' nodes as negative literals. */
static int32_t effect_of(struct phase_writer *p, const int32_t *denied, int32_t count) {
    struct numbers *all = &p->effect_moves;
    uint64_t mixed = 1469598103934665603u;
    for (int32_t i = 0; i < count; i++)
        mixed = (mixed ^ (uint32_t)p->move_of[-denied[i]]) * 1099511628211u;
    uint32_t hash = (uint32_t)(mixed >> 20);
    p->w->failed |= !index_has_room(&p->effects);
    if (p->w->failed) return 0;
    struct hash_slot *slot = index_first(&p->effects, hash);
    for (; slot->number; slot = index_next(&p->effects, slot)) {
        const int32_t *group = all->at + p->effect_places.at[slot->number - 1];
        int32_t same = group[0] == count;
        for (int32_t i = 0; same && i < count; i++) same = group[1 + i] == p->move_of[-denied[i]];
        if (same) return p->effect_first + slot->number - 1;
    }
    push(p->w, &p->effect_places, push(p->w, all, count));
    for (int32_t i = 0; i < count; i++) push(p->w, all, p->move_of[-denied[i]]);
    index_add(&p->effects, slot, hash, p->effect_places.count);
    return p->effect_first + p->effect_places.count - 1;
}

static void need_effect_of_move(struct phase_writer *p, int32_t node) {
    int32_t move = p->move_of[node], denied = -node;
    if (p->made_slot[move] == NO_SLOT) p->made_slot[move] = effect_of(p, &denied, 1);
}

/* Find the effects that the gates for the next state use. */
static void find_effects(struct phase_writer *p) {
    const struct circuit *circuit = p->circuit;
    struct numbers denied = {0};
    for (int32_t node = 2; node <= circuit->size && !p->w->failed; node++) {
        p->unmade_slot[node] = NO_SLOT;
        if (!(p->needed[node] & FOR_NEXT)) continue;
        const int32_t *gate = gate_of(circuit, node);
        denied.count = 0;
        for (int32_t i = 0; i < gate_size(circuit, node); i++) {
            if (!is_move(p, abs(gate[i]))) continue;
            if (gate[i] > 0)
                need_effect_of_move(p, gate[i]);
            else
                push(p->w, &denied, gate[i]);
        }
        if (denied.count) p->unmade_slot[node] = effect_of(p, denied.at, denied.count);
    }
    free(denied.at);
}

int32_t literal_of(struct phase_writer *p, int32_t literal) {
    int32_t node = abs(literal);
    if (is_move(p, node)) need_effect_of_move(p, node);
    int32_t slot = is_move(p, node) ? p->made_slot[p->move_of[node]] : p->slots[node];
    return 2 * slot + (literal < 0);
}

/* The shape of a gate: how many positive operands, and how many negated ones. */
static void shape_of(const struct phase_writer *p, int32_t node, int32_t shape[2]) {
    const int32_t *gate = gate_of(p->circuit, node);
    shape[0] = 0;
    shape[1] = p->unmade_slot[node] != NO_SLOT;
    for (int32_t i = 0; i < gate_size(p->circuit, node); i++)
        if (gate[i] > 0)
            shape[0]++;
        else if (!is_move(p, -gate[i]))
            shape[1]++;
}

static void write_operands(struct phase_writer *p, int32_t node) {
    const int32_t *gate = gate_of(p->circuit, node);
    struct numbers *block = &p->w->block;
    for (int32_t i = 0; i < gate_size(p->circuit, node); i++)
        if (gate[i] > 0) push(p->w, block, literal_of(p, gate[i]) / 2);
    if (p->unmade_slot[node] != NO_SLOT) push(p->w, block, p->unmade_slot[node]);
    for (int32_t i = 0; i < gate_size(p->circuit, node); i++)
        if (gate[i] < 0 && !is_move(p, -gate[i])) push(p->w, block, literal_of(p, gate[i]) / 2);
}

struct shapes {
    struct numbers
        list; /* for each shape: positive, negative, the head of its list of gates, how many */
    int32_t recent[256]; /* by a hash: the place of a shape that was found lately */
};

static int32_t find_shape(struct table_writer *w, struct shapes *shapes, const int32_t shape[2]) {
    int32_t *recent = shapes->recent + (((uint32_t)shape[0] * 31u + (uint32_t)shape[1]) & 255u);
    const struct numbers *list = &shapes->list;
    int32_t found = *recent, end = list->count;
    if (found < end && list->at[found] == shape[0] && list->at[found + 1] == shape[1]) return found;
    for (found = 0; found < end; found += 4)
        if (list->at[found] == shape[0] && list->at[found + 1] == shape[1]) break;
    for (int i = 0; found == end && i < 4; i++) push(w, &shapes->list, i < 2 ? shape[i] : 0);
    return *recent = found;
}

static void get_ready(struct phase_writer *p, struct shapes *shapes, int32_t node) {
    int32_t shape[2];
    shape_of(p, node, shape);
    int32_t found = find_shape(p->w, shapes, shape);
    if (p->w->failed) return;
    p->chain[node] = shapes->list.at[found + 2];
    shapes->list.at[found + 2] = node;
    shapes->list.at[found + 3]++;
}

/* Write some gates, in runs; each gets the next slot. Returns the slot after the last. */
static int32_t write_runs(
    struct phase_writer *p, const int32_t *gates, int32_t count, int32_t slot
) {
    const struct circuit *circuit = p->circuit;
    struct shapes shapes = {0};
    int64_t uses = 0;
    for (int32_t i = 0; i < count; i++) p->pending[gates[i]] = 0;
    for (int32_t i = 0; i < count; i++) uses += gate_size(circuit, gates[i]);
    /* The users of each of these gates: lists through `links`, heads in `heads`. */
    struct pool pool = {0};
    int32_t *links = pooled(&pool, uses + 1, sizeof *links),
            *users = pooled(&pool, uses + 1, sizeof *users),
            *heads = pool_zeroed(&pool, count, sizeof *heads),
            *waits = pool_zeroed(&pool, count, sizeof *waits);
    p->w->failed |= pool.failed;
    if (!p->w->failed) {
        int32_t link = 0;
        for (int32_t i = 0; i < count; i++) p->pending[gates[i]] = -1 - i; /* for now: its place */
        for (int32_t i = 0; i < count; i++) {
            const int32_t *gate = gate_of(circuit, gates[i]);
            for (int32_t k = 0; k < gate_size(circuit, gates[i]); k++) {
                int32_t used = abs(gate[k]), place;
                if (p->slots[used] != NO_SLOT || is_move(p, used)) continue;
                place = -1 - p->pending[used];
                link++;
                users[link] = i;
                links[link] = heads[place];
                heads[place] = link;
            }
        }
        for (int32_t i = 0; i < count; i++)
            for (int32_t l = heads[i]; l; l = links[l]) waits[users[l]]++;
        for (int32_t i = count - 1; i >= 0; i--)
            if (!waits[i]) get_ready(p, &shapes, gates[i]);
        for (;;) {
            int32_t best = -1;
            for (int32_t s = 0; s < shapes.list.count && !p->w->failed; s += 4)
                if (shapes.list.at[s + 3]
                    && (best < 0 || shapes.list.at[s + 3] > shapes.list.at[best + 3]))
                    best = s;
            if (best < 0) break;
            int32_t header = push(p->w, &p->w->block, shapes.list.at[best]);
            push(p->w, &p->w->block, shapes.list.at[best + 1]);
            push(p->w, &p->w->block, 0);
            push(p->w, &p->w->block, slot);
            int32_t first = slot;
            while (!p->w->failed && shapes.list.at[best + 3]) {
                int32_t node = shapes.list.at[best + 2], place = -1 - p->pending[node];
                shapes.list.at[best + 2] = p->chain[node];
                shapes.list.at[best + 3]--;
                write_operands(p, node);
                p->slots[node] = slot++;
                for (int32_t l = heads[place]; l; l = links[l])
                    if (!--waits[users[l]]) get_ready(p, &shapes, gates[users[l]]);
            }
            if (p->w->failed) break;
            p->w->block.at[header + 2] = slot - first;
        }
    }
    pool_free(&pool);
    free(shapes.list.at);
    return slot;
}

/* Write the gates that a question needs and earlier questions do not have. */
struct program write_program(struct phase_writer *p, uint8_t bit, uint8_t without, int32_t *slot) {
    const struct circuit *circuit = p->circuit;
    struct numbers gates = {0}, segments = {0};
    int32_t start = 2;
    for (int32_t l = 0; l <= circuit->loop_count && !p->w->failed; l++) {
        const struct loop *loop = circuit->loops + l;
        int whole = 1; /* the gates before the loop, then the loop */
        if (l < circuit->loop_count) {
            uint8_t needed = p->needed[loop->variables[0]];
            if (!(needed & bit) || needed & without) continue;
            whole = 2;
        }
        for (int part = 0; part < whole && !p->w->failed; part++) {
            int32_t end = l == circuit->loop_count ? circuit->size + 1
                          : part                   ? loop->end
                                                   : loop->first;
            struct segment segment = {0, 0, 0, 0};
            if (part) {
                segment.variable_count = loop->count;
                for (int32_t v = 0; v < loop->count; v++) p->slots[loop->variables[v]] = (*slot)++;
            }
            gates.count = 0;
            for (int32_t node = start; node < end; node++)
                if (p->needed[node] & bit && !(p->needed[node] & without)
                    && gate_size(circuit, node) && p->slots[node] == NO_SLOT)
                    push(p->w, &gates, node);
            segment.runs = p->w->block.count;
            *slot = write_runs(p, gates.at, gates.count, *slot);
            segment.end = p->w->block.count;
            segment.variables = p->w->block.count;
            if (part)
                for (int32_t v = 0; v < loop->count; v++) {
                    push(p->w, &p->w->block, p->slots[loop->variables[v]]);
                    push(p->w, &p->w->block, literal_of(p, loop->definitions[v]));
                }
            push(p->w, &segments, segment.runs);
            push(p->w, &segments, segment.end);
            push(p->w, &segments, segment.variables);
            push(p->w, &segments, segment.variable_count);
            start = end;
        }
    }
    struct program program = {p->w->block.count, segments.count / 4};
    for (int32_t i = 0; i < segments.count; i++) push(p->w, &p->w->block, segments.at[i]);
    free(gates.at);
    free(segments.at);
    return program;
}

/* Forget the slots of gates and loops' variables, but not those of fluents. */
void forget(struct phase_writer *p, uint8_t kept) {
    for (int32_t node = 2; node <= p->circuit->size; node++)
        if ((gate_size(p->circuit, node) || p->loop_of[node] >= 0) && !(p->needed[node] & kept))
            p->slots[node] = NO_SLOT;
}

int32_t write_literals(struct phase_writer *p, const int32_t *literals, int32_t count) {
    int32_t place = p->w->block.count;
    for (int32_t i = 0; i < count; i++) push(p->w, &p->w->block, literal_of(p, now(p, literals[i])));
    return place;
}

void write_choices(
    struct phase_writer *p, struct phase *phase, const int32_t *legal, const int32_t *bounds,
    int32_t roles
) {
    struct numbers moves = {0};
    phase->choices = reserve(p->w, 2 * (int64_t)roles);
    for (int32_t role = 0; role < roles && !p->w->failed; role++) {
        p->w->block.at[phase->choices + 2 * role] = moves.count;
        for (int32_t m = bounds[2 * role]; m < bounds[2 * role + 1]; m++)
            if (now(p, legal[m]) != ASPGAMES_FALSE) push(p->w, &moves, m);
        p->w->block.at[phase->choices + 2 * role + 1] = moves.count;
    }
    phase->choice_count = moves.count;
    phase->choice_literals = p->w->block.count;
    for (int32_t i = 0; i < moves.count; i++)
        push(p->w, &p->w->block, literal_of(p, now(p, legal[moves.at[i]])));
    phase->choice_moves = write_numbers(p->w, moves.at, moves.count);
    free(moves.at);
}

static void write_effects(struct phase_writer *p, struct phase *phase) {
    int32_t *counts = pool_zeroed(&p->pool, p->moves + (int64_t)1, sizeof *counts);
    p->w->failed |= p->pool.failed;
    const struct numbers *all = &p->effect_moves;
    for (int32_t at = 0; counts && at < all->count; at += 1 + all->at[at])
        for (int32_t i = 0; i < all->at[at]; i++) counts[all->at[at + 1 + i]]++;
    phase->effect_starts = p->w->block.count;
    int32_t place = phase->effect_starts + p->moves + 1;
    for (int32_t m = 0; counts && m < p->moves; m++) {
        push(p->w, &p->w->block, place);
        place += counts[m];
        counts[m] = place - counts[m];
    }
    push(p->w, &p->w->block, place);
    phase->effects = p->w->block.count;
    reserve(p->w, (int64_t)place - phase->effects);
    int32_t slot = p->effect_first;
    for (int32_t at = 0; !p->w->failed && at < all->count; at += 1 + all->at[at], slot++)
        for (int32_t i = 0; i < all->at[at]; i++)
            p->w->block.at[counts[all->at[at + 1 + i]]++] = slot;
}

int begin_writing(
    struct phase_writer *p, struct table_writer *w, const struct circuit *circuit,
    const int32_t *became, const int32_t *inputs, const int32_t *does
) {
    const struct tables *t = (const struct tables *)w->block.at;
    int32_t fluents = t->fluents, moves = t->moves;
    int64_t nodes = (int64_t)circuit->size + 2;
    *p = (struct phase_writer){
        .w = w, .circuit = circuit, .became = became, .moves = moves, .effect_first = 1 + fluents
    };
    p->needed = pool_zeroed(&p->pool, nodes, sizeof *p->needed);
    p->move_of = pooled(&p->pool, nodes, sizeof *p->move_of);
    p->loop_of = pooled(&p->pool, nodes, sizeof *p->loop_of);
    p->slots = pooled(&p->pool, nodes, sizeof *p->slots);
    p->pending = pool_zeroed(&p->pool, nodes, sizeof *p->pending);
    p->unmade_slot = pooled(&p->pool, nodes, sizeof *p->unmade_slot);
    p->made_slot = pooled(&p->pool, moves, sizeof *p->made_slot);
    p->chain = pool_zeroed(&p->pool, nodes, sizeof *p->chain);
    w->failed |= p->pool.failed;
    if (w->failed) return 0;
    for (int32_t node = 0; node <= circuit->size; node++)
        p->move_of[node] = p->loop_of[node] = p->slots[node] = p->unmade_slot[node] = NO_SLOT;
    p->slots[ASPGAMES_TRUE] = 0;
    for (int32_t f = 0; f < fluents; f++)
        if (abs(now(p, inputs[f])) != ASPGAMES_TRUE) p->slots[abs(now(p, inputs[f]))] = 1 + f;
    for (int32_t m = 0; m < moves; m++) {
        p->made_slot[m] = NO_SLOT;
        if (abs(now(p, does[m])) != ASPGAMES_TRUE) p->move_of[abs(now(p, does[m]))] = m;
    }
    for (int32_t l = 0; l < circuit->loop_count; l++)
        for (int32_t v = 0; v < circuit->loops[l].count; v++)
            p->loop_of[circuit->loops[l].variables[v]] = l;
    return 1;
}

void end_writing(struct phase_writer *p) {
    pool_free(&p->pool);
    FREE_ALL(p->effect_moves.at, p->effect_places.at, p->effects.slots);
}

/* Whether one of these questions depends on moves, which is an error. */
int asks_for_moves(const struct phase_writer *p, uint8_t bits) {
    for (int32_t node = 2; node <= p->circuit->size; node++)
        if (is_move(p, node) && p->needed[node] & bits) return 1;
    return 0;
}

/* Write the effects of moves that the next state's literals use. `phase` gets the slot of its first
 * gate. */
void write_moves(struct phase_writer *p, struct phase *phase, const int32_t *next, int32_t count) {
    const struct circuit *circuit = p->circuit;
    find_effects(p);
    for (int32_t f = 0; f < count; f++)
        if (is_move(p, abs(now(p, next[f])))) need_effect_of_move(p, abs(now(p, next[f])));
    for (int32_t l = 0; l < circuit->loop_count; l++)
        for (int32_t v = 0; v < circuit->loops[l].count; v++)
            if (is_move(p, abs(circuit->loops[l].definitions[v])))
                need_effect_of_move(p, abs(circuit->loops[l].definitions[v]));
    write_effects(p, phase);
    phase->gates = p->effect_first + p->effect_places.count;
}
