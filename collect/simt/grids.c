/* grids.c - see grids.h: the list of what is to run, and what the running grid adds to it. */
#include "base/grow.h"
#include "collect/check/overlap.h"
#include "collect/simt/device_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_DEPTH = 24,         /* levels of nested launches: CUDA C++ Programming Guide 13, "Dynamic Parallelism" */
    EVENTS_PER_LAUNCH = 2,   /* slots for events, ibid. (cudaLimitDevRuntimePendingLaunchCount) */
    PENDING_LAUNCHES = 2048, /* ibid. */
};
#define HANDLE_MARK   0x5753000000000000u /* of streams and events: no address, and nobody else's number */
#define LEVEL_OBJECTS (1ull << 40)        /* numbers for the handles of each level of waiting */

/* One thing to run. */
typedef struct work {
    struct work *next;
    ws_kernel *kernel; /* NULL: the box */
    grid_shape shape;
    unsigned depth;
    uint64_t parent; /* sequence number of who launched it */
    grid_box box;
    const char *by; /* kernel that asked for it */
    unsigned char params[];
} work;

typedef struct list {
    work *first, **end;
} list;

typedef struct buffer {
    uint64_t address, bytes;
    ws_kernel *kernel;
    grid_shape shape;
    bool taken;
    struct buffer *next;
} buffer;

struct ws_grids {
    ws_device *device;
    const launch *running;   /* NULL: none */
    unsigned depth;          /* of the grid that runs, or runs next */
    list todo, child, tail;  /* child, tail: of the running grid */
    work *handed;            /* what ws_grids_next gave last */
    buffer *buffers;         /* of the running grid, latest first */
    uint32_t pending;        /* launches that have not begun, and buffers for such */
    uint64_t first_object;   /* number of object[0]; those of earlier grids are gone */
    uint64_t waited_objects; /* the same, for the next that this one waits for */
    uint8_t *object;         /* grid_object */
    uint32_t objects, object_capacity, events;
    ws_grids_runner *runner; /* of what it waits for */
    void *context;
};

static void list_clear(list *l)
{
    *l = (list){.end = NULL};
}

static void list_add(list *l, work *w)
{
    *(l->first ? l->end : &l->first) = w;
    l->end = &w->next;
}

/* Puts a list before another one. */
static void list_put_before(list *l, list *rest)
{
    if (!l->first)
        return;
    *l->end = rest->first;
    if (!rest->first)
        rest->end = l->end;
    rest->first = l->first;
    list_clear(l);
}

static void list_free(list *l)
{
    for (work *w = l->first, *next; w; w = next) {
        next = w->next;
        free(w);
    }
    list_clear(l);
}

int ws_grids_create(ws_device *device, ws_grids **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return ws_fail(WS_EMEM, "no memory for a list of launches");
    (*out)->device = device;
    return WS_OK;
}

void ws_grids_destroy(ws_grids *g)
{
    if (!g)
        return;
    list_free(&g->todo);
    free(g->handed);
    free(g->object);
    free(g);
}

void ws_grids_set_runner(ws_grids *grids, ws_grids_runner *runner, void *context)
{
    grids->runner = runner;
    grids->context = context;
}

void ws_device_set_sync_depth(ws_device *device, uint32_t levels)
{
    device->sync_depth = levels;
}

void ws_device_set_pending_launches(ws_device *device, uint32_t most)
{
    device->pending_launches = most;
}

uint32_t grids_pending_most(const ws_device *device)
{
    return device->pending_launches ? device->pending_launches : PENDING_LAUNCHES;
}

/* ---- the running grid ---- */

void grids_begin(ws_grids *g, const launch *l)
{
    g->running = l;
}

static void free_buffers(ws_grids *g)
{
    for (buffer *b = g->buffers, *next; b; b = next) {
        next = b->next;
        g->pending -= !b->taken;
        memory_free(g->device->memory, b->address);
        free(b);
    }
    g->buffers = NULL;
}

