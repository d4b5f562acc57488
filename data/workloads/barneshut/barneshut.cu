/* barneshut.cu - gravity among bodies by a tree of cubes that all blocks build together (Burtscher and Pingali's phases).
 *
 * Bodies are 0 .. n - 1, cells n, n + 1, ... in the order in which they were made, n is the root; one set of arrays has
 * both. child[8 (cell - n) + octant] is a body, a cell, EMPTY, or LOCKED while a body is put there. Bounds: each block
 * finds the extremes of its bodies, and the last one to finish those of all. Build: a body goes down the tree and
 * locks the slot where it belongs. Centres: a cell waits until its children have theirs. Sort: a cell waits until its
 * parent has told where its bodies begin. Forces: a warp of neighbouring bodies walks the tree together. */
#include "../harness/sharing.cuh"

enum { EMPTY = -1, LOCKED = -2, OCTANTS = 8, AXES = 3, THREADS = 128, WARPS = THREADS / warpSize, DEPTH = 32 };

struct cube {
    float x, y, z, half;
};

struct bodies {
    float *x, *y, *z, *mass; /* a cell's mass is negative until its centre is known */
    int n;
};

struct forest {
    int *child, *start,
        *count;       /* of a cell: slots, where its bodies begin in the order (-1: not known yet), how many */
    int *next, *full; /* number of the next cell; whether there was no room for one */
    int room;         /* one more than the last possible cell */
};

DEVICE int grid_thread()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

DEVICE int grid_threads()
{
    return gridDim.x * blockDim.x;
}

/* ---- bounds ---- */

/* Lowest and highest of each axis in the block: low and high of every thread become those of thread 0. */
DEVICE void reduce(float (*low)[THREADS], float (*high)[THREADS])
{
    const int t = threadIdx.x;

    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) {
            for (int a = 0; a < AXES; a++) {
                low[a][t] = fminf(low[a][t], low[a][t + half]);
                high[a][t] = fmaxf(high[a][t], high[a][t + half]);
            }
        }
        __syncthreads();
    }
}

DEVICE void clear_cell(const forest &f, const bodies &b, int cell)
{
    for (int k = 0; k < OCTANTS; k++)
        poke(&f.child[(cell - b.n) * OCTANTS + k], EMPTY);
    poke(&f.start[cell - b.n], -1);
    poke(&b.mass[cell], -1);
}

DEVICE void make_root(const forest &f, const bodies &b, cube *root, float (*low)[THREADS], float (*high)[THREADS])
{
    const float x = high[0][0] - low[0][0], y = high[1][0] - low[1][0], z = high[2][0] - low[2][0];

    root->x = (low[0][0] + high[0][0]) * 0.5f;
    root->y = (low[1][0] + high[1][0]) * 0.5f;
    root->z = (low[2][0] + high[2][0]) * 0.5f;
    root->half = fmaxf(x, fmaxf(y, z)) * 0.5f;
    clear_cell(f, b, b.n);
    f.start[0] = 0;
    *f.next = b.n + 1;
}

/* extreme[axis][block] and, behind those, the highest; *arrived is zero again at the end. */
KERNEL bh_bounds(bodies b, forest f, cube *root, float *extreme, int *arrived)
{
    __shared__ float low[AXES][THREADS], high[AXES][THREADS];
    const int t = threadIdx.x, blocks = gridDim.x;
    const float *const at[AXES] = {b.x, b.y, b.z};

    for (int a = 0; a < AXES; a++) {
        low[a][t] = high[a][t] = at[a][0];
        for (int i = grid_thread(); i < b.n; i += grid_threads()) {
            low[a][t] = fminf(low[a][t], at[a][i]);
            high[a][t] = fmaxf(high[a][t], at[a][i]);
        }
    }
    bool last = false;
    reduce(low, high);
    if (t == 0) {
        for (int a = 0; a < AXES; a++) {
            poke(&extreme[a * blocks + blockIdx.x], low[a][0]);
            poke(&extreme[(a + AXES) * blocks + blockIdx.x], high[a][0]);
        }
        __threadfence();
        last = atomicAdd(arrived, 1) == blocks - 1;
    }
    /* Not through shared memory: clang 14 moves the load of a shared variable that only this kernel names above bar.sync. */
    if (!__syncthreads_or(last))
        return;
    __threadfence();
    for (int i = t; i < blocks; i += THREADS) {
        for (int a = 0; a < AXES; a++) {
            low[a][t] = fminf(low[a][t], peek(&extreme[a * blocks + i]));
            high[a][t] = fmaxf(high[a][t], peek(&extreme[(a + AXES) * blocks + i]));
        }
    }
    reduce(low, high);
    if (t == 0) {
        make_root(f, b, root, low, high);
        *arrived = 0;
    }
}

