/* simt_internal.h - shared declarations of the engine's files; private to collect/simt.
 *
 *   region.c         bounded address space for accesses; spans.c: its allocated ranges
 *   device_memory.c  the device's address space: allocations, look-ups, the device heap
 *   flow.c           control flow of a function: basic blocks, immediate post-dominators, liveness, register slots
 *   decode.c         decoding of one instruction to micro-operations (uops); decode_memory.c: memory instructions;
 *                    decode_place.c: places of operands; decode_kernel.c: a kernel and its callees
 *   warp.c           one warp: dispatch, calls;  stack.c: its SIMT stack
 *   access.c         loads, stores, atomics, with their checks;  access_level.c: their vector code
 *   exchange.c       shuffles, votes, packing and other uops across lanes or with special registers
 *   async.c          copies performed at the wait for them; mbarrier.c: barrier objects; see async_internal.h
 *   matrix_run.c     products of matrices, and their loads and stores; see matrix_internal.h
 *   texture.c        textures and surfaces, with texture_*.c and surface_run.c; see texture_internal.h
 *   checks.c         reports blocks' actions to the checkers of races, uninitialised reads and barriers
 * (collect/check); check_overlap.c: to the checker of launches and copies of other streams builtin.c        malloc,
 * free, __assertfail; device_print.c: vprintf; device_runtime.c, device_launch.c: functions of the CUDA device runtime;
 * see device_internal.h condition.c      conditions of graphs grids.c          queue of kernels' launches, in execution
 * order block.c          one block: warps, barriers, shared memory, event batches launch.c         one launch: workers,
 * order of blocks, ranges of sinks, faults, limits stepper.c        one launch step by step: the caller selects the
 * warp engine.c         the public interface */
#ifndef WS_SIMT_INTERNAL_H
#define WS_SIMT_INTERNAL_H

#include "base/bounds.h"
#include "base/status.h"
#include "collect/ptx/module.h"
#include "collect/check/checker.h"
#include "collect/simt/access_level.h"
#include "collect/simt/engine.h"
#include "collect/simt/lanes.h"
#include "collect/simt/region.h"
#include "collect/trace/fanout.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* ---- address space ------------------------------------------------------------------------------------------- */

/* Generic addresses below the device's memory: windows onto the per-block and per-thread spaces, and code. */
#define SHARED_WINDOW       0x01000000u
#define SHARED_WINDOW_BYTES 0x01000000u
#define LOCAL_WINDOW        0x02000000u
#define LOCAL_WINDOW_BYTES  0x04000000u
#define PARAM_WINDOW        0x06000000u
#define PARAM_WINDOW_BYTES  0x00100000u
#define FUNCTION_BASE       0x07000000u /* function pointer = FUNCTION_BASE + 16 * (index in the module) */
#define CONST_WINDOW_BYTES  0x00400000u /* from the start of device memory */
#define MEMORY_LOW_BASE     0x10000000u
#define MEMORY_BASE         0x200000000000u

enum {
    MAX_SHARED_BYTES = 1024 * 1024,        /* above any GPU's size; keeps shared offsets inside the window */
    MAX_LOCAL_BYTES = WS_LOCAL_BYTES_MOST, /* per thread; twice that of 32 lanes fits below SANDBOX_FENCE */
    MIN_CALL_DEPTH = 1024,                 /* call depth that functions may always reach */
    LEAST_FRAME_BYTES = 16,
    MAX_BLOCK_THREADS = 1024,
    BARRIERS = 17,
    CLUSTER_BARRIER = 16, /* barrier.cluster: the last one; programs number the others */
    MOST_CLUSTER_BLOCKS = 16,
    /* Bytes of the shared window for a block's own shared memory, and then for that of each block of its cluster. */
    CLUSTER_STRIDE = 0x80000,
    /* Warp instructions until the next warp's turn, in kernels whose warps may wait for each other; under a stepper,
       until the warp is tested for spinning. */
    WAITING_SLICE = 1024,
};

typedef struct memory memory;

int memory_create(uint64_t bytes, uint64_t heap_bytes, bool low, bool pages, memory **out);
void memory_destroy(memory *m);
int memory_alloc(memory *m, uint64_t bytes, uint64_t *address);
/* The same for .const variables, which have a separate window at the start of the region. */
int memory_alloc_const(memory *m, uint64_t bytes, uint64_t *address);
bool memory_is_const(const memory *m, uint64_t address);
int memory_free(memory *m, uint64_t address);
/* Conversion of checked device addresses to host addresses; not for registered memory (span.host), which keeps its
 * address. */
ground memory_ground(const memory *m);
int memory_register(memory *m, uint64_t address, uint64_t bytes, bool read_only);
int memory_unregister(memory *m, uint64_t address);
/* Finds the live allocation that contains address; false if none. Lock-free while kernels run (host calls are
 * excluded). */
bool memory_find(const memory *m, uint64_t address, span *out);
/* Returns whether bytes that are not all in one allocation are accessible as on a GPU. They must be in mapped pages,
 * outside the device heap, and without a byte of another allocation. A later allocation there still begins with zeros.
 * Thread-safe. */
