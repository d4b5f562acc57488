/* package_coherence.h - how the L2s of a machine's chips agree from one launch to the next: its policy
 * (model/chiplets/chiplet_policies.def), and that one's options in [package]. */
#ifndef WS_PACKAGE_COHERENCE_H
#define WS_PACKAGE_COHERENCE_H

#include "model/chiplets/policy_options.h"
#include "model/machine/machine_declared.h"

/* By the machine's options; those of a policy that the machine does not have are as they are by themselves. */
ws_package_table ws_package_table_of(const ws_machine *machine);
ws_directory_options ws_package_directory_of(const ws_machine *machine);

#endif
