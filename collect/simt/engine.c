/* engine.c - devices, images, kernels, launches: the public face of collect/simt. */
#include "base/clock.h"
#include "base/thread.h"
#include "collect/simt/device_internal.h"
#include "collect/simt/level.h"
#include "collect/simt/stepper.h"
#include "collect/simt/texture_internal.h"

#include <stdlib.h>
#include <string.h>

/* Of the largest A100 and H100 (NVIDIA A100 and H100 data sheets: 80 GB); address space, whose pages the system
 * provides when they are touched. */
#define DEFAULT_MEMORY_BYTES     (80ull << 30)
#define DEFAULT_LOW_MEMORY_BYTES (1ull << 30)
#define LEAST_MEMORY_BYTES       (256ull << 20)
#define DEFAULT_HEAP_BYTES       (8ull << 20)
enum { MAX_WORKERS = 256, GRID_WORKSPACE_BYTES = 256 };

const char *const ws_turns_words[] = {"barriers", "stores", NULL};
const char *const ws_bounds_words[] = {"exact", "pages", NULL};
const char *const ws_alignment_words[] = {"strict", "relaxed", NULL};

/* ---- devices ---- */

int ws_device_create(const ws_device_options *options, ws_device **out)
{
    const ws_device_options none = {0}, *o = options ? options : &none;
    *out = NULL;
    int status = ws_level_check();
    if (status)
        return status;
    ws_device *d = calloc(1, sizeof *d);
    if (!d)
        return ws_fail(WS_EMEM, "no memory for a device");
    d->workers = o->workers ? o->workers : ws_processors();
    if (d->workers > MAX_WORKERS)
        d->workers = MAX_WORKERS;
    d->print = o->print;
    d->sync_depth = WS_SYNC_DEPTH;
    ws_device_set_stack(d, o->stack_bytes);
    ws_device_set_print(d, o->print_bytes);
    uint64_t bytes = o->memory_bytes ? o->memory_bytes
                     : o->low_memory ? DEFAULT_LOW_MEMORY_BYTES
                                     : DEFAULT_MEMORY_BYTES;
    const uint64_t heap_bytes = o->heap_bytes ? o->heap_bytes : DEFAULT_HEAP_BYTES;
    status = memory_create(bytes, heap_bytes, o->low_memory, o->pages, &d->memory);
    while (status && !o->memory_bytes &&
           bytes > LEAST_MEMORY_BYTES) { /* a machine that does not overcommit, or a limit */
        bytes /= 2;
        status = memory_create(bytes, heap_bytes, o->low_memory, o->pages, &d->memory);
    }
    status = status ? status : region_sandbox_create(&d->sandbox);
    if (status) {
        memory_destroy(d->memory);
        free(d);
        return status;
    }
    pthread_mutex_init(&d->print_lock, NULL);
    *out = d;
    return WS_OK;
}

void ws_device_destroy(ws_device *device)
{
    if (!device)
        return;
    while (device->images)
        ws_image_unload(device->images);
    texture_table_fini(device);
    device_texts_free(device);
    free(device->condition);
    free(device->printing.text);
    region_sandbox_destroy(&device->sandbox);
    memory_destroy(device->memory);
    pthread_mutex_destroy(&device->print_lock);
    free(device);
}

int ws_device_alloc(ws_device *device, uint64_t bytes, uint64_t *address)
{
    return memory_alloc(device->memory, bytes, address);
}

int ws_device_free(ws_device *device, uint64_t address)
{
    checks_freed(device, address);
    return memory_free(device->memory, address);
}

int ws_device_set_heap(ws_device *device, uint64_t bytes)
{
    return memory_heap_resize(device->memory, bytes);
}

void ws_device_set_stack(ws_device *device, uint64_t bytes)
{
    const uint64_t depth = (bytes < MAX_LOCAL_BYTES ? bytes : MAX_LOCAL_BYTES) / LEAST_FRAME_BYTES;
    device->call_depth = depth > MIN_CALL_DEPTH ? (unsigned)depth : MIN_CALL_DEPTH;
}

