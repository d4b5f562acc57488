/* bench_merge.c - launches per second that are written, and that `merge` brings together, and the memory that it takes.
 *
 *     bench_merge [FILES [RUNS [LAUNCHES]]]      default: 100 files of 10 runs of 100 launches, all families */
#include "base/clock.h"
#include "base/status.h"
#include "base/text.h"
#include "collect/trace/fanout.h"
#include "metrics/store/store_internal.h"
#include "metrics/store/store_merge.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char folder[] = "/tmp/warpscape-bench-XXXXXX";

static int fail(const char *what)
{
    return ws_fail(WS_EIO, "%s", what);
}

/* A launch without an event, with counters of all families. */
static int add_launch(ws_store *store, int64_t run, uint64_t sequence)
{
    ws_instr none = {.opcode = "none", .reconverge = UINT32_MAX};
    const ws_launch launch = {.kernel = "kernel",
                              .grid = {1, 1, 1},
                              .block = {32, 1, 1},
                              .blocks = 1,
                              .threads_per_block = 32,
                              .warps_per_block = 1,
                              .sequence = sequence,
                              .instr = &none,
                              .instrs = 1};
    ws_collector *collector;
    ws_fanout *fanout = NULL;
    ws_range *range;
    size_t sinks = 0;
    int status = ws_collector_create(NULL, &collector);
    const ws_sink *const *const sink = status == WS_OK ? ws_collector_sinks(collector, &sinks) : NULL;
    if (status == WS_OK)
        status = ws_fanout_create(sink, sinks, &launch, &fanout);
    if (status == WS_OK)
        status = ws_range_open(fanout, 0, &range);
    if (status == WS_OK)
        status = ws_range_block_begin(range, 0);
    if (status == WS_OK)
        status = ws_range_block_end(range, 0);
    if (status == WS_OK)
        status = ws_range_close(range, 1);
    for (size_t i = 0; i < sinks && status == WS_OK; i++)
        status = ws_collector_collect(collector, &launch, i, ws_fanout_state(fanout, i));
    if (status == WS_OK)
        status = ws_store_add_launch(store, run, &launch, 0.001, sequence, 32 * sequence, collector);
    ws_fanout_destroy(fanout);
    ws_collector_destroy(collector);
    return status;
}

