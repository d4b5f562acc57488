/* bench_warps.c - what does one warp instruction cost in the engine, memory, matrices and textures included?
 *
 * A kernel repeats an instruction, or a few, in a loop; the CPU time of the launch, less that of the same kernel with
 * an empty loop, is divided by the repetitions. Nobody listens, or what each instruction does is kept (`--lines`; its
 * share of the first is beside it), or all metrics are. The last column sets the first against plain C: one addition of
 * 32 numbers in memory, timed in the same run.
 *
 *     bench_warps [-n] [NAME...]   only rows whose name contains one of these; -n: nobody listens */
#include "base/status.h"
#include "collect/simt/engine.h"
#include "collect/simt/texture.h"
#include "metrics/collector.h"
#include "metrics/instructions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COPIES = 4, BLOCKS = 64, THREADS = 64, TRIES = 5, MATRIX_REGISTERS = 8, SIDE = 256, WORDS = 1 << 20 };

/* Who listens. */
typedef enum listener { NOBODY, LINES, METRICS, LISTENERS } listener;

typedef struct row {
    const char *name;
    const char *body; /* once a repetition */
    unsigned loops;   /* of COPIES repetitions, for each warp */
} row;

#define M4(r) "{%" r "0,%" r "1,%" r "2,%" r "3}"
#define M8(r) "{%" r "0,%" r "1,%" r "2,%" r "3,%" r "4,%" r "5,%" r "6,%" r "7}"

/* %a: address of this thread's word in device memory; %z of the first; %s, %t: the same in shared memory; %w: scattered
 * words; %n: 100 words apart; %x, %y: coordinates. */
