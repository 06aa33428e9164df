/* The library's public header: every function that other languages call, and what they exchange.
 *
 * Python reads its binding from this file (hatch_build.py), so it is written in plain C: apart from
 * comments it has only declarations, no macros with values. Sizes are in items unless a unit is
 * given.
 *
 * Rows. A state is a row of bits: fluent f is bit f % 64 of word f / 64. `words` is the length of a
 * row. Arrays of several dimensions are dense, the last index fastest; (count, roles) is the shape
 * of a number for each state and role.
 *
 * Statuses. A negative `enum aspgames_status` is an error. A function that returns a pointer
 * returns NULL when memory runs out. Free the result of `_new` or `_begin` with the `_free` or
 * `_end` of the same name.
 *
 * Threads. One thread at a time may use an object, unless its comment allows more. Net tables never
 * change after they are made, and must outlive all objects made from them.
 */
#ifndef ASPGAMES_H
#define ASPGAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#define ASPGAMES_API __declspec(dllexport)
#else
#define ASPGAMES_API __attribute__((visibility("default")))
#endif

enum aspgames_status {
    ASPGAMES_DONE = 0,
    /* Outcomes that the caller acts on. */
    ASPGAMES_MORE = 1,      /* work is left: call again */
    ASPGAMES_WANTS_NET = 2, /* the walk needs the net of the next ply */
    ASPGAMES_FULL = 3,      /* the transposition table has no room for more states */
    ASPGAMES_DEEP = 4,      /* a line is too long, or play is cyclic */
    ASPGAMES_MIXED = 5,     /* the sides do not move one at a time */
    ASPGAMES_LEFT_OUT = 6,  /* a state is in a phase that the puzzle's tables leave out */
    /* Errors. */
    ASPGAMES_NO_MEMORY = -1,
    ASPGAMES_UNSETTLED_GOALS = -2,  /* a game is over, and a role has no goal value, or several */
    ASPGAMES_DEPENDS_ON_MOVES = -3, /* legal moves, the end or a goal depend on the moves made */
    ASPGAMES_SEVERAL_CHOOSE = -4,   /* several roles have a choice in one state */
    ASPGAMES_TOO_MANY_MOVES = -5,   /* more than 65535 in one state */
    ASPGAMES_TOO_MANY_PLIES = -6,   /* more than 65534 in best play */
    ASPGAMES_TOO_MANY_RULES = -7,   /* more ground rules than allowed */
    ASPGAMES_CONSTRAINS = -8,       /* a ground rule without exactly one atom in its head */
    ASPGAMES_CHOOSES = -9,          /* a choice with an aggregate */
    ASPGAMES_STOPPED = -10,         /* the caller stopped the grounder */
    ASPGAMES_DERIVES_INPUT = -11,   /* a ground rule derives an atom that is left open */
    ASPGAMES_NOT_STRATIFIED = -12   /* atoms depend on their own negation */
};

/* What stands in the place of a number. */
enum aspgames_mark {
    ASPGAMES_UNSETTLED = -1, /* a goal: the game is over, and the role has several, or none from 0
                              * to 100 */
    ASPGAMES_BROKEN_OFF = -2, /* a length: the game has too many plies */
    ASPGAMES_NO_ROLL = -3 /* a length: chance has no move, and the game isn't over */
};

/* --- the library itself --------------------------------------------------------------------- */

/* The digest of the sources (native_sources.py). */
ASPGAMES_API const char *aspgames_sources(void);
/* The compiler that built the library, such as "cc: gcc 12.2.0". */
ASPGAMES_API const char *aspgames_compiler(void);
/* The instruction sets that the library was built for, oldest first: "base avx2". */
ASPGAMES_API const char *aspgames_variants(void);
/* The best instruction set of this processor: 0 base, 1 avx2, 2 avx512. */
ASPGAMES_API int aspgames_cpu(void);
/* The C compiler's sizes and offsets [bytes] of the structures below, in the order of the header:
 * for each structure its size, then the offset of each member. `count` gets the length. */
ASPGAMES_API const int32_t *aspgames_layout(int32_t *count);

/* --- ground rules: what clingo's grounder hands over ----------------------------------------- */

/* A rule for an atom. The literals of its body begin where those of the previous rule end. */
struct ground_rule {
    int32_t head;
    int32_t bound;   /* the sum that the weights of the true literals must reach */
    int64_t weights; /* where the weights begin; -1: all literals must be true */
    int64_t end;     /* of the literals */
};

struct ground_program {
    int32_t status; /* enum aspgames_status */
    int32_t most_rules;
    int32_t atoms;    /* the highest number of an atom */
    int32_t *choices; /* the atoms that are left open; one may occur more than once */
    int64_t choice_count;
    int64_t seen; /* rules, choices included */
    int64_t rule_count, literal_count, weight_count, shown_count;
    struct ground_rule *rules;
    int32_t *literals;
    int32_t *weights;
    uint64_t *symbols;   /* clingo's, of the atoms that are shown */
    int32_t *shown;      /* the numbers of these atoms; 0 is a fact */
    bool (*go_on)(void); /* returns false to stop the grounder; called several times a second */
    int64_t calls;       /* of the observer's functions */
    int64_t asked;       /* the time of the last call of `go_on` [ticks of clock()] */
    int64_t choice_room, rule_room, literal_room, weight_room, symbol_room, shown_room;
};

struct weighted_literal {
    int32_t literal, weight;
};

ASPGAMES_API struct ground_program *aspgames_ground_new(int32_t most_rules, bool (*go_on)(void));
ASPGAMES_API void aspgames_ground_free(struct ground_program *ground);

