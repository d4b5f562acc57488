/* csv_text.c - which texts need quotes in CSV? */
#include "cli/csv_text.h"

#include <string.h>

void ws_csv_text(FILE *out, const char *text)
{
    if (!text[strcspn(text, ",\"\n\r")]) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}
