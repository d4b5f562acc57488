/* csv_text.h - a text as a cell of CSV. */
#ifndef WS_CSV_TEXT_H
#define WS_CSV_TEXT_H

#include <stdio.h>

/* In quotes where RFC 4180 wants them. */
void ws_csv_text(FILE *out, const char *text);

#endif