void ws_device_set_notes(ws_device *device, ws_note_fn *tell, void *context)
{
    device->note = tell;
    device->note_context = context;
}

int ws_device_register(ws_device *device, uint64_t address, uint64_t bytes, bool read_only)
{
    return memory_register(device->memory, address, bytes, read_only);
}

int ws_device_unregister(ws_device *device, uint64_t address)
{
    return memory_unregister(device->memory, address);
}

int ws_device_find(const ws_device *device, uint64_t address, uint64_t *base, uint64_t *bytes)
{
    span s;
    if (!memory_find(device->memory, address, &s))
        return ws_fail(WS_ENOTFOUND, "address 0x%llx is not inside a device allocation", (unsigned long long)address);
    if (base)
        *base = s.low;
    if (bytes)
        *bytes = s.high - s.low;
    return WS_OK;
}

void engine_describe_device(const ws_device *device, uint64_t address, uint64_t bytes, char *text, size_t size)
{
    const ws_device_answers *const a = device->answers;
    if (memory_find(device->memory, address, NULL) || !a || !a->where || !a->where(address, text, size))
        memory_describe(device->memory, address, bytes, text, size);
}

static void *pointer_to(ws_device *device, uint64_t address, uint64_t bytes, bool writes)
{
    span s;
    const bool found = memory_find(device->memory, address, &s) && ws_range_within(address, bytes, s.high);
    if (found && !(writes && s.read_only))
        return (void *)(uintptr_t)address;
    char where[256] = MAPPED_TO_READ;
    if (!found)
        engine_describe_device(device, address, bytes, where, sizeof where);
    ws_fail(WS_EINPUT, "%llu bytes at device address 0x%llx: %s", (unsigned long long)bytes,
            (unsigned long long)address, where);
    return NULL;
}

void *ws_device_pointer(ws_device *device, uint64_t address, uint64_t bytes)
{
    return pointer_to(device, address, bytes, false);
}

void *ws_device_writable(ws_device *device, uint64_t address, uint64_t bytes)
{
    return pointer_to(device, address, bytes, true);
}

uint64_t ws_device_memory_used(const ws_device *device)
{
    return memory_used(device->memory);
}

uint64_t ws_device_memory_default(void)
{
    return DEFAULT_MEMORY_BYTES;
}

uint64_t ws_device_memory_total(const ws_device *device)
{
    return memory_total(device->memory);
}

/* ---- images ---- */

static int place_variables(ws_image *image)
{
    const ws_module *module = image->module;
    for (uint32_t i = 0; i < module->vars; i++) {
        const ws_variable *v = module->var[i];
        if (v->space == WS_SPACE_TEXTURE && !v->is_extern) {
            const int added = texture_add_variable(image->device, v, &image->address[i]);
            if (added)
                return added;
        }
        if ((v->space != WS_SPACE_GLOBAL && v->space != WS_SPACE_CONST) || v->is_extern || v->size == 0)
            continue; /* kernels that use what is .extern are refused */
        memory *m = image->device->memory;
        const int status = v->space == WS_SPACE_CONST ? memory_alloc_const(m, v->size, &image->address[i])
                                                      : memory_alloc(m, v->size, &image->address[i]);
        if (status)
            return ws_fail_context(status, "%s:%u:%u: variable `%s`", v->file, v->line, v->column, v->name);
        if (v->init)
            memcpy((void *)(uintptr_t)image->address[i], v->init, v->size);
    }
    return WS_OK;
}

