/* card_bundle.c - what is in a file of forms? Each begins with a line "@@ NAME THREADS TEXTURE INPUTS OUTPUTS", and the
 * kernel's text is what follows. */
#include "card.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "\n@@ ";

void card_die(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("card: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(2);
}

void *card_allocate(size_t items, size_t bytes)
{
    void *out = calloc(items ? items : 1, bytes);
    if (!out)
        card_die("no memory");
    return out;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        card_die("cannot read %s", path);
    const long size = ftell(file);
    rewind(file);
    char *text = card_allocate((size_t)size + 1, 1);
    if (fread(text, 1, (size_t)size, file) != (size_t)size)
        card_die("cannot read %s", path);
    fclose(file);
    return text;
}

static void split(card_slots *slots)
{
    char copy[sizeof slots->text], *rest = NULL;
    if (!strcmp(slots->text, "-"))
        return;
    memcpy(copy, slots->text, sizeof copy);
    for (const char *type = strtok_r(copy, ",", &rest); type; type = strtok_r(NULL, ",", &rest)) {
        if (slots->count == CARD_MOST_SLOTS || strlen(type) >= CARD_TYPE_BYTES)
            card_die("types %s?", slots->text);
        strcpy(slots->type[slots->count++], type);
    }
}

/* Reads the form behind its mark, and returns the mark of the next one or NULL. */
static const char *read_form(card_form *form, const char *line)
{
    const char *end = strchr(line, '\n');
    if (!end || sscanf(line, "%159s %zu %79s %399s %399s", form->name, &form->threads, form->texture, form->inputs.text,
                       form->outputs.text) != 5)
        card_die("a form that begins with %.60s?", line);
    split(&form->inputs);
    split(&form->outputs);
    const char *next = strstr(end, mark);
    form->text = end + 1;
    form->length = next ? (size_t)(next + 1 - form->text) : strlen(form->text);
    return next;
}

void card_bundle_read(card_bundle *out, const char *path)
{
    *out = (card_bundle){.text = read_text(path)};
    const char *first = strstr(out->text, mark);
    if (!first)
        card_die("no forms in %s", path);
    out->head_length = (size_t)(first + 1 - out->text);
    size_t count = 0;
    for (const char *at = first; at; at = strstr(at + 1, mark))
        count++;
    out->forms = card_allocate(count, sizeof *out->forms);
    for (const char *at = first; at; out->count++)
        at = read_form(&out->forms[out->count], at + strlen(mark));
}
