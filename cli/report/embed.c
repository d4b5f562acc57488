/* embed.c - how do frames get into a page, whatever their rows are called and however many there are? */
#include "cli/report/embed.h"

#include "base/shown.h"
#include "base/text.h"
#include "cli/report/html.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Letters that would end the element, or begin markup or an entity; U+2028 and U+2029 end lines in older scripts. */
static void write_letter(FILE *out, const char *at, size_t *used)
{
    static const char separator[] = "\xe2\x80"; /* of U+2028, U+2029 */
    *used = 1;
    if (!strncmp(at, separator, 2) && (at[2] == '\xa8' || at[2] == '\xa9')) {
        fprintf(out, "\\u202%c", at[2] == '\xa8' ? '8' : '9');
        *used = 3;
    } else if (strchr("<>&'", *at)) {
        fprintf(out, "\\u%04x", *at);
    } else if (*at == '"' || *at == '\\') {
        fprintf(out, "\\%c", *at);
    } else {
        fputc(*at, out);
    }
}

/* A line feed and the like are letters of the text, and JSON has names for them; the rest that a page must not hold is
 * shown. */
static void write_piece(FILE *out, const char *piece)
{
    char *const shown = ws_shown_copy(piece);
    size_t used;
    for (const char *at = shown ? shown : ""; *at; at += used)
        write_letter(out, at, &used);
    free(shown);
}

void ws_embed_text(FILE *out, const char *text)
{
    static const char breaks[] = "\n\r\t", names[] = "nrt";
    fputc('"', out);
    for (size_t n; *text; text += n) {
        const char *const known = strchr(breaks, *text);
        n = known ? 1 : strcspn(text, breaks);
        if (known) {
            fprintf(out, "\\%c", names[known - breaks]);
            continue;
        }
        char *const piece = strndup(text, n);
        write_piece(out, piece ? piece : "");
        free(piece);
    }
    fputc('"', out);
}

/* With so many digits; 0: as it is. */
static double rounded(double value, int digits)
{
    if (!digits || !isfinite(value))
        return value;
    const int digit =
        value ? (int)floor(log10(fabs(value))) - digits + 1 : 0; /* the power of ten that the last one counts */
    const double step = pow(10, abs(digit));
    const double near = digit > 0 ? round(value / step) * step : round(value * step) / step;
    return isfinite(near) ? near : value;
}

void ws_embed_number(FILE *out, double value, int digits)
{
    char text[WS_NUMBER_BYTES];
    if (isnan(value)) {
        fputs("null", out);
        return;
    }
    if (isinf(value)) {
        fputs(value > 0 ? "1e999" : "-1e999", out);
        return;
    }
    ws_text_from_double(rounded(value, digits), text); /* as short as may be, whatever the locale */
    fputs(text, out);
}

ws_embed_part ws_embed_part_of(const ws_frame *frame)
{
    const size_t width = frame->columns + frame->labels, all = frame->rows * width;
    ws_embed_part part = {.step = 1,
                          .rows = frame->rows,
                          .columns = frame->columns,
                          .digits = all > WS_EMBED_EXACT ? WS_EMBED_DIGITS : 0};
    if (all <= WS_EMBED_VALUES)
        return part;
    const size_t fit = WS_EMBED_VALUES / frame->rows; /* cells of a row */
    const size_t least = frame->columns < WS_EMBED_COLUMNS ? frame->columns : WS_EMBED_COLUMNS;
    part.columns = fit > frame->labels + least ? fit - frame->labels : least;
    const size_t most =
        WS_EMBED_VALUES / (part.columns + frame->labels); /* rows; one at least, however many labels somebody wrote */
    part.step = most ? (frame->rows + most - 1) / most : frame->rows;
    part.rows = (frame->rows + part.step - 1) / part.step;
    return part;
}

/* Writes what stands between two values. */
static void separate(FILE *out, size_t index)
{
    if (index)
        fputc(',', out);
}

