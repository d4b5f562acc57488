/* words.h - host side of words.cuh: a text that grows, records of its words, and sorting them on the device and on the
 * CPU. */
#ifndef WS_HARNESS_WORDS_H
#define WS_HARNESS_WORDS_H

#include "data/workloads/harness/harness.h"

#include <stdlib.h>
#include <string.h>

typedef struct harness_word { /* as word_record in words.cuh */
    int at, bytes;
    unsigned hash;
    int value;
} harness_word;

typedef struct harness_text {
    char *at; /* the harness's */
    size_t n, room;
} harness_text;

static inline void harness_add_text(harness_text *text, const char *more)
{
    const size_t n = strlen(more);
    memcpy(text->at + text->n, more, n < text->room - text->n ? n : text->room - text->n);
    text->n += n < text->room - text->n ? n : text->room - text->n;
}

/* A small letter, drawn. */
static inline char harness_letter(harness *h)
{
    return (char)('a' + harness_integer(h, 26));
}

/* How many records a sort of n takes: a power of two. */
static inline size_t harness_sort_room(size_t n)
{
    size_t room = 2;
    while (room < n)
        room *= 2;
    return room;
}

/* All steps of a sort of `room` records by a kernel with the parameters text, records, apart, run. */
static inline void harness_sort_words(harness *h, const char *kernel, CUdeviceptr text, CUdeviceptr records,
                                      size_t room)
{
    enum { SORTERS = 256 };
    const size_t threads = room < SORTERS ? room : SORTERS;
    for (int run = 2; (size_t)run <= room; run *= 2)
        for (int apart = run / 2; apart > 0; apart /= 2)
            HARNESS_LAUNCH(h, harness_kernel(h, kernel), HARNESS_DIM(room / threads), HARNESS_DIM(threads), 0, &text,
                           &records, &apart, &run);
}

/* qsort_r's: hash, word, value. */
static inline int harness_compare_words(const void *left, const void *right, void *text)
{
    const harness_word *const a = left, *const b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    const int n = a->bytes < b->bytes ? a->bytes : b->bytes;
    const int order = memcmp((const char *)text + a->at, (const char *)text + b->at, (size_t)n);
    if (order || a->bytes != b->bytes)
        return order ? order : a->bytes - b->bytes;
    return (a->value > b->value) - (a->value < b->value);
}

static inline int harness_is_same_word(const char *text, const harness_word *a, const harness_word *b)
{
    return a->bytes == b->bytes && !memcmp(text + a->at, text + b->at, (size_t)a->bytes);
}

#endif
