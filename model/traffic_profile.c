/* traffic_profile.c - profiles of launches: made rung by rung, written down, read again. */
#include "model/traffic_profile.h"

#include "base/crew.h"
#include "base/status.h"
#include "collect/trace/waits.h"

#include <stdlib.h>
#include <string.h>

/* 24 bytes each. */
enum { KEEP = 1 << 20 };

enum { WORTH_A_THREAD = 512 }; /* entries of a log: walks of fewer take less time than a thread does to start */

const uint32_t ws_profile_lease[WS_PROFILE_LEASES] = {100, 200, 400, 800, 1600, 3200};
const uint32_t ws_profile_buffer[WS_PROFILE_BUFFERS] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, UINT32_MAX};
const uint32_t ws_profile_fence[WS_PROFILE_FENCES] = {100, 800};
const uint32_t ws_profile_slack[WS_PROFILE_SLACKS - 1] = {4, 8, 16, 32, 64, 128, 256, 512};
const uint32_t ws_profile_slices[WS_PROFILE_SLICINGS] = {2, 4, 6, 8, 12, 16, WS_PROFILE_SLICES_MOST};
const uint32_t ws_profile_edge[WS_PROFILE_BINS - 1] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
const uint32_t ws_profile_sms[WS_PROFILE_SMS] = {4, 16, 64};
const uint32_t ws_profile_residents[WS_PROFILE_RESIDENTS] = {1, 2, 4, 8, 16};

unsigned ws_profile_bin(uint32_t distance)
{
    unsigned bin = 0;
    while (bin < WS_PROFILE_BINS - 1 && distance >= ws_profile_edge[bin])
        bin++;
    return bin;
}

enum { NUMBERS = sizeof(ws_traffic_profile) / sizeof(uint64_t) };
_Static_assert(sizeof(ws_traffic_profile) % sizeof(uint64_t) == 0, "nothing but numbers");

/* ------------------------------------------------------------------------------------------------ bytes */

void ws_traffic_profile_write(const ws_traffic_profile *profile, ws_bytes *out)
{
    const uint64_t *const number = (const uint64_t *)profile;
    ws_bytes_add_varint(out, WS_PROFILE_VERSION);
    for (size_t i = 0; i < NUMBERS;) {
        size_t zeros = 0;
        while (i + zeros < NUMBERS && !number[i + zeros])
            zeros++;
        ws_bytes_add_varint(out, zeros ? 0 : number[i]);
        if (zeros)
            ws_bytes_add_varint(out, zeros);
        i += zeros ? zeros : 1;
    }
}

