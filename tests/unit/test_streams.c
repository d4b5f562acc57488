/* test_streams.c - do streams and events keep CUDA's order, in simulated time that is the same in every run? */
#include "driver_program.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The constants of collect/cuda/cuda_timing.def, as a user reads them in docs/cuda.md. */
static const double LAUNCH_MS = 6.7e-3, NEXT_MS = 0.9e-3;
static const double LINK_BYTES_PER_MS = 13266396.761;

static CUevent event(void)
{
    CUevent e = NULL;
    OK(cuEventCreate(&e, CU_EVENT_DEFAULT));
    return e;
}

static CUstream stream(unsigned flags)
{
    CUstream s = NULL;
    OK(cuStreamCreate(&s, flags));
    return s;
}

static double elapsed(CUevent from, CUevent to)
{
    float ms = NAN;
    OK(cuEventElapsedTime(&ms, from, to));
    return ms;
}

static void near(double value, double wanted)
{
    if (fabs(value - wanted) > 1e-6 + 1e-5 * fabs(wanted))
        fail_msg("%.9g, expected %.9g", value, wanted);
}

/* A warp of `work` executes 13 + 4 * turns instructions, a new one every 4 clocks of 1 GHz, waits 375 for one of them,
 * a load, and moves two sectors of 32 bytes, of which the device moves 64 bytes a clock for all multiprocessors. */
static double alone_ms(unsigned blocks, unsigned turns)
{
    return (4 * (13 + 4 * turns) + 375 + (blocks < 28 ? blocks : 28)) * 1e-6;
}

/* Time of one launch of `work` on an idle device without the latency of the launch. */
static double kernel_ms(CUdeviceptr x, unsigned blocks, unsigned turns)
{
    const CUevent begin = event(), end = event();
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, NULL));
    OK(work(NULL, x, blocks, 1, 1, turns));
    OK(cuEventRecord(end, NULL));
    return elapsed(begin, end) - LAUNCH_MS;
}

/* ------------------------------------------------------------------------------------------------ durations */

static void copies_take_bytes_over_the_link(void **state)
{
    (void)state;
    const CUevent begin = event(), end = event();
    const size_t bytes = 1 << 20;
    char *const host = calloc(1, bytes);
    const CUdeviceptr d = device_words(bytes / 4);
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, NULL));
    OK(cuMemcpyHtoD(d, host, bytes));
    OK(cuEventRecord(end, NULL));
    near(elapsed(begin, end), LAUNCH_MS + (double)bytes / LINK_BYTES_PER_MS);
    OK(cuEventRecord(begin, NULL));
    OK(cuMemcpyDtoHAsync(host, d, bytes, NULL));
    OK(cuMemcpyDtoHAsync(host, d, bytes, NULL)); /* the second waits in the stream, not for the host */
    OK(cuEventRecord(end, NULL));
    near(elapsed(begin, end), LAUNCH_MS + NEXT_MS + 2 * (double)bytes / LINK_BYTES_PER_MS);
    free(host);
}

/* 28 multiprocessors: one that has a single warp needs that warp's time. With two of them it is a little more, as they
 * seldom want to issue at the same time; with 16, which is all that it holds of such blocks, four times what a warp
 * issues is what 16 issue in a quarter of it. */
static void kernels_take_the_time_of_a_warp_or_of_the_issue_rate(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(28 * 64);
    near(kernel_ms(x, 1, 400), alone_ms(1, 400));
    near(kernel_ms(x, 28, 400), alone_ms(28, 400));
    const double one = alone_ms(28, 400), two = kernel_ms(x, 56, 400), full = kernel_ms(x, 28 * 16, 400);
    assert_true(two > one && two < 1.3 * one);
    assert_true(full > 16 * (13 + 4 * 400) * 1e-6 && full < 16 * (13 + 4 * 400) * 1e-6 * 1.1);
}

