/* chameleon_inputs.c - which supplies, workloads and policies are meant, and on which server? */
#include "model/mechanism/chameleon/chameleon.h"

#include "base/frame.h"
#include "base/text.h"
#include "base/data_folder.h"
#include "base/misused.h"
#include "model/mechanism/power/power_loads.h"
#include "metrics/store/store.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ the server */

static int set_option(ws_control *control, const char *setting)
{
    const char *const equals = strchr(setting, '=');
    if (!equals || equals == setting)
        return ws_fail(WS_MISUSED, "--set needs SECTION.NAME=VALUE, not '%s'", setting);
    char *const name = strndup(setting, (size_t)(equals - setting));
    const int status = name ? ws_control_set(control, name, equals + 1) : ws_fail(WS_EMEM, "out of memory");
    free(name);
    return status;
}

static int read_control(const ws_chameleon_request *request, const char *folder, ws_control *control)
{
    int status = ws_control_read(folder, request->config, control);
    for (size_t i = 0; i < request->setting.count && !status; i++)
        status = set_option(control, request->setting.name[i]);
    return status || !request->setting.count ? status : ws_control_check(control);
}

int ws_chameleon_control(const ws_chameleon_request *request, ws_control *control)
{
    char folder[PATH_MAX];
    const int status = ws_data_folder(folder, sizeof folder);
    return status ? status : read_control(request, folder, control);
}

/* data/tech/KIND.ini, or KIND_NAME.ini of it, or the file that is named. */
static void tech_path(const ws_chameleon *c, const char *kind, const char *name, char *path)
{
    if (!name)
        snprintf(path, PATH_MAX, "%.3000s/tech/%s.ini", c->folder, kind);
    else if (strpbrk(name, "/."))
        snprintf(path, PATH_MAX, "%s", name);
    else
        snprintf(path, PATH_MAX, "%.3000s/tech/%s_%.100s.ini", c->folder, kind, name);
}

static int read_tech(ws_chameleon *c)
{
    char path[PATH_MAX];
    tech_path(c, "thermal", c->request->thermal ? c->request->thermal : "renewable", path);
    int status = ws_thermal_chip_read(path, &c->chip);
    tech_path(c, "lifetime", c->request->lifetime, path);
    return status ? status : ws_fatigue_read(path, &c->fatigue);
}

/* ------------------------------------------------------------------------------------------------ loads */

static int add_load(ws_chameleon *c, const ws_load *table, size_t count, const char *path, const char *name)
{
    const ws_load *load;
    const int status = ws_loads_find(table, count, path, name, &load);
    if (status)
        return status;
    for (size_t i = 0; i < c->loads; i++)
        if (!strcmp(c->load[i].name, load->name))
            return WS_OK;
    c->load[c->loads++] = *load;
    return WS_OK;
}

/* The workloads of a results file. */
static int add_stored(ws_chameleon *c, const ws_load *table, size_t count, const char *path)
{
    const char *const db = c->request->db;
    ws_frame *frame = NULL;
    ws_store *store;
    int status = ws_store_open(db, false, &store);
    if (status)
        return status;
    status = ws_store_frame(store, WS_PER_WORKLOAD, "study", false, &frame);
    ws_store_close(store);
    if (!status && !frame->rows)
        status = ws_fail(WS_ENOTFOUND, "%s: no workload in it", db);
    for (size_t i = 0; !status && i < frame->rows; i++) {
        status = add_load(c, table, count, path, frame->label[i * frame->labels]);
        if (status)
            status = ws_fail_context(status, "%s", db);
    }
    ws_frame_destroy(frame);
    return status;
}

static bool wants_all(const ws_chameleon_names *names)
{
    return !names->count || (names->count == 1 && !strcasecmp(names->name[0], "all"));
}

static int read_loads(ws_chameleon *c)
{
    char path[PATH_MAX];
    const ws_chameleon_request *const r = c->request;
    ws_load *table;
    size_t count;
    if (r->db && !r->loads)
        return ws_power_loads(r->db, r->machine ? r->machine : "renewable", &c->control, &c->load, &c->loads);
    snprintf(path, sizeof path, "%.3000s/control/loads.csv", c->folder);
    if (r->loads)
        snprintf(path, sizeof path, "%s", r->loads);
    int status = ws_loads_read(path, &table, &count);
    if (status)
        return status;
    c->load = calloc(count, sizeof *c->load); /* each at most once */
    if (!c->load)
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status && r->db)
        status = add_stored(c, table, count, path);
    const bool all = !r->db && wants_all(&r->workload);
    for (size_t i = 0; !status && i < (all ? count : r->workload.count); i++)
        status = add_load(c, table, count, path, all ? table[i].name : r->workload.name[i]);
    free(table);
    return status;
}

/* ------------------------------------------------------------------------------------------------ supplies */

