/* Do mma, mma.sp and wmma give D = A B + C for every row of matrix_shapes.def, every order, space and stride, with
 * elements where the PTX ISA has them? Matrices hold small whole numbers, so that every sum is exact whatever its
 * order. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/simt/matrix_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 * 256, WORDS = 4096 };

/* ---- types ---- */

typedef struct kind {
    const char *name;
    unsigned bits, exponent, fraction; /* of floats */
    bool is_signed;
} kind;

static const kind kinds[] = {
    {"f16", 16, 5, 10, true},  {"bf16", 16, 8, 7, true}, {"tf32", 32, 8, 23, true}, {"f32", 32, 8, 23, true},
    {"f64", 64, 11, 52, true}, {"e4m3", 8, 4, 3, true},  {"e5m2", 8, 5, 2, true},   {"s32", 32, 0, 0, true},
    {"s8", 8, 0, 0, true},     {"u8", 8, 0, 0, false},   {"s4", 4, 0, 0, true},     {"u4", 4, 0, 0, false},
    {"b1", 1, 0, 0, false},
};

static const kind *kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name))
            return &kinds[i];
    fail_msg("no type %s", name);
    return NULL;
}

static uint64_t encode(const kind *k, double v)
{
    if (!k->exponent)
        return (uint64_t)(int64_t)v & (k->bits == 64 ? UINT64_MAX : (1ull << k->bits) - 1);
    if (v == 0)
        return 0;
    int e;
    const double m = frexp(fabs(v), &e) * 2; /* 1 <= m < 2, times 2^(e - 1) */
    const uint64_t biased = (uint64_t)(e - 1 + (1 << (k->exponent - 1)) - 1);
    const uint64_t size = biased << k->fraction | (uint64_t)((m - 1) * ldexp(1, (int)k->fraction));
    return size | (v < 0 ? 1ull << (k->bits - 1) : 0);
}

static double decode(const kind *k, uint64_t bits)
{
    if (!k->exponent)
        return k->is_signed ? (double)((int64_t)(bits << (64 - k->bits)) >> (64 - k->bits)) : (double)bits;
    const uint64_t size = bits & ((1ull << (k->bits - 1)) - 1);
    const int e = (int)(size >> k->fraction) - (1 << (k->exponent - 1)) + 1;
    const double m = 1 + (double)(size & ((1ull << k->fraction) - 1)) / ldexp(1, (int)k->fraction);
    return size ? (bits >> (k->bits - 1) & 1 ? -1 : 1) * ldexp(m, e) : 0;
}

/* ---- a product ---- */

typedef struct product {
    bool wmma, conjunction, satfinite;
    unsigned m, n, k;
    const kind *type[4]; /* A B C D */
    bool column[2];      /* A, B */
    bool column_c, column_d;
    const char *space;                         /* of wmma's loads and stores: ".global", ".shared", "" */
    unsigned gap;                              /* added to each stride, in elements */
    double a[MOST], b[MOST], c[MOST], d[MOST]; /* rows; batches follow each other */
    unsigned batch;
    bool sparse, ordered; /* mma.sp */
    unsigned selector;
    uint8_t index[16][16]
                 [2]; /* of a row and chunk: which elements, or pairs of elements, are kept, as registers have them */
} product;

static uint32_t draw(uint32_t *seed)
{
    return (*seed = *seed * 1664525u + 1013904223u) >> 8;
}

static void fill(product *p, uint32_t *seed)
{
    double *const at[3] = {p->a, p->b, p->c};
    const unsigned n[3] = {p->m * p->k, p->k * p->n, p->m * p->n};
    for (unsigned i = 0; i < 3; i++) {
        const int low = p->type[i]->is_signed ? -3 : 0, values = p->type[i]->bits == 1 ? 2 : 7;
        for (unsigned e = 0; e < n[i] * p->batch; e++)
            at[i][e] = low + (int)(draw(seed) % (unsigned)values) + (i == 2 && p->satfinite ? 2147483000.0 : 0);
    }
}

/* ---- which elements of A mma.sp keeps ---- */

static unsigned chunk_of(const product *p)
{
    return p->type[0]->bits == 32 ? 2 : p->type[0]->bits == 4 ? 8 : 4;
}

/* Element e of what is kept of a chunk: its place in it. */
static unsigned kept_at(const product *p, unsigned row, unsigned chunk, unsigned e)
{
    const uint8_t *const index = p->index[row][chunk];
    return p->type[0]->bits == 4 ? index[e / 2] * 2u + e % 2 : index[e];
}

/* Draws what is kept, and makes the rest of A zeros. */
static void thin_out(product *p, uint32_t *seed)
{
    const unsigned chunk = chunk_of(p), places = p->type[0]->bits == 32 ? 2 : 4;
    for (unsigned row = 0; row < p->m; row++)
        for (unsigned c = 0; c < p->k / chunk; c++) {
            uint8_t *const index = p->index[row][c];
            index[0] = (uint8_t)(draw(seed) % places);
            index[1] = (uint8_t)((index[0] + 1 + draw(seed) % (places - 1)) % places);
            if (p->ordered && index[0] > index[1] && places > 2) {
                const uint8_t second = index[0];
                index[0] = index[1];
                index[1] = second;
            }
            bool kept[8] = {false};
            for (unsigned e = 0; e < chunk / 2; e++)
                kept[kept_at(p, row, c, e)] = true;
            for (unsigned e = 0; e < chunk; e++)
                if (!kept[e])
                    p->a[row * p->k + c * chunk + e] = 0;
        }
}

