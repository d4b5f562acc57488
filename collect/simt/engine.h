/* engine.h - runs the kernels of a module on the CPU, 32 lanes at a time, and tells sinks what happens.
 *
 * A device owns memory, images (loaded modules) and worker threads. Device addresses are host addresses inside one
 * reserved region at a fixed place, so the same program sees the same addresses in every run. Host calls on one device
 * are to be made by one thread at a time. */
#ifndef WS_ENGINE_H
#define WS_ENGINE_H

#include "collect/ptx/module_declared.h"
#include "collect/trace/sink.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct ws_device ws_device;
typedef struct ws_image ws_image;   /* a module loaded on a device */
typedef struct ws_kernel ws_kernel; /* an entry of an image, decoded */
typedef struct ws_grids ws_grids;   /* what kernels launched and what has not run yet: grids.h */

typedef struct ws_device_options {
    unsigned workers;      /* threads that run blocks; 0: as many as processors are online */
    uint64_t memory_bytes; /* capacity for allocations; 0: 16 GiB of address space, less where the system
                            * gives less (pages are taken when touched) */
    uint64_t heap_bytes;   /* device malloc; 0: 8 MiB */
    uint64_t stack_bytes;  /* as for ws_device_set_stack */
    uint64_t print_bytes;  /* as for ws_device_set_print */
    bool low_memory;       /* addresses below 2^32, for modules with 32-bit pointers */
    bool pages;  /* allocations are pieces of pages of 2 MiB, as on a GPU, with memory that is nobody's between them */
    FILE *print; /* device printf; NULL: stdout */
} ws_device_options;

int ws_device_create(const ws_device_options *options, ws_device **out); /* options may be NULL */
void ws_device_destroy(ws_device *device);                               /* frees images and memory too; accepts NULL */

/* What launches do is checked from now on, but for those that a simulator steps, and blocks run on one thread. NULL:
 * not any more. The checker outlives the device. */
struct ws_checker;
void ws_device_set_checker(ws_device *device, struct ws_checker *checker);
/* What the host does to memory of the device, for the checker: nobody has written these bytes; they are written; they
 * are those of `from`. */
void ws_device_fresh(ws_device *device, uint64_t address, uint64_t bytes);
void ws_device_wrote(ws_device *device, uint64_t address, uint64_t bytes);
void ws_device_copied(ws_device *device, uint64_t to, uint64_t from, uint64_t bytes);
/* ... and what an operation of a stream that is no launch reads or writes, held against those of other streams
 * (collect/check/overlap.h); changes: a byte of it is another value than stood there; strong: as one, and with a fence.
 */
struct ws_box;
bool ws_device_overlaps(const ws_device *device); /* is anybody to be told? Accepts NULL */
void ws_device_touches(ws_device *device, const struct ws_box *box, bool writes, bool changes, bool strong);

/* Memory. Addresses are 256-byte aligned (in pages 512, above 1 MiB 2 MiB), content is zero at first use. Freeing an
 * address that is not an allocation's start is WS_EINPUT. */
int ws_device_alloc(ws_device *device, uint64_t bytes, uint64_t *address);
int ws_device_free(ws_device *device, uint64_t address);
/* Makes memory of the host visible to kernels, at its own address. WS_EINPUT when a part of it is visible already. */
int ws_device_register(ws_device *device, uint64_t address, uint64_t bytes, bool read_only);
int ws_device_unregister(ws_device *device, uint64_t address);
/* The bytes of device malloc's heap; WS_EBUSY once a kernel that uses it has been decoded. */
int ws_device_set_heap(ws_device *device, uint64_t bytes);
/* How deep functions may call each other: 1024, or more where stacks of so many bytes a thread have place for frames of
 * 16 bytes. */
void ws_device_set_stack(ws_device *device, uint64_t bytes);
/* Who hears of what a kernel does wrong, and GPUs go on after: one line with kernel, place and thread, once a kernel,
 * after the launch, on the thread that launches. NULL: nobody does. */
typedef void ws_note_fn(void *context, const char *line);
void ws_device_set_notes(ws_device *device, ws_note_fn *tell, void *context);
/* How much device printf a launch of the host has room for, with what its kernels launch: bytes of a GPU's FIFO. A call
 * takes 16, its arguments, its strings with their zeros, each in steps of 8, and one for each 64 characters of text.
 * What does not fit is lost, with all that the launch writes behind it. 0: WS_PRINT_BYTES. */
enum { WS_PRINT_BYTES = 1 << 20 }; /* cudaLimitPrintfFifoSize of every GPU */
void ws_device_set_print(ws_device *device, uint64_t bytes);
uint64_t ws_device_lost_prints(const ws_device *device); /* calls that did not fit, of all launches */
/* The live allocation that contains address: WS_ENOTFOUND when there is none. base, bytes may be NULL. */
int ws_device_find(const ws_device *device, uint64_t address, uint64_t *base, uint64_t *bytes);
/* Host pointer to address[0..bytes), NULL (with a message) unless all of it lies in one live allocation. */
void *ws_device_pointer(ws_device *device, uint64_t address, uint64_t bytes);
void *ws_device_writable(ws_device *device, uint64_t address, uint64_t bytes); /* NULL too where it is read only */
uint64_t ws_device_memory_used(const ws_device *device);
uint64_t ws_device_memory_total(const ws_device *device);

