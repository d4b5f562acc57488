/* chameleon_options.c - what does the user of `warpscape model chameleon` ask for? */
#include "model/mechanism/chameleon/chameleon_options.h"
#include "base/options/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    KEY_DAYS = 256,
    KEY_SEED,
    KEY_SEEDS,
    KEY_THERMAL,
    KEY_LIFETIME,
    KEY_PER,
    KEY_SENSITIVITY,
    KEY_LIST,
    KEY_OPTIONS,
    KEY_MEAN,
    KEY_GAP,
    KEY_COLUMN,
    KEY_HYBRID,
    KEY_PLANT
};

static const struct argp_option options[] = {
    {"supply", 'S', "NAME|FILE", 0, "A class of supplies, all, or a file of measurements; may be given again [all]", 1},
    {"supply-mean", KEY_MEAN, "W", 0, "Of files: scale the power to this mean [as it is]", 1},
    {"supply-column", KEY_COLUMN, "NAME", 0,
     "Of files: the column of power, irradiance or wind speed [the first that is known]", 1},
    {"supply-gap", KEY_GAP, "HOURS", 0, "Of files: the longest gap that is filled [2]", 1},
    {"supply-hybrid", KEY_HYBRID, NULL, 0, "Of files with irradiance and wind speed: both, panels and turbine", 1},
    {"supply-plant", KEY_PLANT, "FILE", 0, "Of files: panels and turbine [data/tech/plant.ini]", 1},
    {"workload", 'w', "NAME", 0, "A workload of the table of loads, or all; may be given again [all]", 1},
    {"db", 'd', "FILE", 0,
     "The workloads that are in this results file, with power and throughput of each level by `warpscape model power', "
     "unless --loads has them",
     1},
    {"machine", 'M', "NAME", 0, "With --db: the machine they run on, a file or a name of data/configs [renewable]", 1},
    {"loads", 'L', "FILE", 0, "Table with the power and the IPC of each workload [data/control/loads.csv]", 1},
    {"policy", 'P', "NAME", 0, "A policy; may be given again [all]", 1},
    {"base", 'B', "NAME", 0, "The policy that the others are measured against [energy]", 1},
    {"days", KEY_DAYS, "N", 0, "Days that are simulated [1]", 2},
    {"seed", KEY_SEED, "N", 0, "Decides weather, activity of the load and luck [1]", 2},
    {"seeds", KEY_SEEDS, "N", 0, "Runs with N seeds, from --seed on; several give means and confidence intervals [1]",
     2},
    {"jobs", 'j', "N", 0, "Worker threads; no result depends on them [one a processor]", 2},
    {"config", 'c', "FILE", 0, "File that changes the server, as data/control/study.ini", 3},
    {"set", 's', "SECTION.NAME=VALUE", 0, "Changes one option of the server; may be given again", 3},
    {"options", KEY_OPTIONS, NULL, 0, "List the options of the server with their values", 3},
    {"thermal", KEY_THERMAL, "NAME|FILE", 0, "Die and package: a file, or data/tech/thermal_NAME.ini [renewable]", 3},
    {"lifetime", KEY_LIFETIME, "NAME|FILE", 0,
     "Law of wear: a file, or data/tech/lifetime_NAME.ini [data/tech/lifetime.ini]", 3},
    {"list", KEY_LIST, NULL, 0, "List policies, supplies and workloads", 4},
    {"per", KEY_PER, "workload|supply|policy", 0,
     "A row for each of these; supply and policy are means over workloads, and supplies [workload]", 4},
    {"timeline", 't', "FILE", 0, "Of one run: supply, load, charge, mode and temperature over time", 4},
    {"learning", 'l', "FILE", 0, "Of one run: rewards, and what the policy holds of each mode in each state, over time",
     4},
    {"sensitivity", KEY_SENSITIVITY, NULL, 0,
     "Instead: what each constant of the server changes in the gains of a policy [chameleon]", 4},
    {"output", 'o', "DIR", 0, "Figures and their frames into this folder", 4},
    {0},
};

static void add(const struct argp_state *state, const char *option, ws_chameleon_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcasecmp(names->name[i], name))
            argp_error(state, "%s %s is given twice", option, name);
    if (names->count == WS_CHAMELEON_MOST)
        argp_error(state, "%s may be given at most %d times", option, WS_CHAMELEON_MOST);
    names->name[names->count++] = name;
}