static double expected(const product *p, unsigned q, unsigned i, unsigned j)
{
    double sum = p->c[(q * p->m + i) * p->n + j];
    for (unsigned s = 0; s < p->k; s++) {
        const double x = p->a[(q * p->m + i) * p->k + s], y = p->b[(q * p->k + s) * p->n + j];
        sum += p->type[0]->bits == 1 ? (p->conjunction ? x && y : x != y) : x * y;
    }
    return p->satfinite && sum > INT32_MAX ? INT32_MAX : sum;
}

static void check(const product *p, const char *what)
{
    for (unsigned q = 0; q < p->batch; q++)
        for (unsigned i = 0; i < p->m; i++)
            for (unsigned j = 0; j < p->n; j++) {
                const double want = expected(p, q, i, j), have = p->d[(q * p->m + i) * p->n + j];
                if (want != have)
                    fail_msg("%s: D[%u][%u] of product %u is %g, not %g", what, i, j, q, have, want);
            }
}

/* ---- where the PTX ISA has the elements of mma ---- */

typedef struct spot {
    unsigned q, row, column;
} spot;

/* mma.m8n8k4 on f16 */
static spot quad_spot(const product *p, unsigned which, unsigned lane, unsigned i)
{
    spot s = {.q = lane / 4 % 4};
    const unsigned four = lane < 16 ? 0 : 4;
    if (which == 0 && !p->column[0])
        s.row = lane % 4 + four, s.column = i;
    else if (which == 0)
        s.row = i + four, s.column = lane % 4;
    else if (which == 1 && !p->column[1])
        s.row = lane % 4, s.column = i + four;
    else if (which == 1)
        s.row = i, s.column = lane % 4 + four;
    else if (p->type[which]->bits == 16)
        s.row = lane % 4 + four, s.column = i;
    else
        s.row = (lane & 1) + (i & 2) + four, s.column = (i & 4) + (lane & 2) + (i & 1);
    return s;
}

static spot spot_of(const product *p, unsigned which, unsigned lane, unsigned i)
{
    if (p->batch > 1)
        return quad_spot(p, which, lane, i);
    const unsigned group = lane >> 2, in_group = lane % 4;
    if (which >= 2)
        return (spot){0, group + (p->m == 16 && i >= 2 ? 8 : 0), in_group * 2 + (i & 1)};
    const unsigned bits = p->type[which]->bits, each = bits < 32 ? 32 / bits : 1, reg = i / each;
    if (which == 0) {
        const bool lower = p->m == 16 && reg % 2;
        const unsigned step = p->m == 16 ? reg / 2 : reg;
        return (spot){0, group + (lower ? 8 : 0), step * 4 * each + in_group * each + i % each};
    }
    return (spot){0, reg * 4 * each + in_group * each + i % each, group};
}

/* Element i of a lane's part of A of mma.sp: a register holds what is kept of neighbours from column `first` on. */
static double kept_of(const product *p, unsigned lane, unsigned i)
{
    const unsigned each = 32 / p->type[0]->bits, reg = i / each, e = i % each, width = 2 * each, half = chunk_of(p) / 2;
    const unsigned row = lane / 4 + (reg % 2 ? 8 : 0), first = lane % 4 * width + (reg >= 2 ? 4 * width : 0);
    const unsigned chunk = first / chunk_of(p) + e / half;
    return p->a[row * p->k + chunk * chunk_of(p) + kept_at(p, row, chunk, e % half)];
}

/* The 4 bits of a chunk. */
static unsigned bits_of_chunk(const product *p, unsigned row, unsigned chunk)
{
    const uint8_t *const index = p->index[row][chunk];
    if (p->type[0]->bits == 32)
        return index[0] ? 0xe : 0x4;
    return index[0] | index[1] << 2u;
}

/* What a lane's register of metadata says, by the figures "metadata layout" of the ISA; of a lane that the selector
 * leaves out, nothing that means anything. */
static uint32_t metadata_of(const product *p, unsigned lane)
{
    const unsigned g = lane / 4, t = lane % 4, chunks = p->k / chunk_of(p);
    const bool large = p->type[0]->bits >= 16;
    if (chunks == 4 ? t != p->selector : chunks == 8 && t / 2 != p->selector)
        return 0x5a5a5a5au * (lane + 1);
    uint32_t word = 0;
    for (unsigned n = 0; n < 8; n++) {
        const unsigned row = g + (large ? (n < 4 ? 0 : 8) : (t & 1 ? 8 : 0));
        const unsigned chunk = chunks == 4 ? n % 4 : large ? t % 2 * 4 + n % 4 : chunks == 8 ? n : t / 2 * 8 + n;
        word |= (uint32_t)bits_of_chunk(p, row, chunk) << 4 * n;
    }
    return word;
}

