/* matrix_form.c - what does `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32` say?
 *
 * Shape and types of matrices are words that no other instruction has, and their order has a meaning; so they are read
 * here, from the opcode's text. */
#include "collect/simt/matrix_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t bits;
} types[MATRIX_TYPES] = {
    [MATRIX_NONE] = {"", 0},    [MATRIX_F16] = {"f16", 16}, [MATRIX_BF16] = {"bf16", 16}, [MATRIX_TF32] = {"tf32", 32},
    [MATRIX_F32] = {"f32", 32}, [MATRIX_F64] = {"f64", 64}, [MATRIX_E4M3] = {"e4m3", 8},  [MATRIX_E5M2] = {"e5m2", 8},
    [MATRIX_S32] = {"s32", 32}, [MATRIX_S8] = {"s8", 8},    [MATRIX_U8] = {"u8", 8},      [MATRIX_S4] = {"s4", 4},
    [MATRIX_U4] = {"u4", 4},    [MATRIX_B1] = {"b1", 32},
};

unsigned matrix_bits(matrix_type type)
{
    return types[type].bits;
}

/* Sets of types, as matrix_shapes.def names them. */
enum {
#define SET(name) SET_##name = 1u << MATRIX_##name
    SET(F16),
    SET(BF16),
    SET(TF32),
    SET(F32),
    SET(F64),
    SET(S32),
    SET(B1),
#undef SET
    SET_EITHER = SET_F16 | SET_F32,
    SET_ANY8 = 1u << MATRIX_S8 | 1u << MATRIX_U8,
    SET_ANY4 = 1u << MATRIX_S4 | 1u << MATRIX_U4,
    SET_ANYF8 = 1u << MATRIX_E4M3 | 1u << MATRIX_E5M2
};

static const struct {
    uint8_t op;
    uint16_t m, n, k;
    uint32_t factors, sums;
} shapes[] = {
#define SHAPE(op, m, n, k, factors, sums) {MATRIX_##op, m, n, k, SET_##factors, SET_##sums},
#include "collect/simt/matrix_shapes.def"
#undef SHAPE
};

/* What the words of one instruction have said so far. */
typedef struct words {
    matrix_form *f;
    uint8_t type[ROLES];
    unsigned types, orders;
    bool popc, operation;
    bool rounds; /* .rn */
} words;

static bool is(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && !memcmp(word, text, length);
}

static bool read_shape(words *w, const char *word, size_t length)
{
    int used = 0;
    unsigned m, n, k;
    char text[24];
    if (length >= sizeof text)
        return false;
    memcpy(text, word, length);
    text[length] = '\0';
    if (sscanf(text, "m%2un%2uk%3u%n", &m, &n, &k, &used) != 3 || (size_t)used != length)
        return false;
    w->f->m = (uint16_t)m;
    w->f->n = (uint16_t)n;
    w->f->k = (uint16_t)k;
    return true;
}

static bool read_type(words *w, const char *word, size_t length)
{
    for (unsigned t = 1; t < MATRIX_TYPES; t++) {
        if (!is(word, length, types[t].name))
            continue;
        if (w->types < ROLES)
            w->type[w->types] = (uint8_t)t;
        w->types++;
        return true;
    }
    return false;
}

/* Words of which only their being there counts. The spaces, of loads and stores, are the parser's. */
static bool is_ignored(const words *w, const char *word, size_t length)
{
    static const char *const known[] = {"sync", "aligned", "global", "shared", "shared::cta", "shared::cluster"};
    for (size_t i = 0; i < (w->f->op >= MATRIX_LOAD ? sizeof known / sizeof *known : 2); i++)
        if (is(word, length, known[i]))
            return true;
    return false;
}

static bool read_word(words *w, const char *word, size_t length)
{
    matrix_form *const f = w->f;
    if (is(word, length, "row") || is(word, length, "col")) {
        if (w->orders < 2)
            f->column[w->orders] = *word == 'c';
        w->orders++;
    } else if (f->op == MATRIX_MMA && (is(word, length, "sp") || is(word, length, "sp::ordered_metadata"))) {
        f->op = MATRIX_SPARSE; /* orders of metadata differ in what programs may write, not in what it means */
    } else if (f->op == MATRIX_WMMA && (is(word, length, "load") || is(word, length, "store"))) {
        f->op = *word == 'l' ? MATRIX_LOAD : MATRIX_STORE;
    } else if (f->op >= MATRIX_LOAD && length == 1 && *word >= 'a' && *word <= 'd') {
        f->role = (uint8_t)(*word - 'a');
    } else if (f->op == MATRIX_WMMA && is(word, length, "mma")) {
        return true;
    } else if (is(word, length, "satfinite")) {
        f->satfinite = true;
    } else if (is(word, length, "xor") || is(word, length, "and")) {
        w->operation = true;
        f->conjunction = *word == 'a';
    } else if (is(word, length, "rn")) {
        w->rounds = true; /* of doubles, which have no other rounding */
    } else if (is(word, length, "popc")) {
        w->popc = true;
    } else {
        return read_shape(w, word, length) || read_type(w, word, length) || is_ignored(w, word, length);
    }
    return true;
}