/* The members of clingo_ground_program_observer_t (clingo's C API, version 5) that are needed;
 * `data` is the struct ground_program. To stop the grounder, each sets the status and returns
 * false. */
ASPGAMES_API bool aspgames_ground_rule(
    bool choice, const uint32_t *head, size_t head_size, const int32_t *body, size_t body_size,
    void *data
);
ASPGAMES_API bool aspgames_ground_weight_rule(
    bool choice, const uint32_t *head, size_t head_size, int32_t bound,
    const struct weighted_literal *body, size_t body_size, void *data
);
ASPGAMES_API bool aspgames_ground_external(uint32_t atom, int type, void *data);
ASPGAMES_API bool aspgames_ground_output_atom(uint64_t symbol, uint32_t atom, void *data);

/* The functions of clingo's C API that read symbols. */
struct clingo_functions {
    bool (*name)(uint64_t symbol, const char **name);
    bool (*arguments)(uint64_t symbol, const uint64_t **arguments, size_t *count);
    bool (*text_size)(uint64_t symbol, size_t *size); /* with the NUL at its end */
    bool (*text)(uint64_t symbol, char *text, size_t size);
};

/* A hash table of numbers (hash_index.h). */
struct hash_slot {
    uint32_t hash;
    int32_t number; /* 0: the slot is empty */
};

struct hash_index {
    struct hash_slot *slots;
    int64_t room, count;
};

/* A shown atom: the places of its predicate's name and of its arguments among the texts (-1: no
 * such argument). */
struct atom_name {
    int32_t predicate, arguments[2], atom;
};

/* The names of the shown atoms. The remaining members serve names.c. */
struct atom_names {
    int64_t length; /* of the texts [bytes] */
    char *texts;    /* one after the other, each with a NUL at its end */
    int64_t row_count;
    struct atom_name *rows;
    int32_t text_count;
    int64_t text_room;
    int32_t predicate_count, predicates[16]; /* their places among the texts */
    int64_t predicate_starts[16];            /* and where these begin */
    uint64_t *terms;                         /* for each text, clingo's number of its term */
    int64_t term_room;
    struct hash_index known; /* the places of the terms' texts, plus 1 */
};

ASPGAMES_API struct atom_names *aspgames_names_new(
    const struct ground_program *ground, const struct clingo_functions *clingo
);
ASPGAMES_API void aspgames_names_free(struct atom_names *names);

/* --- circuits -------------------------------------------------------------------------------- */

/* Atoms that depend on each other. At first all variables are false. The gates first .. end - 1
 * compute one round. Its results, the definitions, are the variables' values in the next round. The
 * rounds end when nothing changes. */
struct loop {
    int32_t count;
    int32_t first;        /* the first node whose gate may depend on the variables */
    int32_t end;          /* the node after the last that belongs to the round */
    int32_t *variables;   /* `count` nodes without a gate, all before `first` */
    int32_t *definitions; /* `count` literals */
};

enum aspgames_literal { ASPGAMES_TRUE = 1, ASPGAMES_FALSE = -1 };

/* A literal is the number of a node, negative for its negation. Node 1 is the constant true. The
 * nodes are 1 .. size, each after those that it depends on. The conjunction of node n has the
 * literals starts[n] .. starts[n + 1] - 1, at least two, of distinct nodes, ascending by node. A
 * node without literals, other than node 1, is an input or a variable. The arrays stay where they
 * are until a node is added. The remaining members serve circuit.c. */
struct circuit {
    int32_t size;
    int64_t *starts; /* size + 2 entries */
    int32_t *literals;
    int32_t loop_count;
    struct loop *loops; /* in the order of `first`; their rounds do not overlap */
    int64_t node_room, literal_room, loop_room;
    struct hash_index known; /* the nodes of the gates */
};

ASPGAMES_API struct circuit *aspgames_circuit_new(void);
ASPGAMES_API void aspgames_circuit_free(struct circuit *circuit);
/* A new node without a gate; 0: no memory. */
ASPGAMES_API int32_t aspgames_circuit_input(struct circuit *circuit);
/* The literal that is true when all the given ones are; 0: no memory. */
ASPGAMES_API int32_t
aspgames_circuit_conjunction(struct circuit *circuit, const int32_t *literals, int64_t count);
/* The literal that is true when the weights of the true literals reach a bound; 0: no memory. */
ASPGAMES_API int32_t aspgames_circuit_at_least(
    struct circuit *circuit, int64_t bound, const int32_t *literals, const int32_t *weights,
    int64_t count
);
/* Turn inputs into the variables of a loop, whose round is the nodes first .. end - 1; false: no
 * memory. */
ASPGAMES_API bool aspgames_circuit_loop(
    struct circuit *circuit, const int32_t *variables, const int32_t *definitions, int32_t count,
    int32_t first, int32_t end
);
/* A simplified copy in which some nodes are replaced by literals. On entry `became` (size + 1) has
 * these literals, and 0 for all other nodes; on return, each node's literal in the copy. */
ASPGAMES_API struct circuit *aspgames_circuit_assuming(
    const struct circuit *circuit, int32_t *became
);
/* Find the inputs that never change. `values` (count) has the value of each input at the start, 1
 * or -1; a move begins with -1. An input may change as soon as its literal in `follows` may differ
 * from it. At the end `values` has 0 for each input that may change; false: no memory. */
ASPGAMES_API bool aspgames_circuit_unchanging(
    const struct circuit *circuit, const int32_t *inputs, const int32_t *follows, int8_t *values,
    int64_t count
);

/* The circuit of ground rules. */
struct circuit_build {
    int32_t status; /* enum aspgames_status */
    int32_t culprit_count;
    int32_t *culprits;       /* the atoms that the status is about */
    struct circuit *circuit; /* the caller may take it, and put NULL there */
    int32_t *literals;       /* of each atom; atom 0 stands for every fact */
};

