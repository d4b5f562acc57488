/* driver_refused.c - why does a program start that is linked with functions that are not here? Because they have a symbol,
 * which says so when it is called. */
#include "collect/cuda/driver_internal.h"

#include <stdio.h>

static CUresult refuse(const char *name, bool *said)
{
    if (!__atomic_exchange_n(said, true, __ATOMIC_RELAXED))
        fprintf(stderr, "warpscape: %s is not supported; the program gets CUDA_ERROR_NOT_SUPPORTED\n", name);
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* No header declares them, and who calls them passes arguments that nobody looks at. */
#define REFUSED(name)               \
    CUresult name(void);            \
    CUresult name(void)             \
    {                               \
        static bool said;           \
        return refuse(#name, &said); \
    }
#include "collect/cuda/cuda_refused.def"
#undef REFUSED
