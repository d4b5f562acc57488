/* source.h - where the simulator gets the instructions of a warp from: a trace file, or the engine while it runs.
 *
 * A source has numbered slots; a CTA that becomes resident gets one. Different slots may be used by different threads
 * when the source says so; a slot by one at a time. */
#ifndef WS_SOURCE_H
#define WS_SOURCE_H

#include "collect/trace/event.h"

#include <stdbool.h>

/* What a warp does next: an event of event.h, with its addresses close by. */
typedef struct ws_step {
    uint32_t pc, active, exec;
    uint32_t detail; /* of branches `taken`, of barriers `barrier` */
    uint16_t count;  /* instructions; 0: a further part of the instruction before */
    uint8_t kind;    /* ws_event_kind; never RECONVERGE */
    uint8_t depth;   /* 0: all live lanes of the warp are on this path */
    uint8_t space, texel, further;
    uint8_t failed;          /* of compare-and-swaps: 1 + lanes whose word was not what they expected; 0: not told */
    const uint64_t *address; /* 32 * (1 + further), of memory events; valid until the next call for this slot */
    /* What registers held and hold, of this step and perhaps those around it, in order; where somebody asked for
     * values. Valid until the next call for this warp. */
    const ws_value *value;
    uint32_t values;
} ws_step;

typedef struct ws_source ws_source;

typedef struct ws_source_ops {
    bool parallel;   /* different slots at the same time */
    bool repeatable; /* a CTA can be started again and does the same: checkpoints are possible */
    /* From now on steps come with values; before the first CTA. NULL: the source has none. */
    void (*give_values)(ws_source *source);
    /* CTA `cta` of the launch becomes resident in the slot: any that is left, in any order. */
    int (*begin)(ws_source *source, uint32_t slot, uint64_t cta);
    /* The next step of the warp; *found false when it has ended. A live warp runs now. */
    int (*next)(ws_source *source, uint32_t slot, uint32_t warp, ws_step *step, bool *found);
    /* The CTA has ended, or is given up. */
    void (*end)(ws_source *source, uint32_t slot);
    void (*destroy)(ws_source *source);
} ws_source_ops;

struct ws_source {
    const ws_source_ops *ops;
    const ws_launch *launch;
    uint64_t ctas; /* that there are, from CTA 0 on: fewer than the launch's for a trace that breaks off */
    uint32_t slots;
};

/* Launch `index` of a trace file, which must outlive the source. The caller frees it with ops->destroy. */
struct ws_trace;
int ws_source_of_trace(struct ws_trace *trace, size_t index, uint32_t slots, ws_source **out);

#endif
