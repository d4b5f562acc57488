/* carveout.c - see carveout.h. */
#include "model/machine/carveout.h"
#include "model/machine/machine.h"

#include "model/machine/atomic_kind.h"

#include <stdlib.h>
#include <string.h>

enum { KILOBYTE = 1024 };

/* The next size of the list "0,8,16", in bytes; false at its end, or where there is no number (*bad). */
static bool next_size(const char **at, uint64_t *bytes, bool *bad)
{
    if (!**at)
        return false;
    const size_t digits = strspn(*at, "0123456789");
    *bad = !digits || digits > 6 || !strchr(",", (*at)[digits]);
    if (*bad)
        return false;
    *bytes = strtoul(*at, NULL, 10) * KILOBYTE;
    *at += digits;
    *bad = **at == ',' && !(*at)[1];
    *at += **at == ',';
    return !*bad;
}

/* The smallest size that has room for so many bytes; the greatest, when none has. */
static uint64_t size_for(const ws_machine *m, uint64_t needed)
{
    const char *at = m->l1_shared;
    uint64_t size = 0;
    bool bad = false;
    while (next_size(&at, &size, &bad) && size < needed)
        ;
    return size;
}

uint32_t ws_carveout_taken(const ws_machine *m)
{
    uint64_t values[WS_ATOMIC_OPTIONS];
    const ws_atomic_kind *const rule = ws_atomic_of(m, values);
    return rule->lines ? (rule->lines(values) + m->l1_sets - 1) / m->l1_sets : 0;
}

uint32_t ws_carveout_ways(const ws_machine *m, uint64_t shared_bytes)
{
    const uint64_t rest = m->l1_unified - (m->l1_unified ? size_for(m, shared_bytes) : 0);
    const uint32_t ways =
        m->l1_unified ? (uint32_t)((m->l1_ways * rest + m->l1_unified / 2) / m->l1_unified) : m->l1_ways;
    const uint32_t taken = ws_carveout_taken(m);
    return ways > taken ? ways - taken : 1;
}

bool ws_carveout_is_list(const ws_machine *m, uint64_t *greatest)
{
    const char *at = m->l1_shared;
    uint64_t size = 0;
    bool bad = false, first = true;
    for (*greatest = 0; next_size(&at, &size, &bad); *greatest = size, first = false)
        if (!first && size <= *greatest)
            return false;
    return !bad && !first;
}
