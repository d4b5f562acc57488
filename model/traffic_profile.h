/* traffic_profile.h - profile of a launch for models of caches and coherence: a few kilobytes instead of a trace.
 *
 * Totals are machine-independent. Reuse in an L1 and the effect of coherence on copies depend on which blocks share an
 * SM and run concurrently. Both are therefore measured on a ladder of machines (SMs x resident blocks), in one order of
 * accesses (access_order.h), and a model uses the rungs around its machine. Each rung keeps reuse by distance in a set,
 * so one measurement serves L1s of all sizes. */
#ifndef WS_TRAFFIC_PROFILE_H
#define WS_TRAFFIC_PROFILE_H

#include "base/bytes.h"
#include "model/access_log.h"
#include "model/launch_values.h"
#include "model/launch_work.h"

/* Machine of the rungs. L1: 32 sets, with 4 ways for the L2 and for the clocks of warps; reuse in its sets is read at
 * all ways up to 32. L2: 1024 sets of 8 lines of 128 bytes (1 MB), write-back. Lease and spin of logical time: Tabbakh,
 * Qian, Annavaram, "G-TSC", 2018, and docs/coherence.md; without evictions from L2 no count depends on the lease. */
enum {
    WS_PROFILE_SETS = 32,
    WS_PROFILE_WAYS = 4,
    WS_PROFILE_DEPTH = 32, /* known lines of a set */
    WS_PROFILE_L2_SETS = 1024,
    WS_PROFILE_L2_WAYS = 8,
    WS_PROFILE_LEASE = 10,
    WS_PROFILE_SPIN = 100,
    /* The machine of the times is the configuration gtsc, as ws_closed_machine_of() converts it. Cycles: */
    WS_PROFILE_HIT_CYCLES = 1,
    WS_PROFILE_L2_CYCLES = 179,    /* from L1 to L2 and back, the whole line */
    WS_PROFILE_MEMORY_CYCLES = 38, /* added by memory if it must close a row */
    WS_PROFILE_FLIT_BYTES = 32,    /* of a network port, per cycle */
    WS_PROFILE_BLOCK_CYCLES = 5,   /* of a block in the network: 136 bytes */
    WS_PROFILE_SLICES = 8,         /* of L2, each with such a port */
    WS_PROFILE_STRIPE = 2,         /* consecutive lines in one slice */
    WS_PROFILE_MSHRS = 32,         /* outstanding reads of an SM */
    WS_PROFILE_TEXTURE_SETS = 4,
    WS_PROFILE_TEXTURE_WAYS = 24, /* texture cache of an SM, in lines of launch_work.h */
    WS_PROFILE_CONSTANT_SETS = 64,
    WS_PROFILE_CONSTANT_WAYS = 2,
    WS_PROFILE_CONSTANT_MSHRS = 2, /* constant cache of an SM */
    WS_PROFILE_HOP_CYCLES = 4,     /* of a flit in a mesh router and on its way to the next */
    WS_PROFILE_LEASES = 6,         /* physical leases: ws_profile_lease[] */
    WS_PROFILE_BINS = 11,          /* bins of distances: ws_profile_edge[]; the last is a miss on every machine */
    WS_PROFILE_SMS = 3,
    WS_PROFILE_RESIDENTS = 5, /* the ladder: ws_profile_sms[], ws_profile_residents[] */
    WS_PROFILE_RUNGS = WS_PROFILE_SMS * WS_PROFILE_RESIDENTS,
    WS_PROFILE_SECTOR = 32, /* bytes */
    WS_PROFILE_SLACKS = 9,  /* bins of cycles: ws_profile_slack[]; the last has no end */
    WS_PROFILE_SLICINGS = 7,
    WS_PROFILE_SLICES_MOST = 32, /* the last of ws_profile_slices[] */
    WS_PROFILE_WINDOW = 128,     /* requests: fewer than a byte counts */
    WS_PROFILE_BUFFERS = 12,     /* update buffers of SMs, by lines: ws_profile_buffer[]; the last keeps all */
    WS_PROFILE_FENCES = 2,       /* costs of fences: ws_profile_fence[] */
    WS_PROFILE_VERSION = 14,
};
/* Passes over a launch, each with its order. The first assumes memory that takes no time. The others order accesses by
 * one of the clocks of traffic_time.h: physical leases of ws_profile_lease[WS_PROFILE_PACE] with stores that do not
 * wait, and with stores that do; logical leases with stores that warps do not wait for, and with stores that they do;
 * copies that live until they are replaced or a fence ends them; and no copies. With fences wider than the block there
 * is one more pass for each cost of a fence, with copies that live until they are replaced. */