static void kernels_take_bytes_over_bandwidth(void **state)
{
    (void)state;
    const unsigned threads = 1024, blocks = 256, turns = 1;
    const CUdeviceptr x = device_words(threads * blocks);
    const CUevent begin = event(), end = event();
    unsigned factor = 1, term = 1, t = turns;
    void *params[] = {(void *)(uintptr_t)&x, &factor, &term, &t};
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, NULL));
    OK(cuLaunchKernel(work_kernel, blocks, 1, 1, threads, 1, 1, 0, NULL, params, NULL));
    OK(cuEventRecord(end, NULL));
    const double bytes_ms = 2.0 * 4 * threads * blocks / 64e6; /* 64 GB/s, read and written */
    assert_true(elapsed(begin, end) > LAUNCH_MS + bytes_ms && elapsed(begin, end) < LAUNCH_MS + 1.2 * bytes_ms);
}

/* The time of a kernel of so many blocks of so many threads, with dynamic shared memory. */
static double shaped_ms(CUdeviceptr x, unsigned blocks, unsigned threads, unsigned shared, unsigned turns)
{
    const CUevent begin = event(), end = event();
    unsigned factor = 1, term = 1;
    void *params[] = {&x, &factor, &term, &turns};
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, NULL));
    OK(cuLaunchKernel(work_kernel, blocks, 1, 1, threads, 1, 1, shared, NULL, params, NULL));
    OK(cuEventRecord(end, NULL));
    return elapsed(begin, end) - LAUNCH_MS;
}

/* The same work in blocks of other sizes: what a multiprocessor holds of them hides latency, and idle lanes cost what
 * others do. */
static void the_shape_of_blocks_counts(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(1 << 18);
    enum { THREADS = 1 << 18, MANY = 28 * 64, KIB = 1024 };
    const double small = shaped_ms(x, THREADS / 32, 32, 0, 25), large = shaped_ms(x, THREADS / 256, 256, 0, 25);
    assert_true(small > 1.03 * large); /* 16 warps at once, not 32 */
    const double whole = shaped_ms(x, MANY, 32, 0, 25), torn = shaped_ms(x, MANY, 33, 0, 25);
    assert_true(torn / 33 > 1.5 * whole / 32);
    /* 64 KiB on a multiprocessor: 8 blocks of 128 threads, as without any, then 4, 2 and 1. */
    const double none = shaped_ms(x, MANY, 128, 0, 25), eight = shaped_ms(x, MANY, 128, 8 * KIB, 25);
    const double four = shaped_ms(x, MANY, 128, 16 * KIB, 25), one = shaped_ms(x, MANY, 128, 48 * KIB, 25);
    near(eight, none);
    assert_true(four > 1.03 * eight && one > 1.5 * four);
}

/* One block on each of 28 multiprocessors, or one more, which waits for a place. Without that need it shares one. */
static void a_second_wave_takes_its_time(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(1 << 18);
    const double wave = shaped_ms(x, 28, 32, 48 << 10, 400), waves = shaped_ms(x, 29, 32, 48 << 10, 400);
    assert_true(waves > 1.9 * wave && waves < 2 * wave);
    near(shaped_ms(x, 56, 32, 48 << 10, 400), 2 * wave);
    assert_true(shaped_ms(x, 29, 32, 0, 400) < 1.3 * wave);
}

static void times_repeat(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(64);
    const double first = kernel_ms(x, 40, 100);
    for (int i = 0; i < 20; i++)
        near(kernel_ms(x, 40, 100), first);
}

/* ------------------------------------------------------------------------------------------------ overlap */

/* Two streams that each run a kernel of so many blocks: from the first start to the last end. */
static double of_two(CUstream one, CUstream two, CUdeviceptr x, unsigned blocks, unsigned others)
{
    const CUevent begin = event(), end_one = event(), end_two = event();
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, one));
    OK(work(one, x, blocks, 1, 1, 400));
    OK(work(two, x, others, 1, 1, 400));
    OK(cuEventRecord(end_one, one));
    OK(cuEventRecord(end_two, two));
    return fmax(elapsed(begin, end_one), elapsed(begin, end_two)) - LAUNCH_MS;
}

