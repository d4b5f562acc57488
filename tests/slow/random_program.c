/* random_program.c - which statements does a random kernel have? Makes the tree from a seed, and the memory it starts
 * with. */
#include "random_program.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ operations */

static uint32_t reverse_bits(uint32_t x)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}

static uint32_t permute_bytes(uint32_t a, uint32_t b, uint32_t select)
{
    const uint64_t both = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t s = select >> 4 * i & 15, byte = (uint32_t)(both >> 8 * (s & 7)) & 255;
        r |= (s & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * i;
    }
    return r;
}

static uint32_t extract_bits(uint32_t a, uint32_t position, uint32_t length)
{
    uint32_t r = 0;
    position &= 255;
    for (uint32_t i = 0; i < (length & 255) && i < 32 && position + i < 32; i++)
        r |= (a >> (position + i) & 1) << i;
    return r;
}

static uint32_t insert_bits(uint32_t a, uint32_t into, uint32_t position, uint32_t length)
{
    position &= 255;
    for (uint32_t i = 0; i < length && position + i < 32; i++)
        into = (into & ~(1u << (position + i))) | (a >> i & 1) << (position + i);
    return into;
}

static uint32_t dot_bytes(uint32_t a, uint32_t b, uint32_t sum)
{
    for (int i = 0; i < 32; i += 8)
        sum += (a >> i & 255) * (b >> i & 255);
    return sum;
}

/* PTX: what is out of range becomes the nearest value; NaN is 0 in an f32, and in an f64 the lowest. */
static int32_t to_int32(double x, int32_t nan)
{
    return isnan(x) ? nan : x <= (double)INT32_MIN ? INT32_MIN : x >= (double)INT32_MAX ? INT32_MAX : (int32_t)x;
}

static float flush(float x)
{
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0.0f, x) : x;
}

/* .ftz of an exact product: zero where 24 bits hold it below 2^-126. */
static float flush_product(double x)
{
    return fabs(x) < 0x1.ffffffp-127 ? copysignf(0.0f, (float)x) : (float)x;
}

static float saturate(float x)
{
    return x > 0 ? x < 1 ? x : 1.0f : 0.0f;
}

/* PTX: of a number and NaN the number; -0 is below +0. */
static double smaller(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a < b || (a == b && signbit(a)) ? a : b;
}

static double larger(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a > b || (a == b && signbit(b)) ? a : b;
}

/* a b + c on the two floats in 64 bits, in one step; NaN is PTX's own. */
static uint64_t fuse_pairs(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < 64; i += 32) {
        const uint32_t bits[3] = {(uint32_t)(a >> i), (uint32_t)(b >> i), (uint32_t)(c >> i)};
        float v[3];
        memcpy(v, bits, sizeof v);
        const float sum = fmaf(v[0], v[1], v[2]);
        uint32_t out = 0x7fffffff;
        if (!isnan(sum))
            memcpy(&out, &sum, sizeof out);
        r |= (uint64_t)out << i;
    }
    return r;
}

static uint32_t mask_bits(uint32_t first, uint32_t length)
{
    uint32_t r = 0;
    for (uint32_t i = 0; i < 32; i++)
        r |= (uint32_t)(i >= first && i - first < length) << i;
    return r;
}

typedef uint32_t type_u;
typedef uint64_t type_l;
typedef float type_f;
typedef double type_d;
typedef uint32_t type_p;
typedef uint32_t type_none;

