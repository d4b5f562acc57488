/* argument_file.c - see argument_file.h. Reads line by line, word by word. */
#include "model/chiplets/argument_file.h"

#include "base/input.h"
#include "base/output.h"
#include "base/status.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 40 };

typedef struct word {
    const char *text; /* NULL: the line ends */
    int length;
    size_t column; /* from 1 */
} word;

typedef struct reading {
    const char *file, *line,
        *end;          /* line .. end: what is left of the line; end is its newline or the end of the text */
    const char *begin; /* of the line */
    size_t number;     /* of the line */
    uint32_t chiplets;
    ws_chiplet_kernels *out;
    ws_chiplet_kernel *kernel; /* NULL: none yet */
} reading;

/* ------------------------------------------------------------------------------------------------ words */

__attribute__((format(printf, 3, 4))) static int bad(const reading *r, const word *w, const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ws_fail(WS_EINPUT, "%s:%zu:%zu: %s", r->file, r->number, w->column, text);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static word next_word(reading *r)
{
    while (r->line < r->end && is_blank(*r->line))
        r->line++;
    word w = {.column = (size_t)(r->line - r->begin) + 1};
    if (r->line == r->end || *r->line == '#')
        return w;
    w.text = r->line;
    while (r->line < r->end && !is_blank(*r->line) && *r->line != '#')
        r->line++;
    w.length = (int)(r->line - w.text);
    return w;
}

static int shown(const word *w)
{
    return w->length < MOST_SHOWN ? w->length : MOST_SHOWN;
}

static bool is_word(const word *w, const char *text)
{
    return w->text && (size_t)w->length == strlen(text) && !memcmp(w->text, text, (size_t)w->length);
}

static int end_line(reading *r)
{
    const word w = next_word(r);
    return w.text ? bad(r, &w, "'%.*s': expected the end of the line", shown(&w), w.text) : WS_OK;
}

/* A whole number, decimal or with 0x. */
static int read_number(reading *r, const char *what, uint64_t most, word *w, uint64_t *value)
{
    char text[32], *end;
    *w = next_word(r);
    if (!w->text)
        return bad(r, w, "expected %s", what);
    snprintf(text, sizeof text, "%.*s", w->length, w->text);
    errno = 0;
    *value = strtoull(text, &end, 0);
    if (w->length >= (int)sizeof text || *end || errno || !isdigit((unsigned char)*text))
        return bad(r, w, "'%.*s': expected %s, a whole number, decimal or with 0x", shown(w), w->text, what);
    return *value <= most
               ? WS_OK
               : bad(r, w, "'%.*s': expected %s, at most %llu", shown(w), w->text, what, (unsigned long long)most);
}

static int need_kernel(const reading *r, const word *w)
{
    if (!r->kernel)
        return bad(r, w, "expected a line 'kernel NAME' before its data");
    return r->kernel->known ? WS_OK : bad(r, w, "the kernel is unknown, so it has no data; remove 'unknown', or this");
}

/* ------------------------------------------------------------------------------------------------ lines */

static int read_kernel(reading *r, const word *at)
{
    const word w = next_word(r);
    (void)at;
    if (!w.text)
        return bad(r, &w, "expected the name of a kernel");
    char *const name = strndup(w.text, (size_t)w.length);
    if (!name)
        return ws_fail(WS_EMEM, "no memory for the arguments of kernels");
    const int status = ws_chiplet_kernels_add(r->out, name, r->out->kernels, (1u << r->chiplets) - 1, &r->kernel);
    free(name);
    return status ? status : end_line(r);
}

static int read_chiplets(reading *r, const word *at)
{
    int status = need_kernel(r, at);
    if (!status && r->kernel->arguments)
        status = bad(r, at, "the chiplets of a kernel must precede its data");
    uint32_t scheduled = 0;
    while (!status) {
        uint64_t chiplet;
        word w;
        const reading before = *r;
        w = next_word(r);
        if (!w.text)
            break;
        *r = before;
        status = read_number(r, "the number of a chiplet", r->chiplets - 1, &w, &chiplet);
        if (!status && scheduled >> chiplet & 1)
            status = bad(r, &w, "chiplet %llu appears twice", (unsigned long long)chiplet);
        if (!status)
            scheduled |= 1u << chiplet;
    }
    if (!status && !scheduled)
        status = bad(r, at, "expected the numbers of the chiplets that run the kernel");
    if (!status)
        r->kernel->scheduled = scheduled;
    return status;
}

/* Two arguments of a kernel are two data structures. */
static int check_apart(const reading *r, const word *w, ws_address_range whole)
{
    for (size_t i = 0; i < r->kernel->arguments; i++) {
        const ws_address_range other = r->kernel->argument[i].whole;
        if (ws_ranges_overlap(other, whole))
            return bad(r, w,
                       "the data overlap those at 0x%llx to 0x%llx of the same kernel; expected disjoint data "
                       "structures, or one for both",
                       (unsigned long long)other.first, (unsigned long long)other.last);
    }
    return WS_OK;
}

static int read_mode(reading *r, ws_chiplet_argument *a)
{
    word w = next_word(r);
    if (!is_word(&w, "r") && !is_word(&w, "rw"))
        return bad(r, &w, "'%.*s': expected the mode, r or rw", shown(&w), w.text ? w.text : "");
    a->writes = w.length == 2;
    w = next_word(r);
    if (!w.text)
        return WS_OK;
    if (!is_word(&w, "identical"))
        return bad(r, &w, "'%.*s': expected 'identical' or the end of the line", shown(&w), w.text);
    a->identical = true;
    return end_line(r);
}

static int read_data(reading *r, const word *at)
{
    ws_chiplet_argument a = {.writes = false};
    word base, size;
    uint64_t first = 0, bytes = 0;
    int status = need_kernel(r, at);
    if (!status)
        status = read_number(r, "the address of a data structure", UINT64_MAX - 1, &base, &first);
    if (!status)
        status = read_number(r, "its bytes", UINT64_MAX - 1, &size, &bytes);
    if (!status && (!bytes || bytes - 1 > UINT64_MAX - 1 - first))
        status = bad(r, &size, "expected at least 1 byte, none beyond the last address");
    if (status)
        return status;
    a.whole = (ws_address_range){first, first + bytes - 1};
    status = check_apart(r, &base, a.whole);
    if (!status)
        status = read_mode(r, &a);
    return status ? status : ws_chiplet_kernel_add(r->kernel, &a);
}

/* The first range of a data structure says that others are used by nobody. */
static void give_range(ws_chiplet_argument *a, uint64_t chiplet, ws_address_range range)
{
    if (!a->ranged)
        for (uint32_t i = 0; i < WS_CHIPLETS_MOST; i++)
            a->range[i] = WS_NO_ADDRESSES;
    a->ranged = true;
    a->range[chiplet] = range;
}

static int read_range(reading *r, const word *at)
{
    uint64_t chiplet = 0, first = 0, last = 0;
    word w, from, to;
    int status = need_kernel(r, at);
    if (!status && !r->kernel->arguments)
        status = bad(r, at, "expected a line 'data' before the ranges of its chiplets");
    if (!status)
        status = read_number(r, "the number of a chiplet", r->chiplets - 1, &w, &chiplet);
    if (!status)
        status = read_number(r, "the first address of its range", UINT64_MAX - 1, &from, &first);
    if (!status)
        status = read_number(r, "the last address of its range", UINT64_MAX - 1, &to, &last);
    if (status)
        return status;
    ws_chiplet_argument *const a = &r->kernel->argument[r->kernel->arguments - 1];
    if (!(r->kernel->scheduled >> chiplet & 1))
        return bad(r, &w, "chiplet %llu does not run the kernel; expected one of its line 'chiplets'",
                   (unsigned long long)chiplet);
    if (a->ranged && !ws_range_is_empty(a->range[chiplet]))
        return bad(r, &w, "chiplet %llu already has a range; expected one that covers both",
                   (unsigned long long)chiplet);
    if (first > last)
        return bad(r, &to, "the range ends before it begins");
    if (first < a->whole.first || last > a->whole.last)
        return bad(r, first < a->whole.first ? &from : &to, "the range leaves its data structure, 0x%llx to 0x%llx",
                   (unsigned long long)a->whole.first, (unsigned long long)a->whole.last);
    give_range(a, chiplet, (ws_address_range){first, last});
    return end_line(r);
}

static int read_unknown(reading *r, const word *at)
{
    const int status = need_kernel(r, at);
    if (status)
        return status;
    if (r->kernel->arguments)
        return bad(r, at, "the kernel has data already; an unknown one has none");
    r->kernel->known = false;
    return end_line(r);
}

static int read_line(reading *r)
{
    static const struct {
        const char *word;
        int (*read)(reading *r, const word *at);
    } rows[] = {
#define WORD(word, reads) {#word, reads},
#include "model/chiplets/argument_words.def"
#undef WORD
    };
    const word w = next_word(r);
    if (!w.text)
        return WS_OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_word(&w, rows[i].word))
            return rows[i].read(r, &w);
    return bad(r, &w, "'%.*s': expected kernel, chiplets, data, range or unknown", shown(&w), w.text);
}

