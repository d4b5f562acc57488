/* driver_program.h - what small programs of the driver API share: checks, a module with a few kernels, a context. */
#ifndef WS_DRIVER_PROGRAM_H
#define WS_DRIVER_PROGRAM_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "collect/cuda/cuda.h"

#define OK(call)          assert_int_equal((call), CUDA_SUCCESS)
#define FAILS(code, call) assert_int_equal((call), (code))

/* work: x[i] = x[i] * a + b for each thread, `turns` times over. wild: writes where nothing is. */
static const char program_ptx[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n"
    ".visible .entry work(.param .u64 x, .param .u32 a, .param .u32 b, .param .u32 turns)\n{\n"
    "  .reg .pred %p<2>;\n  .reg .b32 %r<10>;\n  .reg .b64 %rd<4>;\n"
    "  ld.param.u64 %rd1, [x];\n  ld.param.u32 %r1, [a];\n  ld.param.u32 %r2, [b];\n  ld.param.u32 %r3, [turns];\n"
    "  mov.u32 %r4, %ctaid.x;\n  mov.u32 %r5, %ntid.x;\n  mov.u32 %r6, %tid.x;\n  mad.lo.s32 %r7, %r4, %r5, %r6;\n"
    "  mul.wide.u32 %rd2, %r7, 4;\n  add.s64 %rd3, %rd1, %rd2;\n  ld.global.u32 %r8, [%rd3];\n"
    "LOOP:\n  mad.lo.s32 %r8, %r8, %r1, %r2;\n  sub.s32 %r3, %r3, 1;\n  setp.ne.s32 %p1, %r3, 0;\n  @%p1 bra LOOP;\n"
    "  st.global.u32 [%rd3], %r8;\n  ret;\n}\n"
    ".visible .entry wild()\n{\n  .reg .b64 %rd<2>;\n  mov.u64 %rd1, 64;\n  st.global.u32 [%rd1], 1;\n  ret;\n}\n";

static CUfunction work_kernel, wild_kernel;

static int begin_program(void **state)
{
    CUcontext context = NULL;
    CUmodule module = NULL;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&module, program_ptx));
    OK(cuModuleGetFunction(&work_kernel, module, "work"));
    OK(cuModuleGetFunction(&wild_kernel, module, "wild"));
    *state = context;
    return 0;
}

static int end_program(void **state)
{
    (void)state;
    OK(cuCtxSetCurrent(NULL));
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}

/* One thread a block. */
static inline CUresult work(CUstream stream, CUdeviceptr x, unsigned blocks, unsigned a, unsigned b, unsigned turns)
{
    void *params[] = {&x, &a, &b, &turns};
    return cuLaunchKernel(work_kernel, blocks, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

static inline CUdeviceptr device_words(unsigned n)
{
    CUdeviceptr p = 0;
    OK(cuMemAlloc(&p, 4 * n));
    OK(cuMemsetD32(p, 0, n));
    return p;
}

static inline unsigned device_word(CUdeviceptr p)
{
    unsigned value = 0;
    OK(cuMemcpyDtoH(&value, p, sizeof value));
    return value;
}

#endif
