/* petri.c - PNS, host side: the loop over batches of nets, and each net as a general Petri net, one transition at a
 * time, with the Mersenne twister of GSL. */
#include "data/workloads/harness/harness.h"

#include <gsl/gsl_rng.h>

#include <stdbool.h>
#include <string.h>

enum { THREADS = 256, STATE = 624, GROUPS = 3, FIRST_STAMP = 1 }; /* the first three as in petri.cu */
enum { MOST_SEED = 1 << 30 };

typedef struct task {
    int n, steps, nets;
    int places;  /* of a net; it has as many transitions */
    int refills; /* of the random numbers, a net */
    unsigned seed;
    size_t memory; /* bytes on the device for the nets of a launch */
} task;

typedef struct transition {
    int from[2], to[2];
    int row;
} transition;

/* What is known of every net at the end. */
typedef struct results {
    unsigned char *tokens;
    float *variance;
    int *most;
} results;

static results make_results(harness *h, const task *t)
{
    const size_t nets = (size_t)t->nets;
    return (results){
        .tokens = harness_host(h, nets * (size_t)t->places, 1),
        .variance = harness_host(h, nets, sizeof(float)),
        .most = harness_host(h, nets, sizeof(int)),
    };
}

/* Place (row, column) of the torus. */
static int place(const task *t, int row, int column)
{
    return (row + 2 * t->n) % (2 * t->n) * t->n + (column + t->n) % t->n;
}

/* Rows of places and transitions are shifted against one another, as the comment of petri.cu gives it. */
static transition *make_net(harness *h, const task *t)
{
    transition *const net = harness_host(h, (size_t)t->places, sizeof *net);
    for (int i = 0; i < t->places; i++) {
        const int row = i / t->n, column = i % t->n, side = column + row % 2;
        net[i] = (transition){.from = {place(t, row - 1, side), place(t, row, column)},
                              .to = {place(t, row + 1, side), place(t, row, column + 1)},
                              .row = row};
    }
    return net;
}

/* What the reference keeps of one group of transitions that fire at once. `wanted` counts, for each place and each
 * parity of rows, the enabled transitions that would take from it; it is all zeros between groups. */
typedef struct group {
    int enabled[THREADS], count;
    unsigned char (*wanted)[2];
} group;

static void choose(group *g, const transition *net, const unsigned char *tokens, int t)
{
    for (int i = 0; i < g->count; i++)
        if (g->enabled[i] == t)
            return;
    if (tokens[net[t].from[0]] == 0 || tokens[net[t].from[1]] == 0)
        return;
    g->enabled[g->count++] = t;
    g->wanted[net[t].from[0]][net[t].row % 2]++;
    g->wanted[net[t].from[1]][net[t].row % 2]++;
}

/* A transition gives way to one of the other parity that wants a place of its, in every second group. */
static bool may_fire(const group *g, const transition *t, int preferred)
{
    const int other = 1 - t->row % 2;
    return other != preferred || (g->wanted[t->from[0]][other] == 0 && g->wanted[t->from[1]][other] == 0);
}

static void fire(group *g, const transition *net, unsigned char *tokens, int preferred)
{
    for (int i = 0; i < g->count; i++) {
        const transition *const t = &net[g->enabled[i]];
        if (may_fire(g, t, preferred))
            for (int k = 0; k < 2; k++) {
                tokens[t->from[k]]--;
                tokens[t->to[k]]++;
            }
    }
    for (int i = 0; i < g->count; i++)
        for (int k = 0; k < 2; k++)
            memset(g->wanted[net[g->enabled[i]].from[k]], 0, sizeof *g->wanted);
    g->count = 0;
}

static void simulate(const task *t, const transition *net, gsl_rng *random, group *g, unsigned char *tokens)
{
    int stamp = FIRST_STAMP;
    memset(tokens, 1, (size_t)t->places);
    for (int refill = 0; refill < t->refills; refill++)
        for (int begin = 0; begin < STATE; begin += THREADS, stamp++) {
            const int end = begin + THREADS < STATE ? begin + THREADS : STATE;
            for (int i = begin; i < end; i++)
                choose(g, net, tokens, (int)(gsl_rng_get(random) % (unsigned long)t->places));
            fire(g, net, tokens, stamp % 2);
        }
}