int ws_argument_file_parse(const char *file, const char *text, size_t length, uint32_t chiplets,
                           ws_chiplet_kernels *out)
{
    const char *const past = text + length;
    reading r = {.file = file, .chiplets = chiplets, .out = out};
    int status = WS_OK;
    *out = (ws_chiplet_kernels){0};
    for (const char *at = text; at < past && !status; at = r.end + 1) {
        const char *const newline = memchr(at, '\n', (size_t)(past - at));
        r.begin = r.line = at;
        r.end = newline ? newline : past;
        r.number++;
        status = read_line(&r);
    }
    if (!status && !out->kernels)
        status = ws_fail(WS_EINPUT, "%s: expected kernels, a line 'kernel NAME' for each launch", file);
    if (status)
        ws_chiplet_kernels_fini(out);
    return status;
}

int ws_argument_file_read(const char *path, uint32_t chiplets, ws_chiplet_kernels *out)
{
    static const ws_input arguments = {
        .what = "a list of kernels' arguments", .most_bytes = 256 << 20, .source = WS_INPUT_PIPES};
    char *text;
    size_t length;
    *out = (ws_chiplet_kernels){0};
    int status = ws_input_read(path, &arguments, &text, &length);
    if (!status)
        status = ws_argument_file_parse(path, text, length, chiplets, out);
    free(text);
    return status;
}