/* The ground program keeps its names, but no rules. */
ASPGAMES_API struct circuit_build *aspgames_build_new(struct ground_program *ground);
ASPGAMES_API void aspgames_build_free(struct circuit_build *built);
/* Give free memory back to the system; glibc keeps what lies between blocks in use. */
ASPGAMES_API void aspgames_trim(void);

/* --- net tables (layout: tables.h) ------------------------------------------------------------ */

struct table_writer;

/* Where the numbers that pages read stand in tables; the last one is of a puzzle's tables alone:
 * whether there is one role. */
enum aspgames_place { ASPGAMES_FLUENTS_AT = 2, ASPGAMES_ROLES_AT = 5, ASPGAMES_SINGLE_AT = 11 };

/* The parts of a phase. Literals refer to the circuit from which `circuit` was simplified; `became`
 * maps that circuit's nodes to literals of `circuit`. */
struct phase_request {
    const struct circuit *circuit;
    const int32_t *became;
    const int32_t *fluents; /* the inputs of the fluents */
    const int32_t *does;    /* ... and of the moves */
    const int32_t *legal;   /* for each move */
    const int32_t *marks;   /* for each move */
    const int32_t *next;    /* for each fluent of the next state */
    const int32_t *goals;   /* triples of role, value (-1: not a goal value) and literal */
    const int32_t *to_move; /* for each role */
    const int32_t *bounds;  /* for each role, its first move and the one after its last */
    int32_t goal_count;
    int32_t terminal;
};

/* Begin the tables of a net. `turns` (turn_count) are the fluents that say whose turn it is. */
ASPGAMES_API struct table_writer *aspgames_tables_begin(
    int32_t fluents, int32_t after, int32_t moves, int32_t roles, int32_t turn_count,
    const int32_t *turns
);
/* Write the phase with this number. Errors: NO_MEMORY, DEPENDS_ON_MOVES. */
ASPGAMES_API enum aspgames_status aspgames_tables_phase(
    struct table_writer *writer, int32_t number, const struct phase_request *request
);
/* The size of the finished tables [32-bit numbers], or NO_MEMORY. */
ASPGAMES_API int64_t aspgames_tables_size(struct table_writer *writer);
/* Free the writer. Returns its tables, which `aspgames_tables_free` frees. */
ASPGAMES_API int32_t *aspgames_tables_end(struct table_writer *writer);
ASPGAMES_API void aspgames_tables_free(int32_t *block);
/* Whether these numbers are tables that every function here can walk. */
ASPGAMES_API bool aspgames_tables_check(const int32_t *block, int64_t words);

/* The parts of a phase of a puzzle's tables (layout: search_tables.h): two circuits, and literals
 * of each. */
struct search_phase_request {
    const struct circuit *state; /* computes verdicts and legal moves */
    const int32_t *fluents;
    const int32_t *does;
    const int32_t *verdicts;
    const int32_t *legal;
    const int32_t *counted;
    const struct circuit *successor; /* computes the next state */
    const int32_t *successor_fluents;
    const int32_t *successor_does;
    const int32_t *next;
    const int32_t *bounds; /* for each side, its first move and the one after its last */
};

/* Begin the tables of a puzzle. `single`: there is one role. `quiet`: the defender's own moves
 * never reach the goal. `by_reply`: only they do. `counts` are the
 * fluents of the counted gates, one gate after the other, `ends` (counted) where each gate's end,
 * `drops` (counted, 2) the most by which a ply of each side lowers the number of them that hold. */
ASPGAMES_API struct table_writer *aspgames_search_begin(
    int32_t fluents, int32_t moves, int32_t turn_count, const int32_t *turns, int32_t single,
    int32_t quiet, int32_t by_reply, int32_t counted, const int32_t *counts, const int32_t *ends,
    const int32_t *drops
);
/* Write the phase with this number. A phase that is never written is left out. Errors as
 * aspgames_tables_phase. */
ASPGAMES_API enum aspgames_status aspgames_search_phase(
    struct table_writer *writer, int32_t number, const struct search_phase_request *request
);

/* --- one state at a time ---------------------------------------------------------------------- */

struct single_state;

ASPGAMES_API struct single_state *aspgames_single_new(const int32_t *block);
ASPGAMES_API void aspgames_single_free(struct single_state *single);
/* The memory for answers (3 + 3 * roles + most_choices), for a joint move (roles), and for the next
 * row. */
ASPGAMES_API int32_t *aspgames_single_out(struct single_state *single);
ASPGAMES_API int32_t *aspgames_single_moves(struct single_state *single);
ASPGAMES_API uint64_t *aspgames_single_row(struct single_state *single);
/* Evaluate a state, given as the bytes of a row. Writes into `out`: whether it is terminal; how
 * many roles are on move, and the last of these; for each role its goal or UNSETTLED, and where its
 * moves begin and end in `out`; then the legal moves, also in terminal states: twice the number of
 * each, plus one if it is marked. Returns how many numbers, or NO_MEMORY. */
ASPGAMES_API int aspgames_single_ask(struct single_state *single, const uint8_t *row);
/* Compute the next row, after the joint move in `moves`. There, -1 stands for the only move of a
 * role. Errors: NO_MEMORY, SEVERAL_CHOOSE if -1 stands for a role that has a choice. */
ASPGAMES_API enum aspgames_status aspgames_single_play(
    struct single_state *single, const uint8_t *row
);
/* The same when all roles but one make their only move. */
ASPGAMES_API enum aspgames_status aspgames_single_play_one(
    struct single_state *single, const uint8_t *row, int32_t role, int32_t move
);

