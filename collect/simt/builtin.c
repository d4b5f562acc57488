/* builtin.c - the functions that device code expects from the driver: malloc, free, __assertfail, vprintf of
 * device_print.c, and by the table of device_runtime.def those of the device runtime. */
#include "collect/simt/device_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    device_fn *fn;
    bool ordered;
} runtime[] = {
#define DEVICE_CALL(name, function, ordered) {#name, function, ordered},
#include "collect/simt/device_runtime.def"
#undef DEVICE_CALL
};

/* Programs of CUDA 12 and later ask for __cudaCDP2Malloc where older ones ask for cudaMalloc. */
static enum builtin find_runtime(const char *name)
{
    static const char *const prefix[] = {"__cudaCDP2", "__cuda", "cuda"};
    for (size_t k = 0; k < sizeof prefix / sizeof *prefix; k++) {
        const size_t skip = strlen(prefix[k]);
        if (strncmp(name, prefix[k], skip))
            continue;
        const char *const own = name + skip, *const suffix = strstr(own, "_ptsz");
        const size_t length = suffix && !suffix[5] ? (size_t)(suffix - own) : strlen(own);
        for (unsigned i = 0; i < sizeof runtime / sizeof *runtime; i++)
            if (strlen(runtime[i].name) == length && !memcmp(runtime[i].name, own, length))
                return (enum builtin)(BUILTIN_DEVICE + i);
        break;
    }
    return BUILTIN_NONE;
}

enum builtin builtin_find(const char *name)
{
    static const struct {
        const char *name;
        enum builtin builtin;
    } rows[] = {{"vprintf", BUILTIN_VPRINTF},
                {"malloc", BUILTIN_MALLOC},
                {"free", BUILTIN_FREE},
                {"__assertfail", BUILTIN_ASSERTFAIL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, name))
            return rows[i].builtin;
    return find_runtime(name);
}

bool builtin_is_ordered(enum builtin builtin)
{
    return builtin >= BUILTIN_DEVICE && runtime[builtin - BUILTIN_DEVICE].ordered;
}

bool builtin_needs_heap(enum builtin builtin)
{
    return builtin == BUILTIN_MALLOC ||
           (builtin >= BUILTIN_DEVICE && runtime[builtin - BUILTIN_DEVICE].fn == device_malloc);
}

bool ws_engine_provides(const char *name)
{
    return builtin_find(name) != BUILTIN_NONE;
}

/* Argument i of the call for a lane, 0 when the call has fewer. */
static uint64_t argument(const warp *w, const call_site *site, unsigned i, uint32_t lane)
{
    if (i >= site->args)
        return 0;
    const call_value *v = &site->arg[i];
    const frame *f = &w->frame[w->frames - 1];
    uint64_t value = 0;
    if (v->is_reg) {
        const void *reg = place_pointer(w, v->reg);
        return v->wide ? ((const uint64_t *)reg)[lane] : ((const uint32_t *)reg)[lane];
    }
    memcpy(&value, f->param + (size_t)lane * f->proc->param_bytes + v->offset, v->bytes < 8 ? v->bytes : 8);
    return value;
}

uint64_t builtin_argument(const device_call *c, unsigned i)
{
    return argument(c->w, c->site, i, c->lane);
}

void builtin_struct(const device_call *c, unsigned i, void *out, size_t bytes)
{
    const call_site *const site = c->site;
    memset(out, 0, bytes);
    if (i >= site->args || site->arg[i].is_reg)
        return;
    const call_value *const v = &site->arg[i];
    const frame *const f = &c->w->frame[c->w->frames - 1];
    memcpy(out, f->param + (size_t)c->lane * f->proc->param_bytes + v->offset, v->bytes < bytes ? v->bytes : bytes);
}

static void give_result(warp *w, const call_site *site, uint32_t lane, uint64_t value)
{
    if (!site->rets)
        return;
    const call_value *v = &site->ret[0];
    frame *f = &w->frame[w->frames - 1];
    if (v->is_reg) {
        void *reg = place_pointer(w, v->reg);
        if (v->wide)
            ((uint64_t *)reg)[lane] = value;
        else
            ((uint32_t *)reg)[lane] = (uint32_t)value;
    } else {
        memcpy(f->param + (size_t)lane * f->proc->param_bytes + v->offset, &value, v->bytes < 8 ? v->bytes : 8);
    }
}

void builtin_give(const device_call *c, uint64_t value)
{
    give_result(c->w, c->site, c->lane, value);
}

/* Host memory behind a generic address of a thread, and how many bytes lie there; NULL when none do, or none to write.
 */