bool memory_has_stray(memory *m, uint64_t address, uint64_t bytes);
/* Describes the memory at or near the address, for a fault message. */
void memory_describe(const memory *m, uint64_t address, uint64_t bytes, char *text, size_t size);
/* The same for a device, whose owner may know more. */
void engine_describe_device(const struct ws_device *device, uint64_t address, uint64_t bytes, char *text, size_t size);
#define MAPPED_TO_READ "the memory there may only be read"
uint64_t memory_used(const memory *m);
uint64_t memory_total(const memory *m);
/* Reserves the region of the device heap; before a launch that may call malloc. */
int memory_heap_prepare(memory *m);
/* Device heap (malloc and free of kernels); thread-safe. Returns 0 when it is full. */
int memory_heap_resize(memory *m, uint64_t bytes);
uint64_t memory_heap_size(const memory *m);
uint64_t memory_heap_alloc(memory *m, uint64_t bytes);
bool memory_heap_free(memory *m, uint64_t address);
/* Returns whether the address is in the heap's region. Spans inside it must not be cached, because they change while
 * kernels run. */
bool memory_heap_contains(const memory *m, uint64_t address);
bool memory_heap_find(memory *m, uint64_t address, span *out);

/* ---- control flow -------------------------------------------------------------------------------------------- */

#define FLOW_END UINT32_MAX

typedef struct flow {
    uint32_t blocks;
    uint32_t *start;      /* [blocks + 1] first instruction of each block; the last is insns */
    uint32_t *block_of;   /* [insns] */
    uint32_t *reconverge; /* [blocks] first instruction of the immediate post-dominator, or FLOW_END */
    uint32_t live_max;    /* largest number of 32-bit registers live at once (predicates excluded) */
    bool live_at_entry;   /* a register may be read before it is written */
    uint32_t *slot;       /* [regs] slot number within its class: 32-bit, 64-bit, predicate, 128-bit */
    uint32_t slots32, slots64, slots_pred, slots128;
} flow;

/* Analyses a function with a body. Free with flow_fini. */
int flow_init(flow *f, const ws_function *function);
void flow_fini(flow *f);

/* Calls see(context, reg, is_def) for every register that an instruction reads (uses) and writes (defs). */
void flow_operands(const ws_insn *insn, void (*see)(void *context, uint32_t reg, bool is_def), void *context);

/* ---- micro-operations ---------------------------------------------------------------------------------------- */

/* Place of an operand: two bits of bank, 30 bits of byte offset. */
typedef uint32_t place;
enum { BANK_FRAME, BANK_CONST, BANK_WARP, BANK_BLOCK, BANKS };
#define PLACE(bank, offset) (((uint32_t)(bank) << 30) | (uint32_t)(offset))
#define PLACE_BYTES         (1u << 30)           /* limit of a bank */
#define PLACE_NONE          PLACE(BANK_CONST, 0) /* the constant bank begins with 256 zero bytes */

/* Warp bank: identity vectors of the warp's lanes. Block bank: values uniform in the block. */
enum { WARP_TID = 0, WARP_WARPID = 3 * 128, WARP_BANK_BYTES = 4 * 128 };
enum {
    BLOCK_CTAID = 0,
    BLOCK_NTID = 3 * 128,
    BLOCK_NCTAID = 6 * 128,
    BLOCK_SMID = 9 * 128,
    BLOCK_NWARPID = 10 * 128,
    BLOCK_GRIDID = 11 * 128,
    BLOCK_DYNAMIC_SMEM = 12 * 128,
    BLOCK_TOTAL_SMEM = 13 * 128,
    BLOCK_ENVREG1 = 14 * 128, /* low, then high half of the grid barrier's address */
    BLOCK_ENVREG2 = 15 * 128,
    BLOCK_CLUSTERID = 16 * 128, /* from here on set only for kernels that read them (code.reads_cluster) */
    BLOCK_NCLUSTERID = 19 * 128,
    BLOCK_CLUSTER_CTAID = 22 * 128,
    BLOCK_CLUSTER_NCTAID = 25 * 128,
    BLOCK_CLUSTER_RANK = 28 * 128,
    BLOCK_CLUSTER_RANKS = 29 * 128,
    BLOCK_CLUSTER_EXPLICIT = 30 * 128, /* a predicate of each lane */
    BLOCK_BANK_BYTES = 31 * 128,
    SMS = 8, /* value of %nsmid; block i runs on SM i mod SMS, as the study's coalescing metrics assume */
};

typedef struct warp warp;
typedef struct block block;
typedef struct uop uop;
typedef struct code code;
typedef struct proc proc;

/* A uop other than arithmetic, executed for the lanes in exec. Returns false when the launch must stop (the block holds
 * the fault). */
typedef bool special_fn(warp *w, const uop *u, uint32_t exec);
/* A uop that is a whole instruction and emits its events; `active` are the lanes of the path. */
typedef bool access_fn(warp *w, const uop *u, uint32_t exec, uint32_t active);

typedef enum uop_kind {
    UOP_RUN,   /* header of a run of `extra` uops = `count` instructions, unguarded; mode: 1 lanes synchronise in it */
    UOP_LANES, /* inside a run, or guarded alone: fn(d, a, b, c, e, mask) */
    UOP_SPECIAL, /* inside a run, or guarded alone: special(w, u, exec) */
    UOP_GUARDED, /* header of a guarded instruction of `extra` uops; guard in a */
    UOP_MEMORY,  /* special() is the access; may be guarded */
    UOP_BRA,     /* target, reconverge; guard in a when guarded */
    UOP_BRX,
    UOP_CALL,
    UOP_RET,
    UOP_EXIT,
    UOP_BARRIER,
    UOP_TRAP,
    UOP_YIELD,  /* nanosleep and similar: counted, and then the warp's slice ends */
    UOP_ACCESS, /* executed by access(): textures, matrices, ...; may be guarded; mode: 1 lanes synchronise in it */
} uop_kind;

