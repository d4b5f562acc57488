/* Models of power: laws of energy, constants that are refused, every machine of data/configs that names a chip. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"
#include "model/power/chip.h"
#include "model/power/power.h"
#include "model/power/power_internal.h"
#include "model/tech/node.h"
#include "tests/unit/machine_word.h"
#include "tests/unit/power_setup.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every counter has something. */
static ws_activity busy(uint64_t seed)
{
    uint64_t counter[sizeof(ws_activity) / sizeof(uint64_t)];
    ws_activity a;
    for (size_t i = 0; i < sizeof counter / sizeof *counter; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        counter[i] = seed >> 44;
    }
    memcpy(&a, counter, sizeof a);
    return a;
}

static double all_leakage(const ws_energy *e)
{
    return ws_energy_total(e) - all_dynamic(e);
}

/* Of launches, of parts of one, and of components. */
static void additive(void **state)
{
    (void)state;
    ws_machine *const m = machine_of("gtsc");
    ws_power *const p = power_of(m, &(ws_power_options){0});
    for (uint64_t seed = 1; seed < 50; seed++) {
        const ws_activity a = busy(seed), b = busy(seed + 1000);
        ws_activity both = a;
        ws_activity_add(&both, &b);
        const ws_energy x = energy_of(p, &a), y = energy_of(p, &b), z = energy_of(p, &both);
        for (size_t i = 0; i < WS_POWER_COMPONENTS; i++) {
            assert_close(x.dynamic[i] + y.dynamic[i], z.dynamic[i]);
            assert_close(x.leakage[i] + y.leakage[i], z.leakage[i]);
        }
        assert_close(x.seconds + y.seconds, z.seconds);
        double terms = 0;
        uint64_t counter[sizeof a / sizeof(uint64_t)];
        memcpy(counter, &a, sizeof a);
        for (size_t i = 0; i < ws_power_terms(p); i++)
            terms += ws_power_term_at(p, i)->joules * (double)counter[ws_power_term_at(p, i)->at];
        assert_close(terms, ws_energy_total(&x));
    }
    ws_power_destroy(p);
    ws_machine_destroy(m);
}

static void time_alone_leaks(void **state)
{
    (void)state;
    ws_machine *const m = machine_of("qv100");
    ws_power *const p = power_of(m, &(ws_power_options){0});
    ws_activity a = {.core_cycles = {1000000}, .sm_idle_cycles = {1000000 * 80}};
    const ws_energy idle = energy_of(p, &a);
    assert_close(all_dynamic(&idle), idle.dynamic[WS_POWER_clock]); /* as far as the gates */
    assert_true(all_leakage(&idle) > 0);
    assert_close(idle.seconds, 1e6 / 1132e6);
    /* Twice the events, twice the dynamic energy, and no more leakage. */
    a = busy(7);
    ws_activity twice = a;
    ws_activity_add(&twice, &a);
    memcpy(twice.core_cycles, a.core_cycles, sizeof a.core_cycles);
    memcpy(twice.sm_busy_cycles, a.sm_busy_cycles, sizeof a.sm_busy_cycles);
    memcpy(twice.sm_idle_cycles, a.sm_idle_cycles, sizeof a.sm_idle_cycles);
    const ws_energy one = energy_of(p, &a), two = energy_of(p, &twice);
    double clocked = 0; /* what SMs switch whatever they do */
    for (size_t i = 0; i < ws_power_terms(p); i++) {
        const ws_power_term *const t = ws_power_term_at(p, i);
        clocked += t->leaks                             ? 0
                   : !strcmp(t->counter, "busy_cycles") ? t->joules * (double)a.sm_busy_cycles[0]
                   : !strcmp(t->counter, "idle_cycles") && !strcmp(t->part, "sm")
                       ? t->joules * (double)a.sm_idle_cycles[0]
                       : 0;
    }
    assert_close(2 * (all_dynamic(&one) - clocked), all_dynamic(&two) - clocked);
    assert_close(all_leakage(&one), all_leakage(&two));
    ws_power_destroy(p);
    ws_machine_destroy(m);
}

/* Logic and wires by V^2, leakage by V and temperature; the clock alone changes how long it takes. */
static void levels(void **state)
{
    (void)state;
    ws_machine *const m = machine_of("gtsc");
    ws_power *const low = power_of(m, &(ws_power_options){.volts = 0.8}),
                    *const high = power_of(m, &(ws_power_options){.volts = 1.2}),
                    *const hot = power_of(m, &(ws_power_options){.volts = 0.8, .temperature_k = 390});
    const ws_activity a = busy(3);
    const ws_energy x = energy_of(low, &a), y = energy_of(high, &a), z = energy_of(hot, &a);
    for (ws_power_component i = WS_POWER_integer; i <= WS_POWER_clock; i++)
        if (i != WS_POWER_fetch) /* an array, and wires */
            assert_close(x.dynamic[i] * 1.2 * 1.2 / (0.8 * 0.8), y.dynamic[i]);
    assert_close(x.dynamic[WS_POWER_network] * 1.2 * 1.2 / (0.8 * 0.8), y.dynamic[WS_POWER_network]);
    assert_true(y.leakage[WS_POWER_logic] > 1.5 * x.leakage[WS_POWER_logic]);
    assert_true(z.leakage[WS_POWER_logic] > x.leakage[WS_POWER_logic]);
    assert_close(all_dynamic(&x), all_dynamic(&z));
    /* P = C V^2 f: the same work in half of the time is twice the power, from the levels of the table. */
    assert_int_equal(ws_machine_set(m, "chip.core_clock", "700MHz"), WS_OK);
    ws_power *const slow = power_of(m, &(ws_power_options){.volts = 0.8});
    const ws_energy s = energy_of(slow, &a);
    assert_close(s.seconds, 2 * x.seconds);
    assert_close(all_dynamic(&s), all_dynamic(&x));
    assert_close(all_leakage(&s), 2 * all_leakage(&x));
    ws_power_destroy(low);
    ws_power_destroy(high);
    ws_power_destroy(hot);
    ws_power_destroy(slow);
    ws_machine_destroy(m);
}

