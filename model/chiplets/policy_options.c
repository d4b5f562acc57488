/* policy_options.c - see policy_options.h. */
#include "model/chiplets/policy_options.h"

enum { RANGES, STRICT, PROBES, EMPTIES, ROWS, ARGUMENTS, CLOCK, ACCESS, LATENCY, TABLE_OPTIONS };
const ws_option ws_policy_table_options[] = {
    [RANGES] = {"ranges", "", 1, 0, 1, "1: the table knows the addresses that each chip uses; 0: only the chips"},
    [STRICT] = {"strict", "", 0, 0, 1,
                "1: a chip that wrote where another one did gives its copies up before it uses the data again"},
    [PROBES] = {"probes", "", 1, 0, 1,
                "1: a write by a chip at the home of a line invalidates the copy of the home's own chip; 0: that copy "
                "may be stale"},
    [EMPTIES] = {"empties", "", 0, 0, 1,
                 "1: an L2 that writes back keeps no copy, and the table forgets it; 0: clean lines stay"},
    [ROWS] = {"rows", "", WS_CCT_ROWS, 2, WS_CCT_ROWS_MOST, "data structures that the table has room for"},
    [ARGUMENTS] = {"arguments", "", WS_CCT_ARGUMENTS, 1, WS_CCT_ROWS_MOST - 1,
                   "data structures of a launch that are distinguished"},
    [CLOCK] = {"clock", "kHz", 1500000, 1000, 10000000, "of the command processor"},
    [ACCESS] = {"access", "cycles", 31, 0, 100000, "of its clock, to a row of the table"},
    [LATENCY] = {"latency", "ns", 0, 0, 100000000,
                 "one way to the command processor of a chip; a launch that needs an operation waits twice as long in "
                 "addition to chip.launch"},
    {NULL, NULL, 0, 0, 0, NULL},
};

enum { ENTRIES, WAYS, LINES, DIRECTORY_OPTIONS };
const ws_option ws_policy_directory_options[] = {
    [ENTRIES] = {"entries", "", WS_DIRECTORY_ENTRIES, 1, 1 << 24, "of a chip's directory: a multiple of ways"},
    [WAYS] = {"ways", "", WS_DIRECTORY_WAYS, 1, 1 << 16, "entries of a set of it"},
    [LINES] = {"lines", "", WS_DIRECTORY_LINES, 1, WS_DIRECTORY_LINES_MOST,
               "that an entry covers, and an invalidation ends"},
    {NULL, NULL, 0, 0, 0, NULL},
};

/* What was given for the options of a table, if the policy has that table. */
static void choose(const ws_chiplet_policy_ops *policy, const ws_option *options, const ws_given *given, size_t count,
                   uint64_t *values)
{
    ws_option_choose(options, given, policy && policy->options == options ? count : 0, values);
}

ws_package_table ws_policy_table(const ws_chiplet_policy_ops *policy, const ws_given *given, size_t count,
                                 uint32_t chips)
{
    uint64_t v[TABLE_OPTIONS];
    choose(policy, ws_policy_table_options, given, count, v);
    ws_package_table t = {.cct = ws_cct_defaults(chips)};
    t.cct.ranges = v[RANGES];
    t.cct.strict = v[STRICT];
    t.cct.release_empties = v[EMPTIES];
    t.probes = v[PROBES];
    t.cct.rows = (uint32_t)v[ROWS];
    t.cct.arguments = (uint32_t)v[ARGUMENTS];
    t.access_s = (double)v[ACCESS] / ((double)v[CLOCK] * 1e3);
    t.latency_s = (double)v[LATENCY] * 1e-9;
    return t;
}

ws_directory_options ws_policy_directory(const ws_chiplet_policy_ops *policy, const ws_given *given, size_t count)
{
    uint64_t v[DIRECTORY_OPTIONS];
    choose(policy, ws_policy_directory_options, given, count, v);
    return (ws_directory_options){
        .entries = (uint32_t)v[ENTRIES], .ways = (uint32_t)v[WAYS], .lines = (uint32_t)v[LINES]};
}

/* Lookups, and there and back what an operation adds to the messages that every launch waits for (chip.launch); answers
 * come together. */
double ws_package_table_time(const ws_package_table *t, uint32_t rows_looked_up, bool operates)
{
    return rows_looked_up * t->access_s + (operates ? 2 * t->latency_s : 0);
}
