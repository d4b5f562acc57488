/* race_signature.c - a set of addresses: a Bloom filter, and the exact set as an open-addressing table with a list of
 * its keys. */
#include "model/coherence/race_signature.h"

#include "base/bits.h"
#include "base/status.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { WORD_BYTES = 4, MOST_UNIT = 4096, BITS_OF_CELL = 64, MOST_CAPACITY = 1 << 16, MOST_BLOCK = 128 };

typedef struct header {
    uint32_t count; /* insertions */
    uint32_t known; /* keys in the exact set */
} header;

static bool is_power(uint32_t value)
{
    return value && !(value & (value - 1));
}

static uint32_t log2_of(uint32_t power)
{
    return (uint32_t)__builtin_ctz(power);
}

static int check_choice(const ws_signature_choice *c)
{
    if (!c->filter && !c->exact)
        return ws_fail(WS_EINPUT, "a signature without a filter and without an exact set");
    if (!is_power(c->bits) || c->bits < WS_SIGNATURE_LEAST_BITS || c->bits > WS_SIGNATURE_MOST_BITS)
        return ws_fail(WS_EINPUT, "a signature of %u bits; expected a power of two from %d to %d", c->bits,
                       WS_SIGNATURE_LEAST_BITS, WS_SIGNATURE_MOST_BITS);
    if (!c->hashes || c->hashes > WS_SIGNATURE_MOST_HASHES)
        return ws_fail(WS_EINPUT, "a signature with %u hashes; expected 1 to %d", c->hashes, WS_SIGNATURE_MOST_HASHES);
    if (!is_power(c->unit) || c->unit > MOST_UNIT)
        return ws_fail(WS_EINPUT, "a signature of units of %u bytes; expected a power of two up to %d", c->unit,
                       MOST_UNIT);
    if (!is_power(c->block) || c->block < WORD_BYTES || c->block > MOST_BLOCK)
        return ws_fail(WS_EINPUT, "a signature for blocks of %u bytes; expected a power of two from %d to %d", c->block,
                       WORD_BYTES, MOST_BLOCK);
    if (c->capacity > MOST_CAPACITY)
        return ws_fail(WS_EINPUT, "a signature for %u entries; expected at most %d", c->capacity, MOST_CAPACITY);
    return WS_OK;
}

int ws_signature_setup(ws_signature_shape *shape, const ws_signature_choice *c)
{
    const int status = check_choice(c);
    if (status)
        return status;
    *shape = (ws_signature_shape){.bits = c->bits,
                                  .hashes = c->hashes,
                                  .unit = c->unit,
                                  .block = c->block,
                                  .capacity = c->capacity ? c->capacity : c->bits / WS_SIGNATURE_BITS_PER_ENTRY,
                                  .unit_shift = log2_of(c->unit),
                                  .block_shift = log2_of(c->block),
                                  .filter = c->filter,
                                  .exact = c->exact};
    const size_t filter = c->filter ? c->bits / 8 : 0;
    shape->list_at = sizeof(header) + filter;
    shape->table_at = shape->list_at;
    shape->bytes = shape->list_at;
    if (!c->exact)
        return WS_OK;
    /* It is full when it has `capacity`, and the last access may bring all that a block has. */
    shape->entries = shape->capacity + ws_signature_units(shape, c->block / WORD_BYTES);
    for (shape->table = 1; shape->table < 2 * shape->entries;)
        shape->table *= 2;
    shape->table_at = shape->list_at + shape->entries * sizeof(uint64_t);
    shape->bytes = shape->table_at + shape->table * sizeof(uint32_t);
    shape->bytes = (shape->bytes + 7) & ~(size_t)7;
    return WS_OK;
}

uint32_t ws_signature_run_bytes(const ws_signature_shape *shape, double set_bits)
{
    enum { LONGEST = 255 };
    const double runs = ceil(set_bits + (shape->bits - set_bits) / LONGEST), whole = shape->bits / 8.0;
    return (uint32_t)(runs < whole ? runs : whole);
}

double ws_signature_bits_set(const ws_signature_shape *shape, const void *signature)
{
    return shape->filter ? ws_signature_set_bits(shape, signature)
                         : shape->bits * ws_signature_fill(shape->bits, shape->hashes, ws_signature_count(signature));
}

uint32_t ws_signature_units(const ws_signature_shape *shape, uint32_t words)
{
    if (shape->unit >= shape->block)
        return words ? 1 : 0;
    return shape->unit < WORD_BYTES ? words * (WORD_BYTES / shape->unit) : words;
}

/* --- Where things are --- */

static uint64_t *filter_of(const void *signature)
{
    return (uint64_t *)((char *)signature + sizeof(header));
}

static uint64_t *list_of(const ws_signature_shape *shape, const void *signature)
{
    return (uint64_t *)((char *)signature + shape->list_at);
}

/* 1 + the place of a key in the list; 0: empty. */
static uint32_t *table_of(const ws_signature_shape *shape, const void *signature)
{
    return (uint32_t *)((char *)signature + shape->table_at);
}

/* --- Hashes --- */

/* A multiplication and shifts that let each bit of the key reach each of the result: the finalizer of MurmurHash3 (A.
 * Appleby, 2011). */
