/* cache_dacache.c - lines of old warps stay, so that their divergent loads find all lines or none.
 *
 * DaCache: Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn 2015, chapter 4. A
 * scheduler that prefers old warps says by a warp's rank how soon its lines are wanted again: lines of divergent loads
 * enter the chain by rank (equation 4.1), a hit moves a line a few positions, and only lines behind a partition are
 * given up; where none of these can go, the block is not kept, or the access waits. As many warps are protected as a
 * counter finds to be served whole (model/fcw.h). Coherent loads enter at the front when their instruction was seen to
 * use lines again in one warp, else at the end; who sees it are a cache of lines that the oldest warp lost and a table
 * of instructions.
 *
 * What the document leaves open, and is chosen here: a warp is protected when its rank in the SM is below the number of
 * protected warps; the last way is never protected, for else nothing could leave; how the detector learns
 * (`learn_of_coherent`). */
#include "model/cache/cache_internal.h"

#include "base/status.h"
#include "model/fcw.h"
#include "model/load_class.h"

enum {
    PROMOTE,
    CONSTRAINED,
    PROTECT,
    LEARN,
    COUNTER,
    MOST,
    SCHEDULERS,
    LANES,
    SMALL,
    DETECT,
    SAMPLES,
    VICTIMS,
    PROFILES,
    MISSED,
    OPTIONS
};
enum { FREELY, STALLS, BYPASSES }; /* constrained */
enum { MOST_VICTIMS = 64, MOST_PROFILES = 64 };

static const ws_option options[] = {
    [PROMOTE] = {"promote", "positions", 4, 0, 4096, "that a hit moves its line towards the front; 0: to the front"},
    [CONSTRAINED] = {"constrained", "", BYPASSES, FREELY, BYPASSES,
                     "0: any line may be evicted; 1: only lines beyond the partition, and an access without one "
                     "stalls; 2: its block is not cached"},
    [PROTECT] = {"protect", "warps", 4, 0, 64, "of an SM that are protected, at first or always"},
    [LEARN] = {"learn", "", 1, 0, 1, "1: that number follows the loads that are served whole; 0: it stays"},
    [COUNTER] = {"counter", "", 256, 2, 65536, "C_max, the upper end of the counter that it follows"},
    [MOST] = {"most", "warps", 48, 1, 64, "that may be protected"},
    [SCHEDULERS] = {"schedulers", "", 2, 1, 8, "warps of neighbouring ranks that share an insertion position"},
    [LANES] = {"lanes", "lines", 32, 1, 4096,
               "of a divergent load, assumed to be spread over all sets; more for an index that concentrates them"},
    [SMALL] = {"small", "lines", 5, 0, 65535, "a divergent load of at most this many enters at the front"},
    [DETECT] = {"detect", "", 1, 0, 1, "1: coherent loads without locality enter at the end; 0: all at the front"},
    [SAMPLES] = {"samples", "accesses", 64, 1, 65535,
                 "of the oldest warp without locality at which an instruction loses its locality"},
    [VICTIMS] = {"victims", "", 16, 1, MOST_VICTIMS, "entries of the cache of lines that were lost"},
    [PROFILES] = {"profiles", "", 32, 1, MOST_PROFILES, "entries of the table of instructions"},
    [MISSED] = {"missed", "", 1, 0, 1,
                "1: a divergent load that misses altogether lowers the counter; 0: only one that is served in part"},
    {NULL, NULL, 0, 0, 0, NULL},
};
_Static_assert((int)OPTIONS <= (int)WS_CACHE_OPTIONS, "options have room");

/* A line that the oldest warp lost. */
typedef struct victim {
    uint64_t tag, used; /* used: when; 0: the entry is free */
    uint32_t pc, padding;
} victim;

typedef enum locality { UNDECIDED, HAS, HAS_NOT } locality;

typedef struct profile {
    uint64_t used; /* 0: the entry is free */
    uint32_t pc;
    uint16_t samples;
    uint8_t locality, padding;
} profile;

typedef struct all {
    ws_fcw fcw;
    uint64_t now; /* of the detector: times that it looked something up */
    uint32_t pc;  /* of the load under way: its next access */
    uint16_t warp, next;
    uint16_t missed, found; /* 1: one of its accesses did */
    victim victim[MOST_VICTIMS];
    profile profile[MOST_PROFILES];
} all;