#define OP(name, text, dst, ka, kb, kc, result) \
    static slot compute_##name(slot sa, slot sb, slot sc) \
    { \
        const type_##ka a = sa.ka; \
        const type_##kb b = sb.kb; \
        const type_##kc c = sc.kc; \
        (void)a, (void)b, (void)c; \
        slot r = {.l = 0}; \
        r.dst = (type_##dst)(result); \
        return r; \
    }
#include "random_ops.def"
#undef OP

const op random_ops[] = {
#define OP(name, text, dst, ka, kb, kc, result) {text, KIND_##dst, {KIND_##ka, KIND_##kb, KIND_##kc}, compute_##name},
#include "random_ops.def"
#undef OP
};
const size_t random_op_count = sizeof random_ops / sizeof *random_ops;

/* ------------------------------------------------------------------------------------------------ generator */

enum { MAX_DEPTH = 3, MAX_LOOPS = 2 };

typedef struct maker {
    program *p;
    gsl_rng *rng;
    bool in_function, may_exit, failed;   /* failed: memory is short */
    unsigned depth, loops, budget, locks; /* budget, locks: statements that may still be made */
} maker;

static unsigned pick(maker *m, unsigned n)
{
    return (unsigned)gsl_rng_uniform_int(m->rng, n);
}

static bool chance(maker *m, unsigned percent)
{
    return pick(m, 100) < percent;
}

/* Values at which instructions like to go wrong, and others. */
static slot random_value(maker *m, unsigned of)
{
    static const uint32_t corner[] = {0, 1, 2, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff, 0xff, 0x10000, 7};
    static const float real[] = {0.0f, -0.0f, 1.0f, -1.5f, 3e38f, 1e-40f, 0.3333f, -1e10f, 65536.5f, 2e-38f};
    slot v = {.l = 0};
    const uint32_t high = (uint32_t)gsl_rng_get(m->rng), low = (uint32_t)gsl_rng_get(m->rng);
    switch (of) {
    case KIND_u:
        v.u = chance(m, 50) ? corner[pick(m, 12)] : high ^ low << 7;
        break;
    case KIND_l:
        v.l = chance(m, 30) ? corner[pick(m, 12)] : (uint64_t)high << 32 ^ low;
        break;
    case KIND_f:
        v.f = chance(m, 30) ? real[pick(m, 10)] : ldexpf((float)low / 4e9f - 0.5f, (int)(high % 20));
        break;
    case KIND_d:
        v.d = chance(m, 30) ? (double)real[pick(m, 10)] : ldexp((double)low / 4e9 - 0.5, (int)(high % 40));
        break;
    default:
        v.p = low & 1;
        break;
    }
    return v;
}

static operand random_register(maker *m, unsigned of)
{
    return (operand){.kind = (uint8_t)of, .reg = (uint8_t)pick(m, REGISTERS)};
}

static operand random_operand(maker *m, unsigned of)
{
    operand o = random_register(m, of);
    if (of != KIND_p && of != KIND_none && chance(m, 25)) {
        o.constant = true;
        o.value = random_value(m, of);
    }
    return o;
}

static const op *random_op(maker *m)
{
    for (;;) {
        const op *o = &random_ops[pick(m, (unsigned)random_op_count)];
        bool fits = true;
        for (int i = 0; m->in_function && i < 3; i++)
            fits &= o->src[i] == KIND_u || o->src[i] == KIND_p || o->src[i] == KIND_none;
        if (fits && (!m->in_function || o->dst == KIND_u || o->dst == KIND_p))
            return o;
    }
}

static block make_block(maker *m, unsigned n);

static void make_op(maker *m, statement *s)
{
    s->kind = S_OP;
    s->op = random_op(m);
    s->dst = random_register(m, s->op->dst);
    bool variable = false; /* at least one operand is, as assemblers fold or refuse the rest */
    for (int i = 0; i < 3; i++) {
        s->src[i] = i == 2 && !variable ? random_register(m, s->op->src[i]) : random_operand(m, s->op->src[i]);
        variable |= s->op->src[i] != KIND_none && !s->src[i].constant;
        if (s->op->text[0] == 'b' && s->op->text[1] == 'f' && i > 0) /* bfe, bfi take constants of 8 bits only */
            s->src[i].value.u &= 63;
    }
    if (!variable)
        s->src[0] = random_register(m, s->op->src[0]);
    if (!chance(m, 25))
        s->guard = -1;
}

static void make_own(maker *m, statement *s)
{
    s->kind = S_OWN;
    s->where = pick(m, OWN_SPACES);
    const bool local = s->where == OWN_LOCAL || s->where == OWN_LOCAL_GENERIC;
    s->variant = pick(m, local ? ATOM_ADD : ACCESSES);
    const unsigned moved = s->variant == LOAD_U64 || s->variant == STORE_U64 ? KIND_l : KIND_u;
    s->dst = random_register(m, moved);
    s->src[0] = random_register(m, KIND_u);
    s->src[1] = random_register(m, moved);
    s->src[2] = random_register(m, KIND_u);
    if (!chance(m, 25))
        s->guard = -1;
}

static void make_reduction(maker *m, statement *s)
{
    s->kind = S_REDUCE;
    s->variant = pick(m, REDUCTIONS);
    s->where = m->may_exit ? 0 : pick(m, 2); /* behind the copying barrier shared cells are no longer seen */
    s->src[0] = random_register(m, KIND_u);
    s->src[1] = random_register(m, KIND_u);
    if (!chance(m, 25))
        s->guard = -1;
}

static void make_lock(maker *m, statement *s)
{
    m->locks--;
    s->kind = S_LOCK;
    s->src[0] = random_register(m, KIND_u);
}

static void make_call(maker *m, statement *s)
{
    s->kind = chance(m, 60) ? S_CALL : S_CALL_EITHER;
    s->where = pick(m, FUNCTIONS);
    s->dst = random_register(m, KIND_u);
    s->src[0] = random_register(m, KIND_u);
    s->src[1] = random_register(m, KIND_u);
}

static void make_loop(maker *m, statement *s)
{
    s->kind = S_LOOP;
    s->src[0] = random_register(m, KIND_u);
    s->bottom = chance(m, 40);
    s->is_long = m->loops == 0 && chance(m, 10);
    m->loops += s->is_long ? MAX_LOOPS : 1;
    s->body[0] = make_block(m, 1 + pick(m, s->is_long ? 2 : 4));
    m->loops -= s->is_long ? MAX_LOOPS : 1;
}

static void make_nested(maker *m, statement *s)
{
    m->depth++;
    if (m->loops < MAX_LOOPS && !m->in_function && chance(m, 40)) {
        make_loop(m, s);
    } else if (!m->in_function && chance(m, 25)) {
        s->kind = S_SWITCH;
        s->src[0] = random_register(m, KIND_u);
        for (int i = 0; i < CASES; i++)
            s->body[i] = make_block(m, pick(m, 3));
    } else {
        s->kind = S_IF;
        s->body[0] = make_block(m, 1 + pick(m, 4));
        if (chance(m, 50))
            s->body[1] = make_block(m, 1 + pick(m, 3));
    }
    m->depth--;
}

static void make_statement(maker *m, statement *s)
{
    *s = (statement){.guard = (int8_t)pick(m, REGISTERS), .negate = chance(m, 50)};
    if (m->budget)
        m->budget--;
    if (m->depth < MAX_DEPTH && m->budget && chance(m, 25))
        make_nested(m, s);
    else if (m->in_function && chance(m, 8))
        s->kind = S_RETURN;
    else if (m->in_function)
        make_op(m, s);
    else if (m->loops && chance(m, 8))
        s->kind = chance(m, 60) ? S_BREAK : S_CONTINUE;
    else if (m->may_exit && chance(m, 5))
        s->kind = S_EXIT;
    else if (chance(m, 10))
        make_own(m, s);
    else if (chance(m, 6))
        make_reduction(m, s);
    else if (chance(m, 5))
        make_call(m, s);
    else if (m->locks && m->loops == 0 && !m->may_exit && chance(m, 5))
        make_lock(m, s);
    else
        make_op(m, s);
}

static block make_block(maker *m, unsigned n)
{
    block b = {.item = ws_arena_alloc(m->p->arena, (n ? n : 1) * sizeof(statement)), .n = n};
    if (!b.item) {
        m->failed = true;
        return (block){0};
    }
    for (unsigned i = 0; i < n; i++)
        make_statement(m, &b.item[i]);
    return b;
}

/* Shuffles: variant, width 8, 16 or 32 and distance; others need only operands. */
static void make_collective(maker *m, statement *s)
{
    const bool full_warps = m->p->threads % 32 == 0;
    *s = (statement){.kind = S_COLLECTIVE, .guard = (int8_t)pick(m, REGISTERS), .negate = chance(m, 50)};
    s->variant = full_warps ? pick(m, COLLECTIVES) : WARP_COLLECTIVES + pick(m, COLLECTIVES - WARP_COLLECTIVES);
    s->where = 8u << pick(m, 3);
    s->sides = (uint8_t)(s->variant >= WARP_COLLECTIVES && chance(m, 50) ? 1 + pick(m, MOST_SIDES) : 0);
    for (unsigned i = 0; i < s->sides; i++)
        s->side[i] = (uint8_t)pick(m, REGISTERS);
    s->dst = random_register(m, KIND_u);
    s->src[0] = random_register(m, KIND_u);
    s->src[1] = random_operand(m, KIND_u);  /* distance or lane; may differ from thread to thread */
    s->src[2] = random_register(m, KIND_p); /* a second result of shuffles */
}

static block make_body(maker *m, unsigned n)
{
    block b = make_block(m, n);
    for (size_t i = 0; i < b.n; i++)
        if (chance(m, 25))
            make_collective(m, &b.item[i]);
    return b;
}

static void make_shape(maker *m)
{
    static const uint32_t shape[][3] = {{1, 1, 1}, {7, 1, 1},   {32, 1, 1}, {33, 1, 1}, {64, 1, 1},
                                        {8, 5, 2}, {16, 16, 1}, {96, 1, 1}, {4, 8, 4},  {50, 1, 1}};
    const unsigned i = pick(m, sizeof shape / sizeof *shape);
    memcpy(m->p->block, shape[i], sizeof m->p->block);
    m->p->grid[0] = 1 + pick(m, 4);
    m->p->grid[1] = 1 + pick(m, 3);
    m->p->grid[2] = 1;
    m->p->threads = shape[i][0] * shape[i][1] * shape[i][2];
    m->p->blocks = m->p->grid[0] * m->p->grid[1];
}

program *program_create(uint64_t seed)
{
    program *p = calloc(1, sizeof *p);
    maker m = {.p = p, .rng = gsl_rng_alloc(gsl_rng_taus2)};
    if (!p || !m.rng || !(p->arena = ws_arena_create())) {
        gsl_rng_free(m.rng);
        free(p);
        return NULL;
    }
    gsl_rng_set(m.rng, (unsigned long)seed);
    p->seed = seed;
    make_shape(&m);
    m.budget = 80;
    m.locks = chance(&m, 20) && p->threads < 100 ? 2 : 0; /* lanes come one at a time, so few and small ones */
    p->body = make_body(&m, 6 + pick(&m, 12));
    m.may_exit = true;
    m.budget = 30;
    p->tail = make_block(&m, 2 + pick(&m, 6));
    m.may_exit = false;
    m.in_function = true;
    for (int i = 0; i < FUNCTIONS; i++) {
        m.budget = 12;
        p->function[i] = make_block(&m, 3 + pick(&m, 5));
    }
    gsl_rng_free(m.rng);
    if (m.failed) {
        program_destroy(p);
        return NULL;
    }
    return p;
}

void program_destroy(program *p)
{
    if (p)
        ws_arena_destroy(p->arena);
    free(p);
}

/* ------------------------------------------------------------------------------------------------ memory */

static const uint32_t identity[REDUCTIONS] = {
    [RED_MIN_S] = INT32_MAX,
    [RED_AND] = UINT32_MAX,
};

uint32_t cell_start(unsigned i)
{
    return i < REDUCTIONS * CELLS ? identity[i / CELLS] : 0;
}

/* Where a register stands in a record, and its bytes. */
static size_t record_offset(unsigned of, unsigned reg, size_t *bytes)
{
    static const size_t base[KINDS] = {0, 32, 96, 128, 192}, width[KINDS] = {4, 8, 4, 8, 0};
    *bytes = width[of];
    return base[of] + reg * width[of];
}

slot record_get(const uint8_t *record, unsigned of, unsigned reg)
{
    size_t bytes;
    slot v = {.l = 0};
    const size_t at = record_offset(of, reg, &bytes);
    memcpy(&v, record + at, bytes ? bytes : 4);
    if (of == KIND_p)
        v.p = v.u >> reg & 1;
    return v;
}

void record_set(uint8_t *record, unsigned of, unsigned reg, slot value)
{
    size_t bytes;
    const size_t at = record_offset(of, reg, &bytes);
    if (of == KIND_p) {
        uint32_t word;
        memcpy(&word, record + at, 4);
        word = (word & ~(1u << reg)) | value.p << reg;
        memcpy(record + at, &word, 4);
    } else {
        memcpy(record + at, &value, bytes);
    }
}

int program_memory_create(const program *p, memory_image *m)
{
    program shell = *p;
    maker make = {.p = &shell, .rng = gsl_rng_alloc(gsl_rng_taus2)};
    *m = (memory_image){.threads = (size_t)p->threads * p->blocks};
    m->cell_count = (size_t)CELL_WORDS * (1 + p->blocks);
    m->input = calloc(m->threads, RECORD_BYTES);
    m->output = calloc(m->threads, RECORD_BYTES);
    m->scratch = calloc(m->threads, SCRATCH_BYTES);
    m->cells = calloc(m->cell_count, sizeof *m->cells);
    if (!make.rng || !m->input || !m->output || !m->scratch || !m->cells) {
        gsl_rng_free(make.rng);
        program_memory_destroy(m);
        return -1;
    }
    gsl_rng_set(make.rng, (unsigned long)p->seed + 1);
    for (size_t t = 0; t < m->threads; t++)
        for (unsigned of = 0; of < KINDS; of++)
            for (unsigned reg = 0; reg < REGISTERS; reg++)
                record_set(m->input + t * RECORD_BYTES, of, reg, random_value(&make, of));
    for (unsigned i = 0; i < CELL_WORDS; i++)
        m->cells[i] = cell_start(i);
    gsl_rng_free(make.rng);
    return 0;
}

void program_memory_destroy(memory_image *m)
{
    free(m->input);
    free(m->output);
    free(m->scratch);
    free(m->cells);
    *m = (memory_image){0};
}
