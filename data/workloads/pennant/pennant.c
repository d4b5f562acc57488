/* pennant.c - PEN: what stays of points, sides and zones that kernels take turns at? Host side of pennant.cu. */
#include "data/workloads/harness/meshes.h"

/* The problem of W. Noh, Errors for Calculations of Strong Shocks Using an Artificial Viscosity and an Artificial Heat
 * Flux, 1987, but for gas that is warm at first: all of a square moves to its corner at speed 1, and a shock comes
 * back. */
static const mesh_gas GAS = {.gamma = 5.0 / 3, .quadratic = 1.33, .linear = 0.5, .courant = 0.3, .change = 0.1};
static const double COLDEST = 0.02, WARMEST = 0.03; /* energy of a unit of mass */
static const double WOBBLE = 0.2;      /* by how much of a square's side points are off the grid, at most */
static const double FIRST_STEP = 0.01; /* of the time that a side of a square takes at speed 1 */
static const double TOLERANCE =
    1e-10; /* numbers are about 1 and rounded at 2^-53; a shock makes differences grow a little */

static const harness_size input_sizes[] = {
    {"width", "squares across", {15, 60, 160}, 1, 2048, 1},
    {"height", "squares up", {12, 50, 160}, 1, 2048, 1},
    {"triangles", "percent of the squares that are two triangles", {30, 30, 30}, 0, 100, 1},
    {"cycles", "steps of time", {4, 8, 20}, 1, 1000, 1},
    {0},
};

/* Lists of the mesh, and what moves. */
typedef struct mesh {
    int points, zones, sides;
    int *first, *point, *before, *behind, *zone, *wall;
    double *x, *y, *u, *v, *mass; /* of points */
    double *of_zone, *energy;     /* mass and energy of zones */
    double side;                  /* of a square */
} mesh;

/* The zone's sides are behind all others: n points, counterclockwise. */
static void add_zone(mesh *m, const int *point, int n)
{
    for (int i = 0; i < n; i++) {
        m->point[m->sides + i] = point[i];
        m->before[m->sides + i] = m->sides + (i + n - 1) % n;
        m->behind[m->sides + i] = m->sides + (i + 1) % n;
        m->zone[m->sides + i] = m->zones;
    }
    m->sides += n;
    m->first[++m->zones] = m->sides;
}

static void make_zones(harness *h, mesh *m, int wide, int high)
{
    const long cut = harness_get_size(h, "triangles");
    for (int i = 0; i < wide * high; i++) {
        const int a = i / wide * (wide + 1) + i % wide, b = a + 1, c = b + wide + 1, d = c - 1;
        if (harness_integer(h, 100) >= cut) {
            add_zone(m, (const int[]){a, b, c, d}, 4);
        } else if (harness_integer(h, 2)) {
            add_zone(m, (const int[]){a, b, c}, 3);
            add_zone(m, (const int[]){a, c, d}, 3);
        } else {
            add_zone(m, (const int[]){a, b, d}, 3);
            add_zone(m, (const int[]){b, c, d}, 3);
        }
    }
}

/* Points of the rim stay on it. Speed is towards the corner, which is at rest. */
static void place_points(harness *h, mesh *m, int wide, int high)
{
    for (int p = 0; p < m->points; p++) {
        const int i = p % (wide + 1), j = p / (wide + 1);
        const double across = harness_uniform(h, -WOBBLE, WOBBLE), up = harness_uniform(h, -WOBBLE, WOBBLE);
        m->x[p] = m->side * (i + (i > 0 && i < wide ? across : 0));
        m->y[p] = m->side * (j + (j > 0 && j < high ? up : 0));
        m->wall[p] = (i == 0 ? 1 : 0) + (j == 0 ? 2 : 0);
        const double away = hypot(m->x[p], m->y[p]);
        m->u[p] = i == 0 ? 0 : -m->x[p] / away;
        m->v[p] = j == 0 ? 0 : -m->y[p] / away;
    }
}

