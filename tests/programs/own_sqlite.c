/* own_sqlite.c - a program that has an SQLite and a Zstandard of its own, which nobody else may call. */
#include <cuda.h>

#include <stdio.h>
#include <stdlib.h>

int sqlite3_open_v2(void);
size_t ZSTD_compressBound(size_t size);
size_t ZSTD_createCCtx(void);

static _Noreturn void refuse(const char *name)
{
    fprintf(stderr, "%s of the program was called\n", name);
    abort();
}

int sqlite3_open_v2(void)
{
    refuse(__func__);
}

size_t ZSTD_compressBound(size_t size)
{
    (void)size;
    refuse(__func__);
}

size_t ZSTD_createCCtx(void)
{
    refuse(__func__);
}

static const char ptx[] = ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry nothing()\n{\n    ret;\n}\n";

int main(void)
{
    CUcontext context;
    CUmodule module;
    CUfunction nothing;
    if (cuInit(0) || cuCtxCreate(&context, 0, 0) || cuModuleLoadData(&module, ptx) ||
        cuModuleGetFunction(&nothing, module, "nothing") ||
        cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL))
        return 1;
    return cuCtxDestroy(context) != CUDA_SUCCESS;
}
