/* loads.c - how many lines does a global load of a warp ask for, and in which bits do their addresses differ?
 *
 * Loads of global memory by instructions of warps; a line is an aligned block of 128 bytes. A load is divergent when it
 * asks for more than two lines, a load instruction when most of its executions are (B. Wang, "Mitigating GPU Memory
 * Divergence for Data-Intensive Applications", dissertation, Auburn University, 2015, chapters 2 and 3, which has
 * feature bits, too). The stride of a load is the difference from lane to lane where that is the same for three lanes
 * or more. */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/coalesced.h"
#include "metrics/tally.h"

#include <stdlib.h>

enum { COHERENT = 2, REQUESTS = 4, BIT_GROUPS = 7, GROUP_BITS = 4, STRIDE_LANES = 3, STRIDES_CAP = 4096 };

#define GROUP "loads"
#define COUNTERS(ONE, MANY) \
    MANY(requests, SUM, REQUESTS) \
    ONE(lines, SUM) \
    ONE(lanes, SUM) \
    ONE(divergent, SUM) \
    ONE(divergent_lines, SUM) \
    ONE(divergent_partial, SUM) \
    ONE(divergent_pcs, MAX) \
    ONE(feature_bits, SUM) \
    ONE(feature_low, SUM) \
    ONE(feature_high, SUM) \
    MANY(feature_at, SUM, BIT_GROUPS) \
    ONE(strided, SUM) \
    ONE(stride_loads, SUM) \
    ONE(stride_bytes, SUM) \
    ONE(stores, SUM) \
    ONE(store_lines, SUM) \
    ONE(thread_instr, SUM)
#define COLUMNS(ONE, MANY) \
    MANY(requests, REQUESTS, "ratio", \
         "Share of global loads of a warp that touch 1, 2, 3-31, 32 or more 128-byte lines " \
         "(coal_global_load_128 is the mean); exact.") \
    ONE(lines_per_lane, "lines", "Lines that global loads touch over lanes that load; exact.") \
    ONE(divergent, "ratio", "Share of global loads that are divergent: more than two lines; exact.") \
    ONE(divergent_lines, "ratio", "Share of the lines of global loads that divergent ones touch; exact.") \
    ONE(divergent_pcs, "instr", \
        "Load instructions of a kernel most of whose executions are divergent (largest launch); " \
        "exact.") \
    ONE(feature_bits, "bits", "Address bits from 7 on that differ among the lanes of a divergent load, mean; exact.") \
    ONE(feature_low, "bits", \
        "Lowest address bit from 7 on that differs among the lanes of a divergent load, mean; exact.") \
    ONE(feature_high, "bits", "Highest address bit that differs among the lanes of a divergent load, mean; exact.") \
    MANY(feature_at, BIT_GROUPS, "ratio", \
         "Share of divergent loads whose lanes differ in one of the address bits 7-10, " \
         "11-14, 15-18, 19-22, 23-26, 27-30, 31 and above; exact.") \
    ONE(stride_bytes, "bytes", \
        "The most frequent stride of a launch, without sign; of several launches the mean, by the " \
        "loads that have it; exact up to 4096 strides a launch, then the most frequent of a sample of them.") \
    ONE(stride_share, "ratio", \
        "Share of global loads of three lanes or more with the most frequent stride of their launch; " \
        "exact up to 4096 strides, then the most frequent of a sample.") \
    ONE(lanes, "ratio", "Lanes that load over 32, mean over global loads; exact.") \
    ONE(divergent_partial, "ratio", "Share of divergent loads with less than 32 lanes; exact.") \
    ONE(read, "ratio", "Global loads over global loads and stores of warps; exact.") \
    ONE(store_lines, "1/kinstr", "Lines that global stores touch, per 1000 thread instructions; exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef struct pc_loads {
    uint64_t all, divergent;
} pc_loads;

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    ws_tally strides; /* by bytes, as two's complement */
    pc_loads *pc;     /* [instrs] */
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    ws_tally_init(&s->strides, STRIDES_CAP, 0);
    s->pc = calloc(launch->instrs + 1, sizeof *s->pc);
    return s->pc ? WS_OK : ws_fail(WS_EMEM, "no memory for the loads of %zu instructions", launch->instrs);
}

static unsigned requests_bin(unsigned lines)
{
    return lines <= COHERENT ? lines - 1 : lines < WS_WARP ? 2 : 3;
}

/* Which bits differ: those in which any line differs from the first. */
static void see_features(state *s, const uint64_t *line, unsigned n)
{
    uint64_t differ = 0;
    for (unsigned i = 1; i < n; i++)
        differ |= line[i] ^ line[0];
    s->feature_bits += ws_popcount64(differ);
    s->feature_low += WS_LINE_SHIFT + (unsigned)__builtin_ctzll(differ);
    s->feature_high += WS_LINE_SHIFT + 63 - (unsigned)__builtin_clzll(differ);
    for (unsigned i = 0; i < BIT_GROUPS; i++) {
        const uint64_t upwards = differ >> i * GROUP_BITS;
        s->feature_at[i] += i + 1 < BIT_GROUPS ? (upwards & ((1 << GROUP_BITS) - 1)) != 0 : upwards != 0;
    }
}