/* Puts addresses of symbols into initialised data. */
static int relocate(ws_image *image)
{
    const ws_module *m = image->module;
    for (uint32_t i = 0; i < m->vars; i++) {
        const ws_variable *v = m->var[i];
        for (uint32_t k = 0; image->address[i] && v->space != WS_SPACE_TEXTURE && k < v->relocs; k++) {
            const ws_reloc *r = &v->reloc[k];
            uint64_t value;
            const ws_function *fn = ws_module_function(m, r->name);
            if (fn)
                value = FUNCTION_BASE + 16u * fn->index;
            else if (ws_image_symbol(image, r->name, &value, NULL))
                return ws_fail(WS_EUNSUPPORTED,
                               "%s:%u:%u: variable `%s` is initialised with `%s`, which has no address", v->file,
                               v->line, v->column, v->name, r->name);
            value = (value + (uint64_t)r->addend) >> r->shift;
            memcpy((void *)(uintptr_t)(image->address[i] + r->offset), &value, r->bytes);
        }
    }
    return WS_OK;
}

int ws_image_load(ws_device *device, const ws_module *module, ws_image **out)
{
    *out = NULL;
    ws_image *image = calloc(1, sizeof *image);
    if (image) {
        image->address = calloc(module->vars + 1, sizeof *image->address);
        image->kernel = calloc(module->functions + 1, sizeof *image->kernel);
    }
    if (!image || !image->address || !image->kernel) {
        if (image)
            free(image->address);
        free(image);
        return ws_fail(WS_EMEM, "no memory for an image");
    }
    image->device = device;
    image->module = module;
    image->next = device->images;
    device->images = image;
    int status = place_variables(image);
    if (!status)
        status = relocate(image);
    if (status) {
        ws_image_unload(image);
        return status;
    }
    *out = image;
    return WS_OK;
}

void ws_image_unload(ws_image *image)
{
    if (!image)
        return;
    for (ws_image **p = &image->device->images; *p; p = &(*p)->next)
        if (*p == image) {
            *p = image->next;
            break;
        }
    for (uint32_t i = 0; i < image->module->functions; i++)
        if (image->kernel[i]) {
            kernel_code_fini(&image->kernel[i]->code);
            free(image->kernel[i]);
        }
    for (uint32_t i = 0; i < image->module->vars; i++)
        if (image->address[i] && image->module->var[i]->space == WS_SPACE_TEXTURE)
            texture_remove_variable(image->device, image->address[i]);
        else if (image->address[i])
            memory_free(image->device->memory, image->address[i]);
    free(image->address);
    free(image->kernel);
    free(image);
}

int ws_image_symbol(const ws_image *image, const char *name, uint64_t *address, uint64_t *bytes)
{
    const ws_variable *v = ws_module_variable(image->module, name);
    if (!v || v->space == WS_SPACE_TEXTURE || !image->address[v->index])
        return ws_fail(WS_ENOTFOUND, "%s has no variable `%s` in device memory", image->module->file, name);
    if (address)
        *address = image->address[v->index];
    if (bytes)
        *bytes = v->size;
    return WS_OK;
}

/* ---- kernels ---- */

int ws_image_kernel(ws_image *image, const char *name, ws_kernel **out)
{
    *out = NULL;
    const ws_function *fn = ws_module_function(image->module, name);
    if (!fn || !fn->is_entry || !fn->has_body)
        return ws_fail(WS_ENOTFOUND, "%s has no kernel `%s`", image->module->file, name);
    *out = image->kernel[fn->index];
    if (*out)
        return WS_OK;
    ws_kernel *k = calloc(1, sizeof *k);
    if (!k)
        return ws_fail(WS_EMEM, "no memory for kernel %s", name);
    k->image = image;
    k->function = fn;
    int status = kernel_code_build(k);
    if (!status && k->mallocs)
        status = memory_heap_prepare(image->device->memory);
    if (status) {
        kernel_code_fini(&k->code);
        free(k);
        return status;
    }
    image->kernel[fn->index] = k;
    *out = k;
    return WS_OK;
}

