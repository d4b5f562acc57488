/* Tests of what differs between the versions of libcudart: names, layouts, texture references. Each library is opened
 * as a program of that version would, and looked at through its table. */
#include "collect/cuda/cuda.h"
#include "collect/cudart/cudart.h"
#include "collect/cudart/cudart_table.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct version {
    int major;
    const char *file;
    int api;
} versions[] = {{11, "libcudart.so.11.0", 11080}, {12, "libcudart.so.12", 12090}, {13, "libcudart.so.13", 13000}};

enum { VERSIONS = sizeof versions / sizeof *versions };

static void *library[VERSIONS];

static int open_all(void **state)
{
    (void)state;
    for (int i = 0; i < VERSIONS; i++) {
        library[i] = dlopen(versions[i].file, RTLD_NOW | RTLD_LOCAL); /* by the run path of this program */
        if (!library[i]) {
            print_error("%s\n", dlerror());
            return 1;
        }
    }
    return 0;
}

static void *function(int i, const char *name)
{
    void *const f = dlsym(library[i], name);
    if (!f)
        fail_msg("%s has no %s", versions[i].file, name);
    return f;
}

#define CALL(i, name, type, ...) ((cudaError_t(*) type)function(i, #name))(__VA_ARGS__)

static const char *name_of(cudaError_t error)
{
    return ((const char *(*)(cudaError_t))function(0, "cudaGetErrorName"))(error);
}

/* ------------------------------------------------------------------------------------------------ tables */

static void tables_are_what_is_exported(void **state)
{
    (void)state;
    for (int i = 0; i < VERSIONS; i++) {
        const ws_cudart_entry *const table = function(i, "ws_cudart_table");
        size_t n = 0;
        for (; table[n].name; n++) {
            if (n)
                assert_true(strcmp(table[n - 1].name, table[n].name) < 0);
            assert_ptr_equal(dlvsym(library[i], table[n].name, versions[i].file), table[n].function);
        }
        assert_true(n > 400);
        assert_null(dlsym(library[i], "ws_rt_enter")); /* nothing of the inside */
    }
}

