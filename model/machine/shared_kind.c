/* shared_kind.c - see shared_kind.h. */
#include "model/machine/shared_rows.h"

#include "base/status.h"
#include "model/machine/kind_rows.h"
#include "model/machine/machine.h"

/* --- Magnetic memory --- */

static void stt_cells(const uint64_t *values, ws_cells *out)
{
    *out = ws_shared_stt_cells(values);
}

static void stt_form(const uint64_t *values, ws_cells_form *out)
{
    ws_cells_name(out, "stt");
    ws_cells_add(out, "width", values[WS_SHARED_stt_width]);
    ws_cells_add(out, "ewt", values[WS_SHARED_stt_ewt]);
}

static bool stt_wants_values(const uint64_t *values)
{
    return values[WS_SHARED_stt_width] || values[WS_SHARED_stt_ewt];
}

static int check_stt(const uint64_t *values, uint32_t bytes)
{
    (void)bytes;
    return ws_cells_check("shared", values[WS_SHARED_stt_width], values[WS_SHARED_stt_ewt]);
}

/* --- With a section of SRAM beside it --- */

static void hybrid_cells(const uint64_t *values, ws_cells *out)
{
    *out = ws_shared_hybrid_cells(values);
}

static void hybrid_form(const uint64_t *values, ws_cells_form *out)
{
    ws_cells_name(out, values[WS_SHARED_hybrid_size] ? "hybrid" : "stt");
    ws_cells_add(out, "width", values[WS_SHARED_hybrid_width]);
    if (!values[WS_SHARED_hybrid_size])
        return;
    ws_cells_add(out, "size", values[WS_SHARED_hybrid_size]);
    ws_cells_add(out, "ways", values[WS_SHARED_hybrid_ram] ? 0 : values[WS_SHARED_hybrid_ways]);
    ws_cells_add(out, "ram", values[WS_SHARED_hybrid_ram]);
    ws_cells_add(out, "gate", values[WS_SHARED_hybrid_gate]);
    ws_cells_add(out, "final", values[WS_SHARED_hybrid_final]);
    out->sram_read = (uint32_t)values[WS_SHARED_hybrid_section_read];
    out->sram_write = (uint32_t)values[WS_SHARED_hybrid_section_write];
}

static bool hybrid_wants_values(const uint64_t *values)
{
    return values[WS_SHARED_hybrid_width] != 0;
}

static int check_hybrid(const uint64_t *values, uint32_t bytes)
{
    const uint64_t size = values[WS_SHARED_hybrid_size], ways = values[WS_SHARED_hybrid_ways];
    int status = ws_cells_check("shared", values[WS_SHARED_hybrid_width], 0);
    if (!status && size > bytes)
        status =
            ws_fail(WS_EINPUT, "shared.size = %llu bytes: a section of more than the %u of shared memory (sm.shared)",
                    (unsigned long long)size, bytes);
    if (!status && size % (WS_SHARED_LINE * (values[WS_SHARED_hybrid_ram] ? 1 : ways)))
        status =
            ws_fail(WS_EINPUT, "shared.size = %llu bytes: no multiple of %llu ways (shared.ways) of lines of %d bytes",
                    (unsigned long long)size, (unsigned long long)ways, WS_SHARED_LINE);
    if (!status && values[WS_SHARED_hybrid_final] && values[WS_SHARED_hybrid_ram])
        status = ws_fail(WS_EINPUT, "shared.final requires a cache, but with shared.ram = 1 the section is a memory");
    return status;
}

/* clang-format off */
#define SHARED_MEMORY(name, word, summary, ...) static const ws_option options_##name[] = {
#define OPTION(kind, name, ...) {#name, __VA_ARGS__},
#define END(kind) {NULL, NULL, 0, 0, 0, NULL}}; \
    _Static_assert((int)WS_SHARED_##kind##_END <= WS_SHARED_OPTIONS, "more options than there is room for");
/* clang-format on */
#include "model/machine/shared_memories.def"

#define SHARED_MEMORY(name, word, summary, ...) {word, summary, options_##name, __VA_ARGS__},
const ws_shared_memory_kind ws_shared_memory_kinds[] = {
#include "model/machine/shared_memories.def"
};

WS_KIND_ROWS(shared_memory_kind, ws_shared_memory_kinds)

const ws_shared_memory_kind *ws_shared_memory_of(const ws_machine *m, uint64_t values[WS_SHARED_OPTIONS])
{
    const ws_shared_memory_kind *const kind = m->shared_memory;
    ws_option_choose(kind->options, m->shared.list, m->shared.count, values);
    return kind;
}
