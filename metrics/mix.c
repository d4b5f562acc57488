/* mix.c - what do a thousand instructions consist of, and how much arithmetic is there for a byte?
 *
 * Counts are thread instructions (lanes that executed). Classes come from the instruction table; the space of an access
 * is the one its addresses fell into. */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/pc_count.h"

#include <stdbool.h>

enum { WIDTHS = 5, FORMATS = 3, CAP = 1000 };

#define GROUP "mix"
#define COUNTERS(ONE, MANY) \
    MANY(class, SUM, WS_CLASSES) \
    MANY(load, SUM, WS_SPACES) \
    MANY(store, SUM, WS_SPACES) \
    MANY(width, SUM, WIDTHS) \
    MANY(format, SUM, FORMATS) \
    ONE(fma, SUM) \
    ONE(global_bytes, SUM) \
    ONE(all_bytes, SUM)
#define RATE(what) what " per 1000 thread instructions; exact."
#define COLUMNS(ONE, MANY) \
    ONE(integer_ops, "1/kinstr", RATE("Integer, logic, address, compare and move instructions")) \
    ONE(float_ops, "1/kinstr", RATE("Floating-point instructions (an fma is one)")) \
    ONE(special_ops, "1/kinstr", RATE("Special-function instructions")) \
    ONE(memory_ops, "1/kinstr", RATE("Memory instructions of all spaces, atomics included")) \
    ONE(branch_ops, "1/kinstr", RATE("Branch, call and return instructions")) \
    ONE(barrier_ops, "1/kinstr", RATE("Barrier instructions")) \
    ONE(exchange_ops, "1/kinstr", RATE("Shuffle, vote, match and reduce instructions")) \
    ONE(other_ops, "1/kinstr", RATE("Other instructions (exit, fences ...)")) \
    ONE(global_load, "1/kinstr", RATE("Loads from global memory")) \
    ONE(global_store, "1/kinstr", RATE("Stores to global memory")) \
    ONE(shared_load, "1/kinstr", RATE("Loads from shared memory")) \
    ONE(shared_store, "1/kinstr", RATE("Stores to shared memory")) \
    ONE(local_load, "1/kinstr", RATE("Loads from local memory")) \
    ONE(local_store, "1/kinstr", RATE("Stores to local memory")) \
    ONE(const_load, "1/kinstr", RATE("Loads from constant memory")) \
    ONE(param_load, "1/kinstr", RATE("Loads of parameters")) \
    ONE(texture_load, "1/kinstr", RATE("Texture fetches")) \
    MANY(width, WIDTHS, "ratio", \
         "Share of accesses to global, shared and local memory with 1, 2, 3-4, 5-8, more " \
         "bytes a lane; exact.") \
    ONE(fp16, "ratio", "Share of floating-point and special instructions on 16-bit numbers; exact.") \
    ONE(fp32, "ratio", "Share of floating-point and special instructions on 32-bit numbers; exact.") \
    ONE(fp64, "ratio", "Share of floating-point and special instructions on 64-bit numbers; exact.") \
    ONE(fma, "ratio", "Share of floating-point instructions that multiply and add; exact.") \
    ONE(ops_per_global_byte, "instr/byte", \
        "Arithmetic instructions (integer, float, special) over bytes that lanes " \
        "access in global memory; at most 1000, also without access; exact.") \
    ONE(ops_per_byte, "instr/byte", \
        "Arithmetic instructions over bytes that lanes access in global, shared, local, " \
        "constant and texture memory; at most 1000, also without access; exact.") \
    ONE(flops_per_global_byte, "flop/byte", \
        "Floating-point and special operations (an fma is two) over bytes that " \
        "lanes access in global memory; at most 1000; 0 without operations; exact.", \
        .brief = true) \
    ONE(global_bytes_per_instr, "bytes/instr", \
        "Bytes that lanes access in global memory over all thread " \
        "instructions; exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    uint64_t bytes[WS_SPACES];
    ws_pc_count threads; /* thread instructions of each pc */
} state;

static int init(void *p, const ws_launch *launch)
{
    return ws_pc_count_init(&((state *)p)->threads, launch->instrs);
}

static unsigned width_bin(unsigned bytes)
{
    return bytes <= 1 ? 0 : bytes <= 2 ? 1 : bytes <= 4 ? 2 : bytes <= 8 ? 3 : 4;
}

