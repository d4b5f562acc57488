/* instruction.c - what does a line of a trace say that the warp did? */
#include "collect/accelsim/instruction.h"

#include "base/grow.h"
#include "base/status.h"
#include "collect/sass/sass.h"

#include <stdlib.h>
#include <string.h>

enum {
    NONE = -1,
    ZERO_REGISTER = 255,
    UNIFORM = 256,
    PREDICATES = 512,
    UNIFORM_PREDICATES = 544, /* first numbers of the other kinds of registers */
    OPCODE_BYTES = 200,
    TRANSFER_PART = 16,          /* bytes of a bulk copy in an event, as in a live run */
    INSTRUCTIONS_MOST = 1 << 21, /* of machine code, 32 MiB: ten times the largest kernels known */
    TEXT_MOST = 1 << 28,
    VARIANTS_MOST = 4096 /* functions of a kernel with an instruction at one offset */
};

#define NOBODY UINT32_MAX

/* What is left of a line, and where it stopped making sense. */
typedef struct cursor {
    const char *p, *end;
    ws_line_error *error;
} cursor;

static int expect(const cursor *c, const char *at, const char *expected)
{
    c->error->at = at;
    c->error->expected = expected;
    return WS_EINPUT;
}

static inline void skip_blanks(cursor *c)
{
    while (*c->p == ' ' || *c->p == '\t')
        c->p++;
}

static inline bool ends_word(char ch)
{
    return ch == ' ' || ch == '\t' || ch == '\n';
}

static inline int hex_digit(char ch)
{
    if (ch >= '0' && ch <= '9')
        return ch - '0';
    const char lower = (char)(ch | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : NONE;
}

/* A number of at most 16 hexadecimal digits, with or without 0x. */
static inline int read_hex(cursor *c, const char *expected, unsigned digits, uint64_t *value)
{
    skip_blanks(c);
    const char *const at = c->p;
    if (c->p[0] == '0' && (c->p[1] | 0x20) == 'x')
        c->p += 2;
    while (*c->p == '0' && hex_digit(c->p[1]) >= 0)
        c->p++;
    uint64_t v = 0;
    unsigned n = 0;
    for (int d; (d = hex_digit(*c->p)) >= 0; c->p++, n++)
        v = v << 4 | (unsigned)d;
    *value = v;
    return n && n <= digits && ends_word(*c->p) ? WS_OK : expect(c, at, expected);
}

static inline int read_decimal(cursor *c, const char *expected, uint64_t most, uint64_t *value)
{
    skip_blanks(c);
    const char *const at = c->p;
    uint64_t v = 0;
    for (; *c->p >= '0' && *c->p <= '9'; c->p++)
        if (__builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, (unsigned)(*c->p - '0'), &v))
            return expect(c, at, expected);
    *value = v;
    return c->p > at && v <= most && ends_word(*c->p) ? WS_OK : expect(c, at, expected);
}

