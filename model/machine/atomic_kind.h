/* atomic_kind.h - properties of atomic operation rules (atomics.def). model/sim/sm implements them. */
#ifndef WS_ATOMIC_KIND_H
#define WS_ATOMIC_KIND_H

#include "base/option.h"
#include "model/cache/cache.h"
#include "model/machine/machine_declared.h"

typedef struct ws_atomic_kind {
    const char *name, *summary;
    const ws_option *options; /* its options, given in [atomics] */
    bool combines;            /* lanes that update the same word are one access */
    bool in_l1;               /* updates stay in lines of plain L1s, which is the whole rule */
    bool owns;                /* or L1s own the lines of atomics */
    bool counts;              /* it counts updates: columns of `sim` */
    bool ages;                /* it keeps operations until their lines reach an age, or others end them */
    /* Describes the array of its lines, whose memory is part of the state. NULL: no array. WS_EINPUT for inconsistent
     * values. */
    int (*arrange)(const uint64_t *values, ws_cache *tags);
    uint32_t (*lines)(const uint64_t *values); /* lines of the L1 that it occupies; NULL: none */
    /* Returns the rule that these values are equivalent to; NULL: this one. */
    const struct ws_atomic_kind *(*instead)(const uint64_t *values);
    bool (*fetches)(const uint64_t *values); /* are lines read for updates in L1s? NULL: no */
    /* Returns whether lanes that update one word take turns, in spite of `combines'. NULL: never. */
    bool (*turns)(const uint64_t *values);
    /* Returns whether all atomics of global memory are treated as updates. NULL: never. */
    bool (*any)(const uint64_t *values);
} ws_atomic_kind;

extern const ws_atomic_kind ws_atomic_kinds[]; /* in the order of atomics.def */
/* Return the row of that name, or NULL; the row at an index, or NULL past the last. */
const ws_atomic_kind *ws_atomic_kind_find(const char *name);
const ws_atomic_kind *ws_atomic_kind_at(size_t index);

/* Return whether updates stay in lines of the machine's L1s; whether L1s own lines of atomics; whether updates read
 * lines. */
bool ws_atomic_stays_in_l1(const ws_machine *machine);
bool ws_atomic_owns(const ws_machine *machine);
bool ws_atomic_phi_fetches(const ws_machine *machine);
/* Returns whether the machine treats all atomics of global memory as updates. */
bool ws_atomic_takes_any(const ws_machine *machine);
/* Returns whether lanes that update one word are one access, with these values of the rule's options. */
bool ws_atomic_combines(const ws_atomic_kind *kind, const uint64_t *values);

/* Returns the rule of a machine, or the rule that its values are equivalent to, with its options in
 * values[WS_ATOMIC_OPTIONS]. */
enum { WS_ATOMIC_OPTIONS = 16 };
const ws_atomic_kind *ws_atomic_of(const ws_machine *machine, uint64_t *values);

#endif
