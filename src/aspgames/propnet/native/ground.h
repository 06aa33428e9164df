/* Ground rules, as clingo's grounder hands them over. */

#ifndef ASPGAMES_GROUND_H
#define ASPGAMES_GROUND_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The same numbers stand in ground_rules.py. */
enum ground_status {
    GROUND_FINE = 0,
    GROUND_TOO_MANY = 1,  /* rules */
    GROUND_CONSTRAINS = 2, /* a rule without one atom as its head */
    GROUND_CHOOSES = 3,   /* a choice with an aggregate */
    GROUND_NO_MEMORY = 4,
    GROUND_STOPPED = 5,   /* nobody wants the rules any more */
};

/* A rule for an atom: its body's literals begin where those of the rule before end. */
struct ground_rule {
    int32_t head;
    int32_t bound;   /* the sum that the weights of the true literals must reach */
    int64_t weights; /* where the weights begin, or -1: all literals must be true */
    int64_t end;     /* of the literals */
};

struct ground {
    int32_t status;
    int32_t most_rules;
    int32_t atoms;    /* the highest number of an atom */
    int32_t *choices; /* the atoms that are left open; one may occur more than once */
    int64_t choice_count;
    int64_t seen; /* rules, choices included */
    int64_t rule_count, literal_count, weight_count, shown_count;
    struct ground_rule *rules;
    int32_t *literals;
    int32_t *weights;
    uint64_t *symbols; /* clingo's, of the atoms that are shown */
    int32_t *shown;    /* the numbers of these atoms; 0 is a fact */
    bool (*go_on)(void); /* asked some times a second whether the rules are still wanted */
    int64_t calls;       /* of the functions here */
    clock_t asked;
    int64_t choice_room, rule_room, literal_room, weight_room, symbol_room, shown_room;
};

#endif
