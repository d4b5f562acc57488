/* tree_text.c - how does a tree look to other programs: as a list of merges, as Newick? */
#include "base/status.h"
#include "cluster/cluster.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 512 };

static int set_part(ws_frame *frame, size_t row, size_t label, long part, const ws_frame *rows)
{
    char name[NAME_BYTES] = "";
    if (part < 0)
        ws_frame_row_name(rows, (size_t)-part - 1, name, sizeof name);
    return ws_frame_set_label(frame, row, label, name);
}

int ws_tree_frame(const ws_tree *tree, const ws_frame *rows, ws_frame **out)
{
    static const char *const labels[] = {"step", "left_name", "right_name"};
    static const char *const columns[][2] = {{"left", ""}, {"right", ""}, {"height", ""}, {"size", "rows"}};
    ws_frame *frame = ws_frame_create(tree->leaves - 1, 4, 3, labels);
    int rc = frame ? WS_OK : ws_fail(WS_EMEM, "no memory for a list of merges");
    for (size_t j = 0; rc == WS_OK && j < 4; j++)
        rc = ws_frame_set_column(frame, j, columns[j][0], columns[j][1], "");
    for (size_t i = 0; rc == WS_OK && i < rows->notes; i++)
        rc = ws_frame_note(frame, "%s", rows->note[i]);
    for (size_t m = 0; rc == WS_OK && m < tree->leaves - 1; m++) {
        const ws_merge *const x = &tree->merge[m];
        char step[32];
        snprintf(step, sizeof step, "%zu", m + 1);
        rc = ws_frame_set_label(frame, m, 0, step);
        if (rc == WS_OK)
            rc = set_part(frame, m, 1, x->left, rows);
        if (rc == WS_OK)
            rc = set_part(frame, m, 2, x->right, rows);
        double *const value = frame->value + 4 * m;
        value[0] = (double)x->left;
        value[1] = (double)x->right;
        value[2] = x->height;
        value[3] = (double)x->size;
    }
    return ws_frame_give(rc, frame, out);
}

/* Quoted when the name holds what the format uses itself; a bare underscore would read as a blank. */
static void write_name(const char *name, FILE *out)
{
    if (*name && !strpbrk(name, "()[]{}'\",:;=_ \t\r\n")) {
        fputs(name, out);
        return;
    }
    fputc('\'', out);
    for (; *name; name++) {
        if (*name == '\'')
            fputc('\'', out);
        fputc(*name == '\n' || *name == '\r' ? ' ' : *name, out);
    }
    fputc('\'', out);
}

static void write_length(double length, FILE *out)
{
    char text[WS_NUMBER_BYTES];
    ws_text_from_double(length, text);
    fprintf(out, ":%s", text);
}

typedef struct visit { /* a merge whose parts are being written */
    size_t merge;
    int parts; /* written or begun so far */
} visit;

int ws_tree_write_newick(const ws_tree *tree, const ws_frame *rows, FILE *out)
{
    visit *stack = malloc(tree->leaves * sizeof *stack); /* a chain of 10,000 merges must not use up the C stack */
    if (!stack)
        return ws_fail(WS_EMEM, "no memory to write a tree of %zu rows", tree->leaves);
    size_t depth = 0;
    stack[depth++] = (visit){tree->leaves - 2, 0};
    while (depth) {
        visit *const top = &stack[depth - 1];
        const ws_merge *const x = &tree->merge[top->merge];
        if (top->parts == 2) {
            fputc(')', out);
            depth--;
            if (depth)
                write_length((tree->merge[stack[depth - 1].merge].height - x->height) / 2, out);
            continue;
        }
        fputc(top->parts ? ',' : '(', out);
        const long part = top->parts++ ? x->right : x->left;
        if (part > 0) {
            stack[depth++] = (visit){(size_t)part - 1, 0};
            continue;
        }
        char name[NAME_BYTES];
        ws_frame_row_name(rows, (size_t)-part - 1, name, sizeof name);
        write_name(name, out);
        write_length(x->height / 2, out);
    }
    free(stack);
    fputs(";\n", out);
    return ferror(out) ? ws_fail(WS_EIO, "cannot write the tree: %s", strerror(errno)) : WS_OK;
}