static const char *policy_name(const struct argp_state *state, const char *option, const char *name)
{
    char list[256] = "";
    if (ws_policy_find(name))
        return name;
    for (size_t i = 0; ws_policy_at(i); i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", ws_policy_at(i)->name);
    argp_error(state, "%s: there is no '%s'; there are %s", option, name, list);
    return name;
}

static error_t parse_what(int key, char *arg, struct argp_state *state)
{
    ws_chameleon_request *const r = state->input;
    switch (key) {
    case 'S':
        add(state, "--supply", &r->supply, arg);
        return 0;
    case 'w':
        add(state, "--workload", &r->workload, arg);
        return 0;
    case 'd':
        r->db = arg;
        return 0;
    case 'M':
        r->machine = arg;
        return 0;
    case 'L':
        r->loads = arg;
        return 0;
    case 'P':
        add(state, "--policy", &r->policy, policy_name(state, "--policy", arg));
        return 0;
    case 'B':
        r->base = policy_name(state, "--base", arg);
        return 0;
    case 'c':
        r->config = arg;
        return 0;
    case 's':
        if (r->setting.count == WS_CHAMELEON_MOST)
            argp_error(state, "--set may be given at most %d times", WS_CHAMELEON_MOST);
        r->setting.name[r->setting.count++] = arg;
        return 0;
    case KEY_THERMAL:
        r->thermal = arg;
        return 0;
    case KEY_LIFETIME:
        r->lifetime = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_file(int key, char *arg, struct argp_state *state)
{
    enum { SECONDS_PER_HOUR = 3600 };
    ws_chameleon_request *const r = state->input;
    switch (key) {
    case KEY_MEAN:
        r->measured.scale_mean_w = ws_cli_double(state, "--supply-mean", arg, 1e-3, 1e9);
        return 0;
    case KEY_COLUMN:
        r->measured.column = arg;
        return 0;
    case KEY_GAP:
        r->measured.gap_s = ws_cli_double(state, "--supply-gap", arg, 1e-3, 1e6) * SECONDS_PER_HOUR;
        return 0;
    case KEY_HYBRID:
        r->measured.hybrid = true;
        return 0;
    case KEY_PLANT:
        r->plant = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check(const struct argp_state *state, const ws_chameleon_request *r)
{
    if (r->db && r->workload.count)
        argp_error(state, "--db names the workloads; --workload does too");
    if (r->machine && (!r->db || r->loads))
        argp_error(state, "--machine is of --db without --loads: what it says of power is asked for nowhere else");
    if (r->sensitivity && (r->timeline || r->learning))
        argp_error(state, "--sensitivity is of many runs; --timeline and --learning are of one");
    if (r->sensitivity && r->policy.count > 1)
        argp_error(state, "--sensitivity is about one --policy");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const kinds[] = {"workload", "supply", "policy", NULL};
    ws_chameleon_request *const r = state->input;
    switch (key) {
    case KEY_DAYS:
        r->days = ws_cli_double(state, "--days", arg, 0, 36500);
        if (r->days == 0)
            argp_error(state, "--days 0: expected more than 0 days");
        return 0;
    case KEY_SEED:
        r->seed = ws_cli_u64(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case KEY_SEEDS:
        r->seeds = ws_cli_u64(state, "--seeds", arg, 1, 100000);
        return 0;
    case 'j':
        r->workers = (unsigned)ws_cli_u64(state, "--jobs", arg, 1, 1024);
        return 0;
    case KEY_PER:
        r->per = (ws_chameleon_per)ws_cli_choice(state, "--per", arg, kinds);
        return 0;
    case 't':
        r->timeline = ws_cli_output(state, arg);
        return 0;
    case 'l':
        r->learning = ws_cli_output(state, arg);
        return 0;
    case 'o':
        r->directory = arg;
        return 0;
    case KEY_SENSITIVITY:
        r->sensitivity = true;
        return 0;
    case KEY_LIST:
        r->list = true;
        return 0;
    case KEY_OPTIONS:
        r->options = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "what is '%s'? Supplies are given by --supply, workloads by --workload", arg);
        return 0;
    case ARGP_KEY_END:
        check(state, r);
        return 0;
    default:
        return parse_file(key, arg, state) == 0 ? 0 : parse_what(key, arg, state);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .doc = "Drives a GPU server with a battery through supplies of renewable power, and says what each policy of "
           "power management makes of them: a row for each supply, workload and policy.\v"
           "Without options: the supplies, workloads and all policies of the study, for a day. docs/chameleon.md says "
           "what is "
           "modelled and what the columns mean.\n\n"
           "Example:\n"
           "  warpscape model chameleon --supply LpHv --workload MM --policy chameleon \\\n"
           "      --timeline day.csv",
    .children = ws_cli_writes,
};

void ws_chameleon_parse(int argc, char **argv, ws_chameleon_request *request)
{
    *request = (ws_chameleon_request){.base = "energy", .days = 1, .seed = 1, .seeds = 1};
    ws_cli_parse(&argp, argc, argv, request);
}
