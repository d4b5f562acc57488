/* evaluation.c - what was the study's subset judged by, and what do its dimensions look like before they are binned?
 *
 * Activity factor and SIMD parallelism are two of the study's three evaluation metrics (Goswami 2013, table 7-14; the
 * third, DRAM efficiency, needs time). Beside them stand the numbers behind the dimensions whose definition leaves a
 * choice: counts of warps instead of threads, and ratios over all launches instead of histograms over launches.
 *
 * SIMD parallelism is the speedup of a machine that runs a block as one warp of unlimited width. Such a warp issues an
 * instruction as often as the warp that needs it most often, so a block takes the sum over pcs of that maximum in
 * steps; a few too few where warps take one path in different trips of a loop. */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/off_chip.h"
#include "metrics/pc_count.h"

#include <stdbool.h>
#include <stdlib.h>

/* The instruction mix by warps, in the order of the dimensions. */
enum {
    MIX_SPECIAL,
    MIX_PARAM,
    MIX_SHARED,
    MIX_TEXTURE,
    MIX_CONST,
    MIX_LOCAL,
    MIX_GLOBAL,
    MIX_FLOAT,
    MIX_INTEGER,
    MIX_BRANCH,
    MIX_BARRIER,
    MIX_ATOMIC,
    MIXES
};

#define GROUP "evaluation"
#define COUNTERS(ONE, MANY) \
    ONE(thread_instr, SUM) \
    ONE(warp_instr, SUM) \
    ONE(active_lanes, SUM) \
    ONE(partial_mask, SUM) \
    ONE(weighted_parallelism, SUM) \
    ONE(thread_arithmetic, SUM) \
    MANY(mix, SUM, MIXES) \
    ONE(branches, SUM) \
    ONE(divergent, SUM) \
    ONE(inside_branches, SUM) \
    ONE(inside_divergent, SUM) \
    ONE(taken_lanes, SUM) \
    ONE(fall_through_lanes, SUM) \
    ONE(sections, SUM) \
    ONE(section_instr, SUM) \
    ONE(followed, SUM) \
    ONE(row_runs, SUM) \
    ONE(mergeable, SUM) \
    ONE(distinct_kernels, MAX)
#define WARPS(what) "Warp instructions " what "; exact."
#define COLUMNS(ONE, MANY) \
    ONE(activity_factor, "ratio", "Active lanes over 32 lanes of every warp instruction; exact.") \
    ONE(simd_parallelism, "lanes", \
        "Thread instructions over steps of a machine with warps as wide as a block, mean over " \
        "launches weighted by thread instructions; exact count of an upper bound (see docs).") \
    ONE(distinct_kernels, "kernels", "Number of different kernels launched; exact.") \
    ONE(thread_instr, "instr", "Thread instructions; exact.") \
    ONE(warp_instr, "instr", WARPS("of all classes"), .brief = true) \
    ONE(partial_mask_insts, "instr", WARPS("issued with fewer than 32 active lanes")) \
    ONE(ai_mixed, "ratio", \
        "Arithmetic thread instructions over memory warp instructions, at most 1000, and 1000 " \
        "without memory instructions; exact.") \
    ONE(warp_sop, "instr", WARPS("on the special-function unit")) \
    ONE(warp_par, "instr", WARPS("that access parameter memory")) \
    ONE(warp_shd, "instr", WARPS("that access shared memory")) \
    ONE(warp_tex, "instr", WARPS("that access texture memory")) \
    ONE(warp_const, "instr", WARPS("that access constant memory")) \
    ONE(warp_loc, "instr", WARPS("that access local memory")) \
    ONE(warp_glo, "instr", WARPS("that access global memory")) \
    ONE(warp_fop, "instr", WARPS("in floating point")) \
    ONE(warp_op, "instr", WARPS("on integers and bits")) \
    ONE(warp_mop, "instr", WARPS("that access memory of any space")) \
    ONE(warp_b, "instr", WARPS("that transfer control")) \
    ONE(warp_bar, "instr", WARPS("bar and barrier")) \
    ONE(warp_ato, "instr", WARPS("atom and red")) \
    ONE(divergent_branches, "ratio", "Divergent branches over all branches of warps, 0 without branches; exact.") \
    ONE(divergent_inside, "ratio", \
        "Divergent branches over all branches inside serialized sections, 0 without any; " \
        "exact.") \
    ONE(section_length, "instr", "Mean warp instructions of a serialized section, 0 without sections; exact.") \
    ONE(taken_lanes, "lanes", "Mean lanes that take a divergent branch, 0 without any; exact.") \
    ONE(fall_through_lanes, "lanes", "Mean lanes that do not take a divergent branch, 0 without any; exact.") \
    ONE(row_locality, "acc/row", \
        "64-byte accesses over stretches of accesses to one DRAM row, resident blocks interleaved, 0 " \
        "without accesses; of long blocks windows of time.") \
    ONE(merge_ratio, "ratio", \
        "Share of 64-byte accesses that could share a request under way, 0 without accesses; of long " \
        "blocks windows of time.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

static const double most_intensity = 1000; /* as for study dimension 129 */

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    ws_pc_count threads, warps; /* by pc */
    uint64_t space[WS_SPACES], steps;
    uint32_t *issued;     /* [warps][instrs + 1] of the block in work, as steps between pcs */
    uint32_t least, most; /* pcs [least, most) were issued in this block */
    ws_off_chip *off_chip;
} state;

