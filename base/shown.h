/* shown.h - text from outside (names, paths, cells) as it may be shown: what a terminal would obey or a page must not
 * hold is written out.
 *
 * Every message of the program goes through here (cli/main.c), and what stdout gets when it is a terminal; figures and
 * pages too. Control characters (C0, DEL, C1) become "\x1b", line feed, carriage return and tab "\n", "\r" and "\t";
 * bytes that are no UTF-8 become
 * "\xff". Everything else, backslashes too, stays as it is. What a program reads back (CSV, JSON) is not for this. */
#ifndef WS_SHOWN_H
#define WS_SHOWN_H

#include <stddef.h>
#include <stdio.h>

/* Bytes of the well-formed UTF-8 letter that the text begins with; 0: it begins with none. */
size_t ws_letter_bytes(const char *text);

/* Writes at most size bytes, the NUL among them, cut between letters. Returns the length of the whole. `text` may not
 * overlap `to`. */
size_t ws_shown(char *to, size_t size, const char *text);

/* The whole of it; the caller frees it. NULL when memory is short. */
char *ws_shown_copy(const char *text);

/* A message with a line feed behind it: what stands in place of %s is shown, and makes no second line. */
void ws_show_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A stream that shows what is written to it on a file descriptor; line feeds and tabs pass, as lines and columns need
 * them. Letters may come in parts. Closing it leaves the descriptor open. NULL when memory is short. */
FILE *ws_shown_stream(int fd);

#endif
