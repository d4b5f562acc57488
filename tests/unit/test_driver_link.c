/* test_driver_link.c - does the driver API link modules, and load what nvcc makes from files? Linked with libcuda.so.1.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "collect/cuda/cuda.h"
#include "tests/unit/fatbin_writer.h"

#include <unistd.h>

#define OK(call)          assert_int_equal((call), CUDA_SUCCESS)
#define FAILS(code, call) assert_int_equal((call), (code))
#define HEAD              ".version 7.0\n.target sm_75\n.address_size 64\n"

static const char caller[] = HEAD
    ".extern .func (.param .b32 r) f();\n.extern .global .align 4 .u32 x;\n"
    ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<4>; .reg .b64 %rd<4>;\nld.param.u64 %rd1, [out];\n"
    "{ .param .b32 v;\ncall (v), f, ();\nld.param.b32 %r1, [v]; }\nld.global.u32 %r2, [x];\nadd.u32 %r1, %r1, %r2;\n"
    "st.global.u32 [%rd1], %r1;\nret;\n}\n";
static const char callee[] = HEAD ".visible .global .align 4 .u32 x = 2;\n.visible .func (.param .b32 r) f()\n"
                                  "{ .reg .b32 %r<2>; mov.u32 %r1, 40; st.param.b32 [r], %r1; ret; }\n";

/* What kernel k leaves in the word whose address it gets. */
static unsigned result_of(CUmodule module)
{
    CUfunction f;
    CUdeviceptr at;
    unsigned value = 0;
    OK(cuModuleGetFunction(&f, module, "k"));
    OK(cuMemAlloc(&at, 4));
    void *args[] = {&at};
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(&value, at, 4));
    OK(cuMemFree(at));
    return value;
}

static unsigned load_and_run(const void *image)
{
    CUmodule module;
    OK(cuModuleLoadData(&module, image));
    const unsigned value = result_of(module);
    OK(cuModuleUnload(module));
    return value;
}

static void add_text(CUlinkState state, const char *text, const char *name)
{
    OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)text, strlen(text) + 1, name, 0, NULL, NULL));
}

static void test_link(void **context)
{
    (void)context;
    CUlinkState state;
    void *image, *again;
    size_t bytes;
    OK(cuLinkCreate(0, NULL, NULL, &state));
    add_text(state, caller, "caller.ptx");
    add_text(state, callee, "callee.ptx");
    OK(cuLinkComplete(state, &image, &bytes));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuLinkComplete(state, &again, &bytes)); /* is complete, as driver 580 answers */
    assert_int_equal(load_and_run(image), 42);
    void *const kept = malloc(bytes); /* a program may keep it for another run */
    assert_non_null(kept);
    memcpy(kept, image, bytes);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLinkAddData(state, CU_JIT_INPUT_PTX, kept, bytes, "late", 0, NULL, NULL));
    OK(cuLinkDestroy(state));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(state));
    assert_int_equal(load_and_run(kept), 42);
    /* and link it once more, as the machine code that it takes it for */
    OK(cuLinkCreate(0, NULL, NULL, &state));
    OK(cuLinkAddData(state, CU_JIT_INPUT_CUBIN, kept, bytes, "kept", 0, NULL, NULL));
    OK(cuLinkComplete(state, &image, &bytes));
    assert_int_equal(load_and_run(image), 42);
    free(kept);
    /* the state is left to the context's end */
}

static ws_bytes packed(const char *text, unsigned architecture, char packing)
{
    const fat_image image = {
        .kind = 1, .architecture = architecture, .data = text, .length = strlen(text), .packing = packing};
    return fat_container(&image, 1);
}

