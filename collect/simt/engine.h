/* engine.h - execution of a module's kernels on the CPU, 32 lanes at a time, with events for sinks.
 *
 * A device owns memory, images (loaded modules) and worker threads. Device addresses are host addresses inside one
 * reserved region at a fixed place, so the same program gets the same addresses in every run. One thread at a time may
 * call into a device. */
#ifndef WS_ENGINE_H
#define WS_ENGINE_H

#include "collect/ptx/module_declared.h"
#include "collect/trace/sink.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct ws_device ws_device;
typedef struct ws_image ws_image;   /* a module loaded on a device */
typedef struct ws_kernel ws_kernel; /* an entry of an image, decoded */
typedef struct ws_grids ws_grids;   /* pending launches made by kernels: grids.h */

typedef struct ws_device_options {
    unsigned workers;      /* threads that run blocks; 0: the number of online processors */
    uint64_t memory_bytes; /* capacity for allocations; 0: 80 GiB of address space, or less if the system limits it
                              (pages are committed on first use) */
    uint64_t heap_bytes;   /* device malloc; 0: 8 MiB */
    uint64_t stack_bytes;  /* as for ws_device_set_stack */
    uint64_t print_bytes;  /* as for ws_device_set_print */
    bool low_memory;       /* addresses below 2^32, for modules with 32-bit pointers */
    bool pages;            /* place allocations in pages of 2 MiB, as on a GPU, with unallocated memory between them */
    FILE *print;           /* device printf; NULL: stdout */
} ws_device_options;

int ws_device_create(const ws_device_options *options, ws_device **out); /* options may be NULL */
void ws_device_destroy(ws_device *device); /* also frees images and memory; accepts NULL */

/* Checks later launches, except those under a simulator, and runs blocks on one thread. NULL disables checking. The
 * checker must outlive the device. */
struct ws_checker;
void ws_device_set_checker(ws_device *device, struct ws_checker *checker);
/* Reports host operations on device memory to the checker: bytes become uninitialised; bytes are written; bytes are
 * copied from `from`. */
void ws_device_fresh(ws_device *device, uint64_t address, uint64_t bytes);
void ws_device_wrote(ws_device *device, uint64_t address, uint64_t bytes);
void ws_device_copied(ws_device *device, uint64_t to, uint64_t from, uint64_t bytes);
/* Reports the accesses of a stream operation that is not a launch, to detect overlap with other streams
 * (collect/check/overlap.h). changes: it changes the value of a byte; strong: it is a single access with a fence. */
struct ws_box;
bool ws_device_overlaps(const ws_device *device); /* whether overlaps are tracked; accepts NULL */
void ws_device_touches(ws_device *device, const struct ws_box *box, bool writes, bool changes, bool strong);

/* Memory. Addresses are 256-byte aligned (in pages 512, for sizes above 1 MiB 2 MiB); content is initially zero.
 * Freeing an address that does not start an allocation is WS_EINPUT. */
int ws_device_alloc(ws_device *device, uint64_t bytes, uint64_t *address);
int ws_device_free(ws_device *device, uint64_t address);
/* Makes host memory visible to kernels at its host address. WS_EINPUT when a part of it is already visible. */
int ws_device_register(ws_device *device, uint64_t address, uint64_t bytes, bool read_only);
int ws_device_unregister(ws_device *device, uint64_t address);
/* Sets the size in bytes of device malloc's heap; WS_EBUSY once a kernel that uses it has been decoded. */
int ws_device_set_heap(ws_device *device, uint64_t bytes);
/* Sets the call depth limit: 1024, or more where a stack of `bytes` per thread fits more frames of 16 bytes. */
void ws_device_set_stack(ws_device *device, uint64_t bytes);
/* Sets the receiver of warnings about errors in kernels that a GPU tolerates. It gets one line with kernel, place and
 * thread, once per kernel, after the launch, on the launching thread. NULL: no receiver. */
