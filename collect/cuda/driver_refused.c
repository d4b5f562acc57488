/* driver_refused.c - why does a program start that is linked with functions that are not here? Because they have a
 * symbol, which says so when it is called. */
#include "collect/cuda/driver_internal.h"

#include "base/note.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CUresult refuse(const char *name, bool *said)
{
    if (__atomic_exchange_n(said, true, __ATOMIC_RELAXED))
        return CUDA_ERROR_NOT_SUPPORTED;
    fprintf(stderr, "warpscape: %s is not supported; the program gets CUDA_ERROR_NOT_SUPPORTED\n", name);
    if (!strcmp(name, "cuGetExportTable")) /* a runtime of NVIDIA's in a library of machine code begins with it */
        ws_note(getenv(WS_NOTE_VARIABLE), WS_NOTE_FAILED);
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* No header declares them, and who calls them passes arguments that nobody looks at. */
#define REFUSED(name) \
    CUresult name(void); \
    CUresult name(void) \
    { \
        static bool said; \
        return refuse(#name, &said); \
    }
#include "collect/cuda/cuda_refused.def"
#undef REFUSED
