/* kernels.c - see kernels.h. */
#include "model/mechanism/kernels.h"

#include "base/demangle.h"
#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

void *ws_kernels_find(ws_kernels *kernels, const char *workload, const char *mangled)
{
    for (size_t i = kernels->first; i < kernels->count; i++)
        if (!strcmp(kernels->one[i].mangled, mangled))
            return kernels->one[i].kept;
    if (WS_GROW(kernels->one, kernels->room, kernels->count, 1))
        return NULL;
    ws_kernel *const k = &kernels->one[kernels->count++];
    *k = (ws_kernel){.workload = strdup(workload),
                     .mangled = strdup(mangled),
                     .kernel = ws_demangle(mangled),
                     .kept = calloc(1, kernels->bytes)};
    if (k->workload && k->mangled && k->kernel && k->kept)
        return k->kept;
    ws_fail(WS_EMEM, "out of memory");
    return NULL;
}

void ws_kernels_fini(ws_kernels *kernels)
{
    for (size_t i = 0; i < kernels->count; i++) {
        free(kernels->one[i].workload);
        free(kernels->one[i].mangled);
        free(kernels->one[i].kernel);
        free(kernels->one[i].kept);
    }
    free(kernels->one);
}