/* MEM_COPY: the source of a copy; MEM_COPY_TO: its destination. */
typedef enum memory_op { MEM_LOAD, MEM_STORE, MEM_ATOMIC, MEM_COPY, MEM_COPY_TO } memory_op;

/* Facts of a memory uop outside its hot fields. */
typedef struct mem_access {
    uint8_t space;        /* ws_space as written */
    uint8_t op;           /* memory_op */
    uint8_t bytes;        /* per element */
    uint8_t vec;          /* elements */
    uint8_t sign;         /* loads: sign-extend to the register */
    uint8_t wide;         /* registers are 64-bit */
    uint8_t type;         /* ws_type of an element (atomics) */
    uint8_t sub;          /* ws_sub of an atomic */
    uint8_t base_wide;    /* address register is 64-bit */
    uint8_t returns;      /* atomics: old value is used */
    uint8_t synchronises; /* volatile, ordered or past L1: prevent reordering by compilers and processors */
    uint8_t kernel_param; /* in the kernel's parameter block, not in the frame's parameter area */
    uint8_t data_wide[8]; /* registers of data[i] are 64-bit */
    int64_t offset;       /* added to the base */
    place base;           /* address register or constant vector */
    place data[8];        /* destination or source registers */
    place compare, value; /* atomics: value is the operand b, compare the operand of cas */
    place element[8];     /* atomics on vectors: values */
    bool sink[8];         /* vector loads: element '_' */
    uint16_t number[8];   /* vector loads: register numbers */
    ws_lanes_fn *combine; /* atomics on small floats: the arithmetic, one lane at a time */
    uint32_t cache;       /* index of the per-worker span cache */
} mem_access;

typedef struct call_site {
    int32_t callee;  /* proc index, -1: by register (target place), -2: builtin */
    uint8_t builtin; /* enum builtin */
    uint8_t target_wide;
    place target;
    const ws_insn *insn;
    uint32_t args, rets;
    struct call_value *arg, *ret;
} call_site;

/* An argument or result at a call site: bytes of the caller's parameter area, or a register. */
typedef struct call_value {
    bool is_reg;
    bool wide;              /* 64-bit register or constant */
    bool predicate;         /* a predicate register, passed as a byte of 0 or 1 */
    place reg;              /* register or constant */
    uint32_t offset, bytes; /* in the caller's parameter area */
    bool on_stack;          /* formal parameters: their address is taken, so they are in local memory, at `local` */
    uint32_t local;         /* offset in the function's local variables */
} call_value;

struct uop {
    union {
        ws_lanes_fn *fn;
        special_fn *special;
        access_fn *access;
    };
    place d, a, b, c, e;
    uint32_t pc;     /* index in the launch's instruction table */
    uint32_t target; /* branches: uop index; RUN, GUARDED: first uop after */
    uint32_t extra;  /* branches: uop index of the reconvergence point or FLOW_END; RUN, GUARDED: uops in it */
    uint16_t count;  /* RUN: instructions; BARRIER: 1 all lanes of the warp must arrive together */
    uint8_t kind;
    uint8_t
        guard; /* 0 none, 1 @p, 2 @!p; the predicate is in `a` for BRA, RET, EXIT, TRAP, GUARDED, in `e` otherwise */
    uint8_t dst_bits; /* for value sinks: 32, 64, or 0 when the destination is not a reported register */
    uint8_t mode;     /* specials: small selector */
    uint8_t mode2;
    uint8_t wide;
    uint16_t dst_reg; /* register number for value sinks */
    const void *info; /* access, call_site, table of targets, list of places ... in the code's arena */
};

/* A decoded function. */
struct proc {
    const ws_function *function;
    uint32_t entry;       /* uop index */
    uint32_t first_pc;    /* index of its first instruction in the table */
    uint32_t frame_bytes; /* registers and temporaries */
    uint32_t param_bytes; /* parameter area per lane: formals, results, call-site parameters */
    uint32_t local_bytes; /* .local variables per lane */
    uint32_t formal_args, formal_rets;
    call_value *arg, *ret; /* places of formals in this proc's own area */
    uint32_t live_max;
    bool zero_frame; /* some register may be read before it is written: frames are zeroed */
};

/* A shared variable, for messages. */
typedef struct shared_name {
    const char *name;
    uint32_t offset, bytes; /* bytes 0: the dynamic part, to the end */
} shared_name;

typedef struct code_function {
    uint32_t index, proc; /* of the function in the module; in code->proc */
} code_function;

/* A kernel, ready to run. */
struct code {
    uop *uop;
    uint32_t uops, uop_capacity;
    ws_instr *instr;
    uint32_t instrs;
    ws_code *listing;  /* operands of the instructions */
    ws_origin *origin; /* source locations of the instructions */
    proc *proc;
    uint32_t procs;
    unsigned char *constants; /* the constant bank */
    uint32_t constant_bytes, constant_capacity;
    uint32_t caches;       /* number of span caches used by memory uops */
    bool reads_cluster;    /* special registers of clusters */
    bool waits;            /* has instructions by which blocks or warps can wait for each other */
    const uint8_t *copies; /* [instrs] copies; check_copies.c; NULL: not yet computed */
    shared_name *shared;   /* [shareds] */
    uint32_t shareds;
    code_function *by_function; /* [procs] sorted, for code_find */
    ws_arena *arena;
};