/* Of each line: who fetched it. */
typedef struct line {
    uint32_t pc;
    uint16_t warp;
    uint8_t sampled; /* by a coherent load of the oldest warp */
    uint8_t padding;
} line;

static line *line_at(const ws_cache_set *set, uint32_t way)
{
    return (line *)(void *)set->line + way;
}

/* --- Warps that are protected --- */

static ws_fcw_rule rule_of(const uint64_t *v)
{
    return (ws_fcw_rule){
        .most_count = (uint32_t)v[COUNTER], .first = (uint32_t)v[PROTECT], .least = 1, .most = (uint32_t)v[MOST]};
}

static uint32_t protects(const ws_cache_set *set)
{
    const ws_fcw_rule rule = rule_of(set->values);
    return ws_fcw_warps(&((const all *)set->shared)->fcw, &rule);
}

/* Ways in front of the partition. */
static uint32_t protected_ways(const ws_cache_set *set)
{
    if (set->values[CONSTRAINED] == FREELY)
        return 0;
    const uint32_t ways = ws_fcw_ways(protects(set), (uint32_t)set->values[LANES], set->sets, set->ways);
    return ways < set->ways ? ways : set->ways - 1;
}

/* Accesses of a load come one after the other. It leaves the memory stage when its last one was looked up, before a
 * line for that is placed. */
static void follow_load(const ws_cache_set *set, const ws_cache_use *use, bool missed)
{
    all *const a = set->shared;
    const ws_cache_who *const who = &use->who;
    if (use->kind != WS_CACHE_LOAD || ws_load_class_of(who->lines) != WS_LOAD_DIVERGENT)
        return;
    if (who->line == 0) {
        a->pc = who->pc;
        a->warp = use->warp;
        a->next = 0;
        a->missed = a->found = 0;
    }
    if (a->next != who->line || a->pc != who->pc || a->warp != use->warp)
        return;
    a->next++;
    a->missed |= missed;
    a->found |= !missed;
    if (a->next < who->lines || !set->values[LEARN] || (!set->values[MISSED] && !a->found))
        return;
    const ws_fcw_rule rule = rule_of(set->values);
    ws_fcw_learn(&a->fcw, &rule, who->rank, !a->missed);
}

/* --- Locality of coherent loads --- */

static profile *find_profile(const ws_cache_set *set, uint32_t pc)
{
    all *const a = set->shared;
    for (uint64_t i = 0; i < set->values[PROFILES]; i++)
        if (a->profile[i].used && a->profile[i].pc == pc)
            return &a->profile[i];
    return NULL;
}

/* The entry of the instruction, a new one in the place of that which was not used for longest. */
static profile *take_profile(const ws_cache_set *set, uint32_t pc)
{
    all *const a = set->shared;
    profile *entry = find_profile(set, pc);
    if (!entry) {
        entry = &a->profile[0];
        for (uint64_t i = 1; i < set->values[PROFILES]; i++)
            if (a->profile[i].used < entry->used)
                entry = &a->profile[i];
        *entry = (profile){.pc = pc};
    }
    entry->used = ++a->now;
    return entry;
}

static victim *find_victim(const ws_cache_set *set, uint64_t tag, uint32_t pc)
{
    all *const a = set->shared;
    for (uint64_t i = 0; i < set->values[VICTIMS]; i++)
        if (a->victim[i].used && a->victim[i].tag == tag && a->victim[i].pc == pc)
            return &a->victim[i];
    return NULL;
}

static void keep_victim(const ws_cache_set *set, uint64_t tag, uint32_t pc)
{
    all *const a = set->shared;
    victim *entry = find_victim(set, tag, pc);
    if (!entry) {
        entry = &a->victim[0];
        for (uint64_t i = 1; i < set->values[VICTIMS]; i++)
            if (a->victim[i].used < entry->used)
                entry = &a->victim[i];
    }
    *entry = (victim){.tag = tag, .used = ++a->now, .pc = pc};
}