/* Density 1; each corner has an equal share of its zone. */
static void fill_zones(harness *h, mesh *m)
{
    for (int z = 0; z < m->zones; z++) {
        for (int s = m->first[z]; s < m->first[z + 1]; s++) {
            const int p = m->point[s], q = m->point[m->behind[s]];
            m->of_zone[z] += 0.5 * (m->x[p] * m->y[q] - m->x[q] * m->y[p]);
        }
        for (int s = m->first[z]; s < m->first[z + 1]; s++)
            m->mass[m->point[s]] += m->of_zone[z] / (m->first[z + 1] - m->first[z]);
        m->energy[z] = harness_uniform(h, COLDEST, WARMEST);
    }
}

static mesh make_mesh(harness *h)
{
    const int wide = (int)harness_get_size(h, "width"), high = (int)harness_get_size(h, "height");
    const size_t points = (size_t)(wide + 1) * (size_t)(high + 1), zones = 2 * (size_t)wide * (size_t)high,
                 sides = 3 * zones;
    mesh m = {.points = (int)points, .side = 1.0 / (wide > high ? wide : high)};
    int **const of_sides[] = {&m.point, &m.before, &m.behind, &m.zone};
    double **const of_points[] = {&m.x, &m.y, &m.u, &m.v, &m.mass};
    for (size_t i = 0; i < sizeof of_sides / sizeof *of_sides; i++)
        *of_sides[i] = harness_host(h, sides, sizeof(int));
    for (size_t i = 0; i < sizeof of_points / sizeof *of_points; i++)
        *of_points[i] = harness_host(h, points, sizeof(double));
    m.first = harness_host(h, zones + 1, sizeof(int));
    m.wall = harness_host(h, points, sizeof(int));
    m.of_zone = harness_host(h, zones, sizeof(double));
    m.energy = harness_host(h, zones, sizeof(double));
    make_zones(h, &m, wide, high);
    place_points(h, &m, wide, high);
    fill_zones(h, &m);
    return m;
}

static double total_energy(const mesh *m, const double *u, const double *v, const double *energy)
{
    double sum = 0;
    for (int p = 0; p < m->points; p++)
        sum += 0.5 * m->mass[p] * (u[p] * u[p] + v[p] * v[p]);
    for (int z = 0; z < m->zones; z++)
        sum += m->of_zone[z] * energy[z];
    return sum;
}

/* ------------------------------------------------------------------------------------------------ on the CPU */

/* Pressure with viscosity of a zone at the places x, y, and how long the step may be. */
static double pressure_on_cpu(const mesh *m, int z, const double *x, const double *y, double *limit)
{
    double area = 0, rate = 0, longest = 0;
    for (int s = m->first[z]; s < m->first[z + 1]; s++) {
        const int before = m->point[m->before[s]], p = m->point[s], q = m->point[m->behind[s]];
        area += 0.5 * (x[p] * y[q] - x[q] * y[p]);
        rate += 0.5 * (m->u[p] * (y[q] - y[before]) + m->v[p] * (x[before] - x[q]));
        longest = fmax(longest, hypot(x[q] - x[p], y[q] - y[p]));
    }
    const double density = m->of_zone[z] / area, pressure = (GAS.gamma - 1) * density * m->energy[z],
                 sound = sqrt(GAS.gamma * pressure / density);
    const double jump = area / longest * fmax(0, -rate / area);
    *limit = fmin(*limit, fmin(GAS.change * area / fabs(rate),
                               GAS.courant * area / longest / (sound + 2 * GAS.quadratic * jump)));
    return pressure + density * (GAS.quadratic * jump * jump + GAS.linear * sound * jump);
}

/* Scratch of the CPU: places at half a step, forces on points, velocity over the step, pressures. */
typedef struct scratch {
    double *x, *y, *push_x, *push_y, *u, *v, *pressure;
} scratch;

