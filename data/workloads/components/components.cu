/* components.cu - connected components in one kernel: labels of nodes sink until both ends of every edge agree.
 *
 * A label is the number of a node of the same component, never above the node's own. A round hooks and flattens. Hooking:
 * a thread an edge; where labels of the ends differ, the node that the higher label names gets the lower one. Flattening:
 * each node takes the label at the end of its chain of labels. The kernel ends after a round in which no edge had
 * labels that differ: then the label is the lowest number of the component, whatever the order was. */
#include "../harness/sharing.cuh"

enum { FLAGS = 3 };

/* Whether there was something to do. */
DEVICE int hook(int *label, int a, int b)
{
    const int at_a = peek(&label[a]), at_b = peek(&label[b]);

    if (at_a != at_b)
        atomicMin(&label[max(at_a, at_b)], min(at_a, at_b));
    return at_a != at_b;
}

DEVICE void flatten(int *label, int node)
{
    int root = peek(&label[node]);

    for (int next = peek(&label[root]); next != root; next = peek(&label[root]))
        root = next;
    poke(&label[node], root);
}

/* changed[k % 3] says whether round k changed labels; the next round's flag is cleared meanwhile. */
KERNEL ccl_label(const int *from, const int *to, int *label, int *changed, int *arrived, int *rounds, int nodes,
                 int edges)
{
    const int own = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    int barriers = 0;

    for (int i = own; i < nodes; i += all)
        poke(&label[i], i);
    grid_barrier(arrived, ++barriers);
    for (int round = 0;; round++) {
        int *const flag = &changed[round % FLAGS];
        int hooked = 0;
        for (int i = own; i < edges; i += all)
            hooked |= hook(label, from[i], to[i]);
        if (__syncthreads_or(hooked) && threadIdx.x == 0)
            poke(flag, 1);
        if (own == 0) {
            poke(&changed[(round + 1) % FLAGS], 0);
            *rounds = round + 1;
        }
        grid_barrier(arrived, ++barriers);
        if (!peek(flag))
            break;
        for (int i = own; i < nodes; i += all)
            flatten(label, i);
        grid_barrier(arrived, ++barriers);
    }
}
