/* update_walk.c - see update_walk.h. */
#include "model/update_walk.h"

#include "base/bits.h"
#include "base/lru.h"
#include "base/table.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

typedef struct kept {
    uint32_t words[WS_PROFILE_BUFFERS]; /* in the entry of a buffer of each size; 0: it has none */
    uint32_t code;
} kept;

typedef struct updates {
    ws_lru stack;
    ws_table line; /* -> kept */
} updates;

struct ws_update_walk {
    ws_traffic_rung *to;
    uint32_t sms;
    updates sm[];
};

int ws_update_walk_create(uint32_t sms, ws_traffic_rung *to, ws_update_walk **out)
{
    ws_update_walk *const w = *out = calloc(1, sizeof *w + sms * sizeof *w->sm);
    if (!w)
        return ws_fail(WS_EMEM, "no memory for a profile");
    w->to = to;
    w->sms = sms;
    for (uint32_t i = 0; i < sms; i++) {
        w->sm[i].line = WS_TABLE(kept);
        ws_lru_init(&w->sm[i].stack, WS_LRU_MOST);
    }
    return WS_OK;
}

void ws_update_walk_destroy(ws_update_walk *w)
{
    for (uint32_t i = 0; w && i < w->sms; i++) {
        ws_lru_fini(&w->sm[i].stack);
        ws_table_fini(&w->sm[i].line);
    }
    free(w);
}

static void leave(ws_update_walk *w, kept *k, unsigned size)
{
    w->to->update_words[size] += ws_popcount(k->words[size]);
    k->words[size] = 0;
}

int ws_update_walk_see(ws_update_walk *w, uint32_t sm, uint64_t line, uint32_t words, uint32_t code)
{
    updates *const u = &w->sm[sm];
    uint64_t distance;
    kept *const k = ws_table_put(&u->line, line);
    const int status = k ? ws_lru_use(&u->stack, line, &distance) : WS_EMEM;
    if (status)
        return status;
    w->to->update_requests++;
    w->to->update_asked += ws_popcount(words);
    for (unsigned i = 0; i < WS_PROFILE_BUFFERS; i++) {
        if (k->words[i] && distance < ws_profile_buffer[i] && k->code == code)
            w->to->update_hits[i]++;
        else
            leave(w, k, i);
        k->words[i] |= words;
    }
    k->code = code;
    return WS_OK;
}

void ws_update_walk_flush(ws_update_walk *w, uint32_t sm)
{
    updates *const u = &w->sm[sm];
    uint64_t line;
    for (size_t at = 0; ws_table_next(&u->line, &at, &line); at++)
        for (unsigned i = 0; i < WS_PROFILE_BUFFERS; i++)
            leave(w, ws_table_value(&u->line, at), i);
    ws_table_clear(&u->line);
    ws_lru_clear(&u->stack);
}
