/* sass_spelling.c - by which SASS opcode does an instruction of ours go? */
#include "collect/accelsim/sass_spelling.h"

#include "collect/sass/sass.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { INTEGER, F32, F64, F16, TYPES };

/* Names of a row: one for all types, or one each in that order. */
static const struct row {
    const char *prefix, *names;
} rows[] = {
#define OP(name, class, unit, work, dst, operands, sass, modifiers) {#name, sass},
#include "collect/ptx/opcode.def"
#undef OP
#define SASS_OF(prefix, sass) {prefix, sass},
#include "collect/accelsim/sass_of_ptx.def"
#undef SASS_OF
};

static const char *const classes[WS_CLASSES][TYPES] = {
    [WS_CLASS_INTEGER] = {"IADD3", "IADD3", "IADD3", "IADD3"},
    [WS_CLASS_FLOAT] = {"FADD", "FADD", "DADD", "HADD2"},
    [WS_CLASS_SPECIAL] = {"MUFU.RCP", "MUFU.RCP", "MUFU.RCP64H", "MUFU.RCP"},
    [WS_CLASS_MEMORY] = {"NOP", "NOP", "NOP", "NOP"},
    [WS_CLASS_BRANCH] = {"BRA", "BRA", "BRA", "BRA"},
    [WS_CLASS_BARRIER] = {"DEPBAR", "DEPBAR", "DEPBAR", "DEPBAR"},
    [WS_CLASS_EXCHANGE] = {"VOTE.ANY", "VOTE.ANY", "VOTE.ANY", "VOTE.ANY"},
    [WS_CLASS_OTHER] = {"NOP", "NOP", "NOP", "NOP"},
};

static unsigned type_of(const char *word)
{
    static const struct {
        const char *word;
        unsigned type;
    } words[] = {{"f64", F64}, {"f32", F32},   {"f32x2", F32}, {"tf32", F32},
                 {"f16", F16}, {"f16x2", F16}, {"bf16", F16},  {"bf16x2", F16}};
    const size_t n = strcspn(word, ".");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == n && !strncmp(words[i].word, word, n))
            return words[i].type;
    return INTEGER;
}

/* The first type of floating point among the words from `at` on. */
static unsigned type_from(const char *at)
{
    unsigned type = INTEGER;
    for (const char *dot = strchr(at, '.'); dot && type == INTEGER; dot = strchr(dot + 1, '.'))
        type = type_of(dot + 1);
    return type;
}

static const struct row *find(const char *opcode)
{
    const struct row *best = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t n = strlen(rows[i].prefix);
        if (!strncmp(opcode, rows[i].prefix, n) && (!opcode[n] || opcode[n] == '.') &&
            (!best || n > strlen(best->prefix)))
            best = &rows[i];
    }
    return best;
}

/* The row's name for a type. False: it has none. */
static bool take_name(const struct row *row, unsigned type, char name[WS_SASS_SPELLING])
{
    const char *at = row->names;
    for (unsigned i = 0; i < type && strchr(row->names, ' '); i++)
        at += strcspn(at, " ") + (at[strcspn(at, " ")] != 0);
    const size_t length = strcspn(at, " ");
    if (!length || *at == '-')
        return false;
    snprintf(name, WS_SASS_SPELLING, "%.*s", (int)length, at);
    return true;
}

/* Conversions have the type of the result before that of the operand. */
static const char *conversion(const char *opcode)
{
    const char *last = strrchr(opcode, '.'), *before = last;
    while (before && before > opcode && *--before != '.')
        ;
    if (!last || before <= opcode)
        return "I2I";
    const bool from = type_of(last + 1) != INTEGER, to = type_of(before + 1) != INTEGER;
    const bool round = ws_sass_has(opcode, "rni") || ws_sass_has(opcode, "rzi") || ws_sass_has(opcode, "rmi") ||
                       ws_sass_has(opcode, "rpi");
    if (from && to)
        return round ? "FRND" : "F2F";
    return from ? "F2I" : to ? "I2F" : "I2I";
}

/* ---- accesses to memory */

