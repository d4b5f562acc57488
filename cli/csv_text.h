/* csv_text.h - output of a text as a CSV cell. */
#ifndef WS_CSV_TEXT_H
#define WS_CSV_TEXT_H

#include <stdio.h>

/* Writes the text, quoted where RFC 4180 requires it. */
void ws_csv_text(FILE *out, const char *text);

#endif