static uint32_t *issued_by(const state *s, const ws_launch *launch, unsigned warp)
{
    return s->issued + warp * (launch->instrs + 1);
}

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    int status = ws_off_chip_create(&ws_board_frozen, launch, &s->off_chip);
    if (status == WS_OK)
        status = ws_pc_count_init(&s->threads, launch->instrs);
    if (status == WS_OK)
        status = ws_pc_count_init(&s->warps, launch->instrs);
    s->issued = calloc((launch->warps_per_block + 1u) * (launch->instrs + 1), sizeof *s->issued);
    s->least = UINT32_MAX;
    if (status == WS_OK && !s->issued)
        status =
            ws_fail(WS_EMEM, "no memory for %zu instructions of %u warps", launch->instrs, launch->warps_per_block);
    return status;
}

static void see_branch(state *s, const ws_event *ev)
{
    const bool inside = ev->depth > 0;
    s->branches++;
    s->inside_branches += inside;
    if (ev->taken == 0 || ev->taken == ev->active)
        return;
    s->divergent++;
    s->inside_divergent += inside;
    s->taken_lanes += ws_mask_lanes(ev->taken);
    s->fall_through_lanes += ws_mask_lanes(ev->active & ~ev->taken);
}

static void see_instructions(state *s, const ws_launch *launch, const ws_event *ev)
{
    const uint32_t behind = ev->pc + ev->count;
    uint32_t *const issued = issued_by(s, launch, ev->warp);
    ws_pc_count_add(&s->threads, ev->pc, ws_event_lane_runs(ev), ws_mask_lanes(ev->exec));
    ws_pc_count_add(&s->warps, ev->pc, ev->count, 1);
    s->active_lanes += (uint64_t)ev->count * ws_mask_lanes(ev->active);
    s->partial_mask += ev->active == UINT32_MAX ? 0 : ev->count;
    issued[ev->pc]++;
    issued[behind]--;
    s->least = ev->pc < s->least ? ev->pc : s->least;
    s->most = behind > s->most ? behind : s->most;
    if (ev->kind == WS_EVENT_MEMORY)
        s->space[ev->space] += ev->count;
    else if (ev->kind == WS_EVENT_BRANCH)
        see_branch(s, ev);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_EVENT (ev, batch)
        if (ev->kind == WS_EVENT_RECONVERGE) {
            s->sections++;
            s->section_instr += ev->section;
        } else {
            see_instructions(s, launch, ev);
        }
    return ws_off_chip_see(s->off_chip, launch, batch);
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    for (uint32_t warp = 0; warp < launch->warps_per_block; warp++) {
        uint32_t *const issued = issued_by(s, launch, warp);
        for (uint32_t pc = s->least; pc < s->most; pc++) {
            issued[pc + 1] += issued[pc];
            if (warp > 0 && issued[pc] > s->issued[pc])
                s->issued[pc] = issued[pc];
        }
    }
    for (uint32_t pc = s->least; pc < s->most; pc++)
        s->steps += s->issued[pc];
    for (uint32_t warp = 0; warp < launch->warps_per_block; warp++)
        for (uint32_t pc = s->least; pc <= s->most; pc++)
            issued_by(s, launch, warp)[pc] = 0;
    s->least = UINT32_MAX;
    s->most = 0;
    return ws_off_chip_block_end(s->off_chip, block);
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    ws_pc_count_merge(&a->threads, &b->threads);
    ws_pc_count_merge(&a->warps, &b->warps);
    ws_family_join(counter_table, a->counts, b->counts);
    for (int i = 0; i < WS_SPACES; i++)
        a->space[i] += b->space[i];
    a->steps += b->steps;
    return ws_off_chip_join(a->off_chip, b->off_chip);
}

static void fini(void *p)
{
    state *const s = p;
    ws_pc_count_fini(&s->threads);
    ws_pc_count_fini(&s->warps);
    free(s->issued);
    ws_off_chip_destroy(s->off_chip);
}

/* Which entry of the mix an instruction class is, or MIXES when none. */
static unsigned mix_of_class(ws_class cls)
{
    static const uint8_t mix[WS_CLASSES] = {
        [WS_CLASS_INTEGER] = MIX_INTEGER, [WS_CLASS_FLOAT] = MIX_FLOAT,   [WS_CLASS_SPECIAL] = MIX_SPECIAL,
        [WS_CLASS_MEMORY] = MIXES,        [WS_CLASS_BRANCH] = MIX_BRANCH, [WS_CLASS_BARRIER] = MIX_BARRIER,
        [WS_CLASS_EXCHANGE] = MIXES,      [WS_CLASS_OTHER] = MIXES,
    };
    return mix[cls];
}