/* --- sets of states --------------------------------------------------------------------------- */

struct state_set;

/* An empty set of rows of so many words. */
ASPGAMES_API struct state_set *aspgames_states_new(int32_t words);
ASPGAMES_API void aspgames_states_free(struct state_set *set);
/* Forget all states, and free their memory. */
ASPGAMES_API void aspgames_states_clear(struct state_set *set);
ASPGAMES_API int64_t aspgames_states_count(const struct state_set *set);
/* The rows, good until room is made. */
ASPGAMES_API const uint64_t *aspgames_states_rows(const struct state_set *set);
/* The size [bytes] of the set with so many more states, while it grows. */
ASPGAMES_API int64_t aspgames_states_bytes(const struct state_set *set, int64_t more);
/* Make room for so many more states. Errors: NO_MEMORY. */
ASPGAMES_API enum aspgames_status aspgames_states_reserve(struct state_set *set, int64_t more);
/* Add states for which there is room; `numbers` (count) gets the numbers of all of them. Several
 * threads may add at once, each with a `spare` of its own: -1, or a number that this thread has
 * reserved and not used. The call may set it. */
ASPGAMES_API void aspgames_states_add(
    struct state_set *set, const uint64_t *rows, int64_t count, uint32_t *numbers, int64_t *spare
);
/* Look up the numbers of states; UINT32_MAX marks an absent state. */
ASPGAMES_API void aspgames_states_find(
    const struct state_set *set, const uint64_t *rows, int64_t count, uint32_t *numbers
);
/* Return a spare number: the last state gets it. Returns that state's old number. */
ASPGAMES_API int64_t aspgames_states_give_back(struct state_set *set, int64_t number);

/* --- states as arrays of numbers -------------------------------------------------------------- */

struct observation_layout {
    int32_t words;           /* of a row */
    int32_t width;           /* numbers of a state */
    const float *background; /* the numbers of a state in which no fluent holds */
    const int32_t *starts;   /* for each fluent the first of its places, and one more at the end */
    const int32_t *places;
    const float *values; /* for each place */
};

/* Write the numbers (count, width) of states. If several fluents share a place, the largest number
 * counts. */
ASPGAMES_API void aspgames_observe(
    const struct observation_layout *layout, const uint64_t *rows, int64_t count, float *out
);

/* --- backward induction ----------------------------------------------------------------------- */

/* A value is 65536 times the number of an outcome, plus the plies until then; UINT32_MAX: unknown.
 * All arrays have the shape (roles, outcomes). */
struct preferences {
    int32_t outcomes;
    const int32_t *ranks; /* the higher, the better */
    const uint8_t *hurry; /* whether fewer plies are better */
    const uint8_t *aims;  /* whether a role that can reach the outcome in `plies` does so, whatever
                             its other moves; or NULL */
    uint32_t plies;
};

struct induction_counts {
    int64_t settled;  /* states that got a value */
    int64_t open;     /* states that still have none */
    uint32_t next;    /* the fewest plies above `plies` to an aim; 0: none */
    uint32_t longest; /* the most plies of a new value */
};

/* Compute values of the states first .. first + count - 1 without a value, the last state first.
 * `movers` and `degrees` (count) are as in struct successor_lists; `edges` (end) are the numbers of
 * the successors, state after state; `values` are those of all states. The results are added to
 * `counts`. Several threads may work on different states. Errors: TOO_MANY_PLIES. */
ASPGAMES_API enum aspgames_status aspgames_induce(
    const struct preferences *preferences, int64_t first, int64_t count, const uint8_t *movers,
    const uint16_t *degrees, const uint32_t *edges, int64_t end, uint32_t *values,
    struct induction_counts *counts
);
/* The first of `count` states whose `own` value contradicts its successors' values, or -1. `even`
 * tells for each role and outcome whether the role prefers it to endless play. */
ASPGAMES_API int64_t aspgames_check_values(
    const struct preferences *preferences, const uint8_t *even, int64_t count,
    const uint8_t *movers, const uint16_t *degrees, const uint32_t *edges, const uint32_t *own,
    const uint32_t *values
);

/* --- values of states with chance ------------------------------------------------------------- */

/* States and their successors. `movers` are as in struct successor_lists; a state whose mover is 255
 * keeps its value. */
struct roll_graph {
    int64_t states;
    const uint8_t *movers;
    const int64_t *firsts;   /* the first edge of each state, and the end of all */
    const uint32_t *edges;   /* the successors */
    const uint32_t *weights; /* the chances of the edges, or NULL if all are equal */
    int32_t roller;          /* the role whose moves are random */
};

/* A value is a whole number of `words` words, the lowest first. It is the greatest of the
 * successors' values where `attacker` moves, their mean where the roller does, else the least. */
struct mean_rule {
    int32_t words;
    int32_t attacker; /* a role */
    int32_t up;       /* whether means are rounded up, not down */
};

enum aspgames_limits { ASPGAMES_MOST_WORDS = 64 }; /* of a value */

/* List all states, component by component, each after those to which it leads. `starts` (states + 1)
 * gets the place of each component's first state, and the end. Returns how many components there
 * are, or NO_MEMORY. */
ASPGAMES_API int64_t
aspgames_find_components(const struct roll_graph *graph, uint32_t *order, uint32_t *starts);
/* In a graph without loops, whose successors come first: find for each state the most moves of the
 * roller until the end of play. */
ASPGAMES_API void aspgames_count_rolls(const struct roll_graph *graph, uint32_t *rolls);
/* In a graph in the order of its components: raise `values` (states, words) to those that follow
 * from the successors, from a component on, until nothing changes. Stops after about `most` values;
 * returns the component to go on with, or their number if all are done. */