static const row rows[] = {
    {"add.s32", "add.s32 %v, %v, %u;\n", 500},
    {"8 x add.s32",
     "add.s32 %v, %v, %u;\nadd.s32 %v, %v, %u;\nadd.s32 %v, %v, %u;\nadd.s32 %v, %v, %u;\n"
     "add.s32 %v, %v, %u;\nadd.s32 %v, %v, %u;\nadd.s32 %v, %v, %u;\nadd.s32 %v, %v, %u;\n",
     250},
    {"ld.global, side by side", "ld.global.u32 %v, [%a];\n", 250},
    {"ld.global, one word", "ld.global.u32 %v, [%z];\n", 250},
    {"ld.global, 400 bytes apart", "ld.global.u32 %v, [%n];\n", 250},
    {"ld.global, scattered", "ld.global.u32 %v, [%w];\n", 250},
    {"ld.global.v4, side by side", "ld.global.v4.u32 {%v,%u,%v,%u}, [%q];\n", 250},
    {"ld.global, 20 lanes", "@%half ld.global.u32 %v, [%a];\n", 250},
    {"ld, generic", "ld.u32 %v, [%a];\n", 250},
    {"ld.shared", "ld.shared.u32 %v, [%s];\n", 250},
    {"ld.shared, one word", "ld.shared.u32 %v, [%t];\n", 250},
    {"st.global", "st.global.u32 [%a], %v;\n", 250},
    {"st.shared", "st.shared.u32 [%s], %v;\n", 250},
    {"atom.global.add", "atom.global.add.u32 %v, [%a], 1;\n", 125},
    {"cp.async, 16 bytes",
     "cp.async.cg.shared.global [%s16], [%q], 16;\ncp.async.commit_group;\ncp.async.wait_group 0;\n", 62},
    {"bar.sync", "bar.sync 0;\n", 125},
    {"branch that parts", "setp.lt.u32 %p, %lane, 20;\n@%p bra $L@;\nadd.s32 %v, %v, 1;\n$L@:\n", 125},
    {"branch that does not", "setp.lt.u32 %p, %lane, 40;\n@%p bra $L@;\nadd.s32 %v, %v, 1;\n$L@:\n", 125},
    {"wmma f16, sums f32, 16x16x16",
     "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " M8("d") "," M8("m") "," M8("m") "," M8("d") ";\n", 12},
    {"wmma f16, sums f16, 16x16x16",
     "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 " M4("d") "," M8("m") "," M8("m") "," M4("d") ";\n", 12},
    {"wmma bf16, 16x16x16",
     "wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32 " M8("d") "," M4("m") "," M4("m") "," M8("d") ";\n",
     12},
    {"wmma tf32, 16x16x8",
     "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 " M8("d") "," M4("m") "," M4("m") "," M8("d") ";\n", 12},
    {"wmma s8, 16x16x16",
     "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 " M8("d") ",{%m0,%m1},{%m0,%m1}," M8("d") ";\n", 12},
    {"wmma f64, 8x8x4", "wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64 {%f0,%f1},{%f2},{%f2},{%f0,%f1};\n",
     25},
    {"wmma b1, 8x8x128",
     "wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%d0,%d1},{%m0},{%m1},{%d0,%d1};\n", 25},
    {"mma f16, 16x8x16",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " M4("d") "," M4("m") ",{%m0,%m1}," M4("d") ";\n", 12},
    {"mma e4m3, 16x8x32",
     "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 " M4("d") "," M4("m") ",{%m0,%m1}," M4("d") ";\n", 12},
    {"wmma.load f16 from shared", "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " M8("m") ", [%t], 24;\n", 25},
    {"wmma.load f32 from global", "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 " M8("d") ", [%z], 64;\n", 25},
    {"wmma.store f32 to global", "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%z], " M8("d") ", 64;\n", 25},
    {"ldmatrix x4", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 " M4("m") ", [%s16];\n", 25},
    {"tex.2d, nearest", "tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [point, {%x,%y}];\n", 25},
    {"tex.2d, nearest, wrapped", "tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [wrapped, {%x1,%y1}];\n", 25},
    {"tex.2d, linear", "tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [linear, {%x,%y}];\n", 25},
    {"tex.2d, linear, 4 bytes, wrapped", "tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [bytes, {%x1,%y1}];\n", 25},
};
enum { ROWS = sizeof rows / sizeof *rows };

static const char opening[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".global .texref point;\n.global .texref wrapped;\n.global .texref linear;\n.global .texref bytes;\n"
    ".entry k(.param .u64 memory, .param .u32 loops)\n{\n"
    ".shared .align 128 .b8 near[16384];\n"
    ".reg .pred %p, %half, %again;\n.reg .b32 %v, %u, %lane, %t, %s, %s16, %i, %me, %h, %m<8>, %d<8>;\n"
    ".reg .b64 %a, %z, %n, %w, %q, %o;\n.reg .f64 %f<3>;\n.reg .f32 %x, %y, %x1, %y1, %r<4>;\n"
    "ld.param.u64 %z, [memory];\nld.param.u32 %i, [loops];\nmov.u32 %me, %tid.x;\nmov.u32 %lane, %laneid;\n"
    "setp.lt.u32 %half, %lane, 20;\nmov.u32 %v, 1;\nmov.u32 %u, %me;\n"
    "mul.wide.u32 %o, %me, 4;\nadd.u64 %a, %z, %o;\nmul.wide.u32 %o, %me, 16;\nadd.u64 %q, %z, %o;\n"
    "mul.wide.u32 %o, %me, 400;\nadd.u64 %n, %z, %o;\n"
    "mul.lo.u32 %h, %me, 2654435761;\nshr.u32 %h, %h, 12;\nand.b32 %h, %h, 0xfffff;\nmul.wide.u32 %o, %h, 4;\nadd.u64 "
    "%w, %z, %o;\n"
    "mov.u32 %t, near;\nmad.lo.u32 %s, %me, 4, %t;\nmad.lo.u32 %s16, %me, 16, %t;\n"
    "cvt.rn.f32.u32 %x, %lane;\nmad.rn.f32 %x, %x, 1.25, 3.375;\nmov.f32 %y, 7.75;\n"
    "mul.f32 %x1, %x, 0.00390625;\nmul.f32 %y1, %y, 0.00390625;\n"
    "cvt.rn.f64.f32 %f0, %x;\ncvt.rn.f64.f32 %f1, %y;\nmov.f64 %f2, 0d3FF0000000000000;\n"
    "mov.b32 %m0, 0x3c003c00;\nmov.b32 %m1, 0x38003c00;\nmov.b32 %m2, %m0;\nmov.b32 %m3, %m1;\nmov.b32 %m4, %m0;\n"
    "mov.b32 %m5, %m1;\nmov.b32 %m6, %m0;\nmov.b32 %m7, %m1;\n"
    "mov.b32 %d0, 0;\nmov.b32 %d1, 0;\nmov.b32 %d2, 0;\nmov.b32 %d3, 0;\nmov.b32 %d4, 0;\nmov.b32 %d5, 0;\nmov.b32 "
    "%d6, 0;\nmov.b32 %d7, 0;\n"
    "$again:\n";
static const char closing[] = "sub.u32 %i, %i, 1;\nsetp.ne.u32 %again, %i, 0;\n@%again bra $again;\nret;\n}\n";

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The kernel's text; labels of the body get a number each. */
static void write_kernel(char *text, const char *body, unsigned copies)
{
    char *to = stpcpy(text, opening);
    for (unsigned c = 0; c < copies; c++)
        for (const char *from = body; *from; from++)
            if (*from == '@' && from > body && from[-1] == 'L')
                to += sprintf(to, "%u", c);
            else
                *to++ = *from;
    strcpy(to, closing);
}

static int bind(ws_device *device, const ws_image *image, const char *name, uint64_t address, bool bytes, bool linear,
                bool wraps)
{
    const ws_edge edge = wraps ? WS_EDGE_WRAP : WS_EDGE_CLAMP;
    const unsigned texel = bytes ? 4 : 16;
    const ws_texture t = {.address = address,
                          .width = SIDE,
                          .height = SIDE,
                          .pitch = SIDE * texel,
                          .slice = SIDE * SIDE * texel,
                          .texel = bytes ? WS_TEXEL_U8 : WS_TEXEL_F32,
                          .channels = 4,
                          .as_float = bytes,
                          .sampler = {.edge = {edge, edge, edge}, .linear = linear, .normalized = wraps}};
    ws_texture_kind kind;
    uint64_t handle;
    const int status = ws_image_texture(image, name, &kind, &handle);
    return status ? status : ws_texture_bind(device, handle, &t);
}

static int bind_all(ws_device *device, const ws_image *image, uint64_t address)
{
    int status = bind(device, image, "point", address, false, false, false);
    if (!status)
        status = bind(device, image, "wrapped", address, false, false, true);
    if (!status)
        status = bind(device, image, "linear", address, false, true, false);
    return status ? status : bind(device, image, "bytes", address, true, true, true);
}

/* As a recorder does with --lines, but that nobody writes it down. */
static int collect_listing(void *context, const ws_launch *launch, size_t sink, void *state)
{
    ws_bytes code = {0}, counts = {0};
    (void)context, (void)sink;
    const int status = ws_instructions_finish(state, launch, &code, &counts);
    ws_bytes_fini(&code);
    ws_bytes_fini(&counts);
    return status;
}

/* Best CPU seconds of a launch of the kernel with that body. */
static int launch_seconds(const char *body, unsigned copies, unsigned loops, listener who, double *best)
{
    static char text[32768];
    ws_module *module = NULL;
    ws_device *device = NULL;
    ws_image *image;
    ws_kernel *kernel;
    ws_collector *collector = NULL;
    struct {
        uint64_t memory;
        uint32_t loops;
    } params = {.loops = loops};
    ws_run run = {.grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1}, .params = &params, .workers = 1};
    write_kernel(text, body, copies);
    int status = ws_ptx_parse("bench", text, strlen(text), &module);
    if (!status)
        status = ws_device_create(&(ws_device_options){.workers = 1}, &device);
    if (!status)
        status = ws_image_load(device, module, &image);
    if (!status)
        status = ws_image_kernel(image, "k", &kernel);
    if (!status)
        status = ws_device_alloc(device, WORDS * sizeof(uint32_t), &params.memory);
    if (!status)
        status = bind_all(device, image, params.memory);
    if (!status && who == METRICS)
        status = ws_collector_create("all", &collector);
    if (collector) {
        run.sinks = ws_collector_sinks(collector, &run.sink_count);
        run.collect = ws_collector_collect;
        run.context = collector;
    }
    static const ws_sink *const instructions[] = {&ws_instructions_sink};
    if (who == LINES) {
        run.sinks = instructions;
        run.sink_count = 1;
        run.collect = collect_listing;
    }
    for (int t = 0; t < TRIES && !status; t++) {
        ws_run_result result;
        const double start = cpu_seconds();
        status = ws_kernel_run(kernel, &run, &result);
        const double took = cpu_seconds() - start;
        *best = t && *best < took ? *best : took;
    }
    ws_collector_destroy(collector);
    ws_device_destroy(device);
    ws_module_destroy(module);
    return status;
}

static int measure(const row *r, listener who, double *ns)
{
    double with = 0, without = 0;
    int status = launch_seconds(r->body, COPIES, r->loops, who, &with);
    if (!status)
        status = launch_seconds("", 0, r->loops, who, &without);
    *ns = (with - without) * 1e9 / (BLOCKS * THREADS / WS_WARP * COPIES * (double)r->loops);
    return status;
}

/* Launches of one warp that does next to nothing. */
static int measure_launch(listener who, double *ns)
{
    double many = 0;
    const int status = launch_seconds("", 0, 1, who, &many);
    *ns = many * 1e9;
    return status;
}

/* Nanoseconds of an addition of 32 numbers to 32 others that are in the first cache. */
static double plain_ns(void)
{
    enum { TIMES = 4000000 };
    static uint32_t x[WS_WARP], y[WS_WARP];
    double best = 0;
    for (int t = 0; t < TRIES; t++) {
        const double start = cpu_seconds();
        for (int i = 0; i < TIMES; i++) {
            for (int lane = 0; lane < WS_WARP; lane++)
                x[lane] += y[lane] ^ (uint32_t)i;
            __asm__ volatile("" : : "r"(x), "r"(y) : "memory");
        }
        const double took = (cpu_seconds() - start) / TIMES;
        best = t && best < took ? best : took;
    }
    return best * 1e9;
}

static bool wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strstr(name, argv[i]))
            return true;
    return argc < 2;
}