static int see_stride(state *s, const uint64_t *address, uint32_t exec, unsigned lanes)
{
    int64_t stride;
    ws_tally_entry *e;
    if (lanes < STRIDE_LANES)
        return WS_OK;
    s->strided++;
    return ws_coalesce_stride(address, exec, &stride) ? ws_tally_add(&s->strides, (uint64_t)stride, 1, &e) : WS_OK;
}

static int see_load(state *s, const ws_instr *in, const ws_batch *batch, const ws_event *ev)
{
    uint64_t own[WS_COALESCE_MAX];
    unsigned n;
    const uint64_t *const line = ws_coalesced_lines(batch, ev, in, own, &n);
    const unsigned lanes = ws_mask_lanes(ev->exec);
    s->requests[requests_bin(n)]++;
    s->lines += n;
    s->lanes += lanes;
    s->pc[ev->pc].all++;
    if (n > COHERENT) {
        s->divergent++;
        s->divergent_lines += n;
        s->divergent_partial += lanes < WS_WARP;
        s->pc[ev->pc].divergent++;
        see_features(s, line, n);
    }
    return see_stride(s, WS_ADDRESSES(batch, ev), ev->exec, lanes);
}

static void see_store(state *s, const ws_instr *in, const ws_batch *batch, const ws_event *ev)
{
    uint64_t own[WS_COALESCE_MAX];
    unsigned n;
    ws_coalesced_lines(batch, ev, in, own, &n);
    s->stores++;
    s->store_lines += n;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    int status = WS_OK;
    for (size_t i = 0; i < batch->events && status == WS_OK; i++) {
        const ws_event *const ev = &batch->event[i];
        if (ev->kind == WS_EVENT_RECONVERGE)
            continue;
        s->thread_instr += ws_event_threads(ev);
        if (ev->kind != WS_EVENT_MEMORY || ev->space != WS_SPACE_GLOBAL || !ev->exec)
            continue;
        const ws_instr *const in = &launch->instr[ev->pc];
        if (in->access == WS_ACCESS_LOAD)
            status = see_load(s, in, batch, ev);
        else if (in->access == WS_ACCESS_STORE)
            see_store(s, in, batch, ev);
    }
    return status;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    ws_family_join(counter_table, a->counts, b->counts);
    for (size_t i = 0; i < launch->instrs; i++) {
        a->pc[i].all += b->pc[i].all;
        a->pc[i].divergent += b->pc[i].divergent;
    }
    return ws_tally_merge(&a->strides, &b->strides, NULL);
}

static void fini(void *p)
{
    state *const s = p;
    ws_tally_fini(&s->strides);
    free(s->pc);
}

static uint64_t length_of(uint64_t stride)
{
    return stride >> 63 ? 0 - stride : stride;
}

/* The stride that most loads have; of two the shorter one, then the rising one. */
static ws_tally_entry most_frequent(const ws_tally *strides)
{
    ws_tally_entry best = {.count = 0};
    for (size_t i = 0; i < strides->slots; i++) {
        const ws_tally_entry *const e = &strides->slot[i];
        const uint64_t length = length_of(e->key), least = length_of(best.key);
        const bool nearer = length < least || (length == least && e->key < best.key);
        if (e->count && (e->count > best.count || (e->count == best.count && nearer)))
            best = *e;
    }
    return best;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    counters *const c = (counters *)counter;
    ws_family_tell(counter_table, s->counts, counter);
    const ws_tally_entry stride = most_frequent(&s->strides);
    for (size_t i = 0; i < launch->instrs; i++)
        c->divergent_pcs += 2 * s->pc[i].divergent > s->pc[i].all;
    c->stride_loads = (double)stride.count;
    c->stride_bytes = (double)stride.count * (double)length_of(stride.key);
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    double loads = 0;
    for (unsigned i = 0; i < REQUESTS; i++)
        loads += c->requests[i];
    *v = (columns){.lines_per_lane = ws_ratio(c->lines, c->lanes, 0),
                   .divergent = ws_ratio(c->divergent, loads, 0),
                   .divergent_lines = ws_ratio(c->divergent_lines, c->lines, 0),
                   .divergent_pcs = c->divergent_pcs,
                   .feature_bits = ws_ratio(c->feature_bits, c->divergent, 0),
                   .feature_low = ws_ratio(c->feature_low, c->divergent, 0),
                   .feature_high = ws_ratio(c->feature_high, c->divergent, 0),
                   .stride_bytes = ws_ratio(c->stride_bytes, c->stride_loads, 0),
                   .stride_share = ws_ratio(c->stride_loads, c->strided, 0),
                   .lanes = ws_ratio(c->lanes, WS_WARP * loads, 0),
                   .divergent_partial = ws_ratio(c->divergent_partial, c->divergent, 0),
                   .read = ws_ratio(loads, loads + c->stores, 0),
                   .store_lines = ws_ratio(1000 * c->store_lines, c->thread_instr, 0)};
    ws_fractions(c->requests, REQUESTS, v->requests);
    for (unsigned i = 0; i < BIT_GROUPS; i++)
        v->feature_at[i] = ws_ratio(c->feature_at[i], c->divergent, 0);
}

const ws_metric ws_metric_loads = WS_FAMILY(
    "modern", "How many lines does a global load of a warp ask for, and in which bits do their addresses differ?",
    .wants = WS_WANT_INSTRUCTIONS, .init = init, .fini = fini);
