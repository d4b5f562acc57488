/* lanes_loop_internal.h - macros that generate lane functions from an expression for one lane; included only by
 * lanes_level_*.c.
 *
 *     LANES2(add_u32, u32, u32, u32, x + y)
 *
 * defines the ws_lanes_fn add_u32: destination u32, two sources u32, named x and y in the expression (then z and w).
 * Each function has two loops of 32 iterations, one for a full mask and one that blends; the compiler vectorises them.
 * Type tags: REG_tag is the type in a register, VAL_tag the type in the expression; get_tag and put_tag convert. */
/* clang-format off */
#ifndef WS_LANES_LOOP_INTERNAL_H
#define WS_LANES_LOOP_INTERNAL_H

#include "collect/simt/lanes_internal.h"
#include "collect/simt/lanes_scalar_internal.h"

#ifdef __clang__
/* Vectorisation is not guaranteed: a few operations remain scalar. */
#pragma clang diagnostic ignored "-Wpass-failed"
#define LANES_FOR _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < WS_WARP; i++)
#else
#define LANES_FOR _Pragma("GCC ivdep") for (int i = 0; i < WS_WARP; i++)
#endif

/* Destination and sources of a lane function with their types. d may alias a source lane by lane, which ivdep
 * permits. */
#define LANES_ARGUMENTS void *dp, const void *ap, const void *bp, const void *cp, const void *ep, const ws_mask *m
#define LANES_FUNCTION static __attribute__((noinline)) void
#define LANES_UNUSED (void)ap, (void)bp, (void)cp, (void)ep
#define LANES_IN(T, name, pointer) const T *const name = __builtin_assume_aligned(pointer, 64)
#define LANES_OUT(T, name, pointer) T *const name = __builtin_assume_aligned(pointer, 64)

/* LANES_LARGE, defined before the include: expressions are large, so each is compiled once, and for a partial mask its
 * result is copied. */
#ifdef LANES_LARGE
#define LANES_STORE(D, value) \
    do { \
        REG_##D all[WS_WARP] __attribute__((aligned(64))); \
        const bool full = __builtin_expect(m->bits == ~0u, 1); \
        LANES_OUT(REG_##D, to, full ? d : all); \
        LANES_FOR to[i] = put_##D(value); \
        if (!full) { \
            LANES_FOR d[i] = m->lane[i] ? all[i] : d[i]; \
        } \
    } while (0)
#else
#define LANES_STORE(D, value) \
    do { \
        if (__builtin_expect(m->bits == ~0u, 1)) { \
            LANES_FOR d[i] = put_##D(value); \
        } else { \
            LANES_FOR \
            { \
                const REG_##D r = put_##D(value); \
                d[i] = m->lane[i] ? r : d[i]; \
            } \
        } \
    } while (0)
#endif

#define LANES1(name, D, A, expr) \
    LANES_INLINE VAL_##D name##_lane(VAL_##A x) \
    { \
        return expr; \
    } \
    LANES_FUNCTION name(LANES_ARGUMENTS) \
    { \
        LANES_UNUSED; \
        LANES_OUT(REG_##D, d, dp); \
        LANES_IN(REG_##A, a, ap); \
        LANES_STORE(D, name##_lane(get_##A(a[i]))); \
    }

#define LANES2(name, D, A, B, expr) \
    LANES_INLINE VAL_##D name##_lane(VAL_##A x, VAL_##B y) \
    { \
        return expr; \
    } \
    LANES_FUNCTION name(LANES_ARGUMENTS) \
    { \
        LANES_UNUSED; \
        LANES_OUT(REG_##D, d, dp); \
        LANES_IN(REG_##A, a, ap); \
        LANES_IN(REG_##B, b, bp); \
        LANES_STORE(D, name##_lane(get_##A(a[i]), get_##B(b[i]))); \
    }

#define LANES3(name, D, A, B, C, expr) \
    LANES_INLINE VAL_##D name##_lane(VAL_##A x, VAL_##B y, VAL_##C z) \
    { \
        return expr; \
    } \
    LANES_FUNCTION name(LANES_ARGUMENTS) \
    { \
        LANES_UNUSED; \
        LANES_OUT(REG_##D, d, dp); \
        LANES_IN(REG_##A, a, ap); \
        LANES_IN(REG_##B, b, bp); \
        LANES_IN(REG_##C, c, cp); \
        LANES_STORE(D, name##_lane(get_##A(a[i]), get_##B(b[i]), get_##C(c[i]))); \
    }

#define LANES4(name, D, A, B, C, E, expr) \
    LANES_INLINE VAL_##D name##_lane(VAL_##A x, VAL_##B y, VAL_##C z, VAL_##E w) \
    { \
        return expr; \
    } \
    LANES_FUNCTION name(LANES_ARGUMENTS) \
    { \
        LANES_UNUSED; \
        LANES_OUT(REG_##D, d, dp); \
        LANES_IN(REG_##A, a, ap); \
        LANES_IN(REG_##B, b, bp); \
        LANES_IN(REG_##C, c, cp); \
        LANES_IN(REG_##E, e, ep); \
        LANES_STORE(D, name##_lane(get_##A(a[i]), get_##B(b[i]), get_##C(c[i]), get_##E(e[i]))); \
    }

/* Composes a lane function from two others: large code is compiled once, and rare forms reuse it. The first function
 * computes all lanes into a separate buffer, so that d may also be a source. */
static const ws_mask all_lanes __attribute__((unused)) = { .lane = { [0 ... WS_WARP - 1] = -1 }, .bits = ~0u };
#define LANES_BETWEEN(name) lane_u64 name[WS_WARP] __attribute__((aligned(64)))
#define LANES_CHAIN(name, first, second) \
    LANES_FUNCTION name(LANES_ARGUMENTS) \
    { \
        LANES_UNUSED; \
        LANES_BETWEEN(middle); \
        first(middle, ap, NULL, NULL, NULL, &all_lanes); \
        second(dp, middle, NULL, NULL, NULL, m); \
    }

/* Bit of each lane in a 32-bit lane mask. */
static const uint32_t lane_bit[WS_WARP] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

/* Writes the active lanes of `bits` into the predicate (or condition-code word) *word. */
LANES_INLINE void put_bits(void *word, uint32_t bits, const ws_mask *m)
{
    uint32_t *const w = word;
    *w = (*w & ~m->bits) | (bits & m->bits);
}

/* Rows of the file's table (lanes_table.def). */
#define KEY_RN ((uint64_t)WS_RND_RN << WS_KEY_ROUND)
#define KEY_ROUND(r) ((uint64_t)WS_RND_##r << WS_KEY_ROUND)
#define KEY_HALF(h) ((uint64_t)WS_HALF_##h << WS_KEY_HALF)
#define KEY_CMP(c) ((uint64_t)WS_CMP_##c << WS_KEY_CMP)
#define KEY_SUB(s) ((uint64_t)WS_SUB_##s << WS_KEY_SUB)
#define ROW(op, type, mods, fn) { WS_KEY(WS_OP_##op, WS_T_##type, 0, 0) | (mods), fn },
#define ROW2(op, type0, type1, mods, fn) { WS_KEY(WS_OP_##op, WS_T_##type0, WS_T_##type1, 0) | (mods), fn },
#define ROW3(op, type0, type1, type2, mods, fn) \
    { WS_KEY(WS_OP_##op, WS_T_##type0, WS_T_##type1, WS_T_##type2) | (mods), fn },

#endif