static double cpu_seconds(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           1e-6 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

static int make_first(const char *path, size_t runs, size_t launches)
{
    struct rusage before, after;
    const struct timespec begin = ws_clock_now();
    getrusage(RUSAGE_SELF, &before);
    ws_store *store;
    int status = ws_store_open(path, true, &store);
    for (size_t r = 0; r < runs && status == WS_OK; r++) {
        char name[32];
        int64_t run = 0;
        snprintf(name, sizeof name, "W0.%zu", r);
        const ws_store_run about = {.workload = name, .scale = "tiny", .command = "bench_merge"};
        status = ws_store_begin(store, &about, &run);
        for (uint64_t i = 0; i < launches && status == WS_OK; i++)
            status = add_launch(store, run, i);
        if (status == WS_OK)
            status = ws_store_finish(store, run, "done", 1);
    }
    ws_store_close(store);
    getrusage(RUSAGE_SELF, &after);
    struct stat about = {0};
    if (status == WS_OK && runs && launches && !stat(path, &about))
        printf("%-22s %6d file  %8zu launches %8lld bytes a launch %9.2f s %7.2f CPU s %6ld MiB\n", "written", 1,
               runs * launches, (long long)about.st_size / (long long)(runs * launches), ws_clock_seconds_since(&begin),
               cpu_seconds(&after) - cpu_seconds(&before), after.ru_maxrss / 1024);
    return status;
}

/* Names the workloads of a copy of the first file anew. */
static int rename_workloads(const char *path, size_t number, size_t runs)
{
    static const char *const table[] = {"run", "kept_kernel_metrics", "kept_kernel_features", "kept_workload_metrics",
                                        "kept_workload_features"};
    ws_store *store;
    int status = ws_store_open(path, false, &store);
    for (size_t t = 0; t < sizeof table / sizeof *table && status == WS_OK; t++) {
        char sql[128];
        snprintf(sql, sizeof sql, "UPDATE %s SET workload = 'W%zu.' || substr(workload, 4)", table[t], number);
        status = ws_store_exec(store, sql, "");
    }
    for (size_t r = 1; r <= runs && status == WS_OK; r++) {
        int64_t checksum;
        status = ws_store_run_checksum(store, (int64_t)r, &checksum);
        if (status == WS_OK)
            status = ws_store_exec(store, "UPDATE run SET checksum = ? WHERE id = ?", "ii", checksum, (int64_t)r);
    }
    ws_store_close(store);
    return status;
}

static int copy_file(const char *from, const char *to)
{
    char buffer[1 << 16];
    FILE *const in = fopen(from, "rb"), *const out = fopen(to, "wb");
    size_t n;
    while (in && out && (n = fread(buffer, 1, sizeof buffer, in)) > 0)
        fwrite(buffer, 1, n, out);
    const int bad = !in || !out || ferror(in) || ferror(out);
    if (in)
        fclose(in);
    return (out && fclose(out)) || bad ? fail("cannot copy the first file") : WS_OK;
}

static int make_files(char **path, size_t files, size_t runs, size_t launches)
{
    int status = make_first(path[0], runs, launches);
    for (size_t i = 1; i < files && status == WS_OK; i++) {
        status = copy_file(path[0], path[i]);
        if (status == WS_OK)
            status = rename_workloads(path[i], i, runs);
    }
    return status;
}

static int measure(const char *what, char **path, size_t files, const char *to)
{
    const ws_store_merge how = {.prefer = WS_STORE_PREFER_NONE};
    ws_store_merged merged;
    struct rusage before, after;
    const struct timespec begin = ws_clock_now();
    getrusage(RUSAGE_SELF, &before);
    const int status = ws_store_merge_files((const char *const *)path, files, to, &how, &merged);
    getrusage(RUSAGE_SELF, &after);
    const double cpu = cpu_seconds(&after) - cpu_seconds(&before);
    if (status == WS_OK)
        printf("%-22s %6zu files %8llu launches %8llu duplicate runs %7.2f s %7.2f CPU s %6ld MiB\n", what, files,
               (unsigned long long)merged.launches, (unsigned long long)merged.duplicates,
               ws_clock_seconds_since(&begin), cpu, after.ru_maxrss / 1024);
    return status;
}

static int run(char **path, size_t files, size_t runs, size_t launches)
{
    int status = make_files(path, files, runs, launches);
    if (status == WS_OK)
        status = measure("all different", path, files, path[files]);
    return status == WS_OK ? measure("and all of it again", path, files + 1, path[files + 1]) : status;
}

int main(int argc, char **argv)
{
    size_t files = 100, runs = 10, launches = 100;
    if (argc > 4 || (argc > 1 && ws_text_to_size(argv[1], 100000, &files) != WS_OK) || !files ||
        (argc > 2 && ws_text_to_size(argv[2], 100000, &runs) != WS_OK) ||
        (argc > 3 && ws_text_to_size(argv[3], 1000000, &launches) != WS_OK)) {
        fprintf(stderr, "usage: %s [FILES [RUNS [LAUNCHES]]]\n", argv[0]);
        return 2;
    }
    char **const path = calloc(files + 2, sizeof *path);
    int status = path && mkdtemp(folder) ? WS_OK : fail("no place for the files");
    for (size_t i = 0; i < files + 2 && status == WS_OK; i++)
        if (asprintf(&path[i], "%s/%zu.db", folder, i) < 0)
            status = ws_fail(WS_EMEM, "no memory");
    if (status == WS_OK)
        status = run(path, files, runs, launches);
    if (status != WS_OK)
        fprintf(stderr, "%s: %s\n", argv[0], ws_message());
    for (size_t i = 0; path && i < files + 2 && path[i]; i++) {
        unlink(path[i]);
        free(path[i]);
    }
    free(path);
    rmdir(folder);
    return status == WS_OK ? 0 : 1;
}
