/* shared_recency.c - lines in the order in which they were written, and words since they were: see shared_recency.h. */
#include "model/shared_recency.h"

#include "base/lru.h"

#include <stdlib.h>
#include <string.h>

enum {
    SIZES = WS_RECENCY_SIZES,
    NEVER = WS_RECENCY_BINS - 1,
    LINE_WORDS = WS_RECENCY_LINE / WS_RECENCY_WORD,
    MOST_LINES = UINT16_MAX,
    AGES = 33, /* octaves of times */
};
_Static_assert(NEVER <= UINT8_MAX, "bins fit");

typedef struct word {
    uint32_t written, read; /* times; read 0: not since */
    uint32_t writes, changes;
    uint32_t now; /* what it holds */
    uint8_t far;  /* largest bin of its line since it was written; NEVER: it was not */
    uint8_t seen; /* the same of the reads since then, and one more; 0: there was none */
} word;

struct ws_shared_recency {
    uint32_t words, lines;
    uint32_t access;
    word *word;
    uint32_t (*below)[SIZES]; /* what is in the memory below a cache of each size; NULL: contents do not matter */
    ws_lru written;           /* lines */
    uint32_t *stamp;          /* of a line: the access that touched it last */
    ws_recency_counts counts;
    ws_recency_modified modified;
    uint64_t ages[AGES];
};

int ws_shared_recency_create(uint32_t shared_bytes, bool contents, ws_shared_recency **out)
{
    ws_shared_recency *const r = *out = calloc(1, sizeof *r);
    const uint32_t words = (shared_bytes + WS_RECENCY_WORD - 1) / WS_RECENCY_WORD,
                   lines = (words + LINE_WORDS - 1) / LINE_WORDS;
    if (!r || lines >= MOST_LINES) {
        free(r);
        *out = NULL;
        return r ? ws_fail(WS_EUNSUPPORTED, "%u bytes of shared memory exceed the limit of profiles", shared_bytes)
                 : ws_fail(WS_EMEM, "no memory for words of shared memory");
    }
    r->words = lines * LINE_WORDS;
    r->lines = lines;
    r->word = calloc((size_t)r->words + 1, sizeof *r->word);
    ws_lru_init(&r->written, lines + 1);
    const int status = ws_lru_reserve(&r->written, lines + 1, 0); /* so that uses cannot fail */
    r->stamp = calloc((size_t)lines + 1, sizeof *r->stamp);
    r->below = contents ? calloc((size_t)r->words + 1, sizeof *r->below) : NULL;
    for (uint32_t i = 0; r->word && i < r->words; i++)
        r->word[i].far = NEVER;
    if (!status && r->word && r->stamp && (r->below || !contents))
        return WS_OK;
    ws_shared_recency_destroy(r);
    *out = NULL;
    return ws_fail(WS_EMEM, "no memory for words of shared memory");
}

void ws_shared_recency_destroy(ws_shared_recency *recency)
{
    if (!recency)
        return;
    free(recency->word);
    ws_lru_fini(&recency->written);
    free(recency->stamp);
    free(recency->below);
    free(recency);
}

static unsigned bin_of(uint64_t distance)
{
    const unsigned bin = distance ? 64 - (unsigned)__builtin_clzll(distance) : 0;
    return bin < NEVER ? bin : NEVER;
}

static unsigned line_bin(const ws_shared_recency *r, uint32_t line)
{
    return bin_of(ws_lru_distance(&r->written, ws_lru_find(&r->written, line)));
}