ASPGAMES_API int64_t aspgames_settle_means(
    const struct roll_graph *graph, const struct mean_rule *rule, const uint32_t *starts,
    int64_t from, int64_t components, int64_t most, uint64_t *values
);

/* --- Monte-Carlo tree search
 * ------------------------------------------------------------------------ */

/* The arrays are the caller's. The children of a node have consecutive numbers, higher than the
 * node's. */
struct game_tree {
    int32_t roles;
    int32_t settles; /* whether settled children settle a node */
    double exploration;
    int32_t *parents; /* -1: the root has none */
    int32_t *firsts;  /* the first child; -1: no children, or none so far */
    int32_t *degrees; /* how many children */
    uint8_t *movers;  /* the role that chooses among them */
    uint8_t *settled; /* whether the goals at the end of best play are known */
    int32_t *surest;  /* the settled child that the mover prefers, or -1 */
    int32_t *plies;   /* of a settled node, until the end */
    int32_t *games;   /* finished games through a node ... */
    int32_t *pending; /* ... and pending ones */
    double
        *goals; /* (nodes, roles): the sum of the goals of `games`; for a settled node, its goals */
    uint8_t *peaks; /* with one role, the highest goal of those games; else NULL */
};

/* Go down from the root `count` times, to a node without children or a settled one; `each` games
 * begin there. */
ASPGAMES_API void aspgames_tree_select(
    const struct game_tree *tree, int64_t count, int32_t each, int32_t *leaves
);
/* Add the goals (count, each, roles) of games to their leaves and the nodes above. `sums` (roles)
 * is scratch memory. */
ASPGAMES_API void aspgames_tree_update(
    const struct game_tree *tree, const int32_t *leaves, int64_t count, int32_t each,
    const int32_t *goals, double *sums
);
/* Settle the nodes above newly settled nodes, if their children settle them. */
ASPGAMES_API void aspgames_tree_settle(
    const struct game_tree *tree, const int32_t *nodes, int64_t count
);

/* --- search with values from outside --------------------------------------------------------- */

/* A move of a node; -1, -1 above a root. */
struct puct_place {
    int32_t node;
    int64_t edge;
};

/* A node. Its row and the values of the roles follow it: what the evaluation said, or the result of
 * the game. */
struct puct_node {
    int64_t first; /* of its edges, one for each legal move */
    struct puct_place parent;
    int32_t degree; /* how many; 0 where the game is over */
    int32_t visits; /* through its edges */
    int32_t mover;  /* the role that chooses */
};

struct puct_edge {
    double sum; /* of the mover's values */
    float prior;
    int32_t visits, move;
    int32_t child; /* -1: none so far */
};

/* A tree for each of `games` games. The arrays move when the trees grow. */
struct puct_trees {
    int32_t games, words, roles, stride; /* from a node to the next [bytes] */
    int32_t *roots;             /* (games); -1: none so far */
    struct puct_place *pending; /* (games): where the next node of each goes */
    int64_t node_count, edge_count, node_room, edge_room;
    char *nodes;
    struct puct_edge *edges;
};

/* New nodes, at the pending places of their games. */
struct puct_leaves {
    const int32_t *games;
    const uint64_t *rows;  /* (count, words) */
    const int32_t *movers; /* (count), from 0 */
    const uint8_t *legal;  /* (count, moves); NULL where the games are over */
    const float *priors;   /* (count, moves) */
    const float *values;   /* (count, roles) */
};

ASPGAMES_API struct puct_trees *aspgames_puct_new(int32_t games, int32_t words, int32_t roles);
ASPGAMES_API void aspgames_puct_free(struct puct_trees *trees);
/* Take over, for each state of `rows` (games, words), what other trees know about it: the part of
 * the game's tree below the state, which may be four plies below the root. Errors: NO_MEMORY. */
ASPGAMES_API enum aspgames_status aspgames_puct_keep(
    struct puct_trees *trees, const struct puct_trees *from, const uint64_t *rows
);
/* Go down each tree to a move without a node, or to a terminal state, whose values count again.
 * Returns for how many games a node is missing: its game, its last move, and the state before. */
ASPGAMES_API int64_t aspgames_puct_select(
    struct puct_trees *trees, double exploration, int32_t *games, int32_t *moves, uint64_t *rows
);
/* Add nodes, and their values to the moves that lead there. Returns `count`; less is the first leaf
 * with an invalid number. Errors: NO_MEMORY. */
ASPGAMES_API int64_t aspgames_puct_grow(
    struct puct_trees *trees, int64_t count, int32_t moves, const struct puct_leaves *leaves
);

/* --- functions compiled for each instruction set
 * ------------------------------------------------------
 *
 * From here on, each function exists as aspgames_…_base and, on x86-64, as aspgames_…_avx2 and
 * aspgames_…_avx512. */

#ifndef VARIANT
#define VARIANT base
#endif
#define ASPGAMES_JOIN(name, variant) name##_##variant
#define ASPGAMES_EXPAND(name, variant) ASPGAMES_JOIN(name, variant)
#define NAME(name) ASPGAMES_EXPAND(name, VARIANT)

/* For tests: compute the gates of a phase's question (0 ask, 1 judge, 2 go_on, 3 advance) in
 * three-valued logic, in 512 states. A slot has 64 bytes for certainly, then 64 for possibly. */
ASPGAMES_API void NAME(aspgames_evaluate)(
    const int32_t *block, int32_t phase, int32_t question, void *values
);
/* The number of each state's phase. */
ASPGAMES_API void NAME(aspgames_phases)(
    const int32_t *block, const uint64_t *rows, int64_t count, uint8_t *into
);

/* Many separate states. */
struct batch;

