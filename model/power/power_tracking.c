/* power_tracking.c - what caches that know who shares note of their lines (model/cache/cache_sharing.c): an array of
 * bits beside the tags.
 *
 * Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", USC 2018,
 * section 2.4: a line of L2 has the SM that asked first, 4 bits for 15 SMs, and a flag that another one came; a line of
 * an L1 has a flag that its block is private and one that it is dead. They are read with the tags, of all ways since
 * any may be given up, and written when a line comes. In L2 the flag is written in the access that another SM makes,
 * once a line: no more than a fill, and not counted. The bit of each answer of L2 travels in a header that is there. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

#include <string.h>

enum { BYTE = 8, FLAG = 1, PRIVATE_AND_DEAD = 2 };

typedef struct notes {
    unsigned cache; /* among the caches of ws_activity */
    uint32_t lines, ways, bits, copies;
    bool in_sms;
} notes;

static unsigned bits_for(uint32_t values)
{
    unsigned bits = 0;
    while (bits < 32 && (UINT64_C(1) << bits) < values)
        bits++;
    return bits;
}

static uint64_t option_of(const ws_cache_choice *choice, const char *name, uint64_t fallback)
{
    for (size_t i = 0; i < choice->count; i++)
        if (!strcmp(choice->given[i].name, name))
            return choice->given[i].value;
    return fallback;
}

static int add_notes(ws_power_build *b, const notes *n)
{
    const uint64_t set_bytes = ((uint64_t)n->ways * n->bits + BYTE - 1) / BYTE;
    ws_array_result array = {0};
    int status = ws_power_array(b, n->lines / n->ways * set_bytes, (unsigned)set_bytes, 0, &array);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(cache_tag_accesses, n->cache), array.read_j, "%u bits of each of %u ways",
                                n->bits, n->ways);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(cache_fills, n->cache), array.write_j, "%u bits of a line that comes",
                                n->bits);
    if (status)
        return status;
    return n->in_sms
               ? ws_power_leak_in_sms(b, array.leakage_w, "who shares the lines of an L1")
               : ws_power_leak(b, WS_WHILE_RUNNING, array.leakage_w * n->copies,
                               "who shares the lines of a slice: %u of %.3g mW", n->copies, array.leakage_w * 1e3);
}

/* Registers that are looked up in the table of an SM, put into it, and kept. */
static int add_renaming(ws_power_build *b)
{
    ws_race_costs c;
    int status = ws_power_race_costs(b, &c);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(race_reads, WS_ACTIVITY_RENAMING), c.renaming_read_j,
                                "a register, in the table of renamed ones");
    if (!status)
        status = ws_power_event(b, WS_COUNTER(race_writes, WS_ACTIVITY_RENAMING), c.renaming_write_j,
                                "a register, into that table");
    return status ? status : ws_power_leak_in_sms(b, c.renaming_leakage_w, "a table of renamed registers");
}

int ws_power_add_tracking(ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    const ws_cache_replacement *const l1 = ws_machine_plain_l1(m), *const l2 = ws_machine_plain_l2(m);
    int status = WS_OK;
    if (l2 && l2->tell) {
        const ws_cache_choice choice = ws_machine_l2_choice(m);
        const uint64_t unit = option_of(&choice, "unit", 0);
        const uint32_t parts = unit ? m->l2_line / (uint32_t)unit : 1;
        status = add_notes(b, &(notes){.cache = WS_ACTIVITY_L2,
                                       .lines = m->l2_sets * m->l2_ways,
                                       .ways = m->l2_ways,
                                       .bits = parts * (bits_for(ws_machine_sms(m)) + FLAG),
                                       .copies = ws_machine_slices(m)});
    }
    if (!status && l1 && l1->hears)
        status = add_notes(b, &(notes){.cache = WS_ACTIVITY_L1,
                                       .lines = m->l1_sets * m->l1_ways,
                                       .ways = m->l1_ways,
                                       .bits = PRIVATE_AND_DEAD,
                                       .in_sms = true});
    if (!status && ws_machine_runs_ahead(m) && ws_machine_races_cost(m))
        status = add_renaming(b);
    return status;
}
