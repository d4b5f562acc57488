/* exchange.c - uops that look across lanes, pack registers, or read what only the engine knows. */
#include "collect/simt/simt_internal.h"
#include "collect/simt/stepper.h"

#include <string.h>

/* Writes v[i] to the lanes in exec. */
static void put(warp *w, place at, bool wide, const uint64_t *v, uint32_t exec)
{
    void *d = place_pointer(w, at);
    WS_EACH_LANE (i, exec) {
        if (wide)
            ((uint64_t *)d)[i] = v[i];
        else
            ((uint32_t *)d)[i] = (uint32_t)v[i];
    }
}

static void get(const warp *w, place at, bool wide, uint64_t *v)
{
    const void *s = place_pointer(w, at);
    for (int i = 0; i < WS_WARP; i++)
        v[i] = wide ? ((const uint64_t *)s)[i] : ((const uint32_t *)s)[i];
}

static void put_predicate(warp *w, place at, uint32_t bits, uint32_t exec)
{
    uint32_t *p = place_pointer(w, at);
    *p = (*p & ~exec) | (bits & exec);
}

/* What a lane that is not in the mask gives is undefined by the PTX manual; GPUs give 0, and programs lean on it:
 * NVIDIA's sample `reduction` (kernel 7) adds up 8 values with the shuffles of a whole warp. */
bool exchange_shfl(warp *w, const uop *u, uint32_t exec)
{
    const uint32_t *a = place_pointer(w, u->a), *b = place_pointer(w, u->b), *c = place_pointer(w, u->c);
    const place mask = ((const place *)u->info)[2];
    const uint32_t *const members = mask == PLACE_NONE ? NULL : place_pointer(w, mask);
    uint64_t out[WS_WARP];
    uint32_t valid = 0;
    if (w->block->checks && members && exec)
        checks_mask(w, u, (const void *)u->special, members, exec);
    WS_EACH_LANE (i, exec) {
        const int32_t lane = (int32_t)i, shift = (int32_t)(b[i] & 31), segment = (int32_t)(c[i] >> 8 & 31);
        const int32_t least = lane & segment, most = least | ((int32_t)(c[i] & 31) & ~segment);
        int32_t from;
        bool ok;
        switch (u->mode) {
        case WS_SUB_UP:
            from = lane - shift;
            ok = from >= most;
            break;
        case WS_SUB_DOWN:
            from = lane + shift;
            ok = from <= most;
            break;
        case WS_SUB_BFLY:
            from = lane ^ shift;
            ok = from <= most;
            break;
        default:
            from = least | (shift & ~segment);
            ok = from <= most;
            break;
        }
        valid |= (uint32_t)ok << i;
        const uint32_t source = (uint32_t)(ok ? from & 31 : lane);
        if (w->block->checks && !(exec >> source & 1 && (!members || members[i] >> source & 1)))
            checks_source(w, u, (unsigned)i, source);
        out[i] = !members || (members[i] | exec) >> source & 1 ? a[source] : 0;
    }
    put(w, u->d, false, out, exec);
    if (u->mode2)
        put_predicate(w, *(const place *)u->info, valid, exec);
    return true;
}

/* Lanes say by a mask with whom they vote, and those of several groups may stand at the same instruction: tiles of half
 * a warp do. Takes from `rest` the lanes with the mask of its first one, and says who of exec takes part with them. */
static uint32_t next_group(const warp *w, const uop *u, uint32_t exec, uint32_t *rest, uint32_t *takes_part)
{
    const place mask = ((const place *)u->info)[2];
    const uint32_t *const members = mask == PLACE_NONE ? NULL : place_pointer(w, mask);
    uint32_t lanes = *rest;
    if (!members) {
        *takes_part = exec;
    } else {
        const uint32_t wanted = members[ws_lowest(*rest)];
        WS_EACH_LANE (i, *rest)
            if (members[i] != wanted)
                lanes &= ~(1u << i);
        *takes_part = exec & wanted;
    }
    *rest &= ~lanes;
    return lanes;
}

static void check_members(const warp *w, const uop *u, uint32_t exec)
{
    const place mask = ((const place *)u->info)[2];
    if (w->block->checks && exec && mask != PLACE_NONE)
        checks_mask(w, u, (const void *)u->special, place_pointer(w, mask), exec);
}

