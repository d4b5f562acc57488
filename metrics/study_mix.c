/* study_mix.c - which kinds of instructions does a workload execute? (study dimensions 1-7 and 123-129)
 *
 * Everything is counted per thread: an instruction that 20 lanes execute counts 20. What an instruction is stands in
 * the launch's table, so the hot loop only counts lanes by pc. Only the space of a memory access is known no earlier
 * than in the event. */

#include "base/status.h"
#include "metrics/family.h"
#include "metrics/pc_count.h"

typedef struct state {
    ws_pc_count threads; /* by pc */
    uint64_t space[WS_SPACES];
} state;

enum { SOP, PAR, SHD, TEX, CONSTANT, LOC, GLO, FOP, IOP, BRANCH, BARRIER, ATOMIC, COUNTERS };

/* A workload without memory operations has this arithmetic intensity: the study's table shows it as 1000. */
static const double most_intensity = 1000;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    return ws_pc_count_init(&s->threads, launch->instrs);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    (void)launch;
    state *const s = p;
    WS_EACH_INSTRUCTION (ev, batch) {
        const uint64_t lanes = ws_mask_lanes(ev->exec);
        if (ev->kind == WS_EVENT_MEMORY) { /* also the second part of an access, whose count is 0 */
            ws_pc_count_add(&s->threads, ev->pc, ws_event_lane_runs(ev), lanes);
            s->space[ev->space] += lanes * ws_event_lane_runs(ev);
        } else {
            ws_pc_count_add(&s->threads, ev->pc, ev->count, lanes);
        }
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    state *const a = into;
    const state *const b = from;
    ws_pc_count_merge(&a->threads, &b->threads);
    for (size_t i = 0; i < WS_SPACES; i++)
        a->space[i] += b->space[i];
    return WS_OK;
}

static void fini(void *p)
{
    state *const s = p;
    ws_pc_count_fini(&s->threads);
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    state *const s = p;
    const int64_t *const threads = ws_pc_count_fold(&s->threads);
    int64_t cls[WS_CLASSES] = {0}, atomics = 0;
    for (size_t pc = 0; pc < launch->instrs; pc++) {
        const ws_instr *const in = &launch->instr[pc];
        cls[in->cls] += threads[pc];
        if (in->access == WS_ACCESS_ATOMIC || in->access == WS_ACCESS_REDUCE)
            atomics += threads[pc];
    }
    counter[SOP] = (double)cls[WS_CLASS_SPECIAL];
    counter[PAR] = ws_told(launch, (double)s->space[WS_SPACE_PARAM]);
    counter[SHD] = (double)s->space[WS_SPACE_SHARED];
    counter[TEX] = ws_told(launch, (double)s->space[WS_SPACE_TEXTURE]);
    counter[CONSTANT] = ws_told(launch, (double)s->space[WS_SPACE_CONST]);
    counter[LOC] = (double)s->space[WS_SPACE_LOCAL];
    counter[GLO] = (double)s->space[WS_SPACE_GLOBAL];
    counter[FOP] = (double)cls[WS_CLASS_FLOAT];
    counter[IOP] = (double)cls[WS_CLASS_INTEGER];
    counter[BRANCH] = (double)cls[WS_CLASS_BRANCH];
    counter[BARRIER] = (double)cls[WS_CLASS_BARRIER];
    counter[ATOMIC] = (double)atomics;
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    double *v = value;
    double memory = 0;
    for (int i = PAR; i <= GLO; i++)
        memory += counter[i];
    for (int i = SOP; i <= IOP; i++)
        *v++ = counter[i];
    *v++ = memory;
    for (int i = BRANCH; i <= ATOMIC; i++)
        *v++ = counter[i];
    const double arithmetic = counter[FOP] + counter[IOP] + counter[SOP];
    *v = ws_at_most(ws_ratio(arithmetic, memory, most_intensity), most_intensity);
}

static const ws_counter counter_table[] = {
    {.name = "sop"},     {.name = "par"},    {.name = "shd"}, {.name = "tex"}, {.name = "const"},
    {.name = "loc"},     {.name = "glo"},    {.name = "fop"}, {.name = "iop"}, {.name = "branch"},
    {.name = "barrier"}, {.name = "atomic"}, {.name = NULL},
};

#define IM(symbol, number, text) \
    { \
        .name = symbol, .unit = "instr", .group = "IM", .index = number, .question = text \
    }

static const ws_metric_column column_table[] = {
    IM("I_sop", 1,
       "Thread instructions on the special-function unit: sin cos lg2 ex2 rcp rsqrt sqrt tanh, float div; exact."),
    IM("I_par", 2, "Thread accesses to parameter memory; exact."),
    IM("I_shd", 3, "Thread accesses to shared memory, atomics included; exact."),
    IM("I_tex", 4, "Thread accesses to texture memory; exact."),
    IM("I_const", 5, "Thread accesses to constant memory; exact."),
    IM("I_loc", 6, "Thread accesses to local memory; exact."),
    IM("I_glo", 7, "Thread accesses to global memory, atomics included; exact."),
    IM("I_fop", 123, "Floating-point thread instructions, fma counts 1, special ones excluded; exact."),
    IM("I_op", 124, "Integer and bit thread instructions, mov, cvta and selp included; exact."),
    IM("I_mop", 125, "Thread accesses to memory of any space: sum of dimensions 2 to 7; exact."),
    IM("I_b", 126, "Thread instructions that transfer control: bra brx call ret; exact."),
    IM("I_bar", 127, "Thread instructions bar and barrier; exact."),
    IM("I_ato", 128, "Thread instructions atom and red in any space; exact."),
    {.name = "A_i",
     .unit = "ratio",
     .group = "IM",
     .index = 129,
     .question =
         "Arithmetic intensity (I_fop + I_op + I_sop) / I_mop, at most 1000, and 1000 without memory accesses; exact."},
    {.name = NULL},
};

_Static_assert(sizeof counter_table / sizeof counter_table[0] == COUNTERS + 1, "one row for every counter");

#define GROUP "study_mix"
const ws_metric ws_metric_study_mix = WS_FAMILY("study", "Which kinds of instructions does a workload execute?",
                                                .wants = WS_WANT_INSTRUCTIONS, .init = init, .fini = fini);
