/* lab.c - see lab.h. */
#include "model/mechanism/atomics/lab.h"

#include "base/bits.h"
#include "base/grow.h"
#include "base/mix.h"
#include "base/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 4 };

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

/* Whole numbers of all bits; reals between 0 and 1. */
static uint64_t random_value(operation o, uint64_t seed, uint64_t a, uint64_t b)
{
    const uint64_t bits = ws_mix(seed + a * WS_MIX_STEP + b * UINT64_C(0xD1B54A32D192ED03));
    return is_real(o) ? of_real(o, ldexp((double)(bits >> 11), -53)) : is_wide(o) ? bits : bits & UINT32_MAX;
}

/* ------------------------------------------------------------------------------------------------ buffers */

typedef struct entry {
    uint64_t line;
    uint32_t words, code;
    uint64_t value[WS_UPDATE_WORDS]; /* of these words; only when values are followed */
} entry;

typedef struct buffer {
    ws_lru order;
    entry *entry; /* [entries] at their places */
    size_t entries, room;
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
    uint64_t seed;
    bool keeps, values; /* keeps: SMs have buffers */
} machine;

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

/* All leave, the line used longest ago first. */
static int flush(machine *m, buffer *b)
{
    int status = WS_OK;
    for (uint32_t time = 0; !status && ws_lru_next(&b->order, &time); time++)
        status = send(m, b, &b->entry[b->order.user[time]]);
    ws_lru_clear(&b->order);
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

static void begin(entry *e, uint64_t line, uint32_t code)
{
    e->line = line;
    e->code = code;
    e->words = 0;
}

/* The line's entry: empty, but for updates of the same operation. What was in it, of another one or of the line used
 * longest ago, leaves. */
static int entry_for(machine *m, buffer *b, uint64_t line, uint32_t code, entry **out)
{
    uint64_t distance;
    int status = ws_lru_use(&b->order, line, &distance);
    if (status)
        return status;
    const uint32_t place = ws_lru_first(&b->order);
    if (place == b->entries) {
        if (WS_GROW(b->entry, b->room, b->entries, 1))
            return WS_EMEM;
        b->entries++;
    }
    entry *const e = *out = &b->entry[place];
    const bool is_new = distance == WS_LRU_FAR, differs = !is_new && e->code != code;
    if (differs || b->order.gone != WS_LRU_HOLE)
        status = send(m, b, e);
    if (is_new || differs)
        begin(e, line, code);
    return status;
}

static int update(machine *m, buffer *b, size_t record)
{
    const ws_update_record *const r = &m->log->record[record];
    entry alone, *e = &alone;
    int status = WS_OK;
    m->sum->updates++;
    if (m->keeps)
        status = entry_for(m, b, r->line, r->code, &e);
    else
        begin(e, r->line, r->code);
    if (!status)
        status = add(m, e, record);
    return status || m->keeps ? status : send(m, b, e);
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
    const int status = entry_for(m, &m->part[part], e->line, e->code, &to);
    return status ? status : join(m, to, e);
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

/* Of `entries` lines each; 0: as many as there are. */
static buffer *make_buffers(uint32_t count, uint64_t entries)
{
    buffer *const b = calloc(count + 1, sizeof *b);
    for (uint32_t i = 0; b && i < count; i++)
        ws_lru_init(&b[i].order, entries && entries < WS_LRU_MOST ? (uint32_t)entries : WS_LRU_MOST);
    return b;
}

static void destroy_buffers(buffer *b, uint32_t count)
{
    for (uint32_t i = 0; b && i < count; i++) {
        free(b[i].entry);
        ws_lru_fini(&b[i].order);
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
                 .sm = make_buffers(sms, entries),
                 .part = make_buffers(parts, chips ? chips->entries : 0),
                 .sms = sms,
                 .memory = WS_TABLE(element),
                 .seed = seed,
                 .keeps = entries != WS_LAB_NOTHING,
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
