/* fuzz_access.c - does any access lead out of the memory that a kernel was given? Every form of access of
 * access_forms.def by lanes whose addresses come from a table of those that checks get wrong: near 2^64, at both ends
 * of buffers and windows, and of a page of the host that holds a secret. The page must stay as it is, and the secret
 * must not turn up in the device's memory. That goes for devices of both kinds, with bounds exact and in pages; an
 * allocation that no address of the table is near stays as it is, too. */
#include "base/bits.h"
#include "base/status.h"
#include "collect/simt/engine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct form {
    const char *name, *text;
} form;

static const form forms[] = {
#define FORM(name, text) {#name, text},
#include "access_forms.def"
#undef FORM
};
enum {
    FORMS = sizeof forms / sizeof *forms,
    BUFFER_BYTES = 1024,
    PAGE = 4096,
    LIMIT = 20000,
    LAUNCHES = 4,
    FAR_BYTES = 1 << 20
};

/* Not a value that anything else has: words of it in device memory were read from the host. */
#define SECRET UINT64_C(0x9d5e3ab74c61f082)

static const char start[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 a);\n"
    ".extern .func free(.param .b64 a);\n"
    ".visible .entry k(.param .u64 at, .param .u64 buffer, .param .u64 sizes)\n{\n"
    " .reg .u64 %a, %b, %t, %d<6>; .reg .u32 %s, %r<12>; .reg .u16 %h<2>; .reg .pred %p<4>; .reg .f32 %f<3>;\n"
    " .shared .align 16 .b8 sm[4096]; .shared .align 8 .b64 mb; .local .align 8 .b8 lo[64];\n"
    " ld.param.u64 %t, [at]; ld.param.u64 %b, [buffer]; ld.param.u64 %d5, [sizes];\n"
    " mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 8; add.u64 %t, %t, %d1; add.u64 %d5, %d5, %d1;\n"
    " ld.global.u64 %a, [%t]; ld.global.u64 %d3, [%d5]; shl.b32 %r2, %r1, 4; mov.u32 %s, sm; add.u32 %s, %s, %r2;\n"
    " mul.wide.u32 %d1, %r1, 32; add.u64 %b, %b, %d1; mov.u32 %r2, 0; cvt.u32.u64 %r3, %d3; mov.u32 %r4, 7; mov.u32 "
    "%r5, 8;\n"
    " and.b32 %r6, %r3, 31; mov.u32 %r7, 3; mov.u32 %r8, 3; mov.u32 %r9, 3; mov.u64 %d2, 0; mov.u64 %d4, 5;\n"
    " mov.f32 %f1, 0f3f800000; st.local.u32 [lo], %r4;\n ";
static const char end[] = "\n st.global.v2.u32 [%b], {%r2, %r3}; st.global.u64 [%b+8], %d2;\n ret;\n}\n";

/* A device, the kernels of all forms as they are asked for, and what the kernels may see. */
typedef struct world {
    ws_device *device;
    ws_module *module[FORMS];
    ws_kernel *kernel[FORMS];
    uint64_t *at, *sizes, *buffer; /* device memory */
    uint64_t gone;                 /* that was freed */
    uint64_t *other;  /* PAGE bytes, FAR_BYTES behind what addresses lead to: 15 rows of 4096 elements are nearer */
    uint64_t *canary; /* a page of the host */
    uint64_t base;    /* where the device's addresses begin */
} world;

static uint64_t *allocate(const world *w, uint64_t bytes)
{
    uint64_t at;
    if (ws_device_alloc(w->device, bytes, &at))
        abort();
    return (uint64_t *)(uintptr_t)at;
}

static void keep_secret(uint64_t *page)
{
    for (size_t i = 0; i < PAGE / sizeof *page; i++)
        page[i] = SECRET;
}

static world *the_world(bool pages)
{
    static world worlds[2];
    world *const w = &worlds[pages];
    if (w->device)
        return w;
    const ws_device_options options = {
        .workers = 1, .memory_bytes = 64u << 20, .heap_bytes = 65536, .pages = pages, .print = fopen("/dev/null", "w")};
    if (!options.print || ws_device_create(&options, &w->device))
        abort();
    w->base = (uintptr_t)allocate(w, 1) & ~UINT64_C(0xffffff); /* what lies below are constants */
    w->at = allocate(w, 32 * 8);
    w->sizes = allocate(w, 32 * 8);
    w->buffer = allocate(w, BUFFER_BYTES);
    w->gone = (uintptr_t)allocate(w, PAGE);
    allocate(w, FAR_BYTES);
    w->other = allocate(w, PAGE);
    w->canary = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (ws_device_free(w->device, w->gone) || w->canary == MAP_FAILED)
        abort();
    keep_secret(w->other);
    keep_secret(w->canary);
    return w;
}

static ws_kernel *kernel_of(world *w, unsigned n)
{
    char text[sizeof start + sizeof end + 1024];
    ws_image *image;
    if (w->kernel[n])
        return w->kernel[n];
    const int length = snprintf(text, sizeof text, "%s%s%s", start, forms[n].text, end);
    if (ws_ptx_parse(forms[n].name, text, (size_t)length, &w->module[n]) ||
        ws_image_load(w->device, w->module[n], &image) || ws_image_kernel(image, "k", &w->kernel[n])) {
        fprintf(stderr, "%s: %s\n", forms[n].name, ws_message()); /* every form has to run */
        abort();
    }
    return w->kernel[n];
}

