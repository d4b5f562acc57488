/* mummer.c - MUM, host side: a suffix tree in textures, reads to match, and the longest matches by a suffix array. */
#include "data/workloads/harness/harness.h"

#include <stdlib.h>
#include <string.h>

enum {
    MATCHERS = 256,
    SHORTEST = 20, /* matches that count */
    LETTERS = 5,   /* A C G T and the end of the genome */
    NONE = 0,
    ROOT = 1,
    NODE_COLUMNS = 4096,
    NODE_ROWS = 32,
    TEXT_COLUMNS = 65536,
    TEXT_ROWS = 4,
    REPEAT_EVERY = 500, /* characters of the genome between two stretches that occur before */
    LONGEST_REPEAT = 120
};

static const double CHANGED = 0.01, UNREADABLE = 0.002, /* characters of a read */
    FOREIGN = 0.3;                                      /* reads that are not from the genome */

/* Node of the tree; the edge that leads to it is genome[begin] .. genome[end - 1]. */
typedef struct node {
    int begin, end, link, depth;
    int child[LETTERS];
} node;

/* Where construction stands: E. Ukkonen, On-line construction of suffix trees, 1995. */
typedef struct tree {
    const char *text;
    int length;
    node *nodes;
    int count; /* node 0 is none */
    int at, edge, along, pending, unlinked;
} tree;

typedef struct reads {
    int count, *first, *length;
    char *text;
    int bytes, matches;
} reads;

typedef struct match {
    int node, on_edge;
} match;

static const char BASES[] = "ACGT";

static int letter_index(char c)
{
    return c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : c == 'T' ? 3 : 4;
}

/* Random bases, with stretches now and then that were there before, as genomes have them; ends with $. */
static char *make_genome(harness *h, int length)
{
    char *const genome = harness_host(h, (size_t)length + 2, 1);
    for (int i = 0; i < length;) {
        const int stretch = 1 + (int)harness_integer(h, LONGEST_REPEAT);
        if (i > REPEAT_EVERY && i + stretch < length && harness_integer(h, REPEAT_EVERY) == 0) {
            const int from = (int)harness_integer(h, (unsigned)(i - stretch));
            memcpy(genome + i, genome + from, (size_t)stretch);
            i += stretch;
        } else
            genome[i++] = BASES[harness_integer(h, 4)];
    }
    genome[length] = '$';
    return genome;
}

static int new_node(tree *t, int begin, int end)
{
    t->nodes[t->count] = (node){.begin = begin, .end = end};
    return t->count++;
}

/* The node made before in this round gets its suffix link. */
static void link_to(tree *t, int to)
{
    if (t->unlinked)
        t->nodes[t->unlinked].link = to;
    t->unlinked = to == ROOT ? NONE : to;
}

/* Cuts the edge to `child` after t->along characters and hangs a leaf for character `at` on the cut. */
static void split(tree *t, int *child, int at)
{
    node *const lower = &t->nodes[*child];
    const int cut = new_node(t, lower->begin, lower->begin + t->along), leaf = new_node(t, at, t->length);
    lower->begin += t->along;
    t->nodes[cut].child[letter_index(t->text[at])] = leaf;
    t->nodes[cut].child[letter_index(t->text[lower->begin])] = *child;
    *child = cut;
    link_to(t, cut);
}

/* One suffix more for character `at`; 0 when it, and so all shorter ones, are in the tree already. */
static int add_suffix(tree *t, int at)
{
    if (t->along == 0)
        t->edge = at;
    int *const child = &t->nodes[t->at].child[letter_index(t->text[t->edge])];
    if (*child == NONE) {
        *child = new_node(t, at, t->length);
        link_to(t, t->at);
        return 1;
    }
    const node *const next = &t->nodes[*child];
    const int length = next->end - next->begin;
    if (t->along >= length) { /* the place is behind that edge */
        t->at = *child;
        t->edge += length;
        t->along -= length;
        return add_suffix(t, at);
    }
    if (t->text[next->begin + t->along] == t->text[at]) {
        t->along++;
        link_to(t, t->at);
        return 0;
    }
    split(t, child, at);
    return 1;
}

static void add_character(tree *t, int at)
{
    t->unlinked = NONE;
    t->pending++;
    while (t->pending > 0 && add_suffix(t, at)) {
        t->pending--;
        if (t->at == ROOT && t->along > 0) {
            t->along--;
            t->edge = at - t->pending + 1;
        } else if (t->at != ROOT)
            t->at = t->nodes[t->at].link;
    }
}