enum {
    WS_PASS_ORDER,
    WS_PASS_WEAK,
    WS_PASS_STRONG,
    WS_PASS_LOGIC,
    WS_PASS_SC,
    WS_PASS_PLAIN,
    WS_PASS_BARE,
    WS_PROFILE_PASSES,
    WS_PASS_FENCES = WS_PROFILE_PASSES,
    WS_PROFILE_PACE = 2
};
/* Clocks: each physical lease with stores that do not wait, and with stores that do; logical time; no leases, without
 * and with fences that end copies; no copies; owners of lines. */
enum {
    WS_CLOCK_WEAK,
    WS_CLOCK_STRONG = WS_PROFILE_LEASES,
    WS_CLOCK_RC = 2 * WS_PROFILE_LEASES,
    WS_CLOCK_SC,
    WS_CLOCK_PLAIN,
    WS_CLOCK_FENCED,
    WS_CLOCK_BARE,
    WS_CLOCK_OWN,
    WS_PROFILE_CLOCKS
};

/* Fences that take time: those of an SM in parallel, or one after the other. */
enum { WS_FENCE_BESIDE, WS_FENCE_TURNS, WS_FENCE_WAYS };

/* Messages for lines that have one owner or many readers (docs/coherence.md, MESI), with memory that takes no time and
 * with memory that does. */
typedef enum ws_owner_message {
    WS_OWNER_READ,
    WS_OWNER_OWN,
    WS_OWNER_PUT,
    WS_OWNER_TAKEN,
    WS_OWNER_NONE,
    WS_OWNER_CLEAN,
    WS_OWNER_DATA,
    WS_OWNER_FILL,
    WS_OWNER_FILL_OWN,
    WS_OWNER_GRANT,
    WS_OWNER_INVALIDATE,
    WS_OWNER_FETCH,
    WS_OWNER_MESSAGES
} ws_owner_message;
enum { WS_OWNER_AT_ONCE, WS_OWNER_LATE, WS_OWNER_ORDERS };

/* Logical time: with memory that takes no time; with stores in flight; and with warps that wait for their stores. */
enum { WS_LOGIC_ORDER, WS_LOGIC_RC, WS_LOGIC_SC, WS_PROFILE_LOGICS };

extern const uint32_t ws_profile_lease[WS_PROFILE_LEASES]; /* cycles */
extern const uint32_t ws_profile_buffer[WS_PROFILE_BUFFERS];
extern const uint32_t ws_profile_fence[WS_PROFILE_FENCES];     /* cycles */
extern const uint32_t ws_profile_slack[WS_PROFILE_SLACKS - 1]; /* bin i: cycles from slack[i-1] to slack[i] - 1 */
extern const uint32_t ws_profile_slices[WS_PROFILE_SLICINGS];
extern const uint32_t ws_profile_edge[WS_PROFILE_BINS - 1]; /* bin i: distance from edge[i-1] to edge[i] - 1 */
unsigned ws_profile_bin(uint32_t distance);
extern const uint32_t ws_profile_sms[WS_PROFILE_SMS], ws_profile_residents[WS_PROFILE_RESIDENTS];

/* Misses on present lines: none; in L1s with sectors (ws_reuse_bin.partial); in L1s whose stores evict the line
 * (stored); both. */
enum ws_group_misses { WS_GROUP_PARTIAL = 1, WS_GROUP_STORED = 2, WS_GROUP_MISSES = 4 };

