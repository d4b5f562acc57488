/* model_memory.c - `warpscape model memory`: registers, shared memory and read-only caches of SRAM or STT-MRAM, from
 * profiles. */
#include "cli/cli.h"
#include "cli/machine_settings.h"
#include "cli/memory/memory_source.h"
#include "cli/memory/memory_table.h"
#include "cli/model.h"
#include "record/simulate/machine_choice.h"

#include "base/fields.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ORGANISATIONS = 64, MOST_CHOICES = 4096 };

typedef struct request {
    const char *db, *tech, *cell;
    ws_machine_choice machine;
    const char *setting[WS_MACHINE_SETTINGS_MOST];
    const char *organisation[WS_MEMORY_PARTS][MOST_ORGANISATIONS];
    size_t organisations[WS_MEMORY_PARTS];
    double scrub_s, retention_s;
    bool arrays;
    ws_memory_per per;
} request;

typedef struct run {
    const request *request;
    ws_machine *machine;
    ws_memory_constants *constants;
    ws_memory_choice *choice;
    size_t choices;
    ws_memory_table *table;
    ws_frame *notes;
} run;

enum { KEY_TECH = 0x100, KEY_CELL, KEY_SCRUB, KEY_RETENTION, KEY_COSTS };
static const char *const pers[] = {"launch", "kernel", "workload", "suite", NULL};
static const char *const costs[] = {"table", "array", NULL};

static const struct argp_option options[] = {
    {"db", 'd', "FILE", 0, "Results file with profiles (`--profile' of suite run, exec and replay) [warpscape.db]", 0},
    {"config", 'c', "MACHINE", 0, "The machine, with memories of SRAM: a name of data/configs, or a path [sttram-sram]",
     0},
    {"set", 's', "OPTION=VALUE", 0, "Set an option of the machine, such as sm.shared=64KB; may be repeated", 0},
    {"regfile", 'r', "NAME[:OPTION[=N],...]", 0,
     "Registers: sram, or stt with width=BITS, ewt, coalesce, sram_long; given again: each of them [stt:width=4]", 0},
    {"shared", 'm', "NAME[:OPTION[=N],...]", 0,
     "Shared memory: sram, stt with width=BITS, ewt, or hybrid:SIZE with ways=N, width=BITS, ram, gate=PERCENT; given "
     "again: each [stt]",
     0},
    {"readonly", 'o', "sram|stt", 0, "Caches of constants and textures; given again: each [stt]", 0},
    {"per", 'P', "launch|kernel|workload|suite", 0, "What a row is of [workload]", 0},
    {"costs", KEY_COSTS, "table|array", 0,
     "Energies of magnetic memory over SRAM's: by the bits of --tech, or by arrays of --cell [table]", 0},
    {"tech", KEY_TECH, "NAME|FILE", 0, "Bits of magnetic memory, latencies, retention: data/tech/memory_NAME.ini [stt]",
     0},
    {"cell", KEY_CELL, "NAME|FILE", 0, "Its cell, for area and leakage: data/tech/cell_NAME.ini [stt_relaxed]", 0},
    {"retention", KEY_RETENTION, "SECONDS", 0, "For how long a cell keeps its bit [as --tech says]", 0},
    {"scrub", KEY_SCRUB, "SECONDS", 0, "Read and write all magnetic memory again so often, that nothing decays [never]",
     0},
    {0},
};

static void add_organisation(request *r, ws_memory_part part, const char *text, const struct argp_state *state)
{
    if (r->organisations[part] == MOST_ORGANISATIONS)
        argp_error(state, "more than %d organisations of %s", MOST_ORGANISATIONS, ws_memory_part_names[part]);
    for (size_t i = 0; i < r->organisations[part]; i++)
        if (!strcmp(r->organisation[part][i], text))
            argp_error(state, "%s: `%s' is given twice; remove one", ws_memory_part_names[part], text);
    r->organisation[part][r->organisations[part]++] = text;
}