/* Which moves count as legal. */
enum aspgames_scope {
    ASPGAMES_AS_THE_RULES_SAY, /* those of all roles, also in terminal states */
    ASPGAMES_ALL_PLAYABLE,     /* none in terminal states */
    ASPGAMES_OF_THE_MOVER /* none in terminal states; else those of the role on move, if there is
                             exactly one */
};

/* The answers for states. Any array may be NULL. */
struct batch_answers {
    uint8_t *terminal; /* (count) */
    int32_t *mover;    /* (count): the role on move; -1 if none or several are */
    int32_t *goals;    /* (count, roles): 0 if the rules give none */
    uint8_t *legal;    /* (count, moves) */
    uint8_t *bits;     /* (count, (moves + 7) / 8): the same, the first move lowest */
    int32_t *choices;  /* (count, roles): one of the role's moves at random; -1 if it has none */
    int32_t *picks; /* (count), with `choices`: the choice of the role on move; -1 if others have a
                       choice, too */
    const uint64_t *keys; /* (count): the keys of the random choices ... */
    uint64_t draw;        /* ... and the number of the draw */
    const int32_t *noops; /* (roles): the move `noop` of each, or -1 */
    int32_t scope;        /* enum aspgames_scope */
    int32_t *counts;      /* (count, roles), with `choices`: how many legal moves */
};

struct batch_step {
    const int32_t *moves; /* (count, width); -1 stands for the only move of a role */
    int32_t width; /* 1: the move of the role on move; else a move for each of so many roles */
    const int32_t *choices; /* the choices of `aspgames_batch_ask` for these states, or NULL ... */
    const int32_t *picks;
    const uint8_t *over;  /* ... and whether the game is over; NULL: nowhere */
    const int32_t *noops; /* as in struct batch_answers */
    const uint64_t *anew; /* the rows that replace terminal states; NULL: these stay */
    int64_t anew_length;  /* the distance of these rows [words]; 0: one row for all */
    const uint8_t *where; /* which states to step; the others stay as they are; NULL: all */
    uint64_t *into;       /* the states after the moves; must not overlap `rows` */
};

ASPGAMES_API struct batch *NAME(aspgames_batch_new)(const int32_t *block);
ASPGAMES_API void NAME(aspgames_batch_free)(struct batch *batch);
/* Answer questions about states. Errors: UNSETTLED_GOALS; then `goals` has UNSETTLED there. */
ASPGAMES_API enum aspgames_status NAME(aspgames_batch_ask)(
    struct batch *batch, const uint64_t *rows, int64_t count, const struct batch_answers *answers
);
/* Play moves. Returns -1, or the first state with an illegal move; then the results are invalid.
 * Only for closed nets. */
ASPGAMES_API int64_t NAME(aspgames_batch_step)(
    struct batch *batch, const uint64_t *rows, int64_t count, const struct batch_step *step
);

/* Successors of states, for games in which one role at a time has a choice. */
struct successors;

struct successor_lists {
    uint8_t *movers;   /* (count): the role that has a choice; 254: each role has one move; 255: the
                          game has ended */
    uint16_t *degrees; /* (count): how many successors */
    int64_t *starts;   /* (count): the place of the first one among all; the least number if a role
                          is stuck in a state that is not terminal */
    int32_t *goals;    /* (count, roles), where the game has ended */
};

/* `images` (symmetries, bytes of a row, 256, words): the row to which a symmetry maps the bits of a
 * byte. The symmetries do not include the identity. The array must outlive the object. The least
 * image of a state stands for all of them. */
ASPGAMES_API struct successors *NAME(aspgames_successors_new)(
    const int32_t *block, const uint64_t *images, int32_t symmetries
);
ASPGAMES_API void NAME(aspgames_successors_free)(struct successors *successors);
/* Find the successors of states. Errors: NO_MEMORY, UNSETTLED_GOALS, SEVERAL_CHOOSE,
 * TOO_MANY_MOVES. */
ASPGAMES_API enum aspgames_status NAME(aspgames_successors_of)(
    struct successors *successors, const uint64_t *rows, int64_t count,
    const struct successor_lists *lists
);
/* Their rows, good until the next call; returns how many. */
ASPGAMES_API int64_t
    NAME(aspgames_successors_rows)(const struct successors *successors, const uint64_t **rows);
/* Replace each state by its least image. */
ASPGAMES_API void NAME(aspgames_successors_least)(
    const struct successors *successors, uint64_t *rows, int64_t count
);

/* Random games, 512 at a time. */
struct games;

/* Play the games first .. end - 1 of a seed. Threads share `next`, the number of the next game. The
 * first `each` games begin from the first state, the next `each` from the second, and so on. Games
 * that begin in the same phase should have consecutive numbers: a game waits until play is in its
 * phase. A game is broken off after `most` plies. `roller` is the role that moves by chance, or -1.
 * `lengths` (end - first) gets the plies of each game, BROKEN_OFF or NO_ROLL, `goals` (end - first,
 * roles) its goals or UNSETTLED. */
ASPGAMES_API struct games *NAME(aspgames_games_new)(
    const int32_t *block, const uint64_t *starts, int64_t each, uint64_t seed, int64_t first,
    int64_t end, int32_t most, int32_t roller, int64_t *next, int32_t *lengths, int32_t *goals
);
ASPGAMES_API void NAME(aspgames_games_free)(struct games *games);
/* Play so many plies. Returns MORE or DONE. */
ASPGAMES_API enum aspgames_status NAME(aspgames_games_run)(struct games *games, int32_t plies);
/* How many states the games have evaluated. */
ASPGAMES_API int64_t NAME(aspgames_games_states)(const struct games *games);

/* Perft: all paths of `depth` plies from some states or, with `collect`, the states at their ends.
 */
struct walk;

