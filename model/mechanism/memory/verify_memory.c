/* verify_memory.c - `warpscape verify --memory`: how far are closed forms of magnetic memories from simulations of the
 * same machines?
 *
 * Profiles of a results file, by model/memory, beside the same workloads, live, on the machine that an organisation
 * stands for. Reads and writes have to be equal; joules of accesses have a band, and a narrower one in the median,
 * since profiles see values of one block in eight; of cycles the change over SRAM has one in the median alone: closed
 * forms know little of what else warps wait for. */
#include "base/interrupt.h"
#include "base/status.h"
#include "model/mechanism/comparison.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/memory/memory_source.h"
#include "record/start/sim_suite.h"
#include "model/mechanism/work_rows.h"

#include "model/power/power.h"
#include "model/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS = 512 };
static const double ENERGY_MEDIAN = 0.05;

static const struct {
    ws_memory_part part;
    const char *organisation, *settings;
} cases[] = {
#define CASE(part, organisation, settings) {WS_MEMORY_##part, organisation, settings},
#include "model/mechanism/memory/verify_memory.def"
#undef CASE
};
enum { CASES = sizeof cases / sizeof *cases, IN_SRAM = CASES, RUNS };

/* A workload under each case, and in SRAM. */
typedef struct subject {
    ws_memory_result predicted[RUNS];
    ws_activity simulated[RUNS];
} subject;

/* How rows are judged; the band of the last holds in the median. */
typedef enum judgement { EXACT, WITHIN, IN_MEDIAN } judgement;

typedef struct verification {
    ws_verification *to;
    const ws_verify_request *request; /* of it */
    ws_memory_constants *constants;
    ws_memory_chip chip;
    ws_memory *memory[RUNS];
    ws_work_rows rows; /* of subject */
} verification;

/* ------------------------------------------------------------------------------------------------ predictions */

static int see(void *user, const ws_memory_seen *seen)
{
    verification *const v = user;
    subject *const s = ws_work_rows_find(&v->rows, seen->workload, "", 0, true);
    int status = s ? WS_OK : WS_EMEM;
    for (unsigned i = 0; i < RUNS && !status; i++)
        status = ws_memory_add(v->memory[i], seen->kernel, seen->in_sram, &s->predicted[i]);
    return status;
}

static int predict(verification *v)
{
    const ws_machine *const machine = v->to->machine; /* of SRAM */
    int status =
        ws_memory_constants_read(machine, machine->power_magnetic, machine->power_magnetic_cell, &v->constants);
    if (!status)
        status = ws_memory_check_sram(machine);
    if (!status)
        ws_memory_chip_of(v->constants, machine, false, 0, &v->chip);
    for (unsigned i = 0; i < RUNS && !status; i++) {
        const char *organisation[WS_MEMORY_PARTS] = {"sram", "sram", "sram"};
        if (i != IN_SRAM)
            organisation[cases[i].part] = cases[i].organisation;
        status = ws_memory_create(&v->chip, organisation, &v->memory[i]);
    }
    return status ? status : ws_memory_from_profiles(machine, v->request->file, see, v, v->to->notes);
}

/* ------------------------------------------------------------------------------------------------ simulations */

/* Times of magnetic memory are those of SRAM by the ratios that the closed forms use; a section has those of SRAM. */
static void choose_settings(const verification *v, unsigned number, char lines[SETTINGS])
{
    lines[0] = '\0';
    if (number == IN_SRAM)
        return;
    const ws_memory_tech *const t = v->chip.tech;
    const ws_memory_part part = cases[number].part;
    const bool registers = part == WS_MEMORY_REGISTERS;
    const char *const name = registers ? "registers" : "shared";
    const double read = v->chip.part[part].read_cycles, write = v->chip.part[part].write_cycles;
    const int n = snprintf(lines, SETTINGS, "%s\n%s.read=%.0f\n%s.write=%.0f", cases[number].settings, name,
                           read * (registers ? t->latency_register_read : t->latency_shared_read), name,
                           write * (registers ? t->latency_register_write : t->latency_shared_write));
    if (!strncmp(cases[number].organisation, "hybrid", strlen("hybrid")))
        snprintf(lines + n, (size_t)(SETTINGS - n), "\nshared.section_read=%.0f\nshared.section_write=%.0f", read,
                 write);
}

