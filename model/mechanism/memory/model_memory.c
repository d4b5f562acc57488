/* model_memory.c - `warpscape model memory`: registers, shared memory and read-only caches of SRAM or STT-MRAM, from
 * profiles. */
#include "base/interrupt.h"
#include "base/status.h"
#include "model/mechanism/machine_traces.h"
#include "model/mechanism/memory/memory_source.h"
#include "model/mechanism/memory/memory_table.h"
#include "model/mechanism/mechanism.h"
#include "model/machine/machine_choice.h"

#include "model/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ORGANISATIONS = 64, MOST_CHOICES = 4096, MOST_CONSTANTS = 32 };

/* Of a part of the chip, as often as they were given. */
typedef struct organisations {
    const char *one[MOST_ORGANISATIONS];
    size_t count;
} organisations;

/* SECTION.NAME=VALUE. */
typedef struct constants_set {
    const char *one[MOST_CONSTANTS];
    size_t count;
} constants_set;

typedef struct request {
    const char *db, *tech, *cell;
    constants_set set;
    ws_machine_asked machine;
    organisations part[WS_MEMORY_PARTS];
    double scrub_s, retention_s;
    size_t costs; /* of the words */
    ws_memory_per per;
} request;

typedef struct run {
    const request *request;
    const ws_machine *machine;
    ws_memory_constants *constants;
    ws_memory_choice *choice;
    size_t choices;
    ws_memory_table *table;
    ws_frame *notes;
} run;

static const char *const pers[] = {"launch", "kernel", "workload", "suite", NULL};
static const char *const costs[] = {"table", "array", NULL};

static void add_organisation(const struct argp_state *state, organisations *to, const char *name, const char *text)
{
    if (to->count == MOST_ORGANISATIONS)
        argp_error(state, "more than %d organisations of %s", MOST_ORGANISATIONS, name);
    for (size_t i = 0; i < to->count; i++)
        if (!strcmp(to->one[i], text))
            argp_error(state, "%s: `%s' is given twice; remove one", name, text);
    to->one[to->count++] = text;
}

static void take_registers(const struct argp_state *state, void *member, char *arg)
{
    add_organisation(state, member, ws_memory_part_names[WS_MEMORY_REGISTERS], arg);
}

static void take_shared(const struct argp_state *state, void *member, char *arg)
{
    add_organisation(state, member, ws_memory_part_names[WS_MEMORY_SHARED], arg);
}

static void take_readonly(const struct argp_state *state, void *member, char *arg)
{
    add_organisation(state, member, ws_memory_part_names[WS_MEMORY_READONLY], arg);
}

static void take_constant(const struct argp_state *state, void *member, char *arg)
{
    constants_set *const to = member;
    if (to->count == MOST_CONSTANTS)
        argp_error(state, "more than %d constants", MOST_CONSTANTS);
    to->one[to->count++] = arg;
}

/* "50us", or a number of seconds. */
static void take_seconds(const struct argp_state *state, const char *what, double *to, const char *text)
{
    static const ws_option time = {.unit = "s", .least = 1e-9, .most = 1e9, .meaning = "an interval"};
    char why[WS_OPTION_WHY];
    if (ws_option_read(&time, WS_OPTION_FORM_REAL, text, to, why))
        argp_error(state, "%s: %s", what, why);
}

static void take_retention(const struct argp_state *state, void *member, char *arg)
{
    take_seconds(state, "--retention", member, arg);
}

static void take_scrub(const struct argp_state *state, void *member, char *arg)
{
    take_seconds(state, "--scrub", member, arg);
}

static const ws_option_row option_rows[] = {
    WS_OPTION_PROFILES(request, db, "warpscape.db"),
    WS_OPTION_CONFIG("MACHINE", request, machine,
                     "The machine, with memories of SRAM: a name of data/configs, or a path [sttram-sram]"),
    WS_OPTION_SET(request, machine, "Set an option of the machine, such as sm.shared=64KB; may be repeated"),
    WS_OPTION_TAKE("regfile", 'r', "NAME[:OPTION[=N],...]", request, part[WS_MEMORY_REGISTERS], take_registers,
                   "Registers: sram, or stt with width=BITS, ewt, coalesce, sram_long; given again: each of them "
                   "[stt:width=4]"),
    WS_OPTION_TAKE("shared", 'm', "NAME[:OPTION[=N],...]", request, part[WS_MEMORY_SHARED], take_shared,
                   "Shared memory: sram, stt with width=BITS, ewt, or hybrid:SIZE with ways=N, width=BITS, ram, "
                   "gate=PERCENT, final; given again: each [stt]"),
    WS_OPTION_TAKE("readonly", 'o', "sram|stt", request, part[WS_MEMORY_READONLY], take_readonly,
                   "Caches of constants and textures; given again: each [stt]"),
    WS_OPTION_WORD("per", 'P', "launch|kernel|workload|suite", request, per, pers, "Unit of a row [workload]"),
    WS_OPTION_WORD("costs", 0, "table|array", request, costs, costs,
                   "Energies of magnetic memory over SRAM's: by the bits of --tech, or by arrays of --cell [table]"),
    WS_OPTION_TEXT("tech", 0, "NAME|FILE", request, tech,
                   "Bits of magnetic memory, latencies, retention: data/tech/memory_NAME.ini [stt]"),
    WS_OPTION_TEXT("cell", 0, "NAME|FILE", request, cell,
                   "Its cell, for area and leakage: data/tech/cell_NAME.ini [stt_relaxed]"),
    WS_OPTION_TAKE("constant", 0, "SECTION.NAME=VALUE", request, set, take_constant,
                   "Another value for a constant of --tech or --cell, such as coalesce.pass=0.5; may be repeated"),
    WS_OPTION_TAKE("retention", 0, "SECONDS", request, retention_s, take_retention,
                   "Retention time of a cell [that of --tech]"),
    WS_OPTION_TAKE("scrub", 0, "SECONDS", request, scrub_s, take_scrub,
                   "Read and write all magnetic memory again so often, that nothing decays [never]"),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .refuse = "no arguments are taken; profiles come from a results file (--db)",
    .doc = "Prints the cost of registers, shared memory and read-only caches of magnetic memory (STT-MRAM), compared "
           "with SRAM: energy, area, cycles, bits written, data that decay, wear.\vIt reads the profiles of a results "
           "file, in microseconds per launch. With several organisations each combination has a row, and `front' marks "
           "those that no other improves in both energy and cycles. docs/memory.md has the formulas.\n\nExample:\n  "
           "warpscape suite run --profile\n  warpscape model memory --regfile stt:width=4 --shared hybrid:16K,ways=2",
};