/* ---- build ---- */

DEVICE int octant_of(const bodies &b, int body, const cube &c)
{
    return (b.x[body] > c.x) | (b.y[body] > c.y) << 1 | (b.z[body] > c.z) << 2;
}

/* The cube becomes that of its octant. */
DEVICE void enter(cube &c, int octant)
{
    c.half *= 0.5f;
    c.x += octant & 1 ? c.half : -c.half;
    c.y += octant & 2 ? c.half : -c.half;
    c.z += octant & 4 ? c.half : -c.half;
}

/* Cells, one in the other from octant c on, until two bodies are in different octants. Returns the first. */
DEVICE int part(const forest &f, const bodies &b, int one, int other, cube c)
{
    int *slot = 0, first = EMPTY;

    for (;;) {
        const int cell = atomicAdd(f.next, 1);
        if (cell >= f.room) { /* the host sees it, the other kernels still end: the second body is left out */
            *f.full = 1;
            if (!slot)
                return one;
            poke(slot, one);
            return first;
        }
        clear_cell(f, b, cell);
        if (slot)
            poke(slot, cell);
        else
            first = cell;
        const int a = octant_of(b, one, c), z = octant_of(b, other, c);
        int *const slots = &f.child[(cell - b.n) * OCTANTS];
        if (a != z) {
            poke(&slots[a], one);
            poke(&slots[z], other);
            return first;
        }
        slot = &slots[a];
        enter(c, a);
    }
}

/* A thread that meets a locked slot tries again, and never waits while it holds a lock itself: lanes of a warp may want
 * the same slot. */
KERNEL bh_build(bodies b, forest f, const cube *root)
{
    int cell = b.n;
    cube c = *root;

    for (int i = grid_thread(); i < b.n;) {
        const int octant = octant_of(b, i, c);
        int *const slot = &f.child[(cell - b.n) * OCTANTS + octant];
        const int there = peek(slot);
        if (there >= b.n) {
            cell = there;
            enter(c, octant);
        } else if (there != LOCKED && atomicCAS(slot, there, LOCKED) == there) {
            enter(c, octant);
            const int put = there == EMPTY ? i : part(f, b, there, i, c);
            __threadfence(); /* new cells are seen before the slot that leads to them */
            poke(slot, put);
            i += grid_threads();
            cell = b.n;
            c = *root;
        } else {
            rest();
        }
    }
}

/* ---- centres ---- */

/* Mass and centre of a cell; false when a child's are not known yet. Children move to the front of their slots. */
DEVICE bool sum_up(const forest &f, const bodies &b, int cell)
{
    int *const slots = &f.child[(cell - b.n) * OCTANTS];
    float m = 0, x = 0, y = 0, z = 0;
    int count = 0, kept = 0;

    for (int k = 0; k < OCTANTS; k++)
        if (slots[k] >= b.n && peek(&b.mass[slots[k]]) < 0)
            return false;
    __threadfence();
    for (int k = 0; k < OCTANTS; k++) {
        const int c = slots[k];
        if (c == EMPTY)
            continue;
        slots[k] = EMPTY;
        slots[kept++] = c;
        const float own = peek(&b.mass[c]);
        m += own;
        x += own * peek(&b.x[c]);
        y += own * peek(&b.y[c]);
        z += own * peek(&b.z[c]);
        count += c < b.n ? 1 : peek(&f.count[c - b.n]);
    }
    poke(&b.x[cell], x / m);
    poke(&b.y[cell], y / m);
    poke(&b.z[cell], z / m);
    poke(&f.count[cell - b.n], count);
    __threadfence();
    poke(&b.mass[cell], m);
    return true;
}

