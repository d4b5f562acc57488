/* lab.c - see lab.h. */
#include "model/mechanism/atomics/lab.h"

#include "base/bits.h"
#include "base/grow.h"
#include "base/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 4, NOBODY = 0 };

/* ------------------------------------------------------------------------------------------------ values */

typedef struct operation {
    uint8_t op, number, bytes;
    bool is_signed;
} operation;

static operation operation_of(uint32_t code)
{
    return (operation){.op = (uint8_t)(code >> 24),
                       .number = (uint8_t)(code >> 16),
                       .is_signed = code >> 8 & 1,
                       .bytes = (uint8_t)code};
}

static bool is_wide(operation o)
{
    return o.bytes == 8 && o.number != WS_NUMBER_SINGLE;
}

static bool is_real(operation o)
{
    return o.number == WS_NUMBER_SINGLE || o.number == WS_NUMBER_DOUBLE;
}

static bool is_known(operation o)
{
    return o.number != WS_NUMBER_HALF && o.bytes >= WORD_BYTES;
}

static double real_of(operation o, uint64_t v)
{
    if (is_wide(o)) {
        double d;
        memcpy(&d, &v, sizeof d);
        return d;
    }
    const uint32_t low = (uint32_t)v;
    float f;
    memcpy(&f, &low, sizeof f);
    return (double)f;
}

static uint64_t of_real(operation o, double value)
{
    uint64_t v = 0;
    const float f = (float)value;
    if (is_wide(o))
        memcpy(&v, &value, sizeof value);
    else
        memcpy(&v, &f, sizeof f);
    return v;
}

static uint64_t apply_reals(operation o, uint64_t a, uint64_t b)
{
    const double x = real_of(o, a), y = real_of(o, b);
    if (o.op == WS_ATOMIC_ADD)
        return of_real(o, is_wide(o) ? x + y : (double)((float)x + (float)y));
    return (o.op == WS_ATOMIC_MIN) == (y < x) ? b : a;
}

static bool is_less(operation o, uint64_t a, uint64_t b)
{
    if (!o.is_signed)
        return a < b;
    return is_wide(o) ? (int64_t)a < (int64_t)b : (int32_t)a < (int32_t)b;
}

