/* Makes a circuit of ground rules: each atom is the disjunction of its rules, each rule a
   conjunction.

   Each atom is defined after the atoms that it depends on, in the order of strongly connected
   components (Tarjan 1972, with an explicit stack instead of recursion). A component of several
   atoms is a loop, which is iterated to its least fixpoint. */

#include "aspgames.h"
#include "memory.h"
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/* An atom whose dependencies are being visited. */
struct frame {
    int32_t atom;
    int32_t rule;    /* the current one of its rules */
    int64_t literal; /* the current one of the rule's literals; -1 before the first */
};

struct builder {
    struct pool pool;
    const struct ground_program *ground;
    struct circuit *circuit;
    int32_t *literals;
    int32_t *starts; /* atom a has the rules order[starts[a]] .. order[starts[a + 1] - 1] */
    int32_t *order;
    int32_t *index, *low; /* Tarjan's numbers of the atoms, from 1 */
    int32_t visited;
    int32_t *open; /* visited atoms without a literal */
    int32_t open_count;
    struct frame *frames;
    int32_t frame_count;
    int32_t *body, *ways, *definitions; /* the literals of the next gate */
};

void aspgames_build_free(struct circuit_build *built) {
    if (!built) return;
    aspgames_circuit_free(built->circuit);
    FREE_ALL(built->culprits, built->literals, built);
}

static bool stop(
    struct circuit_build *built, enum aspgames_status status, const int32_t *atoms, int32_t count
) {
    built->status = status;
    built->culprits = zeroed(count, sizeof *atoms);
    if (built->culprits && count) {
        memcpy(built->culprits, atoms, (size_t)count * sizeof *atoms);
        built->culprit_count = count;
    }
    return false;
}

static int64_t first_literal(const struct ground_program *ground, int32_t rule) {
    return rule ? ground->rules[rule - 1].end : 0;
}

/* --- what is given ---------------------------------------------------------------------------- */

static void sort_rules(struct builder *builder) {
    const struct ground_program *ground = builder->ground;
    for (int64_t i = 0; i < ground->rule_count; i++) builder->starts[ground->rules[i].head]++;
    for (int32_t atom = 1; atom <= ground->atoms + 1; atom++)
        builder->starts[atom] += builder->starts[atom - 1];
    /* From the ends back to the starts. */
    for (int64_t i = ground->rule_count - 1; i >= 0; i--)
        builder->order[--builder->starts[ground->rules[i].head]] = (int32_t)i;
}

/* Set the literals of facts (which may have other rules, too), of atoms without a rule, and of open
 * atoms. */
static bool give_literals(struct builder *builder, struct circuit_build *built) {
    const struct ground_program *ground = builder->ground;
    int32_t *literals = builder->literals;
    literals[0] = ASPGAMES_TRUE;
    for (int32_t rule = 0; rule < ground->rule_count; rule++)
        if (first_literal(ground, rule) == ground->rules[rule].end
            && ground->rules[rule].weights < 0)
            literals[ground->rules[rule].head] = ASPGAMES_TRUE;
    for (int32_t atom = 1; atom <= ground->atoms; atom++)
        if (builder->starts[atom] == builder->starts[atom + 1]) literals[atom] = ASPGAMES_FALSE;
    for (int64_t i = 0; i < ground->choice_count; i++) {
        int32_t atom = ground->choices[i];
        if (!literals[atom]) return stop(built, ASPGAMES_DERIVES_INPUT, &atom, 1);
        if (literals[atom] == ASPGAMES_FALSE)
            literals[atom] = aspgames_circuit_input(builder->circuit);
        if (!literals[atom]) return stop(built, ASPGAMES_NO_MEMORY, NULL, 0);
    }
    return true;
}

/* --- definitions ------------------------------------------------------------------------------ */

static int32_t now(const struct builder *builder, int32_t literal) {
    return literal < 0 ? -builder->literals[-literal] : builder->literals[literal];
}

