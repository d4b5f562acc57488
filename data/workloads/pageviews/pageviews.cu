/* pageviews.cu - how often was each page viewed, and by how many visitors? After Mars' PageViewCount (B. He et al., 2008); code of our own.
 *
 *   pvc_parse    a line of a log a thread, byte by byte: the address, a hash of it, and the visitor's number
 *   pvc_sort     records by hash, address and visitor, a launch a step of a bitonic network
 *   pvc_views    the first record of each address walks along its own */
#include "../harness/words.cuh"

/* FNV-1a (G. Fowler, L. Noll, K. Vo). */
KERNEL pvc_parse(const uchar *text, const int *line, word_record *records, int lines)
{
    const int i = thread_number();
    if (i >= lines)
        return;
    int at = line[i], visitor = 0;
    word_record record;
    record.at = at;
    record.hash = 2166136261u;
#pragma unroll 1
    for (int c; (c = text[at]) != ' '; at++)
        record.hash = (record.hash ^ c) * 16777619u;
    record.bytes = at - record.at;
#pragma unroll 1
    for (int c; (c = text[++at]) != '\n';)
        visitor = visitor * 10 + c - '0';
    record.value = visitor;
    records[i] = record;
}

KERNEL pvc_sort(const uchar *text, word_record *records, int apart, int run)
{
    sort_step(text, records, apart, run);
}

KERNEL pvc_views(const uchar *text, const word_record *records, int *views, int *visitors, int n)
{
    const int i = thread_number();
    if (i >= n)
        return;
    int count = 0, different = 0;
    if (i == 0 || !is_same_word(text, records[i - 1], records[i])) {
        int last = -1;
#pragma unroll 1
        for (; i + count < n && is_same_word(text, records[i], records[i + count]); count++) {
            const int visitor = records[i + count].value;
            different += visitor != last;
            last = visitor;
        }
    }
    views[i] = count;
    visitors[i] = different;
}
