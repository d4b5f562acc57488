/* region_directory.c - see region_directory.h. */
#include "model/chiplets/region_directory.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    uint64_t region; /* + 1; 0: free */
    uint64_t used;   /* when last */
    uint32_t sharers, padding;
} entry;

struct ws_directory {
    ws_directory_options options;
    uint32_t sets;
    uint64_t now;
    entry entry[]; /* [entries] set by set */
};

int ws_directory_create(const ws_directory_options *o, ws_directory **out)
{
    if (!o->ways || !o->entries || o->entries % o->ways)
        return ws_fail(WS_EINPUT, "a directory of %u entries in sets of %u; expected a multiple of the latter",
                       o->entries, o->ways);
    if (!o->lines || o->lines > WS_DIRECTORY_LINES_MOST)
        return ws_fail(WS_EINPUT, "directory entries of %u lines; expected 1 to %d", o->lines, WS_DIRECTORY_LINES_MOST);
    ws_directory *const d = *out = calloc(1, sizeof *d + o->entries * sizeof(entry));
    if (!d)
        return ws_fail(WS_EMEM, "no memory for a directory");
    d->options = *o;
    d->sets = o->entries / o->ways;
    return WS_OK;
}

void ws_directory_destroy(ws_directory *d)
{
    free(d);
}

static entry *find(ws_directory *d, uint64_t region)
{
    entry *const set = &d->entry[region % d->sets * d->options.ways];
    for (uint32_t way = 0; way < d->options.ways; way++)
        if (set[way].region == region + 1)
            return &set[way];
    return NULL;
}

/* A free entry, or the one that was not used for longest: its sharers lose the region. */
static entry *take(ws_directory *d, uint64_t region, ws_directory_result *r)
{
    entry *const set = &d->entry[region % d->sets * d->options.ways], *oldest = set;
    for (uint32_t way = 0; way < d->options.ways; way++)
        if (!set[way].region || (oldest->region && set[way].used < oldest->used))
            oldest = &set[way];
    if (oldest->region) {
        r->evicted = oldest->region - 1;
        r->evict = oldest->sharers;
    }
    *oldest = (entry){.region = region + 1};
    return oldest;
}

static void share(ws_directory *d, uint64_t region, uint32_t from, ws_directory_result *r)
{
    entry *e = find(d, region);
    if (!e)
        e = take(d, region, r);
    e->sharers |= 1u << from;
    e->used = ++d->now;
}

ws_directory_result ws_directory_load(ws_directory *d, uint64_t line, uint32_t from, uint32_t home)
{
    ws_directory_result r = {.written = line / d->options.lines};
    if (from != home)
        share(d, r.written, from, &r);
    return r;
}

/* The writer keeps its copy, all others lose theirs; where the home itself writes, the entry ends. */
ws_directory_result ws_directory_store(ws_directory *d, uint64_t line, uint32_t from, uint32_t home)
{
    ws_directory_result r = {.written = line / d->options.lines};
    entry *const e = find(d, r.written);
    if (e) {
        r.invalidate = e->sharers & ~(1u << from);
        e->sharers = 0;
        if (from == home)
            *e = (entry){0};
    }
    if (from != home)
        share(d, r.written, from, &r);
    return r;
}

void ws_directory_save(const ws_directory *d, ws_bytes *bytes)
{
    ws_bytes_add_varint(bytes, d->now);
    for (uint32_t i = 0; i < d->options.entries; i++) {
        ws_bytes_add_varint(bytes, d->entry[i].region);
        if (!d->entry[i].region)
            continue;
        ws_bytes_add_varint(bytes, d->entry[i].used);
        ws_bytes_add_varint(bytes, d->entry[i].sharers);
    }
}

int ws_directory_restore(ws_directory *d, ws_reader *reader)
{
    d->now = ws_read_varint(reader);
    for (uint32_t i = 0; i < d->options.entries && !reader->failed; i++) {
        entry *const e = &d->entry[i];
        *e = (entry){.region = ws_read_varint(reader)};
        if (!e->region)
            continue;
        e->used = ws_read_varint(reader);
        e->sharers = (uint32_t)ws_read_varint(reader);
        if ((e->region - 1) % d->sets != i / d->options.ways)
            return ws_fail(WS_EINPUT,
                           "the checkpoint is damaged: an entry of a directory in a set that is not its own");
    }
    return reader->failed ? ws_fail(WS_EINPUT, "the checkpoint is damaged: a directory breaks off") : WS_OK;
}