static void every_machine(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob("data/configs/*.ini", 0, NULL, &files), 0);
    const ws_activity a = busy(11);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        ws_machine *const m = machine_of(files.gl_pathv[i]);
        ws_power *p;
        const int status = ws_power_create(m, &(ws_power_options){0}, &p);
        if (!strcmp(m->power_chip, "none") && !strcmp(m->power_accesses, "none")) {
            assert_int_equal(status, WS_EUNSUPPORTED);
        } else if (status) {
            fail_msg("%s: %s", files.gl_pathv[i], ws_message());
        } else {
            const ws_energy e = energy_of(p, &a);
            assert_true(ws_energy_total(&e) > 0 && isfinite(ws_energy_total(&e)));
            for (size_t k = 0; k < ws_power_terms(p); k++)
                assert_true(ws_power_term_at(p, k)->joules > 0 && *ws_power_term_at(p, k)->why &&
                            ws_power_term_at(p, k)->counter);
        }
        ws_power_destroy(p);
        ws_machine_destroy(m);
    }
    globfree(&files);
}

/* ------------------------------------------------------------------------------------------------ components */

enum { COUNTERS = sizeof(ws_activity) / sizeof(uint64_t) };

/* Joules for one of each counter. */
typedef struct price {
    double of[WS_POWER_COMPONENTS][COUNTERS];
} price;

typedef void see_prices(const ws_power *power, const price *each, void *user);

/* Of the counter alone; whatever the sum says is seen. */
static void price_counter(const ws_power *p, size_t counter, price *dynamic, price *leakage)
{
    uint64_t only[COUNTERS] = {0};
    ws_activity a;
    only[counter] = 1;
    memcpy(&a, only, sizeof a);
    const ws_energy e = energy_of(p, &a);
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++) {
        dynamic->of[i][counter] = e.dynamic[i];
        leakage->of[i][counter] = e.leakage[i];
    }
}

/* All machines that have energies, as they are and with what none of them has by itself: `see` gets what events cost
 * (0) and what time costs (1). */
static void walk_machines(see_prices *see, void *user)
{
    static const char *const settings[][2] = {{"chip.launch", "0"},
                                              {"sm.atomics", "lab"},
                                              {"package.atomic_buffer", "64"},
                                              {"l1.replacement", "sharing-l1"},
                                              {"l2.replacement", "sharing-l2"},
                                              {"coherence.race_registers", "64"},
                                              {"registers.width", "4"},
                                              {"shared.width", "4"},
                                              {"registers.coalesce", "32"},
                                              {"shared.memory", "hybrid"},
                                              {"power.accesses", "lab_12nm"}};
    glob_t files;
    price *const each = malloc(2 * sizeof *each);
    assert_non_null(each);
    assert_int_equal(glob("data/configs/*.ini", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
            ws_machine *const m = machine_of(files.gl_pathv[i]);
            ws_power *p = NULL;
            if (!ws_machine_set(m, settings[k][0], settings[k][1])) {
                const int status = ws_power_create(m, &(ws_power_options){0}, &p);
                if (status && status != WS_EUNSUPPORTED)
                    fail_msg("%s with %s = %s: %s", files.gl_pathv[i], settings[k][0], settings[k][1], ws_message());
            }
            for (size_t c = 0; p && c < COUNTERS; c++)
                price_counter(p, c, &each[0], &each[1]);
            if (p)
                see(p, each, user);
            ws_power_destroy(p);
            ws_machine_destroy(m);
        }
    free(each);
    globfree(&files);
}

static bool is_time(size_t counter)
{
    return counter == WS_COUNTER(core_cycles, 0) || counter == WS_COUNTER(sm_busy_cycles, 0) ||
           counter == WS_COUNTER(sm_idle_cycles, 0) || counter == WS_COUNTER(shared_section_cycles, 0);
}

/* Of activity.def, with its element. */
static const char *name_of(size_t counter)
{
    static char name[64];
    ws_activity_row row;
    for (size_t i = 0; ws_activity_row_at(i, &row); i++)
        if (counter >= row.at && counter < row.at + row.width)
            snprintf(name, sizeof name, "%s_%s[%zu]", row.component, row.name, counter - row.at);
    return name;
}

static bool is_declared(ws_power_component component, size_t counter)
{
    ws_power_charge c;
    bool declared = false;
    for (size_t i = 0; ws_power_charge_at(i, &c); i++)
        declared |= c.component == component && counter >= c.first && counter <= c.last;
    return declared;
}

enum { ROWS = 1024 }; /* of charges.def, at most */

static void note_charges(const ws_power *p, const price *each, void *user)
{
    bool *const seen = user; /* [ROWS] */
    ws_power_charge c;
    const ws_energy nothing = energy_of(p, &(ws_activity){.core_cycles = {0}});
    assert_true(ws_energy_total(&nothing) == 0);
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++)
        for (size_t k = 0; k < COUNTERS; k++) {
            if (each[0].of[i][k] != 0 && !is_declared((ws_power_component)i, k))
                fail_msg("%s: component %s is charged for %s, which charges.def does not say",
                         ws_power_point_of(p).chip, ws_power_component_name(i), name_of(k));
            if (each[1].of[i][k] != 0 && !is_time(k))
                fail_msg("%s: component %s leaks by %s, which is not time", ws_power_point_of(p).chip,
                         ws_power_component_name(i), name_of(k));
        }
    for (size_t i = 0; ws_power_charge_at(i, &c); i++)
        for (size_t k = c.first; k <= c.last; k++)
            seen[i] |= each[0].of[c.component][k] != 0;
}

