/* test_texture_references.c - texture and surface references of CUDA 11, registered as code of nvcc 11.8 does it: the
 * symbol of the PTX in the place of the address, the name of C++ beside it. Linked with libcudart.so.11.0. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/cudart/cudart.h"
#include "tests/unit/fatbin_writer.h"

#define OK(call)          assert_int_equal((call), cudaSuccess)
#define FAILS(code, call) assert_int_equal((call), (code))

enum { W = 8, H = 4 };

/* Each thread (x, y) of a block of W x H: reads a texel at its centre, or adds to an element of a surface. */
#define ENTRY(name, body) \
    ".visible .entry " name "(.param .u64 out)\n{\n" \
    "  .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .f32 %f<9>;\n" \
    "  mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mad.lo.s32 %r3, %r2, 8, %r1;\n" \
    "  cvt.rn.f32.u32 %f1, %r1; add.f32 %f1, %f1, 0f3F000000; cvt.rn.f32.u32 %f2, %r2; add.f32 %f2, %f2, " \
    "0f3F000000;\n" \
    "  ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2;\n" body "  ret;\n}\n"

static const char ptx[] =
    ".version 7.8\n.target sm_52\n.address_size 64\n"
    ".global .texref _ZN3app5planeE;\n.global .texref bytes;\n.global .texref line;\n.global .surfref "
    "_ZN3app5paperE;\n" ENTRY("read_plane", "  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [_ZN3app5planeE, {%f1, %f2}];\n"
                                            "  st.global.f32 [%rd3], %f3;\n")
        ENTRY("read_bytes",
              "  tex.2d.v4.u32.f32 {%r4, %r5, %r6, %r7}, [bytes, {%f1, %f2}];\n  st.global.u32 [%rd3], %r4;\n")
            ENTRY("read_line",
                  "  tex.1d.v4.f32.s32 {%f3, %f4, %f5, %f6}, [line, {%r3}];\n  st.global.f32 [%rd3], %f3;\n")
                ENTRY("add_to_paper",
                      "  shl.b32 %r4, %r1, 2;\n  suld.b.2d.b32.trap {%r5}, [_ZN3app5paperE, {%r4, %r2}];\n"
                      "  add.s32 %r5, %r5, 1000;\n  sust.b.2d.b32.trap [_ZN3app5paperE, {%r4, %r2}], {%r5};\n");

static struct textureReference plane = {.filterMode = cudaFilterModePoint}, bytes = {.filterMode = cudaFilterModePoint},
                               line = {.filterMode = cudaFilterModePoint}, stranger;
static struct surfaceReference paper;
static const struct cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat},
                                          ints = {32, 0, 0, 0, cudaChannelFormatKindSigned},
                                          chars = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
static const char stubs[4]; /* kernels are known by addresses in the program */

static ws_bytes container;
static fat_wrapper wrapper;
static void **handle;
static float *result;