struct ws_kernel {
    ws_image *image;
    const ws_function *function;
    code code;
    uint32_t registers, shared_bytes, local_bytes, const_bytes;
    bool mallocs; /* calls malloc: needs the device heap */
    bool ordered; /* calls functions of the device runtime whose result depends on earlier callers */
    bool noted;   /* the receiver of notes has been notified */
};

struct ws_image {
    ws_device *device;
    const ws_module *module;
    uint64_t *address;  /* [module->vars] device address of global and const variables, handle of textures */
    ws_kernel **kernel; /* [module->functions] decoded kernels, NULL for the others */
    ws_image *next;
};

struct ws_device {
    memory *memory;
    sandbox sandbox; /* shared memory, local memory and parameters of running blocks */
    unsigned workers, call_depth;
    FILE *print;
    pthread_mutex_t print_lock;
    struct device_printing {
        uint64_t bytes, used; /* size of the FIFO; bytes used by the launch, including nested launches */
        uint64_t lost;        /* lost calls, over all launches */
        bool is_full;         /* later output of the launch is lost */
        char *text;           /* [capacity]: output of one call */
        size_t capacity;
    } printing;
    ws_image *images;
    struct texture **texture; /* by handle; NULL for destroyed ones */
    uint32_t textures, texture_capacity;
    uint32_t pending_launches;               /* limit of pending launches by kernels */
    uint32_t sync_depth;                     /* levels of grids in which threads may wait for their launches */
    const struct ws_device_answers *answers; /* NULL: no provider */
    struct device_condition *condition;      /* [conditions] of graphs */
    uint32_t conditions, condition_room;
    struct device_text *texts; /* results of cudaGetErrorString */
    ws_note_fn *note;          /* NULL: no receiver */
    void *note_context;
    ws_checker *checker; /* NULL: no checks */
};

/* Values from BUILTIN_DEVICE on: rows of device_runtime.def. */
enum builtin { BUILTIN_NONE, BUILTIN_VPRINTF, BUILTIN_MALLOC, BUILTIN_FREE, BUILTIN_ASSERTFAIL, BUILTIN_DEVICE };
/* Returns the engine's own function of that name, or BUILTIN_NONE. */
enum builtin builtin_find(const char *name);
bool builtin_call(warp *w, const uop *u, uint32_t exec);
bool builtin_is_ordered(enum builtin builtin); /* its result depends on earlier callers */
bool builtin_needs_heap(enum builtin builtin);

/* Decodes a kernel and everything it may call. WS_EUNSUPPORTED names the instruction. */
int kernel_code_build(ws_kernel *kernel);
void kernel_code_fini(code *c);
/* Returns the function of that index in the module; NULL if the kernel cannot call it. */
const proc *kernel_code_find(const code *c, uint32_t function);

/* ---- execution ----------------------------------------------------------------------------------------------- */

typedef struct path {
    uint32_t pc;  /* next uop */
    uint32_t end; /* uop at which the path ends (its reconvergence point), or FLOW_END */
    uint32_t mask;
    uint32_t branch; /* pc (table index) of the branch of the section that this entry closes; valid when open */
    uint64_t since;  /* the warp's instruction count when the section opened */
    uint16_t level;  /* number of open sections around it: groups of sides of one section share a level */
    bool open;       /* waits at `pc` for the sides above it */
    bool side;       /* first entry of one side of the section below */
    bool forced;     /* section made by the scheduler, not by a branch: not reported */
    bool blocked;    /* its lanes wait at a barrier for others of the warp that may still arrive */
    bool meets;      /* blocked while it waits for lanes separated by stack_release */
    bool met;        /* its next synchronising uop may run without another check */
} path;

typedef struct frame {
    const proc *proc;
    unsigned char *regs; /* frame_bytes, 64-byte aligned; reused for the next frame of this depth */
    uint32_t regs_capacity;
    unsigned char *param; /* param_bytes * 32, lane after lane; in the sandbox */
    uint32_t param_capacity;
    uint32_t local_base; /* offset of its .local variables in each thread's local memory */
    uint32_t stack_base; /* its first path */
    uint32_t mask;       /* calling lanes */
    const uop *call;     /* call site, NULL in the kernel */
    uint32_t pending;    /* indirect calls: lanes that have not called yet */
} frame;

/* Last value seen by an access that may be polled. */
typedef struct poll {
    const uop *at;
    uint64_t seen;
} poll;
enum { POLLS = 8 };

typedef enum warp_state { WARP_READY, WARP_BARRIER, WARP_DONE, WARP_FAULT } warp_state;

