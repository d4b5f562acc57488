/* contention.c - how many accesses are atomics that could be gathered near the SMs, and how much do SMs want the same
 * lines and words in them?
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", 2023, chapter 3, whose buffers of atomics
 * beside the L1 pay where many accesses are atomics that commute, and come back to few lines. Atomics are those of
 * global memory that are not confined to their thread block. What is counted of lines and words is in contention.h, the
 * order of SMs in atomic_log.h. */
#include "metrics/contention.h"

#include "base/status.h"
#include "metrics/coalesce.h"
#include "metrics/family.h"

#include <stdlib.h>

/* By warp instructions, by lines of 128 bytes, by lanes: the study does not say which. */
enum { BY_INSTR, BY_LINES, BY_LANES, LEVELS };
/* An SM of the Titan V: bytes of shared memory (table 3.1 of the study); threads and thread blocks (CUDA C++
 * Programming Guide, capability 7.0). */
enum { SM_SHARED_BYTES = 96 << 10, SM_THREADS = 2048, SM_BLOCKS = 32 };
enum { HITS = 9 }; /* buffers of 1, 2, 4, ..., 256 lines */

#define GROUP "contention"
#define COUNTERS(ONE, MANY) \
    MANY(accesses, SUM, LEVELS) \
    MANY(atomics, SUM, LEVELS) \
    ONE(most_lines, MAX) \
    ONE(commuting, SUM) \
    ONE(updates, SUM) \
    ONE(first, SUM) \
    MANY(reuse, SUM, WS_CONTENTION_BINS) \
    MANY(combined, SUM, WS_CONTENTION_BINS) \
    ONE(distance, SUM) \
    ONE(beside, SUM) \
    ONE(strong, SUM) \
    ONE(strong_distance, SUM) \
    ONE(mixed, SUM) \
    ONE(sms, SUM) \
    ONE(lines, SUM) \
    ONE(lines_most, MAX) \
    ONE(migrations, SUM) \
    ONE(lanes, SUM) \
    ONE(in_warp, SUM) \
    MANY(by, SUM, WS_CONTENDERS) \
    ONE(words, SUM) \
    ONE(strong_words, SUM) \
    MANY(top, SUM, WS_CONTENTION_TOPS) \
    ONE(most, MAX) \
    ONE(private_bytes, MAX) \
    ONE(private_blocks, MIN)
#define LOG "exact for 2^20 words of atomics and lines of other accesses, then of a launch's first ones."
#define COLUMNS(ONE, MANY) \
    MANY(share, LEVELS, "ratio", \
         "Share of the accesses of global memory that are atomics not confined to their thread block, by warp " \
         "instructions, by 128-byte lines, by lanes; exact.") \
    ONE(commuting, "ratio", \
        "Share of these atomics, by lines, that may be done in any order with nobody looking: add, min, max, and, " \
        "or, xor " \
        "without order, whose result no instruction reads; exact.") \
    ONE(commuting_share, "ratio", "Share of the accesses of global memory, by lines, that are such atomics; exact.") \
    ONE(lines_mean, "lines", "Lines that a warp's atomic touches, mean; exact.") \
    ONE(lines_max, "lines", "Most lines that a warp's atomic touches; exact.") \
    MANY(reuse, WS_CONTENTION_BINS, "ratio", \
         "Share of the updates of lines by an SM with 0, 1, 2-3, 4-7, ..., 128-255, 256 or more other " \
         "lines of atomics since its last update of the line, none of them before a fence beyond the block; the rest " \
         "are first ones; " LOG) \
    ONE(reuse_mean, "lines", "These other lines, mean over updates that are not first ones; " LOG) \
    ONE(reuse_strong, "lines", "The same for lines with a word that more than 32 atomics of lanes change; " LOG) \
    ONE(reuse_weak, "lines", "The same for other lines; " LOG) \
    ONE(interference, "lines", "Lines of data that the SM uses between two updates of a line, mean; " LOG) \
    MANY(gathered, HITS, "ratio", \
         "Share of the updates that a buffer of 1, 2, 4, ..., 256 lines beside each SM gathers: the line is there " \
         "with " \
         "the same operation; " LOG) \
    ONE(mixed, "ratio", "Share of the updates of a line whose last one by the SM had another operation; " LOG) \
    ONE(sm_lines, "lines", "Lines of atomics of an SM in a launch, mean; " LOG) \
    ONE(sm_lines_max, "lines", "Most lines of atomics of an SM in a launch; " LOG) \
    ONE(migrations, "ratio", \
        "Share of the updates of a line whose last one was another SM's, when SMs take turns; " LOG) \
    ONE(in_warp, "ratio", \
        "Share of the atomics of lanes whose word another lane of the warp wants in the same instruction; " LOG) \
    MANY(collisions, WS_CONTENDERS, "ratio", \
         "Share of the atomics of lanes whose word another warp, another thread block, another SM changed " \
         "in one of the last 80 atomics of warps, when SMs take turns; " LOG) \
    MANY(top, WS_CONTENTION_TOPS, "ratio", \
         "Share of the atomics of lanes on the most wanted 1, 10, 100 words of their launch; " LOG) \
    ONE(word_max, "instr", "Atomics of lanes on the most wanted word of a launch (largest launch); " LOG) \
    ONE(strong_words, "ratio", "Share of the words changed that more than 32 atomics of lanes change; " LOG) \
    ONE(private_bytes, "bytes", \
        "Shared memory that a thread block needs for a copy of all words that atomics of its launch change (largest " \
        "launch); " LOG) \
    ONE(private_blocks, "blocks", \
        "Thread blocks that an SM with 96 KB of shared memory, 2048 threads and 32 blocks holds with such copies " \
        "(smallest launch); " LOG)
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