static void put_same(warp *w, const uop *u, uint32_t value, uint32_t exec)
{
    uint32_t *const d = place_pointer(w, u->d);
    WS_EACH_LANE (i, exec)
        d[i] = value;
}

bool exchange_vote(warp *w, const uop *u, uint32_t exec)
{
    const uint32_t ayes = *(const uint32_t *)place_pointer(w, u->a);
    uint32_t rest = exec, voters;
    check_members(w, u, exec);
    while (rest) {
        const uint32_t lanes = next_group(w, u, exec, &rest, &voters), bits = ayes & voters;
        if (u->mode == WS_SUB_BALLOT) {
            put_same(w, u, bits, lanes);
            continue;
        }
        const bool all = bits == voters, any = bits != 0;
        const bool result = u->mode == WS_SUB_ALL ? all : u->mode == WS_SUB_ANY ? any : all || !any;
        put_predicate(w, u->d, result ? UINT32_MAX : 0, lanes);
    }
    return true;
}

bool exchange_match(warp *w, const uop *u, uint32_t exec)
{
    uint64_t v[WS_WARP], out[WS_WARP] = {0};
    uint32_t rest = exec, members, alike = 0;
    get(w, u->a, u->wide, v);
    check_members(w, u, exec);
    while (rest) {
        const uint32_t lanes = next_group(w, u, exec, &rest, &members);
        WS_EACH_LANE (i, lanes) {
            uint32_t same = 0;
            WS_EACH_LANE (j, members)
                same |= (uint32_t)(v[j] == v[i]) << j;
            out[i] = u->mode == WS_SUB_ALL && same != members ? 0 : same;
            alike |= (uint32_t)(same == members) << i;
        }
    }
    put(w, u->d, false, out, exec);
    if (u->mode2)
        put_predicate(w, *(const place *)u->info, alike, exec);
    return true;
}

/* redux.f32: .abs takes magnitudes; a NaN loses against a number, or wins with .NaN; -0 is below +0, as in min and max.
 */
static uint32_t redux_float(const uop *u, const uint32_t *a, uint32_t members)
{
    const uint32_t keep = u->mode2 & 2 ? 0x7fffffff : UINT32_MAX;
    uint32_t r = 0x7fffffff;
    bool has_nan = false;
    WS_EACH_LANE (i, members) {
        const uint32_t x = a[i] & keep;
        if ((x & 0x7fffffff) > 0x7f800000) {
            has_nan = true;
            continue;
        }
        /* As integers of sign and magnitude, floats are in order. */
        const int32_t xs = (int32_t)(x >> 31 ? ~x ^ 0x80000000u : x), rs = (int32_t)(r >> 31 ? ~r ^ 0x80000000u : r);
        if (r == 0x7fffffff || (u->mode == WS_SUB_MIN ? xs < rs : xs > rs))
            r = x;
    }
    return has_nan && u->mode2 & 4 ? 0x7fffffff : r;
}

static uint32_t redux_int(const uop *u, const uint32_t *a, uint32_t members, bool is_signed)
{
    uint32_t r = members ? a[ws_lowest(members)] : 0;
    WS_EACH_LANE (i, members & (members - 1)) {
        const uint32_t x = a[i];
        const bool less = is_signed ? (int32_t)x < (int32_t)r : x < r;
        switch (u->mode) {
        case WS_SUB_AND:
            r &= x;
            break;
        case WS_SUB_OR:
            r |= x;
            break;
        case WS_SUB_XOR:
            r ^= x;
            break;
        case WS_SUB_ADD:
            r += x;
            break;
        case WS_SUB_MIN:
            r = less ? x : r;
            break;
        default:
            r = less ? r : x;
            break;
        }
    }
    return r;
}

bool exchange_redux(warp *w, const uop *u, uint32_t exec)
{
    const ws_type_kind kind = ws_type_kind_of((ws_type)((const place *)u->info)[1]);
    uint32_t a[WS_WARP], rest = exec, members;
    memcpy(a, place_pointer(w, u->a), sizeof a); /* may be where the results go */
    check_members(w, u, exec);
    while (rest) {
        const uint32_t lanes = next_group(w, u, exec, &rest, &members);
        const uint32_t result =
            kind == WS_KIND_FLOAT ? redux_float(u, a, members) : redux_int(u, a, members, kind == WS_KIND_SINT);
        put_same(w, u, result, lanes);
    }
    return true;
}