void grids_end(ws_grids *g, bool keep)
{
    free_buffers(g);
    g->running = NULL;
    g->first_object += g->objects;
    g->objects = g->events = 0;
    if (!keep) {
        list_free(&g->child);
        list_free(&g->tail);
        list_free(&g->todo);
        return;
    }
    list_put_before(&g->tail, &g->todo);
    list_put_before(&g->child, &g->todo);
}

int grids_room(const ws_grids *g)
{
    return g->pending < grids_pending_most(g->device) ? cudaSuccess : cudaErrorLaunchPendingCountExceeded;
}

uint64_t grids_buffer(ws_grids *g, ws_kernel *kernel, const grid_shape *shape, uint64_t bytes, int *error)
{
    uint64_t address;
    *error = grids_room(g);
    if (*error)
        return 0;
    buffer *const b = calloc(1, sizeof *b);
    *error = cudaErrorMemoryAllocation;
    if (!b || memory_alloc(g->device->memory, bytes ? bytes : 1, &address)) {
        free(b);
        return 0;
    }
    checks_given(g->device, address, bytes);
    *b = (buffer){.address = address, .bytes = bytes, .kernel = kernel, .shape = *shape, .next = g->buffers};
    g->buffers = b;
    g->pending++;
    *error = cudaSuccess;
    return address;
}

bool grids_take(ws_grids *g, uint64_t address, ws_kernel **kernel, grid_shape *shape, uint64_t *bytes)
{
    for (buffer *b = g->buffers; b; b = b->next) {
        if (b->address != address || b->taken)
            continue;
        b->taken = true;
        g->pending--;
        *kernel = b->kernel;
        *shape = b->shape;
        *bytes = b->bytes;
        return true;
    }
    return false;
}

static work *add_work(ws_grids *g, size_t params, bool tail)
{
    work *const w = calloc(1, sizeof *w + params);
    if (!w)
        return NULL;
    w->depth = tail ? g->depth : g->depth + 1; /* a tail launch takes the place of its grid */
    w->parent = g->running->facts.sequence;
    w->by = g->running->facts.kernel;
    list_add(tail ? &g->tail : &g->child, w);
    return w;
}

int grids_launch(ws_grids *g, ws_kernel *kernel, const grid_shape *shape, const void *params, bool tail)
{
    const uint32_t bytes = kernel->function->param_bytes;
    if (g->depth >= MOST_DEPTH && !tail)
        return cudaErrorLaunchMaxDepthExceeded;
    work *const w = add_work(g, bytes, tail);
    if (!w)
        return cudaErrorMemoryAllocation;
    w->kernel = kernel;
    w->shape = *shape;
    if (bytes)
        memcpy(w->params, params, bytes);
    g->pending++;
    return cudaSuccess;
}

int grids_box(ws_grids *g, const grid_box *box, bool tail)
{
    work *const w = add_work(g, 0, tail);
    if (!w)
        return cudaErrorMemoryAllocation;
    w->box = *box;
    return cudaSuccess;
}

/* ---- streams and events ---- */

uint64_t grids_make(ws_grids *g, grid_object kind)
{
    if (kind == OBJECT_EVENT && g->events >= (uint64_t)grids_pending_most(g->device) * EVENTS_PER_LAUNCH)
        return 0;
    if (WS_GROW(g->object, g->object_capacity, g->objects, 1))
        return 0;
    g->events += kind == OBJECT_EVENT;
    g->object[g->objects] = (uint8_t)kind;
    return HANDLE_MARK + g->first_object + g->objects++;
}

bool grids_has(const ws_grids *g, uint64_t handle, grid_object kind)
{
    const uint64_t at = handle - HANDLE_MARK - g->first_object;
    return at < g->objects && g->object[at] == kind;
}

bool grids_remove(ws_grids *g, uint64_t handle, grid_object kind)
{
    if (!grids_has(g, handle, kind))
        return false;
    g->object[handle - HANDLE_MARK - g->first_object] = OBJECT_NONE;
    g->events -= kind == OBJECT_EVENT;
    return true;
}

/* ---- what is next ---- */