/* The variance of the tokens on a place, and the most on one. */
static void survey(const task *t, const unsigned char *tokens, float *variance, int *most)
{
    double squares = 0;
    *most = 0;
    for (int i = 0; i < t->places; i++) {
        const double off = tokens[i] - 1;
        squares += off * off;
        if (tokens[i] > *most)
            *most = tokens[i];
    }
    *variance = (float)(squares / t->places);
}

static results run_on_cpu(harness *h, const task *t)
{
    const results r = make_results(h, t);
    const transition *const net = make_net(h, t);
    group g = {.wanted = harness_host(h, (size_t)t->places, sizeof *g.wanted)};
    gsl_rng *const random = gsl_rng_alloc(gsl_rng_mt19937);
    if (random == NULL)
        harness_wrong(h, "no memory for random numbers");
    for (int i = 0; i < t->nets; i++) {
        unsigned char *const tokens = r.tokens + (size_t)i * (size_t)t->places;
        gsl_rng_set(random, t->seed + (unsigned)i);
        simulate(t, net, random, &g, tokens);
        survey(t, tokens, &r.variance[i], &r.most[i]);
    }
    gsl_rng_free(random);
    return r;
}

/* As many nets a launch as fit into the memory. All launches use the same arrays; a launch's stamps, and so its claims,
 * differ from those of launches before and are odd or even as theirs, so claims need no clearing. */
static results run_on_device(harness *h, const task *t)
{
    const results r = make_results(h, t);
    const size_t bytes = (size_t)t->places, claim_bytes = bytes * sizeof(int), fit = t->memory / (bytes + claim_bytes);
    const int batch = fit < (size_t)t->nets ? (int)fit : t->nets;
    int n = t->n, steps = t->steps, stamp = FIRST_STAMP;
    int *const no_claims = harness_host(h, (size_t)batch * bytes, sizeof *no_claims);
    CUdeviceptr tokens = harness_device(h, (size_t)batch * bytes);
    CUdeviceptr claims = harness_upload(h, no_claims, (size_t)batch * claim_bytes);
    CUdeviceptr variance = harness_device(h, (size_t)batch * sizeof(float));
    CUdeviceptr most = harness_device(h, (size_t)batch * sizeof(int));
    const CUfunction kernel = harness_kernel(h, "pns_trajectories");

    for (int first = 0; first < t->nets; first += batch) {
        const int now = t->nets - first < batch ? t->nets - first : batch;
        unsigned seed = t->seed + (unsigned)first;
        HARNESS_LAUNCH(h, kernel, HARNESS_DIM(now), HARNESS_DIM(THREADS), 0, &tokens, &claims, &variance, &most, &n,
                       &steps, &seed, &stamp);
        harness_download(h, r.tokens + (size_t)first * bytes, tokens, (size_t)now * bytes);
        harness_download(h, r.variance + first, variance, (size_t)now * sizeof(float));
        harness_download(h, r.most + first, most, (size_t)now * sizeof(int));
        stamp += 2 * GROUPS * t->refills; /* twice: an even number */
    }
    return r;
}

static void run(harness *h)
{
    task t = {
        .n = (int)harness_pick(h, 12, 200, 1000), /* even, so that four places make a word */
        .steps = (int)harness_pick(h, 1200, 20000, 20000),
        .nets = (int)harness_pick(h, 3, 12, 10),
        .memory = (size_t)harness_pick(h, 4096, 1 << 26, 1 << 26),
    };
    t.places = 2 * t.n * t.n;
    t.refills = (t.steps + STATE / 2 - 1) / (STATE / 2);
    t.seed = 1 + harness_integer(h, MOST_SEED);

    const results got = run_on_device(h, &t), want = run_on_cpu(h, &t);
    for (int i = 0; i < t.nets; i++)
        for (int p = 0; p < t.places; p++) {
            const size_t at = (size_t)i * (size_t)t.places + (size_t)p;
            if (got.tokens[at] != want.tokens[at])
                harness_wrong(h, "net %d has %d tokens on place %d, not %d", i, got.tokens[at], p, want.tokens[at]);
        }
    /* A variance is 1 less than a quotient near it, which is rounded to 24 bits; what is summed is exact. */
    harness_check_floats(h, "variance", got.variance, want.variance, (size_t)t.nets, 0, 1.3e-7);
    harness_check_ints(h, "most", got.most, want.most, (size_t)t.nets);
}

HARNESS_WORKLOAD("PNS", "data/workloads/petri/petri.ptx", run)
