/* bench_lanes.c - how long does one instruction of a warp take, on each vector level of this processor?
 *
 * Nanoseconds of one call of the lane function: all 32 lanes, and 16 of them. */
#include "base/status.h"
#include "collect/ptx/module.h"
#include "collect/simt/lanes.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const instructions[] = {
    "mov.u32 %r1, %r2",
    "add.s32 %r1, %r2, %r3",
    "mad.lo.s32 %r1, %r2, %r3, %r4",
    "mul.wide.s32 %d1, %r2, %r3",
    "mul.hi.u64 %d1, %d2, %d3",
    "shl.b32 %r1, %r2, %r3",
    "min.s32 %r1, %r2, %r3",
    "selp.b32 %r1, %r2, %r3, %p1",
    "setp.lt.s32 %p1, %r2, %r3",
    "setp.lt.f64 %p1, %d2, %d3",
    "div.s32 %r1, %r2, %r3",
    "div.s64 %d1, %d2, %d3",
    "popc.b32 %r1, %r2",
    "bfe.u32 %r1, %r2, %r3, %r4",
    "prmt.b32 %r1, %r2, %r3, %r4",
    "add.f32 %r1, %r2, %r3",
    "fma.rn.f32 %r1, %r2, %r3, %r4",
    "fma.rn.ftz.f32 %r1, %r2, %r3, %r4",
    "fma.rm.f32 %r1, %r2, %r3, %r4",
    "fma.rn.f64 %d1, %d2, %d3, %d4",
    "div.rn.f32 %r1, %r2, %r3",
    "max.f32 %r1, %r2, %r3",
    "cvt.rn.f32.s32 %r1, %r2",
    "cvt.rzi.s32.f32 %r1, %r2",
    "cvt.u64.u32 %d1, %r2",
    "cvt.rn.f16.f32 %h1, %r2",
    "add.f16x2 %r1, %r2, %r3",
    "fma.rn.f16x2 %r1, %r2, %r3, %r4",
    "sin.approx.f32 %r1, %r2",
    "lg2.approx.f32 %r1, %r2",
    "ex2.approx.f32 %r1, %r2",
    "rsqrt.approx.f32 %r1, %r2",
    "vadd4.u32.u32.u32 %r1, %r2, %r3, %r4",
};
enum { INSTRUCTIONS = sizeof instructions / sizeof instructions[0], CALLS = 20000, TRIES = 5 };

typedef struct registers {
    _Alignas(64) uint64_t word[5][WS_WARP];
} registers;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static ws_mask mask_of(uint32_t bits)
{
    ws_mask m = {.bits = bits};
    for (int i = 0; i < WS_WARP; i++)
        m.lane[i] = (bits >> i) & 1 ? -1 : 0;
    return m;
}

static double best_ns(ws_lanes_fn *fn, const ws_lanes_shape *shape, registers *r, const ws_mask *m)
{
    double best = 1;
    const void *const e = shape->controlled ? (const void *)&shape->control : (const void *)r->word[4];
    for (int t = 0; t < TRIES; t++) {
        const double start = cpu_seconds();
        for (int i = 0; i < CALLS; i++)
            fn(r->word[0], r->word[1], r->word[2], r->word[3], e, m);
        const double each = (cpu_seconds() - start) / CALLS;
        best = each < best ? each : best;
    }
    return best * 1e9;
}

static int measure(const char *instruction)
{
    static const char *const levels[] = {"plain", "avx2", "avx512"};
    char text[512];
    registers r;
    ws_module *module;
    const ws_mask full = mask_of(UINT32_MAX), part = mask_of(0x5a5a33cc);
    snprintf(text, sizeof text,
             ".version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n.reg .pred %%p<6>;\n.reg .b16 %%h<6>;\n"
             ".reg .b32 %%r<6>;\n.reg .b64 %%d<6>;\n%s;\nret;\n}\n",
             instruction);
    if (ws_ptx_parse("bench", text, strlen(text), &module))
        return 1;
    /* Numbers of ordinary size in either width: 1.0 and a little more as f32 pairs. */
    for (int k = 0; k < 5; k++)
        for (uint64_t i = 0; i < WS_WARP; i++)
            r.word[k][i] =
                (UINT64_C(0x3ff00000) << 32 | 0x3f800000) + i * UINT64_C(0x0000100100001001) * (unsigned)(k + 1);
    printf("%-40.*s", (int)strcspn(instruction, " "), instruction);
    int status = 0;
    for (size_t l = 0; l < sizeof levels / sizeof levels[0] && !status; l++) {
        ws_lanes_fn *fn;
        ws_lanes_shape shape;
        if (ws_lanes_set_level(levels[l])) {
            printf("         -       -");
            continue;
        }
        status = ws_lanes_find(ws_module_function(module, "k")->insn, &fn, &shape);
        if (!status)
            printf("   %7.1f %7.1f", best_ns(fn, &shape, &r, &full), best_ns(fn, &shape, &r, &part));
    }
    printf("\n");
    ws_module_destroy(module);
    return status;
}

int main(void)
{
    printf("%-40s   %15s   %15s   %15s\n%-40s", "ns a warp instruction", "plain", "avx2", "avx512", "");
    for (int l = 0; l < 3; l++)
        printf("   %7s %7s", "full", "part");
    printf("\n");
    for (int i = 0; i < INSTRUCTIONS; i++)
        if (measure(instructions[i])) {
            fprintf(stderr, "bench_lanes: %s: %s\n", instructions[i], ws_message());
            return 1;
        }
    return 0;
}
