/* driver_limits.c - which compute capability does the device report, and what are the limits there?
 *
 * Kernels run from PTX, so the device can do at least what the newest code of the program asks for: the capability is
 * that of the highest `.target` seen, and it never goes down again. */
#include "collect/cuda/driver_internal.h"
#include "collect/cuda/target.h"
#include "collect/ptx/module.h"

#include <stdlib.h>
#include <string.h>

static const ws_limits limits[] = {
#define CAPABILITY(major, minor, threads, blocks, registers, block_registers, shared, optin, reserved, cluster, \
                   large_cluster) \
    {10 * (major) + (minor), threads,      blocks,          registers, block_registers, \
     (shared)*1024,          (optin)*1024, (reserved)*1024, cluster,   large_cluster},
#include "collect/cuda/capabilities.def"
#undef CAPABILITY
};

enum { LEAST_CAPABILITY = 75 };

unsigned ws_device_capability(void)
{
    const unsigned asked = __atomic_load_n(&ws_the_driver.target, __ATOMIC_RELAXED);
    return asked > LEAST_CAPABILITY ? asked : LEAST_CAPABILITY;
}

void ws_driver_require_target(unsigned target)
{
    unsigned before = __atomic_load_n(&ws_the_driver.target, __ATOMIC_RELAXED);
    while (before < target && !__atomic_compare_exchange_n(&ws_the_driver.target, &before, target, true,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

unsigned ws_module_target(const ws_module *module)
{
    const char *const digits = module->target ? strpbrk(module->target, "0123456789") : NULL;
    return digits ? (unsigned)atoi(digits) : 0;
}

const ws_limits *ws_device_limits(void)
{
    const unsigned capability = ws_device_capability();
    const ws_limits *best = limits;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (limits[i].capability <= capability)
            best = &limits[i];
    }
    return best;
}