ASPGAMES_API struct walk *NAME(aspgames_walk_new)(
    int32_t depth, const uint64_t *rows, int64_t count, int32_t collect
);
ASPGAMES_API void NAME(aspgames_walk_free)(struct walk *walk);
/* Stop at a state that isn't over in which this role, chance, has no move: `collected` then has that
 * state alone, and `stuck` its ply; else `stuck` is -1. */
ASPGAMES_API void NAME(aspgames_walk_watch)(struct walk *walk, int32_t role);
ASPGAMES_API int32_t NAME(aspgames_walk_stuck)(const struct walk *walk);
/* Set the net of a ply, in the order of the plies. The next-state fluents of a net are the fluents
 * of the following net. Returns MORE, or NO_MEMORY. */
ASPGAMES_API enum aspgames_status NAME(aspgames_walk_net)(
    struct walk *walk, int32_t ply, const int32_t *block
);
/* Work on so many batches of states. Returns MORE, DONE, WANTS_NET (the next ply's), or NO_MEMORY.
 */
ASPGAMES_API enum aspgames_status NAME(aspgames_walk_run)(struct walk *walk, int32_t batches);
ASPGAMES_API uint64_t NAME(aspgames_walk_paths)(const struct walk *walk);
ASPGAMES_API uint64_t NAME(aspgames_walk_states)(const struct walk *walk);
/* The collected states; returns how many. */
ASPGAMES_API int64_t NAME(aspgames_walk_collected)(const struct walk *walk, const uint64_t **rows);

/* The learned value of states, and alpha-beta search with it, for games in which two roles move
 * one at a time. Scores are the first role's. */

/* A state's score is the sum of the weights of its phase: a constant, one for each fluent that
 * holds, the outputs of hidden units, and, for the side on move and the other side, one for the
 * number of its moves. Arrays may be NULL, but for `fluents` and `results`; `hidden` and `outputs`
 * are so together. */
struct value_weights {
    const int32_t *fluents;  /* (phases, 1 + fluents): the constant first */
    const int16_t *hidden;   /* (phases, 1 + fluents, units): their inputs, the constants first */
    const int16_t *outputs;  /* (phases, units) */
    const int32_t *mobility; /* (phases, 2, 256): by the number of moves of all roles */
    const int32_t *partners; /* (phases): the phase with the other side on move, or -1 */
    const int32_t *results;  /* (201): the score of a lead of -100 to 100 goal points */
};

struct search_question {
    int32_t depth;    /* plies; at least 1 */
    int32_t low, high; /* the window of scores */
    int32_t is_plain; /* whether all moves are searched to the same depth, as by minimax */
    int32_t age;      /* the number of the move: the table forgets older ones first */
    int64_t most;     /* evaluations of up to 512 states in this call ... */
    double seconds;   /* ... and its time; 0: no limit */
    int32_t score;    /* the answer: a bound if it is not within the window */
    int32_t move;     /* its move; -1: none was searched */
    int32_t deepest;  /* the plies of the longest line */
    int64_t states;   /* how many were evaluated */
};

struct alphabeta;

/* A search with a transposition table of so many entries. The weights must outlive it. */
ASPGAMES_API struct alphabeta *NAME(aspgames_alphabeta_new)(
    const int32_t *block, const struct value_weights *weights, int64_t entries
);
ASPGAMES_API void NAME(aspgames_alphabeta_free)(struct alphabeta *search);
/* The scores of states without a search, and the numbers of moves of both sides, (count, 2), 0 where
 * a game is over; `mobility` may be NULL. Errors: UNSETTLED_GOALS. */
ASPGAMES_API enum aspgames_status NAME(aspgames_alphabeta_scores)(
    struct alphabeta *search, const uint64_t *rows, int64_t count, int32_t *scores,
    int32_t *mobility
);
/* Search a state. Returns DONE; MORE if the evaluations were spent, then call again: the table has
 * what was found. Errors: NO_MEMORY, SEVERAL_CHOOSE, UNSETTLED_GOALS. */
ASPGAMES_API enum aspgames_status NAME(aspgames_alphabeta_run)(
    struct alphabeta *search, const uint64_t *row, struct search_question *question
);
/* The move that the table has for a state, or -1. */
ASPGAMES_API int32_t NAME(aspgames_alphabeta_known)(
    const struct alphabeta *search, const uint64_t *row
);

/* The search that solves puzzles. Several threads share a transposition table; each has its own
 * worker. */
struct search;
struct worker;

/* The verdicts of a state, as a sum: the goal is reached; the game is over or the side on move is
 * stuck, without the goal; the attacker is on move; the sides do not move one at a time. */
enum aspgames_verdict {
    ASPGAMES_REACHED = 1,
    ASPGAMES_OVER = 2,
    ASPGAMES_ATTACKS = 4,
    ASPGAMES_TOGETHER = 8
};
enum aspgames_turns { ASPGAMES_UNBOUNDED = 30000 }; /* any number of turns */
enum aspgames_mode { ASPGAMES_BY_NUMBERS, ASPGAMES_DEPTH_FIRST, ASPGAMES_BREADTH_FIRST };

/* The children of a state, in the order of the moves. */
struct family {
    int32_t count;
    int32_t evaluated;   /* states */
    int32_t evaluations; /* of up to 512 states each */
    const int32_t *moves;
    const uint64_t *rows;
    const uint8_t *reached, *over, *attacks;
    const uint8_t *at_once; /* whether a reply settles the child: the attacker reaches the goal, or
                               the defender ends play */
};

/* A state's entry in the table. Turns are those that the attacker may still begin. */
struct node_report {
    int64_t node; /* its number */
    int64_t proof, disproof;
    int64_t lower, upper; /* bounds on the turns that suffice */
    int64_t evaluated;    /* states */
    int64_t left;         /* evaluations that may be made */
};

