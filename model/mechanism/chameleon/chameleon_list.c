/* chameleon_list.c - --list and --options: what can be asked for, and what can be set? */
#include "model/mechanism/chameleon/chameleon.h"

#include <stdio.h>

int ws_chameleon_list(const ws_chameleon_request *request, ws_chameleon *c)
{
    const ws_chameleon_request all = {.db = request->db, .loads = request->loads, .machine = request->machine};
    const int status = ws_chameleon_open(&all, c);
    for (size_t i = 0; !status && i < c->policies; i++)
        printf("policy    %-12s  %s\n", c->policy[i]->name, c->policy[i]->summary);
    for (size_t i = 0; !status && i < c->sources; i++)
        printf("supply    %-12s  mean %g W, deviation %g W\n", c->source[i].name, c->type[i].mean_w,
               c->type[i].deviation_w);
    for (size_t i = 0; !status && i < c->loads; i++)
        printf("workload  %-12s  %g W, %g instructions a cycle\n", c->load[i].name, c->load[i].power_w, c->load[i].ipc);
    return status;
}

static void print_text(const char *section, const char *name, const char *value)
{
    char whole[64];
    snprintf(whole, sizeof whole, "%s.%s", section, name);
    printf("%-30s %-10s", whole, value);
}

static void print_option(const char *section, const char *name, double value, const char *unit)
{
    char quantity[64];
    snprintf(quantity, sizeof quantity, "%g%s%s", value, *unit ? " " : "", unit);
    print_text(section, name, quantity);
}

/* No other value of a mode can be WS_CONTROL_NOMINAL. */
static void print_of_mode(const char *section, const char *name, double value)
{
    if (value == WS_CONTROL_NOMINAL)
        print_text(section, name, "nominal");
    else
        print_option(section, name, value, "");
}

static void print_levels(const ws_control *control)
{
    char section[32 + WS_CONTROL_NAME];
    for (size_t i = 0; i < control->levels; i++) {
        snprintf(section, sizeof section, "level.%zu", i + 1);
#define LEVEL(name, unit, least, most, meaning) \
    print_option(section, #name, control->level[i].name, unit); \
    printf("  %g to %g, %s\n", (double)least, (double)most, meaning);
#define MODE(name, least, most, meaning)
#include "model/control/control_rows.def"
#undef LEVEL
#undef MODE
    }
    for (size_t i = 0; i < control->modes; i++) {
        snprintf(section, sizeof section, "mode.%s", control->mode[i].name);
#define LEVEL(name, unit, least, most, meaning)
#define MODE(name, least, most, meaning) \
    print_of_mode(section, #name, control->mode[i].name); \
    printf("  %g to %g, %s\n", (double)least, (double)most, meaning);
#include "model/control/control_rows.def"
#undef LEVEL
#undef MODE
    }
}

int ws_chameleon_list_options(const ws_chameleon_request *request)
{
    ws_control control;
    ws_control_option row;
    const int status = ws_chameleon_control(request, &control);
    for (size_t i = 0; !status && ws_control_option_row(i, &row); i++) {
        print_option(row.section, row.name, ws_control_value(&control, i), row.unit);
        printf("  %g to %g, %s\n", row.least, row.most, row.meaning);
    }
    if (!status)
        print_levels(&control);
    return status;
}