/* Each counter alone is charged to the components that declare it, and to no others; no row of charges.def is for
 * nothing; time alone leaks. */
static void each_counter_alone(void **state)
{
    (void)state;
    bool seen[ROWS] = {false};
    ws_power_charge c;
    walk_machines(note_charges, seen);
    for (size_t i = 0; ws_power_charge_at(i, &c); i++)
        if (!seen[i] && c.first != WS_COUNTER(operation_lanes, WS_OPERATION_other)) /* branches: 0 pJ in energy.ini */
            fail_msg("charges.def: component %s charges nothing for %s on any machine",
                     ws_power_component_name(c.component), name_of(c.first));
}

/* What two components are charged for is said to be so, by all of them but the one whose it is. */
static void charges_have_owners(void **state)
{
    (void)state;
    ws_power_charge c, other;
    for (size_t i = 0; ws_power_charge_at(i, &c); i++) {
        assert_true(c.first <= c.last && c.last < COUNTERS);
        for (size_t k = 0; k < i; k++) {
            ws_power_charge_at(k, &other);
            if (c.last < other.first || other.last < c.first)
                continue;
            if (c.component == other.component)
                fail_msg("charges.def: two rows of component %s have %s", ws_power_component_name(c.component),
                         name_of(c.first > other.first ? c.first : other.first));
            if (!*c.shared && !*other.shared)
                fail_msg("charges.def: components %s and %s are charged for %s; why?",
                         ws_power_component_name(other.component), ws_power_component_name(c.component),
                         name_of(c.first > other.first ? c.first : other.first));
        }
    }
}

typedef struct pairs {
    bool used[WS_POWER_COMPONENTS], own[WS_POWER_COMPONENTS][WS_POWER_COMPONENTS];
} pairs;

/* Own: what it is charged for costs it something else than the other one. */
static void note_pairs(const ws_power *p, const price *each, void *user)
{
    (void)p;
    pairs *const d = user;
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++)
        for (unsigned n = 0; n < 2; n++)
            for (size_t c = 0; c < COUNTERS; c++) {
                d->used[i] |= each[n].of[i][c] != 0;
                for (size_t k = 0; k < WS_POWER_COMPONENTS && each[n].of[i][c] != 0; k++)
                    d->own[i][k] |= each[n].of[i][c] != each[n].of[k][c];
            }
}

/* Each component costs something on some machine, and none costs what another one does wherever it costs anything. */
static void no_component_is_another(void **state)
{
    (void)state;
    pairs d = {.used = {false}};
    walk_machines(note_pairs, &d);
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++) {
        if (!d.used[i])
            fail_msg("component %s has no term on any machine", ws_power_component_name(i));
        for (size_t k = 0; k < WS_POWER_COMPONENTS; k++)
            if (k != i && !d.own[i][k])
                fail_msg("component %s is charged as %s wherever it costs anything", ws_power_component_name(i),
                         ws_power_component_name(k));
    }
}

static double sum_of(const ws_power *p, const char *component, const ws_activity *a, bool leaks)
{
    const ws_energy e = energy_of(p, a);
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++)
        if (!strcmp(ws_power_component_name(i), component))
            return leaks ? e.leakage[i] : e.dynamic[i];
    fail_msg("there is no component %s", component);
    return 0;
}

/* Links of light to memory, by hand: 16 channels, each a laser of 16.49 mW and 368 rings of 20 uW; 200 fJ a bit, 512 of
 * a burst and 35 of a command. Eight stacks stand by where one part did. */
