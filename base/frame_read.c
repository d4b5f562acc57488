/* frame_read.c - which frame does this CSV hold, and if none, where and why?
 *
 * The whole text is read first. One pass notes where each cell lies; then the header, the label columns and the numbers
 * are taken from those places. Line and column of a defect are counted only when there is one. */
#include "base/frame.h"
#include "base/grow.h"
#include "base/input.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const ws_input ws_frame_input = {.what = "a frame (CSV)", .most_bytes = 1 << 30, .source = WS_INPUT_FIFOS};

enum { EXCERPT_BYTES = 40 };

typedef struct span { /* text[at..end); a quoted cell includes its quotes */
    size_t at, end;
} span;

typedef struct spans {
    span *item;
    size_t count, space;
} spans;

typedef struct reader {
    const char *name; /* of the stream, for messages */
    char *text;
    size_t size, at;
    spans cells, comments;
    size_t width;   /* cells of the header line */
    bool ours;      /* the first line said that this program wrote it */
    size_t *sorted; /* header cells in order of their text, to find duplicates and names */
} reader;

static int no_memory(const reader *r)
{
    return ws_fail(WS_EMEM, "%s: no memory for a frame of this size", r->name);
}

static int push(const reader *r, spans *list, size_t at, size_t end)
{
    if (WS_GROW(list->item, list->space, list->count, 1))
        return no_memory(r);
    list->item[list->count++] = (span){at, end};
    return WS_OK;
}

/* Records "name:line:column: what" for the byte at `at`; columns count characters (UTF-8). */
static int defect(const reader *r, size_t at, const char *what)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at && i < r->size; i++) {
        if (r->text[i] == '\n') {
            line++;
            column = 1;
        } else if ((r->text[i] & 0xc0) != 0x80) {
            column++;
        }
    }
    return ws_fail(WS_EINPUT, "%s:%zu:%zu: %s", r->name, line, column, what);
}

/* A printable beginning of a span, for messages. */
static const char *excerpt(const reader *r, span s, char text[EXCERPT_BYTES + 4])
{
    size_t n = s.end - s.at < EXCERPT_BYTES ? s.end - s.at : EXCERPT_BYTES;
    const bool cut = n < s.end - s.at;
    while (cut && n && (r->text[s.at + n] & 0xc0) == 0x80)
        n--; /* not in the middle of a character */
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)r->text[s.at + i];
        text[i] = c < ' ' || c == 0x7f ? ' ' : (char)c;
    }
    strcpy(text + n, cut ? "..." : "");
    return text;
}

static int slurp(reader *r, FILE *in)
{
    static const char database[] = "SQLite format 3"; /* with its zero: how they begin */
    const int status = ws_input_read_stream(in, r->name, &ws_frame_input, &r->text, &r->size);
    if (status)
        return status == WS_EMEM ? no_memory(r) : status;
    if (r->size >= sizeof database && !memcmp(r->text, database, sizeof database))
        return ws_fail(WS_EINPUT,
                       "%s: expected text (CSV), found a database, such as a results file: `warpscape metrics', "
                       "`warpscape model' and others write frames of it",
                       r->name);
    const char *zero = r->size ? memchr(r->text, '\0', r->size) : NULL;
    if (zero)
        return defect(r, (size_t)(zero - r->text), "expected text (CSV), found binary data");
    return WS_OK;
}

/* End of the line that starts at `at`, without its CR; *next is where the following line starts. */
static size_t line_end(const reader *r, size_t at, size_t *next)
{
    const char *newline = memchr(r->text + at, '\n', r->size - at);
    size_t end = newline ? (size_t)(newline - r->text) : r->size;
    *next = newline ? end + 1 : end;
    if (end > at && r->text[end - 1] == '\r')
        end--;
    return end;
}

static bool at_line_end(const reader *r, size_t at)
{
    return at == r->size || r->text[at] == '\n' ||
           (r->text[at] == '\r' && (at + 1 == r->size || r->text[at + 1] == '\n'));
}