/* Numbers read off the figures of the ISA ("Matrix Fragments for mma.m16n8k16" and its neighbours). */
static void figures_of_the_isa(void **state)
{
    (void)state;
    static const struct {
        unsigned m, k;
        const char *type;
        unsigned which, lane, i, row, column;
    } known[] = {
        {16, 16, "f16", 0, 5, 4, 1, 10}, {16, 16, "f16", 0, 31, 7, 15, 15}, {16, 16, "f16", 1, 6, 3, 13, 1},
        {16, 8, "f16", 0, 4, 2, 9, 0},   {16, 8, "tf32", 0, 9, 3, 10, 5},   {16, 8, "tf32", 1, 9, 1, 5, 2},
        {16, 32, "s8", 0, 6, 13, 9, 25}, {16, 32, "s8", 1, 6, 5, 25, 1},    {8, 16, "s8", 0, 30, 3, 7, 11},
        {16, 64, "s4", 0, 1, 17, 0, 41}, {8, 4, "f64", 0, 18, 0, 4, 2},     {8, 4, "f64", 1, 18, 0, 2, 4},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        product *const p = calloc(1, sizeof *p);
        p->m = known[i].m, p->n = 8, p->k = known[i].k, p->batch = 1;
        for (unsigned w = 0; w < 4; w++)
            p->type[w] = kind_of(known[i].type);
        const spot s = spot_of(p, known[i].which, known[i].lane, known[i].i);
        assert_int_equal(s.row, known[i].row);
        assert_int_equal(s.column, known[i].column);
        free(p);
    }
}

/* ---- running it ---- */

typedef struct memory_image {
    uint8_t part[4][4 * WORDS]; /* A B C D */
} memory_image;

enum { METADATA = 2 * WORDS }; /* of mma.sp, behind A */

static void put_bits(uint8_t *at, uint64_t first_bit, unsigned bits, uint64_t value)
{
    for (unsigned i = 0; i < bits; i++)
        if (value >> i & 1)
            at[(first_bit + i) / 8] |= (uint8_t)(1u << (first_bit + i) % 8);
}

static uint64_t get_bits(const uint8_t *at, uint64_t first_bit, unsigned bits)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bits; i++)
        value |= (uint64_t)(at[(first_bit + i) / 8] >> (first_bit + i) % 8 & 1) << i;
    return value;
}

static unsigned elements_of(const product *p, unsigned which)
{
    return (which == 0   ? p->m * p->k / (p->sparse ? 2 : 1)
            : which == 1 ? p->k * p->n
                         : p->m * p->n) *
           p->batch / WS_WARP;
}

/* A lane's elements one after the other: what the kernel of mma loads into registers. */
static void lay_out_lanes(const product *p, memory_image *image)
{
    const double *const from[3] = {p->a, p->b, p->c};
    const unsigned columns[3] = {p->k, p->n, p->n}, rows[3] = {p->m, p->k, p->m};
    for (unsigned w = 0; w < 3; w++)
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            for (unsigned i = 0; i < elements_of(p, w); i++) {
                const spot s = spot_of(p, w, lane, i);
                const double v = p->sparse && w == 0 ? kept_of(p, lane, i)
                                                     : from[w][(s.q * rows[w] + s.row) * columns[w] + s.column];
                put_bits(image->part[w], (uint64_t)(lane * elements_of(p, w) + i) * p->type[w]->bits, p->type[w]->bits,
                         encode(p->type[w], v));
            }
    for (unsigned lane = 0; lane < WS_WARP && p->sparse; lane++)
        put_bits(image->part[0], 8 * METADATA + 32 * lane, 32, metadata_of(p, lane));
}

static void take_lanes(product *p, const uint8_t *d)
{
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        for (unsigned i = 0; i < elements_of(p, 3); i++) {
            const spot s = spot_of(p, 3, lane, i);
            p->d[(s.q * p->m + s.row) * p->n + s.column] = decode(
                p->type[3], get_bits(d, (uint64_t)(lane * elements_of(p, 3) + i) * p->type[3]->bits, p->type[3]->bits));
        }
}

static unsigned length_of(const product *p, unsigned which, bool column)
{
    const unsigned rows = which == 1 ? p->k : p->m, columns = which == 0 ? p->k : p->n;
    return (column ? rows : columns) + p->gap;
}

static bool order_of(const product *p, unsigned which)
{
    return which < 2 ? p->column[which] : which == 2 ? p->column_c : p->column_d;
}

static void lay_out_matrices(const product *p, memory_image *image)
{
    const double *const from[3] = {p->a, p->b, p->c};
    for (unsigned w = 0; w < 3; w++) {
        const unsigned rows = w == 1 ? p->k : p->m, columns = w == 0 ? p->k : p->n;
        const unsigned length = length_of(p, w, order_of(p, w));
        for (unsigned r = 0; r < rows; r++)
            for (unsigned c = 0; c < columns; c++) {
                const uint64_t at = order_of(p, w) ? (uint64_t)c * length + r : (uint64_t)r * length + c;
                put_bits(image->part[w], at * p->type[w]->bits, p->type[w]->bits,
                         encode(p->type[w], from[w][r * columns + c]));
            }
    }
}

static void take_matrix(product *p, const uint8_t *d)
{
    const unsigned length = length_of(p, 3, p->column_d);
    for (unsigned r = 0; r < p->m; r++)
        for (unsigned c = 0; c < p->n; c++)
            p->d[r * p->n + c] = decode(
                p->type[3],
                get_bits(d, (p->column_d ? (uint64_t)c * length + r : (uint64_t)r * length + c) * p->type[3]->bits,
                         p->type[3]->bits));
}

static void print_registers(FILE *f, char name, unsigned n)
{
    fputc('{', f);
    for (unsigned i = 0; i < n; i++)
        fprintf(f, "%s%%%c%u", i ? ", " : "", name, i);
    fputc('}', f);
}

