/* lanes.c - which function computes an instruction on 32 lanes, and how does it want its operands? */
#include "collect/ptx/module.h"
#include "collect/simt/lanes_internal.h"
#include "collect/simt/level.h"

#include "base/status.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Instruction-set levels, best last. */
typedef struct level {
    const char *name;
    const ws_lanes_table *const *table; /* in the order of WS_LANES_FILES */
} level;

enum {
#define INDEX(name) TABLE_##name,
    WS_LANES_FILES(INDEX)
#undef INDEX
        TABLES
};

#define POINT_PLAIN(name) &WS_LANES_PASTE(plain, name),
static const ws_lanes_table *const plain_tables[] = {WS_LANES_FILES(POINT_PLAIN)};
#ifdef WS_HAS_avx2
#define POINT_AVX2(name)   &WS_LANES_PASTE(avx2, name),
#define POINT_AVX512(name) &WS_LANES_PASTE(avx512, name),
static const ws_lanes_table *const avx2_tables[] = {WS_LANES_FILES(POINT_AVX2)};
static const ws_lanes_table *const avx512_tables[] = {WS_LANES_FILES(POINT_AVX512)};
#endif

static const level levels[] = {
    {"plain", plain_tables},
#ifdef WS_HAS_avx2 /* both are built, or none: see LEVELS in the Makefile */
    {"avx2", avx2_tables},
    {"avx512", avx512_tables},
#endif
};
enum { LEVELS = sizeof levels / sizeof levels[0] };

/* The one thing the user may choose for the whole process: 1 + index of the level, 0 while nobody has asked. */
#define LEVEL_VARIABLE "WARPSCAPE_LEVEL"
static _Atomic int chosen_level;