struct warp {
    ws_mask mask; /* lanes of the running path */
    unsigned char *bank[BANKS];
    block *block;
    path *path;
    uint32_t paths, path_capacity;
    frame *frame; /* grown */
    uint32_t frames, frame_capacity;
    unsigned char *local; /* 32 * local_capacity, in the sandbox */
    uint32_t local_capacity, local_used;
    uint32_t live;  /* lanes not exited */
    uint32_t index; /* in its block */
    uint64_t instructions;
    uint64_t step_limit; /* instruction count at which its slice ends, under a stepper or when it runs to stores */
    uint32_t depth;
    uint64_t stuck_since;          /* instruction count when it was last converged, or another path was last released */
    uint64_t slept;                /* nanoseconds of sleep, included in its clocks */
    struct poll poll[POLLS];       /* values seen by accesses that may poll, in divergent code; */
    uint32_t vain;                 /* ... number of latest ones that saw an unchanged value */
    uint64_t spin_hash;            /* hash of the registers at the end of a slice in divergent code, */
    uint32_t spin_pc, spin_frames; /* ... and the place of the warp then */
    uint32_t forced;               /* open sections made by stack_release */
    uint32_t turn;                 /* alternates between two remedies for lanes that wait for each other */
    warp_state state;
    bool gave_way;       /* is before a store at which it has let other warps of its block go first */
    bool yields;         /* the access that just ran polls in vain: the slice ends */
    const uop *waits_at; /* mbarrier.try_wait that failed, without a success since; */
    uint32_t waits_lane, waits_object;
    uint32_t waits_lanes, waits_parity; /* lanes that wait for this object, and for which phases; */
    bool phase_ended;                   /* ... the phase has ended, even if the next one has also ended */
    uint64_t waits_since;               /* ... and the time of that */
    struct async_state *async;          /* async.c; NULL without asynchronous copies */
    const uop *barrier;                 /* bar.red that waits for its result */
    int *device_error;                  /* [32] last error of the device runtime; NULL: none in any lane */
    _Alignas(64) unsigned char identity[WARP_BANK_BYTES];
};

typedef struct barrier {
    uint32_t *arrived;    /* [warps] lanes that arrived in this phase */
    uint32_t *waiting;    /* [warps] arrived lanes that wait */
    uint32_t expected;    /* threads, in whole warps; 0: the whole block */
    uint32_t ayes, votes; /* bar.red: lanes with a true predicate, lanes that voted */
} barrier;

typedef struct launch launch;

/* Completed accesses of a launch that a GPU treats otherwise, by lanes. */
typedef struct access_count {
    _Atomic uint64_t accesses;
    _Atomic uint64_t block; /* lowest block with such an access; UINT64_MAX */
    char *first;            /* description of its first one */
} access_count;

enum { BATCH_EVENTS = 512 };

/* checks.c: reports warps' actions to a checker (collect/check/checker.h). Except for the functions of blocks, call
 * these only where b->checks is set. */
/* check_alike.c: a description of an access, equal for all accesses that differ only in a constant of the address; and
 * that constant. Returns false for an address without a per-thread part. */
bool check_alike_words(const code *c, uint32_t pc, char *text, size_t size, uint64_t *constant);

/* check_copies.c: loads whose values are only stored: to shared and local memory alone (kept), or also elsewhere
 * (given). */
enum { COPY_NONE, COPY_KEPT, COPY_GIVEN };
const uint8_t *check_copies(code *c); /* [instrs]; NULL: no memory */
bool checks_wanted(const struct ws_device *device);
/* check_overlap.c: other streams. */
struct ws_race_access;
void check_overlap_begin(launch *l);
void check_overlap_see(const warp *w, const struct ws_race_access *a, uint64_t address, unsigned bytes);
/* Text such as "race.cu:28", or the line of the PTX; "write"; "block (0,0,0), thread (33,0,0)"; "byte 4 of `x`". */
void checks_place_words(const code *c, uint32_t pc, char *text, size_t size);
const char *checks_access_word(const code *c, uint32_t pc, bool writes);
void checks_thread_words(const uint32_t grid[3], const uint32_t dim[3], uint64_t index, uint32_t thread, char *text,
                         size_t size);
void checks_global_words(const struct ws_device *device, uint64_t address, char *text, size_t size);
void checks_begin(launch *l);
void checks_end(launch *l);               /* reports findings */
bool checks_block_begin(struct block *b); /* false: memory is short, which is recorded */
void checks_block_end(struct block *b);
void checks_block_destroy(struct block *b);
/* A lane's access, reported before it executes if it only reads. address: as in events. */
typedef struct checked_access {
    bool reads, writes, changes;
    uint8_t element; /* bytes of an element of a vector; 0: a single element */
    uint8_t reach;   /* ws_race_reach */
} checked_access;
void checks_see(warp *w, const uop *u, ws_space space, unsigned lane, uint64_t address, unsigned bytes,
                const checked_access *how);
void checks_wrote(warp *w, ws_space space, unsigned lane, uint64_t address, uint64_t bytes);
void checks_frame(warp *w, uint32_t from, uint32_t bytes); /* local memory of a function that begins: uninitialised */
void checks_wrote_generic(warp *w, unsigned lane, uint64_t address, uint64_t bytes);
void checks_lanes(const warp *w, const uop *u, ws_space space, unsigned lane, unsigned other, uint64_t address);
void checks_heap(const warp *w, uint64_t address, uint64_t bytes);
/* Effects of an atomic, volatile or ordered access on the order, before and after it. */
uint8_t checks_reach(const warp *w, const uop *u, bool strong);
void checks_order_before(const warp *w, const uop *u, bool shared, uint32_t lanes, const uint64_t *address, bool reads);
void checks_order_after(const warp *w, const uop *u, bool shared, uint32_t lanes, const uint64_t *address);
void checks_fence(const warp *w, const uop *u);
void checks_object(warp *w, uint32_t offset);
/* Completes a lane's asynchronous copy to shared memory: bytes from `from` (NULL: zeros). */
void checks_copied(warp *w, const uop *u, unsigned lane, uint32_t to, const unsigned char *from, unsigned bytes);
void checks_arrive(const warp *w, unsigned number);
void checks_pass(const struct block *b, uint32_t index, unsigned number);
void checks_close(const struct block *b, unsigned number);
void checks_aligned(const warp *w, const uop *u, uint32_t exec);
void checks_misused(const warp *w, const uop *u, unsigned lane, const char *what);
void checks_deadlock(const struct block *b, const warp *w, unsigned lane, unsigned number);
void checks_mask(const warp *w, const uop *u, const void *meets, const uint32_t *members, uint32_t exec);
void checks_settle(const warp *w, uint32_t lanes);
void checks_source(const warp *w, const uop *u, unsigned lane, unsigned source);
/* Device memory allocated to a thread during a launch: its earlier accesses are irrelevant. */
void checks_given(const struct ws_device *device, uint64_t address, uint64_t bytes);
void checks_freed(struct ws_device *device, uint64_t address);

