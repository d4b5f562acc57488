/* package_coherence.c - see package_coherence.h. Costs, and the size of table and directory: P. Dalmia, "Reducing
 * Synchronization and Communication Overheads in GPUs", 2023, chapter 5, and for the directory X. Ren and others,
 * "HMG", HPCA 2020. */
#include "model/machine/package_coherence.h"

#include "model/sim/network/network.h"

#include <string.h>

enum { RANGES, STRICT, PROBES, EMPTIES, ROWS, ARGUMENTS, CLOCK, ACCESS, LATENCY, TABLE_OPTIONS };
static const ws_option table_options[] = {
    [RANGES] = {"ranges", "", 1, 0, 1, "1: the table knows which addresses each chip uses; 0: which chips do"},
    [STRICT] = {"strict", "", 0, 0, 1,
                "1: a chip that wrote where another one did gives its copies up before it uses the data again"},
    [PROBES] = {"probes", "", 1, 0, 1,
                "1: what a chip writes at the home of a line takes the copy of the home's own chip away; 0: that may "
                "be out of date then"},
    [EMPTIES] = {"empties", "", 0, 0, 1,
                 "1: an L2 that writes back keeps no copy, and the table forgets it; 0: clean lines stay"},
    [ROWS] = {"rows", "", WS_CCT_ROWS, 2, WS_CCT_ROWS_MOST, "data structures that the table has room for"},
    [ARGUMENTS] = {"arguments", "", WS_CCT_ARGUMENTS, 1, WS_CCT_ROWS_MOST - 1,
                   "data structures of a launch that it tells apart"},
    [CLOCK] = {"clock", "kHz", 1500000, 1000, 10000000, "of the command processor"},
    [ACCESS] = {"access", "cycles", 31, 0, 100000, "of its clock, to a row of the table"},
    [LATENCY] = {"latency", "ns", 2000, 0, 100000000, "between it and the command processor of a chip, one way"},
    {NULL, NULL, 0, 0, 0, NULL},
};

enum { ENTRIES, WAYS, LINES, DIRECTORY_OPTIONS };
static const ws_option directory_options[] = {
    [ENTRIES] = {"entries", "", WS_DIRECTORY_ENTRIES, 1, 1 << 24, "of a chip's directory: a multiple of ways"},
    [WAYS] = {"ways", "", WS_DIRECTORY_WAYS, 1, 1 << 16, "entries of a set of it"},
    [LINES] = {"lines", "", WS_DIRECTORY_LINES, 1, WS_DIRECTORY_LINES_MOST,
               "that an entry covers, and an invalidation ends"},
    {NULL, NULL, 0, 0, 0, NULL},
};

static const ws_package_coherence rows[] = {
#define PACKAGE_COHERENCE(name, options, acquires, by_table, releases, gives_up, takes, directory, summary) \
    {name, summary, options, acquires, by_table, releases, gives_up, takes, directory},
#include "model/machine/package_coherences.def"
#undef PACKAGE_COHERENCE
};

const ws_package_coherence *ws_package_coherence_at(size_t index)
{
    return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

const ws_package_coherence *ws_package_coherence_find(const char *name)
{
    for (size_t i = 0; ws_package_coherence_at(i); i++)
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    return NULL;
}

/* What the machine gives for the options of a table, if its row has that table. */
static void choose(const ws_machine *m, const ws_option *options, uint64_t *values)
{
    const ws_package_coherence *const row = ws_package_coherence_find(m->package_coherence);
    const bool has = row && row->options == options;
    ws_option_choose(options, m->package.list, has ? m->package.count : 0, values);
}

ws_package_table ws_package_table_of(const ws_machine *m)
{
    uint64_t v[TABLE_OPTIONS];
    choose(m, table_options, v);
    ws_package_table t = {.cct = ws_cct_defaults(m->package_chips)};
    t.cct.ranges = v[RANGES];
    t.cct.strict = v[STRICT];
    t.cct.release_empties = v[EMPTIES];
    t.probes = v[PROBES];
    t.cct.rows = (uint32_t)v[ROWS];
    t.cct.arguments = (uint32_t)v[ARGUMENTS];
    t.cct.granule = m->l2_line;
    t.access_s = (double)v[ACCESS] / ((double)v[CLOCK] * 1e3);
    t.latency_s = (double)v[LATENCY] * 1e-9;
    return t;
}

ws_directory_options ws_package_directory_of(const ws_machine *m)
{
    uint64_t v[DIRECTORY_OPTIONS];
    choose(m, directory_options, v);
    return (ws_directory_options){
        .entries = (uint32_t)v[ENTRIES], .ways = (uint32_t)v[WAYS], .lines = (uint32_t)v[LINES]};
}

/* There and back: the request, and, when all have answered, the word that lets the launch begin; answers come together.
 */
double ws_package_table_time(const ws_package_table *t, uint32_t rows_looked_up, bool operates)
{
    return rows_looked_up * t->access_s + (operates ? 2 * t->latency_s : 0);
}

double ws_package_link_bytes(const ws_machine *m)
{
    const uint64_t bytes = ws_option_value(ws_network_common_options, "flit_bytes", m->link.list, m->link.count, 0);
    return (double)bytes * m->link_clock * 1e3;
}
