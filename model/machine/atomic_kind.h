/* atomic_kind.h - the facts of a rule for atomic operations: atomics.def. What leaves an SM is in model/sim/sm. */
#ifndef WS_ATOMIC_KIND_H
#define WS_ATOMIC_KIND_H

#include "base/option.h"
#include "model/cache/cache.h"
#include "model/machine/machine_declared.h"

typedef struct ws_atomic_kind {
    const char *name, *summary;
    const ws_option *options; /* its own, given in [atomics] */
    bool combines;            /* lanes that update one word are one access */
    bool in_l1;               /* updates stay in lines of plain L1s, which is all of the rule */
    bool owns;                /* ... or, instead, these L1s own the lines of atomics */
    bool counts;              /* it counts updates: columns of `sim` */
    bool ages;                /* it keeps operations until lines are so old, or others end them */
    /* The array of its lines, whose memory is a part of the state. NULL: it has none. WS_EINPUT: values do not go
     * together. */
    int (*arrange)(const uint64_t *values, ws_cache *tags);
    uint32_t (*lines)(const uint64_t *values); /* of the L1 that it takes for itself; NULL: none */
    /* The rule that these values come to; NULL: this one. */
    const struct ws_atomic_kind *(*instead)(const uint64_t *values);
    bool (*fetches)(const uint64_t *values); /* are lines read for updates in L1s? NULL: no */
    /* Returns whether lanes that update one word take turns, in spite of `combines'. NULL: never. */
    bool (*turns)(const uint64_t *values);
    /* Returns whether all atomics of global memory are treated as updates. NULL: never. */
    bool (*any)(const uint64_t *values);
} ws_atomic_kind;

extern const ws_atomic_kind ws_atomic_kinds[]; /* in the order of atomics.def */
/* The row of that name, or NULL; the row at an index, NULL behind the last. */
const ws_atomic_kind *ws_atomic_kind_find(const char *name);
const ws_atomic_kind *ws_atomic_kind_at(size_t index);

/* Do updates stay in lines of the machine's L1s? Do L1s own lines of atomics? Are lines read for updates? */
bool ws_atomic_stays_in_l1(const ws_machine *machine);
bool ws_atomic_owns(const ws_machine *machine);
bool ws_atomic_phi_fetches(const ws_machine *machine);
/* Returns whether the machine treats all atomics of global memory as updates. */
bool ws_atomic_takes_any(const ws_machine *machine);
/* Returns whether lanes that update one word are one access, with these values of the rule's options. */
bool ws_atomic_combines(const ws_atomic_kind *kind, const uint64_t *values);

/* The rule of a machine with what it was given, other rules that these come to put in its place. */
enum { WS_ATOMIC_OPTIONS = 16 };
const ws_atomic_kind *ws_atomic_of(const ws_machine *machine, uint64_t *values);

#endif