typedef struct worker {
    launch *launch;
    span *cache;       /* [code.caches] */
    ws_event *event;   /* [BATCH_EVENTS]; this and the following members are lent to the running block */
    uint64_t *address; /* [BATCH_EVENTS * 32 * WS_EVENT_ADDRESSES] */
    uint64_t *scratch; /* [4 * 32] */
    uint64_t thread_instructions, warp_instructions, reported, device_bytes, device_waits;
    uint64_t failed_swaps; /* lanes of compare-and-swaps of global memory that found an unexpected value */
    struct block *spare;   /* finished blocks for reuse */
    pthread_t thread;
    unsigned index;
} worker;

/* Blocks that one worker runs in turns, so they need no locks against each other. */
typedef struct cluster {
    struct block *block[MOST_CLUSTER_BLOCKS]; /* by rank */
    uint32_t blocks, live;
    uint64_t number;               /* in the grid of clusters */
    uint32_t rounds, stuck_rounds; /* as in struct block, of all blocks together */
    struct cluster *next;          /* in a queue */
} cluster;

struct block {
    launch *launch;
    worker *worker; /* the one that runs it now */
    uint64_t index;
    uint64_t order;   /* for faults, of which the lowest is kept: the block's number, or that of its cluster */
    cluster *cluster; /* NULL: a cluster of one block */
    uint32_t rank;    /* in the cluster */
    bool ended;       /* of a cluster's block: all its threads have exited */
    uint32_t ctaid[3];
    warp *warp; /* [warps] */
    uint32_t warps, live_warps;
    unsigned char *shared; /* in the sandbox */
    uint32_t shared_bytes;
    barrier barrier[BARRIERS];
    uint32_t open_barriers; /* bits: barriers at which lanes have arrived in this phase */
    ws_range *range;
    bool sampled;                /* reports values to sinks */
    bool careful;                /* no fast paths of loads and stores: sampled or checked */
    struct block_checks *checks; /* NULL: no checks */
    unsigned wants;              /* event kinds wanted by some sink */
    ws_event *event;             /* the worker's */
    uint64_t *address;
    uint32_t events, addresses;
    uint32_t told;                   /* events of this step already delivered to sinks; in a block under a stepper */
    bool stepped;                    /* its events remain until the next step */
    int status;                      /* WS_OK, or the reason of its end */
    char *fault;                     /* message, owned */
    struct object_copy *object_copy; /* async.c: bulk copies with a wait on an mbarrier object */
    uint32_t object_copies, object_capacity;
    bool objects_changed;  /* an mbarrier object changed in this turn */
    uint32_t stuck_rounds; /* turns in which warps only waited for such objects */
    uint32_t rounds;       /* turns with instructions but without other progress */
    bool progress;         /* a barrier opened or a warp ended in this turn */
    bool started;
    struct block *next; /* in a queue */
    uint64_t *scratch;  /* the worker's, for the addresses of one access */
    _Alignas(64) unsigned char identity[BLOCK_BANK_BYTES];
};

struct launch {
    ws_kernel *kernel;
    const code *code;
    const ws_run *run;
    ws_launch facts;
    ws_device *device;
    ws_fanout *fanout;
    unsigned wants, workers;
    unsigned char *params; /* a copy in the sandbox */
    ground ground;         /* of device memory */
    const access_level *level;
    const struct ws_stepper_clock *clock; /* NULL: clocks count instructions */
    const struct ws_stepper_watch *watch; /* NULL: only sinks receive values */
    uint64_t grid_barrier;                /* device address of the grid barrier of a cooperative launch, or 0 */
    ws_grids *grids;                      /* receives launches made by the kernel; NULL if it launches none */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t next_block;            /* first block that no worker has taken */
    block *waiting, **waiting_tail; /* suspended blocks, first in first out */
    uint32_t cluster[3];            /* blocks of a cluster, */
    uint32_t cluster_blocks;        /* ... in all, */
    bool has_cluster_size;          /* ... which the kernel or the launch gives */
    struct cluster *waiting_cluster, **waiting_cluster_tail;
    uint64_t resident, done;
    bool prefer_new;
    _Atomic uint64_t instructions;
    _Atomic uint64_t fault_block;    /* lowest block with a fault; UINT64_MAX */
    _Atomic int stop;                /* status that ends the launch at once, or 0 */
    access_count strays, misaligned; /* accesses outside allocations, and misaligned ones */
    int status;
    char *message;
    char *note;               /* NULL: no note, or reported after an earlier launch */
    uint64_t note_block;      /* lowest block with a note */
    bool checks, sees, races; /* the launch is checked; memory accesses are checked; races are checked */
    uint32_t actor;           /* of collect/check/overlap.h, to compare with other streams; 0: not compared */
    double begin;             /* in seconds, of the opening thread */
};