static void light_of_memory(void **state)
{
    (void)state;
    ws_machine *const m = machine_of("photonic-memory"), *const pins = machine_of("photonic-mwsr");
    ws_power *const p = power_of(m, &(ws_power_options){0}), *const q = power_of(pins, &(ws_power_options){0});
    const ws_activity second = {.core_cycles = {2000000000}}, events = {.dram_activates = {1000},
                                                                        .dram_precharges = {500},
                                                                        .dram_reads = {3000},
                                                                        .dram_writes = {400}};
    const double laser = 256 * 5e-6 * pow(10, 0.712802) / 0.4, heating = 368 * 20e-6;
    assert_close(sum_of(p, "memory_light", &second, true), 16 * (laser + heating));
    assert_close(sum_of(p, "memory_light", &events, false), 200e-15 * (512 * 3400.0 + 35 * 4900.0));
    assert_close(sum_of(p, "dram", &second, true), 16 * 8 * 60e-3);
    assert_close(sum_of(p, "dram", &events, false), 1000 * 1818e-12 + 3400 * 512 * 2.68e-12);
    assert_true(sum_of(q, "memory_light", &second, true) == 0 && sum_of(q, "memory_light", &events, false) == 0);
    ws_power_destroy(p);
    ws_power_destroy(q);
    ws_machine_destroy(m);
    ws_machine_destroy(pins);
}

/* Registers and shared memory of STT-MRAM, over those of SRAM: reads 0.51, cells 0.58 / 0.32, a comparison 0.065 /
 * 0.32; SRAM counts nothing of cells. */
static void magnetic(void **state)
{
    (void)state;
    ws_machine *const sram = machine_of("sttram-sram"), *const stt = machine_of("sttram");
    const ws_activity reads = {.registers_read_lanes = {1000}, .shared_words = {500}, .shared_cell_reads = {500}};
    const ws_activity whole = {.registers_write_lanes = {1000},
                               .registers_cell_lanes = {1000},
                               .registers_cell_parts = {64000},
                               .shared_words = {500},
                               .shared_cell_writes = {500},
                               .shared_cell_parts = {32000}};
    const ws_activity half = {.registers_cell_lanes = {1000}, .registers_cell_parts = {32000}};
    const ws_activity second = {.core_cycles = {1250000000}, .sm_busy_cycles = {30 * 1250000000ull}};
    static const char *const parts[] = {"registers", "shared"};
    ws_power *const p = power_of(sram, &(ws_power_options){0});
    ws_power *q = power_of(stt, &(ws_power_options){0});
    for (unsigned i = 0; i < 2; i++) {
        assert_close(sum_of(q, parts[i], &reads, false), 0.51 * sum_of(p, parts[i], &reads, false));
        assert_close(sum_of(q, parts[i], &whole, false), 0.58 / 0.32 * sum_of(p, parts[i], &whole, false));
        assert_true(sum_of(q, parts[i], &second, true) < 0.5 * sum_of(p, parts[i], &second, true));
    }
    assert_true(sum_of(p, "registers", &half, false) == 0);
    ws_power_destroy(q);
    assert_int_equal(ws_machine_set(stt, "registers.width", "4"), WS_OK);
    q = power_of(stt, &(ws_power_options){0});
    assert_close(sum_of(q, "registers", &half, false),
                 (0.065 + 0.58 / 2) / 0.32 * sum_of(p, "registers", &whole, false));
    ws_power_destroy(q);
    assert_int_equal(ws_machine_set(stt, "registers.width", "0"), WS_OK);
    assert_int_equal(ws_machine_set(stt, "registers.ewt", "1"), WS_OK);
    q = power_of(stt, &(ws_power_options){0});
    assert_close(sum_of(q, "registers", &half, false),
                 (0.0457 + 0.148 / 2 + 0.58 / 2) / 0.32 * sum_of(p, "registers", &whole, false));
    ws_power_destroy(q);
    ws_power_destroy(p);
    ws_machine_destroy(sram);
    ws_machine_destroy(stt);
}

/* Who shares: nothing where caches do not know it; more SMs, parts of a line and ways are more bits; linear in what
 * happens. */
static void tracking(void **state)
{
    (void)state;
    ws_machine *const m = machine_of("sharing");
    const ws_activity looks = {.cache_tag_accesses = {[WS_ACTIVITY_L1] = 1000}},
                      below = {.cache_tag_accesses = {[WS_ACTIVITY_L2] = 1000}};
    const ws_activity twice = {.cache_tag_accesses = {[WS_ACTIVITY_L1] = 2000}, .cache_fills = {[WS_ACTIVITY_L1] = 10}},
                      fills = {.cache_fills = {[WS_ACTIVITY_L1] = 10}};
    const ws_activity second = {.core_cycles = {1400000000}, .sm_busy_cycles = {15 * 1400000000ull}};
    ws_power *p = power_of(m, &(ws_power_options){0});
    assert_true(sum_of(p, "tracking", &looks, false) == 0 && sum_of(p, "tracking", &below, false) == 0 &&
                sum_of(p, "tracking", &second, true) == 0);
    ws_power_destroy(p);
    assert_int_equal(ws_machine_set(m, "l1.allocate", "fill"), WS_OK);
    assert_int_equal(ws_machine_set(m, "l2.replacement", "sharing-l2"), WS_OK);
    p = power_of(m, &(ws_power_options){0});
    const double lines = sum_of(p, "tracking", &below, false);
    assert_true(lines > 0 && sum_of(p, "tracking", &looks, false) == 0);
    ws_power_destroy(p);
    assert_int_equal(ws_machine_set(m, "l1.replacement", "sharing-l1"), WS_OK);
    p = power_of(m, &(ws_power_options){0});
    assert_true(sum_of(p, "tracking", &below, false) == lines);
    assert_close(sum_of(p, "tracking", &twice, false),
                 2 * sum_of(p, "tracking", &looks, false) + sum_of(p, "tracking", &fills, false));
    assert_true(sum_of(p, "tracking", &looks, false) > 0 && sum_of(p, "tracking", &fills, false) > 0);
    /* Notes are a small part of what tags and data cost. */
    assert_true(sum_of(p, "tracking", &below, false) < sum_of(p, "l2", &below, false));
    assert_true(sum_of(p, "tracking", &second, true) > 0 &&
                sum_of(p, "tracking", &second, true) < sum_of(p, "l2", &second, true) / 10);
    ws_power_destroy(p);
    assert_int_equal(ws_machine_set(m, "l2.unit", "32"), WS_OK);
    p = power_of(m, &(ws_power_options){0});
    assert_true(sum_of(p, "tracking", &below, false) > 2 * lines);
    ws_power_destroy(p);
    ws_machine_destroy(m);
}