/* "50us", or a number of seconds. */
static double seconds(const struct argp_state *state, const char *what, const char *text)
{
    static const ws_field time = {
        .unit = "s", .least = 1e-9, .most = 1e9, .meaning = "an interval", .kind = WS_FIELD_REAL};
    double value = 0;
    char why[WS_FIELD_TEXT];
    if (ws_field_parse(&time, text, &value, why))
        argp_error(state, "%s: %s", what, why);
    return value;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case 'd':
        r->db = arg;
        return 0;
    case 'c':
        r->machine.config = arg;
        return 0;
    case 's':
        ws_machine_settings_add(r->setting, &r->machine.settings, arg, state);
        return 0;
    case 'r':
        add_organisation(r, WS_MEMORY_REGISTERS, arg, state);
        return 0;
    case 'm':
        add_organisation(r, WS_MEMORY_SHARED, arg, state);
        return 0;
    case 'o':
        add_organisation(r, WS_MEMORY_READONLY, arg, state);
        return 0;
    case 'P':
        r->per = (ws_memory_per)ws_cli_choice(state, "--per", arg, pers);
        return 0;
    case KEY_COSTS:
        r->arrays = ws_cli_choice(state, "--costs", arg, costs) == 1;
        return 0;
    case KEY_TECH:
        r->tech = arg;
        return 0;
    case KEY_CELL:
        r->cell = arg;
        return 0;
    case KEY_RETENTION:
        r->retention_s = seconds(state, "--retention", arg);
        return 0;
    case KEY_SCRUB:
        r->scrub_s = seconds(state, "--scrub", arg);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "no arguments are taken; profiles come from a results file (--db)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .doc = "Prints what registers, shared memory and read-only caches of magnetic memory (STT-MRAM) cost, and how that "
           "compares with SRAM: energy, area, cycles, bits "
           "written, data that decay, wear.\v"
           "From the profiles of a results file, in microseconds a launch. With several organisations each combination "
           "has its row, and `front' says which of them no other "
           "betters in energy and cycles at once. docs/memory.md has the formulas.\n\n"
           "Example:\n"
           "  warpscape suite run --profile\n"
           "  warpscape model memory --regfile stt:width=4 --shared hybrid:16K,ways=2",
};

/* ------------------------------------------------------------------------------------------------ */

/* Row 0 is all SRAM; behind it each combination. */
static void choose(const request *q, size_t number, const char *organisation[WS_MEMORY_PARTS])
{
    size_t rest = number - 1;
    for (unsigned i = WS_MEMORY_PARTS; i-- > 0;) {
        organisation[i] = number ? q->organisation[i][rest % q->organisations[i]] : "sram";
        rest /= q->organisations[i];
    }
}

static int make_choices(run *r)
{
    const request *const q = r->request;
    ws_memory_chip chip;
    ws_memory_chip_of(r->constants, r->machine, q->arrays, q->scrub_s, &chip);
    int status = ws_memory_check_sram(r->machine);
    const size_t count = 1 + q->organisations[0] * q->organisations[1] * q->organisations[2];
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
                                  r->request->tech, r->request->cell, costs[r->request->arrays],
                                  ws_memory_constants_tech(r->constants)->cell_retention,
                                  r->request->scrub_s > 0 ? ", scrubbed" : "");
}

static int work(ws_prediction_run *of)
{
    const request *const q = of->request;
    run *const r = of->state;
    r->request = q;
    r->notes = of->notes;
    int status = ws_machine_choose(&q->machine, &r->machine);
    if (!status)
        status = ws_memory_constants_read(r->machine, q->tech, q->cell, &r->constants);
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
    ws_machine_destroy(r->machine);
}

static const ws_predictor model = {.state_bytes = sizeof(run), .finish = work, .close = close_all};

static void set_defaults(request *r)
{
    static const char *const usual[WS_MEMORY_PARTS] = {"stt:width=4", "stt", "stt"};
    for (unsigned i = 0; i < WS_MEMORY_PARTS; i++)
        if (!r->organisations[i])
            r->organisation[i][r->organisations[i]++] = usual[i];
}

int ws_model_memory(int argc, char **argv)
{
    request asked = {.db = "warpscape.db",
                     .tech = "stt",
                     .cell = "stt_relaxed",
                     .machine.config = "sttram-sram",
                     .per = WS_MEMORY_PER_WORKLOAD};
    asked.machine.setting = asked.setting;
    ws_cli_parse(&argp, argc, argv, &asked);
    set_defaults(&asked);
    return ws_model_run(&model, &asked, NULL, argc, argv);
}