static const char *words_of(const product *p, char *text, size_t size)
{
    const bool halves = p->wmma && p->type[0]->bits == 16 && p->type[0]->exponent == 5;
    const char *const order = p->column[0]   ? (p->column[1] ? "col.col" : "col.row")
                              : p->column[1] ? "row.col"
                                             : "row.row";
    const char *const logic = p->type[0]->bits != 1 ? "" : p->conjunction ? ".and.popc" : ".xor.popc";
    const char *const clamp = p->satfinite ? ".satfinite" : "";
    if (halves)
        snprintf(text, size, "wmma.mma.sync.aligned.%s.m%un%uk%u.%s.%s", order, p->m, p->n, p->k, p->type[3]->name,
                 p->type[2]->name);
    else if (p->wmma)
        snprintf(text, size, "wmma.mma%s.sync.aligned.%s.m%un%uk%u.%s.%s.%s.%s%s", logic, order, p->m, p->n, p->k,
                 p->type[3]->name, p->type[0]->name, p->type[1]->name, p->type[2]->name, clamp);
    else
        snprintf(text, size, "mma%s.sync.aligned.m%un%uk%u.%s%s.%s.%s.%s.%s%s",
                 !p->sparse   ? ""
                 : p->ordered ? ".sp::ordered_metadata"
                              : ".sp",
                 p->m, p->n, p->k, order, clamp, p->type[3]->name, p->type[0]->name, p->type[1]->name, p->type[2]->name,
                 logic);
    return text;
}

static unsigned registers_of(const product *p, unsigned which)
{
    if (p->wmma && which < 2 && !strcmp(p->type[0]->name, "f16"))
        return 8;
    const unsigned bits = elements_of(p, which) * p->type[which]->bits;
    return bits / (p->type[which]->bits == 64 ? 64 : 32);
}

/* Of mma: loads registers lane by lane; of wmma: loads matrices, from shared memory after a copy there. */
static void print_kernel(FILE *f, const product *p)
{
    static const char letter[4] = {'a', 'b', 'c', 'd'};
    char words[160];
    fprintf(f,
            ".version 8.7\n.target sm_90\n.address_size 64\n.entry k(.param .u64 A, .param .u64 B, .param .u64 C, "
            ".param .u64 D)\n{\n.shared .align 32 .b8 s[%u];\n.reg .b32 %%r<9>;\n.reg .pred %%p;\n.reg .b64 %%q<9>, "
            "%%s<5>;\n",
            4 * 4 * WORDS);
    for (unsigned w = 0; w < 4; w++)
        fprintf(f, ".reg .b%d %%%c<8>;\nld.param.u64 %%q%u, [%c];\n", p->type[w]->bits == 64 ? 64 : 32, letter[w], w,
                "ABCD"[w]);
    fprintf(f, "mov.u32 %%r0, %%laneid;\nmov.u32 %%r2, %%tid.x;\n");
    const bool shared = p->wmma && !strcmp(p->space, ".shared");
    for (unsigned w = 0; w < 4 && shared; w++)
        fprintf(f, "mov.u64 %%s4, s;\nadd.u64 %%s%u, %%s4, %u;\n", w, w * 4 * WORDS);
    for (unsigned w = 0; w < 3 && shared; w++) /* a word a turn */
        fprintf(f,
                "mov.u32 %%r1, 0;\nL%u:\nadd.u32 %%r3, %%r1, %%r2;\nmad.wide.u32 %%q4, %%r3, 4, %%q%u;\nmad.wide.u32 "
                "%%q5, %%r3, 4, %%s%u;\n"
                "ld.global.u32 %%r4, [%%q4];\nst.shared.u32 [%%q5], %%r4;\nadd.u32 %%r1, %%r1, 64;\nsetp.lt.u32 %%p, "
                "%%r1, %u;\n@%%p bra L%u;\n",
                w, w, w, WORDS, w);
    if (shared)
        fprintf(f, "bar.sync 0;\n");
    for (unsigned w = 0; w < 3; w++) {
        const unsigned n = registers_of(p, w), bytes = p->type[w]->bits == 64 ? 8 : 4;
        if (p->wmma) {
            fprintf(f, "mov.u32 %%r5, %u;\nwmma.load.%c.sync.aligned.%s.m%un%uk%u%s.%s ",
                    length_of(p, w, order_of(p, w)), letter[w], order_of(p, w) ? "col" : "row", p->m, p->n, p->k,
                    p->space, p->type[w]->name);
            print_registers(f, letter[w], n);
            fprintf(f, p->gap ? ", [%%%c%u], %%r5;\n" : ", [%%%c%u];\n", shared ? 's' : 'q', w);
            continue;
        }
        for (unsigned i = 0; i < n; i++)
            fprintf(f, "mad.wide.u32 %%q4, %%r0, %u, %%q%u;\nld.global.b%u %%%c%u, [%%q4+%u];\n", n * bytes, w,
                    8 * bytes, letter[w], i, i * bytes);
    }
    if (p->sparse)
        fprintf(f, "mad.wide.u32 %%q4, %%r0, 4, %%q0;\nld.global.b32 %%r6, [%%q4+%u];\n", METADATA);
    fprintf(f, "%s ", words_of(p, words, sizeof words));
    for (unsigned i = 0; i < 4; i++) {
        const unsigned w = (i + 3) % 4;
        print_registers(f, letter[w], registers_of(p, w));
        fputs(i < 3 ? ", " : "", f);
    }
    fprintf(f, p->sparse ? ", %%r6, %u;\n" : ";\n", p->selector);
    const unsigned n = registers_of(p, 3), bytes = p->type[3]->bits == 64 ? 8 : 4;
    if (p->wmma) {
        fprintf(f, "mov.u32 %%r5, %u;\nwmma.store.d.sync.aligned.%s.m%un%uk%u%s.%s [%%%c3], ",
                length_of(p, 3, p->column_d), p->column_d ? "col" : "row", p->m, p->n, p->k, p->space, p->type[3]->name,
                shared ? 's' : 'q');
        print_registers(f, 'd', n);
        fprintf(f, p->gap ? ", %%r5;\n" : ";\n");
        if (shared)
            fprintf(f,
                    "bar.sync 0;\nmov.u32 %%r1, 0;\nL3:\nadd.u32 %%r3, %%r1, %%r2;\nmad.wide.u32 %%q4, %%r3, 4, "
                    "%%q3;\nmad.wide.u32 %%q5, %%r3, 4, %%s3;\n"
                    "ld.shared.u32 %%r4, [%%q5];\nst.global.u32 [%%q4], %%r4;\nadd.u32 %%r1, %%r1, 64;\nsetp.lt.u32 "
                    "%%p, %%r1, %u;\n@%%p bra L3;\n",
                    WORDS);
    } else {
        for (unsigned i = 0; i < n; i++)
            fprintf(f, "mad.wide.u32 %%q4, %%r0, %u, %%q3;\nst.global.b%u [%%q4+%u], %%d%u;\n", n * bytes, 8 * bytes,
                    i * bytes, i);
    }
    fprintf(f, "ret;\n}\n");
}

