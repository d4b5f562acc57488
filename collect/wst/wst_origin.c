/* wst_origin.c - lines of a kernel's instructions behind their operands: how are they written, what is believed of
 * them?
 *
 * Names of files and functions stand once, in a list; places name them by number, 0 for none. */
#include "collect/wst/wst_file_internal.h"

#include "base/table.h"

#include <string.h>
#include <xxhash.h>

/* ------------------------------------------------------------------------------------------------ writing */

typedef struct names {
    ws_table number; /* of uint32_t, by hash */
    ws_bytes text;
    uint32_t count;
    bool failed;
} names;

/* From 1; names with the same hash of 63 bits are the same. */
static uint32_t name(names *n, const char *text)
{
    if (!text)
        return 0;
    uint32_t *const number = ws_table_put(&n->number, XXH3_64bits(text, strlen(text)) >> 1);
    if (!number) {
        n->failed = true;
        return 0;
    }
    if (!*number) {
        ws_bytes_add_text(&n->text, text);
        *number = ++n->count;
    }
    return *number;
}

static void add_place(ws_bytes *to, names *n, const ws_place *p)
{
    const uint32_t field[] = {name(n, p->file), name(n, p->function), p->line, p->column, p->inlined_at};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        ws_bytes_add_varint(to, field[i]);
}

void ws_wst_origin_add(ws_bytes *to, const ws_origin *o, size_t instrs)
{
    names n = {.number = WS_TABLE(uint32_t)};
    ws_bytes places = {0};
    ws_bytes_add_varint(to, o ? o->places : 0);
    if (!o)
        return;
    for (size_t i = 1; i < o->places; i++)
        add_place(&places, &n, &o->place[i]);
    ws_bytes_add_varint(to, n.count);
    ws_bytes_add(to, n.text.data, n.text.length);
    ws_bytes_add(to, places.data, places.length);
    for (size_t pc = 0; pc < instrs; pc++)
        ws_bytes_add_varint(to, o->of[pc]);
    ws_bytes_add_varint(to, o->text != NULL);
    for (size_t pc = 0; o->text && pc < instrs; pc++)
        ws_bytes_add_text(to, o->text[pc] ? o->text[pc] : "");
    to->failed |= n.failed || n.text.failed || places.failed;
    ws_table_fini(&n.number);
    ws_bytes_fini(&n.text);
    ws_bytes_fini(&places);
}

/* ------------------------------------------------------------------------------------------------ reading */

static uint64_t room(const ws_reader *r)
{
    return (uint64_t)(r->end - r->next);
}

/* n texts; NULL when they are damaged. */
static const char **read_texts(ws_reader *r, ws_arena *arena, size_t n)
{
    const char **const text = ws_arena_alloc(arena, (n + 1) * sizeof *text);
    for (size_t i = 0; text && i < n; i++) {
        size_t length;
        const char *const at = ws_read_text(r, &length);
        text[i] = at ? ws_arena_strndup(arena, at, length) : NULL;
        if (!text[i])
            return NULL;
    }
    return text;
}

static bool read_places(ws_reader *r, ws_arena *arena, ws_origin *o)
{
    const size_t texts = ws_read_up_to(r, room(r));
    const char **const text = read_texts(r, arena, texts);
    ws_place *const place = ws_arena_alloc(arena, o->places * sizeof *place);
    if (!text || !place)
        return false;
    place[0] = (ws_place){0};
    for (size_t i = 1; i < o->places && !r->failed; i++) {
        const uint64_t file = ws_read_up_to(r, texts), function = ws_read_up_to(r, texts);
        place[i] = (ws_place){.file = file ? text[file - 1] : NULL, .function = function ? text[function - 1] : NULL};
        place[i].line = (uint32_t)ws_read_up_to(r, UINT32_MAX);
        place[i].column = (uint32_t)ws_read_up_to(r, UINT32_MAX);
        place[i].inlined_at = (uint32_t)ws_read_up_to(r, i - 1);
    }
    o->place = place;
    return !r->failed;
}

bool ws_wst_origin_read(ws_reader *r, ws_arena *arena, size_t instrs, const ws_origin **out)
{
    ws_origin *const o = ws_arena_alloc(arena, sizeof *o);
    uint32_t *const of = ws_arena_alloc(arena, (instrs + 1) * sizeof *of);
    *out = NULL;
    if (!o || !of)
        return false;
    *o = (ws_origin){.places = ws_read_up_to(r, 1 + room(r)),
                     .instrs = instrs,
                     .of = of}; /* each but the first takes more than a byte */
    if (!o->places)
        return !r->failed;
    if (!read_places(r, arena, o))
        return false;
    for (size_t pc = 0; pc < instrs && !r->failed; pc++) {
        of[pc] = (uint32_t)ws_read_up_to(r, o->places - 1);
        if (of[pc] && !o->place[of[pc]].file)
            return false;
    }
    const bool has_text = !r->failed && ws_read_up_to(r, 1);
    o->text = has_text ? read_texts(r, arena, instrs) : NULL;
    if (r->failed || (has_text && !o->text))
        return false;
    *out = o;
    return true;
}
