/* package_coherence.c - see package_coherence.h. */
#include "model/machine/package_coherence.h"

#include "model/machine/machine.h"
static const ws_chiplet_policy_ops *policy_of(const ws_machine *m)
{
    return m->package_coherence;
}

ws_package_table ws_package_table_of(const ws_machine *m)
{
    ws_package_table t = ws_policy_table(policy_of(m), m->package.list, m->package.count, m->package_chips);
    t.cct.granule = m->l2_line;
    return t;
}

ws_directory_options ws_package_directory_of(const ws_machine *m)
{
    return ws_policy_directory(policy_of(m), m->package.list, m->package.count);
}
