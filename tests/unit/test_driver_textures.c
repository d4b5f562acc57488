/* test_driver_textures.c - arrays, textures and surfaces of the driver API, by objects and by references. */
#include "driver_setup.h"

/* out[i] = the four channels at (i + 0.5, 0.5) of a texture object, of the variable `ref`; a surface variable. */
static const char texture_ptx[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n.global .texref ref;\n.global .surfref board;\n"
    ".visible .entry object(.param .u64 out, .param .u64 t)\n{\n  .reg .f32 %f<8>;\n  .reg .b32 %r<4>;\n"
    "  .reg .b64 %rd<8>;\n  ld.param.u64 %rd1, [out];\n  ld.param.u64 %rd2, [t];\n  mov.u32 %r1, %tid.x;\n"
    "  cvt.rn.f32.u32 %f1, %r1;\n  add.f32 %f1, %f1, 0.5;\n  mov.f32 %f2, 0.5;\n  mul.wide.u32 %rd3, %r1, 16;\n"
    "  add.s64 %rd4, %rd1, %rd3;\n  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd2, {%f1, %f2}];\n"
    "  st.global.v4.f32 [%rd4], {%f3, %f4, %f5, %f6};\n  ret;\n}\n"
    ".visible .entry variable(.param .u64 out)\n{\n  .reg .f32 %f<8>;\n  .reg .b32 %r<4>;\n  .reg .b64 %rd<8>;\n"
    "  ld.param.u64 %rd1, [out];\n  mov.u32 %r1, %tid.x;\n  mul.wide.u32 %rd3, %r1, 16;\n  add.s64 %rd4, %rd1, %rd3;\n"
    "  tex.1d.v4.f32.s32 {%f3, %f4, %f5, %f6}, [ref, {%r1}];\n  st.global.v4.f32 [%rd4], {%f3, %f4, %f5, %f6};\n  "
    "ret;\n}\n"
    ".visible .entry paint()\n{\n  .reg .b32 %r<4>;\n  mov.u32 %r1, %tid.x;\n  shl.b32 %r2, %r1, 2;\n"
    "  sust.b.2d.b32.trap [board, {%r2, 1}], %r1;\n  ret;\n}\n";

static CUmodule load_textures(void)
{
    CUmodule module = NULL;
    OK(cuModuleLoadData(&module, texture_ptx));
    return module;
}

static void arrays(void **state)
{
    (void)state;
    const CUDA_ARRAY_DESCRIPTOR flat = {5, 3, CU_AD_FORMAT_UNSIGNED_INT16, 2};
    CUDA_ARRAY_DESCRIPTOR flat_is;
    CUarray a = NULL, b = NULL;
    size_t before = 0, after = 0, total = 0;
    uint16_t sent[30], got[30] = {0};
    for (int i = 0; i < 30; i++)
        sent[i] = (uint16_t)(1000 + i);
    OK(cuMemGetInfo(&before, &total));
    OK(cuArrayCreate(&a, &flat));
    OK(cuArrayGetDescriptor(&flat_is, a));
    assert_memory_equal(&flat_is, &flat, sizeof flat);
    CUDA_MEMCPY2D up = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                        .srcHost = sent,
                        .srcPitch = 20,
                        .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                        .dstArray = a,
                        .WidthInBytes = 20,
                        .Height = 3};
    OK(cuMemcpy2D(&up));
    const CUDA_MEMCPY2D down = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                                .srcArray = a,
                                .srcXInBytes = 4,
                                .srcY = 1,
                                .dstMemoryType = CU_MEMORYTYPE_HOST,
                                .dstHost = got,
                                .dstPitch = 8,
                                .WidthInBytes = 8,
                                .Height = 2};
    OK(cuMemcpy2D(&down));
    for (int i = 0; i < 8; i++)
        assert_int_equal(got[i], sent[10 + 2 + i % 4 + i / 4 * 10]);
    up.WidthInBytes = 24; /* behind the row */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&up));
    up.WidthInBytes = 20;
    up.dstY = 1;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&up));
    /* A box of a solid. */
    const CUDA_ARRAY3D_DESCRIPTOR solid = {2, 3, 5, CU_AD_FORMAT_SIGNED_INT8, 1, 0};
    CUDA_ARRAY3D_DESCRIPTOR solid_is;
    OK(cuArray3DCreate(&b, &solid));
    OK(cuArray3DGetDescriptor(&solid_is, b));
    assert_memory_equal(&solid_is, &solid, offsetof(CUDA_ARRAY3D_DESCRIPTOR, Flags) + sizeof solid.Flags);
    CUDA_MEMCPY3D box = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                         .srcHost = sent,
                         .srcPitch = 2,
                         .srcHeight = 3,
                         .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                         .dstArray = b,
                         .WidthInBytes = 2,
                         .Height = 3,
                         .Depth = 5};
    OK(cuMemcpy3D(&box));
    unsigned char corner[4] = {0};
    const CUDA_MEMCPY3D back = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                                .srcArray = b,
                                .srcXInBytes = 1,
                                .srcY = 1,
                                .srcZ = 3,
                                .dstMemoryType = CU_MEMORYTYPE_HOST,
                                .dstHost = corner,
                                .dstPitch = 1,
                                .dstHeight = 2,
                                .WidthInBytes = 1,
                                .Height = 2,
                                .Depth = 2};
    OK(cuMemcpy3DAsync(&back, NULL));
    for (int i = 0; i < 4; i++)
        assert_int_equal(corner[i], ((unsigned char *)sent)[(3 + i / 2) * 6 + (1 + i % 2) * 2 + 1]);
    box.dstZ = 1;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&box));
    OK(cuArrayDestroy(b));
    /* One row. */
    const CUDA_ARRAY_DESCRIPTOR line = {10, 0, CU_AD_FORMAT_FLOAT, 1};
    float word = 0;
    OK(cuArrayCreate(&b, &line));
    OK(cuMemcpyHtoA(b, 8, &(float){2.5f}, 4));
    OK(cuMemcpyAtoH(&word, b, 8, 4));
    assert_true(word == 2.5f);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoH(&word, b, 40, 4));
    OK(cuMemcpyAtoA(b, 0, b, 8, 4));
    OK(cuMemcpyAtoH(&word, b, 0, 4));
    assert_true(word == 2.5f);
    OK(cuArrayDestroy(b));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(b));
    OK(cuArrayDestroy(a));
    OK(cuMemGetInfo(&after, &total));
    assert_int_equal(after, before);
    const CUDA_ARRAY_DESCRIPTOR three = {4, 4, CU_AD_FORMAT_FLOAT, 3}, none = {0, 4, CU_AD_FORMAT_FLOAT, 1},
                                strange = {4, 4, 0x77, 1};
    FAILS(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&a, &three));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&a, &none));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&a, &strange));
}