static uint64_t address_at(const world *w, unsigned n)
{
    const uint64_t base = w->base, first = (uintptr_t)w->at, buffer = (uintptr_t)w->buffer, host = (uintptr_t)w->canary;
    const uint64_t stack = (uintptr_t)__builtin_frame_address(0);
    const uint64_t table[] = {host,
                              host + 16,
                              host + PAGE / 2,
                              host + PAGE - 16,
                              host + PAGE - 4,
                              stack,
                              (uintptr_t)w,
                              (uintptr_t)&forms,
                              first,
                              first + 252,
                              first + 256,
                              buffer,
                              buffer + BUFFER_BYTES - 16,
                              buffer + BUFFER_BYTES - 4,
                              buffer + BUFFER_BYTES,
                              buffer + BUFFER_BYTES + 256,
                              w->gone,
                              w->gone + PAGE - 4,
                              base,
                              base - 1,
                              base - 16,
                              base + 0x3fffff,
                              base + 0x400000,
                              base + (64u << 20),
                              base + (68u << 20),
                              base + (68u << 20) - 16,
                              base + ((uint64_t)1 << 40),
                              0,
                              1,
                              4,
                              0xff,
                              0x1000000,
                              0x1000ffc,
                              0x1001000,
                              0x1001fff,
                              0x1ffffff,
                              0x2000000,
                              0x2000010,
                              0x200003f,
                              0x2000040,
                              0x5ffffff,
                              0x6000000,
                              0x60000ff,
                              0x6100000,
                              0x7000000,
                              0x7000010,
                              0x10000000,
                              INT32_MAX,
                              UINT32_MAX,
                              (uint64_t)UINT32_MAX + 1,
                              0x1000000 + ((uint64_t)1 << 32),
                              0x7fffffffffff,
                              0x800000000000,
                              0xffff800000000000,
                              INT64_MAX,
                              (uint64_t)INT64_MAX + 1,
                              UINT64_MAX,
                              UINT64_MAX - 3,
                              UINT64_MAX - 7,
                              UINT64_MAX - 15,
                              UINT64_MAX - 31,
                              UINT64_MAX - 255,
                              UINT64_MAX - 0xffffff,
                              UINT64_MAX - UINT32_MAX};
    return table[n % (sizeof table / sizeof *table)];
}

static uint64_t size_at(unsigned n)
{
    static const uint64_t table[] = {
        0, 1, 4, 16, 32, 255, 1024, 4096, INT32_MAX, (uint64_t)INT32_MAX + 1, UINT32_MAX - 15, UINT32_MAX, UINT64_MAX};
    return table[n % (sizeof table / sizeof *table)];
}

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static uint8_t next(input *in)
{
    return in->size ? (in->size--, *in->data++) : 0;
}

static uint64_t draw_address(const world *w, input *in)
{
    static const int8_t deltas[] = {0, 0, 0, 0, 1, -1, 2, 4, -4, 8, -8, 16, -16, 64, -64, 127};
    const uint64_t at = address_at(w, next(in));
    return at + (uint64_t)(int64_t)deltas[next(in) % sizeof deltas];
}

/* All lanes at one place, or at even distances, or each somewhere, or in a buffer but for a few. */
static void draw_lanes(const world *w, input *in)
{
    enum { SAME, EVEN, WILD, FEW, WAYS };
    static const uint8_t steps[] = {1, 4, 8, 16, 32, 255};
    const unsigned way = next(in) % WAYS, step = steps[next(in) % sizeof steps];
    const uint64_t first = way == FEW ? (uintptr_t)w->buffer : draw_address(w, in);
    for (unsigned i = 0; i < WS_WARP; i++)
        w->at[i] = way == WILD ? draw_address(w, in) : first + (way == SAME ? 0 : i * (way == FEW ? 16 : step));
    for (unsigned k = way == FEW ? 1 + next(in) % 3 : 0; k > 0; k--) {
        const unsigned lane = next(in) % WS_WARP;
        w->at[lane] = draw_address(w, in) & ~UINT64_C(15);
    }
    for (unsigned i = 0; i < WS_WARP; i++)
        w->sizes[i] = size_at(next(in));
}

static void check(const world *w, const form *f)
{
    const uint32_t *const word = (const uint32_t *)w->buffer;
    for (size_t i = 0; i < PAGE / sizeof *w->canary; i++)
        if (w->canary[i] != SECRET) {
            fprintf(stderr, "%s: wrote to the host's memory\n", f->name);
            abort();
        }
    for (size_t i = 0; i < PAGE / sizeof *w->other; i++)
        if (w->other[i] != SECRET) {
            fprintf(stderr, "%s: wrote to an allocation that it cannot know\n", f->name);
            abort();
        }
    for (size_t i = 0; i < BUFFER_BYTES / sizeof *word; i++)
        if (word[i] == (uint32_t)SECRET || word[i] == (uint32_t)(SECRET >> 32)) {
            fprintf(stderr, "%s: read the host's memory\n", f->name);
            abort();
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    const unsigned n = next(&in) % FORMS;
    const bool pages = next(&in) & 1;
    world *const w = the_world(pages);
    ws_kernel *const kernel = kernel_of(w, n);
    for (unsigned k = 0; k < LAUNCHES && in.size; k++) {
        const unsigned workers = 1 + next(&in) % 2;
        draw_lanes(w, &in);
        memset(w->buffer, 0, BUFFER_BYTES);
        const uint64_t params[] = {(uintptr_t)w->at, (uintptr_t)w->buffer, (uintptr_t)w->sizes};
        const ws_run run = {.grid = {workers, 1, 1},
                            .block = {WS_WARP, 1, 1},
                            .params = params,
                            .max_instructions = LIMIT,
                            .workers = workers,
                            .bounds = pages ? WS_BOUNDS_PAGES : WS_BOUNDS_EXACT};
        if (ws_kernel_run(kernel, &run, NULL) && !*ws_message())
            abort(); /* a failure says why */
        check(w, &forms[n]);
    }
    return 0;
}
