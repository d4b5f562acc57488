/* instr_matrix.c - see instr_matrix.h. */
#include "collect/trace/instr_matrix.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL = 16 * 8 * 8 };

static bool has(const char *opcode, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = opcode; (at = strchr(at, '.'));)
        if (!strncasecmp(++at, word, length) && (at[length] == '.' || !at[length]))
            return true;
    return false;
}

static unsigned count(const char *opcode, const char *word)
{
    unsigned n = 0;
    for (const char *at = opcode; (at = strstr(at, word)); at++)
        n++;
    return n;
}

static bool is_ptx(const char *opcode)
{
    return *opcode >= 'a' && *opcode <= 'z';
}

/* The first letter of SASS says whose factors they are; PTX names the types. */
static ws_matrix_kind kind_of(const char *opcode)
{
    if (has(opcode, "f64") || *opcode == 'D')
        return WS_MATRIX_twice;
    if (has(opcode, "b1") || *opcode == 'B')
        return WS_MATRIX_bit;
    if (has(opcode, "tf32"))
        return WS_MATRIX_tf32;
    if (has(opcode, "s4") || has(opcode, "u4"))
        return WS_MATRIX_nibble;
    if (has(opcode, "s8") || has(opcode, "u8") || has(opcode, "e4m3") || has(opcode, "e5m2") || *opcode == 'I' ||
        *opcode == 'Q')
        return WS_MATRIX_byte;
    return count(opcode, is_ptx(opcode) ? ".f32" : ".F32") ? WS_MATRIX_mixed : WS_MATRIX_half;
}

/* .m16n8k16; 0: there is none. */
static uint32_t shape_of_ptx(const char *opcode)
{
    for (const char *at = opcode; (at = strstr(at, ".m"));) {
        unsigned m, n, k;
        if (sscanf(++at, "m%un%uk%u", &m, &n, &k) == 3 && m <= 1024 && n <= 1024 && k <= 1024)
            return m * n * k;
    }
    return 0;
}

/* Digits of m, n and k in a row, which go together in one way; Hopper writes 64x256x16. */
static uint32_t shape_of_sass(const char *opcode)
{
    static const struct {
        const char *digits;
        uint32_t multiplies;
    } shapes[] = {
        {"884", 8 * 8 * 4},     {"1684", 16 * 8 * 4},     {"1688", 16 * 8 * 8},     {"16816", 16 * 8 * 16},
        {"16832", 16 * 8 * 32}, {"16864", 16 * 8 * 64},   {"8816", 8 * 8 * 16},     {"8832", 8 * 8 * 32},
        {"88128", 8 * 8 * 128}, {"168128", 16 * 8 * 128}, {"168256", 16 * 8 * 256},
    };
    unsigned m, n, k;
    for (const char *at = opcode; (at = strchr(at, '.'));)
        if (sscanf(++at, "%ux%ux%u", &m, &n, &k) == 3 && m <= 1024 && n <= 1024 && k <= 1024)
            return m * n * k;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (has(opcode, shapes[i].digits))
            return shapes[i].multiplies;
    return 0;
}

/* Volta: the four groups of eight lanes have a product of 8 x 8 x 4 each, in two steps or, with floats as sums, four.
 */
static uint32_t volta_step(ws_matrix_kind kind)
{
    return 4 * 8 * 8 * 4 / (kind == WS_MATRIX_mixed ? 4 : 2);
}

ws_matrix ws_instr_matrix(const ws_instr *instr)
{
    const char *const opcode = instr->opcode ? instr->opcode : "";
    ws_matrix out = {.kind = kind_of(opcode)};
    if (is_ptx(opcode)) {
        out.multiplies = shape_of_ptx(opcode);
        if (strstr(opcode, ".m8n8k4") && out.kind != WS_MATRIX_twice)
            out.multiplies *= 4; /* one for each group of eight lanes */
    } else {
        out.multiplies = strstr(opcode, ".STEP") ? volta_step(out.kind) : shape_of_sass(opcode);
    }
    if (!out.multiplies)
        out.multiplies = USUAL;
    if (strstr(opcode, ".sp.") || strstr(opcode, ".sp::") || strstr(opcode, ".SP"))
        out.multiplies /= 2;
    return out;
}