static void small_kernels_overlap_and_large_ones_do_not(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(64);
    const CUstream one = stream(CU_STREAM_NON_BLOCKING), two = stream(CU_STREAM_NON_BLOCKING);
    near(of_two(one, two, x, 14, 14), alone_ms(14, 400));
    near(of_two(one, two, x, 14, 15), alone_ms(14, 400) + alone_ms(15, 400)); /* 29 blocks for 28 multiprocessors */
    near(of_two(one, two, x, 28, 1), alone_ms(28, 400) + alone_ms(1, 400));
    near(of_two(one, one, x, 14, 14), 2 * alone_ms(14, 400) + NEXT_MS);
}

static void copies_overlap_kernels_and_the_other_direction(void **state)
{
    (void)state;
    const size_t bytes = 1 << 20;
    const CUdeviceptr x = device_words(64), y = device_words(bytes / 4), z = device_words(bytes / 4);
    char *const host = calloc(1, bytes);
    const CUstream s[3] = {stream(0), stream(0), stream(0)};
    const CUevent begin = event(), end[3] = {event(), event(), event()};
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, s[0]));
    OK(cuMemcpyHtoDAsync(y, host, bytes, s[0]));
    OK(cuMemcpyDtoHAsync(host, z, bytes, s[1]));
    OK(work(s[2], x, 28, 1, 1, 800));
    for (int i = 0; i < 3; i++)
        OK(cuEventRecord(end[i], s[i]));
    near(elapsed(begin, end[0]), LAUNCH_MS + (double)bytes / LINK_BYTES_PER_MS);
    near(elapsed(begin, end[1]), LAUNCH_MS + (double)bytes / LINK_BYTES_PER_MS);
    near(elapsed(begin, end[2]), LAUNCH_MS + alone_ms(28, 800));
    free(host);
}

/* The link carries one copy at a time in each direction. */
static void copies_of_one_direction_wait(void **state)
{
    (void)state;
    const size_t bytes = 1 << 20;
    const CUdeviceptr y = device_words(bytes / 4), z = device_words(bytes / 4);
    char *const host = calloc(2, bytes);
    for (int back = 0; back < 2; back++) {
        const CUstream s[2] = {stream(0), stream(0)};
        const CUevent begin = event(), end = event();
        OK(cuCtxSynchronize());
        OK(cuEventRecord(begin, s[0]));
        for (int i = 0; i < 2; i++) {
            if (back)
                OK(cuMemcpyDtoHAsync(host + i * bytes, i ? y : z, bytes, s[i]));
            else
                OK(cuMemcpyHtoDAsync(i ? y : z, host, bytes, s[i]));
        }
        OK(cuEventRecord(end, s[1]));
        near(elapsed(begin, end), LAUNCH_MS + 2 * (double)bytes / LINK_BYTES_PER_MS);
    }
    free(host);
}

/* A gap that an earlier call left is filled by a later one. */
static void work_moves_into_gaps(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(64);
    const CUstream one = stream(0), two = stream(0), three = stream(0);
    const CUevent begin = event(), first = event(), end = event();
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, one));
    OK(work(one, x, 1, 1, 1, 1200));
    OK(cuEventRecord(first, one));
    OK(cuStreamWaitEvent(two, first, 0));
    OK(work(two, x, 28, 1, 1, 400));   /* all of the device, after the first */
    OK(work(three, x, 27, 1, 1, 400)); /* fits beside the first */
    OK(cuEventRecord(end, three));
    near(elapsed(begin, end), LAUNCH_MS + alone_ms(27, 400));
}