/* Race detection by hand: 4 Kb and 16 Kb of the file; linear in what happens; the detector of 8 SMs is half of one. A
 * machine without a detector, and the idea of one that costs nothing, have no such terms; signatures that the file does
 * not reach are refused. */
static void race_detection(void **state)
{
    (void)state;
    ws_machine *const m = machine_of("races"), *const without = machine_of("gtsc");
    const ws_activity did = {.race_reads = {[WS_ACTIVITY_FILTER] = 1000, [WS_ACTIVITY_DETECTOR] = 300},
                             .race_writes = {[WS_ACTIVITY_FILTER] = 10, [WS_ACTIVITY_DETECTOR] = 4500}};
    const ws_activity second = {.core_cycles = {1400000000}, .sm_busy_cycles = {16 * 1400000000ull}};
    ws_power *p = power_of(m, &(ws_power_options){0}), *const q = power_of(without, &(ws_power_options){0});
    assert_close(sum_of(p, "detector", &did, false), (4500 * 62.89 + 300 * 60.13) * 1e-12);
    assert_close(sum_of(p, "filter", &did, false), 1010 * 3.76e-12);
    assert_close(sum_of(p, "detector", &second, true), 6.83e-3);
    assert_close(sum_of(p, "filter", &second, true), 16 * 0.43e-3);
    /* A table of renamed registers, where warps run ahead. */
    const ws_activity renaming = {.race_reads = {[WS_ACTIVITY_RENAMING] = 200},
                                  .race_writes = {[WS_ACTIVITY_RENAMING] = 30}};
    assert_close(sum_of(p, "tracking", &renaming, false), (200 * 1.39 + 30 * 1.21) * 1e-12);
    assert_close(sum_of(p, "tracking", &second, true), 16 * 3.63e-3);
    ws_power_destroy(p);
    assert_int_equal(ws_machine_set(m, "coherence.race_registers", "0"), WS_OK);
    p = power_of(m, &(ws_power_options){0});
    assert_true(sum_of(p, "tracking", &renaming, false) == 0 && sum_of(p, "tracking", &second, true) == 0);
    static const char *const parts[] = {"detector", "filter"};
    for (unsigned i = 0; i < 2; i++)
        assert_true(sum_of(q, parts[i], &did, false) == 0 && sum_of(q, parts[i], &second, true) == 0);
    ws_power_destroy(p);
    ws_power_destroy(q);
    assert_int_equal(ws_machine_set(m, "coherence.race_bits", "16384"), WS_OK);
    assert_int_equal(ws_machine_set(m, "chip.sms", "8"), WS_OK);
    p = power_of(m, &(ws_power_options){0});
    assert_close(sum_of(p, "detector", &did, false), (4500 * 251.20 + 300 * 240.15) / 2 * 1e-12);
    assert_close(sum_of(p, "filter", &did, false), 1010 * 15.01e-12);
    ws_power_destroy(p);
    assert_int_equal(ws_machine_set(m, "coherence.race_bits", "512"), WS_OK);
    assert_int_equal(ws_power_create(m, &(ws_power_options){0}, &p), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "coherence.race_bits: signatures of 512 bits"));
    assert_int_equal(ws_machine_set(m, "coherence.protocol", "drd-ideal"), WS_OK);
    p = power_of(m, &(ws_power_options){0});
    assert_true(sum_of(p, "detector", &did, false) == 0 && sum_of(p, "filter", &second, true) == 0);
    assert_true(sum_of(p, "tracking", &second, true) == 0);
    ws_power_destroy(p);
    ws_machine_destroy(m);
    ws_machine_destroy(without);
}