/* The workloads of the profiles that use the part; the rest has nothing to compare. */
static int choose_workloads(const verification *v, bool wanted[WS_SUITE_MOST])
{
    size_t n;
    const ws_suite_workload *const all = ws_suite_workloads(&n);
    for (size_t s = 0; s < v->rows.count; s++) {
        size_t i = 0;
        while (i < n && strcmp(all[i].abbr, v->rows.row[s].workload) != 0)
            i++;
        if (i == n)
            return ws_fail(WS_ENOTFOUND, "%s: `%s' is no built-in workload, and only those can be run again, live",
                           v->request->file, v->rows.row[s].workload);
        wanted[i] = true;
    }
    return WS_OK;
}

static void take_activity(verification *v, unsigned number, const ws_activity_report *report)
{
    ws_activity_stretch stretch;
    for (size_t i = 0; ws_activity_report_at(report, i, &stretch); i++)
        for (size_t s = 0; s < v->rows.count; s++)
            if (!strcmp(v->rows.row[s].workload, stretch.workload))
                ws_activity_add(&((subject *)v->rows.row[s].kept)->simulated[number], stretch.did);
}

static int simulate(verification *v, unsigned number)
{
    bool wanted[WS_SUITE_MOST] = {false};
    char settings[SETTINGS];
    ws_frame *frame = NULL;
    choose_settings(v, number, settings);
    ws_sim_suite_request how = {.machine = {.config = v->request->config, .more = settings},
                                .wanted = wanted,
                                .scale = v->request->scale,
                                .seed = v->request->seed,
                                .quiet = true};
    int status = choose_workloads(v, wanted);
    if (!status)
        status = ws_activity_report_create(WS_ACTIVITY_SIMULATION, &how.activity);
    if (!status)
        status = ws_sim_suite_run(&how, &frame);
    ws_frame_destroy(frame);
    if (!status)
        take_activity(v, number, how.activity);
    ws_activity_report_destroy(how.activity);
    return status;
}

/* ------------------------------------------------------------------------------------------------ comparisons */

static int add(verification *v, unsigned number, const ws_work_row *row, const char *quantity, judgement by,
               double predicted, double simulated)
{
    const double band[] = {[EXACT] = 0, [WITHIN] = v->request->worst, [IN_MEDIAN] = v->request->median};
    const ws_compared of = {&v->to->ledger,
                            {row->workload, ws_memory_part_names[cases[number].part], cases[number].organisation}};
    return ws_compared_add(&of, quantity, by, ws_relative(predicted, simulated, band[by]));
}

/* Joules of the part's accesses; leakage is time times watts, and time is compared by itself. */
static double access_joules(const ws_power *power, ws_memory_part part, const ws_activity *did)
{
    ws_energy e = {0};
    ws_power_energy(power, did, &e);
    return e.dynamic[part == WS_MEMORY_REGISTERS ? WS_POWER_registers : WS_POWER_shared];
}

