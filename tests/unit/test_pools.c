/* test_pools.c - is stream-ordered memory given, kept and given back as the driver API promises? */
#include "driver_program.h"

#include <stdlib.h>

enum { GROWS = 32 << 20 }; /* steps in which a pool takes memory from the system */

static CUmemoryPool pool_of(size_t most)
{
    const CUmemPoolProps props = {
        .allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, .maxSize = most};
    CUmemoryPool pool = NULL;
    OK(cuMemPoolCreate(&pool, &props));
    return pool;
}

static cuuint64_t value_of(CUmemoryPool pool, CUmemPool_attribute attribute)
{
    cuuint64_t value = 99;
    OK(cuMemPoolGetAttribute(pool, attribute, &value));
    return value;
}

static void account(CUmemoryPool pool, cuuint64_t used, cuuint64_t reserved)
{
    assert_int_equal(value_of(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), used);
    assert_int_equal(value_of(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), reserved);
}

static void keep_all(CUmemoryPool pool)
{
    cuuint64_t most = UINT64_MAX;
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &most));
}

static void allow_reuse(CUmemoryPool pool, int events, int opportunistic, int internal)
{
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, &events));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &opportunistic));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &internal));
}

static CUstream stream(void)
{
    CUstream s = NULL;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    return s;
}

static CUdeviceptr from(CUmemoryPool pool, size_t bytes, CUstream s)
{
    CUdeviceptr p = 0;
    OK(cuMemAllocFromPoolAsync(&p, bytes, pool, s));
    return p;
}

/* ------------------------------------------------------------------------------------------------ accounts */

static void counts_what_is_used_and_reserved(void **state)
{
    (void)state;
    const CUstream s = stream();
    const CUmemoryPool pool = pool_of(0);
    account(pool, 0, 0);
    const CUdeviceptr a = from(pool, 1000, s), b = from(pool, GROWS, s);
    account(pool, 1000 + GROWS, 2 * GROWS); /* what was asked for, and what that takes, as driver 580 answers */
    OK(work(s, a, 4, 1, 3, 1));
    assert_int_equal(device_word(a + 4), 3);
    OK(cuMemFreeAsync(b, s));
    account(pool, 1000, 2 * GROWS);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(b, s)); /* twice */
    OK(cuStreamSynchronize(s));                            /* what is unused above the threshold of 0 goes back */
    account(pool, 1000, GROWS);
    OK(cuMemFree(a)); /* the other way to free it */
    OK(cuStreamSynchronize(s));
    account(pool, 0, 0);
    assert_int_equal(value_of(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 1000 + GROWS);
    assert_int_equal(value_of(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), 2 * GROWS);
    cuuint64_t zero = 0, one = 1;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &one));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &zero));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &zero));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &zero));
    assert_int_equal(value_of(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 0);
    assert_int_equal(value_of(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), 0);
    OK(cuMemPoolDestroy(pool));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(pool));
}

static void thresholds_and_trimming(void **state)
{
    (void)state;
    const CUstream s = stream();
    const CUmemoryPool pool = pool_of(0);
    keep_all(pool);
    const CUdeviceptr a = from(pool, GROWS, s), b = from(pool, GROWS, s), c = from(pool, GROWS, s);
    OK(cuMemFreeAsync(a, s));
    OK(cuMemFreeAsync(b, s));
    OK(cuStreamSynchronize(s));
    account(pool, GROWS, 3 * (cuuint64_t)GROWS);
    OK(cuMemPoolTrimTo(pool, 2 * GROWS));
    account(pool, GROWS, 2 * GROWS);
    OK(cuMemPoolTrimTo(pool, 0));
    account(pool, GROWS, GROWS);
    size_t before = 0, after = 0, total = 0;
    OK(cuMemGetInfo(&before, &total));
    OK(cuMemFreeAsync(c, s));
    OK(cuMemPoolTrimTo(pool, 0)); /* the free has not happened yet, as far as the host knows */
    account(pool, 0, GROWS);
    OK(cuMemGetInfo(&after, &total));
    assert_int_equal(before, after); /* the pool still has it */
    OK(cuStreamSynchronize(s));
    OK(cuMemPoolTrimTo(pool, 0));
    account(pool, 0, 0);
    OK(cuMemGetInfo(&after, &total));
    assert_int_equal(after, before + GROWS);
    OK(cuMemPoolDestroy(pool));
}

