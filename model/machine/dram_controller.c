/* dram_controller.c - see dram_controller.h. */
#include "model/machine/dram_controller_rows.h"

#include "base/status.h"
#include "model/machine/kind_rows.h"

#include <inttypes.h>

/* clang-format off */
#define COMMON(name) const ws_option ws_dram_common_options[] = {
#define CONTROLLER(name, word, summary) static const ws_option options_##name[] = {
#define OPTION(controller, name, ...) {#name, __VA_ARGS__},
#define END(controller) {NULL, NULL, 0, 0, 0, NULL}}; \
    _Static_assert((int)WS_DRAM_##controller##_END <= WS_DRAM_OPTIONS, "more options than a plan has room for");
/* clang-format on */
#include "model/machine/dram_controllers.def"

#define CONTROLLER(name, word, summary) {word, summary, options_##name},
const ws_dram_controller_kind ws_dram_controller_kinds[] = {
#include "model/machine/dram_controllers.def"
};

WS_KIND_ROWS(dram_controller_kind, ws_dram_controller_kinds)

int ws_dram_plan_make(const ws_dram_controller_kind *kind, const ws_given *given, size_t count, ws_dram_plan *out)
{
    *out = (ws_dram_plan){.kind = kind};
    int rc = ws_option_resolve(kind->name, ws_dram_common_options, kind->options, given, count, out->common);
    if (!rc)
        rc = ws_option_resolve(kind->name, kind->options, ws_dram_common_options, given, count, out->own);
    if (rc)
        return rc;
    const uint64_t *const v = out->common;
    out->read_queue = (uint32_t)v[WS_DRAM_common_read_queue];
    out->write_queue = (uint32_t)v[WS_DRAM_common_write_queue];
    out->replies = (uint32_t)v[WS_DRAM_common_replies];
    out->write_high = v[WS_DRAM_common_write_high] ? (uint32_t)v[WS_DRAM_common_write_high] : out->write_queue;
    out->write_low = (uint32_t)v[WS_DRAM_common_write_low];
    if (out->write_high > out->write_queue || out->write_low >= out->write_high)
        return ws_fail(WS_EINPUT,
                       "memory channel: write_low = %" PRIu32 ", write_high = %" PRIu32 ", write_queue = %" PRIu32
                       "; the first must be below the second, and that not above "
                       "the third",
                       out->write_low, out->write_high, out->write_queue);
    return WS_OK;
}