/* Loads (without polls) whose line was used `bin` lines ago in its set, and their outcome under each protocol. */
typedef struct ws_reuse_bin {
    uint64_t loads[WS_PROFILE_PASSES];
    uint64_t partial; /* loads with a sector (WS_PROFILE_SECTOR) that no load has brought since the line came; with
                         memory that takes no time, as: */
    uint64_t stored;  /* loads of lines that the SM stored to since it last loaded them; */
    uint64_t sectors, new_sectors;        /* sectors of all loads; sectors new to the copy */
    uint64_t renewed[WS_PROFILE_LOGICS];  /* logical time: the copy had expired, its data were still valid */
    uint64_t refilled[WS_PROFILE_LOGICS]; /* expired or invalidated, with other data at L2 */
    uint64_t flushed;                     /* the SM executed a fence since the copy arrived */
    uint64_t flushed_late;                /* the same by the clock WS_CLOCK_FENCED */
    uint64_t aged[WS_PROFILE_LEASES];     /* physical time: the copy had expired */
    uint64_t gone[WS_PROFILE_LEASES]; /* the same if a store invalidates the copy of its SM and waits for all leases */
    uint64_t late[2 * WS_PROFILE_LEASES]; /* aged, followed by gone, with the time of memory */
} ws_reuse_bin;

/* Messages of accesses by the distance of their line: in L1s with more ways than that, in other L1s, and independent of
 * the ways. */
typedef struct ws_owner_counts {
    uint64_t near[WS_PROFILE_BINS][WS_OWNER_MESSAGES], far[WS_PROFILE_BINS][WS_OWNER_MESSAGES],
        always[WS_OWNER_MESSAGES];
    uint64_t cycles;
} ws_owner_counts;

/* One machine of the ladder. Times are cycles of SMs that issue an instruction a cycle and never wait, except late_. */
typedef struct ws_traffic_rung {
    uint64_t sms, residents;
    uint64_t cycles;
    uint64_t jumps;   /* stores and atomics that advanced their warp's clock */
    uint64_t last_ts; /* final logical time; it starts at 1 */
    uint64_t polls_renewed[WS_PROFILE_LOGICS];
    uint64_t l2_reads, l2_writes, l2_misses, writebacks; /* with an L1 of 4 ways */
    uint64_t fetch_misses[WS_LOG_FETCHED]; /* lines of textures and of constants missing in the caches of SMs */
    uint64_t lines;                        /* pairs of an SM and a line */
    uint64_t remote_loads;                 /* loads of a line that another SM last wrote in this launch */
    uint64_t young[WS_PROFILE_LEASES]; /* hits soon after the request for the copy: merged, if memory takes as long */
    uint64_t store_wait[WS_PROFILE_LEASES]; /* cycles that stores wait for the last lease */
    uint64_t fence_wait[WS_PROFILE_LEASES];
    uint64_t late_wait[2 * WS_PROFILE_LEASES]; /* cycles that fences wait, followed by those of stores */
    uint64_t late_cycles[WS_PROFILE_CLOCKS];   /* duration of the launch by each clock of traffic_time.h */
    uint64_t fence_cycles[WS_FENCE_WAYS][WS_PROFILE_FENCES]; /* added duration of the launch for each cost of a fence
                                                                wider than its block */
    uint64_t joined[WS_PROFILE_CLOCKS]; /* polls whose line is already in flight for another access: no separate read */
    ws_reuse_bin bin[WS_PROFILE_BINS];
    ws_owner_counts owner[WS_OWNER_ORDERS];
    /* Loads and atomics between which a warp waits for none are a group: it waits for all of them together. With memory
     * that takes no time: groups, by the longest distance among their loads (atomics: the last bin), with the misses of
     * ws_group_misses in that bin; groups with a line from memory; groups of L1s of 4 ways without a
     * miss, but with a line that another warp has asked for and still waits for; and groups by the warp's own cycles
     * from the last of its loads to the wait, see ws_profile_slack[]. */
    uint64_t groups[WS_GROUP_MISSES][WS_PROFILE_BINS], groups_far, groups_joined;
    uint64_t group_slack[WS_PROFILE_SLACKS];
    /* Requests of L1s of 4 ways to L2: loads that miss, stores, atomics. Of each WS_PROFILE_WINDOW consecutive ones
     * those of the busiest slice, if stripes of WS_PROFILE_STRIPE lines lie in ws_profile_slices[] slices in turn. */
    uint64_t requests, busiest[WS_PROFILE_SLICINGS];
    uint64_t held[WS_PROFILE_CLOCKS]; /* cycles that L1s block at lines with an outstanding store of the same warp */
    /* With memory that takes no time: updates of lines (update.h) that reach the buffers of SMs, hits of each buffer,
     * words sent by the buffers. */
    uint64_t update_requests, update_asked; /* update_asked: words of update_requests */
    uint64_t update_hits[WS_PROFILE_BUFFERS], update_words[WS_PROFILE_BUFFERS];
    /* The same with updates in lines of L1s together with data (update_lines.h): updates, by the most lines of the set
     * used since the last update of their line and operation; words that leave L1s of ws_profile_edge[] ways; loads, by
     * the lines of the set used since their data arrived, where updates bring no data, and where they do; updates, by
     * the lines used since their line was used: L1s of fewer ways fetch its data. */
    uint64_t beside_updates[WS_PROFILE_BINS], beside_words[WS_PROFILE_BINS - 1], beside_loads[2][WS_PROFILE_BINS],
        beside_fetches[WS_PROFILE_BINS];
} ws_traffic_rung;

