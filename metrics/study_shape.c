/* study_shape.c - what does a kernel ask of the machine before it runs? (study dimensions 59-81)
 *
 * All of it is known at the launch but how many bytes of parameters a kernel has: that is read off its loads. The
 * study's machines (compute capability 1.x) had parameters in shared memory, behind 16 bytes with the sizes of grid and
 * block, and its table 7-11 counts all of its workloads among those that use shared memory. */
#include "metrics/study_metrics.h"

#include "base/status.h"
#include "metrics/family.h"

enum { BINS = 5, REG = 0, SHMEM = REG + BINS, CMEM = SHMEM + BINS, LMEM = CMEM + BINS, H2D = LMEM + BINS, D2H, K_N };

static const double before_parameters = 16; /* bytes of shared memory; W. van der Laan, decuda, 2008 */

typedef struct state {
    uint64_t parameters; /* bytes up to the last that was loaded */
} state;

static void raise(uint64_t *most, uint64_t value)
{
    *most = value > *most ? value : *most;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_EVENT (ev, batch)
        if (ev->kind == WS_EVENT_MEMORY && ev->space == WS_SPACE_PARAM && ev->exec)
            raise(&s->parameters, WS_ADDRESSES(batch, ev)[__builtin_ctz(ev->exec)] + ws_event_bytes(launch, ev));
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    raise(&a->parameters, b->parameters);
    return WS_OK;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    const double shared = launch->shared_bytes + before_parameters + (double)s->parameters;
    const double threads = launch->threads_per_block ? launch->threads_per_block : 1;
    ws_bins_one(WS_BINS_REG, launch->registers, counter + REG);
    ws_bins_one(WS_BINS_SHMEM, shared / threads, counter + SHMEM);
    ws_bins_one(WS_BINS_CMEM, launch->const_bytes, counter + CMEM);
    ws_bins_one(WS_BINS_LMEM, launch->local_bytes, counter + LMEM);
    for (int i = CMEM; i < H2D; i++)
        counter[i] = ws_told(launch, counter[i]);
    counter[H2D] = (double)launch->h2d_bytes;
    counter[D2H] = ws_told(launch, (double)launch->d2h_bytes);
    counter[K_N] = 1;
    return WS_OK;
}

/* Columns stand in the order of the counters. */
static void emit(const double *counter, double *value)
{
    ws_bins_copy(WS_BINS_REG, counter + REG, value + REG);
    ws_bins_copy(WS_BINS_SHMEM, counter + SHMEM, value + SHMEM);
    ws_bins_copy(WS_BINS_CMEM, counter + CMEM, value + CMEM);
    ws_bins_copy(WS_BINS_LMEM, counter + LMEM, value + LMEM);
    for (int i = H2D; i <= K_N; i++)
        value[i] = counter[i];
}

static const ws_counter counter_table[] = {
    WS_BINS_COUNTER("reg", REG, BINS),
    WS_BINS_COUNTER("shmem_parameters", SHMEM, BINS),
    WS_BINS_COUNTER("cmem", CMEM, BINS),
    WS_BINS_COUNTER("lmem", LMEM, BINS),
    {.name = WS_COUNTER_H2D},
    {.name = WS_COUNTER_D2H},
    {.name = "launches"},
    {.name = NULL},
};

static const ws_metric_column column_table[] = {
    WS_BINS_COLUMN("Reg", "launches", "KC", 59, BINS,
                   "Launches by 32-bit registers a thread needs (most live at once; PTX is not yet allocated); exact."),
    WS_BINS_COLUMN("Shmem", "launches", "KC", 64, BINS,
                   "Launches by bytes of shared memory, static, dynamic, and as of compute capability 1.x the "
                   "parameters that are loaded and 16 more, per thread of a block; exact."),
    WS_BINS_COLUMN("cmem", "launches", "KC", 69, BINS,
                   "Launches by bytes of constant memory of the kernel, parameters included; exact."),
    WS_BINS_COLUMN("lmem", "launches", "KC", 74, BINS, "Launches by bytes of local memory of a thread; exact."),
    {.name = "H2D",
     .unit = "bytes",
     .group = "KC",
     .index = 79,
     .question = "Bytes copied from host to device; exact."},
    {.name = "D2H",
     .unit = "bytes",
     .group = "KC",
     .index = 80,
     .question = "Bytes copied from device to host; exact."},
    {.name = "K_n",
     .unit = "launches",
     .group = "KC",
     .index = 81,
     .question = "Number of kernel launches; exact.",
     .brief = true},
    {.name = NULL},
};

#define GROUP "study_shape"
const ws_metric ws_metric_study_shape =
    WS_FAMILY("study", "What does a kernel ask of the machine before it runs?", .wants = WS_WANT_MEMORY);
