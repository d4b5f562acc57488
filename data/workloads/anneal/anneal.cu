/* anneal.cu - placement by simulated annealing: walkers swap cells of one placement under locks, in one kernel.
 *
 * Cells lie on the slots of a square; some slots are empty. A net is a set of cells, and costs the half perimeter of the
 * rectangle around them. A walker draws two slots, locks both, finds what the swap would change, and swaps when that is
 * less, or with probability exp(-change / temperature). Other cells of the nets may move meanwhile, so walkers may act
 * on a cost that is no longer true; which slot has which cell is always right. All walkers meet after each temperature:
 * the cost is summed up anew, and the next temperature, and how far apart slots may be, depend on how many swaps were
 * accepted (the schedule of Betz and Rose, VPR: A New Packing, Placement and Routing Tool for FPGA Research, 1997). */
#include "../harness/sharing.cuh"

enum { EMPTY = -1, COUNTERS = 2 };
#define WHOLE_WARP 0xffffffffu
enum counter { ACCEPTED, REJECTED };

struct netlist {
    const int *net_first, *net_cell;  /* cells of net i: net_cell[net_first[i]] ... */
    const int *cell_first, *cell_net; /* and the other way round */
    int nets, slots, bits;            /* 1 << bits slots in a row, and as many rows */
};

struct placement {
    int *slot_cell, *cell_slot, *lock;
};

struct schedule {
    float *temperature, *range; /* of each round; those of the first are given */
    int *cost;                  /* before the first round, and after each */
    int *tally;                 /* COUNTERS a round */
    int *rounds, *arrived;
    int moves, most_rounds; /* swaps that a walker tries in a round */
    float end;              /* temperatures below this share of a net's mean cost end it */
};

