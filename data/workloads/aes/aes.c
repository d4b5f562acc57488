/* aes.c - AES: how do table lookups and many barriers look without divergence? Host side of aes.cu. */
#include "data/workloads/harness/harness.h"

#include <string.h>

enum { THREADS = 256, COLUMNS = 4, BLOCK = 16, MOST_ROUNDS = 14, MOST_KEY = 32, VALUES = 256, TABLES = 4 };

typedef unsigned char byte;

/* Arithmetic of FIPS 197, sections 4.2 and 5.1.1: products of bytes with the numbers below 16, S-box and its inverse.
 */
typedef struct field {
    byte product[16][VALUES], box[VALUES], inverse_box[VALUES];
} field;

typedef struct cipher {
    const field *f;
    int rounds;
    byte round_key[(MOST_ROUNDS + 1) * BLOCK];
} cipher;

/* ------------------------------------------------------------------------------------------------ the standard,
 * bytewise */

static byte twice(byte a)
{
    return (byte)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
}

static byte multiply(byte a, byte b)
{
    byte product = 0;
    for (; b; b >>= 1, a = twice(a)) {
        if (b & 1)
            product ^= a;
    }
    return product;
}

static byte invert(byte a)
{
    int b = 1;
    while (a && multiply(a, (byte)b) != 1)
        b++;
    return a ? (byte)b : 0;
}

static void make_field(field *f)
{
    for (int i = 0; i < VALUES; i++) {
        const unsigned inverse = invert((byte)i), repeated = inverse << 8 | inverse;
        byte mapped = 0x63;
        for (int turn = 4; turn <= 8; turn++) /* turns to the left by 4, 3, 2, 1, 0 bits */
            mapped ^= (byte)(repeated >> turn);
        f->box[i] = mapped;
        f->inverse_box[mapped] = (byte)i;
        for (int factor = 0; factor < 16; factor++)
            f->product[factor][i] = multiply((byte)i, (byte)factor);
    }
}

/* Section 5.2. Keys of more than 6 words substitute once more in the middle. */
static cipher expand_key(const field *f, const byte *key, int key_words)
{
    cipher c = {.f = f, .rounds = key_words + 6};
    byte constant = 1;
    memcpy(c.round_key, key, (size_t)key_words * 4);
    for (int word = key_words; word < COLUMNS * (c.rounds + 1); word++) {
        const byte *const before = c.round_key + 4 * (word - 1), *const key_ago = before + 4 - 4 * key_words;
        const int place = word % key_words;
        for (int i = 0; i < 4; i++) {
            byte b = place == 0 ? f->box[before[(i + 1) % 4]] : before[i];
            if (place == 0 && i == 0)
                b ^= constant;
            if (key_words > 6 && place == 4)
                b = f->box[b];
            c.round_key[4 * word + i] = b ^ key_ago[i];
        }
        if (place == 0)
            constant = twice(constant);
    }
    return c;
}

static void add_key(const cipher *c, byte *state, int round)
{
    for (int i = 0; i < BLOCK; i++)
        state[i] ^= c->round_key[round * BLOCK + i];
}

/* Substitutes bytes and shifts row r by r columns, to the left or, with a step of -1, to the right. */
static void substitute_and_shift(byte *state, const byte *box, int step)
{
    byte was[BLOCK];
    memcpy(was, state, BLOCK);
    for (int i = 0; i < BLOCK; i++) {
        const int row = i % 4, column = (i / 4 + step * row + COLUMNS) % COLUMNS;
        state[i] = box[was[4 * column + row]];
    }
}

/* Multiplies columns by the circulant matrix with this first row. */
static void mix_columns(const field *f, byte *state, const byte first_row[4])
{
    byte was[BLOCK];
    memcpy(was, state, BLOCK);
    for (int i = 0; i < BLOCK; i++) {
        state[i] = 0;
        for (int j = 0; j < 4; j++)
            state[i] ^= f->product[first_row[(j + 4 - i % 4) % 4]][was[i / 4 * 4 + j]];
    }
}

static const byte mix[4] = {2, 3, 1, 1}, unmix[4] = {14, 11, 13, 9};

static void encrypt_on_cpu(const cipher *c, byte *state)
{
    add_key(c, state, 0);
    for (int round = 1; round <= c->rounds; round++) {
        substitute_and_shift(state, c->f->box, 1);
        if (round < c->rounds)
            mix_columns(c->f, state, mix);
        add_key(c, state, round);
    }
}

/* Section 5.3: the inverse cipher as such, the steps of encryption undone one by one. */
static void decrypt_on_cpu(const cipher *c, byte *state)
{
    for (int round = c->rounds; round >= 1; round--) {
        add_key(c, state, round);
        if (round < c->rounds)
            mix_columns(c->f, state, unmix);
        substitute_and_shift(state, c->f->inverse_box, -1);
    }
    add_key(c, state, 0);
}

/* FIPS 197, appendix C.1 and C.3: the key counts 00, 01, 02 ..., the text is 00, 11, 22 ... */
static void test_cpu_cipher(harness *h, const field *f)
{
    static const byte encrypted[2][BLOCK] = {
        {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a},
        {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89}};
    byte key[MOST_KEY], text[BLOCK];
    for (int i = 0; i < MOST_KEY; i++)
        key[i] = (byte)i;
    for (int i = 0; i < BLOCK; i++)
        text[i] = (byte)(0x11 * i);
    for (int i = 0; i < 2; i++) {
        const cipher c = expand_key(f, key, i ? 8 : 4);
        byte state[BLOCK];
        memcpy(state, text, BLOCK);
        encrypt_on_cpu(&c, state);
        if (memcmp(state, encrypted[i], BLOCK) != 0)
            harness_wrong(h, "the CPU's encryption with %d rounds misses the example of the standard", c.rounds);
        decrypt_on_cpu(&c, state);
        if (memcmp(state, text, BLOCK) != 0)
            harness_wrong(h, "the CPU's decryption with %d rounds misses the example of the standard", c.rounds);
    }
}

