/* device_print.c - what printf of device code writes, and how much of it has room.
 *
 * A GPU's printf puts its arguments into a FIFO, and the host makes text of them when the kernel has ended. Here text
 * is made at once, and counts as what the FIFO would hold. What does not fit into the FIFO's size is lost, with all
 * that the launch writes behind it: so what is printed is always the beginning, where a GPU keeps the end. */
#include "base/c_locale.h"
#include "base/grow.h"
#include "collect/simt/device_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    ENTRY_BYTES = 16,               /* the format's address, and how many bytes follow */
    TEXT_FOR_A_BYTE = 64,           /* as many characters of text cost one byte more: formats may be long */
    MAX_TEXT_BYTES = 64 << 20,      /* of one call */
    MAX_ARGUMENTS = 32,             /* CUDA's limit; conversions behind them stay as they stand */
    MAX_WIDTH = 4095,               /* of width and precision: what C promises of one conversion */
    NUMBER_BYTES = MAX_WIDTH + 512, /* the largest number has 309 digits before the point */
};

void ws_device_set_print(ws_device *device, uint64_t bytes)
{
    device->printing.bytes = bytes ? bytes : WS_PRINT_BYTES;
}

uint64_t ws_device_lost_prints(const ws_device *device)
{
    return device->printing.lost;
}

void device_print_begin(ws_device *device)
{
    device->printing.used = 0;
    device->printing.is_full = false;
}

/* ---- text ---- */

/* The text of one call. Nothing is added once it is too long or memory is out. */
typedef struct text {
    char *data;
    size_t used, capacity, limit;
    bool is_over, no_memory;
} text;

/* Where the next `bytes` go; NULL when there is no room for them. */
static char *text_room(text *t, size_t bytes)
{
    if (t->is_over || t->no_memory)
        return NULL;
    t->no_memory = WS_GROW(t->data, t->capacity, t->used, bytes) != WS_OK;
    return t->no_memory ? NULL : t->data + t->used;
}

static void text_add(text *t, const char *from, size_t bytes)
{
    t->is_over |= bytes > t->limit - t->used;
    char *const to = text_room(t, bytes);
    if (!to)
        return;
    memcpy(to, from, bytes);
    t->used += bytes;
}

static void text_pad(text *t, size_t spaces)
{
    t->is_over |= spaces > t->limit - t->used;
    char *const to = text_room(t, spaces);
    if (!to)
        return;
    memset(to, ' ', spaces);
    t->used += spaces;
}

/* What snprintf made of a number: it stands behind the text already. */
static void text_keep(text *t, int bytes)
{
    const size_t made = bytes > 0 ? (size_t)bytes : 0;
    t->is_over |= made > t->limit - t->used;
    if (!t->is_over)
        t->used += made;
}

/* ---- arguments ---- */

typedef struct arguments {
    const unsigned char *data;
    uint64_t bytes, at;
    unsigned taken;
    uint64_t strings; /* bytes that the FIFO holds of them */
    bool short_of;
} arguments;

static uint64_t take(arguments *a, unsigned bytes)
{
    uint64_t value = 0;
    a->at = (a->at + bytes - 1) / bytes * bytes;
    if (!ws_range_within(a->at, bytes, a->bytes)) {
        a->short_of = true;
        return 0;
    }
    memcpy(&value, a->data + a->at, bytes);
    a->at += bytes;
    a->taken++;
    return value;
}

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/* ---- conversions ---- */

#define FLAGS "-+ #0"

/* %[flags][width][.precision][size]type */
typedef struct conversion {
    char flags[sizeof FLAGS]; /* each at most once */
    int width, precision;     /* precision -1: none */
    bool wide;
    char type;
} conversion;

static void add_flag(conversion *c, char flag)
{
    const size_t n = strlen(c->flags);
    if (!strchr(c->flags, flag))
        c->flags[n] = flag;
}

static int clamp_width(int64_t value)
{
    return value < MAX_WIDTH ? (int)value : MAX_WIDTH;
}

/* Digits, or an argument for a star; 0 when there are none. */
static const char *read_width(const char *p, const char *end, arguments *a, int64_t *value)
{
    *value = 0;
    if (p < end && *p == '*') {
        *value = (int32_t)take(a, 4);
        return p + 1;
    }
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        *value = clamp_width(*value * 10 + (*p - '0'));
    return p;
}

/* The conversion behind a '%'; returns the character that is its type, or end. */
static const char *read_conversion(const char *p, const char *end, arguments *a, conversion *c)
{
    int64_t value;
    *c = (conversion){.precision = -1};
    for (; p < end && strchr(FLAGS, *p); p++)
        add_flag(c, *p);
    p = read_width(p, end, a, &value);
    if (value < 0)
        add_flag(c, '-');
    c->width = clamp_width(value < 0 ? -value : value);
    if (p < end && *p == '.') {
        p = read_width(p + 1, end, a, &value);
        c->precision = value < 0 ? -1 : clamp_width(value);
    }
    for (; p < end && strchr("hlzjt", *p); p++)
        c->wide |= *p != 'h';
    c->type = p < end ? *p : '\0';
    return p;
}

static void add_number(text *t, const conversion *c, const char *size, uint64_t bits)
{
    char spec[32];
    char *const to = text_room(t, NUMBER_BYTES);
    if (!to)
        return;
    snprintf(spec, sizeof spec, "%%%s*.*%s%c", c->flags, size, c->type);
    const locale_t before = ws_c_locale_enter();
    if (strchr("fFeEgGaA", c->type))
        text_keep(t, snprintf(to, NUMBER_BYTES, spec, c->width, c->precision, ws_f64_from_bits(bits)));
    else
        text_keep(t, snprintf(to, NUMBER_BYTES, spec, c->width, c->precision, (unsigned long long)bits));
    ws_c_locale_leave(before);
}

