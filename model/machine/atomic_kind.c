/* atomic_kind.c - see atomic_kind.h. */
#include "model/machine/atomic_rows.h"

#include "base/status.h"
#include "model/machine/kind_rows.h"
#include "model/machine/machine.h"

/* Of `lab' without bounds: the array of 1 MiB whose energy the thesis gives for an infinite one, in sets that are quick
 * to look through. */
enum { LARGE_SETS = 64, LARGE_WAYS = 128 };

static int arrange_lab(const uint64_t *values, ws_cache *tags)
{
    const uint32_t entries = (uint32_t)values[WS_ATOMIC_lab_entries],
                   ways = values[WS_ATOMIC_lab_ways] ? (uint32_t)values[WS_ATOMIC_lab_ways] : entries;
    if (values[WS_ATOMIC_lab_unbounded])
        return ws_cache_setup(tags, &(ws_cache_choice){0}, LARGE_SETS, LARGE_WAYS, false);
    if (!entries)
        return WS_OK;
    if (entries % ways)
        return ws_fail(WS_EINPUT, "atomics.ways is %u, expected a divisor of atomics.entries, %u", ways, entries);
    const int status = ws_cache_setup(tags, &(ws_cache_choice){0}, entries / ways, ways, false);
    return status ? ws_fail_context(status, "atomics.entries / atomics.ways = %u sets", entries / ways) : WS_OK;
}

static uint32_t lab_lines(const uint64_t *values)
{
    return values[WS_ATOMIC_lab_unbounded] ? 0 : (uint32_t)values[WS_ATOMIC_lab_entries];
}

static const ws_atomic_kind *instead_of_lab(const uint64_t *values)
{
    return values[WS_ATOMIC_lab_entries] || values[WS_ATOMIC_lab_unbounded] ? NULL : &ws_atomic_kinds[WS_ATOMIC_serial];
}

static bool serialize_turns(const uint64_t *values)
{
    return values[WS_ATOMIC_serialize_turns];
}

static bool lab_turns(const uint64_t *values)
{
    return values[WS_ATOMIC_lab_turns];
}

static bool lab_any(const uint64_t *values)
{
    return values[WS_ATOMIC_lab_any];
}

static bool phi_fetches(const uint64_t *values)
{
    return values[WS_ATOMIC_phi_fetch];
}

/* clang-format off */
#define ATOMIC(name, word, summary, ...) static const ws_option options_##name[] = {
#define OPTION(kind, name, ...) {#name, __VA_ARGS__},
#define END(kind) {NULL, NULL, 0, 0, 0, NULL}}; \
    _Static_assert((int)WS_ATOMIC_##kind##_END <= WS_ATOMIC_OPTIONS, "more options than there is room for");
/* clang-format on */
#include "model/machine/atomics.def"

#define ATOMIC(name, word, summary, ...) {word, summary, options_##name, __VA_ARGS__},
const ws_atomic_kind ws_atomic_kinds[] = {
#include "model/machine/atomics.def"
};

WS_KIND_ROWS(atomic_kind, ws_atomic_kinds)

const ws_atomic_kind *ws_atomic_of(const ws_machine *m, uint64_t *values)
{
    const ws_atomic_kind *const rule = m->sm_atomics;
    ws_option_choose(rule->options, m->atomics.list, m->atomics.count, values);
    const ws_atomic_kind *const other = rule->instead ? rule->instead(values) : NULL;
    return other ? other : rule;
}

bool ws_atomic_stays_in_l1(const ws_machine *m)
{
    return m->sm_atomics->in_l1;
}

bool ws_atomic_owns(const ws_machine *m)
{
    return m->sm_atomics->owns;
}

bool ws_atomic_phi_fetches(const ws_machine *m)
{
    uint64_t values[WS_ATOMIC_OPTIONS];
    const ws_atomic_kind *const rule = ws_atomic_of(m, values);
    return rule->fetches && rule->fetches(values);
}

bool ws_atomic_combines(const ws_atomic_kind *kind, const uint64_t *values)
{
    return kind->combines && !(kind->turns && kind->turns(values));
}

bool ws_atomic_takes_any(const ws_machine *m)
{
    uint64_t values[WS_ATOMIC_OPTIONS];
    const ws_atomic_kind *const rule = ws_atomic_of(m, values);
    return rule->any && rule->any(values);
}
