/* dram_controller.h - properties of memory controllers (dram_controllers.def). model/sim/memory implements their order
 * of requests. */
#ifndef WS_DRAM_CONTROLLER_H
#define WS_DRAM_CONTROLLER_H

#include "base/option.h"

#include <stddef.h>
#include <stdint.h>

typedef struct ws_dram_controller_kind {
    const char *name, *summary;
    const ws_option *options; /* its options */
} ws_dram_controller_kind;

extern const ws_option ws_dram_common_options[];                 /* of all controllers */
extern const ws_dram_controller_kind ws_dram_controller_kinds[]; /* in the order of dram_controllers.def */
/* Return the row of that name, or NULL; the row at an index, or NULL past the last. */
const ws_dram_controller_kind *ws_dram_controller_kind_find(const char *name);
const ws_dram_controller_kind *ws_dram_controller_kind_at(size_t index);

/* Controller with consistent options, and values derived from them, in requests. */
enum { WS_DRAM_COMMON = 8, WS_DRAM_OPTIONS = 8 };
typedef struct ws_dram_plan {
    const ws_dram_controller_kind *kind;
    uint64_t common[WS_DRAM_COMMON], own[WS_DRAM_OPTIONS]; /* values of the options */
    uint32_t read_queue, write_queue, replies, write_high, write_low;
} ws_dram_plan;

/* Makes the controller with these common and specific options. WS_EINPUT names the option and the reason. */
int ws_dram_plan_make(const ws_dram_controller_kind *kind, const ws_given *given, size_t count, ws_dram_plan *out);

#endif