static int scan_quoted(reader *r, span *cell)
{
    cell->at = r->at++;
    for (;;) {
        const char *quote = memchr(r->text + r->at, '"', r->size - r->at);
        if (!quote)
            return defect(r, cell->at,
                          "expected a closing '\"' for the cell that starts here, found the end of the file");
        r->at = (size_t)(quote - r->text) + 1;
        if (r->at == r->size || r->text[r->at] != '"')
            break;
        r->at++;
    }
    cell->end = r->at;
    if (r->at < r->size && r->text[r->at] != ',' && !at_line_end(r, r->at))
        return defect(r, r->at,
                      "expected a comma or the end of the line after a closing '\"'; "
                      "a '\"' inside a quoted cell is written twice");
    return WS_OK;
}

static int scan_plain(reader *r, span *cell)
{
    cell->at = r->at;
    for (; r->at < r->size; r->at++) {
        const char c = r->text[r->at];
        if (c == ',' || c == '\n')
            break;
        if (c == '"')
            return defect(r, r->at,
                          "expected no '\"' inside an unquoted cell; quote the whole cell and write '\"' twice in it");
        if (c == '\r') {
            if (at_line_end(r, r->at))
                break;
            return defect(r, r->at, "expected lines that end with LF or CR LF, found a lone CR");
        }
    }
    cell->end = r->at;
    return WS_OK;
}

/* One line of cells (more than one line when quoted cells hold newlines). */
static int scan_record(reader *r)
{
    const size_t start = r->at, first = r->cells.count;
    for (;;) {
        span cell = {r->at, r->at};
        int rc = r->at < r->size && r->text[r->at] == '"' ? scan_quoted(r, &cell) : scan_plain(r, &cell);
        if (rc == WS_OK)
            rc = push(r, &r->cells, cell.at, cell.end);
        if (rc != WS_OK)
            return rc;
        if (r->at == r->size || r->text[r->at] != ',')
            break;
        r->at++;
    }
    if (r->at < r->size && r->text[r->at] == '\r')
        r->at++;
    if (r->at < r->size)
        r->at++;
    const size_t found = r->cells.count - first;
    if (first == 0)
        r->width = found;
    if (found == r->width)
        return WS_OK;
    char what[120];
    snprintf(what, sizeof what, "expected %zu cells as in the header, found %zu", r->width, found);
    return defect(r, found > r->width ? r->cells.item[first + r->width].at : start, what);
}

/* A single header cell with another separator in it is a spreadsheet's idea of CSV. */
static int check_separator(const reader *r)
{
    const span cell = r->cells.item[0];
    if (r->width > 1 || cell.at == cell.end || r->text[cell.at] == '"')
        return WS_OK;
    for (size_t i = cell.at; i < cell.end; i++)
        if (r->text[i] == ';' || r->text[i] == '\t')
            return defect(r, i,
                          r->text[i] == ';' ? "expected cells separated by commas, found ';'"
                                            : "expected cells separated by commas, found a tab");
    return WS_OK;
}

static int scan(reader *r)
{
    if (r->size >= 3 && memcmp(r->text, "\xef\xbb\xbf", 3) == 0)
        r->at = 3; /* a byte order mark */
    while (r->at < r->size) {
        size_t next;
        const size_t end = line_end(r, r->at, &next);
        size_t blank = r->at;
        while (blank < end && (r->text[blank] == ' ' || r->text[blank] == '\t'))
            blank++;
        int rc = WS_OK;
        if (r->text[r->at] == '#') {
            rc = push(r, &r->comments, r->at, end);
            r->at = next;
        } else if (blank == end) {
            r->at = next;
        } else {
            const bool header = r->cells.count == 0;
            rc = scan_record(r);
            if (rc == WS_OK && header)
                rc = check_separator(r);
        }
        if (rc != WS_OK)
            return rc;
    }
    return r->width ? WS_OK : defect(r, r->size, "expected a header line with column names, found the end of the file");
}

/* The text of a cell without its quotes; the caller frees it. NULL when memory is short. */
static char *cell_text(const reader *r, span cell)
{
    const bool quoted = cell.end > cell.at && r->text[cell.at] == '"';
    if (!quoted)
        return strndup(r->text + cell.at, cell.end - cell.at);
    char *text = malloc(cell.end - cell.at);
    size_t n = 0;
    for (size_t i = cell.at + 1; text && i < cell.end - 1; i++) {
        text[n++] = r->text[i];
        if (r->text[i] == '"')
            i++;
    }
    if (text)
        text[n] = '\0';
    return text;
}

static bool cell_number(const reader *r, span cell, double *value)
{
    const bool quoted = cell.end > cell.at && r->text[cell.at] == '"';
    return ws_text_to_double(r->text + cell.at + quoted, cell.end - cell.at - 2 * quoted, value) == WS_OK;
}