/* engine.c: checks and prepares a launch with its sinks; after a failure, close is not needed. `run` must outlive the
 * launch. */
int engine_open_launch(launch *l, ws_kernel *kernel, const ws_run *run);
/* Delivers the sinks' states if `status` is WS_OK, and frees the launch's resources. Returns the status. */
int engine_close_launch(launch *l, int status, ws_run_result *result);
/* launch.c: resources of a worker to run blocks. Call worker_fini also after a failure, which means that memory is
 * short. */
bool launch_worker_init(worker *k, launch *l, unsigned index);
void launch_worker_fini(worker *k);
/* Runs the blocks of a prepared launch. */
int launch_run(launch *l, ws_run_result *result);
/* Called between two turns of a block: counts instructions, calls progress, and returns whether the block may continue.
 */
bool launch_may_go_on(block *b);

/* block.c */
block *block_create(launch *l, worker *k);
int block_start(block *b, uint64_t index);
void block_destroy(block *b);
typedef enum block_outcome { BLOCK_DONE, BLOCK_YIELDS, BLOCK_FAILED } block_outcome;
block_outcome block_run(block *b);
/* One turn of all warps of a cluster's block. *ran: a warp could; *stuck: those only asked mbarrier objects in vain. */
block_outcome block_take_turn(block *b, bool *ran, bool *stuck);
void block_let_time_pass(block *b, uint32_t stuck_rounds);
bool block_fail_stuck(block *b); /* its warps wait for mbarrier objects: records one and its place, as a fault */
enum {
    ROUNDS_BEFORE_YIELD = 16, /* turns of all warps before a waiting block lets another one run for the first time */
    STUCK_ROUNDS = 1 << 16,   /* turns of all warps that only ask mbarrier objects in vain, before that is a deadlock */
};
void block_deadlock(block *b); /* no warp of the block can run: records each waiting warp and its place, as a fault */
bool block_flush(block *b);
/* Delivers previous and new values of a register or a word of shared memory to the observers of this block
 * (b->sampled). */
