/* invertedindex.cu - which pages link to an address? After Mars' InvertedIndex (B. He et al., 2008); code of our own.
 *
 *   iix_count    a page a thread, byte by byte: how many links has it?
 *   iix_emit     again, now that it is known where each page's records begin: a record a link
 *   iix_sort     records by address and page, a launch a step of a bitonic network
 *   iix_lists    the first record of each address counts its list */
#include "../harness/words.cuh"

/* The next link of a page from `at` on: its address in *word. Where to go on, or `end`. */
DEVICE int find_link(const uchar *text, int at, int end, word_record *word)
{
    const char mark[] = "href=\"";
    int matched = 0;
#pragma unroll 1
    for (; at < end && matched < 6; at++) {
        const int c = text[at];
        const int wanted = matched == 0 ? mark[0] : matched == 1 ? mark[1] : matched == 2 ? mark[2] : matched == 3 ? mark[3] : matched == 4 ? mark[4] : mark[5];
        matched = c == wanted ? matched + 1 : c == mark[0] ? 1 : 0;
    }
    word->at = at;
#pragma unroll 1
    while (at < end && text[at] != '"')
        at++;
    word->bytes = at - word->at;
    return at;
}

KERNEL iix_count(const uchar *text, const int *page, int *links, int pages)
{
    const int i = thread_number();
    if (i >= pages)
        return;
    const int end = page[i + 1];
    int n = 0;
    word_record word;
#pragma unroll 1
    for (int at = page[i]; at < end;) {
        at = find_link(text, at, end, &word);
        n += word.bytes > 0;
    }
    links[i] = n;
}

KERNEL iix_emit(const uchar *text, const int *page, const int *first, word_record *records, int pages)
{
    const int i = thread_number();
    if (i >= pages)
        return;
    const int end = page[i + 1];
    int to = first[i];
    word_record word;
    word.hash = 0;
    word.value = i;
#pragma unroll 1
    for (int at = page[i]; at < end;) {
        at = find_link(text, at, end, &word);
        if (word.bytes > 0)
            records[to++] = word;
    }
}

KERNEL iix_sort(const uchar *text, word_record *records, int apart, int run)
{
    sort_step(text, records, apart, run);
}

KERNEL iix_lists(const uchar *text, const word_record *records, int *length, int n)
{
    const int i = thread_number();
    if (i >= n)
        return;
    int count = 0;
    if (i == 0 || !is_same_word(text, records[i - 1], records[i])) {
        count = 1;
#pragma unroll 1
        while (i + count < n && is_same_word(text, records[i], records[i + count]))
            count++;
    }
    length[i] = count;
}
