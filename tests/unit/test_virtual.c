/* test_virtual.c - are addresses and memory put together and taken apart as the driver API promises? */
#include "driver_program.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MIB  ((size_t)1 << 20)
#define UNIT (2 * MIB)
/* Where addresses begin, but for 24 bits, and an alignment: ThreadSanitizer leaves less to programs. */
#ifdef __SANITIZE_THREAD__
#define PLACES "0x7000"
#define WIDE   ((size_t)1 << 36)
#else
#define PLACES "0x300000"
#define WIDE   ((size_t)1 << 45)
#endif

static const CUmemAllocationProp plain = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                          .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
static const CUmemAccessDesc both = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
static const CUmemAccessDesc nobody = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_NONE};

static CUdeviceptr reserve(size_t bytes)
{
    CUdeviceptr at = 0;
    OK(cuMemAddressReserve(&at, bytes, 0, 0, 0));
    assert_true(at && at % UNIT == 0);
    return at;
}

static CUmemGenericAllocationHandle create(size_t bytes)
{
    CUmemGenericAllocationHandle handle = 0;
    OK(cuMemCreate(&handle, bytes, &plain, 0));
    return handle;
}

static unsigned long long access_to(CUdeviceptr at)
{
    unsigned long long flags = 99;
    OK(cuMemGetAccess(&flags, &both.location, at));
    return flags;
}

/* Memory grows behind what is there, and copies go across the seam. */
static void grows(void **state)
{
    (void)state;
    const CUdeviceptr at = reserve(3 * UNIT);
    const CUmemGenericAllocationHandle first = create(UNIT), second = create(UNIT);
    const unsigned in[4] = {1, 2, 3, 4};
    unsigned out[4] = {0};
    size_t bytes = 0;
    CUdeviceptr base = 0;
    OK(cuMemMap(at, UNIT, 0, first, 0));
    assert_int_equal(access_to(at), CU_MEM_ACCESS_FLAGS_PROT_NONE);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(at, in, sizeof in));
    OK(cuMemSetAccess(at, UNIT, &both, 1));
    assert_int_equal(access_to(at + 5), CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuMemcpyHtoD(at + UNIT - 8, in, 8));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(at + UNIT - 8, in, sizeof in));
    OK(cuMemMap(at + UNIT, UNIT, 0, second, 0));
    OK(cuMemSetAccess(at + UNIT, UNIT, &both, 1));
    OK(cuMemcpyHtoD(at + UNIT - 8, in, sizeof in));
    OK(work(NULL, at + UNIT - 8, 4, 10, 1, 1)); /* a kernel on both sides of it */
    OK(cuMemcpyDtoH(out, at + UNIT - 8, sizeof out));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(out[i], 10 * in[i] + 1);
    OK(cuMemGetAddressRange(&base, &bytes, at + UNIT));
    assert_true(base == at && bytes == 2 * UNIT);
    OK(cuMemRelease(first)); /* it lives as long as it has an address */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemRelease(first));
    assert_int_equal(device_word(at + UNIT - 8), 11);
    OK(cuMemUnmap(at, UNIT));
    assert_int_equal(device_word(at + UNIT), 31); /* the other one stays */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(at + UNIT));
    FAILS(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister((void *)(uintptr_t)(at + UNIT)));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(at, 3 * UNIT));
    OK(cuMemUnmap(at + UNIT, UNIT));
    OK(cuMemRelease(second));
    OK(cuMemAddressFree(at, 3 * UNIT));
    assert_true(reserve(UNIT) == at); /* the same places again */
    OK(cuMemAddressFree(at, UNIT));
}

/* One memory at two addresses, and by a descriptor as another process would have it. */
static void has_several_addresses(void **state)
{
    (void)state;
    const CUdeviceptr at = reserve(3 * UNIT);
    CUmemAllocationProp prop = plain, seen;
    CUmemGenericAllocationHandle handle = 0, again = 0, imported = 0;
    int file = -1;
    prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    OK(cuMemCreate(&handle, UNIT, &prop, 0));
    OK(cuMemGetAllocationPropertiesFromHandle(&seen, handle));
    assert_memory_equal(&seen, &prop, sizeof seen);
    OK(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    OK(cuMemImportFromShareableHandle(&imported, (void *)(intptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    assert_int_equal(ftruncate(file, 0), -1); /* nobody takes it away */
    close(file);
    OK(cuMemMap(at, UNIT, 0, handle, 0));
    OK(cuMemMap(at + UNIT, UNIT, 0, handle, 0));
    OK(cuMemMap(at + 2 * UNIT, UNIT, 0, imported, 0));
    OK(cuMemSetAccess(at, 3 * UNIT, &both, 1));
    OK(cuMemsetD32(at + 64, 77, 1));
    assert_int_equal(device_word(at + UNIT + 64), 77);
    assert_int_equal(device_word(at + 2 * UNIT + 64), 77);
    OK(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(at + UNIT + 3)));
    assert_true(again == handle);
    OK(cuMemRelease(handle));
    OK(cuMemRelease(again));
    OK(cuMemRelease(imported));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemGetAllocationPropertiesFromHandle(&seen, handle));
    OK(cuMemUnmap(at, 3 * UNIT));
    OK(cuMemAddressFree(at, 3 * UNIT));
}

static void memory_is_limited(void **state)
{
    (void)state;
    size_t available = 0, total = 0, after = 0;
    CUdeviceptr at = 0;
    CUmemGenericAllocationHandle handle = 0;
    OK(cuMemGetInfo(&available, &total));
    FAILS(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&handle, (total / UNIT + 1) * UNIT, &plain, 0));
    handle = create(UNIT);
    OK(cuMemGetInfo(&after, &total));
    assert_int_equal(available - after, UNIT);
    OK(cuMemRelease(handle));
    handle = create(total / 2 / UNIT * UNIT);
    FAILS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&at, total / 4 * 3));
    OK(cuMemAlloc(&at, total / 4));
    OK(cuMemFree(at));
    OK(cuMemRelease(handle));
    OK(cuMemGetInfo(&after, &total));
    assert_int_equal(after, available);
}

