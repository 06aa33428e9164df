/* Depth-first proof-number search: chooses the next child to search.
 *
 * (df-pn; Nagai 2002; thresholds of Pawlewicz and Lew 2007; virtual loss keeps threads apart,
 * Kaneko 2010.) A node's proof number is a lower bound on the number of states that must be proved
 * to prove the node. Its disproof number is the same for a disproof. The search is best where one
 * side has few replies, or where much of the board doesn't matter.
 */
#ifndef ASPGAMES_PROOF_NUMBERS_INC_C
#define ASPGAMES_PROOF_NUMBERS_INC_C

#include "nodes.inc.c"

/* The numbers of a node for so many turns. */
static void numbers_of(const struct node *node, int turns, uint32_t *proof, uint32_t *disproof) {
    if (is_decided(node, turns)) {
        *proof = node->upper <= turns ? 0 : UNPROVABLE;
        *disproof = node->upper <= turns ? UNPROVABLE : 0;
    } else if (node->turns == turns) {
        *proof = node->proof;
        *disproof = node->disproof;
    } else {
        uint32_t moves = node->moves ? node->moves : 1;
        *proof = node->attacks ? 1 : moves;
        *disproof = node->attacks ? moves : 1;
    }
}

/* The limits of the search below a node: it ends when one of the node's numbers reaches its limit.
 */
struct limits {
    uint32_t proof, disproof;
};

static inline uint32_t smaller(uint64_t a, uint64_t b) { return (uint32_t)(a < b ? a : b); }

/* Compute a node's numbers from its children's. Choose the child to search next and set `limits` to
 * the child's, or return -1 if a number reaches its limit.
 *
 * For the side on move, its own number is the minimum of the children's; the other number is their
 * sum. */
static int32_t best_by_numbers(struct search *s, int32_t number, int left, struct limits *limits) {
    struct node *node = s->nodes + number;
    int attacks = node->attacks;
    int32_t best = -1;
    uint64_t least = UNPROVABLE, first = 3 * (uint64_t)UNPROVABLE, second = first, sum = 0;
    uint32_t best_own = UNPROVABLE, best_other = 0;
    for (int64_t edge = node->first; edge < node->first + node->edges; edge++) {
        const struct node *child = s->nodes + s->ends[edge];
        uint32_t proof, disproof;
        numbers_of(child, left_after(s, node, child, left), &proof, &disproof);
        uint32_t own = attacks ? proof : disproof, other = attacks ? disproof : proof;
        sum += other;
        if (own < least) least = own;
        if (own >= UNPROVABLE) continue;
        uint64_t seeming = own + (uint64_t)child->threads * (1 + own / 2);
        if (seeming < first) {
            second = first;
            first = seeming;
            best = s->ends[edge];
            best_own = own;
            best_other = other;
        } else if (seeming < second) {
            second = seeming;
        }
    }
    uint32_t summed = smaller(sum, UNPROVABLE - 1);
    node->turns = (int16_t)left;
    node->proof = attacks ? (uint32_t)least : summed;
    node->disproof = attacks ? summed : (uint32_t)least;
    if (node->proof >= limits->proof || node->disproof >= limits->disproof) return -1;
    uint32_t *own_limit = attacks ? &limits->proof : &limits->disproof;
    uint32_t *other_limit = attacks ? &limits->disproof : &limits->proof;
    uint64_t next = second + (second / 4 > 1 ? second / 4 : 1);
    *own_limit = smaller(smaller(*own_limit, next), UNPROVABLE);
    if (*own_limit <= best_own)
        *own_limit = best_own + 1; /* for when other threads search likelier children */
    *other_limit = *other_limit - summed + best_other;
    return best;
}

#endif