typedef void ws_note_fn(void *context, const char *line);
void ws_device_set_notes(ws_device *device, ws_note_fn *tell, void *context);
/* Sets the capacity in bytes of device printf per host launch, nested launches included: a GPU's FIFO. A call takes
 * 16 bytes, its arguments and its NUL-terminated strings, each in steps of 8, and one byte per 64 characters of text.
 * Output that does not fit is lost, with all later output of the launch. 0: WS_PRINT_BYTES. */
enum { WS_PRINT_BYTES = 1 << 20 }; /* cudaLimitPrintfFifoSize of every GPU */
void ws_device_set_print(ws_device *device, uint64_t bytes);
uint64_t ws_device_lost_prints(const ws_device *device); /* calls that did not fit, over all launches */
/* Finds the live allocation that contains address; WS_ENOTFOUND if none does. base and bytes may be NULL. */
int ws_device_find(const ws_device *device, uint64_t address, uint64_t *base, uint64_t *bytes);
/* Returns the host pointer to address[0..bytes), or NULL with a message unless all of it is in one live allocation. */
void *ws_device_pointer(ws_device *device, uint64_t address, uint64_t bytes);
void *ws_device_writable(ws_device *device, uint64_t address, uint64_t bytes); /* also NULL for read-only memory */
uint64_t ws_device_memory_used(const ws_device *device);
enum { WS_DEVICE_MOST_GIB = 256 };       /* of ws_device_options.memory_bytes */
uint64_t ws_device_memory_default(void); /* capacity of a device whose options give none, if the system has room */
uint64_t ws_device_memory_total(const ws_device *device);

/* Loads a module and places its variables. Links only the engine's own functions: vprintf, malloc, free, __assertfail,
 * and those of device_runtime.def. The module must outlive the image. Kernels are decoded on first request. */
bool ws_engine_provides(const char *name); /* whether `name` is one of the engine's own functions */
int ws_image_load(ws_device *device, const ws_module *module, ws_image **out);
void ws_image_unload(ws_image *image);
int ws_image_symbol(const ws_image *image, const char *name, uint64_t *address, uint64_t *bytes); /* WS_ENOTFOUND */

/* Returns the kernel of that name, decoded and checked; the image owns it. WS_ENOTFOUND; WS_EUNSUPPORTED with
 * "file:line:column: kernel K: instruction `...` ..." for the first instruction that cannot run. */
int ws_image_kernel(ws_image *image, const char *name, ws_kernel **out);

typedef struct ws_kernel_facts {
    const ws_function *function;
    const char *name;      /* the function's */
    uint32_t registers;    /* per thread, see ws_launch.registers */
    uint32_t shared_bytes; /* static */
    uint32_t local_bytes;  /* per thread */
    uint32_t const_bytes;
    uint32_t max_threads; /* per block: .maxntid or .reqntid, else 1024 */
    uint32_t param_bytes;
    uint32_t instructions; /* static, callees included */
    bool launches;         /* may launch kernels: the caller should set ws_run.grids */
} ws_kernel_facts;
void ws_kernel_get_facts(const ws_kernel *kernel, ws_kernel_facts *facts);

typedef struct ws_stepper ws_stepper; /* stepper.h */

/* Schedules launches in place of the engine: decides which warp moves when. simulate returns WS_OK after all blocks
 * have ended. */
typedef struct ws_launch_simulator {
    int (*simulate)(void *context, ws_stepper *stepper, const ws_launch *launch);
    bool (*wants)(
        void *context,
        uint64_t sequence); /* NULL: every launch; the engine itself runs launches for which it returns false */
    void *context;
} ws_launch_simulator;

/* Points at which a warp yields to the other warps of its block. */
typedef enum ws_turns {
    WS_TURNS_BARRIERS, /* at a wait, at its end, and after about ten thousand instructions */
    WS_TURNS_STORES, /* also before each store to global memory, so that all warps read data before it is overwritten */
} ws_turns;
extern const char *const ws_turns_words[]; /* names "barriers" and "stores", terminated by NULL */

/* Handling of global accesses that are not inside one allocation. */
typedef enum ws_bounds {
    WS_BOUNDS_EXACT, /* the launch ends with WS_EFAULT */
    WS_BOUNDS_PAGES, /* in pages that hold an allocation (ws_device_options.pages) they access unallocated memory and
                        are counted. Elsewhere, in the device heap, and where they touch a byte of another allocation,
                        they are faults */
} ws_bounds;
extern const char *const ws_bounds_words[]; /* names "exact" and "pages", terminated by NULL */

