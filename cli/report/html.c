/* html.c - how does the report's page say things? */
#include "base/shown.h"
#include "cli/report/html.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Style and script are part of the program, and of every page. A file of the script is a line here, and one of the
 * Makefile's. */
#define PAGE(file) ".incbin \"cli/report/page/" file "\"\n"
__asm__(".pushsection .rodata\n"
        ".global ws_report_css\nws_report_css:\n.incbin \"cli/report/report.css\"\n" PAGE(
            "explore.css") ".byte 0\n"
                           ".global ws_report_script\nws_report_script:\n" PAGE("dom.js") PAGE("data.js")
                               PAGE("state.js") PAGE("tip.js") PAGE("tree.js") PAGE("table.js") PAGE("axes.js")
                                   PAGE("scatter.js") PAGE("dendrogram.js") PAGE("heatmap.js") PAGE("kernels.js")
                                       PAGE("compare.js") PAGE("main.js") ".byte 0\n.popsection\n");
extern const char ws_report_css[], ws_report_script[];

/* A letter, or what stands for it where it would be markup. */
static void write_letter(FILE *out, char letter)
{
    switch (letter) {
    case '&':
        fputs("&amp;", out);
        break;
    case '<':
        fputs("&lt;", out);
        break;
    case '>':
        fputs("&gt;", out);
        break;
    case '"':
        fputs("&quot;", out);
        break;
    default:
        fputc(letter, out);
    }
}

/* Control characters, and bytes that are no UTF-8, a page must not hold. */
void ws_html_text(FILE *out, const char *text)
{
    char *const shown = ws_shown_copy(text);
    for (const char *c = shown ? shown : ""; *c; c++)
        write_letter(out, *c);
    free(shown);
}

void ws_html_begin(FILE *out, const char *title, const char *subtitle)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
          "'unsafe-inline'; "
          "script-src 'unsafe-inline'\">\n<title>",
          out);
    ws_html_text(out, title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>", ws_report_css);
    ws_html_text(out, title);
    fputs("</h1>\n<p>", out);
    ws_html_text(out, subtitle);
    fputs("</p>\n</header>\n<main>\n", out);
}

void ws_html_end(FILE *out, const char *footer)
{
    fputs("</main>\n<footer>", out);
    ws_html_text(out, footer);
    fputs("</footer>\n</body>\n</html>\n", out);
}

void ws_html_script(FILE *out)
{
    fprintf(out, "<script type=\"module\">\n%s</script>\n", ws_report_script);
}

void ws_html_section(FILE *out, const char *id, const char *title, const char *lead)
{
    fprintf(out, "<section id=\"%s\">\n<h2>", id);
    ws_html_text(out, title);
    fputs("</h2>\n", out);
    if (lead) {
        fputs("<p>", out);
        ws_html_text(out, lead);
        fputs("</p>\n", out);
    }
}

void ws_html_section_end(FILE *out)
{
    fputs("</section>\n", out);
}

void ws_html_base64(FILE *out, const unsigned char *bytes, size_t size)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t n = size - i < 3 ? size - i : 3;
        uint32_t word = (uint32_t)bytes[i] << 16;
        if (n > 1)
            word |= (uint32_t)bytes[i + 1] << 8;
        if (n > 2)
            word |= bytes[i + 2];
        fputc(digit[word >> 18], out);
        fputc(digit[word >> 12 & 63], out);
        fputc(n > 1 ? digit[word >> 6 & 63] : '=', out);
        fputc(n > 2 ? digit[word & 63] : '=', out);
    }
}

void ws_html_figure(FILE *out, const char *svg, size_t size, bool wide, const char *alt, const char *caption)
{
    fprintf(out, "<figure%s><div><img alt=\"", wide ? " class=\"wide\"" : "");
    ws_html_text(out, alt);
    fputs("\" src=\"data:image/svg+xml;base64,", out);
    ws_html_base64(out, (const unsigned char *)svg, size);
    fputs("\"></div><figcaption>", out);
    ws_html_text(out, caption);
    fputs("</figcaption></figure>\n", out);
}

void ws_html_pictures(FILE *out, const ws_album *album, const char *section, bool wide)
{
    size_t n = 0;
    for (size_t i = 0; i < album->pictures; i++)
        n += !strcmp(album->picture[i].section, section) && album->picture[i].wide == wide;
    if (!n)
        return;
    if (!wide)
        fputs("<div class=\"row\">\n", out);
    for (size_t i = 0; i < album->pictures; i++) {
        const ws_picture *p = &album->picture[i];
        if (!strcmp(p->section, section) && p->wide == wide)
            ws_html_figure(out, p->svg, p->size, wide, p->words ? p->words : p->title, p->caption);
    }
    if (!wide)
        fputs("</div>\n", out);
}

void ws_html_number(FILE *out, double value, int digits)
{
    if (!isfinite(value)) {
        fputs(isnan(value) ? "–" : value > 0 ? "∞" : "−∞", out);
        return;
    }
    char text[64];
    /* Whole numbers in full, with thin spaces between thousands. */
    if (value == floor(value) && fabs(value) < 1e15) {
        snprintf(text, sizeof text, "%.0f", fabs(value));
        if (value < 0)
            fputs("−", out);
        for (size_t i = 0, n = strlen(text); i < n; i++) {
            if (i && (n - i) % 3 == 0 && n > 4)
                fputs("\u202f", out);
            fputc(text[i], out);
        }
        return;
    }
    snprintf(text, sizeof text, "%.*g", digits, fabs(value));
    fprintf(out, "%s%s", value < 0 ? "−" : "", text);
}

static void write_header(FILE *out, const ws_frame *frame, size_t columns)
{
    fputs("<tr>", out);
    for (size_t l = 0; l < frame->labels; l++) {
        fputs("<th>", out);
        ws_html_text(out, frame->label_names[l]);
        fputs("</th>", out);
    }
    for (size_t j = 0; j < columns; j++) {
        fputs("<th class=\"n\">", out);
        ws_html_text(out, frame->column[j].name);
        if (*frame->column[j].unit) {
            fputs(" <span class=\"unit\">", out);
            ws_html_text(out, frame->column[j].unit);
            fputs("</span>", out);
        }
        fputs("</th>", out);
    }
    fputs("</tr>\n", out);
}

void ws_html_frame(FILE *out, const ws_frame *frame, size_t columns, int digits)
{
    const size_t shown = columns && columns < frame->columns ? columns : frame->columns;
    fputs("<div class=\"scroll\"><table>\n", out);
    write_header(out, frame, shown);
    for (size_t i = 0; i < frame->rows; i++) {
        fputs("<tr>", out);
        for (size_t l = 0; l < frame->labels; l++) {
            fputs("<td>", out);
            ws_html_text(out, frame->label[i * frame->labels + l]);
            fputs("</td>", out);
        }
        for (size_t j = 0; j < shown; j++) {
            fputs("<td class=\"n\">", out);
            ws_html_number(out, frame->value[i * frame->columns + j], digits);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

void ws_html_fact(FILE *out, const char *value, const char *meaning)
{
    fputs("<div><dt>", out);
    ws_html_text(out, value);
    fputs("</dt><dd>", out);
    ws_html_text(out, meaning);
    fputs("</dd></div>\n", out);
}