/* One cycle of the length `step`; how long the next may be. */
static double cycle_on_cpu(const mesh *m, double step, scratch *t)
{
    double limit = HUGE_VAL;
    for (int p = 0; p < m->points; p++) {
        t->x[p] = m->x[p] + step / 2 * m->u[p];
        t->y[p] = m->y[p] + step / 2 * m->v[p];
        t->push_x[p] = t->push_y[p] = 0;
    }
    for (int z = 0; z < m->zones; z++)
        t->pressure[z] = pressure_on_cpu(m, z, t->x, t->y, &limit);
    for (int s = 0; s < m->sides; s++) {
        const int before = m->point[m->before[s]], q = m->point[m->behind[s]];
        t->push_x[m->point[s]] += t->pressure[m->zone[s]] / 2 * (t->y[q] - t->y[before]);
        t->push_y[m->point[s]] += t->pressure[m->zone[s]] / 2 * (t->x[before] - t->x[q]);
    }
    for (int p = 0; p < m->points; p++) {
        const double du = m->wall[p] & 1 ? 0 : step * t->push_x[p] / m->mass[p],
                     dv = m->wall[p] & 2 ? 0 : step * t->push_y[p] / m->mass[p];
        t->u[p] = m->u[p] + du / 2;
        t->v[p] = m->v[p] + dv / 2;
        m->x[p] += step * t->u[p];
        m->y[p] += step * t->v[p];
        m->u[p] += du;
        m->v[p] += dv;
    }
    for (int s = 0; s < m->sides; s++) {
        const int before = m->point[m->before[s]], p = m->point[s], q = m->point[m->behind[s]], z = m->zone[s];
        const double power =
            t->pressure[z] / 2 * ((t->y[q] - t->y[before]) * t->u[p] + (t->x[before] - t->x[q]) * t->v[p]);
        m->energy[z] -= step * power / m->of_zone[z];
    }
    return limit;
}

static void flow_on_cpu(harness *h, const mesh *m, long cycles)
{
    double step = FIRST_STEP * m->side;
    scratch t = {.pressure = harness_host(h, (size_t)m->zones, sizeof(double))};
    double **const of_points[] = {&t.x, &t.y, &t.push_x, &t.push_y, &t.u, &t.v};
    for (size_t i = 0; i < sizeof of_points / sizeof *of_points; i++)
        *of_points[i] = harness_host(h, (size_t)m->points, sizeof(double));
    for (long cycle = 0; cycle < cycles; cycle++)
        step = mesh_next_step(step, cycle_on_cpu(m, step, &t));
}

/* ------------------------------------------------------------------------------------------------ on the device */

/* Arrays on the device. */
typedef struct device {
    CUdeviceptr first, point, before, behind, zone, wall, x, y, u, v, mass, of_zone, energy;
    CUdeviceptr half_x, half_y, mean_u, mean_v, pressure, limit, force_x, force_y, least;
    mesh_corners corners;
} device;

static device make_device(harness *h, const mesh *m)
{
    const size_t points = (size_t)m->points, zones = (size_t)m->zones, sides = (size_t)m->sides, each = sizeof(double);
    return (device){.first = harness_upload(h, m->first, (zones + 1) * sizeof(int)),
                    .point = harness_upload(h, m->point, sides * sizeof(int)),
                    .before = harness_upload(h, m->before, sides * sizeof(int)),
                    .behind = harness_upload(h, m->behind, sides * sizeof(int)),
                    .zone = harness_upload(h, m->zone, sides * sizeof(int)),
                    .wall = harness_upload(h, m->wall, points * sizeof(int)),
                    .x = mesh_upload(h, m->x, points),
                    .y = mesh_upload(h, m->y, points),
                    .u = mesh_upload(h, m->u, points),
                    .v = mesh_upload(h, m->v, points),
                    .mass = mesh_upload(h, m->mass, points),
                    .of_zone = mesh_upload(h, m->of_zone, zones),
                    .energy = mesh_upload(h, m->energy, zones),
                    .half_x = harness_device(h, points * each),
                    .half_y = harness_device(h, points * each),
                    .mean_u = harness_device(h, points * each),
                    .mean_v = harness_device(h, points * each),
                    .pressure = harness_device(h, zones * each),
                    .limit = harness_device(h, zones * each),
                    .force_x = harness_device(h, sides * each),
                    .force_y = harness_device(h, sides * each),
                    .least = harness_device(h, (zones / MESH_THREADS + 1) * each),
                    .corners = mesh_gather(h, m->point, sides, points)};
}