static uint64_t mixed(uint64_t key)
{
    key = (key ^ key >> 33) * UINT64_C(0xff51afd7ed558ccd);
    key = (key ^ key >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return key ^ key >> 33;
}

/* Each hash is a function of its own, as wires of a filter are: keys that share some bits need not share others. */
static uint32_t bit_of(const ws_signature_shape *shape, uint64_t key, uint32_t hash)
{
    return (uint32_t)(mixed(key + (hash + 1) * UINT64_C(0x9e3779b97f4a7c15)) & (shape->bits - 1));
}

static void filter_add(const ws_signature_shape *shape, void *signature, uint64_t key)
{
    uint64_t *const cells = filter_of(signature);
    for (uint32_t i = 0; i < shape->hashes; i++) {
        const uint32_t bit = bit_of(shape, key, i);
        cells[bit / BITS_OF_CELL] |= UINT64_C(1) << bit % BITS_OF_CELL;
    }
}

static bool filter_has(const ws_signature_shape *shape, const void *signature, uint64_t key)
{
    const uint64_t *const cells = filter_of(signature);
    for (uint32_t i = 0; i < shape->hashes; i++) {
        const uint32_t bit = bit_of(shape, key, i);
        if (!(cells[bit / BITS_OF_CELL] >> bit % BITS_OF_CELL & 1))
            return false;
    }
    return true;
}

/* --- The exact set --- */

static uint32_t place_of(const ws_signature_shape *shape, const void *signature, uint64_t key)
{
    const uint32_t *const table = table_of(shape, signature);
    const uint64_t *const list = list_of(shape, signature);
    uint32_t at = (uint32_t)mixed(key) & (shape->table - 1);
    while (table[at] && list[table[at] - 1] != key)
        at = (at + 1) & (shape->table - 1);
    return at;
}

static void set_add(const ws_signature_shape *shape, void *signature, uint64_t key)
{
    header *const h = signature;
    const uint32_t at = place_of(shape, signature, key);
    if (table_of(shape, signature)[at])
        return;
    assert(h->known < shape->entries); /* who fills it beyond its capacity by more than a block brings has not looked */
    list_of(shape, signature)[h->known] = key;
    table_of(shape, signature)[at] = ++h->known;
}

static bool set_has(const ws_signature_shape *shape, const void *signature, uint64_t key)
{
    const header *const h = signature;
    return h->known && table_of(shape, signature)[place_of(shape, signature, key)];
}

/* --- Units of an access --- */

/* The units of one word: one, or its bytes. */
static uint64_t first_key(const ws_signature_shape *shape, uint64_t block, uint32_t word)
{
    return ((block << shape->block_shift) + (uint64_t)word * WORD_BYTES) >> shape->unit_shift;
}

typedef struct keys {
    uint64_t key[MOST_BLOCK];
    uint32_t count;
} keys;

static void find_keys(const ws_signature_shape *shape, uint64_t block, uint32_t words, keys *out)
{
    out->count = 0;
    if (shape->unit >= shape->block) {
        out->key[0] = first_key(shape, block, 0);
        out->count = words != 0;
        return;
    }
    const uint32_t each = shape->unit < WORD_BYTES ? WORD_BYTES / shape->unit : 1;
    WS_EACH_LANE (word, words) {
        const uint64_t key = first_key(shape, block, word);
        if (out->count && out->key[out->count - 1] >= key)
            continue; /* the same unit as the word before */
        for (uint32_t i = 0; i < each; i++)
            out->key[out->count++] = key + i;
    }
}

/* --- What others call --- */

uint32_t ws_signature_insert(const ws_signature_shape *shape, void *signature, uint64_t block, uint32_t words)
{
    header *const h = signature;
    keys k;
    find_keys(shape, block, words, &k);
    for (uint32_t i = 0; i < k.count; i++) {
        if (shape->filter)
            filter_add(shape, signature, k.key[i]);
        if (shape->exact)
            set_add(shape, signature, k.key[i]);
    }
    h->count += k.count;
    return k.count;
}

ws_signature_answer ws_signature_test(const ws_signature_shape *shape, const void *signature, uint64_t block,
                                      uint32_t words)
{
    ws_signature_answer answer = {0};
    keys k;
    find_keys(shape, block, words, &k);
    answer.units = k.count;
    for (uint32_t i = 0; i < k.count; i++) {
        const bool seems = shape->filter && filter_has(shape, signature, k.key[i]);
        const bool is = shape->exact ? set_has(shape, signature, k.key[i]) : seems;
        answer.in |= shape->filter ? seems : is;
        answer.really_in |= is;
    }
    return answer;
}

void ws_signature_clear(const ws_signature_shape *shape, void *signature)
{
    if (((header *)signature)->count)
        memset(signature, 0, shape->bytes);
}

void ws_signature_copy(const ws_signature_shape *shape, void *to, const void *from)
{
    memcpy(to, from, shape->bytes);
}

uint32_t ws_signature_count(const void *signature)
{
    return ((const header *)signature)->count;
}

bool ws_signature_is_full(const ws_signature_shape *shape, const void *signature)
{
    return ((const header *)signature)->count >= shape->capacity;
}

uint32_t ws_signature_set_bits(const ws_signature_shape *shape, const void *signature)
{
    uint32_t set = 0;
    for (uint32_t i = 0; shape->filter && i < shape->bits / BITS_OF_CELL; i++)
        set += (uint32_t)__builtin_popcountll(filter_of(signature)[i]);
    return set;
}

double ws_signature_fill(uint32_t bits, uint32_t hashes, double n)
{
    return -expm1(n * hashes * log1p(-1.0 / bits));
}

double ws_signature_false_rate(uint32_t bits, uint32_t hashes, double n)
{
    return pow(ws_signature_fill(bits, hashes, n), hashes);
}