static uint32_t max_threads(const ws_function *fn)
{
    const uint32_t *dim = fn->reqntid[0] ? fn->reqntid : fn->maxntid;
    if (!dim[0])
        return MAX_BLOCK_THREADS;
    const uint64_t n = (uint64_t)dim[0] * (dim[1] ? dim[1] : 1) * (dim[2] ? dim[2] : 1);
    return n < MAX_BLOCK_THREADS ? (uint32_t)n : MAX_BLOCK_THREADS;
}

void ws_kernel_get_facts(const ws_kernel *kernel, ws_kernel_facts *facts)
{
    *facts = (ws_kernel_facts){.function = kernel->function,
                               .name = kernel->function->name,
                               .registers = kernel->registers,
                               .shared_bytes = kernel->shared_bytes,
                               .local_bytes = kernel->local_bytes,
                               .const_bytes = kernel->const_bytes,
                               .max_threads = max_threads(kernel->function),
                               .param_bytes = kernel->function->param_bytes,
                               .instructions = kernel->code.instrs,
                               .launches = kernel->ordered};
}

/* ---- launches ---- */

static const uint32_t one_block[3] = {1, 1, 1};

static const uint32_t *cluster_of(const ws_function *fn, const ws_run *run)
{
    return run->cluster[0] ? run->cluster : fn->cluster[0] ? fn->cluster : one_block;
}

static int check_cluster(const ws_kernel *kernel, const ws_run *run)
{
    const ws_function *const fn = kernel->function;
    const uint32_t *const n = cluster_of(fn, run), *const wanted = fn->cluster;
    const uint64_t blocks = (uint64_t)n[0] * n[1] * n[2];
    if (fn->explicit_cluster && n == one_block)
        return ws_fail(WS_EINPUT,
                       "kernel %s: .explicitcluster wants a launch that gives the size of clusters; give it, or add "
                       ".reqnctapercluster 1 to the kernel",
                       fn->name);
    if (wanted[0] && (n[0] != wanted[0] || n[1] != wanted[1] || n[2] != wanted[2]))
        return ws_fail(WS_EINPUT, "kernel %s: clusters of (%u,%u,%u) blocks, but .reqnctapercluster wants (%u,%u,%u)",
                       fn->name, n[0], n[1], n[2], wanted[0], wanted[1], wanted[2]);
    if (!blocks || n[0] > MOST_CLUSTER_BLOCKS || n[1] > MOST_CLUSTER_BLOCKS || n[2] > MOST_CLUSTER_BLOCKS ||
        blocks > MOST_CLUSTER_BLOCKS || (fn->max_cluster && blocks > fn->max_cluster))
        return ws_fail(WS_EINPUT, "kernel %s: clusters of (%u,%u,%u) blocks, at most %u are possible%s", fn->name, n[0],
                       n[1], n[2],
                       fn->max_cluster && fn->max_cluster < MOST_CLUSTER_BLOCKS ? fn->max_cluster : MOST_CLUSTER_BLOCKS,
                       fn->max_cluster && blocks > fn->max_cluster ? " (.maxclusterrank)" : "");
    for (int i = 0; i < 3; i++)
        if (run->grid[i] % n[i])
            return ws_fail(WS_EINPUT, "kernel %s: grid (%u,%u,%u) is no multiple of its clusters of (%u,%u,%u) blocks",
                           fn->name, run->grid[0], run->grid[1], run->grid[2], n[0], n[1], n[2]);
    if (blocks > 1 && !ws_range_within(kernel->shared_bytes, run->dynamic_shared, CLUSTER_STRIDE))
        return ws_fail(WS_EINPUT, "kernel %s: %llu bytes of shared memory a block, at most %d are possible in clusters",
                       fn->name, (unsigned long long)kernel->shared_bytes + run->dynamic_shared, CLUSTER_STRIDE);
    return WS_OK;
}

