/* origin.c - a place of the source text in words. */
#include "collect/trace/origin.h"

#include <stdio.h>
#include <string.h>

static const char *base_of(const char *path)
{
    const char *const slash = path ? strrchr(path, '/') : NULL;
    return slash && slash[1] ? slash + 1 : path ? path : "?";
}

bool ws_place_has_name(const ws_place *place)
{
    return place->file && strcmp(place->file, WS_PLACE_UNNAMED) != 0;
}

void ws_place_words(const ws_place *place, uint32_t at, char *out, size_t size)
{
    const ws_place *const here = &place[at], *call = here;
    while (call->inlined_at)
        call = &place[call->inlined_at];
    if (!strcmp(here->file ? here->file : "", WS_PLACE_UNNAMED))
        snprintf(out, size, "line %u", here->line);
    else if (call == here)
        snprintf(out, size, "%s:%u", base_of(here->file), here->line);
    else
        snprintf(out, size, "%s:%u in %s:%u", base_of(here->file), here->line, base_of(call->file), call->line);
}

bool ws_origin_words(const ws_origin *origin, uint32_t pc, char *out, size_t size)
{
    *out = '\0';
    if (!ws_origin_place(origin, pc))
        return false;
    ws_place_words(origin->place, origin->of[pc], out, size);
    return true;
}