typedef struct ws_traffic_profile {
    uint64_t blocks, warps_per_block, threads_per_block, registers, shared_bytes;
    uint64_t waits;                 /* 1: warps wait in a loop for writes of other threads, see collect/trace/waits.h */
    uint64_t kept_blocks;           /* first blocks of the launch, which the rungs cover, */
    uint64_t distinct_lines;        /* lines that their kept accesses touch, without local memory */
    uint64_t crowds[WS_LOG_CROWDS]; /* as in access_log.h */
    ws_log_totals total, kept;      /* of the launch; of the kept accesses */
    ws_launch_work work;            /* of the launch */
    ws_launch_values values;        /* of a sample of its blocks; without bits if values were not delivered */
    ws_traffic_rung rung[WS_PROFILE_RUNGS];
} ws_traffic_profile;

/* Writes a profile. All members are 64-bit numbers: runs of zeros take two bytes. */
void ws_traffic_profile_write(const ws_traffic_profile *profile, ws_bytes *out);
/* WS_EVERSION, WS_EINPUT. */
int ws_traffic_profile_read(const void *data, size_t length, ws_traffic_profile *out);

/* --- Measurement: one profiler for the launches of a program, in order; L2 keeps its lines between launches. --- */

typedef struct ws_profiler ws_profiler;

int ws_profiler_create(ws_profiler **out);
/* Sets the number of threads that ws_profiler_finish may use, at first 1; 0: one per processor. It changes no result.
 */
void ws_profiler_set_workers(ws_profiler *profiler, unsigned workers);
void ws_profiler_destroy(ws_profiler *profiler); /* accepts NULL */
/* Returns the sink for ws_run; owned by the profiler. */
const ws_sink *ws_profiler_sink(const ws_profiler *profiler);
/* Computes the profile at the end of a launch, from the merged state of its sink. */
int ws_profiler_finish(ws_profiler *profiler, const ws_launch *launch, const void *state, ws_traffic_profile *out);

/* --- One machine: the walk of the profiler for each rung. --- */

typedef struct ws_traffic_walk ws_traffic_walk;
/* Creates a walk. WS_EMEM; WS_EUNSUPPORTED for more than 64 SMs. */
int ws_traffic_walk_create(uint32_t sms, uint32_t residents, ws_traffic_walk **out);
void ws_traffic_walk_destroy(ws_traffic_walk *walk); /* accepts NULL */
/* Creates a walk that continues from the state of `from`, with more residents. */
int ws_traffic_walk_clone(const ws_traffic_walk *from, uint32_t residents, ws_traffic_walk **out);
int ws_traffic_walk_run(ws_traffic_walk *walk, const ws_access_log *log, ws_traffic_rung *out);

#endif