/* A section leaks while it is on, and costs what a smaller memory of SRAM does. */
static void section_of_sram(void **state)
{
    (void)state;
    ws_machine *const m = machine_of("sttram");
    const ws_activity on = {.shared_section_cycles = {1000}}, used = {.shared_section_writes = {100}},
                      looked = {.shared_section_lookups = {100}};
    const ws_activity waited = {.registers_buffered_lanes = {100}},
                      kept = {.registers_read_lanes = {100}, .registers_sram_read_lanes = {100}};
    ws_power *const p = power_of(m, &(ws_power_options){0});
    assert_true(sum_of(p, "shared", &on, true) == 0 && sum_of(p, "shared", &used, false) == 0 &&
                sum_of(p, "registers", &waited, false) == 0);
    assert_int_equal(ws_machine_set(m, "shared.memory", "hybrid"), WS_OK);
    assert_int_equal(ws_machine_set(m, "registers.coalesce", "32"), WS_OK);
    ws_machine *const sram = machine_of("sttram-sram");
    const ws_activity words = {.shared_words = {100}, .registers_read_lanes = {100}};
    ws_power *const q = power_of(m, &(ws_power_options){0}), *const s = power_of(sram, &(ws_power_options){0});
    assert_true(sum_of(q, "shared", &on, true) > 0 && sum_of(q, "shared", &looked, false) > 0 &&
                sum_of(q, "registers", &waited, false) > 0);
    assert_in_range((uintmax_t)(1000 * sum_of(q, "shared", &used, false) / sum_of(s, "shared", &words, false)), 1, 999);
    assert_close(sum_of(q, "registers", &kept, false), sum_of(s, "registers", &words, false));
    ws_power_destroy(p);
    ws_power_destroy(q);
    ws_power_destroy(s);
    ws_machine_destroy(m);
    ws_machine_destroy(sram);
}

/* ------------------------------------------------------------------------------------------------ files */

static char *text_of(const char *path)
{
    FILE *const f = fopen(path, "rb");
    char *const text = calloc(1, 1 << 16);
    assert_non_null(f);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
    fclose(f);
    return text;
}

/* The file with `from` replaced; NULL: as it is. */
static char *changed(const char *path, const char *from, const char *to)
{
    char *const text = text_of(path), *const at = strstr(text, from), *const out = calloc(1, 1 << 17);
    assert_non_null(at);
    assert_non_null(out);
    snprintf(out, 1 << 17, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    free(text);
    return out;
}

typedef int parser(const char *file, const char *text, size_t length, void *out);

static void refuse(parser *parse, const char *path, const char *from, const char *to, const char *says)
{
    union {
        ws_chip chip;
        ws_energies energies;
        ws_memory_energies memory;
        ws_node node;
    } out;
    char *const text = changed(path, from, to);
    assert_int_equal(parse("bad.ini", text, strlen(text), &out), WS_EINPUT);
    if (!strstr(ws_message(), says) || !strstr(ws_message(), "bad.ini"))
        fail_msg("'%s' does not say '%s'", ws_message(), says);
    free(text);
}

static int chip(const char *file, const char *text, size_t length, void *out)
{
    return ws_chip_parse(file, text, length, out);
}

static int energies(const char *file, const char *text, size_t length, void *out)
{
    return ws_energies_parse(file, text, length, out);
}

static int memory(const char *file, const char *text, size_t length, void *out)
{
    return ws_memory_energies_parse(file, text, length, out);
}

static int node(const char *file, const char *text, size_t length, void *out)
{
    return ws_node_parse(file, text, length, out);
}

static void bad_files(void **state)
{
    (void)state;
    refuse(energies, "data/tech/energy.ini", "fp_mad = 4.6 pJ", "fp_mad = 4.6", "expected the unit pJ");
    refuse(energies, "data/tech/energy.ini", "fp_mad = 4.6 pJ", "fp_mad = -4.6 pJ", "expected 0 to");
    refuse(energies, "data/tech/energy.ini", "fp_mad = 4.6 pJ", "fp_mud = 4.6 pJ", "has no fp_mud");
    refuse(energies, "data/tech/energy.ini", "fp_mad = 4.6 pJ", "", "lacks fp_mad");
    refuse(energies, "data/tech/energy.ini", "node = 45nm", "", "lacks node");
    refuse(chip, "data/tech/chip_gv100.ini", "area = 815 mm2", "area = 815 cm", "expected the unit mm2");
    refuse(chip, "data/tech/chip_gv100.ini", "volts = 0.8 V", "volts = 0.1 V", "must rise");
    refuse(chip, "data/tech/chip_gv100.ini", "volts = 0.8 V", "", "lacks volts");
    refuse(chip, "data/tech/chip_gv100.ini", "node = 12nm", "", "lacks node");
    refuse(memory, "data/tech/dram_hbm2_gv100.ini", "io = 0.8 pJ/bit", "io = 0.8 pJ", "expected the unit pJ/bit");
    refuse(memory, "data/tech/dram_hbm2_gv100.ini", "io = 0.8 pJ/bit", "", "lacks io");
    refuse(node, "data/tech/node_22nm.ini", "volts = 0.8 V", "volts = 0.8", "expected the unit V");
    refuse(node, "data/tech/node_22nm.ini", "121.6 124", "121.6", "eleven numbers");
    refuse(node, "data/tech/node_22nm.ini", "121.6 124", "124 121.6", "do not fall");
}

/* A clock that the chip has no voltage for, a node that has no file, a machine without a chip. */
static void bad_points(void **state)
{
    (void)state;
    ws_machine *const m = machine_of("qv100"), *const h = machine_of("h100");
    ws_power *p;
    assert_int_equal(ws_machine_set(m, "chip.core_clock", "3GHz"), WS_OK);
    assert_int_equal(ws_power_create(m, &(ws_power_options){0}, &p), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "its table covers 135 to 1800 MHz"));
    assert_int_equal(ws_machine_set(m, "chip.core_clock", "1132MHz"), WS_OK);
    assert_int_equal(ws_power_create(m, &(ws_power_options){.node = "5nm"}, &p), WS_ENOTFOUND);
    assert_non_null(strstr(ws_message(), "unknown node 5nm") && strstr(ws_message(), "22nm"));
    assert_int_equal(ws_power_create(h, &(ws_power_options){0}, &p), WS_EUNSUPPORTED);
    assert_non_null(strstr(ws_message(), "power.chip"));
    ws_machine_destroy(m);
    ws_machine_destroy(h);
}