static int32_t rule_literal(struct builder *builder, int32_t number) {
    const struct ground_program *ground = builder->ground;
    const struct ground_rule *rule = &ground->rules[number];
    int64_t first = first_literal(ground, number), count = rule->end - first;
    for (int64_t i = 0; i < count; i++)
        builder->body[i] = now(builder, ground->literals[first + i]);
    if (rule->weights < 0)
        return aspgames_circuit_conjunction(builder->circuit, builder->body, count);
    return aspgames_circuit_at_least(
        builder->circuit, rule->bound, builder->body, ground->weights + rule->weights, count
    );
}

/* The literal of an atom, given the literals of its dependencies; 0: no memory. */
static int32_t define(struct builder *builder, int32_t atom) {
    int32_t first = builder->starts[atom], count = builder->starts[atom + 1] - first;
    for (int32_t i = 0; i < count; i++) {
        int32_t literal = rule_literal(builder, builder->order[first + i]);
        if (!literal) return 0;
        builder->ways[i] = -literal;
    }
    return -aspgames_circuit_conjunction(builder->circuit, builder->ways, count);
}

static bool define_loop(struct builder *builder, const int32_t *members, int32_t count) {
    struct circuit *circuit = builder->circuit;
    int32_t *variables = zeroed(count, sizeof *variables);
    bool fine = variables;
    for (int32_t i = 0; fine && i < count; i++)
        fine = (builder->literals[members[i]] = variables[i] = aspgames_circuit_input(circuit));
    int32_t first = circuit->size + 1;
    for (int32_t i = 0; fine && i < count; i++)
        fine = (builder->definitions[i] = define(builder, members[i]));
    fine = fine
           && aspgames_circuit_loop(
               circuit, variables, builder->definitions, count, first, circuit->size + 1
           );
    free(variables);
    return fine;
}

/* Whether an atom depends on a member of its component. The members are the atoms without a
 * literal. */
static bool depends(const struct builder *builder, int32_t atom, bool on_negation) {
    const struct ground_program *ground = builder->ground;
    for (int32_t i = builder->starts[atom]; i < builder->starts[atom + 1]; i++) {
        int32_t rule = builder->order[i];
        for (int64_t j = first_literal(ground, rule); j < ground->rules[rule].end; j++) {
            int32_t literal = ground->literals[j];
            if (!now(builder, literal) && (literal < 0 || !on_negation)) return true;
        }
    }
    return false;
}

/* Define the atoms of a component. All other atoms on which they depend have literals. */
static bool close(struct builder *builder, struct circuit_build *built, int32_t first) {
    int32_t *members = builder->open + first, count = builder->open_count - first;
    builder->open_count = first;
    for (int32_t i = 0; i < count; i++)
        if (depends(builder, members[i], true))
            return stop(built, ASPGAMES_NOT_STRATIFIED, members, count);
    bool fine;
    if (count == 1 && !depends(builder, members[0], false))
        fine = (builder->literals[members[0]] = define(builder, members[0]));
    else
        fine = define_loop(builder, members, count);
    return fine || stop(built, ASPGAMES_NO_MEMORY, NULL, 0);
}

/* --- in which order --------------------------------------------------------------------------- */

static void enter(struct builder *builder, int32_t atom) {
    builder->index[atom] = builder->low[atom] = ++builder->visited;
    builder->open[builder->open_count++] = atom;
    builder->frames[builder->frame_count++] = (struct frame){atom, builder->starts[atom], -1};
}

/* The next atom without a literal on which a frame's atom depends, or 0. */
static int32_t next_missing(const struct builder *builder, struct frame *frame) {
    const struct ground_program *ground = builder->ground;
    for (; frame->rule < builder->starts[frame->atom + 1]; frame->rule++, frame->literal = -1) {
        int32_t rule = builder->order[frame->rule];
        if (frame->literal < 0) frame->literal = first_literal(ground, rule);
        while (frame->literal < ground->rules[rule].end) {
            int32_t literal = ground->literals[frame->literal++];
            if (!now(builder, literal)) return literal < 0 ? -literal : literal;
        }
    }
    return 0;
}

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