static CUresult run_paint(CUfunction f, unsigned threads)
{
    return cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, NULL, NULL);
}

static void texture_objects(void **state)
{
    (void)state;
    CUmodule module = load_textures();
    CUfunction object = function(module, "object");
    const float texel[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float got[8];
    CUdeviceptr out, rows;
    CUarray array;
    const CUDA_ARRAY_DESCRIPTOR form = {2, 1, CU_AD_FORMAT_FLOAT, 4};
    OK(cuMemAlloc(&out, sizeof got));
    OK(cuArrayCreate(&array, &form));
    const CUDA_MEMCPY2D up = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                              .srcHost = texel,
                              .srcPitch = sizeof texel,
                              .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                              .dstArray = array,
                              .WidthInBytes = sizeof texel,
                              .Height = 1};
    OK(cuMemcpy2D(&up));
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array}, is;
    CUDA_TEXTURE_DESC sampling = {.filterMode = CU_TR_FILTER_MODE_LINEAR, .borderColor = {9}}, sampling_is;
    CUDA_RESOURCE_VIEW_DESC view = {.format = CU_RES_VIEW_FORMAT_NONE};
    CUtexObject t = 0, pitched = 0;
    OK(cuTexObjectCreate(&t, &resource, &sampling, &view));
    OK(cuTexObjectGetResourceDesc(&is, t));
    assert_memory_equal(&is, &resource, sizeof is);
    OK(cuTexObjectGetTextureDesc(&sampling_is, t));
    assert_memory_equal(&sampling_is, &sampling, sizeof sampling);
    OK(cuLaunchKernel(object, 1, 1, 1, 2, 1, 1, 0, NULL, (void *[]){&out, &t}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    assert_memory_equal(got, texel, sizeof got);
    /* Rows of plain memory. */
    OK(cuMemAlloc(&rows, 64));
    OK(cuMemcpyHtoD(rows, texel, sizeof texel));
    resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_PITCH2D,
                                    .res.pitch2D = {rows, CU_AD_FORMAT_FLOAT, 2, 4, 2, 32}};
    OK(cuTexObjectCreate(&pitched, &resource, &sampling, NULL));
    OK(cuLaunchKernel(object, 1, 1, 1, 2, 1, 1, 0, NULL, (void *[]){&out, &pitched}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    const float two[8] = {1, 2, 0, 0, 3, 4, 0, 0};
    assert_memory_equal(got, two, sizeof got);
    OK(cuTexObjectDestroy(pitched));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuTexObjectDestroy(pitched));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuSurfObjectDestroy(t));
    /* What cannot be. */
    char said[256];
    resource.res.pitch2D.height = 3; /* behind the allocation */
    capture_stderr();
    const CUresult beyond = cuTexObjectCreate(&pitched, &resource, &sampling, NULL);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_INVALID_VALUE, beyond);
    assert_non_null(strstr(said, "does not lie in an allocation"));
    resource.res.pitch2D.height = 2;
    resource.res.pitch2D.format = CU_AD_FORMAT_UNSIGNED_INT32; /* integers have no mean */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&pitched, &resource, &sampling, NULL));
    sampling.flags = CU_TRSF_SEAMLESS_CUBEMAP;
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuTexObjectCreate(&pitched, &resource, &sampling, NULL));
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuTexObjectCreate(&pitched, &resource, &sampling, NULL));
    /* Its memory is gone. */
    OK(cuArrayDestroy(array));
    capture_stderr();
    const CUresult freed = cuLaunchKernel(object, 1, 1, 1, 2, 1, 1, 0, NULL, (void *[]){&out, &t}, NULL);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, freed);
    assert_non_null(strstr(said, "is freed"));
}

