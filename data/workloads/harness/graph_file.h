/* graph_file.h - reader of graph files, DIMACS and MatrixMarket.
 *
 * The first line selects the format. DIMACS, of the ninth and the second implementation challenge: comments `c`, a line
 * `p sp NODES EDGES` with edges `a FROM TO LENGTH`, or `p edge NODES EDGES` (`p col`) with undirected edges `e A B`.
 * MatrixMarket (R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NIST 1996): `%%MatrixMarket
 * matrix coordinate pattern|integer|real general|symmetric`. The entry in row i and column j is an edge from i to j; a
 * symmetric entry is an undirected edge; integers are lengths, from 1 on; real values are ignored. Nodes count from 1
 * in both formats. An invalid file ends the program with status 2 and a message with file, line and column. */
#ifndef WS_HARNESS_GRAPH_FILE_H
#define WS_HARNESS_GRAPH_FILE_H

#include "data/workloads/harness/harness.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HARNESS_LENGTH_MOST = 1 << 24 }; /* of an edge in a file */

typedef struct harness_edge {
    int from, to, length; /* nodes from 0; 0 where there are no lengths */
} harness_edge;

static inline harness_edge harness_edge_of(int from, int to)
{
    return (harness_edge){.from = from, .to = to};
}

/* Edges of a graph. `edge` has room for twice as many. */
typedef struct harness_edges {
    int nodes;
    size_t edges;
    harness_edge *edge;
    bool lengths;
} harness_edges;

/* Line-by-line reader of a file; `at` is the position in the line. */
typedef struct harness_lines {
    harness *h;
    const char *path;
    FILE *in;
    char *line, *at;
    size_t room;
    long number;
} harness_lines;

