/* sass.c - what does the spelling of a SASS instruction tell? */
#include "collect/sass/sass.h"

#include <string.h>

static const ws_sass table[] = {
#define SASS(name, machines, cls, space, access, flow, unit, work) \
    {#name,          machines,       WS_CLASS_##cls, WS_SPACE_##space, WS_ACCESS_##access, \
     WS_SASS_##flow, WS_UNIT_##unit, WS_WORK_##work},
#include "collect/sass/sass_opcode.def"
#undef SASS
};

const ws_sass *ws_sass_find(const char *opcode)
{
    const size_t length = strcspn(opcode, ".");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strncmp(table[i].name, opcode, length) && !table[i].name[length])
            return &table[i];
    return NULL;
}

bool ws_sass_has(const char *opcode, const char *word)
{
    const size_t length = strlen(word);
    for (const char *dot = strchr(opcode, '.'); dot; dot = strchr(dot + 1, '.'))
        if (!strncmp(dot + 1, word, length) && (!dot[1 + length] || dot[1 + length] == '.'))
            return true;
    return false;
}

/* The number of matrices stands last. */
static unsigned matrix_bytes(const char *opcode)
{
    return ws_sass_has(opcode, "4") ? 16 : ws_sass_has(opcode, "2") ? 8 : 4;
}

unsigned ws_sass_bytes(const char *opcode)
{
    static const struct {
        const char *word;
        unsigned bytes;
    } words[] = {
        {"U8", 1}, {"S8", 1},  {"8", 1},   {"U16", 2}, {"S16", 2},  {"F16", 2},   {"BF16", 2}, {"16", 2},
        {"64", 8}, {"U64", 8}, {"S64", 8}, {"F64", 8}, {"128", 16}, {"U128", 16}, {"256", 32},
    };
    if (!strncmp(opcode, "LDSM", 4) || !strncmp(opcode, "STSM", 4))
        return matrix_bytes(opcode);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ws_sass_has(opcode, words[i].word))
            return words[i].bytes;
    return 4;
}

/* ---- facts */

/* Atomics name what they add or compare. */
static uint8_t number_in_memory(const char *opcode)
{
    return ws_sass_has(opcode, "F64")   ? WS_NUMBER_DOUBLE
           : ws_sass_has(opcode, "F32") ? WS_NUMBER_SINGLE
           : ws_sass_has(opcode, "F16") || ws_sass_has(opcode, "F16x2") || ws_sass_has(opcode, "BF16") ||
                   ws_sass_has(opcode, "BF16x2")
               ? WS_NUMBER_HALF
               : WS_NUMBER_INTEGER;
}

/* By the first letter, conversions behind a dot. */
static uint8_t number_of(const char *opcode, unsigned cls)
{
    if (cls == WS_CLASS_MEMORY)
        return number_in_memory(opcode);
    if (cls != WS_CLASS_FLOAT && cls != WS_CLASS_SPECIAL)
        return WS_NUMBER_INTEGER;
    return *opcode == 'D' || strstr(opcode, ".F64")   ? WS_NUMBER_DOUBLE
           : *opcode == 'H' || strstr(opcode, ".F16") ? WS_NUMBER_HALF
                                                      : WS_NUMBER_SINGLE;
}

static uint8_t scope_of(const char *opcode)
{
    return ws_sass_has(opcode, "SYS")   ? WS_SCOPE_SYS
           : ws_sass_has(opcode, "GPU") ? WS_SCOPE_GPU
                                        : WS_SCOPE_CTA; /* SM, CTA */
}

static uint8_t atomic_of(const char *opcode, unsigned access)
{
    static const struct {
        const char *word;
        uint8_t atomic;
    } words[] = {
        {"ADD", WS_ATOMIC_ADD}, {"INC", WS_ATOMIC_INC}, {"DEC", WS_ATOMIC_DEC}, {"EXCH", WS_ATOMIC_EXCH},
        {"CAS", WS_ATOMIC_CAS}, {"MIN", WS_ATOMIC_MIN}, {"MAX", WS_ATOMIC_MAX}, {"AND", WS_ATOMIC_AND},
        {"OR", WS_ATOMIC_OR},   {"XOR", WS_ATOMIC_XOR},
    };
    if (access != WS_ACCESS_ATOMIC && access != WS_ACCESS_REDUCE)
        return WS_ATOMIC_NONE;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ws_sass_has(opcode, words[i].word))
            return words[i].atomic;
    return WS_ATOMIC_NONE;
}

static bool is_signed(const char *opcode)
{
    return ws_sass_has(opcode, "S8") || ws_sass_has(opcode, "S16") || ws_sass_has(opcode, "S32") ||
           ws_sass_has(opcode, "S64");
}

/* What has no row goes by its class. */
static const ws_sass *row_or_class(const char *opcode, unsigned cls)
{
    static const ws_sass classes[WS_CLASSES] = {
        [WS_CLASS_INTEGER] = {.unit = WS_UNIT_INT, .work = WS_WORK_ADD},
        [WS_CLASS_FLOAT] = {.unit = WS_UNIT_SP, .work = WS_WORK_ADD},
        [WS_CLASS_SPECIAL] = {.unit = WS_UNIT_SFU, .work = WS_WORK_SPECIAL},
        [WS_CLASS_MEMORY] = {.unit = WS_UNIT_MEMORY, .work = WS_WORK_NOTHING},
        [WS_CLASS_BRANCH] = {.unit = WS_UNIT_INT, .work = WS_WORK_ADD},
        [WS_CLASS_BARRIER] = {.unit = WS_UNIT_NONE, .work = WS_WORK_NOTHING},
        [WS_CLASS_EXCHANGE] = {.unit = WS_UNIT_INT, .work = WS_WORK_EXCHANGE},
        [WS_CLASS_OTHER] = {.unit = WS_UNIT_NONE, .work = WS_WORK_NOTHING},
    };
    const ws_sass *const row = ws_sass_find(opcode);
    return row ? row : &classes[cls];
}

void ws_sass_facts(const char *opcode, ws_instr *out)
{
    const ws_sass *const row = row_or_class(opcode, out->cls);
    const bool is_fence = !strncmp(opcode, "MEMBAR", 6) || !strncmp(opcode, "FENCE", 5);
    const bool strong = ws_sass_has(opcode, "STRONG");
    out->order =
        strong ? WS_ORDER_RELAXED : WS_ORDER_NONE; /* volatile is STRONG.SYS, acquire and relaxed name their scope */
    out->scope = strong || is_fence ? scope_of(opcode) : WS_SCOPE_NONE;
    out->atomic = atomic_of(opcode, out->access);
    out->number = number_of(opcode, out->cls);
    out->is_signed = is_signed(opcode);
    out->fence = is_fence;
    out->arrival = out->cls == WS_CLASS_BARRIER && strstr(opcode, ".ARV");
    out->surface = out->space == WS_SPACE_TEXTURE && !strncmp(opcode, "SU", 2);
    out->copy = !strncmp(opcode, "LDGSTS", 6) || !strncmp(opcode, "UBLKCP", 6);
    out->unit = row->unit;
    out->work = row->work;
}