static void write_columns(FILE *out, const ws_frame *frame, size_t columns)
{
    fputs("\"columns\":[", out);
    for (size_t j = 0; j < columns; j++) {
        const ws_column *const c = &frame->column[j];
        separate(out, j);
        fputs("{\"name\":", out);
        ws_embed_text(out, c->name);
        fputs(",\"unit\":", out);
        ws_embed_text(out, c->unit);
        fputs(",\"group\":", out);
        ws_embed_text(out, c->group);
        fputc('}', out);
    }
    fputs("]", out);
}

static void write_texts(FILE *out, char *const *text, size_t n, size_t stride)
{
    fputc('[', out);
    for (size_t i = 0; i < n; i++) {
        separate(out, i);
        ws_embed_text(out, text[i * stride]);
    }
    fputc(']', out);
}

static void write_labels(FILE *out, const ws_frame *frame, const ws_embed_part *part)
{
    for (size_t l = 0; l < frame->labels; l++) {
        fputc('\n', out);
        write_texts(out, frame->label + l, part->rows, part->step * frame->labels);
    }
}

static void embed_numbers(FILE *out, const double *value, size_t n, size_t stride, int digits)
{
    fputc('[', out);
    for (size_t i = 0; i < n; i++) {
        separate(out, i);
        ws_embed_number(out, value[i * stride], digits);
    }
    fputc(']', out);
}

/* Does a number of single precision have the digits? Where it does not reach (FLT_MIN .. FLT_MAX) it has fewer, or
 * none. */
static bool is_single(double value)
{
    return value == 0 || !isfinite(value) || (fabs(value) > 2.0 * FLT_MIN && fabs(value) < FLT_MAX / 2.0);
}

/* Bytes of single precision, the lowest first (IEEE 754); NULL when numbers do not fit, or memory does not. */
static unsigned char *single_bytes(const double *value, size_t n, size_t stride, int digits)
{
    unsigned char *const byte = malloc(n * sizeof(float) + 1);
    for (size_t i = 0; byte && i < n; i++) {
        if (!is_single(value[i * stride])) {
            free(byte);
            return NULL;
        }
        const float single = (float)rounded(value[i * stride], digits);
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        for (size_t b = 0; b < sizeof bits; b++)
            byte[i * sizeof bits + b] = (unsigned char)(bits >> 8 * b);
    }
    return byte;
}

void ws_embed_singles(FILE *out, const double *value, size_t n, size_t stride, int digits)
{
    unsigned char *const byte = digits > FLT_DIG ? NULL : single_bytes(value, n, stride, digits);
    if (!byte) {
        embed_numbers(out, value, n, stride, digits);
        return;
    }
    fputc('"', out);
    ws_html_base64(out, byte, n * sizeof(float));
    fputc('"', out);
    free(byte);
}

static void write_values(FILE *out, const ws_frame *frame, const ws_embed_part *part)
{
    void (*const write)(FILE *, const double *, size_t, size_t, int) = part->digits ? ws_embed_singles : embed_numbers;
    for (size_t j = 0; j < part->columns; j++) {
        fputc('\n', out);
        write(out, frame->value + j, part->rows, part->step * frame->columns, part->digits);
    }
}

void ws_embed_frame(FILE *out, const char *file, const char *meaning, const ws_frame *frame)
{
    const ws_embed_part part = ws_embed_part_of(frame);
    fprintf(out,
            "<script type=\"application/json\" class=\"frame\" id=\"frame-%s\">{\"name\":\"%s\",\"meaning\":", file,
            file);
    ws_embed_text(out, meaning);
    fprintf(out, ",\"rows\":%zu,\"step\":%zu,\"wholeColumns\":%zu,\"digits\":%d,\"notes\":", frame->rows, part.step,
            frame->columns, part.digits);
    write_texts(out, frame->note, frame->notes, 1);
    fputs(",\"labels\":", out);
    write_texts(out, frame->label_names, frame->labels, 1);
    fputc(',', out);
    write_columns(out, frame, part.columns);
    fputc('}', out);
    write_labels(out, frame, &part);
    write_values(out, frame, &part);
    fputs("</script>\n", out);
}