/* The limits of CUDA's compute capability 3.0 and later. */
static int check_shape(const ws_kernel *kernel, const ws_run *run)
{
    const char *name = kernel->function->name;
    static const uint32_t most[3] = {2147483647u, 65535u, 65535u};
    for (int i = 0; i < 3; i++)
        if (run->grid[i] == 0 || run->block[i] == 0 || run->grid[i] > most[i])
            return ws_fail(WS_EINPUT, "kernel %s: impossible launch of grid (%u,%u,%u), block (%u,%u,%u)", name,
                           run->grid[0], run->grid[1], run->grid[2], run->block[0], run->block[1], run->block[2]);
    const uint64_t threads = (uint64_t)run->block[0] * run->block[1] * run->block[2];
    if (threads > max_threads(kernel->function))
        return ws_fail(WS_EINPUT, "kernel %s: %llu threads a block, at most %u are possible", name,
                       (unsigned long long)threads, max_threads(kernel->function));
    const uint32_t *required = kernel->function->reqntid;
    for (int i = 0; i < 3 && required[0]; i++)
        if (run->block[i] != (required[i] ? required[i] : 1))
            return ws_fail(WS_EINPUT, "kernel %s: block (%u,%u,%u), but .reqntid wants (%u,%u,%u)", name, run->block[0],
                           run->block[1], run->block[2], required[0], required[1] ? required[1] : 1,
                           required[2] ? required[2] : 1);
    const int status = check_cluster(kernel, run);
    if (status)
        return status;
    if (!ws_range_within(kernel->shared_bytes, run->dynamic_shared, MAX_SHARED_BYTES))
        return ws_fail(WS_EINPUT, "kernel %s: %llu bytes of shared memory a block, at most %d are possible", name,
                       (unsigned long long)kernel->shared_bytes + run->dynamic_shared, MAX_SHARED_BYTES);
    if (kernel->function->param_bytes > PARAM_WINDOW_BYTES)
        return ws_fail(WS_EINPUT, "kernel %s: takes %u bytes of parameters, at most %u are possible", name,
                       kernel->function->param_bytes, PARAM_WINDOW_BYTES);
    if (kernel->function->param_bytes && !run->params)
        return ws_fail(WS_EINPUT, "kernel %s: takes %u bytes of parameters, none are given", name,
                       kernel->function->param_bytes);
    return WS_OK;
}

static ws_launch describe(const ws_kernel *kernel, const ws_run *run)
{
    ws_launch f = {.kernel = kernel->function->name,
                   .sequence = run->sequence,
                   .blocks = (uint64_t)run->grid[0] * run->grid[1] * run->grid[2],
                   .threads_per_block = run->block[0] * run->block[1] * run->block[2],
                   .registers = kernel->registers,
                   .shared_bytes = kernel->shared_bytes + run->dynamic_shared,
                   .local_bytes = kernel->local_bytes,
                   .const_bytes = kernel->const_bytes,
                   .h2d_bytes = run->h2d_bytes,
                   .d2h_bytes = run->d2h_bytes,
                   .copied = run->copies ? run->copies->list : NULL,
                   .copies = run->copies ? run->copies->count : 0,
                   .is_child = run->is_child,
                   .parent = run->parent,
                   .instr = kernel->code.instr,
                   .instrs = kernel->code.instrs,
                   .code = kernel->code.listing,
                   .origin = kernel->code.origin};
    memcpy(f.grid, run->grid, sizeof f.grid);
    memcpy(f.block, run->block, sizeof f.block);
    f.warps_per_block = (f.threads_per_block + WS_WARP - 1) / WS_WARP;
    return f;
}

static int collect(launch *l)
{
    int status = WS_OK;
    for (size_t i = 0; i < l->run->sink_count && l->run->collect && !status; i++) {
        void *state = ws_fanout_state(l->fanout, i);
        status = state ? l->run->collect(l->run->context, &l->facts, i, state)
                       : ws_fail(WS_EMEM, "kernel %s: the results of a sink are incomplete", l->facts.kernel);
    }
    return status;
}