bool exchange_activemask(warp *w, const uop *u, uint32_t exec)
{
    uint64_t out[WS_WARP];
    for (int i = 0; i < WS_WARP; i++)
        out[i] = exec;
    put(w, u->d, false, out, exec);
    return true;
}

bool exchange_elect(warp *w, const uop *u, uint32_t exec)
{
    uint32_t rest = exec, members, leaders = 0;
    check_members(w, u, exec);
    while (rest) {
        const uint32_t lanes = next_group(w, u, exec, &rest, &members);
        const uint32_t leader = members ? ws_lowest(members) : 0;
        put_same(w, u, leader, lanes);
        leaders |= members & 1u << leader;
    }
    if (u->mode2)
        put_predicate(w, *(const place *)u->info, leaders, exec);
    return true;
}

static uint64_t low_bits(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
}

bool exchange_pack(warp *w, const uop *u, uint32_t exec)
{
    const place *from = u->info;
    uint64_t out[WS_WARP] = {0}, part[WS_WARP];
    for (unsigned k = 0; k < u->mode; k++) {
        get(w, from[k], u->mode2 > 32, part);
        for (int i = 0; i < WS_WARP; i++)
            out[i] |= (part[i] & low_bits(u->mode2)) << (k * u->mode2);
    }
    put(w, u->d, u->wide, out, exec);
    return true;
}

bool exchange_unpack(warp *w, const uop *u, uint32_t exec)
{
    const place *to = u->info;
    uint64_t whole[WS_WARP], part[WS_WARP];
    get(w, u->a, u->wide, whole);
    for (unsigned k = 0; k < u->mode; k++) {
        for (int i = 0; i < WS_WARP; i++)
            part[i] = whole[i] >> (k * u->mode2) & low_bits(u->mode2);
        put(w, to[k], u->mode2 > 32, part, exec);
    }
    return true;
}

/* setp p|q, a, b, c: p = (a cmp b) op c, q = !(a cmp b) op c. mode: op; mode2: 1 c is there, 2 q is there, 4 only
 * negate. */
bool exchange_combine(warp *w, const uop *u, uint32_t exec)
{
    const uint32_t bare = *(const uint32_t *)place_pointer(w, u->a);
    uint32_t p = bare, q = ~bare;
    if (u->mode2 & 4)
        p = ~bare;
    if (u->mode2 & 1) {
        const uint32_t c = *(const uint32_t *)place_pointer(w, u->b);
        p = u->mode == WS_SUB_AND ? p & c : u->mode == WS_SUB_OR ? p | c : p ^ c;
        q = u->mode == WS_SUB_AND ? q & c : u->mode == WS_SUB_OR ? q | c : q ^ c;
    }
    put_predicate(w, u->d, p, exec);
    if (u->mode2 & 2)
        put_predicate(w, u->c, q, exec);
    return true;
}

/* Clocks count the warp's own instructions, and what it slept: they advance, and are the same in every run. Who steps a
 * launch may have a better one. */
static uint64_t time_of(const warp *w, bool nanoseconds)
{
    const ws_stepper_clock *const clock = w->block->launch->clock;
    if (!clock)
        return w->instructions + w->slept;
    const uint64_t now = clock->now(clock->context);
    return nanoseconds ? (uint64_t)((double)now * clock->nanoseconds) : now;
}

/* mode: the upper half. mode2: in nanoseconds. */
bool exchange_clock(warp *w, const uop *u, uint32_t exec)
{
    uint64_t out[WS_WARP];
    const uint64_t now = time_of(w, u->mode2);
    for (int i = 0; i < WS_WARP; i++)
        out[i] = u->mode ? now >> 32 : now;
    put(w, u->d, u->wide, out, exec);
    return true;
}

bool exchange_isspacep(warp *w, const uop *u, uint32_t exec)
{
    const memory *m = w->block->launch->device->memory;
    uint64_t a[WS_WARP];
    uint32_t bits = 0;
    get(w, u->a, u->wide, a);
    WS_EACH_LANE (i, exec) {
        bool in;
        switch (u->mode) {
        case WS_SPACE_SHARED:
            in = a[i] - SHARED_WINDOW < SHARED_WINDOW_BYTES;
            if (in && u->mode2 && w->block->cluster) /* of the own block only */
                in = a[i] - SHARED_WINDOW < CLUSTER_STRIDE ||
                     (a[i] - SHARED_WINDOW) / CLUSTER_STRIDE - 1 == w->block->rank;
            break;
        case WS_SPACE_LOCAL:
            in = a[i] - LOCAL_WINDOW < LOCAL_WINDOW_BYTES;
            break;
        case WS_SPACE_PARAM:
            in = a[i] - PARAM_WINDOW < PARAM_WINDOW_BYTES;
            break;
        case WS_SPACE_CONST:
            in = memory_is_const(m, a[i]);
            break;
        default:
            in = a[i] >= MEMORY_LOW_BASE && !memory_is_const(m, a[i]);
            break;
        }
        bits |= (uint32_t)in << i;
    }
    put_predicate(w, u->d, bits, exec);
    return true;
}