/* ------------------------------------------------------------------------------------------------ writing */

static bool is_used(const ws_chiplet_kernel *k, const ws_chiplet_argument *a, uint32_t chiplets)
{
    for (uint32_t i = 0; i < chiplets; i++)
        if (!ws_range_is_empty(ws_chiplet_argument_range(k, a, i)))
            return true;
    return false;
}

static void write_argument(FILE *out, const ws_chiplet_kernel *k, const ws_chiplet_argument *a, uint32_t chiplets)
{
    fprintf(out, "data 0x%" PRIx64 " 0x%" PRIx64 " %s%s\n", a->whole.first, a->whole.last - a->whole.first + 1,
            a->writes ? "rw" : "r", a->identical ? " identical" : "");
    for (uint32_t i = 0; i < chiplets && a->ranged; i++) {
        const ws_address_range range = ws_chiplet_argument_range(k, a, i);
        if (!ws_range_is_empty(range))
            fprintf(out, "range %" PRIu32 " 0x%" PRIx64 " 0x%" PRIx64 "\n", i, range.first, range.last);
    }
}

static void write_kernel(FILE *out, const ws_chiplet_kernel *k, uint32_t chiplets)
{
    fprintf(out, "kernel %s\n", k->name);
    if (k->scheduled != (1u << chiplets) - 1) {
        fputs("chiplets", out);
        for (uint32_t i = 0; i < chiplets; i++)
            if (k->scheduled >> i & 1)
                fprintf(out, " %" PRIu32, i);
        fputc('\n', out);
    }
    if (!k->known)
        fputs("unknown\n", out);
    for (size_t i = 0; i < k->arguments; i++)
        if (is_used(k, &k->argument[i], chiplets))
            write_argument(out, k, &k->argument[i], chiplets);
}

int ws_argument_file_write(FILE *out, const ws_chiplet_kernels *kernels, uint32_t chiplets)
{
    for (size_t i = 0; i < kernels->kernels; i++)
        write_kernel(out, &kernels->kernel[i], chiplets);
    return fflush(out) || ferror(out) ? ws_fail(WS_EIO, "cannot write the data of kernels: %s", strerror(errno))
                                      : WS_OK;
}

int ws_argument_file_save(const char *path, const ws_chiplet_kernels *kernels, uint32_t chiplets)
{
    ws_output out;
    const int status = ws_output_open(&out, path);
    return status ? status : ws_output_close(&out, ws_argument_file_write(out.stream, kernels, chiplets));
}