static bool visit(struct builder *builder, struct circuit_build *built, int32_t root) {
    enter(builder, root);
    while (builder->frame_count) {
        struct frame *frame = &builder->frames[builder->frame_count - 1];
        int32_t atom = frame->atom, used = next_missing(builder, frame);
        if (used && !builder->index[used]) {
            enter(builder, used);
        } else if (used) { /* it is open: all others have literals */
            builder->low[atom] = least(builder->low[atom], builder->index[used]);
        } else {
            builder->frame_count--;
            if (builder->frame_count) {
                int32_t above = builder->frames[builder->frame_count - 1].atom;
                builder->low[above] = least(builder->low[above], builder->low[atom]);
            }
            if (builder->low[atom] == builder->index[atom]) {
                int32_t first = builder->open_count - 1;
                while (builder->open[first] != atom) first--;
                if (!close(builder, built, first)) return false;
            }
        }
    }
    return true;
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool prepare(struct builder *builder) {
    const struct ground_program *ground = builder->ground;
    int64_t atoms = ground->atoms + (int64_t)2, widest = 0, most = 0;
    struct pool *pool = &builder->pool;
    builder->starts = pool_zeroed(pool, atoms, sizeof *builder->starts);
    builder->order = pooled(pool, ground->rule_count, sizeof *builder->order);
    if (pool->failed) return false;
    sort_rules(builder);
    for (int32_t i = 0; i < ground->rule_count; i++)
        if (ground->rules[i].end - first_literal(ground, i) > widest)
            widest = ground->rules[i].end - first_literal(ground, i);
    for (int32_t atom = 1; atom <= ground->atoms; atom++)
        if (builder->starts[atom + 1] - builder->starts[atom] > most)
            most = builder->starts[atom + 1] - builder->starts[atom];
    builder->index = pool_zeroed(pool, atoms, sizeof *builder->index);
    builder->low = pooled(pool, atoms, sizeof *builder->low);
    builder->open = pooled(pool, atoms, sizeof *builder->open);
    builder->frames = pooled(pool, atoms, sizeof *builder->frames);
    builder->body = pooled(pool, widest, sizeof *builder->body);
    builder->ways = pooled(pool, most, sizeof *builder->ways);
    builder->definitions = pooled(pool, atoms, sizeof *builder->definitions);
    return !pool->failed;
}

/* Free the rules, which nothing needs after the circuit. */
static void forget_rules(struct ground_program *ground) {
    FREE_ALL(ground->rules, ground->literals, ground->weights);
    ground->rules = NULL;
    ground->literals = ground->weights = NULL;
    ground->rule_count = ground->rule_room = ground->literal_count = ground->literal_room = 0;
    ground->weight_count = ground->weight_room = 0;
}

void aspgames_trim(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

struct circuit_build *aspgames_build_new(struct ground_program *ground) {
    struct circuit_build *built = zeroed(1, sizeof *built);
    if (!built) return NULL;
    built->circuit = aspgames_circuit_new();
    built->literals = zeroed(ground->atoms + (int64_t)1, sizeof *built->literals);
    struct builder builder = {
        .ground = ground, .circuit = built->circuit, .literals = built->literals
    };
    if (!built->circuit || !built->literals || !prepare(&builder))
        stop(built, ASPGAMES_NO_MEMORY, NULL, 0);
    else if (give_literals(&builder, built))
        for (int32_t atom = 1; atom <= ground->atoms; atom++)
            if (!built->literals[atom] && !visit(&builder, built, atom)) break;
    pool_free(&builder.pool);
    forget_rules(ground);
    return built;
}
