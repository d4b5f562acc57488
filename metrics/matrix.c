/* matrix.c - how many multiply-adds do products of matrices have? They are what tensor units compute, thousands an
 * instruction. */
#include "metrics/family.h"

#include "base/status.h"
#include "collect/trace/instr_matrix.h"
#include "metrics/pc_count.h"

#include <stdbool.h>

#define GROUP "matrix"
#define COUNTERS(ONE, MANY) \
    ONE(threads, SUM) \
    ONE(float_ops, SUM) \
    ONE(integer_ops, SUM) \
    MANY(products, SUM, WS_MATRIX_KINDS_END)
#define RATE(what)   what " per 1000 thread instructions; exact."
#define PRODUCTS(of) RATE("Multiply-adds in products of matrices of " of)
#define COLUMNS(ONE, MANY) \
    ONE(half, "1/kinstr", PRODUCTS("halves (f16) that are summed as halves")) \
    ONE(mixed, "1/kinstr", PRODUCTS("halves (f16, bf16) that are summed as floats")) \
    ONE(tf32, "1/kinstr", PRODUCTS("floats of 19 bits (tf32)")) \
    ONE(twice, "1/kinstr", PRODUCTS("doubles")) \
    ONE(byte, "1/kinstr", PRODUCTS("numbers of 8 bits, whole or floating")) \
    ONE(nibble, "1/kinstr", PRODUCTS("whole numbers of 4 bits")) \
    ONE(bit, "1/kinstr", PRODUCTS("single bits")) \
    ONE(float_ops, "1/kinstr", RATE("Instructions of products that mix_float_ops counts")) \
    ONE(integer_ops, "1/kinstr", RATE("Instructions of products that mix_integer_ops counts"))
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef struct state {
    bool any;                 /* the launch has such instructions */
    uint64_t threads;         /* thread instructions of all kinds */
    ws_pc_count warps, lanes; /* executions by any lane; thread instructions */
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    for (size_t pc = 0; pc < launch->instrs && !s->any; pc++)
        s->any = launch->instr[pc].work == WS_WORK_MATRIX;
    if (!s->any)
        return WS_OK;
    const int status = ws_pc_count_init(&s->warps, launch->instrs);
    return status ? status : ws_pc_count_init(&s->lanes, launch->instrs);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    (void)launch;
    WS_EACH_INSTRUCTION (ev, batch) {
        const unsigned lanes = ws_mask_lanes(ev->exec), runs = ws_event_lane_runs(ev);
        s->threads += (uint64_t)lanes * runs;
        if (!s->any || ev->kind != WS_EVENT_RUN)
            continue;
        ws_pc_count_add(&s->warps, ev->pc, runs, lanes > 0);
        ws_pc_count_add(&s->lanes, ev->pc, runs, lanes);
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    a->threads += b->threads;
    if (a->any) {
        ws_pc_count_merge(&a->warps, &b->warps);
        ws_pc_count_merge(&a->lanes, &b->lanes);
    }
    return WS_OK;
}

static void fini(void *p)
{
    ws_pc_count_fini(&((state *)p)->warps);
    ws_pc_count_fini(&((state *)p)->lanes);
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    state *const s = p;
    counters *const c = (counters *)counter;
    *c = (counters){.threads = (double)s->threads};
    if (!s->any)
        return WS_OK;
    const int64_t *const warps = ws_pc_count_fold(&s->warps), *const lanes = ws_pc_count_fold(&s->lanes);
    for (size_t pc = 0; pc < launch->instrs; pc++) {
        const ws_instr *const in = &launch->instr[pc];
        if (in->work != WS_WORK_MATRIX)
            continue;
        const ws_matrix product = ws_instr_matrix(in);
        c->products[product.kind] += (double)warps[pc] * product.multiplies;
        c->float_ops += in->cls == WS_CLASS_FLOAT ? (double)lanes[pc] : 0;
        c->integer_ops += in->cls == WS_CLASS_INTEGER ? (double)lanes[pc] : 0;
    }
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    const double per_thousand = ws_ratio(1000, c->threads, 0);
#define MATRIX_KIND(name, meaning) v->name = c->products[WS_MATRIX_##name] * per_thousand;
    WS_MATRIX_KINDS(MATRIX_KIND)
#undef MATRIX_KIND
    v->float_ops = c->float_ops * per_thousand;
    v->integer_ops = c->integer_ops * per_thousand;
}

const ws_metric ws_metric_matrix = WS_FAMILY("modern", "How many multiply-adds do products of matrices have?",
                                             .wants = WS_WANT_INSTRUCTIONS, .init = init, .fini = fini);