static tree make_tree(harness *h, const char *genome, int length)
{
    tree t = {.text = genome, .length = length, .count = 1, .at = ROOT};
    t.nodes = harness_host(h, 2 * (size_t)length + 2, sizeof *t.nodes);
    new_node(&t, 0, 0);
    for (int i = 0; i < length; i++)
        add_character(&t, i);

    int *const stack = harness_host(h, (size_t)t.count, sizeof *stack), top = 1;
    stack[0] = ROOT;
    for (int open = top; open > 0;) {
        const node *const n = &t.nodes[stack[--open]];
        for (int c = 0; c < LETTERS; c++)
            if (n->child[c]) {
                node *const child = &t.nodes[n->child[c]];
                child->depth = n->depth + child->end - child->begin;
                stack[open++] = n->child[c];
            }
    }
    return t;
}

/* Reads of `shortest` to `longest` bases: from the genome with some wrong or unreadable bases, or foreign. */
static reads make_reads(harness *h, const char *genome, int length, int count, int shortest, int longest)
{
    reads r = {.count = count,
               .first = harness_host(h, (size_t)count, sizeof *r.first),
               .length = harness_host(h, (size_t)count, sizeof *r.length),
               .text = harness_host(h, (size_t)count * (size_t)(longest + 1), 1)};
    for (int i = 0; i < count; i++) {
        const int n = shortest + (int)harness_integer(h, (unsigned)(longest - shortest + 1));
        const int foreign = harness_uniform(h, 0, 1) < FOREIGN;
        char *const read = r.text + r.bytes;
        memcpy(read, genome + harness_integer(h, (unsigned)(length - n)), (size_t)n);
        for (int k = 0; k < n; k++) {
            const double u = harness_uniform(h, 0, 1);
            if (foreign || u < CHANGED)
                read[k] = BASES[harness_integer(h, 4)];
            else if (u < CHANGED + UNREADABLE)
                read[k] = 'N';
        }
        r.first[i] = r.bytes;
        r.length[i] = n;
        r.bytes += n + 1;
        r.matches += n + 1 - SHORTEST;
    }
    return r;
}

/* Where node or character number i lies: blocks of `rows` rows and all columns, in each of which i runs down first. */
static void place(int i, int rows, int columns, unsigned *x, unsigned *y)
{
    const int inside = i % (rows * columns), block = i / (rows * columns);
    *x = (unsigned)(inside / rows);
    *y = (unsigned)(block * rows + inside % rows);
}

static unsigned address(int i)
{
    unsigned x, y;
    place(i, NODE_ROWS, NODE_COLUMNS, &x, &y);
    return i == NONE ? NONE : x | y << 16;
}

static CUtexObject texture(harness *h, CUarray_format format, unsigned channels, size_t columns, size_t rows,
                           const void *texels)
{
    const harness_texture form = {.format = format,
                                  .channels = channels,
                                  .width = columns,
                                  .height = rows,
                                  .address = CU_TR_ADDRESS_MODE_CLAMP,
                                  .flags = CU_TRSF_READ_AS_INTEGER};
    return harness_texture_array(h, &form, texels);
}

typedef struct textures {
    CUtexObject nodes, children, genome;
} textures;

static textures make_textures(harness *h, const tree *t)
{
    const size_t a_block = NODE_COLUMNS * NODE_ROWS, node_rows = ((size_t)t->count + a_block - 1) / a_block * NODE_ROWS;
    const size_t a_text = TEXT_COLUMNS * TEXT_ROWS, text_rows = ((size_t)t->length + a_text - 1) / a_text * TEXT_ROWS;
    unsigned(*const nodes)[4] = harness_host(h, node_rows * NODE_COLUMNS, sizeof *nodes);
    unsigned(*const children)[4] = harness_host(h, node_rows * NODE_COLUMNS, sizeof *children);
    unsigned char *const genome = harness_host(h, text_rows * TEXT_COLUMNS, 1);
    unsigned x, y;
    for (int i = ROOT; i < t->count; i++) {
        const node *const n = &t->nodes[i];
        place(i, NODE_ROWS, NODE_COLUMNS, &x, &y);
        unsigned *const texel = nodes[(size_t)y * NODE_COLUMNS + x], *const child =
                                                                         children[(size_t)y * NODE_COLUMNS + x];
        texel[0] = (unsigned)n->begin;
        texel[1] = (unsigned)n->end - 1;
        texel[2] = address(n->link);
        for (int c = 0; c < LETTERS - 1; c++) /* no read goes on behind the end of the genome */
            child[c] = address(n->child[c]);
    }
    for (int i = 0; i < t->length; i++) {
        place(i, TEXT_ROWS, TEXT_COLUMNS, &x, &y);
        genome[(size_t)y * TEXT_COLUMNS + x] = (unsigned char)t->text[i];
    }
    return (textures){.nodes = texture(h, CU_AD_FORMAT_UNSIGNED_INT32, 4, NODE_COLUMNS, node_rows, nodes),
                      .children = texture(h, CU_AD_FORMAT_UNSIGNED_INT32, 4, NODE_COLUMNS, node_rows, children),
                      .genome = texture(h, CU_AD_FORMAT_UNSIGNED_INT8, 1, TEXT_COLUMNS, text_rows, genome)};
}