static void versions_have_names_of_their_own(void **state)
{
    (void)state;
    const struct {
        const char *name;
        int has[VERSIONS];
    } names[] = {
        {"cudaMalloc", {1, 1, 1}},
        {"cudaBindTexture", {1, 0, 0}},
        {"__cudaRegisterTexture", {1, 0, 0}},
        {"cudaThreadSynchronize", {1, 1, 0}},
        {"cudaGetDeviceProperties_v2", {1, 1, 0}},
        {"cudaMemAdvise_v2", {1, 1, 0}},
        {"__cudaLaunchKernel", {1, 1, 1}},
        {"cudaGraphLaunch", {1, 1, 1}},
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (int i = 0; i < VERSIONS; i++)
            assert_int_equal(!!dlsym(library[i], names[k].name), names[k].has[i]);
    for (int i = 0; i < VERSIONS; i++) {
        int version = 0;
        assert_int_equal(CALL(i, cudaRuntimeGetVersion, (int *), &version), cudaSuccess);
        assert_int_equal(version, versions[i].api);
    }
}

static void refused_functions_say_so_once(void **state)
{
    (void)state;
    char text[512] = "";
    FILE *const file = tmpfile();
    const int kept = dup(STDERR_FILENO);
    assert_true(file && kept >= 0);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    const cudaError_t first = CALL(2, cudaIpcGetMemHandle, (void *, void *), NULL, NULL);
    const cudaError_t second = CALL(2, cudaIpcGetMemHandle, (void *, void *), NULL, NULL);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_int_equal(first, cudaErrorNotSupported);
    assert_int_equal(second, cudaErrorNotSupported);
    assert_true(length > 0);
    assert_string_equal(text,
                        "warpscape: cudaIpcGetMemHandle is not supported; the program gets cudaErrorNotSupported\n");
    assert_int_equal(CALL(2, cudaGetLastError, (void)), cudaErrorNotSupported);
}

static void errors_have_names(void **state)
{
    (void)state;
    assert_string_equal(name_of(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    assert_string_equal(name_of((cudaError_t)2345), "unrecognized error code");
    for (int i = 0; i < VERSIONS; i++) {
        const char *const text = ((const char *(*)(int))function(i, "cudaGetErrorString"))(0);
        assert_string_equal(text, "no error");
    }
}

/* ------------------------------------------------------------------------------------------------ layouts */

#define GUARD 0x5a

/* The bytes behind what a version's structure has stay as they are. */
static void assert_untouched(const unsigned char *from, const unsigned char *end)
{
    for (; from < end; from++)
        assert_int_equal(*from, GUARD);
}

static void properties_have_the_layout_of_the_version(void **state)
{
    (void)state;
    unsigned char room[2048];
    const ws_properties_11 *const p11 = (const void *)room;
    const ws_properties_12 *const p12 = (const void *)room;
    const struct cudaDeviceProp *const p13 = (const void *)room;

    memset(room, GUARD, sizeof room);
    assert_int_equal(CALL(0, cudaGetDeviceProperties, (void *, int), room, 0), cudaSuccess);
    assert_int_equal(p11->warpSize, 32);
    assert_int_equal(p11->major, 7);
    assert_int_equal(p11->clockRate, 1000000);
    assert_int_equal(p11->maxGridSize[2], 65535);
    assert_int_equal(p11->maxBlocksPerMultiProcessor, 16);
    assert_untouched(room + sizeof *p11, room + sizeof room);

    memset(room, GUARD, sizeof room);
    assert_int_equal(CALL(1, cudaGetDeviceProperties_v2, (void *, int), room, 0), cudaSuccess);
    assert_int_equal(p12->clockRate, 1000000);
    assert_int_equal(p12->maxTexture2D[1], 65536);
    assert_int_equal(p12->hostRegisterSupported, 1);
    assert_untouched(room + sizeof *p12, room + sizeof room);
    memset(room, GUARD, sizeof room);
    assert_int_equal(CALL(1, cudaGetDeviceProperties, (void *, int), room, 0), cudaSuccess);
    assert_untouched(room + sizeof *p11, room + sizeof room);

    memset(room, GUARD, sizeof room);
    assert_int_equal(CALL(2, cudaGetDeviceProperties, (void *, int), room, 0), cudaSuccess);
    assert_int_equal(p13->multiProcessorCount, 28);
    assert_int_equal(p13->sharedMemPerBlock, 49152);
    assert_int_equal(p13->maxThreadsDim[2], 64);
    assert_int_equal(p13->hostRegisterSupported, 1);
    assert_true(p13->totalGlobalMem > 1u << 20);
    assert_string_equal(p13->name, p12->name);
    assert_untouched(room + sizeof *p13, room + sizeof room);
    assert_int_equal(CALL(2, cudaGetDeviceProperties, (void *, int), room, 1), cudaErrorInvalidDevice);
}

static void pointer_attributes_grew_with_13(void **state)
{
    (void)state;
    for (int i = 0; i < VERSIONS; i++) {
        unsigned char room[256];
        const size_t bytes = sizeof(struct cudaPointerAttributes) + (versions[i].major >= 13 ? 8 * sizeof(long) : 0);
        memset(room, GUARD, sizeof room);
        assert_int_equal(CALL(i, cudaPointerGetAttributes, (void *, const void *), room, &room), cudaSuccess);
        assert_untouched(room + bytes, room + sizeof room);
        assert_int_equal(((struct cudaPointerAttributes *)room)->type, cudaMemoryTypeUnregistered);
    }
}

static void advice_takes_a_place_since_13(void **state)
{
    (void)state;
    void *p = NULL;
    const struct cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0},
                                 none = {cudaMemLocationTypeNone, 0};
    typedef struct cudaMemLocation place;
    assert_int_equal(CALL(2, cudaMallocManaged, (void **, size_t, unsigned), &p, 100, 1), cudaSuccess);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(CALL(i, cudaMemAdvise, (void *, size_t, int, int), p, 100, 3, 0), cudaSuccess);
        assert_int_equal(CALL(i, cudaMemAdvise, (void *, size_t, int, int), p, 100, 3, 7), cudaErrorInvalidDevice);
        assert_int_equal(CALL(i, cudaMemAdvise, (void *, size_t, int, int), p, 101, 1, 0), cudaErrorInvalidValue);
        assert_int_equal(CALL(i, cudaMemPrefetchAsync, (void *, size_t, int, void *), p, 100, -1, NULL), cudaSuccess);
        assert_int_equal(CALL(i, cudaMemAdvise_v2, (void *, size_t, int, place), p, 100, 5, host), cudaSuccess);
    }
    assert_int_equal(CALL(2, cudaMemAdvise, (void *, size_t, int, place), p, 100, 3, device), cudaSuccess);
    assert_int_equal(CALL(2, cudaMemAdvise, (void *, size_t, int, place), p, 100, 3, none), cudaErrorInvalidDevice);
    assert_int_equal(CALL(2, cudaMemPrefetchAsync, (void *, size_t, place, unsigned, void *), p, 100, host, 0, NULL),
                     cudaSuccess);
    assert_int_equal(CALL(2, cudaFree, (void *), p), cudaSuccess);
}

/* ------------------------------------------------------------------------------------------------ images by hand */

static const char text[] = ".version 6.4\n"
                           ".target sm_70\n"
                           ".address_size 64\n"
                           ".global .texref image;\n"
                           ".visible .entry look(.param .u64 out)\n"
                           "{\n"
                           "  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<5>;\n"
                           "  mov.u32 %r1, %tid.x;\n"
                           "  tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r1}];\n"
                           "  ld.param.u64 %rd1, [out];\n"
                           "  mul.wide.u32 %rd2, %r1, 4;\n"
                           "  add.s64 %rd3, %rd1, %rd2;\n"
                           "  st.global.f32 [%rd3], %f1;\n"
                           "  ret;\n"
                           "}\n";

/* A fat binary with one image, as collect/fatbin reads it. */
typedef struct image {
    uint32_t magic;
    uint16_t version, header;
    uint64_t bytes;
    struct {
        uint16_t kind, version;
        uint32_t header;
        uint64_t bytes;
        uint32_t packed, options;
        uint16_t minor, major;
        uint32_t architecture, id, id_bytes;
        uint64_t flags, zero, raw;
    } entry;
    char payload[(sizeof text + 7) / 8 * 8];
} image;

typedef struct wrapper {
    uint32_t magic, version;
    const void *container, *parts;
} wrapper;

static void fill_image(image *i, wrapper *w, int kind)
{
    *i = (image){.magic = 0xba55ed50,
                 .version = 1,
                 .header = 16,
                 .bytes = sizeof *i - 16,
                 .entry = {.kind = (uint16_t)kind,
                           .version = 0x101,
                           .header = 64,
                           .bytes = sizeof i->payload,
                           .major = 6,
                           .minor = 4,
                           .architecture = 80,
                           .flags = 0x11}};
    memcpy(i->payload, text, sizeof text);
    *w = (wrapper){0x466243b1, 1, i, NULL};
}

typedef void **(*registrar)(void *);
typedef void (*unregistrar)(void **);
typedef void (*function_registrar)(void **, const void *, char *, const char *, int, void *, void *, void *, void *,
                                   int *);
typedef void (*texture_registrar)(void **, const void *, const void **, const char *, int, int, int);

static void look_stub(void)
{
}

static void texture_references_of_11(void **state)
{
    (void)state;
    static image i;
    static wrapper w;
    static struct textureReference image_reference = {.filterMode = cudaFilterModePoint};
    const struct cudaChannelFormatDesc form = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    float in[32], back[32] = {0}, *source = NULL, *out = NULL;
    size_t offset = 9;
    fill_image(&i, &w, 1);
    void **const handle = ((registrar)function(0, "__cudaRegisterFatBinary"))(&w);
    ((function_registrar)function(0, "__cudaRegisterFunction"))(handle, (const void *)look_stub, NULL, "look", -1, NULL,
                                                                NULL, NULL, NULL, NULL);
    ((texture_registrar)function(0, "__cudaRegisterTexture"))(handle, &image_reference, (const void **)"image",
                                                              "::image", 1, 0, 0);
    ((unregistrar)function(0, "__cudaRegisterFatBinaryEnd"))(handle);
    for (int k = 0; k < 32; k++)
        in[k] = (float)(k * k);
    assert_int_equal(CALL(0, cudaMalloc, (void *, size_t), &source, sizeof in), cudaSuccess);
    assert_int_equal(CALL(0, cudaMalloc, (void *, size_t), &out, sizeof in), cudaSuccess);
    assert_int_equal(CALL(0, cudaMemcpy, (void *, const void *, size_t, int), source, in, sizeof in, 1), cudaSuccess);
    typedef const void *any;
    assert_int_equal(CALL(0, cudaBindTexture, (size_t *, any, any, any, size_t), &offset, &image_reference, source,
                          &form, sizeof in),
                     cudaSuccess);
    assert_int_equal(offset, 0);
    assert_int_equal(CALL(0, cudaBindTexture, (size_t *, any, any, any, size_t), NULL, &form, source, &form, 4),
                     cudaErrorInvalidTexture);
    void *arguments[] = {&out};
    const dim3 one = {1, 1, 1}, threads = {32, 1, 1};
    assert_int_equal(CALL(0, cudaLaunchKernel, (any, dim3, dim3, void **, size_t, void *), (any)look_stub, one, threads,
                          arguments, 0, NULL),
                     cudaSuccess);
    assert_int_equal(CALL(0, cudaMemcpy, (void *, any, size_t, int), back, out, sizeof back, 2), cudaSuccess);
    assert_memory_equal(back, in, sizeof in);
    int major = 0;
    assert_int_equal(CALL(0, cudaDeviceGetAttribute, (int *, int, int), &major, 75, 0), cudaSuccess);
    assert_int_equal(major, 8); /* the image was made for 8.0 */

    struct {
        struct cudaFuncAttributes a;
    } room;
    memset(&room, GUARD, sizeof room);
    assert_int_equal(CALL(0, cudaFuncGetAttributes, (void *, any), &room, (any)look_stub), cudaSuccess);
    assert_int_equal(room.a.maxThreadsPerBlock, 1024);
    assert_untouched((unsigned char *)&room + offsetof(struct cudaFuncAttributes, clusterDimMustBeSet),
                     (unsigned char *)(&room + 1));
    ((unregistrar)function(0, "__cudaUnregisterFatBinary"))(handle);
    assert_int_equal(CALL(0, cudaFuncGetAttributes, (void *, any), &room, (any)look_stub),
                     cudaErrorInvalidDeviceFunction);
    assert_int_equal(CALL(0, cudaFree, (void *), source), cudaSuccess);
    assert_int_equal(CALL(0, cudaFree, (void *), out), cudaSuccess);
}

static void images_without_ptx(void **state)
{
    (void)state;
    static image i;
    static wrapper w;
    struct cudaFuncAttributes a;
    fill_image(&i, &w, 2); /* machine code only */
    void **const handle = ((registrar)function(2, "__cudaRegisterFatBinary"))(&w);
    ((function_registrar)function(2, "__cudaRegisterFunction"))(handle, (const void *)look_stub, NULL, "look", -1, NULL,
                                                                NULL, NULL, NULL, NULL);
    assert_int_equal(CALL(2, cudaFuncGetAttributes, (void *, const void *), &a, (const void *)look_stub),
                     cudaErrorNoKernelImageForDevice);
    ((unregistrar)function(2, "__cudaUnregisterFatBinary"))(handle);
}

/* A fat binary may be anything; the program is told, call by call, and other images are not the worse for it. */
static void images_of_garbage(void **state)
{
    (void)state;
    static image i;
    static wrapper w;
    struct cudaFuncAttributes a;
    int value = 0;
    for (unsigned n = 0; n < 4; n++) {
        fill_image(&i, &w, 1);
        unsigned char *const bytes = (unsigned char *)&i;
        if (n == 0)
            memset(bytes, 0x55, sizeof i);
        else
            bytes[n == 1 ? 4 : n == 2 ? 15 : offsetof(image, payload)] ^= 0x20; /* version, size, the text */
        void **const handle = ((registrar)function(2, "__cudaRegisterFatBinary"))(&w);
        ((function_registrar)function(2, "__cudaRegisterFunction"))(handle, (const void *)look_stub, NULL, "look", -1,
                                                                    NULL, NULL, NULL, NULL, NULL);
        value = CALL(2, cudaFuncGetAttributes, (void *, const void *), &a, (const void *)look_stub);
        if (value != cudaErrorInvalidKernelImage && value != cudaErrorInvalidPtx)
            fail_msg("damage %u: error %d", n, value);
        ((unregistrar)function(2, "__cudaUnregisterFatBinary"))(handle);
    }
}

static void libraries(void **state)
{
    (void)state;
    void *library_handle = NULL, *kernel = NULL, *kernels[4] = {NULL};
    unsigned count = 0;
    size_t offset = 9, bytes = 0;
    typedef void **loader_values;
    assert_int_equal(CALL(2, cudaLibraryLoadData,
                          (void *, const void *, int *, loader_values, unsigned, int *, loader_values, unsigned),
                          &library_handle, text, NULL, NULL, 0, NULL, NULL, 0),
                     cudaSuccess);
    assert_int_equal(CALL(2, cudaLibraryGetKernelCount, (unsigned *, void *), &count, library_handle), cudaSuccess);
    assert_int_equal(count, 1);
    assert_int_equal(CALL(2, cudaLibraryGetKernel, (void *, void *, const char *), &kernel, library_handle, "look"),
                     cudaSuccess);
    assert_int_equal(CALL(2, cudaLibraryEnumerateKernels, (void *, unsigned, void *), kernels, 4, library_handle),
                     cudaSuccess);
    assert_ptr_equal(kernels[0], kernel);
    assert_int_equal(CALL(2, cudaFuncGetParamInfo, (void *, size_t, size_t *, size_t *), kernel, 0, &offset, &bytes),
                     cudaSuccess);
    assert_int_equal(offset, 0);
    assert_int_equal(bytes, 8);
    assert_int_equal(CALL(2, cudaFuncGetParamInfo, (void *, size_t, size_t *, size_t *), kernel, 1, &offset, &bytes),
                     cudaErrorInvalidValue);
    assert_int_equal(CALL(2, cudaLibraryUnload, (void *), library_handle), cudaSuccess);
    assert_int_equal(CALL(2, cudaLibraryUnload, (void *), library_handle), cudaErrorInvalidResourceHandle);
}

static void the_driver_by_name(void **state)
{
    (void)state;
    CUresult (*version)(int *) = NULL;
    int status = 9, number = 0;
    typedef unsigned long long wide;
    assert_int_equal(CALL(2, cudaGetDriverEntryPointByVersion, (const char *, void *, unsigned, wide, int *),
                          "cuDriverGetVersion", &version, 12000, 0, &status),
                     cudaSuccess);
    assert_int_equal(status, 0);
    assert_int_equal(version(&number), CUDA_SUCCESS);
    assert_int_equal(number, 13000);
    assert_int_equal(CALL(2, cudaGetDriverEntryPointByVersion, (const char *, void *, unsigned, wide, int *),
                          "cuNoSuchThing", &version, 12000, 0, &status),
                     cudaSuccess);
    assert_int_equal(status, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_what_is_exported),
        cmocka_unit_test(versions_have_names_of_their_own),
        cmocka_unit_test(refused_functions_say_so_once),
        cmocka_unit_test(errors_have_names),
        cmocka_unit_test(properties_have_the_layout_of_the_version),
        cmocka_unit_test(pointer_attributes_grew_with_13),
        cmocka_unit_test(advice_takes_a_place_since_13),
        cmocka_unit_test(texture_references_of_11),
        cmocka_unit_test(images_without_ptx),
        cmocka_unit_test(images_of_garbage),
        cmocka_unit_test(libraries),
        cmocka_unit_test(the_driver_by_name),
    };
    return cmocka_run_group_tests(tests, open_all, NULL);
}