static int compare_one(verification *v, unsigned number, const ws_power *power, const ws_work_row *row)
{
    const subject *const s = row->kept;
    const ws_memory_part part = cases[number].part;
    const ws_memory_sum *const p = &s->predicted[number].part[part];
    const ws_activity *const did = &s->simulated[number];
    const double change = s->predicted[number].cycles / s->predicted[IN_SRAM].cycles;
    const double simulated = (double)did->core_cycles[0] / (double)s->simulated[IN_SRAM].core_cycles[0];
    if (p->reads + p->writes <= 0)
        return WS_OK;
    int status = part == WS_MEMORY_REGISTERS
                     ? add(v, number, row, "reads", EXACT, p->reads, (double)did->registers_read_lanes[0])
                     : add(v, number, row, "accesses", EXACT, p->reads + p->writes, (double)did->shared_words[0]);
    if (!status && part == WS_MEMORY_REGISTERS)
        status = add(v, number, row, "writes", EXACT, p->writes, (double)did->registers_write_lanes[0]);
    if (!status)
        status = add(v, number, row, "energy", WITHIN, p->read_j + p->write_j, access_joules(power, part, did));
    return status ? status : add(v, number, row, "cycles_change", IN_MEDIAN, change, simulated);
}

static int compare(verification *v, unsigned number)
{
    char settings[SETTINGS];
    ws_machine *machine = NULL;
    ws_power *power = NULL;
    choose_settings(v, number, settings);
    int status = ws_machine_choose(&(ws_machine_choice){.config = v->request->config, .more = settings}, &machine);
    if (!status)
        status = ws_power_create(machine, &(ws_power_options){0}, &power);
    for (size_t i = 0; i < v->rows.count && !status; i++)
        status = compare_one(v, number, power, &v->rows.row[i]);
    ws_power_destroy(power);
    ws_machine_destroy(machine);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the report */

static int judge(const ws_verification *to)
{
    const ws_ledger_sum counts = ws_ledger_sum_of(&to->ledger, EXACT);
    const ws_ledger_sum energies = ws_ledger_sum_of(&to->ledger, WITHIN);
    const ws_ledger_sum cycles = ws_ledger_sum_of(&to->ledger, IN_MEDIAN);
    fprintf(stderr,
            "warpscape verify: %zu of %zu counts equal; %zu of %zu energies within their bands, median error %.1f %%, "
            "at most %.1f %%; median error of cycles %.1f %%, at most %.1f %%\n",
            counts.within, counts.rows, energies.within, energies.rows, 100 * energies.median, 100 * energies.most,
            100 * cycles.median, 100 * cycles.most);
    const size_t unequal = counts.rows - counts.within, beyond = energies.rows - energies.within;
    const bool energy = energies.median <= ENERGY_MEDIAN, time = cycles.median <= to->request->median;
    if (!unequal && !beyond && energy && time)
        return WS_OK;
    return ws_fail(WS_EVERIFY, "%zu counts and %zu energies are beyond their bands%s%s", unequal, beyond,
                   energy ? "" : ", and the median error of energies", time ? "" : ", and the median error of cycles");
}

static int verify_all(ws_verification *to)
{
    verification *const v = to->state;
    v->to = to;
    v->request = to->request;
    v->rows.bytes = sizeof(subject);
    int status = predict(v);
    for (unsigned i = 0; i < RUNS && !status; i++)
        status = ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted") : simulate(v, i);
    for (unsigned i = 0; i < CASES && !status; i++)
        status = compare(v, i);
    return status;
}

static void close_all(const ws_verification *to)
{
    verification *const v = to->state;
    for (unsigned i = 0; i < RUNS; i++)
        ws_memory_destroy(v->memory[i]);
    ws_work_rows_fini(&v->rows);
    free(v->constants);
}

const ws_subject ws_subject_memory = {
    .name = "memory",
    .argument = "FILE",
    .what = "Closed forms of magnetic memories (model memory), for the profiles of this results file, with its "
            "built-in workloads live on the same machines; the median is of cycles, that of energies 5",
    .machine = "sttram-sram",
    .worst = 35,
    .median = 15,
    .takes = WS_TAKES_INPUT,
    .verifier.labels = {"workload", "part", "organisation", "quantity"},
    .verifier.remark = "; energy: of accesses, J; cycles: relative to SRAM, with a band for the median",
    .verifier.state_bytes = sizeof(verification),
    .verifier.open = verify_all,
    .verifier.judge = judge,
    .verifier.close = close_all,
};