/* One device for all: making one takes longer than a product. */
typedef struct bench {
    ws_device *device;
    uint64_t at[4];
    uint32_t seed;
    unsigned products;
} bench;

static void run_text(bench *b, const char *text, size_t length, memory_image *image)
{
    ws_module *module;
    ws_image *loaded;
    ws_kernel *kernel;
    if (ws_ptx_parse("matrix.ptx", text, length, &module) || ws_image_load(b->device, module, &loaded) ||
        ws_image_kernel(loaded, "k", &kernel))
        fail_msg("%s\n%s", ws_message(), text);
    for (unsigned w = 0; w < 4; w++)
        memcpy(ws_device_pointer(b->device, b->at[w], sizeof image->part[w]), image->part[w], sizeof image->part[w]);
    if (ws_kernel_run(kernel,
                      &(ws_run){.grid = {1, 1, 1}, .block = {64, 1, 1}, .params = b->at, .max_instructions = 1000000},
                      NULL))
        fail_msg("%s\n%s", ws_message(), text);
    memcpy(image->part[3], ws_device_pointer(b->device, b->at[3], sizeof image->part[3]), sizeof image->part[3]);
    ws_image_unload(loaded);
    ws_module_destroy(module);
}

static void run_product(bench *b, product *p)
{
    memory_image *const image = calloc(1, sizeof *image);
    char *text = NULL, words[160];
    size_t length = 0;
    FILE *const f = open_memstream(&text, &length);
    p->batch = !p->wmma && p->k == 4 && p->type[0]->bits == 16 ? 4 : 1;
    fill(p, &b->seed);
    if (p->sparse)
        thin_out(p, &b->seed);
    if (p->wmma)
        lay_out_matrices(p, image);
    else
        lay_out_lanes(p, image);
    print_kernel(f, p);
    fclose(f);
    run_text(b, text, length, image);
    if (p->wmma)
        take_matrix(p, image->part[3]);
    else
        take_lanes(p, image->part[3]);
    check(p, words_of(p, words, sizeof words));
    b->products++;
    free(text);
    free(image);
}

static int open_bench(void **state)
{
    bench *const b = calloc(1, sizeof *b);
    assert_int_equal(ws_device_create(&(ws_device_options){.workers = 1}, &b->device), WS_OK);
    for (unsigned w = 0; w < 4; w++)
        assert_int_equal(ws_device_alloc(b->device, 4 * WORDS, &b->at[w]), WS_OK);
    b->seed = 4;
    *state = b;
    return 0;
}

static int close_bench(void **state)
{
    bench *const b = *state;
    ws_device_destroy(b->device);
    free(b);
    return 0;
}