static void destroyed_texture_is_a_fault(void **state)
{
    (void)state;
    CUfunction object = function(load_textures(), "object");
    CUdeviceptr out, row;
    CUtexObject t;
    char said[256];
    OK(cuMemAlloc(&out, 256));
    OK(cuMemAlloc(&row, 64));
    const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_PITCH2D,
                                         .res.pitch2D = {row, CU_AD_FORMAT_FLOAT, 1, 4, 1, 32}};
    const CUDA_TEXTURE_DESC sampling = {0};
    OK(cuTexObjectCreate(&t, &resource, &sampling, NULL));
    OK(cuTexObjectDestroy(t));
    capture_stderr();
    const CUresult result = cuLaunchKernel(object, 1, 1, 1, 2, 1, 1, 0, NULL, (void *[]){&out, &t}, NULL);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, result);
    assert_non_null(strstr(said, "it is destroyed"));
    assert_non_null(strstr(said, "thread (0,0,0)"));
}

static void texture_references(void **state)
{
    (void)state;
    CUmodule module = load_textures();
    CUtexref ref = NULL, again = NULL;
    CUdeviceptr out, memory, is;
    const float texel[4] = {1.5f, 2.5f, 3.5f, 4.5f};
    float got[16];
    size_t offset = 77;
    OK(cuModuleGetTexRef(&ref, module, "ref"));
    OK(cuModuleGetTexRef(&again, module, "ref"));
    assert_ptr_equal(ref, again);
    FAILS(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&again, module, "board"));
    FAILS(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&again, module, "nobody"));
    OK(cuMemAlloc(&out, sizeof got));
    OK(cuMemAlloc(&memory, sizeof texel));
    OK(cuMemcpyHtoD(memory, texel, sizeof texel));
    OK(cuTexRefSetAddress(&offset, ref, memory, sizeof texel));
    assert_int_equal(offset, 0);
    OK(cuTexRefSetFormat(ref, CU_AD_FORMAT_FLOAT, 2));
    OK(cuTexRefSetFlags(ref, CU_TRSF_READ_AS_INTEGER));
    OK(cuLaunchKernel(function(module, "variable"), 1, 1, 1, 4, 1, 1, 0, NULL, (void *[]){&out}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    const float want[16] = {1.5f, 2.5f, 0, 0, 3.5f, 4.5f, 0, 0};
    assert_memory_equal(got, want, sizeof got);
    int channels = 0;
    unsigned flags = 0;
    CUarray_format format;
    CUaddress_mode mode;
    CUfilter_mode filter;
    OK(cuTexRefGetAddress(&is, ref));
    assert_int_equal(is, memory);
    OK(cuTexRefGetFormat(&format, &channels, ref));
    assert_int_equal(format, CU_AD_FORMAT_FLOAT);
    assert_int_equal(channels, 2);
    OK(cuTexRefSetAddressMode(ref, 1, CU_TR_ADDRESS_MODE_MIRROR));
    OK(cuTexRefGetAddressMode(&mode, ref, 1));
    assert_int_equal(mode, CU_TR_ADDRESS_MODE_MIRROR);
    OK(cuTexRefSetFilterMode(ref, CU_TR_FILTER_MODE_LINEAR));
    OK(cuTexRefGetFilterMode(&filter, ref));
    assert_int_equal(filter, CU_TR_FILTER_MODE_LINEAR);
    OK(cuTexRefGetFlags(&flags, ref));
    assert_int_equal(flags, CU_TRSF_READ_AS_INTEGER);
    OK(cuTexRefSetBorderColor(ref, (float[4]){1, 2, 3, 4}));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddressMode(ref, 3, CU_TR_ADDRESS_MODE_WRAP));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFormat(ref, CU_AD_FORMAT_FLOAT, 3));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetFlags((CUtexref)module, 0));
    /* An array, and rows. */
    CUarray array = NULL, array_is = NULL;
    const CUDA_ARRAY_DESCRIPTOR form = {4, 0, CU_AD_FORMAT_FLOAT, 1};
    OK(cuArrayCreate(&array, &form));
    OK(cuMemcpyHtoA(array, 0, texel, sizeof texel));
    OK(cuTexRefSetArray(ref, array, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuTexRefGetArray(&array_is, ref));
    assert_ptr_equal(array_is, array);
    OK(cuLaunchKernel(function(module, "variable"), 1, 1, 1, 4, 1, 1, 0, NULL, (void *[]){&out}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    for (int i = 0; i < 4; i++)
        assert_true(got[4 * i] == texel[i]);
    const CUDA_ARRAY_DESCRIPTOR rows = {2, 2, CU_AD_FORMAT_FLOAT, 1};
    OK(cuTexRefSetAddress2D(ref, &rows, memory, 8));
    OK(cuLaunchKernel(function(module, "variable"), 1, 1, 1, 4, 1, 1, 0, NULL, (void *[]){&out}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    assert_true(got[0] == 1.5f && got[4] == 2.5f && got[8] == 2.5f);
}

/* The pieces of a description may be set one after the other although what was bound before is gone or does not fit
 * them. */
static void references_bound_again(void **state)
{
    (void)state;
    CUmodule module = load_textures();
    CUtexref ref = NULL;
    CUdeviceptr out, memory, gone;
    CUarray array = NULL;
    const CUDA_ARRAY_DESCRIPTOR bytes = {4, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1},
                                rows = {4, 1, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    const float texel[4] = {1.5f, 2.5f, 3.5f, 4.5f};
    float got[16];
    OK(cuModuleGetTexRef(&ref, module, "ref"));
    OK(cuMemAlloc(&out, sizeof got));
    OK(cuMemAlloc(&gone, 4));
    OK(cuTexRefSetFormat(ref, CU_AD_FORMAT_UNSIGNED_INT8, 1));
    OK(cuTexRefSetAddress(NULL, ref, gone, 4));
    OK(cuMemFree(gone));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress(NULL, ref, gone, 4));
    OK(cuTexRefSetFlags(ref, CU_TRSF_READ_AS_INTEGER));
    OK(cuTexRefSetFormat(ref, CU_AD_FORMAT_FLOAT, 2));
    OK(cuMemAlloc(&memory, sizeof texel));
    OK(cuMemcpyHtoD(memory, texel, sizeof texel));
    OK(cuTexRefSetAddress(NULL, ref, memory, sizeof texel));
    OK(cuLaunchKernel(function(module, "variable"), 1, 1, 1, 4, 1, 1, 0, NULL, (void *[]){&out}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    assert_true(got[0] == 1.5f && got[1] == 2.5f && got[4] == 3.5f && got[8] == 0);
    OK(cuArrayCreate(&array, &bytes));
    OK(cuTexRefSetFilterMode(ref, CU_TR_FILTER_MODE_LINEAR));
    OK(cuTexRefSetArray(ref, array, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuArrayDestroy(array));
    OK(cuTexRefSetFlags(ref, 0));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetArray(ref, array, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuMemAlloc(&gone, 4));
    OK(cuTexRefSetAddress2D(ref, &rows, gone, 4));
    OK(cuMemFree(gone));
    OK(cuTexRefSetAddress(NULL, ref, 0, 0)); /* nothing */
    OK(cuTexRefSetFilterMode(ref, CU_TR_FILTER_MODE_POINT));
    OK(cuTexRefSetFormat(ref, CU_AD_FORMAT_FLOAT, 1));
    OK(cuTexRefSetAddress(NULL, ref, memory, 8));
    OK(cuLaunchKernel(function(module, "variable"), 1, 1, 1, 4, 1, 1, 0, NULL, (void *[]){&out}, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    assert_true(got[0] == 1.5f && got[4] == 2.5f && got[8] == 0);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFlags(ref, 0x8000));
}

static void surfaces(void **state)
{
    (void)state;
    CUmodule module = load_textures();
    CUsurfref board = NULL;
    CUarray array = NULL, plain = NULL, is = NULL;
    CUsurfObject object = 0;
    uint32_t got[8];
    const CUDA_ARRAY3D_DESCRIPTOR form = {4, 2, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST},
                                  without = {4, 2, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0};
    OK(cuArray3DCreate(&array, &form));
    OK(cuArray3DCreate(&plain, &without));
    OK(cuModuleGetSurfRef(&board, module, "board"));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuSurfRefSetArray(board, plain, 0));
    OK(cuSurfRefSetArray(board, array, 0));
    OK(cuSurfRefGetArray(&is, board));
    assert_ptr_equal(is, array);
    OK(run_paint(function(module, "paint"), 4));
    const CUDA_MEMCPY2D down = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                                .srcArray = array,
                                .dstMemoryType = CU_MEMORYTYPE_HOST,
                                .dstHost = got,
                                .dstPitch = 16,
                                .WidthInBytes = 16,
                                .Height = 2};
    OK(cuMemcpy2D(&down));
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(got[i], i < 4 ? 0 : i - 4);
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array}, resource_is;
    OK(cuSurfObjectCreate(&object, &resource));
    OK(cuSurfObjectGetResourceDesc(&resource_is, object));
    assert_ptr_equal(resource_is.res.array.hArray, array);
    OK(cuSurfObjectDestroy(object));
    resource.res.array.hArray = plain;
    OK(cuSurfObjectCreate(&object, &resource)); /* not made for it, and taken as driver 580 does */
    char said[256];
    capture_stderr();
    const CUresult outside = run_paint(function(module, "paint"), 5);
    captured(said, sizeof said);
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, outside);
    assert_non_null(strstr(said, "thread (4,0,0)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(arrays, setup, teardown),
        cmocka_unit_test_setup_teardown(texture_objects, setup, teardown),
        cmocka_unit_test_setup_teardown(destroyed_texture_is_a_fault, setup, teardown),
        cmocka_unit_test_setup_teardown(texture_references, setup, teardown),
        cmocka_unit_test_setup_teardown(references_bound_again, setup, teardown),
        cmocka_unit_test_setup_teardown(surfaces, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
