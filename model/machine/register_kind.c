/* register_kind.c - see register_kind.h. */
#include "model/machine/register_rows.h"

#include "model/machine/kind_rows.h"
#include "base/status.h"
#include "model/machine/machine.h"

#define ALIKE(option) \
    _Static_assert((int)WS_REGISTERS_banked_##option == WS_REGISTERS_differential_##option && \
                       (int)WS_REGISTERS_banked_##option == WS_REGISTERS_stt_##option, \
                   "files with banks begin alike")
ALIKE(banks);
ALIKE(ports);
ALIKE(collectors);
ALIKE(read);
ALIKE(write);
ALIKE(port);

static bool always(const uint64_t *values)
{
    (void)values;
    return true;
}

static int check_banked(const uint64_t *values)
{
    const uint64_t port = values[WS_REGISTERS_banked_port];
    return !port || WS_WARP % port == 0
               ? WS_OK
               : ws_fail(WS_EINPUT,
                         "registers.port = %llu: ports of %llu words do not divide a warp register, %d words: 1, 2, 4, "
                         "8, 16 or 32, or 0 for the whole register",
                         (unsigned long long)port, (unsigned long long)port, WS_WARP);
}

/* --- Magnetic banks --- */

static void stt_cells(const uint64_t *values, ws_cells *out)
{
    *out = ws_register_stt_cells(values);
}

static void stt_form(const uint64_t *values, ws_cells_form *out)
{
    ws_cells_name(out, "stt");
    ws_cells_add(out, "width", values[WS_REGISTERS_stt_width]);
    ws_cells_add(out, "ewt", values[WS_REGISTERS_stt_ewt]);
    ws_cells_add(out, "coalesce", values[WS_REGISTERS_stt_coalesce] != 0);
    out->sram_read = (uint32_t)values[WS_REGISTERS_stt_read];
    out->sram_write = (uint32_t)values[WS_REGISTERS_stt_sram_write];
    out->waiting = (uint32_t)values[WS_REGISTERS_stt_coalesce];
    out->wide = (uint32_t)values[WS_REGISTERS_stt_wide];
    out->buffer_cycles = (uint32_t)values[WS_REGISTERS_stt_buffer];
    /* Profiles do not tell registers apart by their numbers, and have turns of ports of a warp's words at most. */
    const bool beyond = values[WS_REGISTERS_stt_coalesce] && WS_WARP % values[WS_REGISTERS_stt_wide];
    out->unknown = values[WS_REGISTERS_stt_sram_registers] ? "registers.sram_registers"
                   : beyond                                ? "registers.wide"
                                                           : NULL;
}

static bool stt_wants_values(const uint64_t *values)
{
    const ws_cells c = ws_register_stt_cells(values);
    return ws_cells_look(&c);
}

static int check_row(const uint64_t *values)
{
    const uint64_t row = values[WS_REGISTERS_stt_row], wide = values[WS_REGISTERS_stt_wide];
    if (row % WS_WARP)
        return ws_fail(WS_EINPUT, "registers.row = %llu: a row has whole registers of warps, a multiple of %d words",
                       (unsigned long long)row, WS_WARP);
    return row % wide ? ws_fail(WS_EINPUT, "registers.wide = %llu: wide writes do not make up registers.row = %llu",
                                (unsigned long long)wide, (unsigned long long)row)
                      : WS_OK;
}

static int check_stt(const uint64_t *values)
{
    int status = ws_cells_check("registers", values[WS_REGISTERS_stt_width], values[WS_REGISTERS_stt_ewt]);
    if (!status)
        status = check_banked(values);
    return status ? status : check_row(values);
}

/* clang-format off */
#define REGISTER_FILE(name, word, summary, ...) static const ws_option options_##name[] = {
#define OPTION(kind, name, ...) {#name, __VA_ARGS__},
#define END(kind) {NULL, NULL, 0, 0, 0, NULL}}; \
    _Static_assert((int)WS_REGISTERS_##kind##_END <= WS_REGISTER_OPTIONS, "more options than there is room for");
/* clang-format on */
#include "model/machine/register_files.def"

#define REGISTER_FILE(name, word, summary, ...) {word, summary, options_##name, __VA_ARGS__},
const ws_register_file_kind ws_register_file_kinds[] = {
#include "model/machine/register_files.def"
};

WS_KIND_ROWS(register_file_kind, ws_register_file_kinds)

const ws_register_file_kind *ws_register_file_of(const ws_machine *m, uint64_t values[WS_REGISTER_OPTIONS])
{
    const ws_register_file_kind *const kind = m->registers_file;
    ws_option_choose(kind->options, m->registers.list, m->registers.count, values);
    return kind;
}

uint32_t ws_register_port(const ws_machine *m)
{
    uint64_t values[WS_REGISTER_OPTIONS];
    return ws_register_file_of(m, values)->banked ? (uint32_t)values[WS_REGISTERS_banked_port] : 0;
}

uint32_t ws_register_banks(const ws_machine *m)
{
    uint64_t values[WS_REGISTER_OPTIONS];
    return ws_register_file_of(m, values)->banked ? (uint32_t)values[WS_REGISTERS_banked_banks] : 1;
}

uint32_t ws_register_collectors(const ws_machine *m)
{
    uint64_t values[WS_REGISTER_OPTIONS];
    return ws_register_file_of(m, values)->banked ? (uint32_t)values[WS_REGISTERS_banked_collectors] : 0;
}
