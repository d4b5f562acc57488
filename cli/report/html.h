/* html.h - elements of the report's page: headings, tables from frames, embedded pictures. */
#ifndef WS_HTML_H
#define WS_HTML_H

#include "base/frame.h"
#include "plots/album.h"

#include <stdbool.h>
#include <stdio.h>

/* Write the page up to and including <main>, with its style sheet, and the remainder. */
void ws_html_begin(FILE *out, const char *title, const char *subtitle);
void ws_html_end(FILE *out, const char *footer);

/* Writes the script that makes a page of frames (embed.h) interactive. It needs no external resources, and the page's
 * policy forbids the browser to load any. */
void ws_html_script(FILE *out);

/* Writes a text with HTML special characters replaced. */
void ws_html_text(FILE *out, const char *text);

/* Begins a section; lead: one or two sentences below its heading, or NULL. */
void ws_html_section(FILE *out, const char *id, const char *title, const char *lead);
void ws_html_section_end(FILE *out);

/* Writes bytes[0..size) as base64 (RFC 4648). */
void ws_html_base64(FILE *out, const unsigned char *bytes, size_t size);

/* Writes a picture, svg[0..size), as inline data with a caption. wide: scrolled instead of shrunk to the window. */
void ws_html_figure(FILE *out, const char *svg, size_t size, bool wide, const char *alt, const char *caption);

/* Writes the pictures of an album's section, either the wide ones or the others. */
void ws_html_pictures(FILE *out, const ws_album *album, const char *section, bool wide);

/* Writes a number with at most `digits` significant digits, "–" if missing. */
void ws_html_number(FILE *out, double value, int digits);

/* Writes a table of the first `columns` columns of a frame (0: all) with its labels. Values with `digits` digits. */
void ws_html_frame(FILE *out, const ws_frame *frame, size_t columns, int digits);

/* Writes a fact at the top of the page: a number or word, and its meaning. */
void ws_html_fact(FILE *out, const char *value, const char *meaning);

#endif
