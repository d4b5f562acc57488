/* origin.c - a place of the source text in words. */
#include "collect/trace/origin.h"

#include <stdio.h>
#include <string.h>

static const char *base_of(const char *path)
{
    const char *const slash = path ? strrchr(path, '/') : NULL;
    return slash && slash[1] ? slash + 1 : path ? path : "?";
}

bool ws_origin_words(const ws_origin *origin, uint32_t pc, char *out, size_t size)
{
    const ws_place *const here = ws_origin_place(origin, pc), *call = here;
    *out = '\0';
    if (!here)
        return false;
    while (call->inlined_at)
        call = &origin->place[call->inlined_at];
    if (call == here)
        snprintf(out, size, "%s:%u", base_of(here->file), here->line);
    else
        snprintf(out, size, "%s:%u in %s:%u", base_of(here->file), here->line, base_of(call->file), call->line);
    return true;
}