static int begin(void **state)
{
    (void)state;
    static const char *const kernels[] = {"read_plane", "read_bytes", "add_to_paper", "read_line"};
    const fat_image image = {.kind = 1, .architecture = 52, .data = ptx, .length = sizeof ptx, .packing = 'l'};
    container = fat_container(&image, 1);
    wrapper = fat_wrap(&container, NULL);
    handle = __cudaRegisterFatBinary(&wrapper);
    for (int i = 0; i < 4; i++)
        __cudaRegisterFunction(handle, &stubs[i], NULL, kernels[i], -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterTexture(handle, &plane, (const void **)"_ZN3app5planeE", "::app::plane", 2, 0, 0);
    __cudaRegisterTexture(handle, &bytes, (const void **)"bytes", "::bytes", 2, 1, 0);
    __cudaRegisterTexture(handle, &line, (const void **)"line", "::line", 1, 0, 0);
    __cudaRegisterSurface(handle, &paper, (const void **)"_ZN3app5paperE", "::app::paper", 2, 0);
    __cudaRegisterFatBinaryEnd(handle);
    return cudaMalloc((void **)&result, W * H * sizeof *result);
}

static int end(void **state)
{
    (void)state;
    const cudaError_t error = cudaFree(result);
    __cudaUnregisterFatBinary(handle);
    ws_bytes_fini(&container);
    return error;
}

static void launch(int kernel, float back[H][W])
{
    void *arguments[] = {&result};
    OK(cudaLaunchKernel(&stubs[kernel], (dim3){1, 1, 1}, (dim3){W, H, 1}, arguments, 0, NULL));
    OK(cudaMemcpy(back, result, H * W * sizeof **back, cudaMemcpyDeviceToHost));
}

static void fill(float in[H][W])
{
    for (int i = 0; i < W * H; i++)
        in[i / W][i % W] = 1.5f * (float)i;
}

static void arrays_as_textures(void **state)
{
    (void)state;
    cudaArray_t array, other;
    float in[H][W], back[H][W];
    const struct textureReference *found;
    size_t offset = 9;
    fill(in);
    OK(cudaMallocArray(&array, &floats, W, H, 0));
    OK(cudaMallocArray(&other, &floats, W, H, 0));
    OK(cudaMemcpyToArray(array, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
    OK(cudaBindTextureToArray(&plane, array, &floats));
    launch(0, back);
    assert_memory_equal(in, back, sizeof in);
    OK(cudaGetTextureReference(&found, &plane));
    assert_ptr_equal(found, &plane);
    OK(cudaGetTextureAlignmentOffset(&offset, &plane));
    assert_int_equal(offset, 0);

    /* what the program sets in the reference counts when it binds: 0.5 to 7.5 of a normalized width is the last texel
     */
    plane.normalized = 1;
    for (int i = 0; i < 3; i++)
        plane.addressMode[i] = cudaAddressModeClamp;
    OK(cudaBindTextureToArray(&plane, array, &floats));
    launch(0, back);
    assert_true(back[0][0] == in[H / 2][W / 2] && back[1][1] == in[H - 1][W - 1] && back[3][7] == in[H - 1][W - 1]);
    plane.normalized = 0;

    for (int i = 0; i < W * H; i++)
        in[i / W][i % W] += 100;
    OK(cudaMemcpyToArray(other, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
    OK(cudaBindTextureToArray(&plane, other, &floats));
    launch(0, back);
    assert_memory_equal(in, back, sizeof in);
    OK(cudaUnbindTexture(&plane));
    OK(cudaFreeArray(array));
    OK(cudaFreeArray(other));
    FAILS(cudaErrorInvalidTexture, cudaBindTextureToArray(&stranger, array, &floats));
    FAILS(cudaErrorInvalidTexture, cudaGetTextureReference(&found, &stranger));
    cudaGetLastError();
}

static void memory_as_textures(void **state)
{
    (void)state;
    float in[H][W], back[H][W];
    char *rows;
    size_t pitch, offset = 9;
    fill(in);
    OK(cudaMallocPitch((void **)&rows, &pitch, sizeof in[0], H));
    OK(cudaMemcpy2D(rows, pitch, in, sizeof in[0], sizeof in[0], H, cudaMemcpyHostToDevice));
    OK(cudaBindTexture2D(&offset, &plane, rows, &floats, W, H, pitch));
    assert_int_equal(offset, 0);
    launch(0, back);
    assert_memory_equal(in, back, sizeof in);
    OK(cudaUnbindTexture(&plane));
    OK(cudaFree(rows));
}

/* Memory of `texels` texels, with the channels that are given, of which the first counts up from `from`; bound to
 * `line`. */
static float *bind_line(const struct cudaChannelFormatDesc *desc, size_t texels, int channels, float from)
{
    float in[4 * W * H] = {0}, *memory;
    for (size_t i = 0; i < texels; i++)
        in[(size_t)channels * i] = from + (float)i;
    OK(cudaMalloc((void **)&memory, texels * (size_t)channels * sizeof *in));
    OK(cudaMemcpy(memory, in, texels * (size_t)channels * sizeof *in, cudaMemcpyHostToDevice));
    OK(cudaBindTexture(NULL, &line, memory, desc, texels * (size_t)channels * sizeof *in));
    return memory;
}

/* The texels that were bound, and zeros behind them. */
static void expect_line(int texels, float from)
{
    float back[H][W];
    launch(3, back);
    for (int i = 0; i < W * H; i++)
        assert_true(back[i / W][i % W] == (i < texels ? from + (float)i : 0));
}

/* What a reference was bound to may be freed, larger, smaller, an array, or of another format, before it is bound
 * again. */
static void bound_again(void **state)
{
    (void)state;
    static const struct cudaChannelFormatDesc fours = {32, 32, 32, 32, cudaChannelFormatKindFloat};
    float *memory = bind_line(&floats, W * H, 1, 5), *rows;
    cudaArray_t array;
    size_t pitch;
    expect_line(W * H, 5);
    OK(cudaFree(memory));
    FAILS(cudaErrorInvalidValue, cudaBindTexture(NULL, &line, memory, &floats, sizeof(float)));
    memory = bind_line(&floats, 3, 1, 50);
    expect_line(3, 50);
    OK(cudaUnbindTexture(&line));
    OK(cudaUnbindTexture(&line));
    OK(cudaFree(memory));
    memory = bind_line(&fours, 7, 4, 70);
    expect_line(7, 70);
    OK(cudaUnbindTexture(&line));
    OK(cudaFree(memory));
    OK(cudaMallocArray(&array, &chars, W, 0, 0));
    OK(cudaBindTextureToArray(&line, array, &chars));
    memory = bind_line(&floats, 9, 1, 90);
    expect_line(9, 90);
    OK(cudaBindTextureToArray(&line, array, &chars));
    OK(cudaFreeArray(array));
    OK(cudaFree(memory));
    OK(cudaMallocPitch((void **)&rows, &pitch, W, H));
    OK(cudaBindTexture2D(NULL, &line, rows, &chars, W, H, pitch));
    OK(cudaFree(rows));
    memory = bind_line(&fours, 4, 4, 10);
    expect_line(4, 10);
    OK(cudaFree(memory));
    FAILS(cudaErrorInvalidTexture, cudaUnbindTexture(&stranger));
    cudaGetLastError();
}

/* A filter that was right for what was bound before says nothing about what is bound now; integers have none. */
static void filters_of_the_next(void **state)
{
    (void)state;
    cudaArray_t smooth, whole;
    OK(cudaMallocArray(&smooth, &floats, W, H, 0));
    OK(cudaMallocArray(&whole, &ints, W, H, 0));
    plane.filterMode = cudaFilterModeLinear;
    OK(cudaBindTextureToArray(&plane, smooth, &floats));
    FAILS(cudaErrorInvalidFilterSetting, cudaBindTextureToArray(&plane, whole, &ints));
    plane.filterMode = cudaFilterModePoint;
    OK(cudaBindTextureToArray(&plane, whole, &ints));
    OK(cudaFreeArray(whole));
    OK(cudaFreeArray(smooth));
    cudaGetLastError();
}

/* Registered as one that reads bytes as numbers between 0 and 1. */
static void bytes_as_floats(void **state)
{
    (void)state;
    cudaArray_t array;
    unsigned char in[H][W];
    float back[H][W];
    for (int i = 0; i < W * H; i++)
        in[i / W][i % W] = (unsigned char)(7 * i);
    OK(cudaMallocArray(&array, &chars, W, H, 0));
    OK(cudaMemcpy2DToArray(array, 0, 0, in, W, W, H, cudaMemcpyHostToDevice));
    OK(cudaBindTextureToArray(&bytes, array, &chars));
    launch(1, back);
    for (int i = 0; i < W * H; i++)
        assert_float_equal(back[i / W][i % W], (float)in[i / W][i % W] / 255, 1e-6);
    OK(cudaFreeArray(array));
}

static void surfaces(void **state)
{
    (void)state;
    cudaArray_t array;
    int in[H][W], out[H][W];
    float unused[H][W];
    for (int i = 0; i < W * H; i++)
        in[i / W][i % W] = i;
    OK(cudaMallocArray(&array, &ints, W, H, cudaArraySurfaceLoadStore));
    OK(cudaMemcpyToArray(array, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
    OK(cudaBindSurfaceToArray(&paper, array, &ints));
    launch(2, unused);
    OK(cudaMemcpyFromArray(out, array, 0, 0, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * H; i++)
        assert_int_equal(out[i / W][i % W], i + 1000);
    OK(cudaFreeArray(array));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_as_textures),  cmocka_unit_test(memory_as_textures), cmocka_unit_test(bound_again),
        cmocka_unit_test(filters_of_the_next), cmocka_unit_test(bytes_as_floats),    cmocka_unit_test(surfaces),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