/* For races with other streams. */
static void tell_row(ws_device *device, const grid_box *b, const void *to, const void *from)
{
    const ws_box source = {.address = (uintptr_t)from, .width = b->width, .rows = 1, .slices = 1};
    const ws_box target = {.address = (uintptr_t)to, .width = b->width, .rows = 1, .slices = 1};
    if (from)
        ws_device_touches(device, &source, false, false, false);
    ws_device_touches(device, &target, true, !from || memcmp(to, from, b->width), false);
}

static int run_box(ws_grids *g, const work *w, ws_grid *out)
{
    const grid_box *const b = &w->box;
    for (uint64_t z = 0; z < b->depth; z++)
        for (uint64_t y = 0; y < b->height; y++) {
            void *const to = ws_device_writable(g->device, b->to + z * b->to_slice + y * b->to_pitch, b->width);
            const uint64_t at = b->from + z * b->from_slice + y * b->from_pitch;
            const void *const from = to && b->from ? ws_device_pointer(g->device, at, b->width) : NULL;
            if (!to || (b->from && !from)) {
                char why[512];
                snprintf(why, sizeof why, "%s", ws_message());
                return ws_fail(WS_EFAULT, "kernel %s: a %s that it asked for: %s", w->by, b->from ? "copy" : "fill",
                               why);
            }
            if (ws_device_overlaps(g->device))
                tell_row(g->device, b, to, from);
            if (from)
                memmove(to, from, b->width);
            else
                memset(to, b->value, b->width);
            ws_device_copied(g->device, (uintptr_t)to, from ? at : 0,
                             b->width); /* nothing is known of address 0, so it counts as written */
        }
    *(b->from ? &out->copied : &out->filled) += b->width * b->height * b->depth;
    return WS_OK;
}

int ws_grids_next(ws_grids *g, ws_grid *out)
{
    int status = WS_OK;
    *out = (ws_grid){0};
    do {
        free(g->handed);
        g->handed = g->todo.first;
        if (!g->handed)
            return WS_OK;
        g->todo.first = g->handed->next;
        if (!g->handed->kernel)
            status = run_box(g, g->handed, out);
    } while (!status && !g->handed->kernel);
    if (status)
        return status;
    const work *const w = g->handed;
    g->pending--;
    g->depth = out->depth = w->depth;
    out->kernel = w->kernel;
    out->run = (ws_run){
        .dynamic_shared = w->shape.shared, .params = w->params, .grids = g, .is_child = true, .parent = w->parent};
    memcpy(out->run.grid, w->shape.grid, sizeof out->run.grid);
    memcpy(out->run.block, w->shape.block, sizeof out->run.block);
    return WS_OK;
}

/* ---- waiting ---- */

/* Parameters that a launch took are copied: who waits in a loop needs no more memory for them than one turn does. */
static void free_taken(ws_grids *g)
{
    for (buffer **at = &g->buffers, *b; (b = *at);) {
        if (!b->taken) {
            at = &b->next;
            continue;
        }
        *at = b->next;
        memory_free(g->device->memory, b->address);
        free(b);
    }
}

/* Handles of grids that are gone are nobody's, also of those that somebody waited for. */
static uint64_t first_waited_object(const ws_grids *g)
{
    return (g->first_object / LEVEL_OBJECTS + 1) * LEVEL_OBJECTS;
}

int grids_wait(ws_grids *g, int *status)
{
    *status = WS_OK;
    if (g->depth >= g->device->sync_depth)
        return cudaErrorSyncDepthExceeded;
    if (!g->child.first)
        return cudaSuccess;
    ws_grids waited = {.device = g->device,
                       .todo = g->child,
                       .depth = g->depth,
                       .pending = g->pending,
                       .first_object = g->waited_objects ? g->waited_objects : first_waited_object(g),
                       .runner = g->runner,
                       .context = g->context};
    list_clear(&g->child);
    *status = g->runner ? g->runner(g->context, &waited) : engine_run_waited(g->running->run, &waited);
    g->pending = waited.pending;
    g->waited_objects = waited.first_object;
    list_free(&waited.todo);
    free(waited.handed);
    free(waited.object);
    free_taken(g);
    return cudaSuccess;
}
