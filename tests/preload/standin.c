/* standin.c - looks like a program of nvcc with the runtime linked into it; built by gcc for tests/unit/test_preload.c.
 *
 * Its runtime is a few local functions of the right names, each of which only says that it was reached. So the program
 * works only when all of them are redirected. With -DLIBRARY it is a shared object with device code of its own.
 *
 *     standin         register, launch, compare
 *     standin child   the same in a child process
 *     standin table   ask for a private table
 *     standin open F  the same in the library F, opened now
 *
 * With -DBLAS it has a library of machine code linked statically, by name:
 *
 *     standin blas    call that library, then run */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct dim3 {
    unsigned x, y, z;
} dim3;

/* 35: cudaErrorInsufficientDriver */
static int reached(const char *name)
{
    fprintf(stderr, "standin: %s was not redirected\n", name);
    return 35;
}

#ifdef __clang__
#define RUNTIME __attribute__((optnone, noinline, used)) static
#else
#define RUNTIME __attribute__((noipa, used)) static
#endif

RUNTIME void **__cudaRegisterFatBinary(void *wrapper)
{
    (void)wrapper;
    reached("__cudaRegisterFatBinary");
    return NULL;
}

RUNTIME void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
    reached("__cudaRegisterFatBinaryEnd");
}

RUNTIME void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
    reached("__cudaUnregisterFatBinary");
}

RUNTIME void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit,
                                    void *tid, void *bid, dim3 *block, dim3 *grid, int *warp)
{
    (void)handle, (void)host, (void)device, (void)name, (void)limit, (void)tid, (void)bid, (void)block, (void)grid,
        (void)warp;
    reached("__cudaRegisterFunction");
}

RUNTIME int cudaMalloc(void **address, size_t bytes)
{
    (void)address, (void)bytes;
    return reached("cudaMalloc");
}

RUNTIME int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    (void)to, (void)from, (void)bytes, (void)kind;
    return reached("cudaMemcpy");
}

RUNTIME int cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **args, size_t shared, void *stream)
{
    (void)host, (void)grid, (void)block, (void)args, (void)shared, (void)stream;
    return reached("cudaLaunchKernel");
}

RUNTIME int cudaGetExportTable(const void **table, const void *id)
{
    (void)table, (void)id;
    return reached("cudaGetExportTable");
}

/* Too short for anything but a jump into the padding in front, and with an endbr64 that may stay. Both give 35
 * otherwise. */
int cudaDeviceSynchronize(void);
int cudaGetLastError(void);
__asm__(".text\n.p2align 4\n  ret\n.p2align 4, 0xcc\n"
        ".local cudaDeviceSynchronize\n.type cudaDeviceSynchronize, @function\ncudaDeviceSynchronize:\n"
        "  push $35\n  pop %rax\n  ret\n.size cudaDeviceSynchronize, . - cudaDeviceSynchronize\n"
        ".local behind\n.type behind, @function\nbehind:\n  ud2\n.size behind, . - behind\n.p2align 4\n"
        ".local cudaGetLastError\n.type cudaGetLastError, @function\ncudaGetLastError:\n"
        "  endbr64\n  mov $35, %eax\n  ret\n.size cudaGetLastError, . - cudaGetLastError\n");

/* --- device code: out[tid] = 3 * tid + factor --- */

static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry triple(.param .u64 out, .param .f32 factor)\n{\n"
    "  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>;\n"
    "  ld.param.u64 %rd1, [out]; ld.param.f32 %f1, [factor]; mov.u32 %r1, %tid.x;\n"
    "  cvt.rn.f32.u32 %f2, %r1; fma.rn.f32 %f3, %f2, 0f40400000, %f1;\n"
    "  mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.f32 [%rd3], %f3; ret;\n}\n";

static struct {
    uint32_t magic;
    uint16_t version, header;
    uint64_t size;
    uint16_t kind, one;
    uint32_t entry_header;
    uint64_t payload;
    uint32_t packed, options;
    uint16_t minor, major;
    uint32_t architecture;
    uint64_t name, flags, zero, unpacked;
    char text[1024];
} container = {0xba55ed50, 1, 16, 64 + 1024, 1, 0x101, 64, 1024, 0, 0, 0, 7, 70, 0, 0x11, 0, 0, ""};

static const struct {
    uint32_t magic, version;
    const void *container, *list;
} wrapper __attribute__((section(".nvFatBinSegment"), used)) = {0x466243b1, 1, &container, NULL};

static void **handle;
static char stub;

__attribute__((constructor)) static void register_all(void)
{
    memcpy(container.text, text, sizeof text);
    handle = __cudaRegisterFatBinary((void *)(uintptr_t)&wrapper);
    __cudaRegisterFunction(handle, &stub, (char *)"triple", "triple", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
}

__attribute__((destructor)) static void unregister_all(void)
{
    __cudaUnregisterFatBinary(handle);
}

#ifdef BLAS
int cublasCreate_v2(void **blas);
int cublasCreate_v2(void **blas)
{
    static const char *volatile name = "cublasCreate_v2"; /* as in its messages */
    const void *table = NULL;
    *blas = NULL;
    return *name ? cudaGetExportTable(&table, "0123456789abcdef") : 0;
}
#endif

int standin_run(const char *who);
int standin_run(const char *who)
{
    float out[32], factor = 0.5F;
    void *at = NULL;
    void *args[] = {&at, &factor};
    const int status = cudaMalloc(&at, sizeof out) ||
                       cudaLaunchKernel(&stub, (dim3){1, 1, 1}, (dim3){32, 1, 1}, args, 0, NULL) ||
                       cudaDeviceSynchronize() || cudaMemcpy(out, at, sizeof out, 2) || cudaGetLastError();
    for (unsigned i = 0; !status && i < 32; i++) {
        if (out[i] != 3.0F * (float)i + factor) {
            printf("%s: out[%u] is %g\n", who, i, (double)out[i]);
            return 1;
        }
    }
    printf("%s: %s\n", who, status ? "failed" : "passed");
    return status;
}

#ifndef LIBRARY
#ifdef LINKED
int linked_run(const char *who); /* of the library, by its other name */
#endif

static int child(char *self)
{
    const pid_t pid = fork();
    int status = 1;
    if (!pid) {
        execl(self, self, (char *)NULL);
        _exit(127);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int in_library(const char *path)
{
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int (*const run)(const char *) = library ? (int (*)(const char *))(uintptr_t)dlsym(library, "linked_run") : NULL;
    if (!run) {
        fprintf(stderr, "standin: %s\n", dlerror());
        return 1;
    }
    return run("library");
}

int main(int argc, char **argv)
{
    const char *const what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "child"))
        return child(argv[0]);
    if (!strcmp(what, "open"))
        return in_library(argv[2]);
#ifdef BLAS
    if (!strcmp(what, "blas")) { /* its own kernel runs, the library's do not, and the program does not look */
        void *blas;
        cublasCreate_v2(&blas);
        cublasCreate_v2(&blas);
        return standin_run("program");
    }
#endif
    if (!strcmp(what, "table")) {
        const void *table = NULL;
        printf("table: %d %d\n", cudaGetExportTable(&table, "0123456789abcdef"),
               cudaGetExportTable(&table, "0123456789abcdef"));
        return 0;
    }
#ifdef LINKED
    if (linked_run("library"))
        return 1;
#endif
    return standin_run("program");
}
#else
int linked_run(const char *who);
int linked_run(const char *who)
{
    return standin_run(who);
}
#endif
