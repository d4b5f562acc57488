/* anneal.c - VPR: do walkers that share one placement, and see each other's swaps late, still cool it down? Host side
 * of anneal.cu. */
#include "data/workloads/harness/together.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    EMPTY = -1,
    ACCEPTED = 0,
    REJECTED = 1,
    COUNTERS = 2,
    FEWEST_CELLS = 2,
    MOST_CELLS = 5,
    REACH = 3,
    MOST_ROUNDS = 256,
    FULL_WALK = 40,
    SWAPS = 400
};

/* A chip of side x side slots, side = 1 << bits. Lists as the device has them. */
typedef struct chip {
    int bits, side, slots, cells, nets;
    int *net_first, *net_cell, *cell_first, *cell_net;
    int *slot_cell, *cell_slot;
} chip;

typedef struct plan {
    unsigned blocks, threads;
    int moves, most_rounds;
    float heat;  /* temperature to begin with, as a share of the spread of swaps */
    double fall; /* the last cost is at most this share of the first */
} plan;

/* Temperatures below this share of the mean cost of a net end the walk. */
static const float end_share = 0.005F;

/* What comes back. */
typedef struct outcome {
    int rounds, *slot_cell, *cell_slot, *lock;
    int cost[MOST_ROUNDS + 1], tally[MOST_ROUNDS * COUNTERS];
    float temperature[MOST_ROUNDS + 1], range[MOST_ROUNDS + 1];
} outcome;

/* Structures of anneal.cu. */
typedef struct device_netlist {
    CUdeviceptr net_first, net_cell, cell_first, cell_net;
    int nets, slots, bits;
} device_netlist;

typedef struct device_placement {
    CUdeviceptr slot_cell, cell_slot, lock;
} device_placement;

typedef struct device_schedule {
    CUdeviceptr temperature, range, cost, tally, rounds, arrived;
    int moves, most_rounds;
    float end;
} device_schedule;

/* ---- the chip ---- */

static int has(const int *list, int n, int item)
{
    for (int i = 0; i < n; i++)
        if (list[i] == item)
            return 1;
    return 0;
}

/* Each net has 2 to 5 cells that lie near each other in a placement nobody is told: cell c at slot c of this one. */
static void make_nets(harness *h, chip *c)
{
    c->net_first = harness_host(h, (size_t)c->nets + 1, sizeof *c->net_first);
    c->net_cell = harness_host(h, (size_t)c->nets * MOST_CELLS, sizeof *c->net_cell);
    for (int net = 0; net < c->nets; net++) {
        int *const list = &c->net_cell[c->net_first[net]];
        const int wanted = FEWEST_CELLS + (int)harness_integer(h, MOST_CELLS - FEWEST_CELLS + 1);
        int n = 0;
        list[n++] = net % c->cells; /* most cells are the first of a net */
        while (n < wanted) {
            const int x = list[0] % c->side + (int)harness_integer(h, 2 * REACH + 1) - REACH;
            const int y = list[0] / c->side + (int)harness_integer(h, 2 * REACH + 1) - REACH;
            const int cell = y * c->side + x;
            if (x >= 0 && x < c->side && y >= 0 && cell < c->cells && !has(list, n, cell))
                list[n++] = cell;
        }
        c->net_first[net + 1] = c->net_first[net] + n;
    }
}

static void turn_around(harness *h, chip *c)
{
    const int pins = c->net_first[c->nets];
    c->cell_first = harness_host(h, (size_t)c->cells + 1, sizeof *c->cell_first);
    c->cell_net = harness_host(h, (size_t)pins, sizeof *c->cell_net);
    int *const at = harness_host(h, (size_t)c->cells, sizeof *at);
    for (int i = 0; i < pins; i++)
        c->cell_first[c->net_cell[i] + 1]++;
    for (int i = 0; i < c->cells; i++) {
        c->cell_first[i + 1] += c->cell_first[i];
        at[i] = c->cell_first[i];
    }
    for (int net = 0; net < c->nets; net++)
        for (int i = c->net_first[net]; i < c->net_first[net + 1]; i++)
            c->cell_net[at[c->net_cell[i]]++] = net;
}