static unsigned farther(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* An instruction writes into the line, once for all its words. */
static void touch(ws_shared_recency *r, uint32_t line)
{
    if (r->stamp[line] == r->access)
        return;
    r->stamp[line] = r->access;
    uint64_t distance;
    ws_lru_use(&r->written, line, &distance);
    const unsigned bin = bin_of(distance);
    r->counts.line_writes[bin]++;
    word *const w = r->word + (size_t)line * LINE_WORDS;
    for (unsigned i = 0; i < LINE_WORDS; i++)
        w[i].far = (uint8_t)farther(w[i].far, bin);
}

/* Caches that do not hold the word any more, all up to that size, have written it back. */
static void write_back(ws_shared_recency *r, uint32_t at, unsigned sizes)
{
    for (unsigned i = 0; i < sizes && i < SIZES; i++) {
        ws_changed_bits_word(r->modified[i], r->below[at][i] ^ r->word[at].now);
        r->below[at][i] = r->word[at].now;
    }
}

static void end_age(ws_shared_recency *r, const word *w)
{
    if (w->read) {
        const uint32_t age = w->read - w->written;
        r->ages[age ? 32 - (unsigned)__builtin_clz(age) : 0]++;
    }
}

/* What was written is gone: was it read? */
static void end_need(ws_shared_recency *r, const word *w)
{
    if (w->seen)
        r->counts.word_needed[w->seen - 1]++;
}

static void write_word(ws_shared_recency *r, uint32_t at, uint32_t now)
{
    word *const w = &r->word[at];
    touch(r, at / LINE_WORDS);
    if (w->writes && r->below)
        write_back(r, at, w->far);
    if (w->writes) {
        end_age(r, w);
        end_need(r, w);
    }
    r->counts.word_writes[w->far]++;
    w->far = w->seen = 0;
    w->writes++;
    w->written = now;
    w->read = 0;
}

/* The words of a lane's access: first and one behind the last, none beyond the memory. */
static uint32_t words_of(const ws_shared_recency *r, uint64_t address, unsigned bytes, uint32_t *first)
{
    if (address + bytes > (uint64_t)r->words * WS_RECENCY_WORD || !bytes)
        return *first = 0;
    *first = (uint32_t)(address / WS_RECENCY_WORD);
    return (uint32_t)((address + bytes - 1) / WS_RECENCY_WORD) + 1;
}

void ws_shared_recency_read(ws_shared_recency *r, const uint64_t *address, uint32_t exec, unsigned bytes, uint32_t now)
{
    uint32_t line = UINT32_MAX;
    unsigned bin = NEVER;
    WS_EACH_LANE (lane, exec) {
        uint32_t first;
        const uint32_t end = words_of(r, address[lane], bytes, &first);
        for (uint32_t at = first; at < end; at++) {
            if (at / LINE_WORDS != line) {
                line = at / LINE_WORDS;
                bin = line_bin(r, line);
            }
            word *const w = &r->word[at];
            const unsigned far = farther(w->far, bin);
            r->counts.word_reads[far]++;
            w->seen = (uint8_t)farther(w->seen, far + 1);
            w->read = now;
        }
    }
}

void ws_shared_recency_write(ws_shared_recency *r, const uint64_t *address, uint32_t exec, unsigned bytes, uint32_t now)
{
    r->access++;
    WS_EACH_LANE (lane, exec) {
        uint32_t first;
        const uint32_t end = words_of(r, address[lane], bytes, &first);
        for (uint32_t at = first; at < end; at++)
            write_word(r, at, now);
    }
}

/* Puts `bytes` of an element into the words that hold it. */
static uint32_t patched(uint32_t holds, uint64_t value, uint64_t address, unsigned bytes, uint32_t word_at)
{
    for (unsigned i = 0; i < bytes; i++) {
        const uint64_t byte = address + i;
        const unsigned shift = 8 * (unsigned)(byte % WS_RECENCY_WORD);
        if (byte / WS_RECENCY_WORD == word_at)
            holds = (holds & ~((uint32_t)0xff << shift)) | (uint32_t)(value >> 8 * i & 0xff) << shift;
    }
    return holds;
}

void ws_shared_recency_value(ws_shared_recency *r, const ws_value *v)
{
    r->access++;
    WS_EACH_LANE (lane, v->exec) {
        uint32_t first;
        const uint32_t end = words_of(r, v->address[lane], v->bytes, &first);
        for (uint32_t at = first; at < end; at++) {
            word *const w = &r->word[at];
            const uint32_t after = patched(w->now, v->after[lane], v->address[lane], v->bytes, at);
            write_word(r, at, 0);
            w->changes += after != w->now;
            w->now = after;
        }
    }
}

static void end_word(ws_shared_recency *r, uint32_t at, unsigned line, ws_recency_block *hottest)
{
    word *const w = &r->word[at];
    if (w->writes) {
        const unsigned bin = farther(w->far, line);
        r->counts.word_ends[bin]++;
        if (r->below)
            write_back(r, at, bin);
        end_age(r, w);
        end_need(r, w);
        hottest->wrote = w->writes > hottest->wrote ? w->writes : hottest->wrote;
        hottest->changed = w->changes > hottest->changed ? w->changes : hottest->changed;
    }
    *w = (word){.far = NEVER};
    if (r->below)
        memset(r->below[at], 0, sizeof r->below[at]);
}

static void add(uint64_t *into, const uint64_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        into[i] += from[i];
}

ws_recency_block ws_shared_recency_end(ws_shared_recency *r, ws_recency_counts *counts, ws_recency_modified *modified,
                                       uint64_t *ages, unsigned bins, uint32_t time_share)
{
    ws_recency_block hottest = {0};
    const unsigned shared = time_share > 1 ? 31 - (unsigned)__builtin_clz(time_share) : 0;
    for (uint32_t line = 0; line < r->lines; line++) {
        const unsigned bin = line_bin(r, line);
        for (uint32_t i = 0; i < LINE_WORDS; i++)
            end_word(r, line * LINE_WORDS + i, bin, &hottest);
    }
    add((uint64_t *)counts, (const uint64_t *)&r->counts, sizeof *counts / sizeof(uint64_t));
    if (modified)
        add((uint64_t *)modified, (const uint64_t *)r->modified, sizeof *modified / sizeof(uint64_t));
    for (unsigned i = 0; ages && i < AGES; i++) {
        const unsigned bin = i > shared ? i - shared : 0;
        ages[bin < bins ? bin : bins - 1] += r->ages[i];
    }
    memset(&r->counts, 0, sizeof r->counts);
    memset(r->modified, 0, sizeof r->modified);
    memset(r->ages, 0, sizeof r->ages);
    memset(r->stamp, 0, ((size_t)r->lines + 1) * sizeof *r->stamp);
    ws_lru_clear(&r->written);
    r->access = 0;
    return hottest;
}
