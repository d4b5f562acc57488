/* shown.h - text from outside (names, paths, cells) as it may be shown: what a terminal would obey or a page must not hold is written out.
 *
 * Control characters (C0, DEL, C1) become "\x1b", line feed, carriage return and tab "\n", "\r" and "\t"; bytes that are no UTF-8 become
 * "\xff". Everything else, backslashes too, stays as it is. What a program reads back (CSV, JSON) is not for this. */
#ifndef WS_SHOWN_H
#define WS_SHOWN_H

#include <stddef.h>
#include <stdio.h>

/* Writes at most size bytes, the NUL among them, cut between letters. Returns the length of the whole. `text` may not overlap `to`. */
size_t ws_shown(char *to, size_t size, const char *text);

void ws_show(FILE *out, const char *text);

#endif