int engine_open_launch(launch *l, ws_kernel *kernel, const ws_run *run)
{
    ws_device *device = kernel->image->device;
    int status = check_shape(kernel, run);
    if (status)
        return status;
    *l = (launch){.kernel = kernel,
                  .code = &kernel->code,
                  .run = run,
                  .facts = describe(kernel, run),
                  .device = device,
                  .ground = memory_ground(device->memory),
                  .level = access_level_get(),
                  .grids = kernel->ordered ? run->grids : NULL,
                  .checks = checks_wanted(device) && !run->simulator,
                  .workers = kernel->ordered || (checks_wanted(device) && !run->simulator) ? 1
                             : run->workers                                                ? run->workers
                                                                                           : device->workers};
    const uint32_t *const n = cluster_of(kernel->function, run);
    memcpy(l->cluster, n, sizeof l->cluster);
    l->cluster_blocks = n[0] * n[1] * n[2];
    l->has_cluster_size = n != one_block;
    if (l->workers > MAX_WORKERS)
        l->workers = MAX_WORKERS;
    if (!run->is_child)
        device_print_begin(device);
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->changed, NULL);
    atomic_store(&l->strays.block, UINT64_MAX);
    atomic_store(&l->misaligned.block, UINT64_MAX);
    l->begin = ws_clock_thread_seconds();
    const uint32_t param_bytes = kernel->function->param_bytes;
    l->params = region_sandbox_alloc(&device->sandbox, param_bytes);
    if (!l->params)
        status = ws_fail(WS_EMEM, "kernel %s: no memory for its parameters", l->facts.kernel);
    else if (param_bytes)
        memcpy(l->params, run->params, param_bytes);
    if (!status && run->cooperative) {
        status = memory_alloc(device->memory, GRID_WORKSPACE_BYTES, &l->grid_barrier);
        if (!status) /* the first word of the workspace is its size */
            *(uint32_t *)(uintptr_t)l->grid_barrier = GRID_WORKSPACE_BYTES;
    }
    if (!status && run->sink_count)
        status = ws_fanout_create(run->sinks, run->sink_count, &l->facts, &l->fanout);
    if (status)
        return engine_close_launch(l, status, NULL);
    l->wants = l->fanout ? ws_fanout_wants(l->fanout) : 0;
    if (l->grids)
        grids_begin(l->grids, l);
    if (l->checks)
        checks_begin(l);
    return WS_OK;
}

static void tell_note(launch *l)
{
    if (l->note)
        l->device->note(l->device->note_context, l->note);
    l->kernel->noted = l->kernel->noted || l->note;
    free(l->note);
}

/* Reports accesses that were completed and counted, and returns their number. */
static uint64_t tell_counted(const launch *l, access_count *c,
                             void (*tell)(void *context, const ws_launch *launch, uint64_t accesses, const char *first))
{
    const uint64_t accesses = atomic_load(&c->accesses);
    if (accesses && tell)
        tell(l->run->context, &l->facts, accesses, c->first ? c->first : "");
    free(c->first);
    return accesses;
}

int engine_close_launch(launch *l, int status, ws_run_result *result)
{
    const uint64_t strays = tell_counted(l, &l->strays, l->run->stray);
    const uint64_t misaligned = tell_counted(l, &l->misaligned, l->run->misaligned);
    if (result) {
        result->strays = strays;
        result->misaligned = misaligned;
    }
    if (!status && l->fanout)
        status = collect(l);
    ws_fanout_destroy(l->fanout);
    if (l->grids)
        grids_end(l->grids, !status);
    if (l->grid_barrier)
        memory_free(l->device->memory, l->grid_barrier);
    region_sandbox_free(&l->device->sandbox, l->params);
    tell_note(l);
    if (l->checks)
        checks_end(l);
    free(l->message);
    pthread_mutex_destroy(&l->lock);
    pthread_cond_destroy(&l->changed);
    return status;
}

