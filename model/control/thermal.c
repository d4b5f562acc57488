/* thermal.c - how hot do the blocks of a die get, in the end and step by step?
 *
 * C dT/dt = P - G T. With S = C^-1/2 G C^-1/2 = V L V' and T = C^-1/2 V q it falls apart into modes, dq/dt = -l q +
 * u, whose step at constant power is known in closed form. Modes that die out within a step follow power at once and
 * become one small matrix; modes that no block can heat are left out. Both change nothing beyond rounding. */
#include "model/control/thermal_internal.h"

#include "base/status.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = WS_THERMAL_MOST, BLOCKS = WS_THERMAL_BLOCKS };
#define OVER_AT 40.0  /* step over time constant from which e^-x is below a double's rounding */
#define UNHEARD 1e-14 /* part of the largest response that is below rounding, too */

/* Two modes side by side: what every x86-64 and aarch64 has in a register. */
enum { WIDE = 2, GROUPS = NODES / WIDE };
_Static_assert(NODES % WIDE == 0, "modes fill groups");
typedef double pair __attribute__((vector_size(WIDE * sizeof(double)), aligned(sizeof(double))));

typedef struct group {
    pair decay;       /* e^(-rate step) */
    pair in[BLOCKS];  /* amplitude that a watt in a block adds in a step */
    pair out[BLOCKS]; /* kelvin in a block that an amplitude of 1 makes */
} group;

struct ws_thermal {
    ws_thermal_network net;
    double ambient_k, step_s;
    char name[BLOCKS][32];
    double steady[NODES][BLOCKS];   /* rise of a node after a watt in a block for ever, K/W */
    double at_once[BLOCKS][BLOCKS]; /* the part of it that is there within a step */
    size_t kept, groups;
    group group[GROUPS];
    double rate[NODES];         /* of kept modes, 1/s */
    double shape[NODES][NODES]; /* [node][kept mode]: kelvin that an amplitude of 1 makes */
    double slow[NODES][BLOCKS]; /* the part of `steady` that kept modes make */
    double time_s[NODES];
};

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for a thermal network");
}

/* steady = the columns of G^-1 that belong to the die. */
static int solve_steady(ws_thermal *t)
{
    const size_t n = t->net.nodes;
    gsl_matrix *const g = gsl_matrix_alloc(n, n);
    if (!g)
        return no_memory();
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            gsl_matrix_set(g, i, j, t->net.conductance[i][j]);
    /* Symmetric, and its diagonal is the sum of the rest of a row and what leaves the die: positive definite. */
    const int status = gsl_linalg_cholesky_decomp1(g) || gsl_linalg_cholesky_invert(g);
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0; b < t->net.blocks; b++)
            t->steady[i][b] = gsl_matrix_get(g, i, b);
    gsl_matrix_free(g);
    return status ? ws_fail(WS_ENUMERIC, "the thermal network has no steady state") : WS_OK;
}

static void keep_mode(ws_thermal *t, double rate, const double *shape)
{
    group *const g = &t->group[t->kept / WIDE];
    const size_t lane = t->kept % WIDE;
    g->decay[lane] = exp(-rate * t->step_s);
    for (size_t b = 0; b < t->net.blocks; b++) {
        g->out[b][lane] = shape[b];
        g->in[b][lane] = shape[b] / rate * -expm1(-rate * t->step_s);
    }
    t->rate[t->kept] = rate;
    t->groups = t->kept / WIDE + 1;
    for (size_t i = 0; i < t->net.nodes; i++) {
        t->shape[i][t->kept] = shape[i];
        for (size_t b = 0; b < t->net.blocks; b++)
            t->slow[i][b] += shape[i] * shape[b] / rate;
    }
    t->kept++;
}

static double response(const ws_thermal *t, double rate, const double *shape)
{
    double most = 0;
    for (size_t b = 0; b < t->net.blocks; b++)
        most = fmax(most, shape[b] * shape[b] / rate);
    return most;
}

static void sort_modes(ws_thermal *t, const gsl_vector *rates, const gsl_matrix *vectors)
{
    double largest = 0, shape[NODES];
    const size_t n = t->net.nodes;
    for (size_t b = 0; b < t->net.blocks; b++)
        largest = fmax(largest, t->steady[b][b]);
    for (size_t m = 0; m < n; m++) { /* rates ascend */
        const double rate = gsl_vector_get(rates, m);
        t->time_s[m] = 1 / rate;
        for (size_t i = 0; i < n; i++)
            shape[i] = gsl_matrix_get(vectors, i, m) / sqrt(t->net.capacity[i]);
        if (rate * t->step_s < OVER_AT && response(t, rate, shape) > UNHEARD * largest)
            keep_mode(t, rate, shape);
    }
    for (size_t i = 0; i < t->net.blocks; i++)
        for (size_t b = 0; b < t->net.blocks; b++)
            t->at_once[i][b] = t->steady[i][b] - t->slow[i][b];
}