static void count_classes(state *s, const ws_launch *launch, counters *c)
{
    const int64_t *const threads = ws_pc_count_fold(&s->threads), *const warps = ws_pc_count_fold(&s->warps);
    for (size_t pc = 0; pc < launch->instrs; pc++) {
        const ws_instr *const in = &launch->instr[pc];
        const unsigned mix = mix_of_class(in->cls);
        const bool arithmetic = mix == MIX_INTEGER || mix == MIX_FLOAT || mix == MIX_SPECIAL;
        c->thread_instr += (double)threads[pc];
        c->warp_instr += (double)warps[pc];
        c->thread_arithmetic += arithmetic ? (double)threads[pc] : 0;
        if (mix < MIXES)
            c->mix[mix] += (double)warps[pc];
        if (in->access == WS_ACCESS_ATOMIC || in->access == WS_ACCESS_REDUCE)
            c->mix[MIX_ATOMIC] += (double)warps[pc];
    }
    c->mix[MIX_PARAM] = ws_told(launch, (double)s->space[WS_SPACE_PARAM]);
    c->mix[MIX_SHARED] = (double)s->space[WS_SPACE_SHARED];
    c->mix[MIX_TEXTURE] = ws_told(launch, (double)s->space[WS_SPACE_TEXTURE]);
    c->mix[MIX_CONST] = ws_told(launch, (double)s->space[WS_SPACE_CONST]);
    c->mix[MIX_LOCAL] = (double)s->space[WS_SPACE_LOCAL];
    c->mix[MIX_GLOBAL] = (double)s->space[WS_SPACE_GLOBAL];
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    state *const s = p;
    counters *const c = (counters *)counter;
    ws_off_chip_count n;
    const int status = ws_off_chip_finish(s->off_chip, &n);
    ws_family_tell(counter_table, s->counts, counter);
    c->branches = ws_told_branches(launch, c->branches);
    c->inside_branches = ws_told_branches(launch, c->inside_branches);
    c->followed = (double)n.accesses;
    c->row_runs = (double)n.runs;
    c->mergeable = (double)n.mergeable;
    c->distinct_kernels = 1;
    count_classes(s, launch, c);
    c->weighted_parallelism = c->thread_instr * ws_ratio(c->thread_instr, (double)s->steps, 0);
    return status;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    const double *const mix = c->mix;
    double memory = 0;
    for (int i = MIX_PARAM; i <= MIX_GLOBAL; i++)
        memory += mix[i];
    *v = (columns){.activity_factor = ws_ratio(c->active_lanes, WS_WARP * c->warp_instr, 0),
                   .simd_parallelism = ws_ratio(c->weighted_parallelism, c->thread_instr, 0),
                   .distinct_kernels = c->distinct_kernels,
                   .thread_instr = c->thread_instr,
                   .warp_instr = c->warp_instr,
                   .partial_mask_insts = c->partial_mask,
                   .ai_mixed = ws_at_most(ws_ratio(c->thread_arithmetic, memory, most_intensity), most_intensity),
                   .warp_sop = mix[MIX_SPECIAL],
                   .warp_par = mix[MIX_PARAM],
                   .warp_shd = mix[MIX_SHARED],
                   .warp_tex = mix[MIX_TEXTURE],
                   .warp_const = mix[MIX_CONST],
                   .warp_loc = mix[MIX_LOCAL],
                   .warp_glo = mix[MIX_GLOBAL],
                   .warp_fop = mix[MIX_FLOAT],
                   .warp_op = mix[MIX_INTEGER],
                   .warp_mop = memory,
                   .warp_b = mix[MIX_BRANCH],
                   .warp_bar = mix[MIX_BARRIER],
                   .warp_ato = mix[MIX_ATOMIC],
                   .divergent_branches = ws_ratio(c->divergent, c->branches, 0),
                   .divergent_inside = ws_ratio(c->inside_divergent, c->inside_branches, 0),
                   .section_length = ws_ratio(c->section_instr, c->sections, 0),
                   .taken_lanes = ws_ratio(c->taken_lanes, c->divergent, 0),
                   .fall_through_lanes = ws_ratio(c->fall_through_lanes, c->divergent, 0),
                   .row_locality = ws_ratio(c->followed, c->row_runs, 0),
                   .merge_ratio = ws_ratio(c->mergeable, c->followed, 0)};
}

const ws_metric ws_metric_evaluation = WS_FAMILY(
    "modern", "What was the study's subset judged by, and what do its dimensions look like before they are binned?",
    .wants = WS_WANT_ALL, .init = init, .block_end = block_end, .fini = fini);
