/* sim_arguments.h - what launches use on which chip, for `warpscape sim' on machines that ask (package.coherence =
 * cpcoh): of a file, or measured. Launches of a trace are measured in it. Those that run live are measured by running
 * the program before, in the engine alone: what they allocate lies where it lay then, and who uses other data in
 * another order of warps is not foreseen (sim --check holds loads against that). */
#ifndef WS_SIM_ARGUMENTS_H
#define WS_SIM_ARGUMENTS_H

#include "cli/launch/launchfile.h"
#include "collect/ptx/module.h"
#include "collect/wst/wst.h"
#include "model/chiplets/chiplet_kernel.h"
#include "model/machine/machine_declared.h"

/* Each leaves *out empty for a machine that does not ask; WS_EINPUT when there is a file (else NULL) for it
 * nevertheless. The caller frees *out with ws_chiplet_kernels_fini, after failures, too. */
int ws_sim_arguments_of_trace(const char *file, const ws_machine *machine, ws_trace *trace, ws_chiplet_kernels *out);
int ws_sim_arguments_of_script(const char *file, const ws_machine *machine, const ws_script *script,
                               const ws_module *module, ws_chiplet_kernels *out);

/* For a program that runs in a process of its own: whether what it uses has to be measured. WS_EINPUT as above, and for
 * a file that is wrong. */
int ws_sim_arguments_check(const char *file, const ws_machine *machine, bool *measure);
/* ... and from a trace of it to a file that says what it uses; context: const ws_machine *. */
int ws_sim_arguments_save(void *context, const char *trace, const char *file);

#endif
