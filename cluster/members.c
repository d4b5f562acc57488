/* members.c - which row does a name mean? */
#include "cluster/members.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static char *join_labels(const ws_frame *frame, size_t row, size_t skip)
{
    size_t bytes = 1;
    for (size_t l = 0; l < frame->labels; l++)
        bytes += strlen(frame->label[row * frame->labels + l]) + 1;
    char *name = malloc(bytes), *end = name;
    if (!name)
        return NULL;
    *end = '\0';
    for (size_t l = 0; l < frame->labels; l++) {
        if (l == skip)
            continue;
        if (end != name)
            *end++ = '/';
        end = stpcpy(end, frame->label[row * frame->labels + l]);
    }
    return name;
}

static int compare_rows(const void *a, const void *b, void *context)
{
    char *const *const name = context;
    const size_t i = *(const size_t *)a, j = *(const size_t *)b;
    const int order = strcmp(name[i], name[j]);
    return order ? order : (i > j) - (i < j);
}

int ws_row_index_init(ws_row_index *index, const ws_frame *frame, size_t skip)
{
    *index =
        (ws_row_index){calloc(frame->rows + 1, sizeof(char *)), calloc(frame->rows + 1, sizeof(size_t)), frame->rows};
    bool complete = index->name && index->order;
    for (size_t i = 0; complete && i < frame->rows; i++) {
        index->name[i] = join_labels(frame, i, skip);
        index->order[i] = i;
        complete = index->name[i] != NULL;
    }
    if (!complete) {
        ws_row_index_fini(index);
        return ws_fail(WS_EMEM, "no memory for the names of %zu rows", frame->rows);
    }
    qsort_r(index->order, index->rows, sizeof *index->order, compare_rows, index->name);
    return WS_OK;
}

void ws_row_index_fini(ws_row_index *index)
{
    for (size_t i = 0; index->name && i < index->rows; i++)
        free(index->name[i]);
    free(index->name);
    free(index->order);
    *index = (ws_row_index){0};
}

size_t ws_row_index_find(const ws_row_index *index, const char *name, size_t *first)
{
    size_t low = 0, high = index->rows;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(index->name[index->order[middle]], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    size_t count = 0;
    while (low + count < index->rows && strcmp(index->name[index->order[low + count]], name) == 0)
        count++;
    return count;
}

int ws_row_index_only(const ws_row_index *index, const char *frame, const char *name, const char *like, size_t *row)
{
    size_t first;
    const size_t found = ws_row_index_find(index, name, &first);
    if (found != 1)
        return ws_fail(WS_EINPUT, "%s: expected one row '%s', as %s has it, found %zu", frame, name, like, found);
    *row = index->order[first];
    return WS_OK;
}

int ws_rows_like(const ws_frame *frame, const char *name, const ws_frame *like, const char *like_name, ws_frame **out)
{
    ws_row_index index = {0}, wanted = {0};
    size_t *const row = calloc(like->rows + 1, sizeof *row);
    int rc =
        row ? ws_row_index_init(&index, frame, frame->labels) : ws_fail(WS_EMEM, "%s: no memory for its rows", name);
    if (rc == WS_OK)
        rc = ws_row_index_init(&wanted, like, like->labels);
    for (size_t i = 0; rc == WS_OK && i < like->rows; i++)
        rc = ws_row_index_only(&index, name, wanted.name[i], like_name, &row[i]);
    if (rc == WS_OK)
        rc = ws_frame_pick_rows(frame, row, like->rows, out);
    ws_row_index_fini(&index);
    ws_row_index_fini(&wanted);
    free(row);
    return rc;
}

void ws_members_write(const char *name, FILE *out)
{
    for (; *name; name++) {
        const unsigned char c = (unsigned char)*name;
        if (c <= ' ' || c == '%' || c == 0x7f)
            fprintf(out, "%%%02X", c);
        else
            fputc(c, out);
    }
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

char *ws_members_next(const char **at)
{
    const char *from = *at + strspn(*at, " ");
    const size_t n = strcspn(from, " ");
    char *name = n ? malloc(n + 1) : NULL, *to = name;
    if (!n)
        *at = from;
    if (!name)
        return NULL;
    for (const char *end = from + n; from < end; from++) {
        const int high = *from == '%' && end - from > 2 ? digit(from[1]) : -1, low = high >= 0 ? digit(from[2]) : -1;
        if (low >= 0 && high + low > 0) {
            *to++ = (char)(16 * high + low);
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    *at = from;
    return name;
}