enum { REGISTERS = UINT16_MAX + 1 };

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    bool follows, fences; /* the kernel has atomics, so that other accesses matter; and fences beyond the block */
    bool *commutes;       /* [instrs] */
    ws_atomic_log log;
} state;

static bool commutes(const ws_instr *in, const bool *is_read)
{
    static const bool any_order[WS_ATOMICS] = {
        [WS_ATOMIC_ADD] = true, [WS_ATOMIC_MIN] = true, [WS_ATOMIC_MAX] = true,
        [WS_ATOMIC_AND] = true, [WS_ATOMIC_OR] = true,  [WS_ATOMIC_XOR] = true,
    };
    const bool ordered = in->order >= WS_ORDER_ACQUIRE && in->order <= WS_ORDER_SC;
    bool wanted = false;
    for (unsigned i = 0; i < in->dsts && in->access == WS_ACCESS_ATOMIC; i++)
        wanted |= is_read[in->dst[i]];
    return in->atomic < WS_ATOMICS && any_order[in->atomic] && !ordered && !wanted;
}

static bool is_atomic(const ws_instr *in)
{
    return (in->access == WS_ACCESS_ATOMIC || in->access == WS_ACCESS_REDUCE) && in->scope != WS_SCOPE_CTA;
}

static bool is_fence(const ws_instr *in)
{
    return in->fence && in->scope != WS_SCOPE_CTA;
}

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    for (size_t i = 0; i < launch->instrs; i++) {
        s->follows |= is_atomic(&launch->instr[i]) && launch->instr[i].space != WS_SPACE_SHARED;
        s->fences |= is_fence(&launch->instr[i]);
    }
    if (!s->follows)
        return WS_OK;
    bool *const is_read = calloc(REGISTERS, sizeof *is_read);
    s->commutes = calloc(launch->instrs, sizeof *s->commutes);
    if (!is_read || !s->commutes) {
        free(is_read);
        return ws_fail(WS_EMEM, "no memory for the instructions of kernel %s", launch->kernel);
    }
    for (size_t i = 0; i < launch->instrs; i++)
        for (unsigned k = 0; k < launch->instr[i].srcs; k++)
            is_read[launch->instr[i].src[k]] = true;
    for (size_t i = 0; i < launch->instrs; i++)
        s->commutes[i] = commutes(&launch->instr[i], is_read);
    free(is_read);
    return WS_OK;
}

static void count_at(uint64_t level[LEVELS], const ws_event *ev, unsigned lines)
{
    level[BY_INSTR] += ev->count;
    level[BY_LINES] += lines;
    level[BY_LANES] += ws_event_threads(ev);
}

static int see(state *s, const ws_launch *launch, const ws_event *ev, const ws_batch *batch)
{
    const ws_instr *const in = &launch->instr[ev->pc];
    const uint64_t *const address = WS_ADDRESSES(batch, ev);
    uint64_t line[WS_COALESCE_MAX];
    const unsigned n = ws_coalesce_blocks(address, ev->exec, ws_event_bytes(launch, ev), WS_ATOMIC_LINE_SHIFT, line);
    count_at(s->accesses, ev, n);
    if (!is_atomic(in))
        return s->follows ? ws_atomic_log_data(&s->log, ev, batch->block, line, n) : WS_OK;
    count_at(s->atomics, ev, n);
    s->most_lines = n > s->most_lines ? n : s->most_lines;
    s->commuting += s->commutes[ev->pc] ? n : 0;
    return ws_atomic_log_atomic(&s->log, ev, batch->block, address, in->atomic);
}

static int see_run(state *s, const ws_launch *launch, const ws_event *ev, uint64_t block)
{
    int status = WS_OK;
    for (unsigned k = 0; k < ev->count && !status; k++)
        if (is_fence(&launch->instr[ev->pc + k]))
            status = ws_atomic_log_fence(&s->log, ev, block);
    return status;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    int status = WS_OK;
    for (size_t i = 0; i < batch->events && !status; i++) {
        const ws_event *const ev = &batch->event[i];
        if (ev->kind == WS_EVENT_MEMORY && ev->space == WS_SPACE_GLOBAL && ev->exec)
            status = see(s, launch, ev, batch);
        else if (s->follows && s->fences && ev->kind == WS_EVENT_RUN && ev->exec)
            status = see_run(s, launch, ev, batch->block);
    }
    return status;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    ws_family_join(counter_table, a->counts, b->counts);
    return ws_atomic_log_append(&a->log, &b->log);
}