int main(int argc, char **argv)
{
    const double plain = plain_ns();
    const bool bare_only = argc > 1 && strcmp(argv[1], "-n") == 0;
    argc -= bare_only;
    argv += bare_only;
    printf("%-34s %12s %12s %8s %12s %12s\n", "ns", "nobody", "lines", "ratio", "all metrics", "x plain C");
    for (int i = 0; i <= ROWS; i++) {
        const char *const name = i < ROWS ? rows[i].name : "a launch of 64 blocks";
        double ns[LISTENERS] = {NAN, NAN, NAN};
        if (!wanted(name, argc, argv))
            continue;
        int status = WS_OK;
        for (int who = NOBODY; who < (bare_only ? LINES : LISTENERS) && !status; who++)
            status = i < ROWS ? measure(&rows[i], (listener)who, &ns[who]) : measure_launch((listener)who, &ns[who]);
        if (status) {
            fprintf(stderr, "bench_warps: %s: %s\n", name, ws_message());
            return 1;
        }
        printf("%-34s %12.1f %12.1f %8.2f %12.1f %12.1f\n", name, ns[NOBODY], ns[LINES], ns[LINES] / ns[NOBODY],
               ns[METRICS], ns[NOBODY] / plain);
        fflush(stdout);
    }
    return 0;
}