/* qsort has no place for an argument. */
static const char *compared;

static int compare_suffixes(const void *a, const void *b)
{
    return strcmp(compared + *(const int *)a, compared + *(const int *)b);
}

static int common(const char *a, const char *b)
{
    int n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

/* The longest prefix of `read` that occurs in the genome: it is that of one of the two neighbours in sorted order. */
static int longest_match(const char *genome, const int *sorted, int suffixes, const char *read)
{
    int low = 0, high = suffixes;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (strcmp(genome + sorted[middle], read) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const int before = low > 0 ? common(genome + sorted[low - 1], read) : 0;
    const int after = low < suffixes ? common(genome + sorted[low], read) : 0;
    return before > after ? before : after;
}

/* The length of a match, and whether the tree's characters there are those of the read. */
static int length_of(harness *h, const tree *t, const match *m, const char *read)
{
    if (m->node < ROOT || m->node >= t->count)
        harness_wrong(h, "node %d of %d", m->node, t->count - 1);
    const node *const n = &t->nodes[m->node];
    const int edge = n->end - n->begin, on_edge = m->on_edge ? m->on_edge : edge;
    const int length = n->depth - edge + on_edge;
    if (on_edge < 0 || on_edge > edge)
        harness_wrong(h, "%d characters on an edge of %d", on_edge, edge);
    if (strncmp(t->text + n->begin + on_edge - length, read, (size_t)length) != 0)
        harness_wrong(h, "node %d is not on the way of %s", m->node, read);
    return length;
}

/* Every position's longest match, or none when it is too short. */
static void check_matches(harness *h, const tree *t, const reads *r, const match *matches)
{
    const size_t n = (size_t)r->matches;
    int *const sorted = harness_host(h, (size_t)t->length, sizeof *sorted);
    int *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    for (int i = 0; i < t->length; i++)
        sorted[i] = i;
    compared = t->text;
    qsort(sorted, (size_t)t->length, sizeof *sorted, compare_suffixes);
    int k = 0;
    for (int i = 0; i < r->count; i++)
        for (int start = 0; start <= r->length[i] - SHORTEST; start++, k++) {
            const char *const read = r->text + r->first[i] + start;
            const int longest = longest_match(t->text, sorted, t->length, read);
            want[k] = longest >= SHORTEST ? longest : 0;
            got[k] = matches[k].node ? length_of(h, t, &matches[k], read) : 0;
        }
    harness_check_ints(h, "match", got, want, n);
}

static void run(harness *h)
{
    const int length = (int)harness_pick(h, 2000, 100000, 20000);
    const char *const genome = make_genome(h, length);
    const tree t = make_tree(h, genome, length + 1);
    const reads r =
        make_reads(h, genome, length, (int)harness_pick(h, 300, 10000, 50000), 25, (int)harness_pick(h, 40, 60, 25));
    const textures x = make_textures(h, &t);
    const size_t bytes = (size_t)r.matches * sizeof(match), numbers = (size_t)r.count * sizeof(int);
    CUdeviceptr matches = harness_device(h, bytes), text = harness_upload(h, r.text, (size_t)r.bytes);
    CUdeviceptr first = harness_upload(h, r.first, numbers), lengths = harness_upload(h, r.length, numbers);
    CUtexObject nodes = x.nodes, children = x.children, genome_texture = x.genome;
    int count = r.count, shortest = SHORTEST;
    HARNESS_TRY(h, cuMemsetD8(matches, 0, bytes));
    HARNESS_LAUNCH(h, harness_kernel(h, "mum_match"), HARNESS_DIM((r.count + MATCHERS - 1) / MATCHERS),
                   HARNESS_DIM(MATCHERS), 0, &matches, &text, &first, &lengths, &count, &shortest, &nodes, &children,
                   &genome_texture);
    match *const got = harness_host(h, (size_t)r.matches, sizeof *got);
    harness_download(h, got, matches, bytes);
    check_matches(h, &t, &r, got);
}

HARNESS_WORKLOAD("MUM", "data/workloads/mummer/mummer.ptx", run)
