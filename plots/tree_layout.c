/* tree_layout.c - where does each leaf and each merge of a cluster tree go? */
#include "plots/figure_internal.h"

static int allocate(ws_tree_layout *l, size_t leaves)
{
    const size_t nodes = 2 * leaves - 1;
    *l = (ws_tree_layout){.leaves = leaves};
    l->order = calloc(leaves, sizeof *l->order);
    l->position = calloc(nodes, sizeof *l->position);
    l->height = calloc(nodes, sizeof *l->height);
    l->left = calloc(leaves, sizeof *l->left);
    l->right = calloc(leaves, sizeof *l->right);
    l->cluster = calloc(nodes, sizeof *l->cluster);
    if (!l->order || !l->position || !l->height || !l->left || !l->right || !l->cluster)
        return ws_fail(WS_EMEM, "out of memory");
    return WS_OK;
}

/* -i names row i (1-based), +m the earlier merge m (1-based): R's convention. */
static int node_of(double reference, size_t leaves, size_t merge, char *used, size_t *node)
{
    const double whole = floor(reference);
    if (whole != reference || reference == 0 || reference < -(double)leaves || reference > (double)merge)
        return ws_fail(WS_EINPUT, "tree: merge %zu joins '%g', which is neither a row nor an earlier merge", merge + 1,
                       reference);
    *node = reference < 0 ? (size_t)-reference - 1 : leaves + (size_t)reference - 1;
    if (used[*node]++)
        return ws_fail(WS_EINPUT, "tree: merge %zu joins '%g', which an earlier one has already joined", merge + 1,
                       reference);
    return WS_OK;
}

static int read_merges(const ws_frame *tree, ws_tree_layout *l, double *column, char *used)
{
    const size_t merges = l->leaves - 1;
    int status = ws_plot_column(tree, "tree", "height", merges, l->height + l->leaves);
    if (!status)
        status = ws_plot_column(tree, "tree", "left", merges, column);
    for (size_t m = 0; !status && m < merges; m++)
        status = node_of(column[m], l->leaves, m, used, &l->left[m]);
    if (!status)
        status = ws_plot_column(tree, "tree", "right", merges, column);
    for (size_t m = 0; !status && m < merges; m++)
        status = node_of(column[m], l->leaves, m, used, &l->right[m]);
    return status;
}

/* Leaves from the top by walking down the left side first; `stack` holds the nodes still to visit. */
static void order_leaves(ws_tree_layout *l, size_t *stack)
{
    size_t depth = 0, placed = 0;
    stack[depth++] = 2 * l->leaves - 2;
    while (depth) {
        const size_t node = stack[--depth];
        if (node < l->leaves) {
            l->position[node] = (double)placed;
            l->order[placed++] = node;
        } else {
            stack[depth++] = l->right[node - l->leaves];
            stack[depth++] = l->left[node - l->leaves];
        }
    }
}

static void place_merges(ws_tree_layout *l)
{
    for (size_t m = 0; m + 1 < l->leaves; m++) {
        const size_t a = l->left[m], b = l->right[m], node = l->leaves + m;
        l->position[node] = (l->position[a] + l->position[b]) / 2;
        l->cluster[node] = l->cluster[a] == l->cluster[b] ? l->cluster[a] : 0;
    }
}

/* Merges checked and read; the clusters of leaves (NULL: none) have to be there before merges get theirs. */
static int lay_out(const ws_frame *tree, const ws_plot_request *request, size_t leaves, ws_tree_layout *layout)
{
    *layout = (ws_tree_layout){0};
    if (!tree)
        return ws_fail(WS_EINPUT, "the figure needs a cluster tree");
    if (leaves < 2)
        return ws_fail(WS_EINPUT, "a cluster tree needs at least two rows, the frame has %zu", leaves);
    int status = allocate(layout, leaves);
    double *column = calloc(leaves, sizeof *column);
    char *used = calloc(2 * leaves, 1);
    size_t *stack = calloc(2 * leaves, sizeof *stack);
    if (!status && (!column || !used || !stack))
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = read_merges(tree, layout, column, used);
    if (!status && request)
        status = ws_plot_groups(request, layout->cluster, used);
    if (!status) {
        order_leaves(layout, stack);
        place_merges(layout);
    }
    free(column);
    free(used);
    free(stack);
    if (status)
        ws_tree_layout_free(layout);
    return status;
}

int ws_tree_layout_create(const ws_plot_request *request, ws_tree_layout *layout)
{
    return lay_out(request->tree, request, request->data->rows, layout);
}

int ws_tree_layout_of(const ws_frame *tree, size_t leaves, ws_tree_layout *layout)
{
    return lay_out(tree, NULL, leaves, layout);
}

void ws_tree_layout_free(ws_tree_layout *layout)
{
    free(layout->order);
    free(layout->position);
    free(layout->height);
    free(layout->left);
    free(layout->right);
    free(layout->cluster);
    *layout = (ws_tree_layout){0};
}

static void write_branch(const ws_tree_layout *l, size_t node, double height, FILE *script)
{
    const unsigned color = l->cluster[node] > 0 ? ws_cluster_color(l->cluster[node]) : WS_GREY;
    fprintf(script, "%.7g %.7g %u\n%.7g %.7g %u\n\n", l->height[node], l->position[node], color, height,
            l->position[node], color);
}

void ws_tree_layout_write(const ws_tree_layout *l, const char *block, FILE *script)
{
    fprintf(script, "$%s << EOD\n", block);
    for (size_t m = 0; m + 1 < l->leaves; m++) {
        const size_t node = l->leaves + m;
        const unsigned color = l->cluster[node] > 0 ? ws_cluster_color(l->cluster[node]) : WS_GREY;
        write_branch(l, l->left[m], l->height[node], script);
        write_branch(l, l->right[m], l->height[node], script);
        fprintf(script, "%.7g %.7g %u\n%.7g %.7g %u\n\n", l->height[node], l->position[l->left[m]], color,
                l->height[node], l->position[l->right[m]], color);
    }
    fputs("EOD\n", script);
}