/* Many streams and launches: places are forgotten at some point, order in a stream never is. */
static void long_queues_keep_their_order(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(64);
    const CUstream s[2] = {stream(0), stream(0)};
    const CUevent begin = event(), end = event();
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, s[0]));
    for (unsigned i = 0; i < 300; i++)
        OK(work(s[i % 2], x, 1 + i % 28, 1, 1, 40 + i % 8));
    OK(cuEventRecord(end, s[0]));
    double least = LAUNCH_MS + 149 * NEXT_MS, most = LAUNCH_MS + 299 * NEXT_MS;
    for (unsigned i = 0; i < 300; i++) {
        most += alone_ms(1 + i % 28, 40 + i % 8);
        least += i % 2 ? 0 : alone_ms(1 + i % 28, 40 + i % 8);
    }
    assert_true(elapsed(begin, end) >= least - 1e-3 && elapsed(begin, end) <= most + 1e-3);
}

/* ------------------------------------------------------------------------------------------------ order */

static void the_legacy_stream_joins_blocking_ones(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(64);
    const CUstream blocking = stream(CU_STREAM_DEFAULT), free_one = stream(CU_STREAM_NON_BLOCKING);
    const CUevent begin = event(), legacy = event(), after = event(), aside = event();
    const double alone = alone_ms(1, 400);
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, blocking));
    OK(work(blocking, x, 1, 1, 1, 400));
    OK(work(NULL, x, 1, 1, 1, 400));
    OK(cuEventRecord(legacy, NULL));
    OK(work(blocking, x, 1, 1, 1, 400));
    OK(cuEventRecord(after, blocking));
    OK(work(free_one, x, 1, 1, 1, 400));
    OK(cuEventRecord(aside, free_one));
    near(elapsed(begin, legacy), LAUNCH_MS + 2 * alone + NEXT_MS);
    near(elapsed(begin, after), LAUNCH_MS + 3 * alone + 2 * NEXT_MS);
    near(elapsed(begin, aside), LAUNCH_MS + alone);
}

static void the_stream_of_a_thread_blocks(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(64);
    const CUevent begin = event(), end = event();
    unsigned long long legacy = 0, mine = 0, again = 0;
    OK(cuStreamGetId(NULL, &legacy));
    OK(cuStreamGetId(CU_STREAM_PER_THREAD, &mine));
    OK(cuStreamGetId(CU_STREAM_PER_THREAD, &again));
    assert_int_equal(mine, again);
    assert_int_not_equal(mine, legacy);
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, CU_STREAM_PER_THREAD));
    OK(work(CU_STREAM_PER_THREAD, x, 1, 1, 1, 400));
    OK(work(CU_STREAM_LEGACY, x, 1, 1, 1, 400));
    OK(cuEventRecord(end, CU_STREAM_LEGACY));
    near(elapsed(begin, end), LAUNCH_MS + NEXT_MS + 2 * alone_ms(1, 400));
}

static void events_order_streams(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(64);
    const CUstream one = stream(CU_STREAM_NON_BLOCKING), two = stream(CU_STREAM_NON_BLOCKING);
    const CUevent begin = event(), middle = event(), end = event(), never = event();
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, one));
    OK(work(one, x, 1, 1, 1, 400));
    OK(cuEventRecord(middle, one));
    OK(cuStreamWaitEvent(two, never, 0));
    OK(cuStreamWaitEvent(two, middle, 0));
    OK(work(two, x, 1, 1, 1, 400));
    OK(cuEventRecord(end, two));
    near(elapsed(begin, end), LAUNCH_MS + NEXT_MS + 2 * alone_ms(1, 400));
    near(elapsed(end, begin), -elapsed(begin, end));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamWaitEvent(two, middle, 2));
}

/* What the host waits for has passed: the next call is made then. */
static void waiting_moves_the_host(void **state)
{
    (void)state;
    const CUdeviceptr x = device_words(64);
    const CUstream one = stream(CU_STREAM_NON_BLOCKING), two = stream(CU_STREAM_NON_BLOCKING);
    const CUevent begin = event(), end = event(), done = event();
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, one));
    OK(work(one, x, 1, 1, 1, 400));
    OK(cuEventRecord(done, one));
    OK(cuEventQuery(done));
    OK(cuEventRecord(end, two));
    near(elapsed(begin, end), LAUNCH_MS + alone_ms(1, 400));
    OK(work(two, x, 1, 1, 1, 400));
    OK(cuStreamSynchronize(two));
    OK(cuEventRecord(end, one));
    near(elapsed(begin, end), 2 * (LAUNCH_MS + alone_ms(1, 400)));
}