static int make_room(const ws_chameleon *c)
{
    return c->sources < WS_CHAMELEON_MOST ? WS_OK
                                          : ws_fail(WS_EINPUT, "at most %d supplies at once", WS_CHAMELEON_MOST);
}

static int add_class(ws_chameleon *c, const ws_supply_class *type)
{
    const size_t n = c->sources;
    if (make_room(c))
        return WS_EINPUT;
    c->type[n] = *type;
    c->source[c->sources++] = (ws_experiment_source){c->type[n].name, ws_experiment_generated, &c->type[n]};
    return WS_OK;
}

static int add_all_classes(ws_chameleon *c)
{
    char pattern[PATH_MAX];
    glob_t found;
    ws_supply_class type;
    snprintf(pattern, sizeof pattern, "%.3000s/supply/*.ini", c->folder);
    if (glob(pattern, 0, NULL, &found))
        return ws_fail(WS_EIO, "%s: no class of supplies", pattern);
    int status = WS_OK;
    for (size_t i = 0; i < found.gl_pathc && !status; i++) {
        status = ws_supply_class_read(found.gl_pathv[i], &type);
        if (!status)
            status = add_class(c, &type);
    }
    globfree(&found);
    return status;
}

/* Read in the file's own steps; runs take means of them. The file names the supply. */
static int add_measured(ws_chameleon *c, const char *file)
{
    char path[PATH_MAX];
    ws_supply_plant plant;
    const size_t n = c->sources;
    snprintf(path, sizeof path, "%.3000s/tech/plant.ini", c->folder);
    int status = make_room(c);
    if (!status)
        status = ws_supply_plant_read(c->request->plant ? c->request->plant : path, &plant);
    if (!status)
        status = ws_supply_read(file, &plant, &c->request->measured, &c->measured[n], &c->report[n]);
    if (status)
        return status;
    char *const stem = ws_text_stem(file);
    if (stem) {
        free(c->measured[n].name);
        c->measured[n].name = stem;
    }
    c->source[c->sources++] = (ws_experiment_source){c->measured[n].name, ws_experiment_measured, &c->measured[n]};
    return WS_OK;
}

static int add_supply(ws_chameleon *c, const char *name)
{
    char folder[PATH_MAX];
    ws_supply_class type;
    if (strpbrk(name, "/."))
        return add_measured(c, name);
    snprintf(folder, sizeof folder, "%.3000s/supply", c->folder);
    const int status = ws_supply_class_find(folder, name, &type);
    return status ? status : add_class(c, &type);
}

static int read_supplies(ws_chameleon *c)
{
    const ws_chameleon_names *const names = &c->request->supply;
    int status = wants_all(names) ? add_all_classes(c) : WS_OK;
    for (size_t i = 0; !wants_all(names) && i < names->count && !status; i++)
        status = add_supply(c, names->name[i]);
    return status;
}

/* ------------------------------------------------------------------------------------------------ all */

static void choose_policies(ws_chameleon *c)
{
    const ws_chameleon_names *const names = &c->request->policy;
    for (size_t i = 0; i < names->count; i++)
        c->policy[c->policies++] = ws_policy_find(names->name[i]);
    for (size_t i = 0; !names->count && ws_policy_at(i); i++)
        c->policy[c->policies++] = ws_policy_at(i);
}

int ws_chameleon_open(const ws_chameleon_request *request, ws_chameleon *c)
{
    *c = (ws_chameleon){.request = request};
    choose_policies(c);
    int status = ws_data_folder(c->folder, sizeof c->folder);
    if (!status)
        status = read_control(request, c->folder, &c->control);
    if (!status)
        status = read_tech(c);
    if (!status)
        status = read_loads(c);
    return status ? status : read_supplies(c);
}

void ws_chameleon_close(ws_chameleon *c)
{
    for (size_t i = 0; i < WS_CHAMELEON_MOST; i++)
        ws_supply_fini(&c->measured[i]);
    free(c->load);
}

ws_experiment ws_chameleon_experiment(const ws_chameleon *c)
{
    enum { SECONDS_PER_DAY = 86400 };
    return (ws_experiment){.control = &c->control,
                           .seconds = c->request->days * SECONDS_PER_DAY,
                           .source = c->source,
                           .sources = c->sources,
                           .load = c->load,
                           .loads = c->loads,
                           .policy = c->policy,
                           .policies = c->policies,
                           .base = ws_policy_find(c->request->base),
                           .regret = !c->request->no_regret,
                           .chip = &c->chip,
                           .fatigue = &c->fatigue,
                           .seed = c->request->seed,
                           .seeds = c->request->seeds,
                           .workers = c->request->workers};
}

bool ws_chameleon_is_one(const ws_chameleon *c)
{
    return c->sources == 1 && c->loads == 1 && c->policies == 1 && c->request->seeds == 1;
}