/* One slot of eight stays empty. Cells start anywhere. */
static chip make_chip(harness *h, int bits)
{
    const int side = 1 << bits, slots = side * side;
    chip c = {.bits = bits, .side = side, .slots = slots, .cells = slots * 7 / 8, .nets = slots * 3 / 4};
    make_nets(h, &c);
    turn_around(h, &c);
    c.slot_cell = harness_host(h, (size_t)c.slots, sizeof *c.slot_cell);
    c.cell_slot = harness_host(h, (size_t)c.cells, sizeof *c.cell_slot);
    for (int i = 0; i < c.slots; i++)
        c.slot_cell[i] = i < c.cells ? i : EMPTY;
    for (int i = c.slots - 1; i > 0; i--) {
        const int k = (int)harness_integer(h, (unsigned)i + 1), kept = c.slot_cell[i];
        c.slot_cell[i] = c.slot_cell[k];
        c.slot_cell[k] = kept;
    }
    for (int i = 0; i < c.slots; i++)
        if (c.slot_cell[i] != EMPTY)
            c.cell_slot[c.slot_cell[i]] = i;
    return c;
}

static int net_cost(const chip *c, const int *cell_slot, int net)
{
    int left = c->side, right = 0, low = c->side, high = 0;
    for (int i = c->net_first[net]; i < c->net_first[net + 1]; i++) {
        const int slot = cell_slot[c->net_cell[i]], x = slot % c->side, y = slot / c->side;
        left = x < left ? x : left;
        right = x > right ? x : right;
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    return right - left + high - low;
}

static int whole_cost(const chip *c, const int *cell_slot)
{
    int sum = 0;
    for (int net = 0; net < c->nets; net++)
        sum += net_cost(c, cell_slot, net);
    return sum;
}

static void swap_slots(int *slot_cell, int *cell_slot, int one, int two)
{
    const int a = slot_cell[one], b = slot_cell[two];
    slot_cell[one] = b;
    slot_cell[two] = a;
    if (a != EMPTY)
        cell_slot[a] = two;
    if (b != EMPTY)
        cell_slot[b] = one;
}

/* Cost of the nets of the cells at two slots, each net once. */
static int cost_around(const chip *c, const int *slot_cell, const int *cell_slot, const int slot[2])
{
    int sum = 0, first = slot_cell[slot[0]];
    for (int k = 0; k < 2; k++) {
        const int cell = slot_cell[slot[k]];
        for (int i = cell == EMPTY ? 0 : c->cell_first[cell]; cell != EMPTY && i < c->cell_first[cell + 1]; i++) {
            const int net = c->cell_net[i], *const list = &c->net_cell[c->net_first[net]];
            if (!k || !has(list, c->net_first[net + 1] - c->net_first[net], first))
                sum += net_cost(c, cell_slot, net);
        }
    }
    return sum;
}

/* Standard deviation of what swaps of any two slots change: the temperature to begin with. */
static float spread_of_swaps(harness *h, const chip *c)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < SWAPS; i++) {
        const int one = (int)harness_integer(h, (unsigned)c->slots), two = (int)harness_integer(h, (unsigned)c->slots);
        const int before = cost_around(c, c->slot_cell, c->cell_slot, (const int[]){one, two});
        swap_slots(c->slot_cell, c->cell_slot, one, two);
        const double change = cost_around(c, c->slot_cell, c->cell_slot, (const int[]){two, one}) - before;
        swap_slots(c->slot_cell, c->cell_slot, one, two);
        sum += change;
        squares += change * change;
    }
    return (float)sqrt(squares / SWAPS - sum / SWAPS * (sum / SWAPS));
}

/* ---- on the device ---- */