/* ------------------------------------------------------------------------------------------------ host functions */

static char order[64];
static char a[] = "a", b[] = "b", c[] = "c";

static void note(void *text)
{
    strcat(order, text);
}

static void call_back(CUstream s, int status, void *text)
{
    assert_non_null(s);
    assert_int_equal(status, CUDA_SUCCESS);
    strcat(order, text);
}

static void call_cuda(void *result)
{
    *(CUresult *)result = cuStreamSynchronize(NULL);
}

static void host_functions_run_in_order(void **state)
{
    (void)state;
    const CUstream s = stream(0);
    CUresult inside = CUDA_SUCCESS;
    order[0] = '\0';
    OK(cuLaunchHostFunc(s, note, a));
    OK(cuStreamAddCallback(s, call_back, b, 0));
    OK(cuLaunchHostFunc(NULL, note, c));
    assert_string_equal(order, "abc");
    OK(cuLaunchHostFunc(s, call_cuda, &inside));
    assert_int_equal(inside, CUDA_ERROR_NOT_PERMITTED);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLaunchHostFunc(s, NULL, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(s, call_back, b, 1));
    OK(cuStreamDestroy(s));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuLaunchHostFunc(s, note, a));
}

/* A host function may wait for another thread that uses the API. */
static void *use_api(void *context)
{
    CUdeviceptr p = 0;
    OK(cuCtxSetCurrent(context));
    OK(cuMemAlloc(&p, 64));
    OK(cuMemFree(p));
    return NULL;
}

static void wait_for_thread(void *context)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, use_api, context), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void host_functions_hold_no_lock(void **state)
{
    OK(cuLaunchHostFunc(NULL, wait_for_thread, *state));
    OK(cuCtxSynchronize());
}

/* ------------------------------------------------------------------------------------------------ values in memory */

static void streams_write_and_wait_for_values(void **state)
{
    (void)state;
    const CUstream s = stream(0);
    const CUdeviceptr p = device_words(4);
    OK(cuStreamWriteValue32(s, p, 7, CU_STREAM_WRITE_VALUE_DEFAULT));
    assert_int_equal(device_word(p), 7);
    OK(cuStreamWaitValue32(s, p, 7, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuStreamWaitValue32(s, p, 5, CU_STREAM_WAIT_VALUE_GEQ));
    OK(cuStreamWaitValue32(s, p, 4, CU_STREAM_WAIT_VALUE_AND));
    OK(cuStreamWaitValue32(s, p, 8, CU_STREAM_WAIT_VALUE_NOR));
    OK(cuStreamWaitValue32(s, p, 0xfffffff0u, CU_STREAM_WAIT_VALUE_GEQ)); /* counters wrap */
    OK(cuStreamWriteValue64(s, p + 8, 1ull << 40, 0));
    OK(cuStreamWaitValue64(s, p + 8, 1ull << 40, CU_STREAM_WAIT_VALUE_EQ));
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue32(s, p, 8, CU_STREAM_WAIT_VALUE_GEQ)); /* would never end */
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue32(s, p, 7, CU_STREAM_WAIT_VALUE_FLUSH));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(s, p, 7, 4));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(s, p + 2, 7, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(s, 64, 7, 0));
    CUstreamBatchMemOpParams op[2] = {{.writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, p, {9}, 0, 0}},
                                      {.waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_32, p, {9}, 1, 0}}};
    OK(cuStreamBatchMemOp(s, 2, op, 0));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(s, 2, op, 1));
    op[1].operation = 99;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(s, 2, op, 0));
}

/* ------------------------------------------------------------------------------------------------ questions */