static void fini(void *p)
{
    state *const s = p;
    free(s->commutes);
    ws_atomic_log_fini(&s->log);
}

static double blocks_with(const ws_launch *launch, uint64_t bytes)
{
    const uint64_t shared = launch->shared_bytes + bytes, threads = launch->threads_per_block;
    const uint64_t by_shared = shared ? SM_SHARED_BYTES / shared : SM_BLOCKS,
                   by_threads = threads ? SM_THREADS / threads : SM_BLOCKS;
    const uint64_t least = by_shared < by_threads ? by_shared : by_threads;
    return (double)(least < SM_BLOCKS ? least : SM_BLOCKS);
}

static void put_contention(const ws_contention *n, counters *c)
{
    c->updates = (double)n->updates;
    c->first = (double)n->first;
    c->distance = (double)n->distance;
    c->beside = (double)n->beside;
    c->strong = (double)n->strong;
    c->strong_distance = (double)n->strong_distance;
    c->mixed = (double)n->mixed;
    c->sms = (double)n->sms;
    c->lines = (double)n->lines;
    c->lines_most = (double)n->lines_most;
    c->migrations = (double)n->migrations;
    c->lanes = (double)n->lanes;
    c->in_warp = (double)n->in_warp;
    c->words = (double)n->words;
    c->strong_words = (double)n->strong_words;
    c->most = (double)n->most;
    for (unsigned i = 0; i < WS_CONTENTION_BINS; i++) {
        c->reuse[i] = (double)n->reuse[i];
        c->combined[i] = (double)n->combined[i];
    }
    for (unsigned i = 0; i < WS_CONTENDERS; i++)
        c->by[i] = (double)n->by[i];
    for (unsigned i = 0; i < WS_CONTENTION_TOPS; i++)
        c->top[i] = (double)n->top[i];
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    counters *const c = (counters *)counter;
    ws_contention n = {0};
    const int status = s->atomics[BY_LANES] ? ws_contention_count(&s->log, &n) : WS_OK;
    const uint64_t bytes = n.words << WS_ATOMIC_WORD_SHIFT;
    ws_family_tell(counter_table, s->counts, counter);
    c->private_bytes = n.words ? (double)bytes : NAN;
    c->private_blocks = n.words ? blocks_with(launch, bytes) : NAN;
    put_contention(&n, c);
    return status;
}

static double share(double of, double all)
{
    return ws_ratio(of, all, NAN);
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    const double again = c->updates - c->first;
    double gathered = 0;
    *v = (columns){
        .commuting = share(c->commuting, c->atomics[BY_LINES]),
        .commuting_share = share(c->commuting, c->accesses[BY_LINES]),
        .lines_mean = share(c->atomics[BY_LINES], c->atomics[BY_INSTR]),
        .lines_max = c->most_lines > 0 ? c->most_lines : NAN,
        .reuse_mean = share(c->distance, again),
        .reuse_strong = share(c->strong_distance, c->strong),
        .reuse_weak = share(c->distance - c->strong_distance, again - c->strong),
        .interference = share(c->beside - c->distance, again),
        .mixed = share(c->mixed, c->updates),
        .sm_lines = share(c->lines, c->sms),
        .sm_lines_max = c->sms > 0 ? c->lines_most : NAN,
        .migrations = share(c->migrations, c->updates),
        .in_warp = share(c->in_warp, c->lanes),
        .word_max = c->words > 0 ? c->most : NAN,
        .strong_words = share(c->strong_words, c->words),
        .private_bytes = c->private_bytes,
        .private_blocks = c->private_blocks,
    };
    for (unsigned i = 0; i < LEVELS; i++)
        v->share[i] = share(c->atomics[i], c->accesses[i]);
    for (unsigned i = 0; i < WS_CONTENTION_BINS; i++)
        v->reuse[i] = share(c->reuse[i], c->updates);
    for (unsigned i = 0; i < HITS; i++) {
        gathered += c->combined[i];
        v->gathered[i] = share(gathered, c->updates);
    }
    for (unsigned i = 0; i < WS_CONTENDERS; i++)
        v->collisions[i] = share(c->by[i], c->lanes);
    for (unsigned i = 0; i < WS_CONTENTION_TOPS; i++)
        v->top[i] = share(c->top[i], c->lanes);
}

const ws_metric ws_metric_contention =
    WS_FAMILY("synchronization",
              "How many accesses are atomics that could be gathered near the SMs, and how much do SMs want the same "
              "lines and words in them?",
              .wants = WS_WANT_INSTRUCTIONS, .init = init, .fini = fini);
