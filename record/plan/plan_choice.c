/* plan_choice.c - which points are meant by "run=I1|I2 scale!=small": exclusions of a plan, choices of a user. */
#include "base/grow.h"
#include "record/plan/plan_internal.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WORD_MOST = 4096 };

typedef struct reading {
    const ws_plan *plan;
    const ws_setting *at;
    const char *what;
} reading;

static int fail(const reading *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int fail(const reading *r, const char *format, ...)
{
    char text[WORD_MOST + 256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return r->at ? plan_fail(r->plan, r->at, "%s", text) : ws_fail(WS_EINPUT, "%s: %s", r->what, text);
}

/* What a condition is about: an axis by its name or that of one of its further labels, or blocks. */
static int find_subject(const reading *r, const char *name, size_t *axis, size_t *further)
{
    const ws_plan *const plan = r->plan;
    const long found = plan_find_axis(plan, name, strlen(name));
    *further = WS_PLAN_LABELS_MOST;
    *axis = found >= 0 ? (size_t)found : PLAN_ON_BLOCKS;
    if (found >= 0 || !strcmp(name, "points"))
        return WS_OK;
    for (size_t a = 0; a < plan->axes; a++)
        for (size_t i = 0; i < plan->axis[a].labels; i++)
            if (!strcmp(plan->axis[a].label_name[i], name)) {
                *axis = a;
                *further = i;
                return WS_OK;
            }
    return fail(r, "'%s' names nothing: it is no axis, no label of one, and not `points'", name);
}

static size_t subjects(const ws_plan *plan, size_t axis)
{
    return axis == PLAN_ON_BLOCKS ? plan->blocks : plan->axis[axis].values;
}

static const char *subject(const ws_plan *plan, size_t axis, size_t further, size_t i)
{
    if (axis == PLAN_ON_BLOCKS)
        return plan->block[i].name;
    const ws_plan_value *const value = &plan->axis[axis].value[i];
    return further < WS_PLAN_LABELS_MOST ? value->further[further] : value->label;
}

static int read_condition(const reading *r, char *word, plan_condition *out)
{
    const ws_plan *const plan = r->plan;
    char *values = strchr(word, '=');
    if (!values || values == word)
        return fail(r, "'%s': expected AXIS=VALUE|VALUE", word);
    const bool others = values[-1] == '!';
    values[others ? -1 : 0] = '\0';
    size_t further, axis;
    const int status = find_subject(r, word, &axis, &further);
    if (status)
        return status;
    const size_t n = subjects(plan, axis);
    bool *const has = ws_arena_alloc(plan->memory->arena, n + 1);
    if (!has)
        return plan_no_memory(plan);
    values++;
    for (char *value; (value = strsep(&values, "|"));) {
        bool any = false;
        for (size_t i = 0; i < n; i++)
            if (!fnmatch(value, subject(plan, axis, further, i), 0))
                any = has[i] = true;
        if (!any)
            return fail(r, "%s has no value '%s'", word, value);
    }
    for (size_t i = 0; others && i < n; i++)
        has[i] = !has[i];
    *out = (plan_condition){axis, has};
    return WS_OK;
}

int plan_conditions_read(const ws_plan *plan, const ws_setting *at, const char *what, const char *text,
                         plan_exclusion *out)
{
    const reading r = {plan, at, what};
    plan_condition *const list = ws_arena_alloc(plan->memory->arena, (strlen(text) / 2 + 1) * sizeof *list);
    if (!list)
        return plan_no_memory(plan);
    *out = (plan_exclusion){.condition = list};
    while (*(text += strspn(text, " \t"))) {
        char word[WORD_MOST];
        const size_t length = strcspn(text, " \t");
        if (length >= sizeof word)
            return fail(&r, "a word is longer than %d bytes", WORD_MOST - 1);
        memcpy(word, text, length);
        word[length] = '\0';
        const int status = read_condition(&r, word, &list[out->conditions]);
        if (status)
            return status;
        out->conditions++;
        text += length;
    }
    return out->conditions ? WS_OK : fail(&r, "expected AXIS=VALUE|VALUE");
}

/* A block that lacks an axis is not meant by what is said of its values. */
bool plan_excludes(const plan_exclusion *exclusion, const ws_plan_point *point)
{
    for (size_t i = 0; i < exclusion->conditions; i++) {
        const plan_condition *const c = &exclusion->condition[i];
        const size_t value = c->axis == PLAN_ON_BLOCKS ? point->block : point->value[c->axis];
        if ((c->axis != PLAN_ON_BLOCKS && value == WS_PLAN_NO_VALUE) || !c->has[value])
            return false;
    }
    return true;
}

int ws_plan_choose(const ws_plan *plan, const char *what, const char *choice, bool *chosen)
{
    plan_exclusion conditions;
    const int status = plan_conditions_read(plan, NULL, what, choice, &conditions);
    for (size_t i = 0; !status && i < plan->points; i++)
        chosen[i] = chosen[i] && plan_excludes(&conditions, &plan->point[i]);
    return status;
}