static void streams_tell_what_they_are(void **state)
{
    (void)state;
    CUstream s = NULL, t = NULL;
    CUstreamAttrValue value;
    int priority = 9, least = 9, greatest = 9;
    CUdevice device = 9;
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    assert_true(greatest < least);
    OK(cuStreamCreateWithPriority(&s, 0, greatest - 100));
    OK(cuStreamGetPriority(s, &priority));
    assert_int_equal(priority, greatest);
    OK(cuStreamCreateWithPriority(&t, 0, 100));
    OK(cuStreamGetPriority(t, &priority));
    assert_int_equal(priority, least);
    OK(cuStreamGetDevice(t, &device));
    assert_int_equal(device, 0);
    OK(cuStreamCopyAttributes(t, s));
    OK(cuStreamGetAttribute(t, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    assert_int_equal(value.priority, greatest);
    value.syncPolicy = CU_SYNC_POLICY_YIELD;
    OK(cuStreamSetAttribute(s, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    value.syncPolicy = 0;
    OK(cuStreamGetAttribute(s, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    assert_int_equal(value.syncPolicy, CU_SYNC_POLICY_YIELD);
    value.syncPolicy = 77;
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamSetAttribute(s, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamSetAttribute(s, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy(CU_STREAM_PER_THREAD));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy(NULL));
}

static void advice_about_managed_memory_is_checked(void **state)
{
    (void)state;
    CUdeviceptr managed = 0;
    const CUdeviceptr plain = device_words(16);
    const CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, none = {CU_MEM_LOCATION_TYPE_DEVICE, 3},
                        host = {CU_MEM_LOCATION_TYPE_HOST, 0};
    OK(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemPrefetchAsync(managed, 4096, 0, NULL));
    OK(cuMemPrefetchAsync(managed + 100, 100, -1, NULL));
    OK(cuMemPrefetchAsync_v2(managed, 4096, host, 0, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync(managed, 4097, 0, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync(managed, 0, 0, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync(plain, 16, 0, NULL));
    FAILS(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync(managed, 4096, 1, NULL));
    FAILS(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync_v2(managed, 4096, none, 0, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync_v2(managed, 4096, device, 1, NULL));
    OK(cuMemAdvise(managed, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 77));
    OK(cuMemAdvise_v2(managed, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
    FAILS(CUDA_ERROR_INVALID_DEVICE, cuMemAdvise(managed, 4096, CU_MEM_ADVISE_SET_ACCESSED_BY, 1));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAdvise(managed, 4096, 7, 0));
    OK(cuStreamAttachMemAsync(stream(0), managed, 0, CU_MEM_ATTACH_SINGLE));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(NULL, managed, 0, CU_MEM_ATTACH_SINGLE));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(stream(0), plain, 0, CU_MEM_ATTACH_SINGLE));
}

/* ------------------------------------------------------------------------------------------------ threads */

enum { THREADS = 4, ROUNDS = 20 };

typedef struct job {
    CUcontext context;
    CUdeviceptr x;
    double ms;
    unsigned long long stream;
} job;

/* Each thread works in its own stream, and is the only one on its own multiprocessors. */
static void *work_alone(void *p)
{
    job *const j = p;
    const CUevent begin = (OK(cuCtxSetCurrent(j->context)), event()), end = event();
    OK(cuStreamGetId(CU_STREAM_PER_THREAD, &j->stream));
    OK(cuEventRecord(begin, CU_STREAM_PER_THREAD));
    for (int i = 0; i < ROUNDS; i++)
        OK(work(CU_STREAM_PER_THREAD, j->x, 7, 1, 1, 100));
    OK(cuEventRecord(end, CU_STREAM_PER_THREAD));
    OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    j->ms = elapsed(begin, end);
    return NULL;
}

static void threads_have_streams_of_their_own(void **state)
{
    pthread_t thread[THREADS];
    job jobs[THREADS];
    for (int i = 0; i < THREADS; i++)
        jobs[i] = (job){.context = *state, .x = device_words(64)};
    OK(cuCtxSynchronize());
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work_alone, &jobs[i]), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(device_word(jobs[i].x), 100 * ROUNDS);
        for (int k = 0; k < i; k++)
            assert_int_not_equal(jobs[i].stream, jobs[k].stream);
        near(jobs[i].ms, LAUNCH_MS + (ROUNDS - 1) * NEXT_MS + ROUNDS * alone_ms(7, 100));
    }
}

/* ------------------------------------------------------------------------------------------------ other forms */

typedef CUresult launch_fn(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                           void **, void **);
typedef CUresult record_fn(CUevent, CUstream);
typedef CUresult copy_fn(void *, CUdeviceptr, size_t);

static void *found(const char *name, int version, cuuint64_t flags)
{
    void *function = NULL;
    OK(cuGetProcAddress(name, &function, version, flags, NULL));
    assert_non_null(function);
    return function;
}

/* Flag 2: functions whose stream 0 is the thread's own. */
static void functions_for_streams_of_threads(void **state)
{
    (void)state;
    launch_fn *const launch = (launch_fn *)found("cuLaunchKernel", 12000, 2);
    record_fn *const record = (record_fn *)found("cuEventRecord", 12000, 2);
    copy_fn *const copy = (copy_fn *)found("cuMemcpyDtoH", 12000, 2);
    CUdeviceptr x = device_words(64);
    unsigned factor = 1, term = 5, turns = 400, value = 0;
    void *params[] = {&x, &factor, &term, &turns};
    const CUevent mine = event(), legacy = event();
    OK(cuCtxSynchronize());
    OK(cuEventRecord(legacy, NULL));
    OK(launch(work_kernel, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(record(mine, NULL));
    near(elapsed(legacy, mine), LAUNCH_MS + alone_ms(1, 400));
    OK(copy(&value, x, 4));
    assert_int_equal(value, 2000);
    assert_ptr_equal(found("cuMemAlloc", 12000, 2), found("cuMemAlloc", 12000, 0));
    assert_ptr_not_equal(found("cuGraphGetEdges", 12000, 0), found("cuGraphGetEdges", 13000, 0));
}

static void launches_with_attributes(void **state)
{
    (void)state;
    CUdeviceptr x = device_words(64);
    unsigned factor = 1, term = 3, turns = 2;
    void *params[] = {&x, &factor, &term, &turns};
    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
    CUlaunchConfig config = {2, 1, 1, 1, 1, 1, 0, NULL, &attribute, 1};
    OK(cuLaunchKernelEx(&config, work_kernel, params, NULL));
    assert_int_equal(device_word(x + 4), 6);
    config.gridDimX = 1 << 20;
    FAILS(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, cuLaunchKernelEx(&config, work_kernel, params, NULL));
    attribute = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT};
    FAILS(CUDA_ERROR_NOT_SUPPORTED, cuLaunchKernelEx(&config, work_kernel, params, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(NULL, work_kernel, params, NULL));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin_program, end_program)
    const struct CMUnitTest tests[] = {
        CASE(copies_take_bytes_over_the_link),
        CASE(kernels_take_the_time_of_a_warp_or_of_the_issue_rate),
        CASE(kernels_take_bytes_over_bandwidth),
        CASE(the_shape_of_blocks_counts),
        CASE(a_second_wave_takes_its_time),
        CASE(times_repeat),
        CASE(small_kernels_overlap_and_large_ones_do_not),
        CASE(copies_overlap_kernels_and_the_other_direction),
        CASE(copies_of_one_direction_wait),
        CASE(work_moves_into_gaps),
        CASE(long_queues_keep_their_order),
        CASE(the_legacy_stream_joins_blocking_ones),
        CASE(the_stream_of_a_thread_blocks),
        CASE(events_order_streams),
        CASE(waiting_moves_the_host),
        CASE(host_functions_run_in_order),
        CASE(host_functions_hold_no_lock),
        CASE(streams_write_and_wait_for_values),
        CASE(streams_tell_what_they_are),
        CASE(advice_about_managed_memory_is_checked),
        CASE(threads_have_streams_of_their_own),
        CASE(functions_for_streams_of_threads),
        CASE(launches_with_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
