/* pageviews.c - PVC: sorting by hashes, where words are looked at when those are equal. Host side of pageviews.cu. */
#include "data/workloads/harness/matrix.h"
#include "data/workloads/harness/words.h"

#include <stdio.h>

enum { THREADS = 256, LINE_BYTES = 64, VISITORS = 50 };

static const harness_size input_sizes[] = {
    {"lines", "lines of the log", {200, 2000, 30000}, 1, 1048576, 1},
    {0},
};

/* A line is an address, a blank and a visitor's number. Addresses are a tenth as many as lines; those with low numbers
 * are viewed most. */
static harness_text make_log(harness *h, long lines, int *line)
{
    harness_text text = {.room = (size_t)lines * LINE_BYTES};
    text.at = harness_host(h, text.room, 1);
    for (long i = 0; i < lines; i++) {
        const double u = harness_uniform(h, 0, 1);
        char one[LINE_BYTES + 1];
        snprintf(one, sizeof one, "http://www.%u.org/page.html %u\n", (unsigned)(u * u * (double)(lines / 10 + 1)),
                 harness_integer(h, VISITORS));
        line[i] = (int)text.n;
        harness_add_text(&text, one);
    }
    return text;
}

static harness_word parse_on_cpu(const harness_text *text, int at)
{
    harness_word word = {.at = at, .hash = 2166136261u, .value = atoi(strchr(text->at + at, ' '))};
    for (; text->at[at + word.bytes] != ' '; word.bytes++)
        word.hash = (word.hash ^ (unsigned char)text->at[at + word.bytes]) * 16777619u;
    return word;
}

static void count_on_cpu(const harness_text *text, const harness_word *words, size_t n, int *views, int *visitors)
{
    for (size_t i = 0, first = 0; i < n; i++) {
        const int begins = i == 0 || !harness_is_same_word(text->at, &words[i - 1], &words[i]);
        first = begins ? i : first;
        views[first]++;
        visitors[first] += begins || words[i].value != words[i - 1].value;
    }
}

static void run(harness *h)
{
    const long lines = harness_get_size(h, "lines");
    const size_t n = (size_t)lines, room = harness_sort_room(n);
    int *const line = harness_host(h, n, sizeof *line);
    const harness_text log = make_log(h, lines, line);
    harness_word *const words = harness_host(h, room, sizeof *words);
    int *const got = harness_host(h, n, sizeof *got);
    int *const views = harness_host(h, n, sizeof *views), *const visitors = harness_host(h, n, sizeof *visitors);
    CUdeviceptr text = harness_upload(h, log.at, log.n), d_line = harness_upload(h, line, n * sizeof *line);
    CUdeviceptr records = harness_upload(h, words, room * sizeof *words);
    CUdeviceptr d_views = harness_device(h, n * sizeof *got), d_visitors = harness_device(h, n * sizeof *got);
    const harness_dim grid = HARNESS_DIM(harness_blocks(lines, THREADS)), block = HARNESS_DIM(THREADS);
    int d_lines = (int)lines;

    HARNESS_LAUNCH(h, harness_kernel(h, "pvc_parse"), grid, block, 0, &text, &d_line, &records, &d_lines);
    harness_sort_words(h, "pvc_sort", text, records, room);
    HARNESS_LAUNCH(h, harness_kernel(h, "pvc_views"), grid, block, 0, &text, &records, &d_views, &d_visitors, &d_lines);

    for (size_t i = 0; i < n; i++)
        words[i] = parse_on_cpu(&log, line[i]);
    qsort_r(words, n, sizeof *words, harness_compare_words, log.at);
    count_on_cpu(&log, words, n, views, visitors);
    harness_download(h, got, d_views, n * sizeof *got);
    harness_check_ints(h, "views", got, views, n);
    harness_download(h, got, d_visitors, n * sizeof *got);
    harness_check_ints(h, "visitors", got, visitors, n);
}

HARNESS_WORKLOAD_OF("PVC", "data/workloads/pageviews/pageviews.ptx", run, input_sizes)