/* Loads a module: places its variables, links nothing yet but the engine's own functions (vprintf, malloc, free,
 * __assertfail, and those of device_runtime.def). The module must outlive the image. Kernels are decoded when first
 * asked for. */
bool ws_engine_provides(const char *name); /* one of those functions */
int ws_image_load(ws_device *device, const ws_module *module, ws_image **out);
void ws_image_unload(ws_image *image);
int ws_image_symbol(const ws_image *image, const char *name, uint64_t *address, uint64_t *bytes); /* WS_ENOTFOUND */

/* The kernel of that name, decoded and checked. WS_ENOTFOUND; WS_EUNSUPPORTED with "file:line:column: kernel K:
 * instruction `...` ..." naming the first instruction that cannot run. Owned by the image. */
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
    bool launches;         /* may launch kernels: ws_run.grids is of use */
} ws_kernel_facts;
void ws_kernel_get_facts(const ws_kernel *kernel, ws_kernel_facts *facts);

typedef struct ws_stepper ws_stepper; /* stepper.h */

/* Runs launches in the engine's place: says which warp moves when. Returns WS_OK when all blocks have ended. */
typedef struct ws_launch_simulator {
    int (*simulate)(void *context, ws_stepper *stepper, const ws_launch *launch);
    bool (*wants)(void *context,
                  uint64_t sequence); /* NULL: all launches; those that it does not want the engine runs by itself */
    void *context;
} ws_launch_simulator;

/* When a warp lets the other warps of its block run. */
typedef enum ws_turns {
    WS_TURNS_BARRIERS, /* where it waits, when it ends, and after some ten thousand instructions */
    WS_TURNS_STORES,   /* and before each store to global memory: so all of them have read what they will write over */
} ws_turns;
extern const char *const ws_turns_words[]; /* their names, "barriers" and "stores"; NULL ends them */

/* What becomes of accesses of global memory that do not lie inside one allocation. */
typedef enum ws_bounds {
    WS_BOUNDS_EXACT, /* the launch ends with WS_EFAULT */
    WS_BOUNDS_PAGES, /* in pages that hold an allocation (ws_device_options.pages) they are done, in memory that is
                      * nobody's, and counted; elsewhere, with a byte of another allocation among theirs, and in the
                      * device heap they are faults */
} ws_bounds;
extern const char *const ws_bounds_words[]; /* their names, "exact" and "pages"; NULL ends them */

typedef struct ws_run {
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;                 /* bytes */
    const void *params;                      /* parameter block laid out by ws_variable.offset */
    uint64_t sequence, h2d_bytes, d2h_bytes; /* go into ws_launch */
    const ws_copies *copies;                 /* these, too; NULL: none */
    const ws_sink *const *sinks;             /* who listens */
    size_t sink_count;
    uint64_t max_instructions; /* warp instructions of the launch; 0: no limit. WS_ELIMIT when it is passed */
    unsigned workers;          /* 0: as the device */
    ws_turns turns;            /* without a simulator */
    ws_bounds bounds;
    bool cooperative; /* all blocks resident, %envreg1/2 point to a grid barrier */
    bool cluster;     /* the launch gives the size of clusters, which is one block */
    ws_grids *grids;  /* takes what the kernel launches; NULL: it runs behind it, without sinks */
    bool is_child;    /* a kernel launched it: */
    uint64_t parent;  /* ... that of the launch with this sequence number */
    /* Called on the launching thread a few times a second with blocks done; non-zero ends the launch with
     * WS_EINTERRUPTED. NULL: not called. */
    int (*progress)(void *context, const ws_launch *launch, uint64_t blocks_done, uint64_t warp_instructions);
    /* Called once after a launch that went well, for each sink with its merged state. NULL: not called. */
    int (*collect)(void *context, const ws_launch *launch, size_t sink, void *state);
    /* Called once behind a launch, however it went, that made accesses outside allocations, with the first of the
     * lowest block in words, like those of a fault. NULL: not called. */
    void (*stray)(void *context, const ws_launch *launch, uint64_t accesses, const char *first);
    void *context;
    const ws_launch_simulator *simulator; /* NULL: the engine runs the launch by itself */
} ws_run;

typedef struct ws_run_result {
    uint64_t warp_instructions, thread_instructions; /* executed, also of a launch that failed */
    double seconds; /* processor time of the threads that ran the launch, with metrics and traces */
    uint64_t blocks_done;
    /* Traffic with device memory without any cache, in sectors of 32 bytes: of each access of a warp to global memory,
     * the smaller of what its lanes touch and the stretch from its first to its last byte. Textures are not in it. */
    uint64_t device_bytes;
    uint64_t device_waits; /* such accesses that are no plain stores: what comes behind them may need what they bring */
    uint64_t strays;       /* accesses, one a lane, outside allocations that were done (WS_BOUNDS_PAGES) */
} ws_run_result;

/* Runs a launch to its end. WS_EINPUT: impossible shape; WS_EFAULT: the kernel did something illegal, the message says
 * what, with kernel, file:line, block, thread and address, and the device stays usable; WS_ELIMIT, WS_EINTERRUPTED. */
int ws_kernel_run(ws_kernel *kernel, const ws_run *run, ws_run_result *result);

#endif
