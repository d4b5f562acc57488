/* shared_hybrid.c - shared memory of magnetic memory with a section of SRAM beside it: a cache that writes go into, or
 * a memory of its own; off where there are few writes.
 *
 * The cache takes writes without reading what they fall on, gives words up when their line is the one of its set that
 * was written longest ago, and then writes back those that were written; reads of words that it does not have go past
 * it. What a block leaves in it is dropped. As a memory it takes an even part of the words.
 *
 * With `final` a line's bit of a final update keeps from the magnetic cells what nobody reads from there before it is
 * written again: the most that a compiler could mark. Lines are given up as without it, and take the same time. */
#include "model/memory/memory_internal.h"

#include "base/status.h"

#include <math.h>

enum { SIZE, WAYS, WIDTH, RAM, GATE, FINAL };
enum { SIZE_MOST = 1 << 20, WAYS_MOST = 8192, PERCENT = 100 };

static const ws_option options[] = {
    [SIZE] = {"size", "bytes", 16384, 0, SIZE_MOST, "of the section, of an SM"},
    [WAYS] = {"ways", "", 2, 1, WAYS_MOST, "lines of a set; 1: each line has one place"},
    [WIDTH] = {"width", "bits", 0, 0, WS_MEMORY_WORD,
               "of an array of the magnetic memory: write-backs are compared first; 0: written whole"},
    [RAM] = {"ram", "", 0, 0, 1, "the section is a memory, not a cache"},
    [GATE] = {"gate", "%", 0, 0, PERCENT, "of the accesses: launches with fewer writes have the section off"},
    [FINAL] = {"final", "", 0, 0, 1,
               "evicted words that are never read again are not written: an ideal compiler marks final updates"},
    {NULL, NULL, 0, 0, 0, NULL},
};

static int prepare(ws_memory_setup *s)
{
    const uint64_t size = s->values[SIZE], ways = s->values[WAYS], bytes = s->chip->part[s->part].bytes;
    const uint64_t least = (uint64_t)WS_RECENCY_LINE * s->chip->part[s->part].banks;
    int status = ws_memory_set_width(s, s->values[WIDTH]);
    if (!status && size > bytes)
        status = ws_fail(WS_EINPUT,
                         "shared: hybrid: size is %llu bytes, more than the %llu of shared memory of this machine",
                         (unsigned long long)size, (unsigned long long)bytes);
    if (!status && size % (WS_RECENCY_LINE * (s->values[RAM] ? 1 : ways)))
        status =
            ws_fail(WS_EINPUT, "shared: hybrid: size, %llu bytes, is no multiple of %llu ways of lines of %d bytes",
                    (unsigned long long)size, (unsigned long long)ways, WS_RECENCY_LINE);
    if (!status && size && size < least)
        status =
            ws_fail(WS_EINPUT, "shared: hybrid: size, %llu bytes, is less than a line for each of the %u banks, %llu",
                    (unsigned long long)size, s->chip->part[s->part].banks, (unsigned long long)least);
    if (!status && s->values[FINAL] && s->values[RAM])
        status = ws_fail(WS_EINPUT, "shared: hybrid: final requires a cache, but with ram the section is a memory");
    if (!status)
        status = ws_memory_magnetic(s);
    return status || !size ? status : ws_memory_section(s, size, s->values[RAM] ? 0 : (uint32_t)ways);
}

/* Of a launch, over all words that blocks read and write, and bits that change in the magnetic memory, over all bits
 * written. */
typedef struct section {
    double reads, writes; /* that the section serves */
    double given_up;      /* that leave it for the magnetic memory */
    double backs, bits;   /* of these written there, and their bits */
} section;

static section nothing(const ws_memory_setup *s, const ws_launch_values *v)
{
    return (section){.given_up = 1, .backs = 1, .bits = ws_memory_share_written(&v->shared, s->values[WIDTH])};
}

static section as_ram(const ws_memory_setup *s, const ws_memory_launch *l, double block_bytes)
{
    const double share = fmin(1, ws_memory_ratio((double)s->values[SIZE], block_bytes * l->residents));
    const section rest = nothing(s, l->values);
    return (section){
        .reads = share, .writes = share, .given_up = 1 - share, .backs = 1 - share, .bits = (1 - share) * rest.bits};
}

/* Bits written back by caches of one size come from write-backs that a cache twice as large does not make: those of the
 * bin between. */
static double bits_written_back(const ws_memory_setup *s, const ws_launch_values *v, const double *hits, double backs)
{
    if (!s->values[WIDTH])
        return backs;
    const unsigned width = (unsigned)__builtin_ctzll(s->values[WIDTH]);
    double before = (double)v->shared.written[width], sum = before;
    for (unsigned i = 0; i < WS_RECENCY_SIZES; i++) {
        const double now = (double)v->modified[i][width];
        sum -= (before - now) * hits[i];
        before = now;
    }
    return ws_memory_ratio(fmax(0, sum), (double)v->shared.bits);
}