static void see_access(state *s, const ws_launch *launch, const ws_event *ev, unsigned lanes)
{
    const ws_instr *const in = &launch->instr[ev->pc];
    const unsigned space = ev->space, bytes = ws_event_bytes(launch, ev);
    if (in->access == WS_ACCESS_LOAD)
        s->load[space] += lanes;
    else if (in->access == WS_ACCESS_STORE)
        s->store[space] += lanes;
    s->bytes[space] += (uint64_t)lanes * bytes * (1u + ev->further);
    if (space == WS_SPACE_GLOBAL || space == WS_SPACE_SHARED || space == WS_SPACE_LOCAL)
        s->width[width_bin(bytes)] += lanes;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_INSTRUCTION (ev, batch) {
        const unsigned lanes = ws_mask_lanes(ev->exec);
        ws_pc_count_add(&s->threads, ev->pc, ws_event_lane_runs(ev), lanes);
        if (ev->kind == WS_EVENT_MEMORY)
            see_access(s, launch, ev, lanes);
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    ws_family_join(counter_table, a->counts, b->counts);
    ws_pc_count_merge(&a->threads, &b->threads);
    for (unsigned i = 0; i < WS_SPACES; i++)
        a->bytes[i] += b->bytes[i];
    return WS_OK;
}

static void fini(void *p)
{
    ws_pc_count_fini(&((state *)p)->threads);
}

/* Size of the numbers that a floating-point instruction works on: 0 for 16 bits, 1 for 32, 2 for 64. */
static unsigned format_of(const ws_instr *in)
{
    return in->number == WS_NUMBER_DOUBLE ? 2 : in->number == WS_NUMBER_HALF ? 0 : 1;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    state *const s = p;
    counters *const c = (counters *)counter;
    ws_family_tell(counter_table, s->counts, counter);
    const int64_t *const threads = ws_pc_count_fold(&s->threads);
    for (size_t pc = 0; pc < launch->instrs; pc++) {
        const ws_instr *const in = &launch->instr[pc];
        const double n = (double)threads[pc];
        c->class[in->cls] += n;
        if (in->cls == WS_CLASS_FLOAT || in->cls == WS_CLASS_SPECIAL)
            c->format[format_of(in)] += n;
        c->fma += ws_instr_is_fma(in) ? n : 0;
    }
    for (unsigned i = 0; i < WS_SPACES; i++)
        c->all_bytes += i == WS_SPACE_PARAM ? 0 : ws_told(launch, (double)s->bytes[i]);
    c->load[WS_SPACE_CONST] = ws_told(launch, c->load[WS_SPACE_CONST]);
    c->load[WS_SPACE_PARAM] = ws_told(launch, c->load[WS_SPACE_PARAM]);
    c->load[WS_SPACE_TEXTURE] = ws_told(launch, c->load[WS_SPACE_TEXTURE]);
    c->global_bytes = (double)s->bytes[WS_SPACE_GLOBAL];
    return WS_OK;
}

/* Operations over bytes, capped: no traffic is no reason for an infinity. */
static double intensity(double operations, double bytes)
{
    return ws_at_most(ws_ratio(operations, bytes, operations != 0 ? CAP : 0), CAP);
}

static void emit_classes(const counters *c, double per_thousand, columns *v)
{
    v->integer_ops = c->class[WS_CLASS_INTEGER] * per_thousand;
    v->float_ops = c->class[WS_CLASS_FLOAT] * per_thousand;
    v->special_ops = c->class[WS_CLASS_SPECIAL] * per_thousand;
    v->memory_ops = c->class[WS_CLASS_MEMORY] * per_thousand;
    v->branch_ops = c->class[WS_CLASS_BRANCH] * per_thousand;
    v->barrier_ops = c->class[WS_CLASS_BARRIER] * per_thousand;
    v->exchange_ops = c->class[WS_CLASS_EXCHANGE] * per_thousand;
    v->other_ops = c->class[WS_CLASS_OTHER] * per_thousand;
}

static void emit_accesses(const counters *c, double per_thousand, columns *v)
{
    v->global_load = c->load[WS_SPACE_GLOBAL] * per_thousand;
    v->global_store = c->store[WS_SPACE_GLOBAL] * per_thousand;
    v->shared_load = c->load[WS_SPACE_SHARED] * per_thousand;
    v->shared_store = c->store[WS_SPACE_SHARED] * per_thousand;
    v->local_load = c->load[WS_SPACE_LOCAL] * per_thousand;
    v->local_store = c->store[WS_SPACE_LOCAL] * per_thousand;
    v->const_load = c->load[WS_SPACE_CONST] * per_thousand;
    v->param_load = c->load[WS_SPACE_PARAM] * per_thousand;
    v->texture_load = c->load[WS_SPACE_TEXTURE] * per_thousand;
    ws_fractions(c->width, WIDTHS, v->width);
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    double total = 0, format[FORMATS];
    for (unsigned i = 0; i < WS_CLASSES; i++)
        total += c->class[i];
    const double per_thousand = ws_ratio(1000, total, 0);
    const double flops = c->class[WS_CLASS_FLOAT] + c->class[WS_CLASS_SPECIAL];
    emit_classes(c, per_thousand, v);
    emit_accesses(c, per_thousand, v);
    ws_fractions(c->format, FORMATS, format);
    v->fp16 = format[0];
    v->fp32 = format[1];
    v->fp64 = format[2];
    v->fma = ws_ratio(c->fma, c->class[WS_CLASS_FLOAT], 0);
    v->ops_per_global_byte = intensity(c->class[WS_CLASS_INTEGER] + flops, c->global_bytes);
    v->ops_per_byte = intensity(c->class[WS_CLASS_INTEGER] + flops, c->all_bytes);
    v->flops_per_global_byte = intensity(flops + c->fma, c->global_bytes);
    v->global_bytes_per_instr = ws_ratio(c->global_bytes, total, 0);
}

const ws_metric ws_metric_mix =
    WS_FAMILY("modern", "What do a thousand instructions consist of, and how much arithmetic is there for a byte?",
              .wants = WS_WANT_INSTRUCTIONS, .init = init, .fini = fini);
