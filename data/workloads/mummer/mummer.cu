/* mummer.cu - MUM: where do many short reads match a genome exactly? The walk through a suffix tree of M. Schatz,
 * C. Trapnell, A. Delcher, A. Varshney, High-throughput Sequence Alignment using Graphics Processing Units, 2007;
 * code of our own.
 *
 * A thread a read. For every position of the read it looks for the longest match that begins there, and follows suffix
 * links from one position to the next, so what is known to match is not compared again. Tree and genome lie in 2D
 * textures in blocks of rows, so that neighbours in number are neighbours in the texture. */
#include "../harness/device.h"

enum {
    MATCHERS = 256,
    NONE = 0,       /* address of no node */
    ROOT = 1 << 16, /* of node 1 */
    NODE_ROWS = 32, /* of a block of the tree's textures */
    LOG_NODE_ROWS = 5,
    LOG_NODE_BLOCK = 17, /* nodes of a block: 4096 columns */
    LOG_TEXT_ROWS = 2,   /* the same for the genome */
    LOG_TEXT_BLOCK = 18
};

typedef int match __attribute__((ext_vector_type(2))); /* x: node, y: characters on the edge to it; 0: all of it */

/* The address of a node: column in the low half, row in the high half. */
DEVICE u32x4 fetch(texture t, uint address)
{
    return tex2d_u32x4(t, (float)(address & 0xffff), (float)(address >> 16));
}

DEVICE int number_of(uint address)
{
    const uint x = address & 0xffff, y = address >> 16;
    return (int)((x << LOG_NODE_ROWS) + y % NODE_ROWS + (y / NODE_ROWS << LOG_NODE_BLOCK));
}

/* Character i of the genome. */
DEVICE int letter(texture genome, int i)
{
    const int inside = i & ((1 << LOG_TEXT_BLOCK) - 1), block = i >> LOG_TEXT_BLOCK;
    const int y = (block << LOG_TEXT_ROWS) + (inside & ((1 << LOG_TEXT_ROWS) - 1));
    return (int)tex2d_u32(genome, (float)(inside >> LOG_TEXT_ROWS), (float)y);
}

DEVICE uint child_for(const u32x4 &children, int c)
{
    switch (c) {
    case 'A':
        return children.x;
    case 'C':
        return children.y;
    case 'G':
        return children.z;
    case 'T':
        return children.w;
    default:
        return NONE;
    }
}

/* Reads end with a zero. Read i begins at first[i] of the text, and at first[i] - i * shortest of the matches, one for
 * each position with at least `shortest` characters left. A node's texel: first and last character of the edge that
 * leads to it, and its suffix link. */
KERNEL __launch_bounds__(MATCHERS)
    mum_match(match *__restrict__ matches, const char *__restrict__ text, const int *__restrict__ first,
              const int *__restrict__ lengths, int reads, int shortest, texture nodes, texture children, texture genome)
{
    const int id = blockIdx.x * MATCHERS + threadIdx.x;
    if (id >= reads)
        return;
    const char *read = text + first[id];
    match *result = matches + (first[id] - id * shortest);
    const int last = lengths[id] - shortest;
    uint node = NONE;
    int depth = 0; /* matching characters on the way to the node, then beyond it */
    int known = 0; /* characters behind the node that are known to match */

    for (int start = 0; start <= last; start++, read++, result++) {
        if (node == NONE || depth < 0) {
            node = ROOT;
            depth = known = 0;
        }
        uint parent = node;
        int on_edge = 0;
        int c = read[depth];
        while (c) {
            parent = node;
            on_edge = 0;
            const uint next = child_for(fetch(children, node), c);
            if (next == NONE)
                break;
            node = next;
            const u32x4 edge = fetch(nodes, node);
            const int length = (int)(edge.y - edge.x) + 1;
            if (known) {
                on_edge = min(known, length);
                known -= on_edge;
            } else
                on_edge = 1; /* the first character chose the edge */
            depth += on_edge;
            c = read[depth];
            while (on_edge < length && c && letter(genome, (int)edge.x + on_edge) == c) {
                on_edge++;
                depth++;
                c = read[depth];
            }
            if (on_edge < length)
                break;
        }
        if (depth >= shortest) {
            match m;
            m.x = number_of(node);
            m.y = on_edge;
            *result = m;
        }
        node = fetch(nodes, parent).z;
        known = on_edge;
        depth -= on_edge + 1;
    }
}