/* ------------------------------------------------------------------------------------------------ */

/* Row 0 is all SRAM; behind it each combination. */
static void choose(const request *q, size_t number, const char *organisation[WS_MEMORY_PARTS])
{
    size_t rest = number - 1;
    for (unsigned i = WS_MEMORY_PARTS; i-- > 0;) {
        organisation[i] = number ? q->part[i].one[rest % q->part[i].count] : "sram";
        rest /= q->part[i].count;
    }
}

static int make_choices(run *r)
{
    const request *const q = r->request;
    ws_memory_chip chip;
    ws_memory_chip_of(r->constants, r->machine, q->costs != 0, q->scrub_s, &chip);
    int status = ws_memory_check_sram(r->machine);
    const size_t count = 1 + q->part[0].count * q->part[1].count * q->part[2].count;
    if (!status && count > MOST_CHOICES)
        status = ws_fail(WS_EINPUT, "%zu combinations of organisations are more than %d", count - 1, MOST_CHOICES - 1);
    r->choice = status ? NULL : calloc(count, sizeof *r->choice);
    if (!status && !r->choice)
        status = ws_fail(WS_EMEM, "no memory for choices of organisations");
    for (; r->choices < count && !status; r->choices++) {
        choose(q, r->choices, r->choice[r->choices].organisation);
        status = ws_memory_create(&chip, r->choice[r->choices].organisation, &r->choice[r->choices].memory);
    }
    return status;
}

static int see(void *user, const ws_memory_seen *s)
{
    const run *const r = user;
    return ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted")
                            : ws_memory_table_add(r->table, s->workload, s->kernel, s->launch, s->in_sram);
}

static int note_magnetic(const run *r)
{
    int status = ws_frame_note(r->notes, "machine: %s, chip %s", r->machine->name, r->machine->power_chip);
    return status ? status
                  : ws_frame_note(r->notes, "magnetic memory: memory_%s, cell_%s, costs by %s, kept for %g s%s",
                                  r->request->tech, r->request->cell, costs[r->request->costs],
                                  ws_memory_constants_tech(r->constants)->cell_retention,
                                  r->request->scrub_s > 0 ? ", scrubbed" : "");
}

static int work(ws_prediction_run *of)
{
    const request *const q = of->request;
    run *const r = of->state;
    r->request = q;
    r->notes = of->notes;
    r->machine = of->machine;
    int status = ws_memory_constants_read(r->machine, q->tech, q->cell, &r->constants);
    for (size_t i = 0; i < q->set.count && !status; i++)
        status = ws_memory_constants_set(r->constants, q->set.one[i]);
    for (size_t i = 0; i < q->set.count && !status; i++)
        status = ws_frame_note(r->notes, "constant: %s", q->set.one[i]);
    if (!status && q->retention_s > 0)
        ws_memory_constants_tech(r->constants)->cell_retention = q->retention_s;
    if (!status)
        status = make_choices(r);
    if (!status)
        status = ws_memory_table_create(r->choice, r->choices, q->per, &r->table);
    if (!status)
        status = note_magnetic(r);
    if (!status)
        status = ws_memory_from_profiles(r->machine, q->db, see, r, r->notes);
    return status ? status : ws_memory_table_frame(r->table, &of->frame);
}

static void close_all(const ws_prediction_run *of)
{
    run *const r = of->state;
    for (size_t i = 0; i < r->choices; i++)
        ws_memory_destroy(r->choice[i].memory);
    free(r->choice);
    ws_memory_table_destroy(r->table);
    free(r->constants);
}

static void set_defaults(void *asked)
{
    request *const r = asked;
    static const char *const usual[WS_MEMORY_PARTS] = {"stt:width=4", "stt", "stt"};
    for (unsigned i = 0; i < WS_MEMORY_PARTS; i++)
        if (!r->part[i].count)
            r->part[i].one[r->part[i].count++] = usual[i];
}

const ws_mechanism ws_mechanism_memory = {
    .options = &options,
    .asked = &(const request){.db = "warpscape.db",
                              .tech = "stt",
                              .cell = "stt_relaxed",
                              .machine.choice.config = "sttram-sram",
                              .per = WS_MEMORY_PER_WORKLOAD},
    .asked_bytes = sizeof(request),
    .traces = WS_NO_TRACES,
    .complete = set_defaults,
    WS_ON_MACHINE(request, machine),
    .model.state_bytes = sizeof(run),
    .model.finish = work,
    .model.close = close_all,
    .subject = &ws_subject_memory,
};