static bool processor_has(const char *name)
{
    if (strcmp(name, "plain") == 0)
        return true;
#ifdef __x86_64__
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2");
    if (strcmp(name, "avx2") == 0)
        return v3;
    return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

/* 1 + index of a level by name, 0 when there is none. */
static int level_named(const char *name)
{
    int n = LEVELS;
    while (n > 0 && strcmp(levels[n - 1].name, name) != 0)
        n--;
    return n;
}

/* What the user's environment asks for, NULL when it asks for nothing. */
static const char *asked_level(void)
{
    const char *const name = getenv(LEVEL_VARIABLE);
    return name && *name ? name : NULL;
}

int ws_level_check(void)
{
    const char *const name = asked_level();
    if (!name || (level_named(name) && processor_has(name)))
        return WS_OK;
    if (level_named(name))
        return ws_fail(WS_EUNSUPPORTED, LEVEL_VARIABLE "=%s: this processor lacks it", name);
    return ws_fail(WS_EUNSUPPORTED, LEVEL_VARIABLE "=%s: expected plain, avx2 or avx512%s", name,
                   LEVELS > 1 ? "" : "; this build has plain alone");
}

static const level *current_level(void)
{
    int n = atomic_load_explicit(&chosen_level, memory_order_relaxed);
    if (n == 0) {
        const char *const name = asked_level();
        for (n = name ? level_named(name) : LEVELS; n > 1 && !processor_has(levels[n - 1].name); n--)
            continue;
        n = n ? n : 1; /* ws_level_check refuses such a name before anything runs */
        atomic_store_explicit(&chosen_level, n, memory_order_relaxed);
    }
    return &levels[n - 1];
}

const char *ws_lanes_level(void)
{
    return current_level()->name;
}

int ws_lanes_set_level(const char *name)
{
    const int n = level_named(name);
    if (!n)
        return ws_fail(WS_EUNSUPPORTED, "unknown vector level '%s': expected plain, avx2 or avx512", name);
    if (!processor_has(name))
        return ws_fail(WS_EUNSUPPORTED, "vector level '%s': this processor lacks it", name);
    atomic_store_explicit(&chosen_level, n, memory_order_relaxed);
    return WS_OK;
}

/* What rows of opcode.def say of arithmetic. */
enum { NONE, NEAREST, APPROX, APPROX64 };
static const struct row {
    const char *types; /* of operands, see opcode.def */
    uint16_t tables;   /* bits: those that have functions */
    uint8_t unrounded; /* what naming no rounding means on floats */
} rows[WS_OPS] = {
#define TABLE_BIT(file, op) | 1u << TABLE_##file
#define OP(...)
#define ALU(name, class, unit, work, operands, types, unrounded, sass, modifiers, ...) \
    [WS_OP_##name] = {types, 0 LANES_EACH_FILE(TABLE_BIT, name, __VA_ARGS__), unrounded},
#include "collect/ptx/opcode.def"
#undef OP
#undef TABLE_BIT
};
_Static_assert(TABLES <= 16, "a set of tables is a 16-bit word");

static const ws_lanes_entry *search(const ws_lanes_table *table, uint64_t key)
{
    for (size_t i = 0; i < table->entries; i++)
        if (table->entry[i].key == key)
            return &table->entry[i];
    return NULL;
}

static ws_lanes_fn *lookup(const level *l, uint64_t key)
{
    for (uint32_t rest = rows[key >> WS_KEY_OP & 0xff].tables; rest; rest &= rest - 1) {
        const ws_lanes_entry *const found = search(l->table[ws_lowest(rest)], key);
        if (found)
            return found->fn;
    }
    return NULL;
}

static bool is_float(ws_type type)
{
    return ws_type_kind_of(type) == WS_KIND_FLOAT;
}

static bool is_unsigned(ws_type type)
{
    return ws_type_kind_of(type) == WS_KIND_UINT;
}

static uint64_t flag(bool set, uint64_t bit)
{
    return set ? bit : 0;
}

static uint64_t flags_of(const ws_insn *insn)
{
    return flag(insn->ftz, WS_KEY_FTZ) | flag(insn->sat, WS_KEY_SAT) | flag(insn->nan, WS_KEY_NAN) |
           flag(insn->xorsign, WS_KEY_XORSIGN) | flag(insn->abs, WS_KEY_ABS) | flag(insn->relu, WS_KEY_RELU) |
           flag(insn->satfinite, WS_KEY_SATFINITE) | flag(insn->approx, WS_KEY_APPROX) | flag(insn->full, WS_KEY_FULL) |
           flag(insn->cc, WS_KEY_CC) | flag(insn->wrap, WS_KEY_WRAP) | flag(insn->clamp, WS_KEY_CLAMP) |
           flag(insn->shiftamt, WS_KEY_SHIFTAMT);
}

/* lo, ls, hi, hs are the unsigned lt, le, gt, ge. */
static ws_cmp cmp_of(const ws_insn *insn, ws_type type)
{
    ws_cmp cmp = insn->cmp;
    if (cmp == WS_CMP_NONE && insn->half == WS_HALF_LO)
        cmp = WS_CMP_LO;
    if (cmp == WS_CMP_NONE && insn->half == WS_HALF_HI)
        cmp = WS_CMP_HI;
    if (cmp >= WS_CMP_LO && cmp <= WS_CMP_HS)
        return is_unsigned(type) ? (ws_cmp)(cmp - WS_CMP_LO + WS_CMP_LT) : WS_CMP_NONE;
    return cmp;
}

/* What an instruction of old PTX that names no rounding means (PTX ISA 1.4, and the notes of later versions). */
static ws_round round_of(const ws_insn *insn, ws_type dst)
{
    const uint8_t unrounded = rows[insn->op].unrounded;
    const bool nearest = unrounded == NEAREST || (unrounded == APPROX && dst == WS_T_f64 && !insn->approx);
    return insn->round == WS_RND_DEFAULT && is_float(dst) && nearest ? WS_RND_RN : insn->round;
}

static uint64_t approx_of(const ws_insn *insn, ws_type type, ws_round round)
{
    const uint8_t unrounded = rows[insn->op].unrounded;
    return flag((unrounded == APPROX || unrounded == APPROX64) && is_float(type) && round == WS_RND_DEFAULT &&
                    !insn->full,
                WS_KEY_APPROX);
}

/* Number of bits of mantissa and the least exponent decide whether a conversion between floats is exact. */
static bool widens(ws_type to, ws_type from)
{
    return (to == WS_T_f64 && is_float(from) && from != WS_T_f64) ||
           (to == WS_T_f32 && (from == WS_T_f16 || from == WS_T_bf16));
}

static ws_round cvt_round(const ws_insn *insn, ws_type to, ws_type from)
{
    const bool is_whole = insn->round > WS_RND_RP; /* what rounds to integers, or to a narrower number */
    if (!is_float(to) && !is_float(from))
        return insn->round; /* there is nothing to round, and no such function */
    if (widens(to, from))
        return is_whole ? insn->round : WS_RND_DEFAULT; /* exact, whatever the direction */
    if (insn->round != WS_RND_DEFAULT) {
        /* Between floats of one type cvt.rn means nothing more than cvt (some compilers write it). */
        const bool plain = to == from && insn->round >= WS_RND_RN && insn->round <= WS_RND_RP;
        /* Float to integer may be written with the float rounding of old PTX. */
        const bool to_int = !is_float(to) && insn->round >= WS_RND_RN && insn->round <= WS_RND_RP;
        return plain ? WS_RND_DEFAULT : to_int ? (ws_round)(insn->round - WS_RND_RN + WS_RND_RNI) : insn->round;
    }
    return to == from ? WS_RND_DEFAULT : is_float(to) ? WS_RND_RN : WS_RND_RZI;
}

static const char *types_of(const ws_insn *insn)
{
    const char *const types = rows[insn->op].types, *const mixed = strchr(types, '/');
    return insn->sub == WS_SUB_PACK ? "wssw" : mixed && insn->types == 2 ? mixed + 1 : types;
}

static uint8_t twice(uint8_t type)
{
    switch (type) {
    case WS_T_u16:
        return WS_T_u32;
    case WS_T_s16:
        return WS_T_s32;
    case WS_T_u32:
        return WS_T_u64;
    case WS_T_s32:
        return WS_T_s64;
    default:
        return type;
    }
}

static uint8_t type_of(const ws_insn *insn, char letter)
{
    switch (letter) {
    case 'u':
        return insn->type[1];
    case 'v':
    case 'h':
    case 'q':
    case 'w':
        return WS_T_u32;
    case 's':
        return WS_T_s32;
    case 'p':
        return WS_T_pred;
    case 'W':
        return insn->half == WS_HALF_WIDE ? twice(insn->type[0]) : insn->type[0];
    default:
        return insn->type[0];
    }
}

/* False: the opcode has not as many operands, or is no arithmetic on lanes. */
static bool shape_of(const ws_insn *insn, unsigned sources, ws_lanes_shape *shape)
{
    const char *const types = rows[insn->op].types ? types_of(insn) : "";
    *shape = (ws_lanes_shape){.srcs = (uint8_t)sources};
    if (strcspn(types, "/") < 1 + sources)
        return false;
    shape->dst = type_of(insn, types[0]);
    for (unsigned i = 0; i < sources; i++)
        shape->src[i] = type_of(insn, types[1 + i]);
    shape->carry = insn->cc || insn->op == WS_OP_addc || insn->op == WS_OP_subc || insn->op == WS_OP_madc;
    return true;
}

/* What stands for true in the result of set. */
static unsigned set_value(ws_type dst, bool halves)
{
    switch (dst) {
    case WS_T_f32:
        return WS_LANES_SET_F32;
    case WS_T_f16:
    case WS_T_f16x2:
        return WS_LANES_SET_F16;
    case WS_T_bf16:
    case WS_T_bf16x2:
        return WS_LANES_SET_BF16;
    case WS_T_u16:
    case WS_T_s16:
        return WS_LANES_SET_HALF_ONES;
    default:
        return halves ? WS_LANES_SET_HALF_ONES : WS_LANES_SET_ONES;
    }
}

static ws_lanes_fn *find_set(const level *l, const ws_insn *insn, ws_lanes_shape *shape)
{
    const ws_type dst = insn->type[0], src = insn->type[1];
    const bool halves = src == WS_T_f16x2 || src == WS_T_bf16x2;
    const ws_type compared = src == WS_T_f16x2 ? WS_T_f16 : src == WS_T_bf16x2 ? WS_T_bf16 : src;
    const uint64_t key = WS_KEY(WS_OP_setp, compared, 0, 0) | (uint64_t)cmp_of(insn, compared) << WS_KEY_CMP |
                         flag(insn->ftz, WS_KEY_FTZ);
    const ws_lanes_entry *const compare = search(l->table[TABLE_compare], key);
    if (!compare)
        return NULL;
    const size_t place = (size_t)(compare - l->table[TABLE_compare]->entry);
    shape->controlled = true;
    shape->control = WS_LANES_SET_CONTROL(place, insn->boolop, set_value(dst, halves));
    return lookup(l, WS_KEY(WS_OP_set, dst, 0, 0) | flag(halves, WS_KEY_PACK));
}

static uint64_t at(uint64_t value, int place)
{
    return value << place;
}

/* Which parts of the registers a video instruction uses. component and target are as the parser leaves them. */
static uint64_t selectors_of(const ws_insn *insn)
{
    const ws_operand *const d = &insn->operand[0], *const a = &insn->operand[1], *const b = &insn->operand[2];
    const unsigned lanes = ws_op_video_parts(insn->op);
    if (lanes == 1)
        return at(a->component, WS_VIDEO_A) | at(b->component, WS_VIDEO_B) | at(d->component, WS_VIDEO_D);
    const uint32_t low = lanes == 4 ? 0x3210 : 0x10, high = lanes == 4 ? 0x7654 : 0x32;
    return at(a->component ? a->target : low, WS_VIDEO_A) | at(b->component ? b->target : high, WS_VIDEO_B) |
           at(d->component ? d->target : (1u << lanes) - 1, WS_VIDEO_D);
}

static uint64_t second_of(const ws_insn *insn)
{
    return insn->sub == WS_SUB_ADD ? 1 : insn->sub == WS_SUB_MIN ? 2 : insn->sub == WS_SUB_MAX ? 3 : 0;
}

static bool is_word(ws_type type)
{
    return type == WS_T_u32 || type == WS_T_s32;
}

static bool video_is_legal(const ws_insn *insn, unsigned sources, bool sets)
{
    const bool packed = ws_op_video_parts(insn->op) > 1;
    const bool shifts = insn->op == WS_OP_vshl || insn->op == WS_OP_vshr;
    if (insn->types != (sets ? 2 : 3) || sources < 2 || sources > 3)
        return false;
    for (unsigned i = 0; i < insn->types; i++)
        if (!is_word(insn->type[i]))
            return false;
    if ((insn->sub && !second_of(insn)) || (packed && second_of(insn) > 1))
        return false;
    const bool needs_c = packed || insn->op == WS_OP_vmad || insn->sub || insn->operand[0].component;
    if (needs_c && sources < 3)
        return false;
    if (sets && (insn->cmp < WS_CMP_EQ || insn->cmp > WS_CMP_GE))
        return false;
    return !shifts || (insn->type[2] == WS_T_u32 && insn->clamp != insn->wrap);
}

static ws_lanes_fn *find_video(const level *l, const ws_insn *insn, unsigned sources, ws_lanes_shape *shape)
{
    const bool sets = insn->op == WS_OP_vset || insn->op == WS_OP_vset2 || insn->op == WS_OP_vset4;
    if (!video_is_legal(insn, sources, sets))
        return NULL;
    const uint8_t *const source_type = &insn->type[sets ? 0 : 1];
    const ws_operand *const o = insn->operand;
    shape->controlled = true;
    shape->control = selectors_of(insn) | at(!sets && insn->type[0] == WS_T_s32, WS_VIDEO_D_SIGNED) |
                     at(source_type[0] == WS_T_s32, WS_VIDEO_A_SIGNED) |
                     at(source_type[1] == WS_T_s32, WS_VIDEO_B_SIGNED) | at(insn->sat, WS_VIDEO_SAT) |
                     at(second_of(insn), WS_VIDEO_SECOND) | at(sets ? insn->cmp : 0, WS_VIDEO_CMP) |
                     at(insn->clamp, WS_VIDEO_CLAMP);
    if (insn->op == WS_OP_vmad)
        shape->control |= at(o[1].negate != o[2].negate, WS_VIDEO_NEGATE_AB) | at(o[3].negate, WS_VIDEO_NEGATE_C) |
                          at(insn->plus_one, WS_VIDEO_PLUS_ONE) | at(insn->scale, WS_VIDEO_SCALE);
    return lookup(l, WS_KEY(insn->op, 0, 0, 0));
}

static uint64_t key_of(const ws_insn *insn, unsigned sources)
{
    const ws_type t0 = insn->type[0];
    const ws_type t1 = insn->types > 1 ? insn->type[1] : WS_T_NONE, t2 = insn->types > 2 ? insn->type[2] : WS_T_NONE;
    const uint64_t types = WS_KEY(insn->op, t0, t1, t2);
    if (insn->op == WS_OP_setp)
        return types | (uint64_t)cmp_of(insn, t0) << WS_KEY_CMP | flags_of(insn);
    const bool cvt = insn->op == WS_OP_cvt;
    const bool extreme = insn->op == WS_OP_min || insn->op == WS_OP_max;
    const ws_round round = cvt ? cvt_round(insn, t0, insn->type[1]) : round_of(insn, t0);
    return types | (uint64_t)round << WS_KEY_ROUND | (uint64_t)insn->half << WS_KEY_HALF |
           (uint64_t)insn->cmp << WS_KEY_CMP | (uint64_t)insn->sub << WS_KEY_SUB | flags_of(insn) |
           approx_of(insn, t0, round) | flag(cvt && sources == 2 && insn->sub != WS_SUB_PACK, WS_KEY_PACK) |
           flag(extreme && sources == 3, WS_KEY_THREE);
}

int ws_lanes_find(const ws_insn *insn, ws_lanes_fn **fn, ws_lanes_shape *shape)
{
    const level *const l = current_level();
    if (insn->operands < 2 || insn->operands > 5 || insn->types < 1)
        return ws_fail(WS_EUNSUPPORTED, "`%s` with %u operands", insn->text, (unsigned)insn->operands);
    /* The predicate that setp combines with is the engine's. */
    const unsigned sources = insn->op == WS_OP_setp ? 2 : insn->operands - 1u;
    if (!shape_of(insn, sources, shape))
        return ws_fail(WS_EUNSUPPORTED, "`%s` with %u operands", insn->text, (unsigned)insn->operands);
    if (insn->op == WS_OP_set)
        *fn = find_set(l, insn, shape);
    else if (ws_op_video_parts(insn->op))
        *fn = find_video(l, insn, sources, shape);
    else
        *fn = insn->boolop && insn->op != WS_OP_setp ? NULL : lookup(l, key_of(insn, sources));
    if (!*fn)
        return ws_fail(WS_EUNSUPPORTED, "not implemented with these types and modifiers");
    return WS_OK;
}
