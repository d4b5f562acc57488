/* library_program.c - kernels of PTX, launched by programs that link with the library. */
#include "library/library_recorder_internal.h"

#include "collect/ptx/module.h"
#include "collect/simt/engine.h"

#include <stdlib.h>
#include <string.h>

struct warpscape_program {
    ws_module *module;
    ws_device *device;
    ws_image *image;
};

int warpscape_program_load(const char *ptx_path, warpscape_program **out)
{
    *out = NULL;
    warpscape_program *const p = calloc(1, sizeof *p);
    if (!p)
        return ws_fail(WS_EMEM, "no memory for a program");
    int status = ws_ptx_load(ptx_path, &p->module);
    if (status == WS_OK) {
        const ws_device_options how = {.low_memory = p->module->address_bits == 32};
        status = ws_device_create(&how, &p->device);
    }
    if (status == WS_OK)
        status = ws_image_load(p->device, p->module, &p->image);
    if (status != WS_OK) {
        warpscape_program_free(p);
        return status;
    }
    *out = p;
    return WS_OK;
}

void warpscape_program_free(warpscape_program *program)
{
    if (!program)
        return;
    ws_device_destroy(program->device);
    ws_module_destroy(program->module);
    free(program);
}

/* A launch on its way. */
typedef struct flight {
    warpscape_program *program;
    const warpscape_launch *launch;
    const ws_function *function;
    uint8_t *block;    /* of parameters */
    uint64_t *address; /* [arguments] of memory on the device; 0: none */
    uint64_t h2d_bytes, d2h_bytes;
    ws_listeners *listeners;
    ws_launch told; /* as the engine described it */
} flight;

static bool goes_in(const warpscape_argument *a)
{
    return a->kind == WARPSCAPE_IN || a->kind == WARPSCAPE_IN_OUT;
}

static bool comes_out(const warpscape_argument *a)
{
    return a->kind == WARPSCAPE_OUT || a->kind == WARPSCAPE_IN_OUT;
}

static int put_memory(flight *f, size_t i, const ws_variable *v)
{
    const warpscape_argument *const a = &f->launch->argument[i];
    if (v->size != 4 && v->size != 8)
        return ws_fail(WS_EINPUT, "kernel %s: argument %zu is memory, and parameter %s no pointer: it has %llu bytes",
                       f->function->name, i + 1, v->name, (unsigned long long)v->size);
    const int status = ws_device_alloc(f->program->device, a->bytes ? a->bytes : 1, &f->address[i]);
    if (status != WS_OK)
        return status;
    void *const at = ws_device_pointer(f->program->device, f->address[i], a->bytes);
    if (goes_in(a))
        memcpy(at, a->data, a->bytes);
    else
        memset(at, 0, a->bytes);
    f->h2d_bytes += goes_in(a) ? a->bytes : 0;
    memcpy(f->block + v->offset, &f->address[i], v->size);
    return WS_OK;
}

static int put_argument(flight *f, size_t i)
{
    const warpscape_argument *const a = &f->launch->argument[i];
    const ws_variable *const v = &f->function->param[i];
    if (a->kind != WARPSCAPE_VALUE)
        return put_memory(f, i, v);
    if (a->bytes != v->size)
        return ws_fail(WS_EINPUT, "kernel %s: argument %zu has %zu bytes, and parameter %s %llu", f->function->name,
                       i + 1, a->bytes, v->name, (unsigned long long)v->size);
    memcpy(f->block + v->offset, a->data, a->bytes);
    return WS_OK;
}

static int put_arguments(flight *f)
{
    int status = WS_OK;
    if (f->launch->arguments != f->function->params)
        return ws_fail(WS_EINPUT, "kernel %s has %u parameters, and %zu arguments are given", f->function->name,
                       f->function->params, f->launch->arguments);
    for (size_t i = 0; i < f->launch->arguments && status == WS_OK; i++)
        status = put_argument(f, i);
    return status;
}

static void take_back(flight *f)
{
    for (size_t i = 0; i < f->launch->arguments; i++) {
        const warpscape_argument *const a = &f->launch->argument[i];
        if (a->kind == WARPSCAPE_VALUE || !comes_out(a))
            continue;
        memcpy(a->data, ws_device_pointer(f->program->device, f->address[i], a->bytes), a->bytes);
        f->d2h_bytes += a->bytes;
    }
}

static int collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    flight *const f = context;
    if (!f->told.kernel) { /* the engine's tables are gone when the numbers of the launch are known */
        f->told = *launch;
        f->told.kernel = f->launch->kernel;
        f->told.instr = NULL;
        f->told.instrs = 0;
    }
    return ws_listeners_collect(f->listeners, launch, sink, state);
}

static int run(flight *f, ws_kernel *kernel, warpscape_recorder *recorder)
{
    ws_run how = {.dynamic_shared = f->launch->dynamic_shared,
                  .params = f->block,
                  .max_instructions = f->launch->most_instructions};
    ws_run_result result = {0};
    for (size_t i = 0; i < 3; i++) {
        how.grid[i] = f->launch->grid[i] ? f->launch->grid[i] : 1;
        how.block[i] = f->launch->block[i] ? f->launch->block[i] : 1;
    }
    if (recorder) {
        f->listeners = &recorder->listeners;
        how.sinks = recorder->listeners.sink;
        how.sink_count = recorder->listeners.n;
        how.collect = collect;
        how.context = f;
        how.sequence = recorder->launches;
        how.h2d_bytes = f->h2d_bytes;
        how.d2h_bytes = recorder->d2h_bytes;
    }
    int status = ws_kernel_run(kernel, &how, &result);
    if (!recorder)
        return status;
    status = ws_listeners_launched(f->listeners, status);
    if (status != WS_OK)
        return status;
    recorder->d2h_bytes = 0;
    const library_ran ran = {result.seconds, result.warp_instructions, result.thread_instructions};
    return library_record(recorder, &f->told, &ran);
}

int warpscape_program_launch(warpscape_program *program, const warpscape_launch *launch, warpscape_recorder *recorder)
{
    ws_kernel *kernel;
    ws_kernel_facts facts;
    int status = ws_image_kernel(program->image, launch->kernel, &kernel);
    if (status != WS_OK)
        return status;
    ws_kernel_get_facts(kernel, &facts);
    flight f = {.program = program, .launch = launch, .function = facts.function};
    f.block = calloc(1, facts.param_bytes + 1);
    f.address = calloc(launch->arguments + 1, sizeof *f.address);
    status = f.block && f.address ? put_arguments(&f)
                                  : ws_fail(WS_EMEM, "kernel %s: no memory for its arguments", launch->kernel);
    if (status == WS_OK)
        status = run(&f, kernel, recorder);
    if (status == WS_OK)
        take_back(&f);
    if (status == WS_OK && recorder)
        recorder->d2h_bytes += f.d2h_bytes;
    for (size_t i = 0; f.address && i < launch->arguments; i++)
        if (f.address[i])
            ws_device_free(program->device, f.address[i]);
    free(f.address);
    free(f.block);
    return status;
}
