/* microbench_text.c - the PTX of a row of microbench.def. */
#include "record/microbench/microbench_internal.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Registers that chains are in: their name before the number, how each begins from %r5, a number of the thread, and how
 * the end stores it. */
typedef struct register_class {
    const char *name, *begin, *store;
} register_class;
static const register_class classes[] = {
    {"r", "mov.u32", "u32"},         {"d", "cvt.u64.u32", "u64"},     {"f", "cvt.rn.f32.u32", "f32"},
    {"g", "cvt.rn.f64.u32", "f64"},  {"ra", "mov.u32", "u32"},        {"rb", "mov.u32", "u32"},
    {"rc", "mov.u32", "u32"},        {"rd", "mov.u32", "u32"},        {"fa", "cvt.rn.f32.u32", "f32"},
    {"fb", "cvt.rn.f32.u32", "f32"}, {"fc", "cvt.rn.f32.u32", "f32"}, {"fd", "cvt.rn.f32.u32", "f32"},
    {"ga", "cvt.rn.f64.u32", "f64"}, {"gb", "cvt.rn.f64.u32", "f64"},
};
enum { CLASSES = sizeof classes / sizeof *classes };

static const char head[] = ".version 8.0\n"
                           ".target sm_90\n"
                           ".address_size 64\n"
                           ".const .align 8 .b64 table[%d];\n";

static const char empty[] = ".visible .entry %s(.param .u64 data, .param .u32 number)\n"
                            "{\n"
                            "ret;\n"
                            "}\n";

static const char begin[] = ".visible .entry %s(.param .u64 data, .param .u32 number)\n"
                            "{\n"
                            ".reg .pred %%p<2>;\n"
                            ".reg .b32 %%r<13>, %%x<6>, %%ra<4>, %%rb<4>, %%rc<4>, %%rd<4>;\n"
                            ".reg .b64 %%d<8>;\n"
                            ".reg .f32 %%f<5>, %%fa<4>, %%fb<4>, %%fc<4>, %%fd<4>;\n"
                            ".reg .f64 %%g<5>, %%y<2>, %%ga<4>, %%gb<4>;\n"
                            "ld.param.u64 %%d5, [data];\n"
                            "cvta.to.global.u64 %%d5, %%d5;\n"
                            "ld.param.u32 %%r4, [number];\n"
                            "setp.ne.u32 %%p0, %%r4, 0;\n"
                            "cvt.u64.u32 %%d4, %%r4;\n"
                            "cvt.rn.f32.u32 %%f4, %%r4;\n"
                            "cvt.rn.f64.u32 %%g4, %%r4;\n"
                            "mov.u32 %%r9, %%tid.x;\n"
                            "mov.u32 %%r10, %%ntid.x;\n"
                            "mov.u32 %%r11, %%ctaid.x;\n"
                            "add.u32 %%r5, %%r9, %%r4;\n"
                            "and.b32 %%r6, %%r9, 31;\n"
                            "mad.lo.u32 %%r12, %%r10, %%r11, %%r9;\n"
                            "setp.eq.u32 %%p1, %%r12, 0;\n"
                            "mad.wide.u32 %%d6, %%r12, 4, %%d5;\n"
                            "mad.wide.u32 %%d7, %%r6, 4, %%d5;\n";

static const char pool[] = ".shared .align 128 .b8 pool[%d];\n"
                           "mov.u32 %%r7, pool;\n"
                           "mad.lo.u32 %%r8, %%r9, 4, %%r7;\n";

static const char tiles[] = "mov.u32 %x0, %r5;\nmov.u32 %x1, %r5;\nmov.u32 %x2, %r5;\n"
                            "mov.u32 %x3, %r5;\nmov.u32 %x4, %r5;\nmov.u32 %x5, %r5;\n"
                            "mov.f64 %y0, %g4;\nmov.f64 %y1, %g4;\n";

const char *const ws_bench_entries[2] = {"short", "long"};

static bool mentions(const ws_bench *b, const char *text)
{
    return strstr(b->setup, text) || strstr(b->body, text);
}

/* Does the body have chains in that class? */
static bool chains_in(const ws_bench *b, const register_class *c)
{
    char name[8];
    snprintf(name, sizeof name, "%%%s$", c->name);
    return strstr(b->body, name);
}

static void print_body(FILE *out, const ws_bench *b, uint64_t number)
{
    for (const char *at = b->body; *at; at++)
        if (*at == '$')
            fprintf(out, "%" PRIu64, number % b->chains);
        else if (*at == '#')
            fprintf(out, "%" PRIu64, number);
        else if (*at == '~')
            fprintf(out, "%" PRIu64, b->wrap ? number * b->step % b->wrap : number * b->step);
        else
            fputc(*at, out);
    fputc('\n', out);
}

/* What is read later is set, and no more: who has shared memory has less L1, and who needs many registers has fewer
 * warps. */
static void print_setup(FILE *out, const ws_bench *b)
{
    if (mentions(b, "%r7") || mentions(b, "%r8"))
        fprintf(out, pool, WS_BENCH_POOL);
    if (mentions(b, "%x0") || mentions(b, "%y0"))
        fputs(tiles, out);
    for (size_t i = 0; i < CLASSES; i++)
        for (uint32_t k = 0; k < b->chains && chains_in(b, &classes[i]); k++)
            fprintf(out, "%s %%%s%" PRIu32 ", %%r5;\n", classes[i].begin, classes[i].name, k);
    fprintf(out, "%s\n", b->setup);
}

/* One thread stores what chains left, so that an assembler keeps them. */
static void print_end(FILE *out, const ws_bench *b)
{
    for (size_t i = 0; i < CLASSES; i++)
        for (uint32_t k = 0; k < b->chains && chains_in(b, &classes[i]); k++)
            fprintf(out, "@%%p1 st.global.%s [%%d5], %%%s%" PRIu32 ";\n", classes[i].store, classes[i].name, k);
    fputs("ret;\n}\n", out);
}

static void print_entry(FILE *out, const ws_bench *b, int which)
{
    if (!b->body) {
        fprintf(out, empty, ws_bench_entries[which]);
        return;
    }
    fprintf(out, begin, ws_bench_entries[which]);
    print_setup(out, b);
    for (uint64_t i = 0; i < (uint64_t)b->rounds[which] * b->chains; i++)
        print_body(out, b, i);
    print_end(out, b);
}

char *ws_bench_text(const ws_bench *bench)
{
    char *text = NULL;
    size_t size;
    FILE *const out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, head, WS_BENCH_TABLE / (int)sizeof(uint64_t));
    print_entry(out, bench, 0);
    print_entry(out, bench, 1);
    const bool failed = ferror(out);
    if (fclose(out) || failed) {
        free(text);
        return NULL;
    }
    return text;
}
