/* What a puzzle asks of states, as tables: those of a net (tables.h) with phases that know more.
 *
 * The roles are the sides, first the defender. Of a phase's programs `judge` comes first here (the
 * verdicts), `ask` after it (what is legal), and `advance` by itself.
 */
#ifndef ASPGAMES_SEARCH_TABLES_H
#define ASPGAMES_SEARCH_TABLES_H

#include "tables.h"

enum side { DEFENDER, ATTACKER };

/* What is asked of each state: the goal is reached; the game is over, or the side on move is stuck,
 * without it; the attacker or the defender is on move; the sides don't move one at a time. */
enum verdict { REACHED, OVER, ATTACKS, DEFENDS, SIMULTANEOUS, VERDICTS };

struct search_phase {
    struct phase phase;
    struct program count;       /* the gates below, before `judge` ... */
    struct program count_alone; /* ... and before `advance` */
    int32_t counted; /* where: for each gate that says "none of these fluents holds", its slot, or 0
                        ... */
    int32_t counted_alone; /* ... after `count_alone` */
    int32_t verdicts;      /* where: a literal for each */
    int32_t sure;          /* where: slots of effects that every move of the side on move has ... */
    int32_t sure_count[2]; /* ... first the defender's, then the attacker's */
};

/* What stands behind `struct tables` in the block. */
struct search_tables {
    struct tables tables;
    int32_t single;        /* whether there is one role: each of its moves is a turn */
    int32_t quiet;         /* whether the defender's own moves never reach the goal */
    int32_t counted_count; /* gates whose fluents are counted */
    int32_t counted;       /* where: for each gate, where its fluents are, and where they end ... */
    int32_t drops; /* ... and how many fewer of them hold after a ply of either side, at most */
};

#endif
