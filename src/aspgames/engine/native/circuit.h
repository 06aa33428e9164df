/* A circuit of and-gates with negation on their operands, in arrays.

   From Python: an ``aspgames.engine.circuit.Circuit`` owns one of these and has its address as
   ``Circuit.handle`` (a ``ctypes.c_void_p``); declare the argument ``const struct circuit *`` here and
   ``c_void_p`` there. The object frees it, so it must outlive the call; the arrays stay where
   they are until the next call that adds a node (``circuit_input``, ``circuit_conjunction``, …). */

#ifndef ASPGAMES_CIRCUIT_H
#define ASPGAMES_CIRCUIT_H

#include <stdbool.h>
#include <stdint.h>

/* A literal is a node's number, negative for its negation. Node 1 is the constant true. */
#define CIRCUIT_TRUE 1
#define CIRCUIT_FALSE (-1)

/* Atoms that depend on each other: from "all variables are false" on, the gates ``first`` .. ``end - 1``
   compute one round, whose results, the definitions, are the variables' values in the next,
   until nothing changes. The variables are nodes without a gate, before ``first``. */
struct loop {
    int32_t count;
    int32_t first; /* the first node whose gate may depend on the variables */
    int32_t end;   /* the node after the last that belongs to the round */
    int32_t *variables;   /* ``count`` nodes; in a circuit that was simplified they may be literals or constants */
    int32_t *definitions; /* ``count`` literals */
};

/* The nodes are 1 .. size, each after those that it depends on. The conjunction of node n has the
   literals[starts[n]] .. literals[starts[n + 1] - 1], ascending and of distinct nodes, at least
   two; a node without any (and not node 1) is an input. */
struct circuit {
    int32_t size;
    int64_t *starts; /* size + 2 entries */
    int32_t *literals;
    int32_t loop_count;
    struct loop *loops; /* in the order of ``first``; their rounds don't overlap */
    /* The rest is for circuit.c alone. */
    int64_t node_room, literal_room, loop_room;
    int32_t *known; /* hash table of the gates, open addressing; 0 where it is free */
    int64_t known_room;
};

#endif
