/* source.h - source of a warp's instructions for the simulator: a trace file, or the running engine.
 *
 * A source has numbered slots; a resident CTA has one. Different slots may be used by different threads if the source
 * permits it; a slot by one at a time. */
#ifndef WS_SOURCE_H
#define WS_SOURCE_H

#include "collect/trace/event.h"

#include <stdbool.h>

/* Next step of a warp: an event of event.h with its addresses. */
typedef struct ws_step {
    uint32_t pc, active, exec;
    uint32_t detail; /* of branches `taken`, of barriers `barrier` */
    uint16_t count;  /* instructions; 0: continues the previous instruction */
    uint8_t kind;    /* ws_event_kind; never RECONVERGE */
    uint8_t depth;   /* 0: all live lanes of the warp are on this path */
    uint8_t space, texel, further;
    uint8_t failed;          /* of compare-and-swaps: 1 + lanes whose word differed from the expected one; 0: unknown */
    const uint64_t *address; /* 32 * (1 + further), of memory events; valid until the next call for this slot */
    /* Old and new contents of registers, of this step and possibly adjacent ones, in order, if values were requested.
     * Valid until the next call for this warp. */
    const ws_value *value;
    uint32_t values;
} ws_step;

typedef struct ws_source ws_source;

typedef struct ws_source_ops {
    bool parallel;   /* different slots may be used at the same time */
    bool repeatable; /* a CTA can be restarted with the same result: checkpoints are possible */
    /* Enables values in steps; called before the first CTA. NULL: the source has no values. */
    void (*give_values)(ws_source *source);
    /* CTA `cta` of the launch, not started before, becomes resident in the slot; in any order. */
    int (*begin)(ws_source *source, uint32_t slot, uint64_t cta);
    /* Returns the next step of the warp; *found is false at its end. A live warp executes it now. */
    int (*next)(ws_source *source, uint32_t slot, uint32_t warp, ws_step *step, bool *found);
    /* The CTA has ended, or is abandoned. */
    void (*end)(ws_source *source, uint32_t slot);
    void (*destroy)(ws_source *source);
} ws_source_ops;

struct ws_source {
    const ws_source_ops *ops;
    const ws_launch *launch;
    uint64_t ctas; /* available CTAs, from CTA 0: fewer than the launch's for a truncated trace */
    uint32_t slots;
};

/* Makes a source of launch `index` of a trace file, which must outlive it. The caller frees it with ops->destroy. */
struct ws_trace;
int ws_source_of_trace(struct ws_trace *trace, size_t index, uint32_t slots, ws_source **out);

#endif