/* Numbers of a walker: xorshift of 32 bits (Marsaglia, 2003). */
DEVICE uint draw(uint &state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* The smallest rectangle around some slots; slot y * side + x has x in its low bits. */
struct rectangle {
    int left, right, low, high;
};

DEVICE void include(rectangle &r, int slot, int bits)
{
    const int x = slot & ((1 << bits) - 1), y = slot >> bits;

    r.left = min(r.left, x);
    r.right = max(r.right, x);
    r.low = min(r.low, y);
    r.high = max(r.high, y);
}

DEVICE int half_perimeter(const rectangle &r)
{
    return r.right - r.left + r.high - r.low;
}

DEVICE int net_cost(const netlist &n, const placement &p, int net)
{
    rectangle r = {n.slots, 0, n.slots, 0};

    for (int i = n.net_first[net]; i < n.net_first[net + 1]; i++)
        include(r, peek(&p.cell_slot[n.net_cell[i]]), n.bits);
    return half_perimeter(r);
}

/* How much more the net costs when cells a and b, which are at these slots, change places. */
DEVICE int net_change(const netlist &n, const placement &p, int net, int a, int slot_a, int b, int slot_b)
{
    rectangle now = {n.slots, 0, n.slots, 0}, then = now;

    for (int i = n.net_first[net]; i < n.net_first[net + 1]; i++) {
        const int cell = n.net_cell[i], slot = peek(&p.cell_slot[cell]);
        include(now, slot, n.bits);
        include(then, cell == a ? slot_b : cell == b ? slot_a : slot, n.bits);
    }
    return half_perimeter(then) - half_perimeter(now);
}

DEVICE bool has_cell(const netlist &n, int net, int cell)
{
    for (int i = n.net_first[net]; i < n.net_first[net + 1]; i++)
        if (n.net_cell[i] == cell)
            return true;
    return false;
}

/* What the nets of cell a cost more when a and b change places; without those of b, where they were counted already. */
DEVICE int change_of(const netlist &n, const placement &p, int a, int slot_a, int b, int slot_b, bool without)
{
    int change = 0;

    for (int i = a == EMPTY ? 0 : n.cell_first[a]; a != EMPTY && i < n.cell_first[a + 1]; i++) {
        const int net = n.cell_net[i];
        if (!without || b == EMPTY || !has_cell(n, net, b))
            change += net_change(n, p, net, a, slot_a, b, slot_b);
    }
    return change;
}

/* With both slots locked. Returns whether the cells were swapped. */
DEVICE int try_swap(const netlist &n, const placement &p, int one, int two, float temperature, float chance)
{
    const int a = peek(&p.slot_cell[one]), b = peek(&p.slot_cell[two]);
    const int change = change_of(n, p, a, one, b, two, false) + change_of(n, p, b, two, a, one, true);

    if (change > 0 && chance >= __expf(-(float)change / temperature))
        return 0;
    poke(&p.slot_cell[one], b);
    poke(&p.slot_cell[two], a);
    if (a != EMPTY)
        poke(&p.cell_slot[a], two);
    if (b != EMPTY)
        poke(&p.cell_slot[b], one);
    return 1;
}

/* A coordinate at most `range` away, on the square. */
DEVICE int draw_near(uint &state, int at, int range, int side)
{
    const int low = max(at - range, 0), high = min(at + range, side - 1);

    return low + (int)(draw(state) % (uint)(high - low + 1));
}

/* Takes both locks or none: nobody waits while he holds one that another wants. Always in rising order, so of those who
 * want locks of each other one gets his. */
DEVICE bool lock_both(int *first, int *second)
{
    if (atomicCAS(first, 0, 1) != 0)
        return false;
    if (atomicCAS(second, 0, 1) == 0)
        return true;
    atomicExch(first, 0);
    return false;
}

/* One try of each walker of the warp. They stay together, so what they do under locks is done at once. */
DEVICE int move(const netlist &n, const placement &p, uint &state, float temperature, int range)
{
    const int side = 1 << n.bits, one = (int)(draw(state) % (uint)n.slots);
    const int x = draw_near(state, one & (side - 1), range, side), y = draw_near(state, one >> n.bits, range, side);
    const int two = y * side + x;
    const float chance = (float)(draw(state) >> 8) * 0x1p-24f;
    int *const first = &p.lock[min(one, two)], *const second = &p.lock[max(one, two)];
    int swapped = 0;
    bool done = one == two;

    while (__any_sync(WHOLE_WARP, !done)) {
        if (!done && lock_both(first, second)) {
            __threadfence();
            swapped = try_swap(n, p, one, two, temperature, chance);
            __threadfence();
            atomicExch(second, 0);
            atomicExch(first, 0);
            done = true;
        }
        __syncwarp();
        if (!done)
            rest();
    }
    return swapped;
}

/* The walkers' shares of the cost of all nets. */
DEVICE void add_cost(const netlist &n, const placement &p, int *cost)
{
    int sum = 0;

    for (int net = blockIdx.x * blockDim.x + threadIdx.x; net < n.nets; net += gridDim.x * blockDim.x)
        sum += net_cost(n, p, net);
    atomicAdd(cost, sum);
}

/* Far from the end most swaps are accepted, near it few: both are passed quickly. */
DEVICE float next_temperature(float temperature, int accepted, int tried)
{
    const float share = (float)accepted / (float)tried;

    return temperature * (share > 0.96f ? 0.5f : share > 0.8f ? 0.9f : share > 0.15f ? 0.95f : 0.8f);
}

/* Towards a range at which 44 of 100 swaps are accepted. */
DEVICE float next_range(float range, int accepted, int tried, int side)
{
    const float share = (float)accepted / (float)tried;

    return fminf(fmaxf(range * (0.56f + share), 1.0f), (float)side);
}

KERNEL vpr_anneal(netlist n, placement p, schedule s, const uint *seed)
{
    const int walker = blockIdx.x * blockDim.x + threadIdx.x;
    uint state = seed[walker];
    const int tried = s.moves * (int)(gridDim.x * blockDim.x);
    float temperature = s.temperature[0], range = s.range[0];
    int barriers = 0, round = 0;

    add_cost(n, p, &s.cost[0]);
    grid_barrier(s.arrived, ++barriers);
    for (; round < s.most_rounds; round++) {
        int accepted = 0;
        for (int i = 0; i < s.moves; i++)
            accepted += move(n, p, state, temperature, (int)range);
        atomicAdd(&s.tally[round * COUNTERS + ACCEPTED], accepted);
        atomicAdd(&s.tally[round * COUNTERS + REJECTED], s.moves - accepted);
        grid_barrier(s.arrived, ++barriers);
        add_cost(n, p, &s.cost[round + 1]);
        grid_barrier(s.arrived, ++barriers);
        accepted = peek(&s.tally[round * COUNTERS + ACCEPTED]);
        temperature = next_temperature(temperature, accepted, tried);
        range = next_range(range, accepted, tried, 1 << n.bits);
        if (walker == 0) {
            s.temperature[round + 1] = temperature;
            s.range[round + 1] = range;
        }
        if (temperature < s.end * (float)peek(&s.cost[round + 1]) / (float)n.nets) {
            round++;
            break;
        }
    }
    if (walker == 0)
        *s.rounds = round;
}