static void test_fat_binaries(void **context)
{
    (void)context;
    CUlinkState state;
    void *image;
    size_t bytes;
    ws_bytes a = packed(caller, 75, 'z'), b = packed(callee, 80, 'l'), empty = fat_container(NULL, 0);
    const void *const list[] = {a.data, b.data, NULL};
    const fat_wrapper one = fat_wrap(&b, NULL), linked = fat_wrap(&empty, list);
    OK(cuLinkCreate(0, NULL, NULL, &state));
    OK(cuLinkAddData(state, CU_JIT_INPUT_FATBINARY, a.data, a.length, NULL, 0, NULL, NULL));
    OK(cuLinkAddData(state, CU_JIT_INPUT_FATBINARY, (void *)(uintptr_t)&one, sizeof one, NULL, 0, NULL, NULL));
    OK(cuLinkComplete(state, &image, &bytes));
    assert_int_equal(load_and_run(image), 42);
    OK(cuLinkDestroy(state));
    assert_int_equal(load_and_run(&linked), 42); /* as the runtime loads a program of nvcc -rdc=true */
    ws_bytes_fini(&a);
    ws_bytes_fini(&b);
    ws_bytes_fini(&empty);
}

static const struct {
    CUjitInputType type;
    const char *input[2];
    CUresult adding, completing;
    const char *log;
} wrong[] = {
    {CU_JIT_INPUT_PTX,
     {".version 7.0\nnonsense"},
     CUDA_ERROR_INVALID_PTX,
     CUDA_SUCCESS,
     "in:2:1: expected a directive such as .entry, .func or .global, found `nonsense`"},
    {CU_JIT_INPUT_PTX,
     {caller},
     CUDA_SUCCESS,
     CUDA_ERROR_UNKNOWN,
     "in:11:1: function `f` is declared, and no module defines it"},
    {CU_JIT_INPUT_PTX,
     {callee, callee},
     CUDA_SUCCESS,
     CUDA_ERROR_UNKNOWN,
     "in:5:32: expected `f` as at in:5:32, found a second body"},
    {CU_JIT_INPUT_PTX, {NULL}, CUDA_SUCCESS, CUDA_ERROR_UNKNOWN, "expected something to link, found nothing"},
    {CU_JIT_INPUT_CUBIN,
     {"\177ELF and so on"},
     CUDA_ERROR_NO_BINARY_FOR_GPU,
     CUDA_SUCCESS,
     "in: expected PTX, a fat binary or an object file to link, found machine code of a GPU (cubin)"},
    {CU_JIT_INPUT_LIBRARY,
     {"!<arch>\n"},
     CUDA_ERROR_NO_BINARY_FOR_GPU,
     CUDA_SUCCESS,
     "in: expected PTX, a fat binary or an object file to link, found an archive; kernels that launch kernels "
     "(libcudadevrt.a) "
     "cannot run"},
    {CU_JIT_INPUT_OBJECT,
     {"!<arch>\nx"},
     CUDA_ERROR_INVALID_PTX,
     CUDA_SUCCESS,
     "in: expected PTX, a fat binary, or a program or object file with device code of nvcc, found an archive of object "
     "files; "
     "take one out of it (ar x)"},
    {CU_JIT_INPUT_FATBINARY,
     {"\x50\xed\x55\xba and so on"},
     CUDA_ERROR_INVALID_PTX,
     CUDA_SUCCESS,
     "in: offset 0: expected a container header of 16 bytes, found less"},
};

static void test_wrong(void **context)
{
    (void)context;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char log[400] = "";
        CUjit_option option[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void *value[] = {log, (void *)sizeof log};
        CUlinkState state;
        void *image;
        size_t bytes;
        CUresult added = CUDA_SUCCESS;
        OK(cuLinkCreate(2, option, value, &state));
        for (unsigned k = 0; k < 2 && wrong[i].input[k] && !added; k++)
            added = cuLinkAddData(state, wrong[i].type, (void *)(uintptr_t)wrong[i].input[k], strlen(wrong[i].input[k]),
                                  "in", 0, NULL, NULL);
        assert_int_equal(added, wrong[i].adding);
        if (!added)
            FAILS(wrong[i].completing, cuLinkComplete(state, &image, &bytes));
        assert_string_equal(log, wrong[i].log);
        OK(cuLinkDestroy(state));
    }
}

