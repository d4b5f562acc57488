/* scheduler_kind.c - see scheduler_kind.h. */
#include "model/machine/scheduler_rows.h"

#include "model/machine/kind_rows.h"

/* clang-format off */
#define WARP_SCHEDULER(name, word, summary) static const ws_option options_##name[] = {
#define OPTION(kind, name, ...) {#name, __VA_ARGS__},
#define END(kind) {NULL, NULL, 0, 0, 0, NULL}}; \
    _Static_assert((int)WS_SCHEDULER_##kind##_END <= WS_SCHEDULER_OPTIONS, "more options than there is room for");
/* clang-format on */
#include "model/machine/warp_schedulers.def"

#define WARP_SCHEDULER(name, word, summary) {word, summary, options_##name},
const ws_warp_scheduler_kind ws_warp_scheduler_kinds[] = {
#include "model/machine/warp_schedulers.def"
};

WS_KIND_ROWS(warp_scheduler_kind, ws_warp_scheduler_kinds)