static const char *width_of(const ws_instr *instr)
{
    switch (instr->bytes) {
    case 1:
        return ".U8";
    case 2:
        return ".U16";
    case 8:
        return ".64";
    case 16:
        return ".128";
    case 32:
        return ".256";
    default:
        return "";
    }
}

/* The word of an atomic that says what it does, in capitals: ".ADD". */
static void add_operation(char *name, const char *opcode)
{
    static const char *const words[] = {"cas", "exch", "add", "inc", "dec", "min", "max", "and", "or", "xor"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ws_sass_has(opcode, words[i])) {
            char *to = name + strlen(name);
            *to++ = '.';
            for (const char *p = words[i]; *p; p++)
                *to++ = (char)toupper((unsigned char)*p);
            *to = 0;
            return;
        }
}

static void spell_access(const ws_instr *in, char *name)
{
    static const char *const loads[WS_SPACES] = {"LD.E", "LD.E", "LDG.E", "LDS", "LDL", "LDC", "LDC", "TEX"},
                             *const stores[WS_SPACES] = {"ST.E", "ST.E", "STG.E", "STS",
                                                         "STL",  "ST.E", "ST.E",  "SUST.P"},
                             *const atomics[WS_SPACES] = {"ATOM.E", "ATOM.E", "ATOMG.E", "ATOMS",
                                                          "ATOM.E", "ATOM.E", "ATOM.E",  "SUATOM.P"},
                             *const reductions[WS_SPACES] = {"ATOM.E", "ATOM.E", "RED.E",  "ATOMS",
                                                             "ATOM.E", "ATOM.E", "ATOM.E", "SURED.P"};
    static const char *const *const by_access[] = {
        [WS_ACCESS_NONE] = loads,     [WS_ACCESS_LOAD] = loads,        [WS_ACCESS_STORE] = stores,
        [WS_ACCESS_ATOMIC] = atomics, [WS_ACCESS_REDUCE] = reductions,
    };
    const char *base = by_access[in->access][in->space];
    if (!strncmp(in->opcode, "cp.async", 8))
        base = "LDGSTS.E";
    else if (!strncmp(in->opcode, "suld", 4))
        base = "SULD.P";
    else if (!strncmp(in->opcode, "tld4", 4))
        base = "TLD4";
    if (!strncmp(in->opcode, "ldmatrix", 8)) {
        snprintf(name, WS_SASS_SPELLING, "LDSM.16.M88%s", in->bytes == 16 ? ".4" : in->bytes == 8 ? ".2" : "");
        return;
    }
    snprintf(name, WS_SASS_SPELLING, "%s", base);
    if (in->access == WS_ACCESS_ATOMIC || in->access == WS_ACCESS_REDUCE)
        add_operation(name, in->opcode);
    strcat(name, width_of(in));
}

void ws_sass_spell(ws_isa isa, const ws_instr *in, char name[WS_SASS_SPELLING])
{
    if (ws_isa_is_sass((uint8_t)isa)) {
        snprintf(name, WS_SASS_SPELLING, "%s", in->opcode);
        return;
    }
    if (in->cls == WS_CLASS_MEMORY && in->access) {
        if (ws_sass_is_move(in))
            snprintf(name, WS_SASS_SPELLING, "MOV");
        else
            spell_access(in, name);
        return;
    }
    if (!strncmp(in->opcode, "cvt.", 4) && (in->cls == WS_CLASS_FLOAT || in->cls == WS_CLASS_INTEGER)) {
        snprintf(name, WS_SASS_SPELLING, "%s", in->cls == WS_CLASS_FLOAT ? conversion(in->opcode) : "I2I");
        return;
    }
    const bool rounds = in->cls == WS_CLASS_FLOAT || in->cls == WS_CLASS_SPECIAL;
    const struct row *const found = find(in->opcode);
    const unsigned type = in->cls == WS_CLASS_INTEGER ? (unsigned)INTEGER : type_from(in->opcode);
    if (!found || (!take_name(found, type, name) && (rounds || !take_name(found, INTEGER, name))))
        snprintf(name, WS_SASS_SPELLING, "%s", classes[in->cls][type]);
}