static void freed_memory_is_had_again(void **state)
{
    (void)state;
    const CUstream s = stream(), other = stream(), third = stream();
    const CUmemoryPool pool = pool_of(0);
    CUevent e = NULL;
    OK(cuEventCreate(&e, CU_EVENT_DEFAULT));
    keep_all(pool);
    allow_reuse(pool, 1, 0, 0);
    OK(cuMemFreeAsync(from(pool, GROWS, s), s));
    OK(cuMemFreeAsync(from(pool, GROWS, s), s)); /* the same stream has it at once */
    account(pool, 0, GROWS);
    const CUdeviceptr fresh = from(pool, GROWS, other); /* another stream must not */
    account(pool, GROWS, 2 * GROWS);
    OK(cuEventRecord(e, s));
    OK(cuStreamWaitEvent(third, e, 0));
    const CUdeviceptr followed = from(pool, GROWS, third); /* one that comes after it may */
    account(pool, 2 * GROWS, 2 * GROWS);
    OK(cuMemFreeAsync(followed, third));
    OK(cuMemFreeAsync(fresh, other));
    OK(cuStreamSynchronize(third));
    OK(cuStreamSynchronize(other));
    (void)from(pool, 2 * GROWS, s); /* over by now, but that does not count */
    account(pool, 2 * GROWS, 4 * (cuuint64_t)GROWS);
    allow_reuse(pool, 0, 1, 0);
    (void)from(pool, GROWS, s);
    account(pool, 3 * (cuuint64_t)GROWS, 4 * (cuuint64_t)GROWS);
}

static void internal_dependencies_make_a_stream_wait(void **state)
{
    (void)state;
    const CUstream s = stream(), other = stream();
    const CUmemoryPool pool = pool_of(0);
    const CUdeviceptr x = device_words(4);
    CUevent begin = NULL, end = NULL;
    float ms = 0;
    OK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
    keep_all(pool);
    allow_reuse(pool, 0, 0, 1);
    const CUdeviceptr a = from(pool, GROWS, s);
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, s));
    OK(work(s, x, 1, 1, 1, 100000)); /* 0.4 ms */
    OK(cuMemFreeAsync(a, s));
    (void)from(pool, GROWS, other);
    account(pool, GROWS, GROWS);
    OK(cuEventRecord(end, other));
    OK(cuEventElapsedTime(&ms, begin, end));
    assert_true(ms > 0.4f);
}

static void pools_have_a_most(void **state)
{
    (void)state;
    const CUstream s = stream();
    const CUmemoryPool pool = pool_of(GROWS);
    CUdeviceptr p = 0;
    (void)from(pool, GROWS, s);
    FAILS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocFromPoolAsync(&p, 512, pool, s));
    account(pool, GROWS, GROWS);
    FAILS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocAsync(&p, (size_t)100 << 30, s));
    FAILS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocAsync(&p, SIZE_MAX, s));
    OK(cuMemAllocAsync(&p, 0, s)); /* nothing, as driver 580 answers */
    assert_int_equal(p, 0);
    const CUmemoryPool boundless = pool_of(SIZE_MAX); /* rounded up it would be nothing */
    (void)from(boundless, 512, s);
    account(boundless, 512, GROWS);
}

/* ------------------------------------------------------------------------------------------------ of the device */

static void the_device_has_a_current_pool(void **state)
{
    (void)state;
    const CUstream s = stream();
    CUmemoryPool first = NULL, current = NULL;
    const CUmemoryPool own = pool_of(0);
    CUdeviceptr p = 0;
    OK(cuDeviceGetDefaultMemPool(&first, 0));
    OK(cuDeviceGetMemPool(&current, 0));
    assert_ptr_equal(first, current);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(first));
    OK(cuDeviceSetMemPool(0, own));
    OK(cuDeviceGetMemPool(&current, 0));
    assert_ptr_equal(current, own);
    OK(cuMemAllocAsync(&p, 512, s));
    account(own, 512, GROWS);
    OK(cuMemPoolDestroy(own)); /* lives on for p; the default is current again */
    OK(cuDeviceGetMemPool(&current, 0));
    assert_ptr_equal(current, first);
    OK(cuMemsetD32(p, 7, 4));
    assert_int_equal(device_word(p), 7);
    OK(cuMemFreeAsync(p, s));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetMemPool(&current, 1)); /* as driver 580 answers */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuDeviceSetMemPool(0, own));
    int supported = 0;
    OK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 0));
    assert_int_equal(supported, 1);
    OK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, 0));
    assert_int_equal(supported, 0);
}

