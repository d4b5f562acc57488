/* sass.c - what does the spelling of a SASS instruction tell? */
#include "collect/accelsim/sass.h"

#include <string.h>

static const ws_sass table[] = {
#define SASS(name, machines, cls, space, access, flow) \
    {#name, machines, WS_CLASS_##cls, WS_SPACE_##space, WS_ACCESS_##access, WS_SASS_##flow},
#include "collect/accelsim/sass_opcode.def"
#undef SASS
};

const ws_sass *ws_sass_table(size_t *n)
{
    *n = sizeof table / sizeof *table;
    return table;
}

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
        {"U8", 1},  {"S8", 1},  {"8", 1},   {"U16", 2}, {"S16", 2}, {"F16", 2}, {"BF16", 2}, {"16", 2},
        {"64", 8},  {"U64", 8}, {"S64", 8}, {"F64", 8}, {"128", 16}, {"U128", 16}, {"256", 32},
    };
    if (!strncmp(opcode, "LDSM", 4) || !strncmp(opcode, "STSM", 4))
        return matrix_bytes(opcode);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ws_sass_has(opcode, words[i].word))
            return words[i].bytes;
    return 4;
}