/* The oldest warp's coherent loads alone are looked at. */
static bool is_sampled(const ws_cache_set *set, const ws_cache_use *use)
{
    return set->values[DETECT] && use->kind == WS_CACHE_LOAD && use->who.lines && !use->who.rank &&
           ws_load_class_of(use->who.lines) == WS_LOAD_COHERENT;
}

/* An instruction has locality as soon as it finds a line that it brought for the same warp, in the cache or among those
 * that were lost; it has none after so many accesses that did not. Then nothing of it is looked at any more. */
static void learn_of_coherent(const ws_cache_set *set, const ws_cache_use *use, bool again)
{
    profile *const entry = take_profile(set, use->who.pc);
    if (entry->locality != UNDECIDED)
        return;
    entry->samples++;
    if (again)
        entry->locality = HAS;
    else if (entry->samples >= set->values[SAMPLES])
        entry->locality = HAS_NOT;
}

/* --- Members of ws_cache_replacement --- */

static int configure(const uint64_t *values, uint32_t sets, uint32_t ways)
{
    (void)sets, (void)ways;
    if (!values[LEARN] || (values[PROTECT] && values[PROTECT] <= values[MOST]))
        return WS_OK;
    return ws_fail(WS_EINPUT, "protect is %llu, expected 1 to %llu, which is most, while learn is 1",
                   (unsigned long long)values[PROTECT], (unsigned long long)values[MOST]);
}

static void miss(const ws_cache_set *set, const ws_cache_use *use)
{
    follow_load(set, use, true);
    if (is_sampled(set, use))
        learn_of_coherent(set, use, find_victim(set, use->block + 1, use->who.pc) != NULL);
}

static uint32_t place_of(const ws_cache_set *set, const ws_cache_use *use)
{
    const uint64_t *const v = set->values;
    if (use->kind != WS_CACHE_LOAD || !use->who.lines)
        return 0;
    if (ws_load_class_of(use->who.lines) == WS_LOAD_COHERENT) {
        const profile *const entry = v[DETECT] ? find_profile(set, use->who.pc) : NULL;
        return entry && entry->locality == HAS_NOT ? set->ways : 0;
    }
    if (use->who.lines <= v[SMALL])
        return 0;
    if (use->who.rank >= protects(set))
        return set->ways;
    const uint64_t place = use->who.rank / v[SCHEDULERS] * v[SCHEDULERS] * v[LANES] / set->sets;
    return place < set->ways ? (uint32_t)place : set->ways;
}

static void insert(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    *line_at(set, way) = (line){.pc = use->who.pc, .warp = use->warp, .sampled = is_sampled(set, use)};
    ws_chain_put(set->chain, set->ways, way, place_of(set, use));
}

static void hit(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    const line *const l = line_at(set, way);
    follow_load(set, use, use->waits);
    if (is_sampled(set, use))
        learn_of_coherent(set, use, l->warp == use->warp && l->pc == use->who.pc);
    const uint64_t step = set->values[PROMOTE];
    const uint32_t at = set->chain[way];
    ws_chain_put(set->chain, set->ways, way, step && at > step ? (uint32_t)(at - step) : 0);
}

static uint32_t choose_victim(const ws_cache_set *set, const ws_cache_use *use)
{
    (void)use;
    const uint32_t way = ws_cache_last_unlocked(set, protected_ways(set));
    return way == WS_CACHE_NONE && set->values[CONSTRAINED] == BYPASSES ? WS_CACHE_BYPASS : way;
}

static void leave(const ws_cache_set *set, uint32_t way, ws_cache_end end)
{
    const line *const l = line_at(set, way);
    if (!end.replaced || !l->sampled)
        return;
    const profile *const entry = find_profile(set, l->pc);
    if (!entry || entry->locality == UNDECIDED)
        keep_victim(set, set->tag[way], l->pc);
}

const ws_cache_replacement ws_cache_replacement_dacache = {
    .name = "dacache",
    .summary =
        "as lru, but lines of divergent loads enter by the rank of their warp, and those of old warps are protected",
    .options = options,
    .configure = configure,
    .cache_bytes = sizeof(all),
    .line_bytes = sizeof(line),
    .chain = true,
    .bypasses = true,
    .miss = miss,
    .insert = insert,
    .hit = hit,
    .victim = choose_victim,
    .leave = leave,
    .protects = protects,
};
