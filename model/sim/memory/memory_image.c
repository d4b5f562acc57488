/* memory_image.c - words of memory, and lines that the host wrote. */
#include "model/sim/memory/memory_image.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ words */

void ws_memory_image_fini(ws_memory_image *image)
{
    ws_table_fini(&image->blocks);
}

int ws_memory_image_write(ws_memory_image *image, const ws_coherence_message *m)
{
    if (!image->words)
        return WS_OK;
    uint32_t *const words = ws_table_put(&image->blocks, m->block);
    if (!words)
        return WS_EMEM;
    for (uint32_t i = 0; i < image->words; i++)
        if (!m->mask || m->mask >> i & 1)
            words[i] = m->data[i];
    return WS_OK;
}

void ws_memory_image_read(const ws_memory_image *image, ws_coherence_message *m)
{
    if (!image->words)
        return;
    const uint32_t *const words = ws_table_find(&image->blocks, m->block);
    if (words)
        memcpy(m->data, words, image->words * sizeof *words);
    else
        memset(m->data, 0, image->words * sizeof *m->data);
}

/* ------------------------------------------------------------------------------------------------ copies of the host
 */

typedef struct ws_copied_turn {
    uint64_t line, number;
} turn;

typedef struct known {
    uint64_t words, number; /* of the turn that counts */
} known;

void ws_copied_lines_fini(ws_copied_lines *c)
{
    ws_table_fini(&c->known);
    free(c->turn);
    c->turn = NULL;
}

/* What is known of the turn's line; NULL where the turn counts no more. */
static known *known_of(const ws_copied_lines *c, const turn *t)
{
    known *const k = ws_table_find(&c->known, t->line);
    return k && k->words && k->number == t->number ? k : NULL;
}

static void drop_oldest(ws_copied_lines *c)
{
    known *k = NULL;
    while (c->first < c->turns && !k)
        k = known_of(c, &c->turn[c->first++]);
    if (k) {
        k->words = 0;
        c->lines--;
    }
}

/* Only turns that count, so that what they take is bounded by their number. */
static void close_gaps(ws_copied_lines *c)
{
    size_t kept = 0;
    for (size_t i = c->first; i < c->turns; i++)
        if (known_of(c, &c->turn[i]))
            c->turn[kept++] = c->turn[i];
    c->first = 0;
    c->turns = kept;
}

static void forget_all(ws_copied_lines *c)
{
    c->lines = c->read = c->first = c->turns = 0;
    ws_table_clear(&c->known);
}

static void make_room(ws_copied_lines *c)
{
    while (c->lines && c->lines + c->read > c->most)
        drop_oldest(c);
    if (!c->lines)
        forget_all(c);
}

int ws_copied_lines_add(ws_copied_lines *c, uint64_t line, uint32_t words)
{
    if (c->turns == c->room && c->turns / 2 >= c->lines)
        close_gaps(c);
    if (WS_GROW(c->turn, c->room, c->turns, 1))
        return WS_EMEM;
    known *const k = ws_table_put(&c->known, line);
    if (!k)
        return WS_EMEM;
    c->lines += !k->words;
    k->words |= words;
    k->number = ++c->last; /* what was written again is the newest */
    c->turn[c->turns++] = (turn){line, k->number};
    make_room(c);
    return WS_OK;
}

bool ws_copied_lines_take(ws_copied_lines *c, uint64_t line, uint32_t words, uint32_t all)
{
    if (!c->lines)
        return false;
    known *const k = ws_table_find(&c->known, line);
    const uint64_t wanted = words ? words : all;
    const bool counts = k && k->words, there = counts && (k->words & wanted) == wanted;
    if (counts)
        k->words &= ~wanted;
    c->lines -= counts && !k->words;
    c->read += !counts || !k->words;
    make_room(c);
    return there;
}

void ws_copied_lines_save(const ws_copied_lines *c, ws_bytes *bytes)
{
    ws_bytes_add_varint(bytes, c->read);
    ws_bytes_add_varint(bytes, c->lines);
    for (size_t i = c->first; i < c->turns; i++) {
        const known *const k = known_of(c, &c->turn[i]);
        if (k) {
            ws_bytes_add_varint(bytes, c->turn[i].line);
            ws_bytes_add_varint(bytes, k->words);
        }
    }
}

int ws_copied_lines_load(ws_copied_lines *c, ws_reader *reader)
{
    forget_all(c);
    const uint64_t read = ws_read_varint(reader);
    for (uint64_t left = ws_read_varint(reader); left && !reader->failed; left--) {
        const uint64_t line = ws_read_varint(reader);
        const int status = ws_copied_lines_add(c, line, (uint32_t)ws_read_varint(reader));
        if (status)
            return status;
    }
    c->read = read;
    return WS_OK;
}