uint64_t ws_lab_apply(uint32_t code, uint64_t a, uint64_t b)
{
    const operation o = operation_of(code);
    const uint64_t mask = is_wide(o) ? UINT64_MAX : UINT32_MAX;
    a &= mask;
    b &= mask;
    switch (o.op) {
    case WS_ATOMIC_ADD:
        return is_real(o) ? apply_reals(o, a, b) : (a + b) & mask;
    case WS_ATOMIC_MIN:
        return is_real(o) ? apply_reals(o, a, b) : is_less(o, b, a) ? b : a;
    case WS_ATOMIC_MAX:
        return is_real(o) ? apply_reals(o, a, b) : is_less(o, a, b) ? b : a;
    case WS_ATOMIC_AND:
        return a & b;
    case WS_ATOMIC_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

/* SplitMix64: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014. */
static uint64_t random_bits(uint64_t seed, uint64_t a, uint64_t b)
{
    uint64_t x = seed + a * UINT64_C(0x9E3779B97F4A7C15) + b * UINT64_C(0xD1B54A32D192ED03);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* Whole numbers of all bits; reals between 0 and 1. */
static uint64_t random_value(operation o, uint64_t seed, uint64_t a, uint64_t b)
{
    const uint64_t bits = random_bits(seed, a, b);
    return is_real(o) ? of_real(o, ldexp((double)(bits >> 11), -53)) : is_wide(o) ? bits : bits & UINT32_MAX;
}

/* ------------------------------------------------------------------------------------------------ buffers */

typedef struct entry {
    uint64_t line, value[WS_UPDATE_WORDS];
    uint32_t words, code;
    uint32_t newer, older; /* 1 + place among the SM's entries; NOBODY */
} entry;

typedef struct buffer {
    entry *entry;
    size_t entries, room;
    ws_table place;                 /* line -> 1 + place */
    uint32_t newest, oldest, spare; /* spare: a chain of empty ones, by `older` */
} buffer;

/* An element of memory, updated one by one and by way of buffers. */
typedef struct element {
    uint64_t direct, buffered;
    uint32_t code; /* of its last update; 0: not there yet */
    bool mixed;    /* others are of another operation, which need not commute with this one */
} element;

typedef struct machine {
    const ws_update_log *log;
    const ws_lab_chips *chips; /* NULL: one, without a buffer */
    ws_lab_result *sum;
    buffer *sm, *part; /* part: [chips * slices] */
    uint32_t sms;
    ws_chip_message *sent; /* what came to chips */
    size_t messages, room;
    ws_table memory; /* line * 32 + word -> element */
    uint64_t entries, seed;
    bool values;
} machine;

static void unlink_entry(buffer *b, uint32_t at)
{
    entry *const e = &b->entry[at - 1];
    *(e->newer ? &b->entry[e->newer - 1].older : &b->newest) = e->older;
    *(e->older ? &b->entry[e->older - 1].newer : &b->oldest) = e->newer;
}

static void link_newest(buffer *b, uint32_t at)
{
    entry *const e = &b->entry[at - 1];
    e->newer = NOBODY;
    e->older = b->newest;
    *(b->newest ? &b->entry[b->newest - 1].newer : &b->oldest) = at;
    b->newest = at;
}

static element *element_at(machine *m, uint64_t line, unsigned word, uint32_t code)
{
    const uint64_t key = line * WS_UPDATE_WORDS + word;
    element *const e = ws_table_put(&m->memory, key);
    if (e && !e->code)
        e->direct = e->buffered = random_value(operation_of(code), m->seed, key, UINT64_MAX);
    if (e) {
        e->mixed |= e->code && e->code != code;
        e->code = code;
    }
    return e;
}

/* The partial update leaves, and memory has it. */
static int to_memory(machine *m, const entry *e)
{
    m->sum->messages++;
    m->sum->bytes += WORD_BYTES * ws_popcount(e->words);
    const bool wide = is_wide(operation_of(e->code));
    for (uint32_t rest = m->values && is_known(operation_of(e->code)) ? e->words : 0; rest; rest &= rest - 1) {
        const unsigned word = (unsigned)__builtin_ctz(rest);
        element *const to = element_at(m, e->line, word, e->code);
        if (!to)
            return WS_EMEM;
        to->buffered = ws_lab_apply(e->code, to->buffered, e->value[word]);
        rest &= wide ? ~(2u << word) : UINT32_MAX;
    }
    return WS_OK;
}

static int at_chip(machine *m, const buffer *sm, const entry *e);

/* To the chip of the SM, or from there, or from a machine of one, home. */
static int send(machine *m, const buffer *b, const entry *e)
{
    return m->chips && b >= m->sm && b < m->sm + m->sms ? at_chip(m, b, e) : to_memory(m, e);
}

static int drop(machine *m, buffer *b, uint32_t at)
{
    entry *const e = &b->entry[at - 1];
    const int status = send(m, b, e);
    *(uint32_t *)ws_table_find(&b->place, e->line) = NOBODY;
    unlink_entry(b, at);
    e->older = b->spare;
    b->spare = at;
    return status;
}

static int flush(machine *m, buffer *b)
{
    int status = WS_OK;
    while (b->oldest && !status)
        status = drop(m, b, b->oldest);
    return status;
}

/* An empty entry; that of the line used least recently when the buffer is full. */
static int take_entry(machine *m, buffer *b, uint64_t entries, uint32_t *at)
{
    int status = WS_OK;
    if (!b->spare && entries && b->entries == entries)
        status = drop(m, b, b->oldest);
    if (!b->spare && !status) {
        if (WS_GROW(b->entry, b->room, b->entries, 1))
            return WS_EMEM;
        b->entry[b->entries++].older = NOBODY;
        b->spare = (uint32_t)b->entries;
    }
    *at = b->spare;
    if (!status)
        b->spare = b->entry[*at - 1].older;
    return status;
}

/* Lanes of a word, one by one into memory and into the entry. */
static int add_word(machine *m, entry *e, size_t record, unsigned word, unsigned lanes, bool fresh)
{
    const uint32_t code = m->log->record[record].code;
    const operation o = operation_of(code);
    element *const to = element_at(m, e->line, word, code);
    if (!to)
        return WS_EMEM;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const uint64_t value = random_value(o, m->seed, record, (uint64_t)word << 8 | lane);
        to->direct = ws_lab_apply(code, to->direct, value);
        e->value[word] = fresh && !lane ? value : ws_lab_apply(code, e->value[word], value);
    }
    return WS_OK;
}

static int add(machine *m, entry *e, size_t record)
{
    const ws_update_record *const r = &m->log->record[record];
    const uint8_t *lanes = m->log->lanes + r->lanes;
    int status = WS_OK;
    if (m->values && is_known(operation_of(r->code)))
        WS_EACH_LANE (word, r->words)
            if (*lanes++ && !status)
                status = add_word(m, e, record, word, lanes[-1], !(e->words >> word & 1));
    e->words |= r->words;
    return status;
}

/* The line's entry: *fresh is false where it has updates of the same operation; else it is empty. */
static int entry_for(machine *m, buffer *b, uint64_t entries, uint64_t line, uint32_t code, entry **out, bool *fresh)
{
    uint32_t *const place = ws_table_put(&b->place, line);
    uint32_t at = place ? *place : NOBODY;
    if (!place)
        return WS_EMEM;
    *fresh = !at || b->entry[at - 1].code != code;
    int status = WS_OK;
    if (!*fresh) {
        unlink_entry(b, at);
        link_newest(b, at);
        *out = &b->entry[at - 1];
        return WS_OK;
    }
    if (at)
        status = drop(m, b, at);
    if (!status)
        status = take_entry(m, b, entries, &at);
    if (status)
        return status;
    b->entry[at - 1] = (entry){.line = line, .code = code};
    *(uint32_t *)ws_table_find(&b->place, line) = at;
    link_newest(b, at);
    *out = &b->entry[at - 1];
    return WS_OK;
}

static int update(machine *m, buffer *b, size_t record)
{
    const ws_update_record *const r = &m->log->record[record];
    entry alone = {.line = r->line, .code = r->code}, *e = &alone;
    bool fresh;
    m->sum->updates++;
    int status = m->entries == WS_LAB_NOTHING ? WS_OK : entry_for(m, b, m->entries, r->line, r->code, &e, &fresh);
    if (!status)
        status = add(m, e, record);
    return status || e != &alone ? status : send(m, b, e);
}

/* ------------------------------------------------------------------------------------------------ chips */

/* A partial update of an SM joins those of its chip. */
static int join(machine *m, entry *to, const entry *from)
{
    const bool wide = is_wide(operation_of(from->code));
    for (uint32_t rest = m->values && is_known(operation_of(from->code)) ? from->words : 0; rest; rest &= rest - 1) {
        const unsigned word = (unsigned)__builtin_ctz(rest);
        to->value[word] =
            to->words >> word & 1 ? ws_lab_apply(from->code, to->value[word], from->value[word]) : from->value[word];
        rest &= wide ? ~(2u << word) : UINT32_MAX;
    }
    to->words |= from->words;
    return WS_OK;
}

static int at_chip(machine *m, const buffer *sm, const entry *e)
{
    const ws_lab_chips *const c = m->chips;
    const uint32_t part = (uint32_t)(sm - m->sm) / (m->sms / c->chips) * c->slices + c->slice_of(c->context, e->line);
    if (c->reuse && WS_GROW(m->sent, m->room, m->messages, 1))
        return WS_EMEM;
    if (c->reuse)
        m->sent[m->messages++] = (ws_chip_message){.line = e->line, .code = e->code, .part = part};
    if (!c->entries)
        return to_memory(m, e);
    entry *to;
    bool fresh;
    const entry from = *e; /* room for entries may move */
    const int status = entry_for(m, &m->part[part], c->entries, e->line, e->code, &to, &fresh);
    return status ? status : join(m, to, &from);
}

/* ------------------------------------------------------------------------------------------------ memory at the end */

static void compare(machine *m)
{
    uint64_t key;
    for (size_t i = 0; ws_table_next(&m->memory, &i, &key); i++) {
        const element *const e = ws_table_value(&m->memory, i);
        const operation o = operation_of(e->code);
        m->sum->mixed += e->mixed;
        if (e->mixed)
            continue;
        if (!is_real(o)) {
            m->sum->elements++;
            m->sum->different += e->direct != e->buffered;
            continue;
        }
        const double direct = real_of(o, e->direct), off = fabs(real_of(o, e->buffered) - direct),
                     error = direct != 0 ? off / fabs(direct) : off;
        m->sum->reals++;
        m->sum->error += error;
        m->sum->worst = fmax(m->sum->worst, error);
    }
}

static buffer *make_buffers(uint32_t count)
{
    buffer *const b = calloc(count + 1, sizeof *b);
    for (uint32_t i = 0; b && i < count; i++)
        b[i].place = WS_TABLE(uint32_t);
    return b;
}

static void destroy_buffers(buffer *b, uint32_t count)
{
    for (uint32_t i = 0; b && i < count; i++) {
        free(b[i].entry);
        ws_table_fini(&b[i].place);
    }
    free(b);
}

static int run(machine *m, const ws_update_step *steps, uint32_t parts)
{
    int status = WS_OK;
    for (size_t i = 0; i < m->log->records && !status; i++) {
        const ws_update_record *const r = &m->log->record[steps[i].record];
        buffer *const b = &m->sm[steps[i].sm];
        if (r->kind == WS_UPDATE_POINT)
            status = flush(m, b);
        if (r->kind != WS_UPDATE_ADDS)
            continue;
        m->sum->unknown += !is_known(operation_of(r->code));
        status = update(m, b, steps[i].record);
    }
    for (uint32_t i = 0; i < m->sms && !status; i++)
        status = flush(m, &m->sm[i]);
    for (uint32_t i = 0; i < parts && !status; i++)
        status = flush(m, &m->part[i]);
    return status;
}

int ws_lab_run(const ws_update_log *log, const ws_update_step *steps, uint32_t sms, uint64_t entries,
               const ws_lab_chips *chips, bool values, uint64_t seed, ws_lab_result *sum)
{
    const uint32_t parts = chips ? chips->chips * chips->slices : 0;
    machine m = {.log = log,
                 .chips = chips,
                 .sum = sum,
                 .sm = make_buffers(sms),
                 .part = make_buffers(parts),
                 .sms = sms,
                 .memory = WS_TABLE(element),
                 .entries = entries,
                 .seed = seed,
                 .values = values};
    int status = m.sm && m.part ? run(&m, steps, parts) : ws_fail(WS_EMEM, "no memory for the buffers of %u SMs", sms);
    if (!status && values)
        compare(&m);
    if (!status && chips && chips->reuse)
        status = ws_chip_reuse_add(chips->reuse, m.sent, m.messages, parts);
    destroy_buffers(m.sm, sms);
    destroy_buffers(m.part, parts);
    free(m.sent);
    ws_table_fini(&m.memory);
    return status;
}