static section as_cache(const ws_memory_setup *s, const ws_memory_launch *l)
{
    const ws_launch_values *const v = l->values;
    const uint64_t sets = s->values[SIZE] / WS_RECENCY_LINE / s->values[WAYS];
    double hits[WS_RECENCY_BINS], reads = 0, writes = 0, served = 0, given_up = 0, needed = 0;
    for (unsigned i = 0; i < WS_RECENCY_BINS; i++) {
        hits[i] = ws_memory_hits(i, l->residents, sets, s->values[WAYS]);
        reads += (double)v->recency.word_reads[i];
        writes += (double)v->recency.word_writes[i];
        served += (double)v->recency.word_reads[i] * hits[i];
        given_up += (double)v->recency.word_writes[i] * (1 - hits[i]) - (double)v->recency.word_ends[i] * hits[i];
        needed += (double)v->recency.word_needed[i] * (1 - hits[i]);
    }
    const double share = fmax(0, ws_memory_ratio(given_up, writes));
    const double kept = s->values[FINAL] ? fmin(1, ws_memory_ratio(needed, fmax(given_up, needed))) : 1;
    return (section){.reads = ws_memory_ratio(served, reads),
                     .writes = 1,
                     .given_up = share,
                     .backs = kept * share,
                     .bits = kept * bits_written_back(s, v, hits, share)};
}

/* Bytes that a block uses are those it writes, once each. */
static double bytes_of_block(const ws_launch_values *v)
{
    double words = 0;
    for (unsigned i = 0; i < WS_RECENCY_BINS; i++)
        words += (double)v->recency.word_ends[i];
    return ws_memory_ratio(words * WS_RECENCY_WORD, (double)v->blocks);
}

/* Lines whose tags are looked up, for a word that is written: one of those that an instruction's lanes write. */
static double lines_of_word(const ws_launch_values *v)
{
    double lines = 0, words = 0;
    for (unsigned i = 0; i < WS_RECENCY_BINS; i++) {
        lines += (double)v->recency.line_writes[i];
        words += (double)v->recency.word_writes[i];
    }
    return ws_memory_ratio(lines, words);
}

static bool is_off(const ws_memory_setup *s, const ws_memory_launch *l)
{
    const double writes = l->part[s->part].writes, all = writes + l->part[s->part].reads;
    return !s->values[SIZE] || (s->values[GATE] && !all) || writes * PERCENT < (double)s->values[GATE] * all;
}

static section section_of(const ws_memory_setup *s, const ws_memory_launch *l)
{
    return is_off(s, l)     ? nothing(s, l->values)
           : s->values[RAM] ? as_ram(s, l, bytes_of_block(l->values))
                            : as_cache(s, l);
}

/* The section takes the time of SRAM; what is written back, or goes past it, that of the magnetic memory. */
static void delays(const ws_memory_setup *s, const ws_memory_launch *l, ws_memory_delays *out)
{
    const section c = section_of(s, l);
    const double read = s->chip->part[s->part].read_cycles, write = s->chip->part[s->part].write_cycles;
    out->read_cycles = c.reads * read + (1 - c.reads) * s->read_cycles;
    out->busy_cycles =
        c.writes * ws_memory_busy(read, write) + c.given_up * ws_memory_busy(s->read_cycles, s->write_cycles);
}

static void add(const ws_memory_setup *s, const ws_memory_use *use, ws_memory_sum *sum)
{
    const ws_memory_launch *const l = use->launch;
    const ws_launch_values *const v = l->values;
    const bool off = is_off(s, l);
    const section c = section_of(s, l);
    const double lookup = off ? 0 : s->tag / WS_WARP; /* of a word that is read, as if a warp's were in one line */
    const double written = c.bits * s->write + (s->values[WIDTH] ? c.backs * s->compare : 0);
    const double word_j = s->chip->part[s->part].write_j;
    sum->read_j += l->part[s->part].read_j * (c.reads * s->section + (1 - c.reads) * s->read) +
                   l->part[s->part].reads * word_j * lookup;
    sum->write_j +=
        l->part[s->part].write_j * (c.writes * s->section + written + (off ? 0 : s->tag * lines_of_word(v)));
    sum->leakage_j += use->leakage_j * s->leakage + (off ? 0 : use->busy_leakage_j * s->section_leakage);
    sum->bits_written += l->part[s->part].writes * WS_MEMORY_WORD * c.bits;
    sum->cell_writes += l->part[s->part].writes * c.backs;
    sum->section_reads += l->part[s->part].reads * c.reads;
    sum->section_writes += l->part[s->part].writes * c.writes;
    sum->lookups +=
        off || s->values[RAM] ? 0 : l->part[s->part].reads / WS_WARP + l->part[s->part].writes * lines_of_word(v);
    sum->section_cycles += off ? 0 : use->busy_cycles;
    ws_memory_forgets(s, use, c.backs, sum);
    sum->wear += use->rounds * c.backs * (double)(s->values[WIDTH] ? v->hottest_word_changed : v->hottest_word);
}

const ws_memory_ops ws_memory_shared_hybrid = {
    .name = "hybrid", .part = WS_MEMORY_SHARED, .options = options, .prepare = prepare, .add = add, .delays = delays};
