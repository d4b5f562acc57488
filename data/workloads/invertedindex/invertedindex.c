/* invertedindex.c - IIX: what do threads cost that read texts byte by byte, each its own? Host side of
 * invertedindex.cu. */
#include "data/workloads/harness/matrix.h"
#include "data/workloads/harness/words.h"

#include <stdio.h>

enum { THREADS = 256, MOST_PIECES = 8, PIECE_BYTES = 40 };

static const harness_size input_sizes[] = {
    {"pages", "pages of text", {64, 512, 8192}, 1, 262144, 1},
    {0},
};

typedef struct site {
    long pages;
    harness_text text;
    int *page; /* where each begins: pages + 1 */
} site;

/* Pages of words and links. Addresses are a quarter as many as pages, and the lower their number the more often they
 * are linked. */
static site make_site(harness *h)
{
    site s = {.pages = harness_get_size(h, "pages")};
    s.text.room = (size_t)s.pages * MOST_PIECES * PIECE_BYTES;
    s.text.at = harness_host(h, s.text.room, 1);
    s.page = harness_host(h, (size_t)s.pages + 1, sizeof *s.page);
    for (long i = 0; i < s.pages; i++) {
        for (unsigned pieces = 1 + harness_integer(h, MOST_PIECES); pieces > 0; pieces--) {
            char piece[PIECE_BYTES + 1];
            if (harness_integer(h, 2)) {
                const double u = harness_uniform(h, 0, 1);
                snprintf(piece, sizeof piece, "<a href=\"http://%u.org/\">%c</a> ",
                         (unsigned)(u * u * (double)(s.pages / 4 + 1)), harness_letter(h));
            } else {
                const unsigned letters = 2 + harness_integer(h, 12);
                for (unsigned k = 0; k < letters; k++)
                    piece[k] = harness_letter(h);
                memcpy(piece + letters, " ", 2);
            }
            harness_add_text(&s.text, piece);
        }
        s.page[i + 1] = (int)s.text.n;
    }
    return s;
}

/* All links, page by page. */
static size_t find_on_cpu(const site *s, harness_word *words)
{
    static const char mark[] = "href=\"";
    size_t n = 0;
    for (long i = 0; i < s->pages; i++) {
        const char *at = s->text.at + s->page[i], *const end = s->text.at + s->page[i + 1];
        while ((at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1))) {
            at += sizeof mark - 1;
            const char *const quote = memchr(at, '"', (size_t)(end - at));
            words[n++] = (harness_word){.at = (int)(at - s->text.at), .bytes = (int)(quote - at), .value = (int)i};
            at = quote;
        }
    }
    return n;
}

/* Records of the same address and page may stand in any order. */
static void check_index(harness *h, const site *s, harness_word *want, const harness_word *got, const int *length,
                        size_t n)
{
    qsort_r(want, n, sizeof *want, harness_compare_words, s->text.at);
    size_t list = 0;
    for (size_t i = 0; i < n; i++) {
        if (harness_compare_words(&got[i], &want[i], s->text.at))
            harness_wrong(h, "record %zu is of page %d where the CPU has page %d", i, got[i].value, want[i].value);
        if (i == 0 || !harness_is_same_word(s->text.at, &want[i - 1], &want[i]))
            for (list = 1; i + list < n && harness_is_same_word(s->text.at, &want[i], &want[i + list]);)
                list++;
        if (length[i] != (int)list)
            harness_wrong(h, "the list at record %zu has %d where the CPU has %zu", i, length[i], list);
        list = 0;
    }
}

/* Where each page's records begin, from how many each has. */
static size_t add_up(int *links, long pages)
{
    int sum = 0;
    for (long i = 0; i < pages; i++) {
        const int n = links[i];
        links[i] = sum;
        sum += n;
    }
    return (size_t)sum;
}

static void run(harness *h)
{
    const site s = make_site(h);
    const size_t pages = (size_t)s.pages;
    const harness_dim grid = HARNESS_DIM(harness_blocks(s.pages, THREADS)), block = HARNESS_DIM(THREADS);
    harness_word *const want = harness_host(h, pages * MOST_PIECES, sizeof *want);
    int *const links = harness_host(h, pages, sizeof *links);
    CUdeviceptr text = harness_upload(h, s.text.at, s.text.n),
                page = harness_upload(h, s.page, (pages + 1) * sizeof *s.page);
    CUdeviceptr d_links = harness_upload(h, links, pages * sizeof *links);
    int d_pages = (int)s.pages;

    HARNESS_LAUNCH(h, harness_kernel(h, "iix_count"), grid, block, 0, &text, &page, &d_links, &d_pages);
    harness_download(h, links, d_links, pages * sizeof *links);
    const size_t n = add_up(links, s.pages), found = find_on_cpu(&s, want), room = harness_sort_room(n);
    if (n != found)
        harness_wrong(h, "%zu links where the CPU finds %zu", n, found);
    harness_word *const got = harness_host(h, room, sizeof *got);
    int *const length = harness_host(h, room, sizeof *length);
    CUdeviceptr records = harness_upload(h, got, room * sizeof *got),
                d_length = harness_upload(h, length, room * sizeof *length);
    harness_write(h, d_links, links, pages * sizeof *links);
    HARNESS_LAUNCH(h, harness_kernel(h, "iix_emit"), grid, block, 0, &text, &page, &d_links, &records, &d_pages);
    harness_sort_words(h, "iix_sort", text, records, room);
    int d_n = (int)n;
    HARNESS_LAUNCH(h, harness_kernel(h, "iix_lists"), HARNESS_DIM(harness_blocks((long)room, THREADS)), block, 0, &text,
                   &records, &d_length, &d_n);
    harness_download(h, got, records, n * sizeof *got);
    harness_download(h, length, d_length, n * sizeof *length);
    check_index(h, &s, want, got, length, n);
}

HARNESS_WORKLOAD_OF("IIX", "data/workloads/invertedindex/invertedindex.ptx", run, input_sizes)
