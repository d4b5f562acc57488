/* power_accesses.c - what does activity cost if each access has one printed energy, and nothing leaks?
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", UW-Madison 2023, table 3.3: E = sum of
 * counts times energies, for the buffers of its chapter 3 and the chiplets of its chapter 5 (data/tech/lab_12nm.ini).
 * What is a read and what a write there is not said in full. Here: a cache that is asked is read, whatever it has;
 * stores write a write-back L2 or L3 instead, atomic operations do both where they are performed (an L2 that keeps
 * lines of other chips sends them on to the home, and is read); what comes from below is written, what leaves is read.
 * A request pays the network once, with its answer; one to another chip pays for the link besides, and so does what a
 * directory tells another chip. DRAM is paid by lines, in bursts of its part. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

#include <limits.h>
#include <string.h>

enum { REQUEST = 0, LINK_REQUEST = 2 };

typedef struct account {
    ws_power_component component;
    size_t counter;
    double pj;
    const char *what;
} account;

int ws_power_read_accesses(const ws_machine *m, ws_lab_tech *out)
{
    char path[PATH_MAX];
    const int status = ws_power_tech_path(m, "", m->power_accesses, path);
    return status ? status : ws_lab_tech_read(path, out);
}

static int add(ws_power_build *b, const account *a)
{
    static const double pj = 1e-12;
    b->component = a->component;
    return ws_power_event(b, a->counter, a->pj * pj, "%s: %g pJ", a->what, a->pj);
}

static int add_all(ws_power_build *b, const account *a, size_t count)
{
    int status = WS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = add(b, &a[i]);
    return status;
}

/* Threads of instructions by their units, instructions of warps by the same. */
static int add_execution(ws_power_build *b, const ws_lab_tech *t)
{
    static const ws_power_component unit[WS_UNITS] = {
        [WS_UNIT_SP] = WS_POWER_single,   [WS_UNIT_INT] = WS_POWER_integer,   [WS_UNIT_DP] = WS_POWER_twice,
        [WS_UNIT_SFU] = WS_POWER_special, [WS_UNIT_TENSOR] = WS_POWER_tensor,
    };
    int status = WS_OK;
    for (unsigned i = 0; i < WS_UNITS && !status; i++) {
        if (i != WS_UNIT_MEMORY && i != WS_UNIT_NONE)
            status =
                add(b, &(account){unit[i], WS_COUNTER(unit_lanes, i), t->operation_lane, "an operation of a thread"});
        if (!status)
            status = add(b, &(account){WS_POWER_fetch, WS_COUNTER(unit_instructions, i), t->instructions_read,
                                       "an instruction read"});
    }
    return status;
}

/* Stores find a copy in an L1 or pass it. */
static int add_l1s(ws_power_build *b, const ws_lab_tech *t)
{
    const struct {
        ws_power_component component;
        unsigned cache;
    } caches[] = {{WS_POWER_l1, WS_ACTIVITY_L1},
                  {WS_POWER_texture, WS_ACTIVITY_TEXTURE},
                  {WS_POWER_constant, WS_ACTIVITY_CONSTANT}};
    int status = WS_OK;
    for (size_t i = 0; i < sizeof caches / sizeof *caches && !status; i++) {
        const account rows[] = {
            {caches[i].component, WS_COUNTER(cache_tag_accesses, caches[i].cache), t->l1_read, "an access"},
            {caches[i].component, WS_COUNTER(cache_updates, caches[i].cache), t->l1_write,
             "a copy that a store changes"},
            {caches[i].component, WS_COUNTER(cache_fills, caches[i].cache), t->l1_write, "a line that comes"},
            {caches[i].component, WS_COUNTER(cache_writebacks, caches[i].cache), t->l1_read, "a line that leaves"},
        };
        status = add_all(b, rows, sizeof rows / sizeof *rows);
    }
    return status;
}

/* `performs`: atomic operations, rather than sending them on. */
static int add_shared_cache(ws_power_build *b, ws_power_component component, unsigned cache, bool performs, double read,
                            double write)
{
    const account rows[] = {
        {component, WS_COUNTER(cache_tag_accesses, cache), read, "an access"},
        {component, WS_COUNTER(cache_stores, cache), write - read, "what a store costs more than a load"},
        {component, WS_COUNTER(cache_atomics, cache), performs ? write : 0, "what an atomic operation writes"},
        {component, WS_COUNTER(cache_fills, cache), write, "a line that comes"},
        {component, WS_COUNTER(cache_writebacks, cache), read, "a line that leaves"},
    };
    return add_all(b, rows, sizeof rows / sizeof *rows);
}

static int add_network(ws_power_build *b, const ws_lab_tech *t)
{
    const account rows[] = {
        {WS_POWER_network, WS_COUNTER(network_packets, REQUEST), t->network_message, "a request and its answer"},
        {WS_POWER_link, WS_COUNTER(network_packets, LINK_REQUEST), t->network_message, "one to another chip"},
        {WS_POWER_link, WS_COUNTER(network_takings, 0), t->network_message, "what a directory tells another chip"},
    };
    return add_all(b, rows, sizeof rows / sizeof *rows);
}

static int add_memory(ws_power_build *b, const ws_lab_tech *t)
{
    const double burst = t->memory_access * b->machine->shape.part.burst_bytes / b->machine->l2_line;
    const account rows[] = {
        {WS_POWER_dram, WS_COUNTER(dram_reads, 0), burst, "a burst, its part of a line"},
        {WS_POWER_dram, WS_COUNTER(dram_writes, 0), burst, "a burst, its part of a line"},
    };
    return add_all(b, rows, sizeof rows / sizeof *rows);
}

int ws_power_add_accesses(ws_power_build *b)
{
    ws_lab_tech t;
    int status = ws_power_read_accesses(b->machine, &t);
    if (!status)
        status = add_execution(b, &t);
    if (!status)
        status = add(b, &(account){WS_POWER_shared, WS_COUNTER(shared_accesses, 0), t.shared_access,
                                   "an instruction of shared memory"});
    if (!status)
        status = add_l1s(b, &t);
    if (!status)
        status = add_shared_cache(b, WS_POWER_l2, WS_ACTIVITY_L2, !ws_machine_keeps_remote(b->machine), t.l2_read,
                                  t.l2_write);
    if (!status && b->machine->l3_size)
        status = add_shared_cache(b, WS_POWER_l3, WS_ACTIVITY_L3, true, t.l3_read, t.l3_write);
    if (!status)
        status = add_network(b, &t);
    if (!status)
        status = add_memory(b, &t);
    b->component = WS_POWER_buffer;
    return status ? status : ws_power_add_buffer(b);
}
