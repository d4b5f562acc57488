/* store_runs.h - runs of workloads in the results file of a test. */
#ifndef TESTS_STORE_RUNS_H
#define TESTS_STORE_RUNS_H

#include "tests/unit/store_place.h"

/* A launch of one block whose warp executes `n` integer instructions, measured and added. */
static inline int add(ws_store *store, int64_t run, const char *kernel, uint64_t sequence, unsigned n)
{
    synthetic s;
    syn_init(&s, 1, 32);
    s.launch.kernel = kernel;
    s.launch.sequence = sequence;
    s.launch.h2d_bytes = 100;
    syn_run(&s, 0, 0, syn_instr(&s, WS_CLASS_INTEGER), 1, UINT32_MAX);
    for (unsigned i = 1; i < n; i++)
        syn_run(&s, 0, 0, 0, 1, UINT32_MAX);
    ws_collector *const collector = measure(&s, NULL);
    const int status = ws_store_add_launch(store, run, &s.launch, 0.25, n, 32 * n, collector);
    ws_collector_destroy(collector);
    syn_fini(&s);
    return status;
}

static inline int64_t begin(ws_store *store, const char *workload)
{
    const ws_store_run run = {.workload = workload, .scale = "tiny", .seed = UINT64_MAX, .command = "test"};
    int64_t id = 0;
    assert_int_equal(ws_store_begin(store, &run, &id), WS_OK);
    return id;
}

static inline void finish(ws_store *store, int64_t id, const char *status)
{
    assert_int_equal(ws_store_finish(store, id, status, 1.5), WS_OK);
}

static inline int is_done(ws_store *store, const char *workload, const char *scale, uint64_t seed, const char *command,
                          int *done)
{
    return ws_store_is_done(
        store, &(ws_store_run){.workload = workload, .scale = scale, .seed = seed, .command = command}, done);
}

static inline ws_frame *frame_of(ws_store *store, ws_per per, const char *set)
{
    ws_frame *frame;
    const int status = ws_store_frame(store, per, set, false, &frame);
    if (status != WS_OK)
        print_error("%s\n", ws_message());
    assert_int_equal(status, WS_OK);
    return frame;
}

static inline bool has_note(const ws_frame *frame, const char *start)
{
    for (size_t i = 0; i < frame->notes; i++)
        if (strncmp(frame->note[i], start, strlen(start)) == 0)
            return true;
    return false;
}

static inline void two_workloads(ws_store *store)
{
    const int64_t z = begin(store, "ZZ");
    assert_int_equal(add(store, z, "zeta", 0, 4), WS_OK);
    finish(store, z, "done");
    const int64_t a = begin(store, "AA");
    assert_int_equal(add(store, a, "second", 0, 1), WS_OK);
    assert_int_equal(add(store, a, "first", 1, 2), WS_OK);
    assert_int_equal(add(store, a, "second", 2, 3), WS_OK);
    finish(store, a, "done");
}

/* Runs `job` in a child; returns its wait status. */
static inline int in_child(void (*job)(int), int argument)
{
    const pid_t child = fork();
    if (child == 0) {
        job(argument);
        _exit(0);
    }
    int how = -1;
    assert_true(child > 0 && waitpid(child, &how, 0) == child);
    return how;
}

#endif