static size_t rows_of(const reader *r)
{
    return r->cells.count / r->width - 1;
}

/* Leading columns that are text, when the file does not say: the first when any of its cells is not a number, each
 * later one when none is. With no rows to look at, the first. */
static size_t guess_labels(const reader *r)
{
    const size_t rows = rows_of(r);
    size_t labels = rows == 0;
    for (size_t j = 0; rows && j < r->width; j++) {
        size_t text = 0;
        double value;
        for (size_t i = 1; i <= rows && (j > 0 ? text == i - 1 : text == 0); i++)
            text += !cell_number(r, r->cells.item[i * r->width + j], &value);
        if (j > 0 ? text < rows : text == 0)
            break;
        labels++;
    }
    return labels;
}

static bool starts_with(const reader *r, span s, const char *word, span *rest)
{
    const size_t n = strlen(word);
    if (s.end - s.at < n || memcmp(r->text + s.at, word, n) != 0)
        return false;
    *rest = (span){s.at + n, s.end};
    return true;
}

/* The text of a comment line without '#' and one blank. */
static span comment_body(const reader *r, span s)
{
    s.at++;
    if (s.at < s.end && r->text[s.at] == ' ')
        s.at++;
    return s;
}

static bool span_size(const reader *r, span s, size_t max, size_t *value)
{
    char text[24];
    while (s.at < s.end && r->text[s.at] == ' ')
        s.at++;
    if (s.end - s.at >= sizeof text)
        return false;
    memcpy(text, r->text + s.at, s.end - s.at);
    text[s.end - s.at] = '\0';
    return ws_text_to_size(text, max, value) == WS_OK;
}

/* "# warpscape frame N": is it ours, and a version we know? */
static int check_version(reader *r)
{
    for (size_t i = 0; i < r->comments.count; i++) {
        span rest;
        size_t version;
        if (!starts_with(r, comment_body(r, r->comments.item[i]), "warpscape frame ", &rest))
            continue;
        if (!span_size(r, rest, 999, &version) || version == 0)
            return defect(r, rest.at, "expected the version of the frame format, a whole number");
        if (version > 1) {
            defect(r, rest.at,
                   "this frame was written in a newer format; this program reads format 1, please update it");
            return WS_EVERSION;
        }
        r->ours = true;
    }
    return WS_OK;
}

/* "# labels: N"; *labels is left alone when there is no such line. */
static int find_labels(const reader *r, size_t *labels)
{
    for (size_t i = 0; i < r->comments.count; i++) {
        span rest;
        if (!starts_with(r, comment_body(r, r->comments.item[i]), "labels:", &rest))
            continue;
        if (span_size(r, rest, r->width, labels))
            continue;
        if (r->ours)
            return defect(r, rest.at, "expected the number of leading text columns, at most as many as the header has");
    }
    return WS_OK;
}

static int compare_names(const void *a, const void *b, void *context)
{
    const ws_frame *frame = context;
    const size_t i = *(const size_t *)a, j = *(const size_t *)b;
    const char *const x = i < frame->labels ? frame->label_names[i] : frame->column[i - frame->labels].name;
    const char *const y = j < frame->labels ? frame->label_names[j] : frame->column[j - frame->labels].name;
    const int order = strcmp(x, y);
    return order ? order : (i > j) - (i < j);
}

static const char *header_name(const ws_frame *frame, size_t i)
{
    return i < frame->labels ? frame->label_names[i] : frame->column[i - frame->labels].name;
}

/* Names into the frame, each once. `made`: the frame has a label column that the file does not have. */
static int take_header(reader *r, ws_frame *frame, bool made)
{
    const size_t names = frame->labels + frame->columns;
    r->sorted = malloc(names * sizeof *r->sorted);
    if (!r->sorted)
        return no_memory(r);
    for (size_t i = made; i < names; i++) {
        char *name = cell_text(r, r->cells.item[i - made]);
        if (!name)
            return no_memory(r);
        if (!*name && i >= frame->labels) {
            free(name);
            return defect(r, r->cells.item[i - made].at, "expected a column name, found an empty cell");
        }
        char **place = i < frame->labels ? &frame->label_names[i] : &frame->column[i - frame->labels].name;
        free(*place);
        *place = name;
    }
    for (size_t i = 0; i < names; i++)
        r->sorted[i] = i;
    qsort_r(r->sorted, names, sizeof *r->sorted, compare_names, frame);
    for (size_t i = 1; i < names; i++) {
        const char *name = header_name(frame, r->sorted[i]);
        if (strcmp(name, header_name(frame, r->sorted[i - 1])) != 0)
            continue;
        char what[160];
        snprintf(what, sizeof what, "expected column names that differ, found '%.80s' again", name);
        return defect(r, r->cells.item[r->sorted[i] - made].at, what);
    }
    return WS_OK;
}