static _Noreturn inline void harness_bad_graph(const harness_lines *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static _Noreturn inline void harness_bad_graph(const harness_lines *l, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    harness_refuse(l->h, "%s, line %ld, column %td: %s", l->path, l->number, l->line ? l->at - l->line + 1 : 1, text);
}

static inline void harness_skip_blanks(harness_lines *l)
{
    l->at += strspn(l->at, " \t\r\n");
}

/* Reads the next line that is neither empty nor a comment. Returns false at the end of the file. */
static inline bool harness_next_line(harness_lines *l, char comment)
{
    errno = 0;
    while (getline(&l->line, &l->room, l->in) >= 0) {
        l->number++;
        l->at = l->line;
        harness_skip_blanks(l);
        if (*l->at && *l->at != comment)
            return true;
    }
    if (ferror(l->in))
        harness_refuse(l->h, "%s: %s", l->path, strerror(errno));
    return false;
}

/* Accepts the next word if it is this one, in any case. */
static inline bool harness_next_word(harness_lines *l, const char *word)
{
    const size_t length = strlen(word);
    harness_skip_blanks(l);
    const bool is = !strncasecmp(l->at, word, length) && (!l->at[length] || isspace((unsigned char)l->at[length]));
    l->at += is ? length : 0;
    return is;
}

static inline long harness_next_number(harness_lines *l, const char *what, long least, long most)
{
    char *end = NULL;
    harness_skip_blanks(l);
    errno = 0;
    const long value = strtol(l->at, &end, 10);
    if (end == l->at || errno || (*end && !isspace((unsigned char)*end)) || value < least || value > most)
        harness_bad_graph(l, "expected %s, a whole number from %ld to %ld", what, least, most);
    l->at = end;
    return value;
}

static inline void harness_end_line(harness_lines *l)
{
    harness_skip_blanks(l);
    if (*l->at)
        harness_bad_graph(l, "expected the end of the line");
}

static inline harness_edges harness_room_for(harness_lines *l, long nodes, long edges)
{
    return (harness_edges){.nodes = (int)nodes, .edge = harness_host(l->h, 4 * (size_t)edges, sizeof(harness_edge))};
}

/* Reads the two nodes of an edge and adds it. */
static inline harness_edge *harness_next_edge(harness_lines *l, harness_edges *list, long promised)
{
    if (list->edges == (size_t)promised)
        harness_bad_graph(l, "more edges than the %ld that the file declares", promised);
    harness_edge *const edge = &list->edge[list->edges++];
    edge->from = (int)harness_next_number(l, "a node", 1, list->nodes) - 1;
    edge->to = (int)harness_next_number(l, "a node", 1, list->nodes) - 1;
    return edge;
}

static inline void harness_end_edges(const harness_lines *l, harness_edges *list, long promised, bool both_ways)
{
    if (list->edges != (size_t)promised)
        harness_refuse(l->h, "%s ends after %zu of %ld edges", l->path, list->edges, promised);
    for (size_t i = 0, end = list->edges; both_ways && i < end; i++)
        list->edge[list->edges++] = (harness_edge){list->edge[i].to, list->edge[i].from, list->edge[i].length};
}

enum { HARNESS_EDGES_MOST = INT_MAX / 4 }; /* undirected edges count twice, and the workload may double them */

/* Reads a DIMACS file from its line `p ...` on. */
static inline harness_edges harness_read_dimacs(harness_lines *l, long most_nodes)
{
    if (!harness_next_word(l, "p"))
        harness_bad_graph(l, "expected `p sp NODES EDGES', or `%%%%MatrixMarket ...' on the first line");
    const bool lengths = harness_next_word(l, "sp");
    if (!lengths && !harness_next_word(l, "edge") && !harness_next_word(l, "col"))
        harness_bad_graph(l, "expected sp, edge or col behind `p'");
    const long nodes = harness_next_number(l, "the number of nodes", 1, most_nodes);
    const long edges = harness_next_number(l, "the number of edges", 0, HARNESS_EDGES_MOST);
    harness_end_line(l);
    harness_edges list = harness_room_for(l, nodes, edges);
    list.lengths = lengths;
    while (harness_next_line(l, 'c')) {
        if (!harness_next_word(l, lengths ? "a" : "e"))
            harness_bad_graph(l, "expected an edge, `%s'", lengths ? "a FROM TO LENGTH" : "e A B");
        harness_edge *const edge = harness_next_edge(l, &list, edges);
        if (lengths)
            edge->length = (int)harness_next_number(l, "a length", 1, HARNESS_LENGTH_MOST);
        harness_end_line(l);
    }
    harness_end_edges(l, &list, edges, !lengths);
    return list;
}

enum harness_matrix_field { HARNESS_PATTERN, HARNESS_INTEGER, HARNESS_REAL };

/* Skips the value of an entry of a real matrix. */
static inline void harness_pass_real(harness_lines *l)
{
    char *end = NULL;
    harness_skip_blanks(l);
    strtod(l->at, &end);
    if (end == l->at || (*end && !isspace((unsigned char)*end)))
        harness_bad_graph(l, "expected a number");
    l->at = end;
}

/* Reads a MatrixMarket file, after the first word of its first line. */
static inline harness_edges harness_read_matrix_market(harness_lines *l, long most_nodes)
{
    if (!harness_next_word(l, "matrix") || !harness_next_word(l, "coordinate"))
        harness_bad_graph(l, "expected `matrix coordinate': other objects and dense matrices are no graphs");
    const enum harness_matrix_field field = harness_next_word(l, "pattern")   ? HARNESS_PATTERN
                                            : harness_next_word(l, "integer") ? HARNESS_INTEGER
                                                                              : HARNESS_REAL;
    if (field == HARNESS_REAL && !harness_next_word(l, "real"))
        harness_bad_graph(l, "expected pattern, integer or real");
    const bool symmetric = harness_next_word(l, "symmetric");
    if (!symmetric && !harness_next_word(l, "general"))
        harness_bad_graph(l, "expected general or symmetric");
    harness_end_line(l);
    if (!harness_next_line(l, '%'))
        harness_refuse(l->h, "%s ends before the line of its sizes, `ROWS COLUMNS ENTRIES'", l->path);
    const long nodes = harness_next_number(l, "the number of rows", 1, most_nodes);
    const long columns = harness_next_number(l, "the number of columns", 1, LONG_MAX);
    if (columns != nodes)
        harness_bad_graph(l, "%ld rows and %ld columns: a graph is a square matrix", nodes, columns);
    const long edges = harness_next_number(l, "the number of entries", 0, HARNESS_EDGES_MOST);
    harness_end_line(l);
    harness_edges list = harness_room_for(l, nodes, edges);
    list.lengths = field == HARNESS_INTEGER;
    while (harness_next_line(l, '%')) {
        harness_edge *const edge = harness_next_edge(l, &list, edges);
        if (field == HARNESS_INTEGER)
            edge->length = (int)harness_next_number(l, "a length", 1, HARNESS_LENGTH_MOST);
        else if (field == HARNESS_REAL)
            harness_pass_real(l);
        harness_end_line(l);
    }
    harness_end_edges(l, &list, edges, symmetric);
    return list;
}

/* Returns the graph of an open file with at most that many nodes. */
static inline harness_edges harness_read_lines(harness_lines *l, long most_nodes)
{
    if (!harness_next_line(l, 'c'))
        harness_refuse(l->h, "%s has no graph: expected DIMACS or MatrixMarket", l->path);
    return harness_next_word(l, "%%MatrixMarket") ? harness_read_matrix_market(l, most_nodes)
                                                  : harness_read_dimacs(l, most_nodes);
}

/* Returns the edges of a file. Refuses sizes that would set the size of the graph. */
static inline harness_edges harness_read_edges(harness *h, const char *path, long most_nodes)
{
    static const char *const others[] = {"nodes", "degree", "share", "side"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (harness_chose_size(h, others[i]))
            harness_refuse(h, "size %s does not go with a graph from a file, which sets its own size", others[i]);
    harness_lines l = {.h = h, .path = path, .in = fopen(path, "re")};
    if (!l.in)
        harness_refuse(h, "%s: %s", path, strerror(errno));
    const harness_edges list = harness_read_lines(&l, most_nodes);
    free(l.line);
    fclose(l.in);
    return list;
}

#endif