/* Takes `mode` bits of a register and extends them to another; wide: 1 to a 64-bit register, 2 from one. */
bool exchange_adapt(warp *w, const uop *u, uint32_t exec)
{
    const unsigned bits = u->mode;
    const bool from_wide = u->wide & 2, to_wide = u->wide & 1;
    uint64_t v[WS_WARP];
    get(w, u->a, from_wide, v);
    if (bits < 64) {
        const uint64_t keep = low_bits(bits), sign = u->mode2 ? 1ull << (bits - 1) : 0;
        for (int i = 0; i < WS_WARP; i++)
            v[i] = ((v[i] & keep) ^ sign) - sign;
    }
    put(w, u->d, to_wide, v, exec);
    return true;
}

bool exchange_fence(warp *w, const uop *u, uint32_t exec)
{
    if (w->block->checks && exec)
        checks_fence(w, u);
    atomic_thread_fence(memory_order_seq_cst);
    return true;
}

bool exchange_nothing(warp *w, const uop *u, uint32_t exec)
{
    (void)w;
    (void)u;
    (void)exec;
    return true;
}

/* An offset in local memory, moved to where the running function's part begins. */
bool exchange_uniform(warp *w, const uop *u, uint32_t exec)
{
    const uint32_t base = w->frame[w->frames - 1].local_base;
    uint64_t v[WS_WARP];
    get(w, u->a, u->wide, v);
    for (int i = 0; i < WS_WARP; i++)
        v[i] += base;
    put(w, u->d, u->wide, v, exec);
    return true;
}

/* A register and a number, at the width of the register. */
bool exchange_add(warp *w, const uop *u, uint32_t exec)
{
    uint64_t v[WS_WARP], number[WS_WARP];
    get(w, u->a, u->wide, v);
    get(w, u->b, u->wide, number);
    for (int i = 0; i < WS_WARP; i++)
        v[i] = (v[i] + number[i]) & low_bits(u->mode);
    put(w, u->d, u->wide, v, exec);
    return true;
}

/* mapa: the address in the block of that rank, at the same offset. Generic addresses are in the shared window. */
bool exchange_map(warp *w, const uop *u, uint32_t exec)
{
    const block *const b = w->block;
    const uint32_t *const rank = place_pointer(w, u->b);
    const uint64_t window = u->mode ? SHARED_WINDOW : 0;
    const uint32_t blocks = b->launch->cluster_blocks;
    uint64_t v[WS_WARP];
    get(w, u->a, u->wide, v);
    WS_EACH_LANE (i, exec) {
        if (rank[i] >= blocks)
            return block_fault(w, u, i, "block %u of a cluster that has %u block%s", rank[i], blocks,
                               blocks == 1 ? "" : "s");
        if (b->cluster && v[i] - window < SHARED_WINDOW_BYTES)
            v[i] = window + (v[i] - window) % CLUSTER_STRIDE + (uint64_t)CLUSTER_STRIDE * (rank[i] + 1);
    }
    put(w, u->d, u->wide, v, exec);
    return true;
}

/* getctarank: the block of an address. Other addresses have the rank of the warp. */
bool exchange_rank(warp *w, const uop *u, uint32_t exec)
{
    const block *const b = w->block;
    const uint64_t window = u->mode ? SHARED_WINDOW : 0;
    uint64_t v[WS_WARP];
    get(w, u->a, u->wide, v);
    WS_EACH_LANE (i, exec) {
        const uint64_t offset = v[i] - window;
        const bool is_distributed = b->cluster && offset >= CLUSTER_STRIDE && offset < SHARED_WINDOW_BYTES;
        v[i] = is_distributed ? offset / CLUSTER_STRIDE - 1 : b->rank;
    }
    put(w, u->d, false, v, exec);
    return true;
}