/* ------------------------------------------------------------------------------------------------ the device */

/* A column as a word: its byte of row 0 is the lowest. */
static uint32_t column_word(const byte *column)
{
    return column[0] | (uint32_t)column[1] << 8 | (uint32_t)column[2] << 16 | (uint32_t)column[3] << 24;
}

/* Table `row`, entry x: what a byte x in that row adds to its column, after the box and the mixing. */
static void write_tables(harness *h, const char *name, const field *f, const byte *box, const byte first_row[4])
{
    uint32_t table[TABLES][VALUES];
    for (int row = 0; row < TABLES; row++) {
        for (int x = 0; x < VALUES; x++) {
            byte column[4];
            for (int i = 0; i < 4; i++)
                column[i] = f->product[first_row[(row + 4 - i) % 4]][box[x]];
            table[row][x] = column_word(column);
        }
    }
    harness_write(h, harness_symbol(h, name, sizeof table), table, sizeof table);
}

static void write_inverse_box(harness *h, const field *f)
{
    uint32_t box[VALUES];
    for (int x = 0; x < VALUES; x++)
        box[x] = f->inverse_box[x];
    harness_write(h, harness_symbol(h, "inverse_box", sizeof box), box, sizeof box);
}

/* Keys in the order of their use; in the equivalent inverse cipher those between first and last are unmixed. */
static CUtexObject make_keys(harness *h, const cipher *c, int encrypt)
{
    uint32_t key[COLUMNS * (MOST_ROUNDS + 1)];
    const size_t words = (size_t)(COLUMNS * (c->rounds + 1));
    for (int round = 0; round <= c->rounds; round++) {
        byte state[BLOCK];
        memcpy(state, c->round_key + (encrypt ? round : c->rounds - round) * BLOCK, BLOCK);
        if (!encrypt && round > 0 && round < c->rounds)
            mix_columns(c->f, state, unmix);
        for (int column = 0; column < COLUMNS; column++)
            key[COLUMNS * round + column] = column_word(state + 4 * column);
    }
    return harness_texture_linear(h, harness_upload(h, key, words * sizeof *key), CU_AD_FORMAT_UNSIGNED_INT32, 1,
                                  words);
}

/* One launch; `text` becomes its result, which has to be that of the CPU. */
static void run_kernel(harness *h, const char *name, const cipher *c, int encrypt, byte *text, size_t bytes)
{
    CUdeviceptr from = harness_upload(h, text, bytes), to = harness_device(h, bytes);
    CUtexObject keys = make_keys(h, c, encrypt);
    byte *const want = harness_host(h, bytes, 1);

    memcpy(want, text, bytes);
    for (size_t i = 0; i < bytes; i += BLOCK)
        (encrypt ? encrypt_on_cpu : decrypt_on_cpu)(c, want + i);
    HARNESS_LAUNCH(h, harness_kernel(h, name), HARNESS_DIM(bytes / (4 * THREADS)), HARNESS_DIM(THREADS), 0, &keys,
                   &from, &to);
    harness_download(h, text, to, bytes);
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] != want[i])
            harness_wrong(h, "%s: byte %zu is %02x where the CPU has %02x", name, i, text[i], want[i]);
    }
}

/* Encrypts and decrypts with a random key of this many words: the text comes back. */
static void round_trip(harness *h, const field *f, const byte *text, size_t bytes, int key_words)
{
    byte key[MOST_KEY];
    byte *const copy = harness_host(h, bytes, 1);

    for (int i = 0; i < 4 * key_words; i++)
        key[i] = (byte)harness_integer(h, VALUES);
    const cipher c = expand_key(f, key, key_words);
    memcpy(copy, text, bytes);
    run_kernel(h, key_words == 4 ? "aes_encrypt_128" : "aes_encrypt_256", &c, 1, copy, bytes);
    run_kernel(h, key_words == 4 ? "aes_decrypt_128" : "aes_decrypt_256", &c, 0, copy, bytes);
    if (memcmp(copy, text, bytes) != 0)
        harness_wrong(h, "the text does not come back from a key of %d words", key_words);
}

/* The original does one of the four in a run; scale study what it does as the suite of the study has it. */
static void encrypt_once(harness *h, const field *f, byte *text, size_t bytes)
{
    byte key[MOST_KEY];
    for (int i = 0; i < BLOCK; i++)
        key[i] = (byte)harness_integer(h, VALUES);
    const cipher c = expand_key(f, key, 4);
    run_kernel(h, "aes_encrypt_128", &c, 1, text, bytes);
}

static void run(harness *h)
{
    const size_t bytes = (size_t)harness_pick(h, 2, 256, 256) * THREADS * 4;
    byte *const text = harness_host(h, bytes, 1);
    field f;

    make_field(&f);
    test_cpu_cipher(h, &f);
    for (size_t i = 0; i < bytes; i++)
        text[i] = (byte)harness_integer(h, VALUES);
    write_tables(h, "encrypt_table", &f, f.box, mix);
    write_tables(h, "decrypt_table", &f, f.inverse_box, unmix);
    write_inverse_box(h, &f);
    if (harness_get_scale(h) == HARNESS_STUDY) {
        encrypt_once(h, &f, text, bytes);
        return;
    }
    round_trip(h, &f, text, bytes, 4);
    round_trip(h, &f, text, bytes, 8);
}

HARNESS_WORKLOAD("AES", "data/workloads/aes/aes.ptx", run)
