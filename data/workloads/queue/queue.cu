/* queue.cu - an octree over particles by tasks of very unequal size: blocks keep queues of their own and steal.
 *
 * A task is a cell of the tree: which particles, how deep, and the path to it, three bits a level. The block that takes it
 * deals the particles into eight parts, from one of two index arrays into the other, and pushes a task for each part;
 * a part that is small or deep enough is a leaf. Owners push and pop at the tail of their queue, thieves take from its
 * head (Chase and Lev, Dynamic Circular Work-Stealing Deque, 2005). Nobody waits for a block that has not begun: one
 * block alone does everything. A block ends when all particles are in leaves. */
#include "../harness/sharing.cuh"

enum { PARTS = 8, CAPACITY = 128, MOST_DEPTH = 10 };

struct task {
    int begin, count, depth, path;
};

struct deque {
    int head, tail;
    task item[CAPACITY];
};

struct particles {
    const float *x, *y, *z;
    int *index[2]; /* the cells of even depth are in the first, of odd depth in the second */
};

struct workspace {
    task current;
    int found, size[PARTS], cursor[PARTS];
};

/* ---- queues; one thread a block calls these ---- */

DEVICE void copy(task *to, const task *from)
{
    poke(&to->begin, peek(&from->begin));
    poke(&to->count, peek(&from->count));
    poke(&to->depth, peek(&from->depth));
    poke(&to->path, peek(&from->path));
}

/* There is always room: a task that was taken brings eight at most, one of which is taken next, ten levels deep. */
DEVICE void push(deque *q, const task *t)
{
    const int tail = peek(&q->tail);

    copy(&q->item[tail % CAPACITY], t);
    __threadfence();
    poke(&q->tail, tail + 1);
}

DEVICE bool pop(deque *q, task *t)
{
    const int tail = peek(&q->tail) - 1;

    poke(&q->tail, tail);
    __threadfence(); /* thieves see the shorter queue before its head is read here */
    const int head = peek(&q->head);
    if (head > tail) {
        poke(&q->tail, tail + 1);
        return false;
    }
    copy(t, &q->item[tail % CAPACITY]);
    if (head < tail)
        return true;
    const bool won = atomicCAS(&q->head, head, head + 1) == head; /* the last one: a thief may want it too */
    poke(&q->tail, tail + 1);
    return won;
}

DEVICE bool steal(deque *q, task *t)
{
    const int head = peek(&q->head);

    __threadfence();
    if (head >= peek(&q->tail))
        return false;
    copy(t, &q->item[head % CAPACITY]);
    __threadfence();
    return atomicCAS(&q->head, head, head + 1) == head;
}

/* The own queue, then those of the others in turn, until there is a task or nothing left to do anywhere. */
DEVICE bool find_task(deque *queue, task *t, const int *done, int all, int *stolen)
{
    if (pop(&queue[blockIdx.x], t))
        return true;
    while (peek(done) < all) {
        for (int k = 1; k < gridDim.x; k++) {
            if (steal(&queue[(blockIdx.x + k) % gridDim.x], t)) {
                ++*stolen;
                return true;
            }
        }
        rest();
    }
    return false;
}

/* ---- tasks; all threads of the block ---- */

/* Which of two halves: bit `depth` after the point of a coordinate from 0 to 1. Exact: the factor is a power of two. */
DEVICE int half_of(float at, int depth)
{
    return (int)(at * (float)(2 << depth)) & 1;
}

DEVICE int part_of(const particles &p, int i, int depth)
{
    return half_of(p.x[i], depth) | half_of(p.y[i], depth) << 1 | half_of(p.z[i], depth) << 2;
}

/* Counts the parts, gives each its place, deals the particles. */
DEVICE void split(workspace &w, const particles &p)
{
    const task t = w.current;
    const int *const from = p.index[t.depth % 2];
    int *const to = p.index[(t.depth + 1) % 2];

    if (threadIdx.x < PARTS)
        w.size[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < t.count; i += blockDim.x)
        atomicAdd(&w.size[part_of(p, peek(&from[t.begin + i]), t.depth)], 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        int place = t.begin;
        for (int part = 0; part < PARTS; part++) {
            w.cursor[part] = place;
            place += w.size[part];
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < t.count; i += blockDim.x) {
        const int particle = peek(&from[t.begin + i]);
        poke(&to[atomicAdd(&w.cursor[part_of(p, particle, t.depth)], 1)], particle);
    }
    __threadfence();
    __syncthreads();
}

/* The particles of the leaf get their order and the leaf's name: a one, then its path, then its depth in four bits. */
DEVICE void finish(const task &t, const particles &p, int *order, ulong64 *leaf)
{
    for (int i = threadIdx.x; i < t.count; i += blockDim.x) {
        const int particle = peek(&p.index[t.depth % 2][t.begin + i]);
        order[t.begin + i] = particle;
        leaf[particle] = ((ulong64)1 << 34) | ((ulong64)t.path << 4) | (ulong64)t.depth;
    }
}

/* queue[b] is the queue of block b; the host has put the root into the first one. ran[b] and stolen[b] count tasks. */
KERNEL dlp_partition(const float *x, const float *y, const float *z, int *even, int *odd, deque *queue, int *done,
                     int *order, ulong64 *leaf, int *ran, int *stolen, int all, int leaf_size)
{
    __shared__ workspace w;
    const particles p = {x, y, z, {even, odd}};
    int own_ran = 0, own_stolen = 0;

    for (;;) {
        if (threadIdx.x == 0)
            w.found = find_task(queue, &w.current, done, all, &own_stolen);
        __syncthreads();
        if (!w.found)
            break;
        const task t = w.current;
        own_ran++;
        if (t.count <= leaf_size || t.depth == MOST_DEPTH) {
            finish(t, p, order, leaf);
            if (threadIdx.x == 0)
                atomicAdd(done, t.count);
        } else {
            split(w, p);
            if (threadIdx.x == 0) {
                for (int part = 0, begin = t.begin; part < PARTS; begin += w.size[part++]) {
                    const task child = {begin, w.size[part], t.depth + 1, t.path << 3 | part};
                    if (child.count)
                        push(&queue[blockIdx.x], &child);
                }
                rest(); /* For thieves to come. Twice: a turn in which nothing happens lets another block run */
                rest(); /* where one processor takes all blocks in turn. */
            }
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        ran[blockIdx.x] = own_ran;
        stolen[blockIdx.x] = own_stolen;
    }
}