/* The types in the order of roles: A B C D. mma names D A B C; wmma on f16 only D C. */
static bool place_types(words *w)
{
    matrix_form *const f = w->f;
    if (f->op >= MATRIX_LOAD) {
        f->type[f->role] = w->type[0];
        return w->types == 1;
    }
    const bool halves = f->op == MATRIX_WMMA && w->types == 2;
    f->type[ROLE_D] = w->type[0];
    f->type[ROLE_A] = halves ? MATRIX_F16 : w->type[1];
    f->type[ROLE_B] = halves ? MATRIX_F16 : w->type[2];
    f->type[ROLE_C] = halves ? w->type[1] : w->type[3];
    return halves || w->types == ROLES;
}

static bool in(uint32_t set, uint8_t type)
{
    return set >> type & 1;
}

static bool is_known_shape(const matrix_form *f)
{
    const uint8_t op = f->op >= MATRIX_LOAD ? MATRIX_WMMA : f->op;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (shapes[i].op != op || shapes[i].m != f->m || shapes[i].n != f->n || shapes[i].k != f->k)
            continue;
        if (f->op >= MATRIX_LOAD) {
            if (in(f->role < ROLE_C ? shapes[i].factors : shapes[i].sums, f->type[f->role]))
                return true;
        } else if (in(shapes[i].factors, f->type[ROLE_A]) && in(shapes[i].factors, f->type[ROLE_B]) &&
                   in(shapes[i].sums, f->type[ROLE_C]) && in(shapes[i].sums, f->type[ROLE_D])) {
            return true;
        }
    }
    return false;
}

/* A by rows and B by columns is the only order of most shapes. */
static bool has_orders(const words *w)
{
    const matrix_form *const f = w->f;
    if (f->op >= MATRIX_LOAD) /* parts of a byte are neighbours in memory */
        return w->orders == 1 && (f->k < 32 || f->role >= ROLE_C || f->column[0] == (f->role == ROLE_B));
    const bool free_order = f->quads || (f->op == MATRIX_WMMA && f->k < 32);
    return w->orders == 2 && (free_order || (!f->column[0] && f->column[1]));
}

bool matrix_form_read(const char *opcode, matrix_form *f, char *why, size_t size)
{
    *f = (matrix_form){.op = strncmp(opcode, "wmma", 4) ? MATRIX_MMA : MATRIX_WMMA};
    words w = {.f = f};
    for (const char *word = strchr(opcode, '.'); word;) {
        const size_t length = strcspn(++word, ".");
        if (!read_word(&w, word, length)) {
            snprintf(why, size, "matrices with .%.*s", (int)length, word);
            return false;
        }
        word = word[length] ? word + length : NULL;
    }
    if (!place_types(&w) || !is_known_shape(f)) {
        snprintf(why, size, "matrices of this shape and these types");
        return false;
    }
    if (w.rounds && (f->op >= MATRIX_LOAD || f->type[ROLE_D] != MATRIX_F64)) {
        snprintf(why, size, "matrices with .rn that are not of doubles");
        return false;
    }
    if (f->satfinite && (f->op >= MATRIX_LOAD || !matrix_is_whole((matrix_type)f->type[ROLE_D]))) {
        snprintf(why, size, "matrices with .satfinite that are not of integers");
        return false;
    }
    f->quads = f->op == MATRIX_MMA && f->k == 4 && f->type[ROLE_A] == MATRIX_F16;
    const bool bits = f->op < MATRIX_LOAD && f->type[ROLE_A] == MATRIX_B1;
    if (!has_orders(&w) || bits != w.popc || bits != w.operation || (f->satfinite && f->op < MATRIX_LOAD && bits)) {
        snprintf(why, size, "matrices of this order");
        return false;
    }
    return true;
}