static int find_modes(ws_thermal *t)
{
    const size_t n = t->net.nodes;
    gsl_matrix *const s = gsl_matrix_alloc(n, n), *const vectors = gsl_matrix_alloc(n, n);
    gsl_vector *const rates = gsl_vector_alloc(n);
    gsl_eigen_symmv_workspace *const work = gsl_eigen_symmv_alloc(n);
    int rc = s && vectors && rates && work ? WS_OK : no_memory();
    for (size_t i = 0; !rc && i < n; i++)
        for (size_t j = 0; j < n; j++)
            gsl_matrix_set(s, i, j, t->net.conductance[i][j] / sqrt(t->net.capacity[i] * t->net.capacity[j]));
    if (!rc)
        gsl_eigen_symmv(s, rates, vectors, work);
    if (!rc)
        gsl_eigen_symmv_sort(rates, vectors, GSL_EIGEN_SORT_VAL_ASC);
    if (!rc && !(gsl_vector_get(rates, 0) > 0))
        rc = ws_fail(WS_ENUMERIC, "the thermal network's time constants are too far apart");
    if (!rc)
        sort_modes(t, rates, vectors);
    gsl_matrix_free(s);
    gsl_matrix_free(vectors);
    gsl_vector_free(rates);
    gsl_eigen_symmv_free(work);
    return rc;
}

int ws_thermal_create(const ws_thermal_chip *chip, double step_s, ws_thermal **out)
{
    *out = NULL;
    if (!(step_s > 0 && step_s < INFINITY))
        return ws_fail(WS_EINPUT, "a thermal step of %g s; expected more than 0", step_s);
    ws_thermal *const t = calloc(1, sizeof *t);
    if (!t)
        return no_memory();
    ws_thermal_build_network(chip, &t->net);
    t->ambient_k = chip->ambient_k;
    t->step_s = step_s;
    for (size_t b = 0; b < chip->blocks; b++)
        strcpy(t->name[b], chip->block[b].name);
    int rc = solve_steady(t);
    if (!rc)
        rc = find_modes(t);
    if (rc) {
        free(t);
        return rc;
    }
    *out = t;
    return WS_OK;
}

void ws_thermal_destroy(ws_thermal *thermal)
{
    free(thermal);
}

size_t ws_thermal_blocks(const ws_thermal *thermal)
{
    return thermal->net.blocks;
}

const char *ws_thermal_block_name(const ws_thermal *thermal, size_t block)
{
    return thermal->name[block];
}

long ws_thermal_find_block(const ws_thermal *thermal, const char *name)
{
    for (size_t b = 0; b < thermal->net.blocks; b++)
        if (!strcmp(thermal->name[b], name))
            return (long)b;
    return -1;
}

double ws_thermal_ambient_k(const ws_thermal *thermal)
{
    return thermal->ambient_k;
}

void ws_thermal_start(const ws_thermal *thermal, const double *power_w, ws_thermal_state *state)
{
    memset(state, 0, sizeof *state);
    for (size_t m = 0; power_w && m < thermal->kept; m++)
        for (size_t b = 0; b < thermal->net.blocks; b++)
            state->mode[m] += thermal->shape[b][m] / thermal->rate[m] * power_w[b];
}

void ws_thermal_step(const ws_thermal *thermal, ws_thermal_state *state, const double *power_w, double *die_k)
{
    const size_t blocks = thermal->net.blocks;
    pair *const amplitude = (pair *)(void *)state->mode; /* its alignment is a double's */
    for (size_t g = 0; g < thermal->groups; g++) {
        const group *const modes = &thermal->group[g];
        pair next = amplitude[g] * modes->decay;
        for (size_t b = 0; b < blocks; b++)
            next += modes->in[b] * power_w[b];
        amplitude[g] = next;
    }
    for (size_t i = 0; i < blocks; i++) {
        pair rise = {thermal->ambient_k};
        for (size_t g = 0; g < thermal->groups; g++)
            rise += thermal->group[g].out[i] * amplitude[g];
        double k = rise[0] + rise[1];
        for (size_t b = 0; b < blocks; b++)
            k += thermal->at_once[i][b] * power_w[b];
        die_k[i] = k;
    }
}

void ws_thermal_steady(const ws_thermal *thermal, const double *power_w, ws_thermal_layer layer, double *k)
{
    const size_t blocks = thermal->net.blocks;
    for (size_t i = 0; i < blocks; i++) {
        k[i] = thermal->ambient_k;
        for (size_t b = 0; b < blocks; b++)
            k[i] += thermal->steady[(size_t)layer * blocks + i][b] * power_w[b];
    }
}

const double *ws_thermal_time_constants(const ws_thermal *thermal, size_t *count)
{
    *count = thermal->net.nodes;
    return thermal->time_s;
}

const ws_thermal_network *ws_thermal_network_of(const ws_thermal *thermal)
{
    return &thermal->net;
}

void ws_thermal_nodes(const ws_thermal *thermal, const ws_thermal_state *state, const double *power_w, double *rise_k)
{
    for (size_t i = 0; i < thermal->net.nodes; i++) {
        rise_k[i] = 0;
        for (size_t b = 0; b < thermal->net.blocks; b++)
            rise_k[i] += (thermal->steady[i][b] - thermal->slow[i][b]) * power_w[b];
        for (size_t m = 0; m < thermal->kept; m++)
            rise_k[i] += thermal->shape[i][m] * state->mode[m];
    }
}

size_t ws_thermal_kept_modes(const ws_thermal *thermal)
{
    return thermal->kept;
}