static void add_padded(text *t, const conversion *c, const char *from, size_t bytes)
{
    const size_t pad = (size_t)c->width > bytes ? (size_t)c->width - bytes : 0;
    const bool left = strchr(c->flags, '-');
    text_pad(t, left ? 0 : pad);
    text_add(t, from, bytes);
    text_pad(t, left ? pad : 0);
}

/* The whole string lies in the FIFO, whatever of it is shown. */
static void add_string(const device_call *call, text *t, const conversion *c, arguments *a)
{
    const uint64_t address = take(a, 8);
    uint64_t bytes;
    const char *string = (const char *)builtin_memory(call, address, false, &bytes);
    size_t length = string && !t->is_over ? strnlen(string, bytes) : 0;
    if (!string || length == bytes) {
        string = "(bad string)";
        length = strlen(string);
    }
    a->strings += round_up(length + 1);
    add_padded(t, c, string, c->precision >= 0 && (size_t)c->precision < length ? (size_t)c->precision : length);
}

/* The text of one conversion whose '%' stands at p; returns the character behind it. What is none stays as it stands.
 */
static const char *add_conversion(const device_call *call, const char *p, const char *end, arguments *a, text *t)
{
    conversion c;
    char hexadecimal[24];
    const char *const type = read_conversion(p + 1, end, a, &c);
    switch (a->taken < MAX_ARGUMENTS || c.type == '%' ? c.type : '\0') {
    case '%':
        text_add(t, "%", 1);
        break;
    case 'd':
    case 'i':
        add_number(t, &c, "ll", c.wide ? take(a, 8) : (uint64_t)(int64_t)(int32_t)take(a, 4));
        break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        add_number(t, &c, "ll", take(a, c.wide ? 8 : 4));
        break;
    case 'c': {
        const char one = (char)take(a, 4);
        add_padded(t, &c, &one, 1);
        break;
    }
    case 'p':
        snprintf(hexadecimal, sizeof hexadecimal, "0x%llx", (unsigned long long)take(a, 8));
        text_add(t, hexadecimal, strlen(hexadecimal));
        break;
    case 's':
        add_string(call, t, &c, a);
        break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        add_number(t, &c, "", take(a, 8));
        break;
    default:
        text_add(t, p, (size_t)(type - p));
        return type;
    }
    return type + 1;
}

/* ---- calls ---- */

static void make_text(const device_call *call, const char *p, const char *end, arguments *a, text *t)
{
    while (p < end) {
        const char *const next = memchr(p, '%', (size_t)(end - p)), *const stop = next ? next : end;
        text_add(t, p, (size_t)(stop - p));
        p = next ? add_conversion(call, next, end, a, t) : end;
    }
}

/* Whether the call's entry has room in the FIFO, where it then is. */
static bool enter(struct device_printing *s, const arguments *a, const text *t)
{
    const uint64_t bytes = ENTRY_BYTES + round_up(a->at) + a->strings + t->used / TEXT_FOR_A_BYTE;
    s->is_full |= t->is_over || bytes > s->bytes - s->used;
    if (!s->is_full)
        s->used += bytes;
    return !s->is_full;
}

static size_t text_limit(const struct device_printing *s)
{
    const uint64_t room = s->is_full || s->used > s->bytes ? 0 : s->bytes - s->used;
    return room < MAX_TEXT_BYTES / TEXT_FOR_A_BYTE ? room * TEXT_FOR_A_BYTE : MAX_TEXT_BYTES;
}

static bool print_lane(device_call *call)
{
    ws_device *const device = device_of(call);
    struct device_printing *const s = &device->printing;
    FILE *const out = device->print ? device->print : stdout;
    const uint64_t format = builtin_argument(call, 0), values = builtin_argument(call, 1);
    uint64_t bytes;
    if (!format) { /* as CUDA has it */
        builtin_give(call, (uint32_t)-1);
        return true;
    }
    const char *const p = (const char *)builtin_memory(call, format, false, &bytes);
    const size_t length = p ? strnlen(p, bytes) : 0;
    if (!p || length == bytes)
        return block_fault(call->w, call->u, call->lane, "printf with a format at address 0x%llx that is no string",
                           (unsigned long long)format);
    arguments a = {0};
    a.data = values ? builtin_memory(call, values, false, &a.bytes) : NULL;
    if (!a.data)
        a.bytes = 0;
    text t = {.data = s->text, .capacity = s->capacity, .limit = text_limit(s), .is_over = s->is_full};
    make_text(call, p, p + length, &a, &t);
    s->text = t.data;
    s->capacity = t.capacity;
    if (t.no_memory)
        return block_fail(call->w->block, WS_EMEM, "no memory for what a kernel prints");
    if (!enter(s, &a, &t))
        s->lost++;
    else if (t.used) /* an empty text has no place */
        fwrite(t.data, 1, t.used, out);
    builtin_give(call, a.short_of ? (uint32_t)-1 : a.taken);
    return true;
}

bool device_print(warp *w, const uop *u, uint32_t exec)
{
    ws_device *const device = w->block->launch->device;
    bool ok = true;
    pthread_mutex_lock(&device->print_lock);
    WS_EACH_LANE (lane, exec) {
        device_call call = {.w = w, .u = u, .site = u->info, .lane = lane};
        ok = print_lane(&call);
        if (!ok)
            break;
    }
    pthread_mutex_unlock(&device->print_lock);
    return ok;
}