/* The names in a set of types, as matrix_shapes.def writes it. */
static unsigned names_of(const char *set, const char **name)
{
    static const struct {
        const char *set, *name[2];
    } sets[] = {{"F16", {"f16"}},       {"BF16", {"bf16"}},         {"TF32", {"tf32"}},
                {"F32", {"f32"}},       {"F64", {"f64"}},           {"S32", {"s32"}},
                {"B1", {"b1"}},         {"EITHER", {"f16", "f32"}}, {"ANY8", {"s8", "u8"}},
                {"ANY4", {"s4", "u4"}}, {"ANYF8", {"e4m3", "e5m2"}}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (!strcmp(sets[i].set, set)) {
            name[0] = sets[i].name[0];
            name[1] = sets[i].name[1];
            return name[1] ? 2 : 1;
        }
    fail_msg("no set %s", set);
    return 0;
}

static void run_shape(bench *b, bool wmma, unsigned m, unsigned n, unsigned k, const char *factors, const char *sums)
{
    const char *factor[2], *sum[2];
    const unsigned nf = names_of(factors, factor), ns = names_of(sums, sum);
    product *const p = malloc(sizeof *p);
    const bool quads = !wmma && k == 4 && !strcmp(factors, "F16");
    const bool free_order = quads || (wmma && k < 32);
    for (unsigned i = 0; i < nf * nf * ns * ns; i++)
        for (unsigned order = 0; order < (free_order ? 4u : 1u); order++)
            for (unsigned where = 0; where < (wmma ? 3u : 1u); where++)
                for (unsigned extra = 0; extra < (!strcmp(sums, "S32") ? 2u : 1u); extra++) {
                    memset(p, 0, sizeof *p);
                    *p = (product){.wmma = wmma, .m = m, .n = n, .k = k};
                    p->type[0] = kind_of(factor[i % nf]);
                    p->type[1] = kind_of(factor[i / nf % nf]);
                    p->type[2] = kind_of(sum[i / nf / nf % ns]);
                    p->type[3] = kind_of(sum[i / nf / nf / ns]);
                    p->column[0] = free_order && order & 1;
                    p->column[1] = !free_order || order & 2;
                    p->column_c = (order + where) & 1;
                    p->column_d = where & 1;
                    p->space = where == 0 ? ".global" : where == 1 ? ".shared" : "";
                    p->gap = where == 2 ? (p->type[0]->bits == 1 ? 128 : 32) : 0;
                    p->conjunction = p->type[0]->bits == 1 && extra;
                    p->satfinite = p->type[0]->bits != 1 && extra;
                    run_product(b, p);
                }
    free(p);
}

/* Both orders of metadata, each selector that the shape has. */
static void run_sparse(bench *b, unsigned m, unsigned n, unsigned k, const char *factors, const char *sums)
{
    const char *factor[2], *sum[2];
    const unsigned nf = names_of(factors, factor), ns = names_of(sums, sum);
    product *const p = malloc(sizeof *p);
    for (unsigned i = 0; i < nf * nf * ns * ns; i++)
        for (unsigned order = 0; order < 2; order++)
            for (unsigned selector = 0; selector < 4; selector++)
                for (unsigned extra = 0; extra < (!strcmp(sums, "S32") ? 2u : 1u); extra++) {
                    memset(p, 0, sizeof *p);
                    *p = (product){.m = m,
                                   .n = n,
                                   .k = k,
                                   .sparse = true,
                                   .ordered = order,
                                   .selector = selector,
                                   .column = {false, true},
                                   .satfinite = extra};
                    p->type[0] = kind_of(factor[i % nf]);
                    p->type[1] = kind_of(factor[i / nf % nf]);
                    p->type[2] = kind_of(sum[i / nf / nf % ns]);
                    p->type[3] = kind_of(sum[i / nf / nf / ns]);
                    if (selector < 16 / (k / chunk_of(p)))
                        run_product(b, p);
                }
    free(p);
}

static void every_shape(void **state)
{
    bench *const b = *state;
#define RUN_MMA(...)                      run_shape(b, false, __VA_ARGS__)
#define RUN_WMMA(...)                     run_shape(b, true, __VA_ARGS__)
#define RUN_SPARSE(...)                   run_sparse(b, __VA_ARGS__)
#define SHAPE(op, m, n, k, factors, sums) RUN_##op(m, n, k, #factors, #sums);
#include "collect/simt/matrix_shapes.def"
#undef SHAPE
    assert_true(b->products > 300);
}

/* Real numbers: sums in double precision, rounded once, lie within half a unit of the last place of what is exact. */
static void rounding_of_sums(void **state)
{
    bench *const b = *state;
    enum { M = 16, N = 8, K = 16 };
    product *const p = calloc(1, sizeof *p);
    *p = (product){.m = M, .n = N, .k = K, .batch = 1, .column = {false, true}};
    static const char *const name[4] = {"bf16", "bf16", "f32", "f32"};
    for (unsigned w = 0; w < 4; w++)
        p->type[w] = kind_of(name[w]);
    for (unsigned i = 0; i < M * K; i++)
        p->a[i] = ldexp((double)(draw(&b->seed) % 255) - 127, (int)(draw(&b->seed) % 20) - 10);
    for (unsigned i = 0; i < K * N; i++)
        p->b[i] = ldexp((double)(draw(&b->seed) % 255) - 127, (int)(draw(&b->seed) % 20) - 10);
    memory_image *const image = calloc(1, sizeof *image);
    char *text = NULL;
    size_t length = 0;
    FILE *const f = open_memstream(&text, &length);
    print_kernel(f, p);
    fclose(f);
    lay_out_lanes(p, image);
    run_text(b, text, length, image);
    take_lanes(p, image->part[3]);
    for (unsigned i = 0; i < M; i++)
        for (unsigned j = 0; j < N; j++) {
            long double exact = 0;
            for (unsigned s = 0; s < K; s++)
                exact += (long double)p->a[i * K + s] * (long double)p->b[s * N + j];
            assert_true(fabsl(p->d[i * N + j] - exact) <= fabsl(exact) * 0x1.0001p-24L);
        }
    free(text);
    free(image);
    free(p);
}

/* Infinities and NaN: 0 * inf, inf - inf, and sums too large for f16. */
static void special_values(void **state)
{
    bench *const b = *state;
    static const char kernel[] =
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 A, .param .u64 B, .param .u64 C, .param "
        ".u64 D)\n{\n"
        ".reg .b32 %a<2>, %b<1>, %d<4>, %h<2>, %r1;\n.reg .b64 %q1, %q2;\nld.param.u64 %q1, [A];\nld.param.u64 %q2, "
        "[D];\nld.global.b32 %a0, [%q1];\n"
        "ld.global.b32 %b0, [%q1+4];\nmov.b32 %a1, 0;\n"
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1}, {%b0}, {0, 0, 0, 0};\n"
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%h0, %h1}, {%a0, %a1}, {%b0}, {0, 0};\n"
        "mov.u32 %r1, %laneid;\nmad.wide.u32 %q2, %r1, 16, %q2;\nst.global.v4.b32 [%q2], {%d0, %d2, %h0, "
        "%h1};\nret;\n}\n";
    static const struct {
        uint32_t a, b, f32, f16;
    } known[] = {
        {0x00007c00, 0x00003c00, 0x7f800000, 0x7c007c00}, /* inf * 1 */
        {0x00007c00, 0x00000000, 0x7fffffff, 0x7fff7fff}, /* inf * 0 */
        {0xfc007c00, 0x3c003c00, 0x7fffffff, 0x7fff7fff}, /* inf - inf */
        {0x00007e01, 0x00003c00, 0x7fffffff, 0x7fff7fff}, /* NaN */
        {0x00007bff, 0x00004000, 0x48ffe000, 0x7c007c00}, /* 4 * 65504 * 2, too large for f16 */
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        memory_image *const image = calloc(1, sizeof *image);
        const uint32_t in[2] = {known[i].a, known[i].b};
        memcpy(image->part[0], in, sizeof in);
        run_text(b, kernel, strlen(kernel), image);
        uint32_t out[4];
        memcpy(out, image->part[3], sizeof out);
        /* Every lane has the same numbers, so a sum has four equal terms. */
        assert_int_equal(out[0], known[i].f32);
        assert_int_equal(out[2], known[i].f16);
        assert_int_equal(out[1], 0); /* rows of zeros */
        free(image);
    }
}

