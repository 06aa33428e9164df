/* Backward induction: the values of states from those of their successors.
 *
 * A value is one number: 65536 times the number of an outcome (the goals of all roles at the end of
 * a game), plus the plies until then. The preferences of a role are a rank for each outcome, and
 * whether it prefers few plies to that outcome. Several threads may work on different states at a
 * time.
 */
#include "aspgames.h"

#include <stdint.h>

#define UNKNOWN UINT32_MAX

enum { MOST_PLIES = 65534, NO_CHOICE = 254 };

static inline uint32_t value_of(const uint32_t *values, uint32_t state) {
    return __atomic_load_n(values + state, __ATOMIC_RELAXED);
}

/* Whether a role prefers one value to another. The lower outcome number decides between equals. */
static inline int is_better(const struct preferences *p, int32_t role, uint32_t a, uint32_t b) {
    int32_t one = (int32_t)(a >> 16), other = (int32_t)(b >> 16);
    int32_t rank = p->ranks[role * p->outcomes + one], than = p->ranks[role * p->outcomes + other];
    uint32_t plies = a & 0xFFFF, others = b & 0xFFFF;
    if (rank != than) return rank > than;
    if (plies != others)
        return p->hurry[role * p->outcomes + one] ? plies < others : plies > others;
    return one < other;
}

/* The value of a state, given the values of its successors; UNKNOWN if these do not settle it yet.
 */
static uint32_t follows(
    const struct preferences *p, int32_t role, const uint32_t *edges, int32_t degree,
    const uint32_t *values, struct induction_counts *found
) {
    uint32_t best = UNKNOWN, aimed = UNKNOWN;
    int whole = 1;
    for (int32_t e = 0; e < degree; e++) {
        uint32_t value = value_of(values, edges[e]);
        if (value == UNKNOWN) {
            whole = 0;
            if (!p->aims) return UNKNOWN;
            continue;
        }
        if (best == UNKNOWN || is_better(p, role, value, best)) best = value;
        if (p->aims && p->aims[role * p->outcomes + (int32_t)(value >> 16)])
            if (aimed == UNKNOWN || (value & 0xFFFF) < (aimed & 0xFFFF)) aimed = value;
    }
    if (whole) return best;
    if (aimed == UNKNOWN) return UNKNOWN;
    uint32_t plies = (aimed & 0xFFFF) + 1;
    if (plies <= p->plies) return aimed;
    if (!found->next || plies < found->next) found->next = plies;
    return UNKNOWN;
}

enum aspgames_status aspgames_induce(
    const struct preferences *p, int64_t first, int64_t count, const uint8_t *movers,
    const uint16_t *degrees, const uint32_t *edges, int64_t end, uint32_t *values,
    struct induction_counts *found
) {
    enum { NEAR = 64 }; /* how many edges ahead the values are prefetched */
    const uint32_t *at = edges + end, *asked = at;
    for (int64_t i = count - 1; i >= 0; i--) {
        at -= degrees[i];
        while (asked > edges && asked > at - NEAR) __builtin_prefetch(values + *--asked);
        if (value_of(values, (uint32_t)(first + i)) != UNKNOWN) continue;
        int32_t role = movers[i] >= NO_CHOICE ? 0 : movers[i];
        uint32_t value = follows(p, role, at, degrees[i], values, found);
        if (value == UNKNOWN) {
            found->open++;
            continue;
        }
        if ((value & 0xFFFF) >= MOST_PLIES) return ASPGAMES_TOO_MANY_PLIES;
        __atomic_store_n(values + first + i, value + 1, __ATOMIC_RELAXED);
        found->settled++;
        if ((value & 0xFFFF) + 1 > found->longest) found->longest = (value & 0xFFFF) + 1;
    }
    return 0;
}

int64_t aspgames_check_values(
    const struct preferences *p, const uint8_t *even, int64_t count, const uint8_t *movers,
    const uint16_t *degrees, const uint32_t *edges, const uint32_t *own, const uint32_t *values
) {
    for (int64_t i = 0; i < count; edges += degrees[i++]) {
        if (movers[i] == 255) continue;
        int32_t role = movers[i] >= NO_CHOICE ? 0 : movers[i];
        uint32_t best = UNKNOWN;
        int whole = 1;
        for (int32_t e = 0; e < degrees[i]; e++) {
            uint32_t value = values[edges[e]];
            if (value == UNKNOWN)
                whole = 0;
            else if (best == UNKNOWN || is_better(p, role, value, best))
                best = value;
        }
        int ends =
            best != UNKNOWN
            && (whole
                || (movers[i] != NO_CHOICE && even[role * p->outcomes + (int32_t)(best >> 16)]));
        if (own[i] != (ends ? best + 1 : UNKNOWN)) return i;
    }
    return -1;
}
