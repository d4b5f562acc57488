/* words.cuh - words of a text, in the manner of Mars (B. He et al., 2008): a record says where a word is in the text, and records are
 * sorted by a bitonic network, a launch a step. What belongs to words.h. */
#ifndef WS_WORDS_CUH
#define WS_WORDS_CUH

#include "products.cuh"

struct word_record {
    int at, bytes; /* the word; no bytes: a record that fills up a sort, and comes last */
    uint hash;     /* compared before the word */
    int value;     /* compared after it */
};

DEVICE int compare_words(const uchar *text, const word_record &a, const word_record &b)
{
    const int n = min(a.bytes, b.bytes);
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        const int x = text[a.at + i], y = text[b.at + i];
        if (x != y)
            return x - y;
    }
    return a.bytes - b.bytes;
}

DEVICE bool is_same_word(const uchar *text, const word_record &a, const word_record &b)
{
    return a.hash == b.hash && a.bytes == b.bytes && compare_words(text, a, b) == 0;
}

DEVICE bool comes_before(const uchar *text, const word_record &a, const word_record &b)
{
    if (!a.bytes || !b.bytes)
        return a.bytes > 0;
    if (a.hash != b.hash)
        return a.hash < b.hash;
    const int order = compare_words(text, a, b);
    return order ? order < 0 : a.value < b.value;
}

/* A step of the network: pairs that are `apart` from each other, sorted upwards and downwards by turns of `run` records. */
DEVICE void sort_step(const uchar *text, word_record *records, int apart, int run)
{
    const int i = thread_number(), other = i ^ apart;
    if (other < i)
        return;
    const word_record a = records[i], b = records[other];
    const bool upwards = (i & run) == 0;
    if (upwards ? comes_before(text, b, a) : comes_before(text, a, b)) {
        records[i] = b;
        records[other] = a;
    }
}

#endif