int ws_traffic_profile_read(const void *data, size_t length, ws_traffic_profile *out)
{
    uint64_t *const number = (uint64_t *)out;
    ws_reader reader = {.next = data, .end = (const uint8_t *)data + length};
    *out = (ws_traffic_profile){0};
    const uint64_t version = ws_read_varint(&reader);
    if (!reader.failed && version != WS_PROFILE_VERSION)
        return ws_fail(WS_EVERSION, "a profile of version %llu, this program has %d: run the workload again",
                       (unsigned long long)version, WS_PROFILE_VERSION);
    for (size_t i = 0; i < NUMBERS && !reader.failed;) {
        number[i] = ws_read_varint(&reader);
        i += number[i] ? 1 : ws_read_up_to(&reader, NUMBERS - i);
    }
    if (reader.failed || reader.next != reader.end)
        return ws_fail(WS_EINPUT, "a damaged profile");
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ profiler */

/* What its sink keeps of a launch. */
typedef struct profiled {
    ws_access_log log;
    ws_work_count work;
    ws_value_watch *values;
} profiled;

struct ws_profiler {
    size_t limit;
    unsigned workers;
    ws_sink sink;
    ws_traffic_walk *walk[WS_PROFILE_RUNGS]; /* NULL: so far the same as the one before, all blocks fitted in there */
};

static void attach(void *state, void *context)
{
    ws_access_log_sink(NULL).attach(&((profiled *)state)->log, context);
}

static int init(void *state, const ws_launch *launch)
{
    profiled *const p = state;
    int status = ws_access_log_sink(NULL).init(&p->log, launch);
    if (!status)
        status = ws_work_count_init(&p->work, launch);
    return status ? status : ws_value_watch_create(launch, &p->values);
}

static int block_begin(void *state, const ws_launch *launch, uint64_t block)
{
    profiled *const p = state;
    const int status = ws_value_watch_begin(p->values, launch, block);
    return status ? status : ws_access_log_sink(NULL).block_begin(&p->log, launch, block);
}

static int events(void *state, const ws_launch *launch, const ws_batch *batch)
{
    profiled *const p = state;
    ws_work_count_events(&p->work, launch, batch);
    ws_value_watch_events(p->values, launch, batch);
    return ws_access_log_sink(NULL).events(&p->log, launch, batch);
}

static int values(void *state, const ws_launch *launch, uint64_t block, const ws_value *value, size_t n)
{
    (void)launch;
    (void)block;
    for (size_t i = 0; i < n; i++)
        ws_value_watch_value(((profiled *)state)->values, &value[i]);
    return WS_OK;
}

static int block_end(void *state, const ws_launch *launch, uint64_t block)
{
    profiled *const p = state;
    ws_value_watch_end(p->values);
    return ws_access_log_sink(NULL).block_end(&p->log, launch, block);
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    profiled *const to = into, *const p = from;
    ws_work_count_merge(&to->work, &p->work, launch);
    ws_value_watch_merge(to->values, p->values);
    return ws_access_log_sink(NULL).merge(&to->log, &p->log, launch);
}

static void fini(void *state)
{
    profiled *const p = state;
    ws_access_log_sink(NULL).fini(&p->log);
    ws_work_count_free(&p->work);
    ws_value_watch_destroy(p->values);
}

int ws_profiler_create(ws_profiler **out)
{
    ws_profiler *const p = *out = calloc(1, sizeof *p);
    if (!p)
        return ws_fail(WS_EMEM, "no memory for profiles");
    p->limit = KEEP;
    p->workers = 1;
    p->sink = (ws_sink){.name = "profile",
                        .wants = WS_WANT_INSTRUCTIONS,
                        .state_size = sizeof(profiled),
                        .context = &p->limit,
                        .attach = attach,
                        .init = init,
                        .block_begin = block_begin,
                        .events = events,
                        .block_end = block_end,
                        .merge = merge,
                        .fini = fini,
                        .sample_block = ws_value_sample,
                        .values = values};
    for (unsigned i = 0; i < WS_PROFILE_SMS; i++) {
        const int status =
            ws_traffic_walk_create(ws_profile_sms[i], ws_profile_residents[0], &p->walk[i * WS_PROFILE_RESIDENTS]);
        if (status) {
            ws_profiler_destroy(p);
            *out = NULL;
            return status;
        }
    }
    return WS_OK;
}

void ws_profiler_destroy(ws_profiler *profiler)
{
    if (!profiler)
        return;
    for (unsigned i = 0; i < WS_PROFILE_RUNGS; i++)
        ws_traffic_walk_destroy(profiler->walk[i]);
    free(profiler);
}

void ws_profiler_set_workers(ws_profiler *profiler, unsigned workers)
{
    profiler->workers = workers;
}

const ws_sink *ws_profiler_sink(const ws_profiler *profiler)
{
    return &profiler->sink;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int count_lines(const ws_access_log *log, uint64_t *lines)
{
    uint64_t *const line = malloc((log->entries + 1) * sizeof *line);
    size_t n = 0;
    if (!line)
        return ws_fail(WS_EMEM, "no memory for a profile");
    for (size_t i = 0; i < log->entries; i++)
        if (log->entry[i].kind <= WS_LOG_ATOMIC && !(log->entry[i].flags & WS_LOG_LOCAL))
            line[n++] = log->entry[i].line;
    qsort(line, n, sizeof *line, compare);
    *lines = n > 0;
    for (size_t i = 1; i < n; i++)
        *lines += line[i] != line[i - 1];
    free(line);
    return WS_OK;
}

/* Rungs that this launch makes different from those before get a walk of their own. */
static int part_rungs(ws_profiler *p, uint64_t blocks)
{
    int status = WS_OK;
    for (unsigned i = WS_PROFILE_RUNGS; i-- > 0 && !status;) {
        unsigned same = i;
        while (!p->walk[same])
            same--;
        const uint64_t fit = (uint64_t)ws_profile_sms[i / WS_PROFILE_RESIDENTS] *
                             (same == i ? UINT32_MAX : ws_profile_residents[(i - 1) % WS_PROFILE_RESIDENTS]);
        if (blocks > fit)
            status = ws_traffic_walk_clone(p->walk[same], ws_profile_residents[i % WS_PROFILE_RESIDENTS], &p->walk[i]);
    }
    return status;
}

typedef struct climb { /* of the rungs with a walk */
    ws_profiler *profiler;
    const ws_access_log *log;
    ws_traffic_rung *rung;
    unsigned number[WS_PROFILE_RUNGS];
} climb;

static int climb_some(ws_crew *crew)
{
    const climb *const c = crew->context;
    int status = WS_OK;
    for (size_t task; !status && ws_crew_next(crew, &task);)
        status = ws_traffic_walk_run(c->profiler->walk[c->number[task]], c->log, &c->rung[c->number[task]]);
    return status;
}

static int run_rungs(ws_profiler *p, const ws_access_log *log, ws_traffic_rung *rung)
{
    climb c = {.profiler = p, .log = log, .rung = rung};
    size_t walks = 0;
    for (unsigned i = WS_PROFILE_RUNGS; i-- > 0;) /* the largest machines first */
        if (p->walk[i])
            c.number[walks++] = i;
    ws_crew crew = {.work = climb_some, .context = &c, .tasks = walks, .workers = p->workers};
    const int status = p->workers == 1 || log->entries < WORTH_A_THREAD ? climb_some(&crew) : ws_crew_run(&crew);
    for (unsigned i = 0; i < WS_PROFILE_RUNGS && !status; i++)
        if (!p->walk[i]) {
            rung[i] = rung[i - 1];
            rung[i].residents = ws_profile_residents[i % WS_PROFILE_RESIDENTS];
        }
    return status;
}

int ws_profiler_finish(ws_profiler *profiler, const ws_launch *launch, const void *state, ws_traffic_profile *out)
{
    const profiled *const p = state;
    const ws_access_log *const log = &p->log;
    *out = (ws_traffic_profile){
        .blocks = launch->blocks,
        .warps_per_block = launch->warps_per_block,
        .threads_per_block = launch->threads_per_block,
        .registers = launch->registers,
        .shared_bytes = launch->shared_bytes,
        .waits = ws_launch_waits(launch),
        .kept_blocks = log->blocks,
        .total = log->total,
        .kept = ws_access_log_kept(log),
    };
    memcpy(out->crowds, log->crowds, sizeof out->crowds);
    out->values = *ws_value_watch_result(p->values);
    int status = ws_work_count_total(&p->work, launch, &out->work);
    if (!status)
        status = count_lines(log, &out->distinct_lines);
    if (!status)
        status = part_rungs(profiler, log->blocks);
    return status ? status : run_rungs(profiler, log, out->rung);
}
