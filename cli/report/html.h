/* html.h - the parts of the report's page: headings, tables made from frames, pictures inside the page. */
#ifndef WS_HTML_H
#define WS_HTML_H

#include "base/frame.h"
#include "plots/album.h"

#include <stdbool.h>
#include <stdio.h>

/* The page up to and including <main>, with its style sheet, and the rest behind. */
void ws_html_begin(FILE *out, const char *title, const char *subtitle);
void ws_html_end(FILE *out, const char *footer);

/* The script that makes a page of frames (embed.h) one to explore. It needs nothing from elsewhere, and may load
 * nothing: the page says so to the browser. */
void ws_html_script(FILE *out);

/* Text with the characters that mean something to HTML replaced. */
void ws_html_text(FILE *out, const char *text);

/* A section of the page; lead: a sentence or two below its heading, or NULL. */
void ws_html_section(FILE *out, const char *id, const char *title, const char *lead);
void ws_html_section_end(FILE *out);

/* bytes[0..size) as text (RFC 4648). */
void ws_html_base64(FILE *out, const unsigned char *bytes, size_t size);

/* A picture, svg[0..size), as data inside the page, with a caption. wide: never shrunk to the window, but scrolled. */
void ws_html_figure(FILE *out, const char *svg, size_t size, bool wide, const char *alt, const char *caption);

/* The pictures of a section of an album, those that are wide or those that are not. */
void ws_html_pictures(FILE *out, const ws_album *album, const char *section, bool wide);

/* A number with at most `digits` significant digits, "–" for a missing one. */
void ws_html_number(FILE *out, double value, int digits);

/* A table of the first `columns` columns of a frame (all when 0) with its labels. Values with `digits` digits. */
void ws_html_frame(FILE *out, const ws_frame *frame, size_t columns, int digits);

/* A fact at the top of the page: a number or word, and what it is. */
void ws_html_fact(FILE *out, const char *value, const char *meaning);

#endif