static outcome *anneal(harness *h, const chip *c, const plan *p, const unsigned *seed)
{
    outcome *const o = harness_host(h, 1, sizeof *o);
    const size_t slots = (size_t)c->slots * sizeof(int), cells = (size_t)c->cells * sizeof(int);
    const size_t pins = (size_t)c->net_first[c->nets] * sizeof(int);
    const unsigned walkers = p->blocks * p->threads;
    o->slot_cell = harness_host(h, (size_t)c->slots, sizeof(int));
    o->cell_slot = harness_host(h, (size_t)c->cells, sizeof(int));
    o->lock = harness_host(h, (size_t)c->slots, sizeof(int));
    o->temperature[0] = p->heat * spread_of_swaps(h, c);
    o->range[0] = (float)c->side;
    device_netlist n = {.net_first = harness_upload(h, c->net_first, ((size_t)c->nets + 1) * sizeof(int)),
                        .net_cell = harness_upload(h, c->net_cell, pins),
                        .cell_first = harness_upload(h, c->cell_first, cells + sizeof(int)),
                        .cell_net = harness_upload(h, c->cell_net, pins),
                        .nets = c->nets,
                        .slots = c->slots,
                        .bits = c->bits};
    device_placement places = {.slot_cell = harness_upload(h, c->slot_cell, slots),
                               .cell_slot = harness_upload(h, c->cell_slot, cells),
                               .lock = harness_upload(h, o->lock, slots)};
    device_schedule s = {.temperature = harness_upload(h, o->temperature, sizeof o->temperature),
                         .range = harness_upload(h, o->range, sizeof o->range),
                         .cost = harness_upload(h, o->cost, sizeof o->cost),
                         .tally = harness_upload(h, o->tally, sizeof o->tally),
                         .rounds = harness_upload(h, &o->rounds, sizeof o->rounds),
                         .arrived = harness_upload(h, &o->rounds, sizeof o->rounds),
                         .moves = p->moves,
                         .most_rounds = p->most_rounds,
                         .end = end_share};
    CUdeviceptr d_seed = harness_upload(h, seed, walkers * sizeof *seed);
    HARNESS_LAUNCH_TOGETHER(h, harness_kernel(h, "vpr_anneal"), p->blocks, p->threads, &n, &places, &s, &d_seed);
    harness_download(h, o->slot_cell, places.slot_cell, slots);
    harness_download(h, o->cell_slot, places.cell_slot, cells);
    harness_download(h, o->lock, places.lock, slots);
    harness_download(h, o->cost, s.cost, sizeof o->cost);
    harness_download(h, o->tally, s.tally, sizeof o->tally);
    harness_download(h, o->temperature, s.temperature, sizeof o->temperature);
    harness_download(h, o->range, s.range, sizeof o->range);
    harness_download(h, &o->rounds, s.rounds, sizeof o->rounds);
    return o;
}

/* ---- checks that hold for any number of walkers ---- */

static void check_placement(harness *h, const chip *c, const outcome *o)
{
    int cells = 0;
    for (int i = 0; i < c->slots; i++) {
        const int cell = o->slot_cell[i];
        if (o->lock[i])
            harness_wrong(h, "slot %d is still locked", i);
        if (cell == EMPTY)
            continue;
        cells++;
        if (cell < 0 || cell >= c->cells || o->cell_slot[cell] != i)
            harness_wrong(h, "slot %d has cell %d, which is no cell or is said to be elsewhere", i, cell);
    }
    if (cells != c->cells)
        harness_wrong(h, "%d cells are placed where there are %d", cells, c->cells);
}

static float next_temperature(float temperature, double share)
{
    return temperature * (share > 0.96 ? 0.5F : share > 0.8 ? 0.9F : share > 0.15 ? 0.95F : 0.8F);
}

static void check_schedule(harness *h, const chip *c, const plan *p, const outcome *o)
{
    const int tried = p->moves * (int)(p->blocks * p->threads);
    if (o->rounds < 1 || o->rounds > p->most_rounds)
        harness_wrong(h, "%d rounds where there are at most %d", o->rounds, p->most_rounds);
    for (int r = 0; r < o->rounds; r++) {
        const int accepted = o->tally[r * COUNTERS + ACCEPTED], rejected = o->tally[r * COUNTERS + REJECTED];
        if (accepted < 0 || rejected < 0 || accepted + rejected != tried)
            harness_wrong(h, "round %d: %d swaps accepted and %d not where %d were tried", r, accepted, rejected,
                          tried);
        const float want = next_temperature(o->temperature[r], (double)accepted / tried);
        const double range = (double)o->range[r] * (0.56 + (double)accepted / tried);
        const float want_range = (float)fmin(fmax(range, 1), c->side);
        harness_check_floats(h, "temperature", &o->temperature[r + 1], &want, 1, 1e-6, 0);
        harness_check_floats(h, "range", &o->range[r + 1], &want_range, 1, 1e-6, 0);
        const double limit = (double)end_share * o->cost[r + 1] / c->nets;
        const int last = r + 1 == o->rounds, cold = (double)want < limit;
        if (fabs((double)want - limit) > 1e-5 * limit && cold != last && (cold || o->rounds < p->most_rounds))
            harness_wrong(h, "it ended after round %d, at temperature %g of %g", o->rounds, (double)want, limit);
    }
    int cost[2] = {o->cost[0], o->cost[o->rounds]},
        want[2] = {whole_cost(c, c->cell_slot), whole_cost(c, o->cell_slot)};
    harness_check_ints(h, "cost before and after", cost, want, 2);
    if (cost[1] > p->fall * cost[0])
        harness_wrong(h, "the cost went from %d to %d, more than %g of it", cost[0], cost[1], p->fall);
}

/* ---- one walker, step by step ---- */