static void refuses(void **state)
{
    (void)state;
    CUdeviceptr at = 0;
    CUmemGenericAllocationHandle handle = 0;
    CUmemAllocationProp prop = plain;
    CUmemAccessDesc wrong = both;
    size_t size = 0;
    int value = 0, pipes[2];
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
    assert_int_equal(value, 1);
    OK(cuMemGetAllocationGranularity(&size, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    assert_int_equal(size, UNIT);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemGetAllocationGranularity(&size, NULL, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&at, MIB, 0, 0, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&at, 0, 0, 0, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&at, UNIT, 3, 0, 0));
    FAILS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAddressReserve(&at, (size_t)1 << 50, 0, 0, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&at, UNIT, (size_t)1 << 63, 0, 0)); /* as driver 580 answers */
    OK(cuMemAddressReserve(&at, UNIT, WIDE, 0, 0));
    assert_true(at % WIDE == 0);
    OK(cuMemAddressFree(at, UNIT));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, MIB, &plain, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, UNIT, NULL, 0));
    prop.location.id = 1;
    FAILS(CUDA_ERROR_INVALID_DEVICE, cuMemCreate(&handle, UNIT, &prop, 0));
    prop.location = (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0};
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&handle, UNIT, &prop, 0));
    at = reserve(2 * UNIT);
    handle = create(2 * UNIT);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemMap(at, UNIT, 0, handle + 1, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemMap(at, UNIT, UNIT, handle, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemMap(at, 4 * UNIT, 0, handle, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemMap(at + 64, UNIT, 0, handle, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(at, UNIT, &both, 1)); /* nothing is there */
    OK(cuMemMap(at, 2 * UNIT, 0, handle, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemMap(at + UNIT, UNIT, 0, handle, 0)); /* taken */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(at, UNIT));                    /* a half */
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(at + UNIT, UNIT, &both, 1));
    wrong.flags = 2;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(at, 2 * UNIT, &wrong, 1));
    FAILS(CUDA_ERROR_INVALID_VALUE,
          cuMemExportToShareableHandle(&value, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    assert_int_equal(pipe(pipes), 0);
    FAILS(
        CUDA_ERROR_UNKNOWN, /* as driver 580 answers */
        cuMemImportFromShareableHandle(&handle, (void *)(intptr_t)pipes[0], CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(pipes[0]);
    close(pipes[1]);
    value = memfd_create("of the program", MFD_ALLOW_SEALING); /* could become shorter under the kernels */
    assert_int_equal(ftruncate(value, UNIT), 0);
    FAILS(CUDA_ERROR_UNKNOWN,
          cuMemImportFromShareableHandle(&handle, (void *)(intptr_t)value, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(value);
    OK(cuMemUnmap(at, 2 * UNIT));
    OK(cuMemRelease(handle));
    OK(cuMemAddressFree(at, 2 * UNIT));
}

/* Nothing of it belongs to a context: it is there before one, and after it. */
static void outlives_contexts(void **state)
{
    const CUdeviceptr at = reserve(UNIT);
    const CUmemGenericAllocationHandle handle = create(UNIT);
    OK(cuMemMap(at, UNIT, 0, handle, 0));
    OK(cuMemSetAccess(at, UNIT, &both, 1));
    OK(cuMemsetD32(at, 5, 1));
    end_program(state);
    assert_int_equal(*(const unsigned *)(uintptr_t)at, 5);
    begin_program(state);
    assert_int_equal(device_word(at), 5);
    OK(work(NULL, at, 1, 2, 0, 1));
    assert_int_equal(device_word(at), 10);
    OK(cuMemUnmap(at, UNIT));
    OK(cuMemRelease(handle));
    OK(cuMemAddressFree(at, UNIT));
}

/* Rights that are given while there is no device are there when it comes, once. */
static void needs_no_context(void **state)
{
    const CUdeviceptr at = reserve(2 * UNIT);
    const CUmemGenericAllocationHandle handle = create(UNIT);
    end_program(state);
    OK(cuMemMap(at, UNIT, 0, handle, 0));
    OK(cuMemMap(at + UNIT, UNIT, 0, handle, 0));
    OK(cuMemSetAccess(at, 2 * UNIT, &both, 1));
    OK(cuMemUnmap(at + UNIT, UNIT));
    begin_program(state);
    OK(cuMemsetD32(at, 5, 1));
    OK(work(NULL, at, 1, 2, 0, 1));
    assert_int_equal(device_word(at), 10);
    OK(cuMemUnmap(at, UNIT));
    OK(cuMemRelease(handle));
    OK(cuMemAddressFree(at, 2 * UNIT));
}

/* What the call prints on stderr. */
#define TOLD(text, call) \
    do { \
        char told[1024] = ""; \
        FILE *const kept = tmpfile(); \
        const int own = dup(STDERR_FILENO); \
        dup2(fileno(kept), STDERR_FILENO); \
        call; \
        dup2(own, STDERR_FILENO); \
        close(own); \
        rewind(kept); \
        assert_true(fread(told, 1, sizeof told - 1, kept) > 0); \
        fclose(kept); \
        if (!strstr(told, text) || strchr(told, '\n') != strrchr(told, '\n')) \
            fail_msg("%s", told); \
    } while (0)

/* Memory that may be read alone: kernels, copies, fills and what streams write stop before it. */
static void may_be_read_alone(void **state)
{
    const CUmemAccessDesc reading = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READ};
    const CUdeviceptr at = reserve(2 * UNIT), copy = device_words(4);
    const CUmemGenericAllocationHandle handle = create(UNIT);
    unsigned word = 7;
    OK(cuMemMap(at, UNIT, 0, handle, 0));
    OK(cuMemMap(at + UNIT, UNIT, 0, handle, 0));
    OK(cuMemSetAccess(at, UNIT, &both, 1));
    OK(cuMemSetAccess(at + UNIT, UNIT, &reading, 1));
    assert_int_equal(access_to(at + UNIT), CU_MEM_ACCESS_FLAGS_PROT_READ);
    OK(cuMemcpyHtoD(at, &word, sizeof word));
    assert_int_equal(device_word(at + UNIT), 7);
    OK(cuMemcpyDtoD(copy, at + UNIT, 4));
    TOLD("may only be read", FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(at + UNIT, &word, sizeof word)));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(at + UNIT, 1, 1));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(NULL, at + UNIT, 1, 0));
    OK(cuStreamWaitValue32(NULL, at + UNIT, 7, CU_STREAM_WAIT_VALUE_EQ));
    end_program(state); /* rights outlive contexts, too */
    begin_program(state);
    TOLD("invalid global write of 4 bytes at address " PLACES "200000: the memory there may only be read",
         FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, work(NULL, at + UNIT, 1, 1, 1, 1)));
    end_program(state);
    begin_program(state);
    assert_int_equal(device_word(at), 7);
    OK(cuMemSetAccess(at + UNIT, UNIT, &both, 1));
    OK(work(NULL, at + UNIT, 1, 1, 1, 1));
    assert_int_equal(device_word(at), 8);
    OK(cuMemUnmap(at, 2 * UNIT));
    OK(cuMemRelease(handle));
    OK(cuMemAddressFree(at, 2 * UNIT));
}

static void faults_say_what_is_missing(void **state)
{
    const CUdeviceptr at = reserve(2 * UNIT);
    const CUmemGenericAllocationHandle handle = create(UNIT);
    OK(cuMemMap(at, UNIT, 0, handle, 0));
    TOLD("of addresses that are reserved at " PLACES "000000, where no memory is mapped",
         FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, work(NULL, at + UNIT + 64, 1, 1, 5, 1)));
    end_program(state);
    begin_program(state);
    TOLD("mapped at " PLACES "000000 without rights", FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, work(NULL, at, 1, 1, 5, 1)));
    OK(cuMemUnmap(at, UNIT));
    OK(cuMemRelease(handle));
    OK(cuMemAddressFree(at, 2 * UNIT));
}

static void faults_without_rights(void **state)
{
    (void)state;
    const CUdeviceptr at = reserve(UNIT);
    const CUmemGenericAllocationHandle handle = create(UNIT);
    OK(cuMemMap(at, UNIT, 0, handle, 0));
    OK(cuMemRelease(handle));
    OK(cuMemSetAccess(at, UNIT, &both, 1));
    OK(work(NULL, at, 1, 1, 5, 1));
    OK(cuMemSetAccess(at, UNIT, &nobody, 1));
    FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, work(NULL, at, 1, 1, 5, 1));
    OK(cuMemUnmap(at, UNIT));
    OK(cuMemAddressFree(at, UNIT));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin_program, end_program)
    const struct CMUnitTest tests[] = {CASE(grows),
                                       CASE(has_several_addresses),
                                       CASE(memory_is_limited),
                                       CASE(refuses),
                                       CASE(outlives_contexts),
                                       CASE(needs_no_context),
                                       CASE(may_be_read_alone),
                                       CASE(faults_say_what_is_missing),
                                       CASE(faults_without_rights),
                                       CASE(grows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
