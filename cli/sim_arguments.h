/* sim_arguments.h - data used by launches on each chiplet, for `warpscape sim' on machines that need it
 * (package.coherence = cpcoh): from a file, or measured. For a trace, it is measured in the trace. For live runs, it is
 * measured in an earlier run of the program in the engine alone. Both runs allocate at the same addresses. Data use
 * that depends on the order of warps is not predicted; sim --check compares loads with the measurement. */
#ifndef WS_SIM_ARGUMENTS_H
#define WS_SIM_ARGUMENTS_H

#include "cli/launch/launchfile.h"
#include "collect/ptx/module.h"
#include "collect/wst/wst.h"
#include "model/chiplets/chiplet_kernel.h"
#include "model/machine/machine_declared.h"

/* Each leaves *out empty for a machine that does not need it; WS_EINPUT if a file (else NULL) is given for such a
 * machine. The caller frees *out with ws_chiplet_kernels_fini, also after failures. */
int ws_sim_arguments_of_trace(const char *file, const ws_machine *machine, ws_trace *trace, ws_chiplet_kernels *out);
int ws_sim_arguments_of_script(const char *file, const ws_machine *machine, const ws_script *script,
                               const ws_module *module, ws_chiplet_kernels *out);

/* For a program in a separate process: sets whether its data use must be measured. WS_EINPUT as above, and for an
 * invalid file. */
int ws_sim_arguments_check(const char *file, const ws_machine *machine, bool *measure);
/* Writes the data use found in the program's trace to a file; context: const ws_machine *. */
int ws_sim_arguments_save(void *context, const char *trace, const char *file);

#endif