/* Leakage is none without a voltage, and follows the table and its ends. */
static void off_current(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob("data/tech/node_*.ini", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        ws_node n;
        assert_int_equal(ws_node_read(files.gl_pathv[i], &n), WS_OK);
        assert_close(ws_node_off_current(&n, 320, n.nominal_v), n.off_na_um[2] * 1e-3);
        assert_close(ws_node_off_current(&n, 400, n.nominal_v), n.off_na_um[WS_NODE_TEMPERATURES - 1] * 1e-3);
        double last = 0;
        for (double k = 250; k < 450; k += 5) {
            const double now = ws_node_off_current(&n, k, n.nominal_v);
            assert_true(now >= last);
            assert_true(ws_node_off_current(&n, k, n.nominal_v / 2) < now);
            last = now;
        }
    }
    globfree(&files);
}

/* At the node and voltage of the source, operations cost what it prints (M. Horowitz, Computing's Energy Problem, ISSCC
 * 2014: 45 nm, 0.9 V), at twice the voltage four times as much. Bits of HBM2 cost what O'Connor and others print
 * (Fine-Grained DRAM, MICRO 2017: 909 pJ a row, 2.68 and 0.8 a bit, here bursts of 32 bytes), whatever the chip's
 * voltage; between chips 1.17 pJ. */
static void joules_are_those_published(void **state)
{
    static const double pj = 1e-12, times = 1000;
    static const struct {
        ws_operation operation;
        ws_power_component component;
        double pj;
    } printed[] = {{WS_OPERATION_int_add, WS_POWER_integer, 0.1}, {WS_OPERATION_int_mul, WS_POWER_integer, 3.1},
                   {WS_OPERATION_half_add, WS_POWER_single, 0.4}, {WS_OPERATION_half_mul, WS_POWER_single, 1.1},
                   {WS_OPERATION_fp_add, WS_POWER_single, 0.9},   {WS_OPERATION_fp_mul, WS_POWER_single, 3.7}};
    (void)state;
    ws_machine *const m = machine_of("qv100"), *const chips = machine_of("four-chips");
    for (int doubled = 0; doubled < 2; doubled++) {
        ws_power *const p = power_of(m, &(ws_power_options){.node = "45nm", .volts = doubled ? 1.8 : 0.9});
        for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
            ws_activity a = {.core_cycles = {0}};
            a.operation_lanes[printed[i].operation] = (uint64_t)times;
            const ws_energy e = energy_of(p, &a);
            assert_close(e.dynamic[printed[i].component], times * printed[i].pj * pj * (doubled ? 4 : 1));
            assert_close(ws_energy_total(&e), e.dynamic[printed[i].component]);
        }
        ws_activity a = {.dram_activates = {3}, .dram_reads = {100}, .dram_writes = {10}};
        const ws_energy e = energy_of(p, &a);
        assert_close(e.dynamic[WS_POWER_dram], (3 * 909 + 110 * 32 * 8 * (2.68 + 0.8)) * pj);
        assert_close(e.dynamic[WS_POWER_controller], 110 * 32 * 8 * 2 * pj * (doubled ? 4 : 1));
        ws_power_destroy(p);
    }
    ws_power *const p = power_of(chips, &(ws_power_options){0});
    ws_activity a = {.network_bytes = {700, 80, 1000, 24}}; /* in chips, there and back; between them */
    const ws_energy e = energy_of(p, &a);
    assert_close(e.dynamic[WS_POWER_link], 1024 * 8 * 1.17 * pj);
    ws_power_destroy(p);
    ws_machine_destroy(chips);
    ws_machine_destroy(m);
}

/* Logic of a die of 15 SMs and 6 channels, half of it SMs, as transistors that leak, counted by hand: two packaged
 * chips with all channels have twice what a die has beyond SMs, one with half of the channels half, and the side is
 * that of the part of the die that is there. */