static void refuses_pools_it_cannot_have(void **state)
{
    (void)state;
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 1}};
    CUmemoryPool pool = NULL;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(&pool, &props)); /* as driver 580 answers */
    props.location.type = CU_MEM_LOCATION_TYPE_INVALID;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(&pool, &props));
    props.location.type = CU_MEM_LOCATION_TYPE_HOST;
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolCreate(&pool, &props));
    props.location = (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, 0};
    props.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolCreate(&pool, &props));
    props.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
    props.allocType = CU_MEM_ALLOCATION_TYPE_INVALID;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(&pool, &props));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(&pool, NULL));
}

static void nothing_is_shared_with_other_processes(void **state)
{
    (void)state;
    CUmemoryPool pool = pool_of(0), other = NULL;
    CUmemPoolPtrExportData data = {{0}};
    CUdeviceptr p = from(pool, 512, NULL), q = 0;
    int handle = 0;
    FAILS(CUDA_ERROR_INVALID_VALUE, /* as driver 580 answers of a pool that was not made for it */
          cuMemPoolExportToShareableHandle(&handle, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    FAILS(CUDA_ERROR_NOT_SUPPORTED,
          cuMemPoolImportFromShareableHandle(&other, &handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolExportPointer(&data, p));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolImportPointer(&q, pool, &data));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolExportPointer(NULL, p));
    CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, there = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
    CUmemAccessDesc access = {here, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    OK(cuMemPoolSetAccess(pool, &access, 1));
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE; /* a device keeps access to its own memory */
    FAILS(CUDA_ERROR_INVALID_DEVICE, cuMemPoolSetAccess(pool, &access, 1));
    access.location = there;
    FAILS(CUDA_ERROR_INVALID_DEVICE, cuMemPoolSetAccess(pool, &access, 1));
    OK(cuMemPoolGetAccess(&flags, pool, &here));
    assert_int_equal(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolGetAccess(&flags, pool, &there));
}

/* Memory of a pool is as well guarded as any other. */
static void use_after_free_is_a_fault(void **state)
{
    (void)state;
    const CUstream s = stream();
    CUdeviceptr p = 0;
    OK(cuMemAllocAsync(&p, 64, s));
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, work(s, p, 17, 1, 1, 1)); /* a word past its end */
    OK(cuDevicePrimaryCtxReset(0));
    const CUstream again = stream();
    CUmodule module = NULL;
    OK(cuModuleLoadData(&module, program_ptx));
    OK(cuModuleGetFunction(&work_kernel, module, "work"));
    OK(cuMemAllocAsync(&p, 64, again));
    OK(cuMemFreeAsync(p, again));
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, work(again, p, 1, 1, 1, 1));
    OK(cuDevicePrimaryCtxReset(0));
}

/* Pools are the device's: they live on without a context, and count nothing that went with one. */
static void pools_outlive_contexts(void **state)
{
    (void)state;
    CUmemoryPool pool = NULL;
    CUdeviceptr p = 0;
    OK(cuDeviceGetDefaultMemPool(&pool, 0));
    const cuuint64_t before = value_of(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
    OK(cuMemAllocAsync(&p, 4096, NULL));
    assert_int_equal(value_of(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), before + 4096);
    OK(cuDevicePrimaryCtxReset(0));
    assert_int_equal(value_of(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), before);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin_program, end_program)
    const struct CMUnitTest tests[] = {
        CASE(counts_what_is_used_and_reserved),
        CASE(thresholds_and_trimming),
        CASE(freed_memory_is_had_again),
        CASE(internal_dependencies_make_a_stream_wait),
        CASE(pools_have_a_most),
        CASE(the_device_has_a_current_pool),
        CASE(refuses_pools_it_cannot_have),
        CASE(nothing_is_shared_with_other_processes),
        CASE(use_after_free_is_a_fault),
        CASE(pools_outlive_contexts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