/* An array of the table: its address, the size of an item, and the number of items. */
struct table_part {
    void *at;
    int64_t item; /* [bytes] */
    int64_t count;
};

/* An empty table, which may grow to `most_bytes`. */
ASPGAMES_API struct search *NAME(aspgames_search_new)(
    const int32_t *block, int64_t most_bytes
);
ASPGAMES_API void NAME(aspgames_search_free)(struct search *search);
/* Continue with other tables of the same puzzle. */
ASPGAMES_API void NAME(aspgames_search_use)(struct search *search, const int32_t *block);
/* The evaluations of a search in a round, after `spent` of proof-number search in earlier rounds.
 * The other search is DEPTH_FIRST. */
ASPGAMES_API int64_t NAME(aspgames_search_round)(int64_t spent, int32_t mode);
/* Allow so many evaluations, and so much time, from now on; 0 seconds: no limit. */
ASPGAMES_API void NAME(aspgames_search_allow)(
    struct search *search, int64_t evaluations, double seconds
);
/* Search until the root is decided for so many turns (DONE), or what is allowed is spent
 * (MORE). Else FULL, DEEP, MIXED, LEFT_OUT or NO_MEMORY. For several threads at once. */
ASPGAMES_API enum aspgames_status NAME(aspgames_search_run)(
    struct search *search, struct worker *worker, int32_t root, int32_t turns, int32_t mode
);
/* Forget the results that took little effort, while no thread searches. Returns DONE, or FULL if
 * that frees too little room. */
ASPGAMES_API enum aspgames_status NAME(aspgames_search_sweep)(struct search *search);
/* Report a state's entry; a new state gets a node. Returns DONE or FULL. */
ASPGAMES_API enum aspgames_status NAME(aspgames_search_report)(
    struct search *search, const uint8_t *row, int32_t attacks, struct node_report *report
);
/* The table's parts, with room for so many more nodes and edges. Returns DONE or FULL. */
ASPGAMES_API enum aspgames_status NAME(aspgames_search_parts)(
    struct search *search, int64_t nodes, int64_t edges, struct table_part into[5]
);
/* Take over the data that was written into the parts of an empty table; false if it is invalid. */
ASPGAMES_API bool NAME(aspgames_search_adopt)(struct search *search, int64_t nodes, int64_t edges);

ASPGAMES_API struct worker *NAME(aspgames_worker_new)(const int32_t *block);
ASPGAMES_API void NAME(aspgames_worker_free)(struct worker *worker);
/* The sum of a state's `enum aspgames_verdict`; -1: the tables leave out its phase. */
ASPGAMES_API int NAME(aspgames_worker_judge)(struct worker *worker, const uint8_t *row);
/* Find the children of a state that is not over. Returns DONE, MIXED, LEFT_OUT or NO_MEMORY. */
ASPGAMES_API enum aspgames_status NAME(aspgames_worker_expand)(
    struct worker *worker, const uint8_t *row
);
/* The children that were found; valid until the next call. */
ASPGAMES_API const struct family *NAME(aspgames_worker_family)(const struct worker *worker);
/* Look for a plan of a side (0 defender, 1 attacker) within so many turns: one move for each ply,
 * -1 for a ply of the other side; NULL if the search finds no plan. `width` is the width of the
 * beam. `length` (2) gets the plies and the attacker's turns. */
ASPGAMES_API const int32_t *NAME(aspgames_worker_plan)(
    struct worker *worker, const uint8_t *row, int32_t side, int32_t turns, int32_t width,
    int32_t *length
);

/* The shortest way to a puzzle's goal if both sides cooperate. */
struct together;

struct together_report {
    int32_t turns, plies; /* before the states that were expanded last */
    int32_t found;        /* whether the goal is reached, a ply later */
    int32_t late; /* whether replies to the last turn were left out, which may reach the goal */
    int64_t evaluated; /* states */
    int64_t bytes;     /* memory in use */
};

/* `within`: the most turns. NULL when memory runs out. */
ASPGAMES_API struct together *NAME(aspgames_together_new)(
    const int32_t *block, const uint8_t *root, int32_t attacks, int32_t within
);
ASPGAMES_API void NAME(aspgames_together_free)(struct together *together);
/* Continue with other tables of the same puzzle; false when memory runs out. */
ASPGAMES_API bool NAME(aspgames_together_use)(struct together *together, const int32_t *block);
/* Search until the goal is found or no state is left (DONE), or for about so many evaluated states
 * (MORE). Else MIXED, LEFT_OUT or NO_MEMORY. */
ASPGAMES_API enum aspgames_status NAME(aspgames_together_run)(
    struct together *together, int64_t evaluations
);
/* After DONE, go on with the replies that were left out; false when memory runs out. */
ASPGAMES_API bool NAME(aspgames_together_go_on)(struct together *together);
/* After the goal was found: mark the states on all shortest ways, which evaluates about as many
 * states again. Returns MORE until all are marked. */
ASPGAMES_API enum aspgames_status NAME(aspgames_together_mark)(
    struct together *together, int64_t evaluations
);
/* Whether a state is on a shortest way, after so many turns and plies. */
ASPGAMES_API bool NAME(aspgames_together_is_marked)(
    const struct together *together, const uint8_t *row, int32_t turns, int32_t plies
);
ASPGAMES_API void NAME(aspgames_together_report)(
    const struct together *together, struct together_report *report
);
/* The states on the way to the goal, from the first to the last: plies + 2 rows. */
ASPGAMES_API void NAME(aspgames_together_way)(const struct together *together, uint8_t *rows);

#endif
