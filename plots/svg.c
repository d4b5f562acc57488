/* svg.c - what does a picture call itself? gnuplot titles an SVG "Gnuplot" and its parts by their plot commands, and
 * programs that read pictures aloud, or show a hint below the pointer, would say so. */
#include "base/shown.h"
#include "base/status.h"
#include "plots/figure_internal.h"

#include <string.h>

static const char open_mark[] = "<title>", close_mark[] = "</title>";

static void write_escaped(FILE *out, const char *text)
{
    static const struct {
        char letter;
        const char *entity;
    } entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}};
    for (; *text; text++) {
        size_t i = 0;
        while (i < sizeof entities / sizeof *entities && entities[i].letter != *text)
            i++;
        if (i < sizeof entities / sizeof *entities)
            fputs(entities[i].entity, out);
        else
            fputc(*text, out);
    }
}

/* The first title is that of the whole picture, the others are left out. */
static void write_titled(const char *svg, const char *title, FILE *out)
{
    bool titled = false;
    for (const char *open, *close; (open = strstr(svg, open_mark)) && (close = strstr(open, close_mark));
         svg = close + sizeof close_mark - 1) {
        fwrite(svg, 1, (size_t)(open - svg), out);
        if (titled)
            continue;
        fputs(open_mark, out);
        write_escaped(out, title);
        fputs(close_mark, out);
        titled = true;
    }
    fputs(svg, out);
}

int ws_svg_name(const char *title, char **bytes, size_t *size)
{
    char shown[4 * WS_NAME_BYTES], *named = NULL;
    size_t length;
    FILE *out = open_memstream(&named, &length);
    if (!out)
        return ws_fail(WS_EMEM, "out of memory");
    ws_shown(shown, sizeof shown, title);
    write_titled(*bytes, shown, out);
    if (fclose(out)) {
        free(named);
        return ws_fail(WS_EMEM, "out of memory");
    }
    free(*bytes);
    *bytes = named;
    *size = length;
    return WS_OK;
}
