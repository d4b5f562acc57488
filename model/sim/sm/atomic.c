/* atomic.c - the table of what becomes of atomic operations on their way out of an SM. */
#include "model/sim/sm/atomic_internal.h"
#include "model/machine/machine.h"

#include <string.h>

static const ws_atomic_ops *const rules[] = {
#define ATOMIC(name) &ws_atomic_##name,
#include "model/sim/sm/atomics.def"
#undef ATOMIC
};
enum { RULES = sizeof rules / sizeof *rules };

const ws_atomic_ops *ws_atomic_at(size_t index)
{
    return index < RULES ? rules[index] : NULL;
}

const ws_atomic_ops *ws_atomic_find(const char *name)
{
    for (size_t i = 0; i < RULES; i++)
        if (!strcmp(rules[i]->name, name))
            return rules[i];
    return NULL;
}

const ws_atomic_ops *ws_atomic_of(const ws_machine *m, uint64_t *values)
{
    const ws_atomic_ops *const rule = m->sm_atomics;
    ws_option_choose(rule->options, m->atomics.list, m->atomics.count, values);
    const ws_atomic_ops *const other = rule->instead ? rule->instead(values) : NULL;
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
