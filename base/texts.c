/* texts.c - different texts, numbered by a table of their hashes. */
#include "base/texts.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* The key of a text, or one that is free for it: two texts of one hash have keys in a row. */
static uint64_t key_of(const ws_texts *texts, const char *text, const size_t **number)
{
    uint64_t key = XXH3_64bits(text, strlen(text)) >> 1;
    while ((*number = ws_table_find(&texts->number, key)) && strcmp(texts->text[**number], text) != 0)
        key++;
    return key;
}

int ws_texts_put(ws_texts *texts, const char *text, size_t *number)
{
    const size_t *known;
    const uint64_t key = key_of(texts, text, &known);
    if (known) {
        *number = *known;
        return WS_OK;
    }
    if (!texts->count)
        texts->number = WS_TABLE(size_t);
    size_t *added = NULL;
    const int status = WS_GROW(texts->text, texts->room, texts->count, 1);
    if (!status && !(added = ws_table_put(&texts->number, key)))
        return WS_EMEM;
    if (status)
        return status;
    *number = *added = texts->count;
    texts->text[texts->count++] = text;
    return WS_OK;
}

long ws_texts_find(const ws_texts *texts, const char *text)
{
    const size_t *number;
    key_of(texts, text, &number);
    return number ? (long)*number : -1;
}

void ws_texts_fini(ws_texts *texts)
{
    free(texts->text);
    ws_table_fini(&texts->number);
    *texts = (ws_texts){.count = 0};
}
