/* compilers.c - a program that loads what NVRTC, nvJitLink or the PTX compiler make at run time. The three are
 * stand-ins, linked statically: they answer as documented (docs.nvidia.com/cuda), with the beginning of an ELF file for
 * machine code.
 *
 * The argument names the one that is used: nvrtc, nvrtc-ptx, nvjitlink, lto, ptxcompiler or wrong. */
#include <cuda.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API static __attribute__((noinline, noipa))

static const char square[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                             ".visible .entry _Z6squarePji(.param .u64 out, .param .u32 n)\n{\n"
                             ".reg .u64 o; .reg .u32 a, n; .reg .pred p;\n.loc 1 3 5\n"
                             "ld.param.u64 o, [out]; ld.param.u32 n, [n];\nmov.u32 a, %tid.x;\n"
                             "setp.ge.u32 p, a, n;\n@p bra END;\n.loc 1 4 9\nmad.wide.u32 o, a, 4, o;\n"
                             "mul.lo.u32 a, a, a;\nst.global.u32 [o], a;\nEND:\nret;\n}\n.file 1 \"square.cu\"\n";
static const char machine_code[64] = "\177ELF\2\1\1";

/* ---- NVRTC ---- */

typedef struct program {
    const char *ptx;
} program;

API int nvrtcGetPTXSize(const program *p, size_t *bytes)
{
    *bytes = strlen(p->ptx) + 1;
    return 0;
}

API int nvrtcGetPTX(const program *p, char *ptx)
{
    strcpy(ptx, p->ptx);
    return 0;
}

API int nvrtcGetCUBINSize(const program *p, size_t *bytes)
{
    *bytes = p ? sizeof machine_code : 0;
    return 0;
}

API int nvrtcGetCUBIN(const program *p, char *cubin)
{
    memcpy(cubin, machine_code, p ? sizeof machine_code : 0);
    return 0;
}

/* ---- nvJitLink: as its header calls it ---- */

static int failed(const char *what)
{
    printf("the machine code's own %s was called\n", what);
    return 6;
}

API int __nvJitLinkCreate_13_0(void **handle, unsigned count, const char **option)
{
    *handle = count ? (void *)option : NULL;
    return failed("nvJitLinkCreate");
}

API int __nvJitLinkAddData_13_0(void *handle, int type, const void *data, size_t bytes, const char *name)
{
    return handle && type && data && bytes && name ? failed("nvJitLinkAddData") : 1;
}

API int __nvJitLinkComplete_13_0(void *handle)
{
    return handle ? failed("nvJitLinkComplete") : 1;
}

API int __nvJitLinkGetLinkedCubinSize_13_0(void *handle, size_t *bytes)
{
    *bytes = 0;
    return handle ? failed("nvJitLinkGetLinkedCubinSize") : 1;
}

API int __nvJitLinkGetLinkedCubin_13_0(void *handle, void *cubin)
{
    return handle && cubin ? failed("nvJitLinkGetLinkedCubin") : 1;
}

API int __nvJitLinkGetErrorLogSize_13_0(void *handle, size_t *bytes)
{
    *bytes = 0;
    return handle ? failed("nvJitLinkGetErrorLogSize") : 1;
}

API int __nvJitLinkGetErrorLog_13_0(void *handle, char *log)
{
    return handle && log ? failed("nvJitLinkGetErrorLog") : 1;
}

API int __nvJitLinkDestroy_13_0(void **handle)
{
    return handle ? failed("nvJitLinkDestroy") : 1;
}

/* ---- the PTX compiler ---- */

API int nvPTXCompilerCreate(void **handle, size_t bytes, const char *ptx)
{
    *handle = bytes ? (void *)ptx : NULL;
    return failed("nvPTXCompilerCreate");
}

API int nvPTXCompilerCompile(void *handle, int count, const char *const *option)
{
    return handle && (count || option) ? failed("nvPTXCompilerCompile") : 1;
}

API int nvPTXCompilerGetCompiledProgramSize(void *handle, size_t *bytes)
{
    *bytes = 0;
    return handle ? failed("nvPTXCompilerGetCompiledProgramSize") : 1;
}

API int nvPTXCompilerGetCompiledProgram(void *handle, void *image)
{
    return handle && image ? failed("nvPTXCompilerGetCompiledProgram") : 1;
}

API int nvPTXCompilerGetErrorLogSize(void *handle, size_t *bytes)
{
    *bytes = 0;
    return handle ? failed("nvPTXCompilerGetErrorLogSize") : 1;
}

API int nvPTXCompilerGetErrorLog(void *handle, char *log)
{
    return handle && log ? failed("nvPTXCompilerGetErrorLog") : 1;
}

API int nvPTXCompilerDestroy(void **handle)
{
    return handle ? failed("nvPTXCompilerDestroy") : 1;
}

/* ---- the program ---- */

static char *of_nvrtc(bool ptx)
{
    const program p = {square};
    size_t bytes = 0;
    const int size = ptx ? nvrtcGetPTXSize(&p, &bytes) : nvrtcGetCUBINSize(&p, &bytes);
    char *const image = calloc(bytes + 1, 1);
    printf("size %d, image %d\n", size, ptx ? nvrtcGetPTX(&p, image) : nvrtcGetCUBIN(&p, image));
    return image;
}

static char *of_nvjitlink(int type)
{
    const char *option[] = {"-arch=sm_80"};
    void *link = NULL;
    size_t bytes = 0, log = 0;
    printf("without an architecture %d\n", __nvJitLinkCreate_13_0(&link, 0, NULL));
    printf("create %d\n", __nvJitLinkCreate_13_0(&link, 1, option));
    printf("add %d\n", __nvJitLinkAddData_13_0(link, type, square, sizeof square, "square"));
    __nvJitLinkGetErrorLogSize_13_0(link, &log);
    char *const text = calloc(log + 1, 1);
    __nvJitLinkGetErrorLog_13_0(link, text);
    printf("log: %s\n", text);
    free(text);
    printf("complete %d\n", __nvJitLinkComplete_13_0(link));
    printf("size %d\n", __nvJitLinkGetLinkedCubinSize_13_0(link, &bytes));
    char *const image = calloc(bytes + 1, 1);
    printf("image %d\n", bytes ? __nvJitLinkGetLinkedCubin_13_0(link, image) : -1);
    printf("destroy %d\n", __nvJitLinkDestroy_13_0(&link));
    return image;
}

static char *of_ptxcompiler(const char *ptx)
{
    const char *const option[] = {"--gpu-name=sm_80"};
    void *compiler = NULL;
    size_t bytes = 0, log = 0;
    printf("create %d\n", nvPTXCompilerCreate(&compiler, strlen(ptx), ptx));
    printf("compile %d\n", nvPTXCompilerCompile(compiler, 1, option));
    nvPTXCompilerGetErrorLogSize(compiler, &log);
    char *const text = calloc(log + 1, 1);
    nvPTXCompilerGetErrorLog(compiler, text);
    printf("log: %s\n", text);
    free(text);
    printf("size %d\n", nvPTXCompilerGetCompiledProgramSize(compiler, &bytes));
    char *const image = calloc(bytes + 1, 1);
    printf("image %d\n", nvPTXCompilerGetCompiledProgram(compiler, image));
    printf("destroy %d\n", nvPTXCompilerDestroy(&compiler));
    return image;
}

static int launch(const char *image)
{
    enum { N = 32 };
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr out;
    unsigned n = N, got[N];
    void *argument[] = {&out, &n};
    if (cuInit(0) || cuCtxCreate_v2(&context, 0, 0))
        return 1;
    const CUresult loaded = cuModuleLoadData(&module, image);
    printf("load %d\n", (int)loaded);
    if (loaded || cuModuleGetFunction(&function, module, "_Z6squarePji") || cuMemAlloc_v2(&out, sizeof got) ||
        cuLaunchKernel(function, 1, 1, 1, N, 1, 1, 0, NULL, argument, NULL) || cuMemcpyDtoH_v2(got, out, sizeof got))
        return 1;
    for (unsigned i = 0; i < N; i++)
        if (got[i] != i * i)
            return 1;
    puts("PASS");
    return 0;
}

int main(int arguments, char **argument)
{
    const char *const how = arguments > 1 ? argument[1] : "";
    char *const image = !strcmp(how, "nvjitlink")     ? of_nvjitlink(2)
                        : !strcmp(how, "lto")         ? of_nvjitlink(3)
                        : !strcmp(how, "wrong")       ? of_ptxcompiler(".version 7.0\n.target sm_80\n.entry k( {\n")
                        : !strcmp(how, "ptxcompiler") ? of_ptxcompiler(square)
                                                      : of_nvrtc(!strcmp(how, "nvrtc-ptx"));
    const int failed_launch = *image ? launch(image) : 1;
    free(image);
    return failed_launch;
}