static void test_misuse(void **context)
{
    (void)context;
    CUlinkState state;
    size_t bytes;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLinkCreate(0, NULL, NULL, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLinkCreate(1, NULL, NULL, &state));
    OK(cuLinkCreate(0, NULL, NULL, &state));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLinkAddData(state, CU_JIT_INPUT_PTX, NULL, 1, "", 0, NULL, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLinkAddData(state, 77, &bytes, 1, "", 0, NULL, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLinkComplete(state, NULL, &bytes));
    FAILS(CUDA_ERROR_FILE_NOT_FOUND, cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/nowhere/x.ptx", 0, NULL, NULL));
    OK(cuLinkDestroy(state));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuLinkAddFile(state, CU_JIT_INPUT_PTX, "x", 0, NULL, NULL));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuLinkComplete((CUlinkState)(uintptr_t)&bytes, NULL, &bytes));
}

static void write_file(char *path, const void *data, size_t bytes)
{
    const int out = mkstemp(path);
    assert_true(out >= 0);
    assert_int_equal(write(out, data, bytes), bytes);
    close(out);
}

/* cuModuleLoad and cuLinkAddFile take text and fat binaries; the environment chooses the architecture. */
static void test_files(void **context)
{
    (void)context;
    static const char *const texts[] = {HEAD ".visible .entry k(.param .u64 out)\n{ .reg .b64 %rd<2>; ld.param.u64 "
                                             "%rd1, [out]; st.global.u32 [%rd1], 75; ret; }\n",
                                        HEAD ".visible .entry k(.param .u64 out)\n{ .reg .b64 %rd<2>; ld.param.u64 "
                                             "%rd1, [out]; st.global.u32 [%rd1], 80; ret; }\n"};
    const fat_image image[] = {
        {.kind = 1, .architecture = 75, .data = texts[0], .length = strlen(texts[0]), .packing = 'z'},
        {.kind = 1, .architecture = 80, .data = texts[1], .length = strlen(texts[1]), .packing = 'l'}};
    ws_bytes b = fat_container(image, 2);
    char fat[] = "/tmp/warpscape-link-XXXXXX", text[] = "/tmp/warpscape-link-XXXXXX";
    write_file(fat, b.data, b.length);
    write_file(text, texts[0], strlen(texts[0]));
    static const struct {
        const char *wanted;
        unsigned value;
        CUresult result;
    } cases[] = {{NULL, 80, CUDA_SUCCESS},
                 {"79", 75, CUDA_SUCCESS},
                 {"74", 0, CUDA_ERROR_NO_BINARY_FOR_GPU},
                 {"new", 0, CUDA_ERROR_INVALID_IMAGE},
                 {"0", 0, CUDA_ERROR_INVALID_IMAGE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CUmodule module;
        if (cases[i].wanted)
            setenv("WARPSCAPE_PTX_ARCHITECTURE", cases[i].wanted, 1);
        FAILS(cases[i].result, cuModuleLoad(&module, fat));
        if (!cases[i].result) {
            assert_int_equal(result_of(module), cases[i].value);
            OK(cuModuleUnload(module));
            assert_int_equal(load_and_run(b.data), cases[i].value);
        }
        FAILS(cases[i].result, cuModuleLoadData(&module, b.data));
    }
    unsetenv("WARPSCAPE_PTX_ARCHITECTURE");
    CUlinkState state;
    void *linked;
    size_t bytes;
    OK(cuLinkCreate(0, NULL, NULL, &state));
    OK(cuLinkAddFile(state, CU_JIT_INPUT_PTX, text, 0, NULL, NULL));
    OK(cuLinkComplete(state, &linked, &bytes));
    assert_int_equal(load_and_run(linked), 75);
    OK(cuLinkDestroy(state));
    unlink(fat);
    unlink(text);
    ws_bytes_fini(&b);
}

static CUcontext the_context;

static int begin(void **state)
{
    (void)state;
    return cuInit(0) || cuCtxCreate(&the_context, 0, 0);
}

static int end(void **state)
{
    (void)state;
    return (int)cuCtxDestroy(the_context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_link),   cmocka_unit_test(test_fat_binaries), cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_misuse), cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