static double cycle_on_device(harness *h, mesh *m, device *d, double step)
{
    const harness_dim block = HARNESS_DIM(MESH_THREADS), points = HARNESS_DIM(harness_blocks(m->points, MESH_THREADS));
    const harness_dim zones = HARNESS_DIM(harness_blocks(m->zones, MESH_THREADS)),
                      sides = HARNESS_DIM(harness_blocks(m->sides, MESH_THREADS));
    mesh_gas gas = GAS;
    HARNESS_LAUNCH(h, harness_kernel(h, "pen_predict"), points, block, 0, &d->x, &d->y, &d->u, &d->v, &d->half_x,
                   &d->half_y, &step, &m->points);
    HARNESS_LAUNCH(h, harness_kernel(h, "pen_state"), zones, block, 0, &d->first, &d->point, &d->half_x, &d->half_y,
                   &d->u, &d->v, &d->of_zone, &d->energy, &d->pressure, &d->limit, &gas, &m->zones);
    HARNESS_LAUNCH(h, harness_kernel(h, "pen_corners"), sides, block, 0, &d->point, &d->before, &d->behind, &d->zone,
                   &d->half_x, &d->half_y, &d->pressure, &d->force_x, &d->force_y, &m->sides);
    HARNESS_LAUNCH(h, harness_kernel(h, "pen_move"), points, block, 0, &d->corners.d_first, &d->corners.d_corner,
                   &d->force_x, &d->force_y, &d->mass, &d->wall, &d->x, &d->y, &d->u, &d->v, &d->mean_u, &d->mean_v,
                   &step, &m->points);
    HARNESS_LAUNCH(h, harness_kernel(h, "pen_work"), zones, block, 0, &d->first, &d->point, &d->force_x, &d->force_y,
                   &d->mean_u, &d->mean_v, &d->of_zone, &d->energy, &step, &m->zones);
    return mesh_least(h, "pen_limit", d->limit, d->least, m->zones);
}

static void run(harness *h)
{
    mesh m = make_mesh(h);
    const size_t points = (size_t)m.points, zones = (size_t)m.zones;
    const long cycles = harness_get_size(h, "cycles");
    const double before = total_energy(&m, m.u, m.v, m.energy);
    device d = make_device(h, &m);
    double step = FIRST_STEP * m.side;

    for (long cycle = 0; cycle < cycles; cycle++)
        step = mesh_next_step(step, cycle_on_device(h, &m, &d, step));
    const double *const u = mesh_download(h, d.u, points), *const v = mesh_download(h, d.v, points),
                        *const energy = mesh_download(h, d.energy, zones);
    const double after = total_energy(&m, u, v, energy);
    if (!(fabs(after - before) <= 1e-12 * before))
        harness_wrong(h, "the energy of all was %.17g and is %.17g", before, after);
    flow_on_cpu(h, &m, cycles);
    harness_check_doubles(h, "place across", mesh_download(h, d.x, points), m.x, points, 0, TOLERANCE);
    harness_check_doubles(h, "place up", mesh_download(h, d.y, points), m.y, points, 0, TOLERANCE);
    harness_check_doubles(h, "speed across", u, m.u, points, 0, TOLERANCE);
    harness_check_doubles(h, "speed up", v, m.v, points, 0, TOLERANCE);
    harness_check_doubles(h, "energy", energy, m.energy, zones, 0, TOLERANCE);
}

HARNESS_WORKLOAD_OF("PEN", "data/workloads/pennant/pennant.ptx", run, input_sizes)