/* ---- what sinks see ---- */

/* Of each memory instruction: events, lanes that executed it, bytes at all addresses, and the lowest and highest
 * address. */
typedef struct access_counts {
    unsigned instructions, parts, lanes;
    uint64_t bytes, low, high;
} access_counts;

typedef struct access_state {
    access_counts at[64];
} access_state;

static int see_accesses(void *p, const ws_launch *of, const ws_batch *batch)
{
    access_state *const s = p;
    for (size_t i = 0; i < batch->events; i++) {
        const ws_event *const ev = &batch->event[i];
        if (ev->kind != WS_EVENT_MEMORY || ev->pc >= 64)
            continue;
        access_counts *const c = &s->at[ev->pc];
        assert_int_equal(of->instr[ev->pc].cls, WS_CLASS_MEMORY);
        assert_int_equal(ws_event_bytes(of, ev), of->instr[ev->pc].bytes);
        c->low = c->parts++ ? c->low : UINT64_MAX;
        c->instructions += ev->count;
        c->lanes += ws_event_lane_runs(ev) * ws_popcount(ev->exec);
        WS_EACH_LANE (lane, ev->exec) {
            const uint64_t at = WS_ADDRESSES(batch, ev)[lane];
            c->bytes += ws_event_bytes(of, ev);
            c->low = at < c->low ? at : c->low;
            c->high = at + ws_event_bytes(of, ev) > c->high ? at + ws_event_bytes(of, ev) : c->high;
        }
    }
    return WS_OK;
}

static int merge_accesses(void *into, void *from, const ws_launch *of)
{
    (void)of;
    *(access_state *)into = *(access_state *)from; /* one block */
    return WS_OK;
}

static int keep_accesses(void *context, const ws_launch *of, size_t sink, void *state)
{
    (void)of, (void)sink;
    *(access_state *)context = *(access_state *)state;
    return WS_OK;
}

/* A lane that touches several places makes several parts of one instruction: bytes are exact, lanes count once. */
static void parts_of_an_access(void **state)
{
    bench *const b = *state;
    static const ws_sink sink = {.name = "accesses",
                                 .wants = WS_WANT_MEMORY,
                                 .state_size = sizeof(access_state),
                                 .events = see_accesses,
                                 .merge = merge_accesses};
    static const ws_sink *const sinks[] = {&sink};
    static const char kernel[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 A)\n{\n.shared .align 16 .b8 "
        "s[2048];\n.shared .align 8 .b64 o;\n"
        ".reg .b32 %a<8>, %c<8>, %r1, %r2;\n.reg .b64 %q1, %q2;\nld.param.u64 %q1, [A];\nmov.u32 %r1, "
        "%laneid;\nshl.b32 %r2, %r1, 4;\n"
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7}, [%q1];\n" /* 3 */
        "wmma.load.b.sync.aligned.row.m16n16k16.global.f16 {%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7}, [%q1];\n" /* 4 */
        "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}, [%q1];\n" /* 5 */
        "wmma.store.d.sync.aligned.col.m16n16k16.shared.f32 [s], {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7};\n"  /* 6 */
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%r2];\n"                              /* 7 */
        "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%a0}, [%r2];\n"                                       /* 8 */
        "cp.async.cg.shared.global [%r2], [%q1], 16;\n"                                                        /* 9 */
        "cp.async.ca.shared.global [%r2], [%q1], 4, %r1;\n"                                                    /* 10 */
        "cp.async.wait_all;\nmbarrier.init.shared.b64 [o], 32;\n"                                              /* 12 */
        "mbarrier.arrive.shared.b64 %q2, [o];\nret;\n}\n";                                                     /* 13 */
    static const struct {
        unsigned pc, parts;
        uint64_t bytes, span;
    } known[] = {
        {3, 4, 512, 512}, /* 16 x 16 halves, once, though registers hold them twice */
        {4, 8, 512, 512}, /* against their order in memory: a half at a time */
        {5, 4, 1024, 1024}, {6, 8, 1024, 1024}, {7, 4, 512, 512},
        {8, 1, 128, 128},   {9, 2, 1024, 0}, /* read, then written */
        {10, 3, 252, 0},                     /* lane 0 reads nothing and writes zeros: a part of its own */
        {12, 1, 256, 8},    {13, 1, 256, 8},
    };
    access_state seen;
    ws_module *module;
    ws_image *loaded;
    ws_kernel *k = NULL;
    if (ws_ptx_parse("parts.ptx", kernel, strlen(kernel), &module) || ws_image_load(b->device, module, &loaded) ||
        ws_image_kernel(loaded, "k", &k))
        fail_msg("%s", ws_message());
    const ws_run run = {.grid = {1, 1, 1},
                        .block = {32, 1, 1},
                        .params = b->at,
                        .sinks = sinks,
                        .sink_count = 1,
                        .collect = keep_accesses,
                        .context = &seen};
    if (ws_kernel_run(k, &run, NULL))
        fail_msg("%s", ws_message());
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const access_counts *const c = &seen.at[known[i].pc];
        if (c->instructions != 1 || c->lanes != WS_WARP || c->parts != known[i].parts || c->bytes != known[i].bytes)
            fail_msg("instruction %u: %u instructions, %u lanes, %u parts, %u bytes", known[i].pc, c->instructions,
                     c->lanes, c->parts, (unsigned)c->bytes);
        if (known[i].span)
            assert_int_equal(c->high - c->low, known[i].span);
    }
    ws_image_unload(loaded);
    ws_module_destroy(module);
}