static inline int read_signed(cursor *c, const char *expected, int64_t *value)
{
    skip_blanks(c);
    const char *const at = c->p;
    const bool negative = *c->p == '-';
    c->p += negative;
    uint64_t v;
    if (*c->p < '0' || *c->p > '9' || read_decimal(c, expected, INT64_MAX, &v))
        return expect(c, at, expected);
    *value = negative ? -(int64_t)v : (int64_t)v;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ the table */

int ws_instr_table_init(ws_instr_table *t)
{
    *t = (ws_instr_table){
        .first = WS_TABLE(uint32_t), .arena = ws_arena_create(), .most = INSTRUCTIONS_MOST, .text_most = TEXT_MOST};
    if (!t->arena) {
        ws_instr_table_fini(t);
        return ws_fail(WS_EMEM, "no memory for a table of instructions");
    }
    return WS_OK;
}

void ws_instr_table_fini(ws_instr_table *t)
{
    ws_arena_destroy(t->arena);
    free(t->instr);
    ws_table_fini(&t->first);
    free(t->transfer);
    *t = (ws_instr_table){0};
}

/* Puts a new instruction behind the others of its offset; WS_EINPUT without a message when these are too many to be
 * true. */
static int add(ws_instr_table *t, const ws_static_instr *instr, uint32_t *id)
{
    const size_t offsets = t->first.used;
    uint32_t *const first = ws_table_put(&t->first, instr->offset);
    if (!first || WS_GROW(t->instr, t->room, t->n, 1))
        return ws_fail(WS_EMEM, "no memory for a table of instructions");
    *id = (uint32_t)t->n;
    ws_static_instr *const made = &t->instr[t->n++];
    *made = *instr;
    made->other = made->follower = NOBODY;
    made->variant = 0;
    if (t->first.used != offsets) {
        *first = *id;
        return WS_OK;
    }
    ws_static_instr *last = &t->instr[*first];
    while (last->other != NOBODY)
        last = &t->instr[last->other];
    last->other = *id;
    made->variant = last->variant + 1;
    return made->variant < VARIANTS_MOST ? WS_OK : WS_EINPUT;
}

/* ------------------------------------------------------------------------------------------------ what stays the same
 */

/* The number of a register by its kind; NONE for those that always hold zero or true. */
static int read_register(cursor *c, int *number)
{
    skip_blanks(c);
    const char *const at = c->p;
    const bool uniform = *c->p == 'U';
    c->p += uniform;
    const char kind = *c->p;
    if (kind != 'R' && kind != 'P')
        return expect(c, at, "a register (R0 ... R255, and from version 6 on UR, P and UP)");
    c->p++;
    uint64_t n;
    if (*c->p < '0' || *c->p > '9' || read_decimal(c, "", kind == 'R' ? 255 : 7, &n))
        return expect(c, at, "a register (R0 ... R255, and from version 6 on UR, P and UP)");
    if (kind == 'R')
        *number = n == ZERO_REGISTER || (uniform && n == 63) ? NONE : (int)n + (uniform ? UNIFORM : 0);
    else
        *number = n == 7 ? NONE : (int)n + (uniform ? UNIFORM_PREDICATES : PREDICATES);
    return WS_OK;
}

static int read_registers(cursor *c, const char *expected, unsigned most, uint16_t *reg, uint8_t *n, uint8_t *all)
{
    uint64_t count;
    if (read_decimal(c, expected, most, &count))
        return WS_EINPUT;
    *all = (uint8_t)(*all + count);
    for (uint64_t i = 0; i < count; i++) {
        int number;
        if (read_register(c, &number))
            return WS_EINPUT;
        if (number != NONE)
            reg[(*n)++] = (uint16_t)number;
    }
    return WS_OK;
}

static int read_opcode(cursor *c, ws_arena *arena, const char **opcode)
{
    skip_blanks(c);
    const char *const at = c->p;
    while (!ends_word(*c->p))
        c->p++;
    const size_t length = (size_t)(c->p - at);
    if (!length || length > OPCODE_BYTES || *at < 'A' || *at > 'Z')
        return expect(c, at, "an opcode, as LDG.E.64.SYS");
    *opcode = ws_arena_strndup(arena, at, length);
    return *opcode ? WS_OK : ws_fail(WS_EMEM, "no memory for an opcode");
}

/* A load of more than four bytes fills so many registers, a store empties them: tracers name the first one. */
static void name_all(uint16_t *reg, uint8_t *n, unsigned most, unsigned bytes)
{
    if (!*n || reg[*n - 1] >= UNIFORM)
        return;
    for (unsigned more = 1; more < bytes / 4 && *n < most && reg[*n - 1] + 1u < ZERO_REGISTER; more++, ++*n)
        reg[*n] = (uint16_t)(reg[*n - 1] + 1);
}

static unsigned kind_of(unsigned flow)
{
    static const uint8_t kinds[] = {
        [WS_SASS_NONE] = WS_RECORD_PLAIN, [WS_SASS_JUMP] = WS_RECORD_JUMP,   [WS_SASS_PART] = WS_RECORD_PART,
        [WS_SASS_END] = WS_RECORD_END,    [WS_SASS_BLOCK] = WS_RECORD_BLOCK, [WS_SASS_WARP] = WS_RECORD_WARP,
        [WS_SASS_BULK] = WS_RECORD_PLAIN,
    };
    return kinds[flow];
}

/* Bulk copies from shared to global memory are stores, also where one opcode stands for both. */
static uint8_t access_of(const ws_sass *row, const char *opcode)
{
    return row->flow == WS_SASS_BULK && row->access == WS_ACCESS_LOAD && strstr(opcode, ".G.S") ? WS_ACCESS_STORE
                                                                                                : row->access;
}

/* Assemblers write small constants to registers by adding to a product of zeros, where that unit is free. It is a move.
 */
static bool is_constant(const ws_instr *in)
{
    return !strncmp(in->opcode, "HFMA2", 5) && !in->srcs;
}

static void classify(ws_static_instr *s, uint64_t width, bool has_bulk_grammar)
{
    static const ws_sass unknown = {.cls = WS_CLASS_OTHER},
                         unknown_access = {.cls = WS_CLASS_MEMORY, .space = WS_SPACE_GENERIC, .access = WS_ACCESS_LOAD};
    ws_instr *const in = &s->instr;
    const ws_sass *row = ws_sass_find(in->opcode);
    s->known = row;
    if (!row)
        row = width ? &unknown_access : &unknown;
    in->cls = row->cls;
    in->space = row->space;
    in->access = access_of(row, in->opcode);
    in->reconverge = NOBODY;
    in->conditional = row->flow == WS_SASS_JUMP;
    s->bulk = has_bulk_grammar && row->flow == WS_SASS_BULK;
    s->addresses = width && !s->bulk;
    s->copies = s->addresses && !strncmp(in->opcode, "LDGSTS", 6);
    s->kind = (uint8_t)(!row->access || !(s->addresses || s->bulk) ? kind_of(row->flow)
                        : s->bulk                                  ? WS_RECORD_BULK
                                                                   : WS_RECORD_MEMORY);
    s->width = (uint16_t)(s->bulk && width ? width : TRANSFER_PART);
    if (row->access)
        in->bytes = (uint8_t)(!s->bulk                   ? ws_sass_bytes(in->opcode)
                              : s->width < TRANSFER_PART ? s->width
                                                         : TRANSFER_PART);
    if (is_constant(in))
        in->cls = WS_CLASS_INTEGER;
    ws_sass_facts(in->opcode, in);
    if (row->access == WS_ACCESS_LOAD || row->access == WS_ACCESS_ATOMIC)
        name_all(in->dst, &in->dsts, WS_INSTR_DST, in->bytes);
    else if (row->access == WS_ACCESS_STORE)
        name_all(in->src, &in->srcs, WS_INSTR_SRC, in->bytes);
}

/* Digits in front of a place. */
static size_t digits(const char *at)
{
    size_t n = 0;
    while (at[-1 - (ptrdiff_t)n] >= '0' && at[-1 - (ptrdiff_t)n] <= '9')
        n++;
    return n;
}

/* From behind the mask to behind the width. */
static int read_static(ws_instr_table *t, const ws_line_form *form, cursor *c, ws_static_instr *s)
{
    ws_instr *const in = &s->instr;
    uint64_t width = 0, commits;
    int status =
        read_registers(c, "how many registers are written, 0 to 8", WS_INSTR_DST, in->dst, &in->dsts, &s->registers);
    if (!status)
        status = read_opcode(c, t->arena, &in->opcode);
    if (!status)
        status =
            read_registers(c, "how many registers are read, 0 to 12", WS_INSTR_SRC, in->src, &in->srcs, &s->registers);
    if (!status && form->version >= 6 && strstr(in->opcode, "GMMA"))
        status = read_decimal(c, "0 or 1: whether it ends a group", 1, &commits);
    if (!status)
        status = read_decimal(c, "the width of the access in bytes, 0 for none", UINT32_MAX, &width);
    if (status)
        return status;
    const char *const at = c->p;
    classify(s, width, form->version >= 6);
    if (s->bulk && width > WS_TRANSFER_BYTES_MOST)
        return expect(c, at - digits(at), "at most 16384 bytes in each transfer of a bulk copy");
    in->line = s->line;
    in->column = s->offset;
    return WS_OK;
}

/* An immediate of a barrier: its number, or how many threads it waits for. */
static uint16_t barrier_of(int64_t immediate)
{
    if (immediate >= WS_WARP && immediate % WS_WARP == 0 && immediate <= UINT8_MAX * WS_WARP)
        return (uint16_t)(immediate / WS_WARP << 8);
    return immediate >= 0 && immediate < 16 ? (uint16_t)immediate : 0;
}

/* ------------------------------------------------------------------------------------------------ addresses */

static int read_list(cursor *c, ws_record *r)
{
    uint64_t before = 0, address;
    unsigned n = 0;
    WS_EACH_LANE (lane, r->mask) {
        (void)lane;
        if (read_hex(c, "an address (0x...) for each lane in the mask", 16, &address))
            return WS_EINPUT;
        if (n)
            r->delta[n] = (int64_t)(address - before);
        else
            r->base = address;
        before = address;
        n++;
    }
    r->form = WS_ADDRESS_LIST;
    return WS_OK;
}

static int read_stride(cursor *c, ws_record *r)
{
    skip_blanks(c);
    const char *const at = c->p;
    if (read_hex(c, "the address of the first lane (0x...)", 16, &r->base) ||
        read_signed(c, "a stride in bytes", &r->stride))
        return WS_EINPUT;
    const uint32_t run = r->mask ? r->mask >> ws_lowest(r->mask) : 0;
    if (run & (run + 1))
        return expect(c, at, "addresses of another mode: the lanes of one with a stride lie side by side");
    r->form = WS_ADDRESS_STRIDE;
    return WS_OK;
}

static int read_deltas(cursor *c, ws_record *r)
{
    if (read_hex(c, "the address of the first lane (0x...)", 16, &r->base))
        return WS_EINPUT;
    const unsigned lanes = ws_popcount(r->mask);
    for (unsigned i = 1; i < lanes; i++)
        if (read_signed(c, "the distance of each lane's address from the lane's before it", &r->delta[i]))
            return WS_EINPUT;
    r->form = WS_ADDRESS_LIST;
    return WS_OK;
}

/* Lists that have a stride are kept as such. */
static void simplify(ws_record *r)
{
    if (r->form != WS_ADDRESS_LIST)
        return;
    const unsigned lanes = ws_popcount(r->mask);
    for (unsigned i = 2; i < lanes; i++)
        if (r->delta[i] != r->delta[1])
            return;
    r->form = WS_ADDRESS_STRIDE;
    r->stride = lanes > 1 ? r->delta[1] : 0;
}

static int read_addresses(cursor *c, ws_record *r)
{
    uint64_t mode;
    if (read_decimal(c, "an address mode: 0 list, 1 base and stride, 2 base and distances", 2, &mode))
        return WS_EINPUT;
    const int status = mode == 0 ? read_list(c, r) : mode == 1 ? read_stride(c, r) : read_deltas(c, r);
    if (!status)
        simplify(r);
    if (!status && !r->mask)
        r->form = WS_ADDRESS_NONE; /* tracers write a base and a stride of nothing */
    return status;
}

static int add_transfer(ws_instr_table *t, uint64_t address)
{
    if (WS_GROW(t->transfer, t->transfer_room, t->transfers, 1))
        return ws_fail(WS_EMEM, "no memory for the transfers of a bulk copy");
    t->transfer[t->transfers++] = address;
    return WS_OK;
}

/* Where each transfer goes: the first into the record, the others into the table. */
static int read_transfers(cursor *c, ws_instr_table *t, ws_record *r)
{
    uint64_t mode, n, at = 0;
    int64_t delta;
    int status = WS_OK;
    if (read_decimal(c, "an address mode of bulk copies: 3 list, 4 base and distances", 4, &mode))
        return WS_EINPUT;
    if (mode < 3)
        return expect(c, c->p - 1, "an address mode of bulk copies: 3 list, 4 base and distances");
    if ((mode == 4 && read_hex(c, "the address of the first transfer (0x...)", 16, &at)) ||
        read_decimal(c, "how many transfers there are", UINT32_MAX, &n))
        return WS_EINPUT;
    r->base = at;
    for (uint64_t i = mode == 4; i < n && !status; i++) {
        if (mode == 3)
            status = read_hex(c, "an address (0x...) for each transfer", 16, &at);
        else if (!(status = read_signed(c, "the distance of each transfer from the one before it", &delta)))
            at += (uint64_t)delta;
        if (!status && i)
            status = add_transfer(t, at);
        else
            r->base = at;
    }
    r->form = n && r->mask ? WS_ADDRESS_STRIDE : WS_ADDRESS_NONE;
    r->stride = 0;
    return status;
}

/* TMA: from one lane, whichever the mask has. Where it goes is a list of transfers, each of the width. */
static int read_bulk(cursor *c, ws_instr_table *t, ws_record *r, ws_static_instr *s)
{
    uint64_t barrier, multicast, mask, bytes, outside;
    if (read_hex(c, "the address of an mbarrier", 16, &barrier) ||
        read_decimal(c, "0 or 1: multicast", 1, &multicast) ||
        (multicast && read_hex(c, "a mask of blocks of the cluster", 16, &mask)) ||
        read_decimal(c, "how many bytes are moved", UINT64_MAX, &bytes) ||
        read_decimal(c, "how many bytes are out of bounds", UINT64_MAX, &outside))
        return WS_EINPUT;
    s->bytes_moved += bytes;
    return read_transfers(c, t, r);
}

/* ------------------------------------------------------------------------------------------------ the rest of a line
 */

/* Values of a register: 1 and one, or 32 and as many. They are read, and not kept. */
static int skip_values(cursor *c, unsigned registers)
{
    for (unsigned i = 0; i < registers; i++) {
        uint64_t n, value;
        if (read_decimal(c, "1 or 32: how many values of a register follow", WS_WARP, &n))
            return WS_EINPUT;
        if (n != 1 && n != WS_WARP)
            return expect(c, c->p - 1, "1 or 32: how many values of a register follow");
        for (uint64_t k = 0; k < n; k++)
            if (read_hex(c, "the value of a register", 8, &value))
                return WS_EINPUT;
    }
    return WS_OK;
}

/* Immediates and values. An old line has none of them; tracers of version 5 write two on Hopper. */
static inline int read_tail(cursor *c, const ws_line_form *form, const ws_static_instr *s, int64_t *immediate)
{
    *immediate = 0;
    for (unsigned i = 0; i < 2; i++) {
        int64_t value;
        skip_blanks(c);
        if (*c->p != '-' && (*c->p < '0' || *c->p > '9'))
            break;
        if (read_signed(c, "an immediate", &value))
            return WS_EINPUT;
        *immediate = i ? *immediate : value;
    }
    skip_blanks(c);
    if (form->version >= 6 && c->p < c->end) {
        if (!strncmp(c->p, "NoVal", 5) && ends_word(c->p[5])) {
            c->p += 5;
        } else if (!strncmp(c->p, "Val", 3) && ends_word(c->p[3])) {
            c->p += 3;
            if (skip_values(c, s->registers))
                return WS_EINPUT;
        } else {
            return expect(c, c->p, "Val or NoVal");
        }
        skip_blanks(c);
    }
    return c->p == c->end ? WS_OK : expect(c, c->p, "the end of the line");
}

static int read_position(cursor *c, const ws_line_form *form, ws_record *r)
{
    uint64_t n;
    for (unsigned i = 0; i < 3; i++) {
        if (read_decimal(c, "the block: three numbers", UINT32_MAX, &n))
            return WS_EINPUT;
        r->block[i] = (uint32_t)n;
    }
    if (read_decimal(c, "the number of the warp in its block", UINT32_MAX, &n))
        return WS_EINPUT;
    r->warp = (uint32_t)n;
    for (unsigned i = 0; i < 2 && form->core; i++)
        if (read_decimal(c, "the SM and the number of the warp on it", UINT32_MAX, &n))
            return WS_EINPUT;
    return WS_OK;
}

static inline bool is_at(const ws_static_instr *s, uint32_t offset, const cursor *c)
{
    return s->offset == offset && s->length <= (size_t)(c->end - c->p) && ends_word(c->p[s->length]) &&
           !memcmp(s->text, c->p, s->length);
}

/* The instruction at this offset whose text follows; NOBODY when it is new. */
static inline uint32_t find(const ws_instr_table *t, uint32_t offset, uint32_t guess, const cursor *c)
{
    if (guess != NOBODY && is_at(&t->instr[guess], offset, c))
        return guess;
    const uint32_t *const first = ws_table_find(&t->first, offset);
    for (uint32_t id = first ? *first : NOBODY; id != NOBODY; id = t->instr[id].other)
        if (is_at(&t->instr[id], offset, c))
            return id;
    return NOBODY;
}

/* The instruction whose text begins at the cursor, which moves behind it. */
static int identify(ws_instr_table *t, const ws_line_form *form, cursor *c, uint32_t offset, uint32_t line,
                    uint32_t before, uint32_t *id, bool *is_new)
{
    const uint32_t guess = before < t->n ? t->instr[before].follower : NOBODY;
    *id = find(t, offset, guess, c);
    *is_new = *id == NOBODY;
    if (*is_new) {
        const char *const text = c->p;
        ws_static_instr s = {.offset = offset, .line = line};
        int status = read_static(t, form, c, &s);
        if (status)
            return status;
        s.length = (uint32_t)(c->p - text);
        t->text_bytes += s.length;
        if (t->n == t->most || t->text_bytes > t->text_most)
            return ws_fail(WS_ELIMIT,
                           "a kernel with more than %zu different instructions, or %zu bytes of them, is none", t->most,
                           t->text_most);
        s.text = ws_arena_strndup(t->arena, text, s.length);
        status = s.text ? add(t, &s, id) : ws_fail(WS_EMEM, "no memory for an instruction");
        if (status == WS_EINPUT)
            return expect(c, text, "one of 4096 instructions that this offset has already: functions share offsets");
        if (status)
            return status;
    } else {
        c->p += t->instr[*id].length;
    }
    if (before < t->n)
        t->instr[before].follower = *id;
    return WS_OK;
}

int ws_instruction_read(ws_instr_table *t, const ws_line_form *form, const char *line, const char *end, uint32_t before,
                        ws_record *r, ws_line_error *error)
{
    cursor c = {.p = line, .end = end, .error = error};
    uint64_t source = 0, offset, mask;
    int64_t immediate;
    bool is_new;
    if ((form->position && read_position(&c, form, r)) ||
        (form->line_numbers && read_decimal(&c, "the number of a source line", UINT32_MAX, &source)) ||
        read_hex(&c, "the offset of the instruction, hexadecimal", 8, &offset))
        return WS_EINPUT;
    skip_blanks(&c);
    r->mask_at = c.p;
    if (read_hex(&c, "a mask of 32 lanes, hexadecimal (machines with 64, as those of AMD, are not read)", 8, &mask))
        return WS_EINPUT;
    r->mask = (uint32_t)mask;
    r->form = WS_ADDRESS_NONE;
    int status = identify(t, form, &c, (uint32_t)offset, (uint32_t)source, before, &r->id, &is_new);
    if (status)
        return status;
    ws_static_instr *const s = &t->instr[r->id];
    t->transfers = 0;
    if (s->addresses)
        status = read_addresses(&c, r);
    else if (s->bulk)
        status = read_bulk(&c, t, r, s);
    if (!status)
        status = read_tail(&c, form, s, &immediate);
    if (status)
        return status;
    if (is_new)
        s->barrier = barrier_of(immediate);
    s->executed++;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ where it goes */

/* Bytes behind the start of a window of generic addresses; false when the address is not in it. */
static bool is_inside(uint64_t address, uint64_t window, uint64_t other, uint64_t *offset)
{
    *offset = address - window;
    return window && address >= window && *offset < WS_WINDOW_BYTES && !(other > window && address >= other);
}

unsigned ws_address_place(const uint64_t window[2], unsigned space, uint64_t *address)
{
    uint64_t offset;
    const bool in_shared = is_inside(*address, window[0], window[1], &offset);
    if (in_shared && (space == WS_SPACE_GENERIC || space == WS_SPACE_SHARED)) {
        *address = offset;
        return WS_SPACE_SHARED;
    }
    if (is_inside(*address, window[1], window[0], &offset) && (space == WS_SPACE_GENERIC || space == WS_SPACE_LOCAL)) {
        *address = offset;
        return WS_SPACE_LOCAL;
    }
    return space == WS_SPACE_GENERIC ? WS_SPACE_GLOBAL : space;
}

void ws_record_spread(const ws_record *r, uint64_t address[WS_WARP])
{
    uint64_t at = r->base;
    unsigned n = 0;
    if (r->form == WS_ADDRESS_STRIDE && r->mask == UINT32_MAX) {
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            address[lane] = at + lane * (uint64_t)r->stride;
        return;
    }
    memset(address, 0, WS_WARP * sizeof *address);
    WS_EACH_LANE (lane, r->mask) {
        if (n)
            at += (uint64_t)(r->form == WS_ADDRESS_LIST ? r->delta[n] : r->stride);
        n++;
        address[lane] = at;
    }
}

/* ------------------------------------------------------------------------------------------------ raw traces */

/* Writers give the mask eight digits, the offset four or more, and SMs and warps no leading zeros. */
bool ws_instruction_has_core(const ws_line_form *form, const char *line, const char *end)
{
    const char *word[9] = {0};
    size_t length[9] = {0};
    unsigned n = 0;
    for (const char *p = line; p < end && n < 9; n++) {
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        word[n] = p;
        while (p < end && !ends_word(*p))
            p++;
        length[n] = (size_t)(p - word[n]);
    }
    const unsigned at = 5 + form->line_numbers;
    return n > at + 2 && length[at] != 8 && length[at + 2] == 8;
}
