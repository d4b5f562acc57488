/* driver_setup.h - what tests of libcuda.so.1 share: checks of results, kernels that compute and that fail, a context,
 * what the library says on stderr. */
#ifndef WS_TEST_DRIVER_SETUP_H
#define WS_TEST_DRIVER_SETUP_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "collect/cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OK(call)          assert_int_equal((call), CUDA_SUCCESS)
#define FAILS(code, call) assert_int_equal((call), (code))

/* out[i] = a * x[i] + b for i < n, with b a byte-sized parameter so that offsets matter; a variable; a kernel that
 * writes to address 0, one that loops for ever. The vendor's driver takes it, too. */
static const char ptx[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .b8 table[12] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};\n"
    ".visible .const .align 4 .u32 limit = 7;\n"
    ".visible .entry affine(.param .u64 out, .param .u32 a, .param .u64 x, .param .u8 b, .param .u32 n)\n{\n"
    "  .reg .pred %p<2>;\n  .reg .b32 %r<10>;\n  .reg .b64 %rd<8>;\n  .reg .b16 %h<2>;\n"
    "  ld.param.u64 %rd1, [out];\n  ld.param.u32 %r1, [a];\n  ld.param.u64 %rd2, [x];\n  ld.param.u8 %h1, [b];\n"
    "  ld.param.u32 %r2, [n];\n  mov.u32 %r3, %ctaid.x;\n  mov.u32 %r4, %ntid.x;\n  mov.u32 %r5, %tid.x;\n"
    "  mad.lo.s32 %r6, %r3, %r4, %r5;\n  setp.ge.u32 %p1, %r6, %r2;\n  @%p1 bra DONE;\n"
    "  mul.wide.u32 %rd3, %r6, 4;\n  add.s64 %rd4, %rd2, %rd3;\n  ld.u32 %r7, [%rd4];\n  cvt.u32.u16 %r8, %h1;\n"
    "  mad.lo.s32 %r9, %r7, %r1, %r8;\n  add.s64 %rd5, %rd1, %rd3;\n  st.u32 [%rd5], %r9;\nDONE:\n  ret;\n}\n"
    ".visible .entry wild()\n{\n  .reg .b64 %rd<2>;\n  mov.u64 %rd1, 64;\n  st.global.u32 [%rd1], 1;\n  ret;\n}\n"
    ".visible .entry skewed(.param .u64 out)\n{\n  .reg .b64 %rd<3>;\n  ld.param.u64 %rd1, [out];\n"
    "  add.s64 %rd2, %rd1, 1;\n  st.global.u32 [%rd2], 1;\n  ret;\n}\n"
    ".visible .entry stuck()\n{\n  trap;\n  ret;\n}\n"
    ".visible .entry calls(.param .u64 where)\n{\n  .reg .b64 %rd<2>;\n  ld.param.u64 %rd1, [where];\n"
    "  { prototype: .callprototype ()_();\n    call %rd1, prototype;\n  }\n  ret;\n}\n"
    ".visible .entry shared_user()\n.maxntid 64, 1, 1\n{\n  .shared .align 4 .b8 room[1024];\n  .reg .b32 %r<2>;\n"
    "  mov.u32 %r1, 5;\n  st.shared.u32 [room], %r1;\n  ret;\n}\n";

static inline CUmodule load(void)
{
    CUmodule module = NULL;
    OK(cuModuleLoadData(&module, ptx));
    return module;
}

static inline CUfunction function(CUmodule module, const char *name)
{
    CUfunction f = NULL;
    OK(cuModuleGetFunction(&f, module, name));
    return f;
}

/* What the library says on stderr while `on` is in effect goes into a file; the text so far comes back. */
static int saved_stderr = -1;

static inline void capture_stderr(void)
{
    FILE *const file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    saved_stderr = dup(STDERR_FILENO);
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    fclose(file);
}

static inline void captured(char *text, size_t size)
{
    fflush(stderr);
    const off_t end = lseek(STDERR_FILENO, 0, SEEK_END);
    const ssize_t n = pread(STDERR_FILENO, text, size - 1 < (size_t)end ? size - 1 : (size_t)end, 0);
    text[n > 0 ? n : 0] = '\0';
    dup2(saved_stderr, STDERR_FILENO);
    close(saved_stderr);
}

static inline int setup(void **state)
{
    CUcontext context = NULL;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    *state = context;
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    OK(cuCtxSetCurrent(NULL));
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}

#endif