static unsigned char *place_of(const warp *w, uint32_t lane, uint64_t address, bool write, uint64_t *bytes)
{
    const block *b = w->block;
    span s;
    if (address - SHARED_WINDOW < b->shared_bytes) {
        *bytes = b->shared_bytes - (address - SHARED_WINDOW);
        return b->shared + (address - SHARED_WINDOW);
    }
    if (address - LOCAL_WINDOW < w->local_used) {
        *bytes = w->local_used - (address - LOCAL_WINDOW);
        return w->local + (size_t)lane * w->local_capacity + (address - LOCAL_WINDOW);
    }
    memory *const m = b->launch->device->memory;
    if (memory_heap_contains(m, address) ? memory_heap_find(m, address, &s) : memory_find(m, address, &s)) {
        *bytes = s.high - address;
        return write && s.read_only ? NULL : (unsigned char *)(uintptr_t)address;
    }
    return NULL;
}

unsigned char *builtin_memory(const device_call *c, uint64_t address, bool write, uint64_t *bytes)
{
    unsigned char *const at = place_of(c->w, c->lane, address, write, bytes);
    if (c->w->block->checks && at && write) /* it is not said how much of it is written */
        checks_wrote_generic(c->w, c->lane, address, *bytes);
    return at;
}

static const unsigned char *readable(const warp *w, uint32_t lane, uint64_t address, uint64_t *bytes)
{
    return place_of(w, lane, address, false, bytes);
}

/* A device string as host text; cut at size. False when it does not end inside its memory. */
static bool read_string(const warp *w, uint32_t lane, uint64_t address, char *text, size_t size)
{
    uint64_t bytes;
    const unsigned char *p = readable(w, lane, address, &bytes);
    if (!p)
        return false;
    const size_t length = strnlen((const char *)p, bytes);
    if (length == bytes)
        return false;
    snprintf(text, size, "%s", (const char *)p);
    return true;
}

static bool call_assert(warp *w, const uop *u, const call_site *site, uint32_t exec)
{
    char message[256], file[256], function[256];
    const uint32_t lane = ws_lowest(exec);
    if (!read_string(w, lane, argument(w, site, 0, lane), message, sizeof message))
        snprintf(message, sizeof message, "?");
    if (!read_string(w, lane, argument(w, site, 1, lane), file, sizeof file))
        snprintf(file, sizeof file, "?");
    if (!read_string(w, lane, argument(w, site, 3, lane), function, sizeof function))
        snprintf(function, sizeof function, "?");
    return block_fault(w, u, lane, "%s:%u: %s: assertion `%s` failed", file, (unsigned)argument(w, site, 2, lane),
                       function, message);
}

/* One lane after the other. An error is what the call gives, and what cudaGetLastError then gives. */
static bool call_runtime(warp *w, const uop *u, uint32_t exec)
{
    const call_site *const site = u->info;
    device_fn *const fn = runtime[site->builtin - BUILTIN_DEVICE].fn;
    WS_EACH_LANE (lane, exec) {
        device_call c = {.w = w, .u = u, .site = site, .lane = lane};
        const int error = fn(&c);
        if (c.fault)
            return false;
        builtin_give(&c, c.gives ? c.result : (uint64_t)error);
        if (!error || fn == device_last_error || fn == device_peek_error)
            continue;
        if (!w->device_error)
            w->device_error = calloc(WS_WARP, sizeof *w->device_error);
        if (!w->device_error)
            return block_fail(w->block, WS_EMEM, "no memory for the errors of a warp");
        w->device_error[lane] = error;
    }
    return true;
}

bool builtin_call(warp *w, const uop *u, uint32_t exec)
{
    const call_site *site = u->info;
    memory *m = w->block->launch->device->memory;
    switch ((enum builtin)site->builtin) {
    case BUILTIN_VPRINTF:
        return device_print(w, u, exec);
    case BUILTIN_ASSERTFAIL:
        return call_assert(w, u, site, exec);
    case BUILTIN_MALLOC:
        WS_EACH_LANE (lane, exec) {
            const uint64_t bytes = argument(w, site, 0, lane), at = memory_heap_alloc(m, bytes);
            if (w->block->checks && at)
                checks_heap(w, at, bytes);
            give_result(w, site, lane, at);
        }
        return true;
    case BUILTIN_FREE:
        WS_EACH_LANE (lane, exec) {
            const uint64_t at = argument(w, site, 0, lane);
            if (at && !memory_heap_free(m, at))
                return block_fault(w, u, lane, "free of 0x%llx, which device malloc did not give or which was freed",
                                   (unsigned long long)at);
        }
        return true;
    default:
        return call_runtime(w, u, exec);
    }
}