/* Words that no form has, or that do not go together, name what is wrong and keep only their kernel from running. */
static void unknown_forms(void **state)
{
    bench *const b = *state;
#define SPARSE(shape, type) \
    "mma.sp.sync.aligned." shape ".row.col.f32." type "." type \
    ".f32 {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}"
    static const struct {
        const char *instruction, *why;
    } wrong[] = {
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16 {%r1}, {%r1}, {%r1}, {%r1}", "shape and these types"},
        {"mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%r1}, {%r1}, {%r1}, {%r1}", "this order"},
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1}, {%r1}, {%r1}, {%r1}",
         "1 registers for a matrix that takes 4"},
        {"mma.sync.aligned.m16n8k12.row.col.f32.f16.f16.f32 {%r1}, {%r1}, {%r1}, {%r1}", "shape and these types"},
        {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32 {%r1,%r2}, {%r1}, {%r1}, {%r1,%r2}", "this order"},
        {"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1}, {%r1}, {%r1}, {%r1}", "takes 6 operands, not 4"},
        {SPARSE("m16n8k32", "f16") ", %r1, 2", "takes a sparsity selector from 0 to 1"},
        {SPARSE("m16n8k16", "bf16") ", %r1, 3", "4 registers for a matrix that takes 2"},
        {SPARSE("m16n8k32", "bf16") ", %r1, 4", "takes a sparsity selector from 0 to 1"},
        {SPARSE("m16n8k32", "f16") ", %r1, %r2", "a number as sparsity selector"},
        {SPARSE("m16n8k32", "f16") ", %q1, 0", "needs registers of 32 bits"},
        {SPARSE("m16n8k8", "f16") ", %r1, 0", "shape and these types"},
        {SPARSE("m16n8k64", "f16") ", %r1, 0", "shape and these types"},
        {"mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, "
         "{%r1,%r2,%r3,%r4}, %r5, 1",
         "takes sparsity selector 0 alone"},
        {"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32 {%r1}, {%r1}, {%r1}, "
         "{%r1}, %r1, 0",
         "matrices with .kind::f8f6f4"},
        {"wmma.sp.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%r1}, {%r1}, {%r1}, {%r1}", "matrices with .sp"},
        {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%r1, %r2}, {%r1}, {%r1}, {%r1, %r2}",
         "registers of 64 bits"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.global.f32 {%r1}, [%q1]", "shape and these types"},
        {"wmma.load.a.sync.aligned.col.m8n8k32.global.s4 {%r1}, [%q1]", "this order"},
        {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r3]", "matrices of this shape"},
        {"wgmma.fence.sync.aligned", "four warps"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        ws_module *module;
        ws_image *image;
        ws_kernel *kernel;
        const int n = snprintf(text, sizeof text,
                               ".version 8.5\n.target sm_90\n.address_size 64\n.entry k() { .reg .b32 %%r<9>; .reg "
                               ".b64 %%q<9>; %s; ret; }\n",
                               wrong[i].instruction);
        assert_int_equal(ws_ptx_parse("m.ptx", text, (size_t)n, &module), WS_OK);
        assert_int_equal(ws_image_load(b->device, module, &image), WS_OK);
        assert_int_equal(ws_image_kernel(image, "k", &kernel), WS_EUNSUPPORTED);
        if (!strstr(ws_message(), wrong[i].why))
            fail_msg("%s: %s", wrong[i].instruction, ws_message());
        ws_image_unload(image);
        ws_module_destroy(module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_the_isa), cmocka_unit_test(every_shape),        cmocka_unit_test(rounding_of_sums),
        cmocka_unit_test(special_values),     cmocka_unit_test(parts_of_an_access), cmocka_unit_test(unknown_forms),
    };
    return cmocka_run_group_tests_name("matrices", tests, open_bench, close_bench);
}
