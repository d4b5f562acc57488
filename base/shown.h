/* shown.h - escaping of external text (names, paths, cells) for terminals, figures and pages.
 *
 * Escaped text cannot control a terminal or inject markup that a page must not contain. Every message of the program
 * passes through here (cli/main.c), and so does standard output if it is a terminal. Control characters (C0, DEL, C1)
 * become "\x1b"; line feed, carriage return and tab become "\n", "\r" and "\t"; bytes that are not UTF-8 become "\xff".
 * All other text, including backslashes, stays unchanged. Machine-readable output (CSV, JSON) does not use these
 * functions. */
#ifndef WS_SHOWN_H
#define WS_SHOWN_H

#include <stddef.h>
#include <stdio.h>

/* Returns the bytes of the well-formed UTF-8 letter at the start of the text, or 0. */
size_t ws_letter_bytes(const char *text);

/* Writes at most size bytes including the NUL, cut between letters. Returns the length of the whole. `text` may not
 * overlap `to`. */
size_t ws_shown(char *to, size_t size, const char *text);

/* Returns the whole escaped text, or NULL when memory is short. The caller frees it. */
char *ws_shown_copy(const char *text);

/* Prints a message and a line feed. Arguments of %s are escaped, so that they cannot start a second line. */
void ws_show_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Opens a stream that escapes text and writes it to a file descriptor; line feeds and tabs pass unchanged. A letter may
 * be split between writes. Closing the stream leaves the descriptor open. Returns NULL when memory is short. */
FILE *ws_shown_stream(int fd);

#endif
