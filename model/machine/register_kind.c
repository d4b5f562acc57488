/* register_kind.c - see register_kind.h. */
#include "model/machine/register_rows.h"

#include "model/machine/kind_rows.h"
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

static bool always(const uint64_t *values)
{
    (void)values;
    return true;
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
    out->buffer_cycles = (uint32_t)values[WS_REGISTERS_stt_buffer];
    out->unknown = values[WS_REGISTERS_stt_sram_registers]
                       ? "registers.sram_registers"
                       : NULL; /* profiles do not tell registers apart by their numbers */
}

static bool stt_wants_values(const uint64_t *values)
{
    const ws_cells c = ws_register_stt_cells(values);
    return ws_cells_look(&c);
}

static int check_stt(const uint64_t *values)
{
    return ws_cells_check("registers", values[WS_REGISTERS_stt_width], values[WS_REGISTERS_stt_ewt]);
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

uint32_t ws_register_banks(const ws_machine *m)
{
    uint64_t values[WS_REGISTER_OPTIONS];
    return ws_register_file_of(m, values)->banked ? (uint32_t)values[WS_REGISTERS_banked_banks] : 1;
}