/* The column of that name by binary search, or NULL. */
static ws_column *find_sorted(const reader *r, ws_frame *frame, const char *name)
{
    size_t low = 0, high = frame->labels + frame->columns;
    while (low < high) {
        const size_t middle = low + (high - low) / 2, i = r->sorted[middle];
        const int order = strcmp(header_name(frame, i), name);
        if (order == 0)
            return i < frame->labels ? NULL : &frame->column[i - frame->labels];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

/* Percent-decoded copy of a span; *text is NULL when memory is short. False when the encoding is broken. */
static bool decode(const reader *r, span s, char **text)
{
    char *const copy = malloc(s.end - s.at + 1);
    size_t n = 0;
    *text = copy;
    for (size_t i = s.at; copy && i < s.end; i++) {
        copy[n++] = r->text[i];
        if (r->text[i] != '%')
            continue;
        const int high = i + 2 < s.end ? hex_digit(r->text[i + 1]) : -1;
        const int low = i + 2 < s.end ? hex_digit(r->text[i + 2]) : -1;
        if (high < 0 || low < 0 || high + low == 0)
            return false;
        copy[n - 1] = (char)(16 * high + low);
        i += 2;
    }
    if (copy)
        copy[n] = '\0';
    return true;
}

/* The next blank-separated word; false at the end. */
static bool next_word(const reader *r, span *rest, span *word)
{
    while (rest->at < rest->end && r->text[rest->at] == ' ')
        rest->at++;
    word->at = rest->at;
    while (rest->at < rest->end && r->text[rest->at] != ' ')
        rest->at++;
    word->end = rest->at;
    return word->end > word->at;
}

/* "NAME unit=UNIT group=GROUP". WS_EINPUT with the message recorded. */
static int take_column(const reader *r, ws_frame *frame, span rest)
{
    span word, value;
    char *text = NULL;
    if (!next_word(r, &rest, &word) || !decode(r, word, &text) || !text) {
        free(text);
        return defect(r, rest.at, "expected a percent-encoded column name after 'column'");
    }
    ws_column *column = find_sorted(r, frame, text);
    free(text);
    if (!column)
        return defect(r, word.at, "expected the name of a number column of the header");
    while (next_word(r, &rest, &word)) {
        const bool unit = starts_with(r, word, "unit=", &value);
        if (!unit && !starts_with(r, word, "group=", &value))
            return defect(r, word.at, "expected unit=UNIT or group=GROUP");
        if (!decode(r, value, &text) || !text) {
            free(text);
            return defect(r, value.at, "expected a percent-encoded text: '%' and two hexadecimal digits, not 00");
        }
        char **place = unit ? &column->unit : &column->group;
        free(*place);
        *place = text;
    }
    return WS_OK;
}

/* Comments become column descriptions or notes. What looks like the former but is none is a defect in a frame of ours
 * and a note in a foreign one. */
static int take_comments(const reader *r, ws_frame *frame)
{
    for (size_t i = 0; i < r->comments.count; i++) {
        const span body = comment_body(r, r->comments.item[i]);
        span rest;
        size_t number;
        int rc = WS_EINPUT;
        if (body.at == body.end || starts_with(r, body, "warpscape frame ", &rest))
            continue;
        if (starts_with(r, body, "labels:", &rest) && span_size(r, rest, r->width, &number))
            continue;
        if (starts_with(r, body, "column ", &rest)) {
            rc = take_column(r, frame, rest);
            if (rc != WS_OK && r->ours)
                return rc;
        }
        if (rc != WS_OK)
            rc = ws_frame_note(frame, "%.*s", (int)(body.end - body.at < 1000000 ? body.end - body.at : 1000000),
                               r->text + body.at);
        if (rc != WS_OK)
            return rc;
    }
    return WS_OK;
}

static int take_rows(const reader *r, ws_frame *frame, bool made)
{
    for (size_t i = 0; i < frame->rows; i++) {
        const span *cell = r->cells.item + (i + 1) * r->width;
        for (size_t l = 0; l < frame->labels; l++) {
            char *text = NULL;
            if (!made)
                text = cell_text(r, *cell++);
            else if (asprintf(&text, "%zu", i + 1) < 0)
                text = NULL;
            if (!text)
                return no_memory(r);
            free(frame->label[i * frame->labels + l]);
            frame->label[i * frame->labels + l] = text;
        }
        for (size_t j = 0; j < frame->columns; j++, cell++) {
            if (cell_number(r, *cell, &frame->value[i * frame->columns + j]))
                continue;
            char found[EXCERPT_BYTES + 4], what[300];
            snprintf(what, sizeof what,
                     "expected a number in column '%.80s', found '%s'; a missing value is written NA, text columns "
                     "stand first",
                     frame->column[j].name, excerpt(r, *cell, found));
            return defect(r, cell->at, what);
        }
    }
    return WS_OK;
}

/* A name for a label column of row numbers that no column of the file has. */
static int name_rows(const reader *r, ws_frame *frame)
{
    for (unsigned i = 1;; i++) {
        char name[24] = "row";
        if (i > 1)
            snprintf(name, sizeof name, "row_%u", i);
        bool taken = false;
        for (size_t j = 0; j < r->width && !taken; j++) {
            char *other = cell_text(r, r->cells.item[j]);
            if (!other)
                return no_memory(r);
            taken = strcmp(other, name) == 0;
            free(other);
        }
        if (taken)
            continue;
        char *copy = strdup(name);
        if (!copy)
            return no_memory(r);
        free(frame->label_names[0]);
        frame->label_names[0] = copy;
        return WS_OK;
    }
}

static int build(reader *r, ws_frame **out)
{
    size_t labels = guess_labels(r);
    int rc = check_version(r);
    if (rc == WS_OK)
        rc = find_labels(r, &labels);
    if (rc != WS_OK)
        return rc;
    const bool made = labels == 0;
    ws_frame *frame = ws_frame_create(rows_of(r), r->width - labels, labels, NULL);
    if (!frame)
        return no_memory(r);
    if (made)
        rc = name_rows(r, frame);
    if (rc == WS_OK)
        rc = take_header(r, frame, made);
    if (rc == WS_OK)
        rc = take_comments(r, frame);
    if (rc == WS_OK)
        rc = take_rows(r, frame, made);
    return ws_frame_give(rc, frame, out);
}

/* Lines on which rows begin, in one pass: rows lie one after the other. */
static int count_lines(const reader *r, size_t **out)
{
    size_t *const line = malloc((rows_of(r) + 1) * sizeof *line), number = 1, at = 0;
    if (!line)
        return no_memory(r);
    for (size_t i = 0; i < rows_of(r); i++) {
        for (const size_t end = r->cells.item[(i + 1) * r->width].at; at < end; at++)
            number += r->text[at] == '\n';
        line[i] = number;
    }
    *out = line;
    return WS_OK;
}

int ws_frame_read_lines(FILE *in, const char *name, ws_frame **out, size_t **line)
{
    reader r = {.name = name};
    if (line)
        *line = NULL;
    int rc = slurp(&r, in);
    if (rc == WS_OK)
        rc = scan(&r);
    if (rc == WS_OK && line)
        rc = count_lines(&r, line);
    if (rc == WS_OK)
        rc = build(&r, out);
    if (rc != WS_OK && line) {
        free(*line);
        *line = NULL;
    }
    free(r.text);
    free(r.cells.item);
    free(r.comments.item);
    free(r.sorted);
    return rc;
}

int ws_frame_read(FILE *in, const char *name, ws_frame **out)
{
    return ws_frame_read_lines(in, name, out, NULL);
}

int ws_frame_load(const char *path, ws_frame **out)
{
    if (strcmp(path, "-") == 0)
        return ws_frame_read(stdin, "stdin", out);
    FILE *in;
    int rc = ws_input_open_stream(path, &ws_frame_input, &in);
    if (rc == WS_OK) {
        rc = ws_frame_read(in, path, out);
        fclose(in);
    }
    return rc;
}
