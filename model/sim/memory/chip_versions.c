/* chip_versions.c - see chip_versions.h. */
#include "model/sim/memory/chip_versions.h"

#include "base/bits.h"
#include "model/coalesce_model.h"

#include <stdlib.h>

enum { MOST_WORDS = 32, WORD_BYTES = 4 };

/* A line: at its home, and in each L2. */
typedef struct held {
    uint32_t version[MOST_WORDS];
    uint32_t dirty; /* words */
} held;

typedef struct line_versions {
    uint32_t latest[MOST_WORDS];
    held home, chip[]; /* [chips] */
} line_versions;

struct ws_chip_versions {
    ws_table lines;
    uint32_t chips, line_bytes, all, launch; /* launch: from 1 on */
    uint64_t checked;
};

int ws_chip_versions_create(uint32_t chips, uint32_t line_bytes, ws_chip_versions **out)
{
    ws_chip_versions *const v = *out = calloc(1, sizeof *v);
    if (!v)
        return ws_fail(WS_EMEM, "no memory for versions of words");
    v->lines.value_bytes = sizeof(line_versions) + chips * sizeof(held);
    v->chips = chips;
    v->line_bytes = line_bytes;
    v->all = UINT32_MAX >> (MOST_WORDS - line_bytes / WORD_BYTES);
    return WS_OK;
}

void ws_chip_versions_destroy(ws_chip_versions *v)
{
    if (!v)
        return;
    ws_table_fini(&v->lines);
    free(v);
}

void ws_chip_versions_next(ws_chip_versions *v)
{
    v->launch++;
}

uint64_t ws_chip_versions_checked(const ws_chip_versions *v)
{
    return v->checked;
}

/* A line, and which of its words are meant: none of local memory, nor where there is no memory for the line. */
typedef struct found {
    line_versions *l;
    uint32_t words;
    int status;
} found;

static found find(ws_chip_versions *v, uint64_t line, uint32_t mask)
{
    if (line >= WS_LOCAL_BASE / v->line_bytes)
        return (found){.status = WS_OK};
    line_versions *const l = ws_table_put(&v->lines, line);
    return l ? (found){.l = l, .words = mask ? mask & v->all : v->all} : (found){.status = WS_EMEM};
}

int ws_chip_versions_store(ws_chip_versions *v, uint32_t chip, uint64_t line, uint32_t mask)
{
    const found f = find(v, line, mask);
    WS_EACH_LANE (w, f.words)
        f.l->latest[w] = f.l->chip[chip].version[w] = v->launch;
    if (f.words)
        f.l->chip[chip].dirty |= f.words;
    return f.status;
}

int ws_chip_versions_promise(ws_chip_versions *v, uint64_t line, uint32_t mask)
{
    const found f = find(v, line, mask);
    WS_EACH_LANE (w, f.words)
        f.l->latest[w] = v->launch;
    return f.status;
}

int ws_chip_versions_update(ws_chip_versions *v, uint64_t line, uint32_t mask)
{
    const found f = find(v, line, mask);
    WS_EACH_LANE (w, f.words)
        f.l->latest[w] = f.l->home.version[w] = v->launch;
    return f.status;
}

int ws_chip_versions_write_back(ws_chip_versions *v, uint32_t chip, uint64_t line, uint32_t mask)
{
    const found f = find(v, line, mask);
    WS_EACH_LANE (w, f.words)
        f.l->home.version[w] = f.l->chip[chip].version[w];
    if (f.words)
        f.l->chip[chip].dirty &= ~f.words;
    return f.status;
}

int ws_chip_versions_fetch(ws_chip_versions *v, uint32_t chip, uint64_t line, uint32_t mask)
{
    const found f = find(v, line, mask);
    WS_EACH_LANE (w, f.words ? f.words & ~f.l->chip[chip].dirty : 0)
        f.l->chip[chip].version[w] = f.l->home.version[w];
    return f.status;
}

int ws_chip_versions_load(ws_chip_versions *v, uint32_t chip, uint64_t line, uint32_t mask)
{
    const found f = find(v, line, mask);
    WS_EACH_LANE (w, f.words) {
        const uint32_t latest = f.l->latest[w], got = f.l->chip[chip].version[w];
        v->checked++;
        if (latest != v->launch && got != latest)
            return ws_fail(
                WS_EVERIFY,
                "launch %u loads address 0x%llx on chip %u as launch %u left it; launch %u has written it since",
                v->launch, (unsigned long long)(line * v->line_bytes + w * WORD_BYTES), chip, got, latest);
    }
    return f.status;
}