static void logic_grows_with_the_machine(void **state)
{
    (void)state;
    static const struct {
        unsigned channels, chips, sms;
        double transistors, area_mm2; /* beyond SMs in all chips; of one chip */
    } expected[] = {{6, 1, 15, 1.5e9, 400}, {6, 2, 15, 3e9, 400}, {3, 1, 15, 0.75e9, 300}, {12, 4, 30, 12e9, 800}};
    const ws_chip chip = {
        .transistors = 3e9, .sms = 15, .channels = 6, .sm_share = 0.5, .area_mm2 = 400, .stack = 0.25};
    const ws_energies energies = {.logic_width = 2, .leakage_off = 0.5};
    ws_node n;
    assert_int_equal(ws_node_read("data/tech/node_40nm.ini", &n), WS_OK);
    /* Two features wide, half of them off, a quarter by stacking, at the table's current of 320 K. */
    const double one = 2 * n.feature_nm * 1e-9 * 0.5 * 0.25 * n.off_na_um[2] * 1e-3 * n.nominal_v;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ws_machine m = {
            .memory_channels = expected[i].channels, .package_chips = expected[i].chips, .chip_sms = expected[i].sms};
        const ws_power_build b = {.machine = &m,
                                  .chip = &chip,
                                  .energies = &energies,
                                  .node = &n,
                                  .volts = n.nominal_v,
                                  .temperature_k = 320};
        assert_close(ws_power_transistors_leakage(&b, 1), one);
        assert_close(ws_power_sm_leakage(&b), 1e8 * one);
        assert_close(ws_power_uncore_leakage(&b), expected[i].transistors * one);
        assert_close(ws_power_side_m(&b), sqrt(expected[i].area_mm2) * 1e-3);
    }
}

/* Accesses that cost what a study prints (P. Dalmia 2023, table 3.3), worked out by hand: nothing leaks, and no chip is
 * asked for. */
static void accesses_alone(void **state)
{
    static const double pj = 1e-12;
    (void)state;
    ws_machine *const m = machine_of("four-chiplets");
    ws_power *const p = power_of(m, &(ws_power_options){0});
    ws_activity a = {.core_cycles = {1801000}, .sm_busy_cycles = {5000}, .sm_idle_cycles = {100}};
    ws_energy e = energy_of(p, &a);
    assert_true(ws_energy_total(&e) == 0);
    assert_close(e.seconds, 1e-3);
    /* L2 sees 10 loads, 3 stores, 2 atomics, which it sends on to the L3 at their home; 4 lines come, 5 leave. 15
     * requests, 6 of them to other chips. 64 bytes of DRAM are two bursts. */
    a.cache_tag_accesses[WS_ACTIVITY_L2] = 15;
    a.cache_stores[WS_ACTIVITY_L2] = 3;
    a.cache_atomics[WS_ACTIVITY_L2] = 2;
    a.cache_fills[WS_ACTIVITY_L2] = 4;
    a.cache_writebacks[WS_ACTIVITY_L2] = 5;
    a.cache_tag_accesses[WS_ACTIVITY_L3] = a.cache_atomics[WS_ACTIVITY_L3] = 2;
    a.network_packets[0] = a.network_packets[1] = 15;
    a.network_packets[2] = a.network_packets[3] = 6;
    a.dram_reads[0] = 2;
    a.unit_lanes[WS_UNIT_SP] = 32;
    a.unit_lanes[WS_UNIT_MEMORY] = 32;
    a.unit_instructions[WS_UNIT_SP] = a.unit_instructions[WS_UNIT_MEMORY] = 1;
    e = energy_of(p, &a);
    assert_close(e.dynamic[WS_POWER_l2], ((10 + 2 + 5) * 193.59 + (3 + 4) * 234.0675) * pj);
    assert_close(e.dynamic[WS_POWER_l3], 2 * (193.59 + 234.0675) * pj);
    assert_close(e.dynamic[WS_POWER_network], 15 * 254 * pj);
    assert_close(e.dynamic[WS_POWER_link], 6 * 254 * pj);
    assert_close(e.dynamic[WS_POWER_dram], 501 * pj);
    assert_close(e.dynamic[WS_POWER_single], 32 * 3.7 * pj);
    assert_close(e.dynamic[WS_POWER_fetch], 2 * 5.6387 * pj);
    assert_true(all_leakage(&e) == 0);
    ws_power_destroy(p);
    /* An L2 that performs them writes, too. */
    machine_word(m, l2_side, "memory");
    ws_power *const performs = power_of(m, &(ws_power_options){0});
    e = energy_of(performs, &a);
    assert_close(e.dynamic[WS_POWER_l2], ((10 + 2 + 5) * 193.59 + (3 + 2 + 4) * 234.0675) * pj);
    ws_power_destroy(performs);
    /* A chip, node, voltage or temperature would say something else. */
    const ws_power_options others[] = {{.chip = "gv100"}, {.node = "12nm"}, {.volts = 1}, {.temperature_k = 300}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        ws_power *none;
        assert_int_equal(ws_power_create(m, &others[i], &none), WS_EUNSUPPORTED);
        assert_non_null(strstr(ws_message(), "power.accesses = lab_12nm"));
        assert_null(none);
    }
    ws_machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(additive),
        cmocka_unit_test(logic_grows_with_the_machine),
        cmocka_unit_test(joules_are_those_published),
        cmocka_unit_test(accesses_alone),
        cmocka_unit_test(time_alone_leaks),
        cmocka_unit_test(levels),
        cmocka_unit_test(every_machine),
        cmocka_unit_test(each_counter_alone),
        cmocka_unit_test(charges_have_owners),
        cmocka_unit_test(no_component_is_another),
        cmocka_unit_test(light_of_memory),
        cmocka_unit_test(magnetic),
        cmocka_unit_test(race_detection),
        cmocka_unit_test(tracking),
        cmocka_unit_test(section_of_sram),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(bad_points),
        cmocka_unit_test(off_current),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
