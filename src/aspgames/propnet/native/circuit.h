/* A circuit of and-gates with negation on their operands, in arrays.

   From Python: an ``aspgames.propnet.circuit.Circuit`` owns one of these and has its address as
   ``Circuit.handle`` (a ``ctypes.c_void_p``); declare the argument ``const struct circuit *`` here
   and ``c_void_p`` there. The object frees it, so it must outlive the call; the arrays stay where
   they are until a node is added (``circuit_input``, ``circuit_conjunction``, …). */

#ifndef ASPGAMES_CIRCUIT_H
#define ASPGAMES_CIRCUIT_H

#include <stdbool.h>
#include <stdint.h>

#include "export.h"

/* A literal is a node's number, negative for its negation. Node 1 is the constant true. */
#define CIRCUIT_TRUE 1
#define CIRCUIT_FALSE (-1)

/* Atoms that depend on each other: from "all variables are false" on, the gates ``first`` ..
   ``end - 1`` compute one round, whose results, the definitions, are the variables' values in the
   next, until nothing changes. */
struct loop {
    int32_t count;
    int32_t first;        /* the first node whose gate may depend on the variables */
    int32_t end;          /* the node after the last that belongs to the round */
    int32_t *variables;   /* ``count`` nodes without a gate, all before ``first`` */
    int32_t *definitions; /* ``count`` literals */
};

/* The nodes are 1 .. size, each after those that it depends on. The conjunction of node n has the
   literals[starts[n]] .. literals[starts[n + 1] - 1], at least two, of distinct nodes, ascending by
   node; a node without any (and not node 1) is an input or a loop's variable. */
struct circuit {
    int32_t size;
    int64_t *starts; /* size + 2 entries */
    int32_t *literals;
    int32_t loop_count;
    struct loop *loops; /* in the order of ``first``; their rounds don't overlap */
    /* The rest is for circuit.c alone. */
    int64_t node_room, literal_room, loop_room;
    int32_t *known; /* hash table of the gates with open addressing; 0 where it is free */
    int64_t known_room, gate_count;
};

/* What makes a literal or a node returns 0 if there is no memory for it. */
EXPORT struct circuit *circuit_new(void);
EXPORT void circuit_free(struct circuit *circuit);
EXPORT int32_t circuit_input(struct circuit *circuit);
/* The literal that is true when all the given ones are. */
EXPORT int32_t circuit_conjunction(struct circuit *circuit, const int32_t *literals, int64_t count);
/* The literal that is true when the weights of the true literals reach a bound. */
EXPORT int32_t circuit_at_least(struct circuit *circuit, int64_t bound, const int32_t *literals,
                         const int32_t *weights, int64_t count);
EXPORT bool circuit_loop(struct circuit *circuit, const int32_t *variables, const int32_t *definitions,
                  int32_t count, int32_t first, int32_t end);
EXPORT struct circuit *circuit_assuming(const struct circuit *circuit, int32_t *became);
EXPORT bool circuit_unchanging(const struct circuit *circuit, const int32_t *inputs,
                        const int32_t *follows, int8_t *values, int64_t count);

#endif