static unsigned draw(unsigned *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static int draw_near(unsigned *state, int at, int range, int side)
{
    const int low = at > range ? at - range : 0, high = at + range < side ? at + range : side - 1;
    return low + (int)(draw(state) % (unsigned)(high - low + 1));
}

/* Does the swaps of the walk on the CPU, by doing and undoing them. Returns 0 where rounding may have decided one. */
static int replay(const chip *c, const plan *p, const outcome *o, unsigned state, int *slot_cell, int *cell_slot)
{
    for (int i = 0; i < o->rounds * p->moves; i++) {
        const int range = (int)o->range[i / p->moves], one = (int)(draw(&state) % (unsigned)c->slots);
        const int x = draw_near(&state, one % c->side, range, c->side);
        const int slot[2] = {one, draw_near(&state, one / c->side, range, c->side) * c->side + x};
        const double chance = (draw(&state) >> 8) * 0x1p-24, temperature = (double)o->temperature[i / p->moves];
        if (slot[0] == slot[1])
            continue;
        const int before = cost_around(c, slot_cell, cell_slot, slot);
        swap_slots(slot_cell, cell_slot, slot[0], slot[1]);
        const int swapped[2] = {slot[1], slot[0]}; /* the same cell first */
        const int change = cost_around(c, slot_cell, cell_slot, swapped) - before;
        const double limit = exp(-change / temperature);
        if (change > 0 && fabs(chance - limit) < 1e-5)
            return 0;
        if (change > 0 && chance >= limit)
            swap_slots(slot_cell, cell_slot, slot[0], slot[1]);
    }
    return 1;
}

static void check_one_walker(harness *h, const chip *c)
{
    const plan p = {.blocks = 1, .threads = 1, .moves = 8, .most_rounds = 3, .heat = 1, .fall = 2};
    const unsigned seed = 1 + harness_integer(h, UINT32_MAX - 1);
    const outcome *const o = anneal(h, c, &p, &seed);
    int *const slot_cell = harness_host(h, (size_t)c->slots, sizeof *slot_cell);
    int *const cell_slot = harness_host(h, (size_t)c->cells, sizeof *cell_slot);

    memcpy(slot_cell, c->slot_cell, (size_t)c->slots * sizeof *slot_cell);
    memcpy(cell_slot, c->cell_slot, (size_t)c->cells * sizeof *cell_slot);
    check_placement(h, c, o);
    check_schedule(h, c, &p, o);
    if (replay(c, &p, o, seed, slot_cell, cell_slot))
        harness_check_ints(h, "cell of slot", o->slot_cell, slot_cell, (size_t)c->slots);
}

static const harness_size input_sizes[] = {
    {"bits", "slots along each side of the chip: 2 to this power", {3, 4, 5}, 2, 8, 1},
    {"blocks", "blocks", {2, 4, 16}, 1, 256, 1},
    {"threads", "threads of a block, each a walker", {4, 32, 32}, 1, 1024, 1},
    {"moves", "tries of a walker between two meetings", {4, 6, 8}, 1, 1000, 1},
    {"rounds", "most meetings", {6, 40, 60}, 2, MOST_ROUNDS, 1},
    {"alone", "1: a launch of one walker first, which the CPU repeats; 0: none", {1, 1, 1}, 0, 1, 1},
    {0},
};

static void run(harness *h)
{
    const chip c = make_chip(h, (int)harness_get_size(h, "bits"));
    const int rounds = (int)harness_get_size(h, "rounds");
    const bool few = rounds < FULL_WALK; /* they begin late */
    const plan p = {.blocks = (unsigned)harness_get_size(h, "blocks"),
                    .threads = (unsigned)harness_get_size(h, "threads"),
                    .moves = (int)harness_get_size(h, "moves"),
                    .most_rounds = rounds,
                    .heat = few ? 0.2F : 1,
                    .fall = few ? 0.95 : 0.5};
    const unsigned walkers = p.blocks * p.threads;
    unsigned *const seed = harness_host(h, walkers, sizeof *seed);

    if (harness_get_size(h, "alone"))
        check_one_walker(h, &c);
    for (unsigned i = 0; i < walkers; i++)
        seed[i] = 1 + harness_integer(h, UINT32_MAX - 1); /* zero would stay zero */
    const outcome *const o = anneal(h, &c, &p, seed);
    check_placement(h, &c, o);
    check_schedule(h, &c, &p, o);
}

HARNESS_WORKLOAD_OF("VPR", "data/workloads/anneal/anneal.ptx", run, input_sizes)