bool block_values(block *b, const ws_value *value);
const char *block_file(const code *c, uint32_t pc); /* file of an instruction's text */
/* Records a fault of the running warp: kernel, place, thread and reason. Returns false. */
bool block_fault(warp *w, const uop *u, uint32_t lane, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Records an error that GPUs tolerate. The launch reports it at its end, once per kernel, in the form of a fault. */
void block_note(warp *w, const uop *u, uint32_t lane, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Counts completed accesses by `lanes` lanes of the launch, and records the first, which is that of `lane`. */
void block_count(warp *w, const uop *u, access_count *c, uint32_t lane, unsigned lanes, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
bool block_fail(block *b, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Executes a barrier instruction of the running path, whose pc is already behind it. Returns false after a fault.
 * *wait: the path's lanes must wait (they are marked blocked). */
bool block_barrier_arrive(warp *w, const uop *u, uint32_t exec, bool *wait);
void block_barrier_leave(block *b); /* lanes exited: barriers for all threads may be complete now */

/* cluster.c: the same for launches whose clusters have several blocks. */
void cluster_work(worker *k);
bool launch_attach_cluster(launch *l, worker *k, block *b); /* launch.c: a range of the sinks, of this block alone */
bool launch_finish_cluster(launch *l, block *b, bool done);
cluster *launch_next_cluster(launch *l, worker *k);
void launch_put_cluster_aside(launch *l, cluster *c);
void launch_fail_cluster(launch *l, block *b);
void launch_retire_cluster(launch *l, worker *k, cluster *c);

/* The block whose shared memory an offset in the shared window is in, and the offset there; NULL: the cluster has none
 * of that rank. */
static inline block *cluster_owner(block *b, uint64_t *offset)
{
    if (*offset < CLUSTER_STRIDE || !b->cluster)
        return b;
    const uint64_t rank = *offset / CLUSTER_STRIDE - 1;
    if (rank >= b->cluster->blocks)
        return NULL;
    *offset %= CLUSTER_STRIDE;
    return b->cluster->block[rank];
}

/* The block that holds resolved shared memory. */
static inline block *cluster_holder(block *b, const unsigned char *host)
{
    for (uint32_t i = 0; b->cluster && i < b->cluster->blocks; i++)
        if ((uintptr_t)host - (uintptr_t)b->cluster->block[i]->shared < b->shared_bytes)
            return b->cluster->block[i];
    return b;
}

/* async.c, for warps and blocks */
void async_start(warp *w);
void async_fini(warp *w);
void async_finish(warp *w, uint32_t lanes); /* all copies of these lanes are complete: they exit */
/* mbarrier.c: describes the object that the warp waits for. */
void mbarrier_describe(const warp *w, char *text, size_t size);

/* warp.c */
int warp_start(warp *w, uint32_t lanes); /* at the kernel's first instruction */
void warp_run(warp *w, uint64_t slice);
/* The same, but stops once before a store visible to other warps; the warp has then given way. */
void warp_run_to_store(warp *w, uint64_t slice);
/* Returns whether the path spins: its place and registers are the same as at the last call. */
bool warp_spins(warp *w);
/* Records the result of a polling access by lanes in divergent code: a hash of addresses and values. */
void warp_polled(warp *w, const uop *u, uint64_t seen);
/* Executes a run of arithmetic or one other instruction; none if the warp only waits, ends or changes paths. */
void warp_step(warp *w);
void warp_fini(warp *w);

/* stack.c */
void stack_push(warp *w, path p);
void stack_load(warp *w); /* makes the top path the running one: mask, depth */
void stack_diverge(warp *w, const uop *u, uint32_t taken, uint32_t fallthrough);
void stack_switch(warp *w, const uint32_t *target, const uint32_t *mask, uint32_t n, const uop *u, uint32_t resume);
void stack_remove(warp *w, uint32_t lanes, uint32_t base); /* lanes left (exit, ret): removes them from paths >= base */
bool stack_settle(warp *w, uint32_t base); /* removes finished paths; false if none remains above base */
bool stack_rotate(warp *w);                /* runs the side that has waited longest, if possible; false: none */
bool stack_release(warp *w);               /* lets lanes that wait for reconvergence continue; false: none wait */
bool stack_unblock(warp *w);               /* the top path is blocked: moves a runnable one to the top; false: none */
/* The top path is at a place where lanes separated by stack_release meet. Merges the lanes that have arrived. Returns
 * true when all lanes of the function are present. Otherwise the path is blocked until the others arrive or end. */
bool stack_meet(warp *w);

/* Events */
static inline ws_event *block_event(block *b)
{
    if (__builtin_expect(b->events == BATCH_EVENTS, 0) && !block_flush(b))
        return NULL;
    return &b->event[b->events++];
}

static inline void *place_pointer(const warp *w, place p)
{
    return w->bank[p >> 30] + (p & 0x3fffffff);
}

/* Four lanes at a time: every machine has such vectors, and few machines with small vectors can shift by lane. */
static inline void mask_set(ws_mask *m, uint32_t bits)
{
    typedef int32_t four __attribute__((vector_size(16), may_alias));
    if (m->bits == bits)
        return;
    m->bits = bits;
    const four all = {(int32_t)bits, (int32_t)bits, (int32_t)bits, (int32_t)bits};
    four bit = {1, 2, 4, 8};
    for (int i = 0; i < WS_WARP / 4; i++, bit <<= 4)
        ((four *)m->lane)[i] = (all & bit) == bit;
}

/* Applies a guard (0, 1 = p, 2 = !p) to a mask. */
static inline uint32_t guard_mask(const warp *w, uint8_t guard, place p, uint32_t active)
{
    if (!guard)
        return active;
    uint32_t bits = *(const uint32_t *)place_pointer(w, p);
    return active & (guard == 1 ? bits : ~bits);
}

/* access.c */
bool access_run(warp *w, const uop *u, uint32_t exec, uint32_t active);
/* Resolves groups of 32 addresses of one instruction, `bytes` bytes at each, all in the space of `a` and in one window.
 * Checks them, reports them to sinks, and returns host addresses. On entry `address` has generic addresses or those of
 * the space, on return those of the space. */
bool access_groups(warp *w, const uop *u, const mem_access *a, uint32_t exec, uint32_t active, unsigned groups,
                   unsigned bytes, uint64_t (*address)[WS_WARP], unsigned char *(*host)[WS_WARP], ws_space *space);
/* The two halves of it: address resolution and an event. Alignment is checked only for `bytes` that are a power of two
 * up to 16. access_tell is for parts of an access whose lanes may also be in earlier parts; see ws_event_lane_runs. */
bool access_find(warp *w, const uop *u, const mem_access *a, uint32_t exec, unsigned bytes, uint64_t *address,
                 unsigned char **host, ws_space *space);
bool access_tell(warp *w, const uop *u, ws_space space, uint32_t exec, uint32_t active, unsigned bytes,
                 const uint64_t *address, bool first);
bool access_tell_plain(warp *w, const uop *u, ws_space space, uint32_t exec, uint32_t active, const uint64_t *address,
                       bool first);
/* For checkers: the lanes access `bytes` bytes each, as described by `how`. */
void access_check(warp *w, const uop *u, ws_space space, uint32_t lanes, unsigned bytes, const uint64_t *address,
                  const checked_access *how);
/* Reports an instruction of that kind that no lane executes. */
bool access_none(warp *w, const uop *u, const mem_access *a, uint32_t active);
/* For sinks that sample values: previous and new value of an element of shared memory, or of a register. */
bool access_report_shared(warp *w, const uop *u, unsigned bytes, uint32_t exec, const uint64_t *before,
                          const uint64_t *after, const uint64_t *address);
bool access_report_register(warp *w, const uop *u, uint32_t exec, const uint64_t *before, place reg, bool wide,
                            uint16_t number);

/* texture_run.c */
access_fn texture_run;
special_fn texture_ask;

/* exchange.c: specials that decode.c puts into uops */
/* warp.c: alloca (mode: its alignment), stacksave, stackrestore (mode2) */
special_fn warp_stack_run;

special_fn exchange_shfl, exchange_vote, exchange_match, exchange_redux, exchange_activemask, exchange_elect,
    exchange_pack, exchange_unpack, exchange_combine, exchange_clock, exchange_isspacep, exchange_adapt, exchange_fence,
    exchange_nothing, exchange_uniform, exchange_add, exchange_map, exchange_rank;

#endif