/* From the last cell to the root: children were made after their parents, so the last cell left is never held up. */
KERNEL bh_centres(bodies b, forest f)
{
    for (int cell = min(*f.next, f.room) - 1 - grid_thread(); cell >= b.n;) {
        if (sum_up(f, b, cell))
            cell -= grid_threads();
        else
            rest();
    }
}

/* ---- sort ---- */

/* From the root on: order[] lists the bodies as they come in the tree, so that neighbours in it are near in space. */
KERNEL bh_sort(bodies b, forest f, int *order)
{
    const int end = min(*f.next, f.room);

    for (int cell = b.n + grid_thread(); cell < end;) {
        int at = peek(&f.start[cell - b.n]);
        if (at < 0) {
            rest();
            continue;
        }
        for (int k = 0; k < OCTANTS; k++) {
            const int c = f.child[(cell - b.n) * OCTANTS + k];
            if (c >= b.n) {
                poke(&f.start[c - b.n], at);
                at += f.count[c - b.n];
            } else if (c != EMPTY) {
                order[at++] = c;
            }
        }
        cell += grid_threads();
    }
}

/* ---- forces ---- */

struct walk {
    int cell[DEPTH], slot[DEPTH];
};

/* Acceleration of every body. The warp opens a cell when it is too near for any of its bodies: size over distance is more
 * than an angle whose inverse square is `opening`. `soft` is added to squares of distances. */
KERNEL bh_forces(bodies b, forest f, const cube *root, const int *order, float *ax, float *ay, float *az, float opening,
                 float soft)
{
    __shared__ walk walks[WARPS];
    walk &w = walks[threadIdx.x / warpSize];
    const int lane = threadIdx.x % warpSize;

    for (int k = grid_thread(); k - lane < b.n; k += grid_threads()) {
        const int body = order[min(k, b.n - 1)]; /* lanes behind the end go along with the last body */
        const float x = b.x[body], y = b.y[body], z = b.z[body];
        float sum_x = 0, sum_y = 0, sum_z = 0;
        float limit = root->half * root->half * opening; /* of cells half as large as the root, whose size is 2 half */
        int top = 0;
        w.cell[0] = b.n;
        w.slot[0] = 0;
        __syncwarp();
        while (top >= 0) {
            const int slot = w.slot[top];
            const int c = slot < OCTANTS ? f.child[(w.cell[top] - b.n) * OCTANTS + slot] : EMPTY;
            __syncwarp();
            if (c == EMPTY) {
                top--;
                limit *= 4;
                continue;
            }
            w.slot[top] = slot + 1;
            __syncwarp();
            const float dx = b.x[c] - x, dy = b.y[c] - y, dz = b.z[c] - z;
            const float square = dx * dx + (dy * dy + (dz * dz + soft));
            if (c < b.n || top + 1 == DEPTH || __all_sync(0xffffffffu, square >= limit)) {
                const float inverse = rsqrtf(square);
                const float pull = b.mass[c] * inverse * inverse * inverse;
                sum_x += dx * pull;
                sum_y += dy * pull;
                sum_z += dz * pull;
            } else {
                top++;
                limit *= 0.25f;
                w.cell[top] = c;
                w.slot[top] = 0;
                __syncwarp();
            }
        }
        if (k < b.n) {
            ax[body] = sum_x;
            ay[body] = sum_y;
            az[body] = sum_z;
        }
    }
}

/* ---- move ---- */

KERNEL bh_move(float *x, float *v, const float *a, float step, int n)
{
    for (int i = grid_thread(); i < n; i += grid_threads()) {
        v[i] += a[i] * step;
        x[i] += v[i] * step;
    }
}
