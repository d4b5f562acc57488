/* linkage.c - how far is a cluster just merged from the others? One function a row of linkage.def.
 *
 * Formulas: Lance and Williams, "A general theory of classificatory sorting strategies" (1967). In exact arithmetic no
 * result is below the nearer of the two parts; rounding is not allowed to change that, because the search for the next
 * pair and the rule for ties stand on it. */
#include "base/status.h"
#include "cluster/cluster_internal.h"

#include <assert.h>
#include <string.h>

static double lower(double x, double y)
{
    return x < y ? x : y;
}

static double higher(double x, double y)
{
    return x > y ? x : y;
}

static double update_single(const ws_pair_of_clusters *p)
{
    return lower(p->to_a, p->to_b);
}

static double update_complete(const ws_pair_of_clusters *p)
{
    return higher(p->to_a, p->to_b);
}

static double update_average(const ws_pair_of_clusters *p)
{
    const double mean = (p->size_a * p->to_a + p->size_b * p->to_b) / (p->size_a + p->size_b);
    return lower(higher(mean, lower(p->to_a, p->to_b)), higher(p->to_a, p->to_b));
}

/* On squares, as Ward's own criterion wants (Murtagh and Legendre 2014: "ward.D2"). */
static double update_ward(const ws_pair_of_clusters *p)
{
    const double a = (p->size_a + p->size_other) * p->to_a, b = (p->size_b + p->size_other) * p->to_b;
    const double value = (a + b - p->size_other * p->between) / (p->size_a + p->size_b + p->size_other);
    return higher(value, lower(p->to_a, p->to_b));
}

static const ws_linkage_rule rules[] = {
#define LINKAGE(name, search, space, update, r_name, meaning) \
    [WS_LINKAGE_##name] = {#name, r_name, meaning, WS_SEARCH_##search, WS_SPACE_##space, update},
#include "cluster/linkage.def"
#undef LINKAGE
};

const ws_linkage_rule *ws_linkage_rule_of(ws_linkage linkage)
{
    assert((unsigned)linkage < WS_LINKAGES);
    return &rules[linkage];
}

const char *ws_linkage_name(ws_linkage linkage)
{
    return ws_linkage_rule_of(linkage)->name;
}

const char *ws_linkage_meaning(ws_linkage linkage)
{
    return ws_linkage_rule_of(linkage)->meaning;
}

int ws_linkage_find(const char *name, ws_linkage *linkage)
{
    static const char all[] = ""
#define LINKAGE(name, search, space, update, r_name, meaning) " " #name
#include "cluster/linkage.def"
#undef LINKAGE
        ;
    for (int i = 0; i < WS_LINKAGES; i++)
        if (strcmp(rules[i].name, name) == 0) {
            *linkage = (ws_linkage)i;
            return WS_OK;
        }
    return ws_fail(WS_EINPUT, "unknown linkage '%s'; there are%s", name, all);
}