/* Handling of misaligned loads and stores of global, shared and local memory, vectors included. Atomics, ordered and
 * volatile accesses, asynchronous copies, matrices and surfaces are faults in either case. */
typedef enum ws_alignment {
    WS_ALIGNMENT_STRICT,  /* the launch ends with WS_EFAULT, as on a GPU */
    WS_ALIGNMENT_RELAXED, /* they access their bytes and are counted */
} ws_alignment;
extern const char *const ws_alignment_words[]; /* names "strict" and "relaxed", terminated by NULL */

typedef struct ws_run {
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;                 /* bytes */
    const void *params;                      /* parameter block with the layout of ws_variable.offset */
    uint64_t sequence, h2d_bytes, d2h_bytes; /* copied into ws_launch */
    const ws_copies *copies;                 /* also copied into ws_launch; NULL: none */
    const ws_sink *const *sinks;             /* receivers of the events */
    size_t sink_count;
    uint64_t max_instructions; /* limit of warp instructions in the launch, beyond which it fails with WS_ELIMIT; 0: no
                                  limit */
    unsigned workers;          /* 0: the device's number */
    ws_turns turns;            /* ignored under a simulator */
    ws_bounds bounds;
    ws_alignment alignment;
    bool cooperative;    /* all blocks resident, %envreg1/2 point to a grid barrier */
    uint32_t cluster[3]; /* blocks of a cluster; zeros: as .reqnctapercluster says, else one */
    ws_grids *grids;     /* receives launches made by the kernel; NULL: they run after the kernel, without sinks */
    bool is_child;       /* a kernel launched it */
    uint64_t parent;     /* sequence number of the parent launch, if is_child */
    /* Called on the launching thread a few times a second with the number of finished blocks. Non-zero ends the launch
     * with WS_EINTERRUPTED. NULL: not called. */
    int (*progress)(void *context, const ws_launch *launch, uint64_t blocks_done, uint64_t warp_instructions);
    /* Called once after a successful launch, for each sink with its merged state. NULL: not called. */
    int (*collect)(void *context, const ws_launch *launch, size_t sink, void *state);
    /* Called once after any launch with accesses outside allocations, also a failed one. `first` describes the first
     * such access of the lowest block, in the form of a fault message. NULL: not called. */
    void (*stray)(void *context, const ws_launch *launch, uint64_t accesses, const char *first);
    /* As `stray`, after launches with misaligned accesses (WS_ALIGNMENT_RELAXED). */
    void (*misaligned)(void *context, const ws_launch *launch, uint64_t accesses, const char *first);
    void *context;
    const ws_launch_simulator *simulator; /* NULL: the engine schedules the launch */
} ws_run;

typedef struct ws_run_result {
    uint64_t warp_instructions, thread_instructions; /* executed, also in a failed launch */
    double seconds; /* processor time of the threads that ran the launch, including metrics and traces */
    uint64_t blocks_done;
    /* Traffic with device memory without any cache, in bytes of 32-byte sectors. Each warp access to global memory
     * counts the smaller of the sectors touched by its lanes and the range from its first to its last byte. Textures
     * are excluded. */
    uint64_t device_bytes;
    uint64_t device_waits; /* such accesses other than plain stores: later instructions may need their results */
    uint64_t strays;       /* completed lane accesses outside allocations (WS_BOUNDS_PAGES) */
    uint64_t misaligned;   /* completed misaligned lane accesses (WS_ALIGNMENT_RELAXED) */
} ws_run_result;

/* Runs a launch to completion. WS_EINPUT: impossible shape. WS_EFAULT: the kernel performed an illegal operation; the
 * message names kernel, file:line, block, thread and address, and the device remains usable. WS_ELIMIT,
 * WS_EINTERRUPTED. */
int ws_kernel_run(ws_kernel *kernel, const ws_run *run, ws_run_result *result);

#endif