/* Somebody else says which warp moves when. */
static int simulate(ws_kernel *kernel, const ws_run *run, ws_run_result *result)
{
    const ws_launch_simulator *const who = run->simulator;
    ws_stepper *stepper;
    int status = ws_stepper_create(kernel, run, &stepper);
    if (status)
        return status;
    status = who->simulate(who->context, stepper, ws_stepper_launch(stepper));
    return ws_stepper_close(stepper, status, result);
}

/* A grid whose size is given in clusters (.blocksareclusters). */
static int scale_grid(const ws_kernel *kernel, ws_run *run)
{
    const ws_function *const fn = kernel->function;
    for (int i = 0; i < 3 && fn->blocks_are_clusters; i++) {
        const uint64_t blocks = (uint64_t)run->grid[i] * fn->cluster[i];
        if (blocks > INT32_MAX)
            return ws_fail(WS_EINPUT, "kernel %s: a grid of %llu blocks", fn->name, (unsigned long long)blocks);
        run->grid[i] = (uint32_t)blocks;
    }
    return WS_OK;
}

static int run_grid(ws_kernel *kernel, const ws_run *given, ws_run_result *result)
{
    launch l;
    ws_run scaled = *given;
    const ws_run *const run = &scaled;
    *result = (ws_run_result){0};
    const ws_launch_simulator *const who = run->simulator;
    if (scale_grid(kernel, &scaled))
        return WS_EINPUT;
    const uint32_t *const n = cluster_of(kernel->function, run);
    const bool simulated = who && (!who->wants || who->wants(who->context, run->sequence));
    if (simulated && n[0] * n[1] * n[2] > 1)
        return ws_fail(WS_EUNSUPPORTED,
                       "kernel %s: clusters of (%u,%u,%u) blocks run in the engine only; record a trace and simulate "
                       "that",
                       kernel->function->name, n[0], n[1], n[2]);
    if (simulated)
        return simulate(kernel, run, result);
    int status = engine_open_launch(&l, kernel, run);
    if (status)
        return status;
    status = launch_run(&l, result);
    return engine_close_launch(&l, status, result);
}

/* What kernels launched, as the first one runs, but that nobody listens. */
static int run_rest(const ws_run *first, const ws_launch_simulator *simulator, ws_grids *grids)
{
    ws_run_result unused;
    ws_grid next;
    int status;
    while (!(status = ws_grids_next(grids, &next)) && next.kernel) {
        next.run.max_instructions = first->max_instructions;
        next.run.workers = first->workers;
        next.run.turns = first->turns;
        next.run.bounds = first->bounds;
        next.run.alignment = first->alignment;
        next.run.stray = first->stray;
        next.run.misaligned = first->misaligned;
        next.run.progress = first->progress;
        next.run.context = first->context;
        next.run.simulator = simulator;
        status = run_grid(next.kernel, &next.run, &unused);
        if (status)
            break;
    }
    return status;
}

/* A simulator is in the middle of the launch that waits. */
int engine_run_waited(const ws_run *waits, ws_grids *waited)
{
    return run_rest(waits, NULL, waited);
}

/* Nobody asked for what the kernel launches: it runs behind it, and nobody listens. */
static int run_family(ws_kernel *kernel, const ws_run *run, ws_run_result *result)
{
    ws_run first = *run;
    int status = ws_grids_create(kernel->image->device, &first.grids);
    if (!status)
        status = run_grid(kernel, &first, result);
    if (!status)
        status = run_rest(run, run->simulator, first.grids);
    ws_grids_destroy(first.grids);
    return status;
}

int ws_kernel_run(ws_kernel *kernel, const ws_run *run, ws_run_result *result)
{
    ws_run_result unused;
    if (!result)
        result = &unused;
    return kernel->ordered && !run->grids ? run_family(kernel, run, result) : run_grid(kernel, run, result);
}
