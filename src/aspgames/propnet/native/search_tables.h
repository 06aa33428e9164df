/* The tables of a puzzle: the tables of a net (tables.h), with more programs in each phase.
 *
 * The roles are the sides, first the defender. The program `judge` (verdicts) comes first here,
 * then `ask` (legal moves). `advance` stands alone.
 */
#ifndef ASPGAMES_SEARCH_TABLES_H
#define ASPGAMES_SEARCH_TABLES_H

#include "aspgames.h"
#include "tables.h"

enum side { DEFENDER, ATTACKER };

/* The verdicts of a state: the goal is reached; the game is over or the side on move is stuck,
 * without the goal; the attacker or the defender is on move; the sides do not move one at a time.
 */
enum verdict { REACHED, OVER, ATTACKS, DEFENDS, SIMULTANEOUS, VERDICTS };

struct search_phase {
    struct phase phase;
    struct program count;  /* the gates up to the counted ones, before `judge` */
    int32_t counted;       /* where: for each gate "none of these fluents holds" its slot, or 0 */
    int32_t verdicts;      /* where: a literal for each verdict */
    int32_t sure;          /* where: slots of the effects that all moves of a side share ... */
    int32_t sure_count[2]; /* ... first the defender's, then the attacker's */
};

/* The beginning of the block: `struct tables`, and the puzzle's numbers after it. */
struct search_tables {
    struct tables tables;
    int32_t single;        /* whether there is one role: each of its moves is a turn */
    int32_t quiet;         /* whether the defender's own moves never reach the goal */
    int32_t by_reply;      /* whether only these do */
    int32_t counted_count; /* gates whose fluents are counted */
    int32_t counted;       /* where: for each gate, where its fluents are, and where they end ... */
    int32_t drops; /* ... and the most by which a ply of each side lowers the number that hold */
};

#define PLACE_IN_TABLES(member) (offsetof(struct search_tables, member) / sizeof(int32_t))
_Static_assert(PLACE_IN_TABLES(tables.fluents) == ASPGAMES_FLUENTS_AT, "enum aspgames_place");
_Static_assert(PLACE_IN_TABLES(tables.roles) == ASPGAMES_ROLES_AT, "enum aspgames_place");
_Static_assert(PLACE_IN_TABLES(single) == ASPGAMES_SINGLE_AT, "enum aspgames_place");

#endif
