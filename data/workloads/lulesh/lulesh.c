/* lulesh.c - LUL: what stays of nodes, corners and elements of a mesh in space that kernels take turns at? Host side of
 * lulesh.cu. */
#include "data/workloads/harness/meshes.h"

enum { CORNERS = 8, AXES = 3, MODES = 4 };

static const mesh_gas GAS = {.gamma = 1.4, .quadratic = 2, .linear = 0.5, .courant = 0.3, .change = 0.1};
static const double HOURGLASS = 0.03;               /* of mass, times the speed of sound, a length */
static const double COLDEST = 0.01, WARMEST = 0.02; /* energy of a unit of mass, but where the blast begins */
static const double BLAST = 0.1;                    /* its energy, an eighth of that of a whole one */
static const double WOBBLE = 0.1;      /* by how much of an element's side nodes are off the grid, at most */
static const double FIRST_STEP = 0.05; /* of the time that a side takes at the blast's speed of sound */
/* Numbers are up to the blast's speed, and rounded at 2^-53; a shock makes differences grow a little. */
static const double TOLERANCE = 1e-10;

static const harness_size input_sizes[] = {
    {"side", "elements of a side", {5, 12, 24}, 1, 128, 1},
    {"cycles", "steps of time", {4, 8, 12}, 1, 1000, 1},
    {0},
};

typedef struct vector3 {
    double at[AXES];
} vector3;

typedef struct mesh {
    int nodes, elements;
    double length; /* of an element's side */
    int *node, *wall;
    vector3 *place, *speed;
    double *of_node, *of_element, *energy; /* masses; energy of a unit of mass */
} mesh;

/* ------------------------------------------------------------------------------------------------ on the CPU */

static vector3 cross(vector3 a, vector3 b)
{
    return (vector3){{a.at[1] * b.at[2] - a.at[2] * b.at[1], a.at[2] * b.at[0] - a.at[0] * b.at[2],
                      a.at[0] * b.at[1] - a.at[1] * b.at[0]}};
}

static double dot(vector3 a, vector3 b)
{
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

/* The place in an element that stands at s along its three axes, from 0 to 1, and how it changes along each. */
static void map(const vector3 *corner, const double *s, vector3 *along)
{
    for (int axis = 0; axis < AXES; axis++)
        for (int d = 0; d < AXES; d++) {
            along[axis].at[d] = 0;
            for (int c = 0; c < CORNERS; c++) {
                double weight = c >> axis & 1 ? 1 : -1;
                for (int other = 0; other < AXES; other++)
                    weight *= other == axis ? 1 : c >> other & 1 ? s[other] : 1 - s[other];
                along[axis].at[d] += weight * corner[c].at[d];
            }
        }
}

/* Volume of the trilinear element and its gradient: the integral of the map's determinant over a cube. That is of the
 * second degree in each axis, for which two points of Gauss are exact. */
static double volume_on_cpu(const vector3 *corner, vector3 *gradient)
{
    static const double gauss[] = {0.5 - 0.28867513459481288225, 0.5 + 0.28867513459481288225};
    double volume = 0;
    for (int c = 0; c < CORNERS; c++)
        gradient[c] = (vector3){{0}};
    for (int point = 0; point < CORNERS; point++) {
        const double s[AXES] = {gauss[point & 1], gauss[point >> 1 & 1], gauss[point >> 2]};
        vector3 along[AXES];
        map(corner, s, along);
        volume += dot(along[0], cross(along[1], along[2])) / CORNERS;
        for (int axis = 0; axis < AXES; axis++) {
            const vector3 cofactor = cross(along[(axis + 1) % AXES], along[(axis + 2) % AXES]);
            for (int c = 0; c < CORNERS; c++) {
                double weight = (c >> axis & 1 ? 1.0 : -1.0) / CORNERS;
                for (int other = 0; other < AXES; other++)
                    weight *= other == axis ? 1 : c >> other & 1 ? s[other] : 1 - s[other];
                for (int d = 0; d < AXES; d++)
                    gradient[c].at[d] += weight * cofactor.at[d];
            }
        }
    }
    return volume;
}

/* The largest of the six faces by their diagonals; the fixed axis, and which of its two sides. */
static double largest_face(const vector3 *corner)
{
    double largest = 0;
    for (int axis = 0; axis < AXES; axis++)
        for (int side = 0; side < 2; side++) {
            const int p = 1 << (axis + 1) % AXES, q = 1 << (axis + 2) % AXES, base = side << axis;
            vector3 one, other;
            for (int d = 0; d < AXES; d++) {
                one.at[d] = corner[base + p + q].at[d] - corner[base].at[d];
                other.at[d] = corner[base + q].at[d] - corner[base + p].at[d];
            }
            const vector3 normal = cross(one, other);
            largest = fmax(largest, sqrt(dot(normal, normal)) / 2);
        }
    return largest;
}

/* Adds the force against hourglasses to those of the corners. */
static void resist_on_cpu(const vector3 *corner, const vector3 *speed, const vector3 *gradient, double volume,
                          double stiffness, vector3 *force)
{
    static const int axes_of_mode[MODES] = {6, 5, 3, 7};
    for (int mode = 0; mode < MODES; mode++) {
        double shape[CORNERS];
        for (int c = 0; c < CORNERS; c++) {
            shape[c] = __builtin_parity((unsigned)(c & axes_of_mode[mode])) ? -1 : 1;
            for (int k = 0; k < CORNERS; k++) /* less what a field of straight lines would have */
                shape[c] -= (__builtin_parity((unsigned)(k & axes_of_mode[mode])) ? -1 : 1) *
                            dot(corner[k], gradient[c]) / volume;
        }
        for (int d = 0; d < AXES; d++) {
            double motion = 0;
            for (int c = 0; c < CORNERS; c++)
                motion += shape[c] * speed[c].at[d];
            for (int c = 0; c < CORNERS; c++)
                force[c].at[d] -= stiffness * motion * shape[c];
        }
    }
}

/* Forces of an element on its corners; how long the step may be. */
static double push_on_cpu(const mesh *m, int e, vector3 *force)
{
    vector3 corner[CORNERS], speed[CORNERS], gradient[CORNERS];
    double rate = 0;
    for (int c = 0; c < CORNERS; c++) {
        corner[c] = m->place[m->node[e * CORNERS + c]];
        speed[c] = m->speed[m->node[e * CORNERS + c]];
    }
    const double volume = volume_on_cpu(corner, gradient), across = volume / largest_face(corner),
                 density = m->of_element[e] / volume;
    for (int c = 0; c < CORNERS; c++)
        rate += dot(gradient[c], speed[c]);
    const double thermal = (GAS.gamma - 1) * density * m->energy[e],
                 sound = sqrt(GAS.gamma * (GAS.gamma - 1) * m->energy[e]);
    const double jump = fmax(0, -rate) / volume * across,
                 pressure = thermal + density * (GAS.quadratic * jump * jump + GAS.linear * jump * sound);
    for (int c = 0; c < CORNERS; c++)
        for (int d = 0; d < AXES; d++)
            force[c].at[d] = pressure * gradient[c].at[d];
    resist_on_cpu(corner, speed, gradient, volume, HOURGLASS * m->of_element[e] * sound / across, force);
    return fmin(GAS.change * volume / fabs(rate), GAS.courant * across / (sound + 2 * GAS.quadratic * jump));
}

/* One cycle; how long the next step may be. force: of all corners; push: of all nodes. */
static double cycle_on_cpu(const mesh *m, double step, vector3 *force, vector3 *push)
{
    double limit = HUGE_VAL;
    for (int n = 0; n < m->nodes; n++)
        push[n] = (vector3){{0}};
    for (int e = 0; e < m->elements; e++)
        limit = fmin(limit, push_on_cpu(m, e, force + e * CORNERS));
    for (int i = 0; i < m->elements * CORNERS; i++)
        for (int d = 0; d < AXES; d++)
            push[m->node[i]].at[d] += force[i].at[d];
    for (int n = 0; n < m->nodes; n++)
        for (int d = 0; d < AXES; d++) {
            const double gain = m->wall[n] >> d & 1 ? 0 : step * push[n].at[d] / m->of_node[n];
            push[n].at[d] = m->speed[n].at[d] + gain / 2; /* now velocity over the step */
            m->speed[n].at[d] += gain;
            m->place[n].at[d] += step * m->speed[n].at[d];
        }
    for (int i = 0; i < m->elements * CORNERS; i++)
        m->energy[i / CORNERS] -= step * dot(force[i], push[m->node[i]]) / m->of_element[i / CORNERS];
    return limit;
}

/* ------------------------------------------------------------------------------------------------ mesh */

/* A cube of side 1. Nodes of its faces stay on them; three of these are walls. */
static void place_nodes(harness *h, mesh *m, int side)
{
    const int wide = side + 1;
    for (int n = 0; n < m->nodes; n++) {
        const int at[AXES] = {n % wide, n / wide % wide, n / wide / wide};
        for (int d = 0; d < AXES; d++) {
            const double off = harness_uniform(h, -WOBBLE, WOBBLE);
            m->place[n].at[d] = m->length * (at[d] + (at[d] > 0 && at[d] < side ? off : 0));
            m->wall[n] |= at[d] == 0 ? 1 << d : 0;
        }
    }
}

/* Density 1; each corner has an eighth of its element. The blast is in the first element. */
static void fill_elements(harness *h, mesh *m, int side)
{
    for (int e = 0; e < m->elements; e++) {
        const int base = (e / side / side * (side + 1) + e / side % side) * (side + 1) + e % side;
        vector3 corner[CORNERS], gradient[CORNERS];
        for (int c = 0; c < CORNERS; c++) {
            m->node[e * CORNERS + c] = base + (c & 1) + (c >> 1 & 1) * (side + 1) + (c >> 2) * (side + 1) * (side + 1);
            corner[c] = m->place[m->node[e * CORNERS + c]];
        }
        m->of_element[e] = volume_on_cpu(corner, gradient);
        for (int c = 0; c < CORNERS; c++)
            m->of_node[m->node[e * CORNERS + c]] += m->of_element[e] / CORNERS;
        m->energy[e] = harness_uniform(h, COLDEST, WARMEST);
    }
    m->energy[0] = BLAST / m->of_element[0];
}

static mesh make_mesh(harness *h)
{
    const int side = (int)harness_get_size(h, "side");
    const size_t elements = (size_t)side * (size_t)side * (size_t)side, wide = (size_t)side + 1,
                 nodes = wide * wide * wide;
    mesh m = {.nodes = (int)nodes,
              .elements = (int)elements,
              .length = 1.0 / side,
              .node = harness_host(h, elements * CORNERS, sizeof(int)),
              .wall = harness_host(h, nodes, sizeof(int)),
              .place = harness_host(h, nodes, sizeof(vector3)),
              .speed = harness_host(h, nodes, sizeof(vector3)),
              .of_node = harness_host(h, nodes, sizeof(double)),
              .of_element = harness_host(h, elements, sizeof(double)),
              .energy = harness_host(h, elements, sizeof(double))};
    place_nodes(h, &m, side);
    fill_elements(h, &m, side);
    return m;
}

static double total_energy(const mesh *m, const vector3 *speed, const double *energy)
{
    double sum = 0;
    for (int n = 0; n < m->nodes; n++)
        sum += m->of_node[n] * dot(speed[n], speed[n]) / 2;
    for (int e = 0; e < m->elements; e++)
        sum += m->of_element[e] * energy[e];
    return sum;
}

/* ------------------------------------------------------------------------------------------------ on the device */

/* Arrays on the device. */
typedef struct device {
    CUdeviceptr node, wall, place, speed, mean, push, of_node, of_element, energy, pressure, stiffness, limit, force,
        least;
    mesh_corners corners;
} device;

static device make_device(harness *h, const mesh *m)
{
    const size_t nodes = (size_t)m->nodes, elements = (size_t)m->elements;
    return (device){.node = harness_upload(h, m->node, elements * CORNERS * sizeof(int)),
                    .wall = harness_upload(h, m->wall, nodes * sizeof(int)),
                    .place = harness_upload(h, m->place, nodes * sizeof(vector3)),
                    .speed = harness_upload(h, m->speed, nodes * sizeof(vector3)),
                    .mean = harness_device(h, nodes * sizeof(vector3)),
                    .push = harness_device(h, nodes * sizeof(vector3)),
                    .of_node = mesh_upload(h, m->of_node, nodes),
                    .of_element = mesh_upload(h, m->of_element, elements),
                    .energy = mesh_upload(h, m->energy, elements),
                    .pressure = harness_device(h, elements * sizeof(double)),
                    .stiffness = harness_device(h, elements * sizeof(double)),
                    .limit = harness_device(h, elements * sizeof(double)),
                    .force = harness_device(h, elements * CORNERS * sizeof(vector3)),
                    .least = harness_device(h, (elements / MESH_THREADS + 1) * sizeof(double)),
                    .corners = mesh_gather(h, m->node, elements * CORNERS, nodes)};
}

static double cycle_on_device(harness *h, mesh *m, device *d, double step)
{
    const harness_dim block = HARNESS_DIM(MESH_THREADS), nodes = HARNESS_DIM(harness_blocks(m->nodes, MESH_THREADS));
    const harness_dim elements = HARNESS_DIM(harness_blocks(m->elements, MESH_THREADS));
    mesh_gas gas = GAS;
    double hourglass = HOURGLASS;
    HARNESS_LAUNCH(h, harness_kernel(h, "lul_state"), elements, block, 0, &d->node, &d->place, &d->speed,
                   &d->of_element, &d->energy, &d->pressure, &d->stiffness, &d->limit, &gas, &hourglass, &m->elements);
    HARNESS_LAUNCH(h, harness_kernel(h, "lul_stress"), elements, block, 0, &d->node, &d->place, &d->pressure, &d->force,
                   &m->elements);
    HARNESS_LAUNCH(h, harness_kernel(h, "lul_hourglass"), elements, block, 0, &d->node, &d->place, &d->speed,
                   &d->stiffness, &d->force, &m->elements);
    HARNESS_LAUNCH(h, harness_kernel(h, "lul_gather"), nodes, block, 0, &d->corners.d_first, &d->corners.d_corner,
                   &d->force, &d->push, &m->nodes);
    HARNESS_LAUNCH(h, harness_kernel(h, "lul_accelerate"), nodes, block, 0, &d->push, &d->of_node, &d->wall, &d->speed,
                   &d->mean, &step, &m->nodes);
    HARNESS_LAUNCH(h, harness_kernel(h, "lul_advance"), nodes, block, 0, &d->speed, &d->place, &step, &m->nodes);
    HARNESS_LAUNCH(h, harness_kernel(h, "lul_work"), elements, block, 0, &d->node, &d->force, &d->mean, &d->of_element,
                   &d->energy, &step, &m->elements);
    return mesh_least(h, "lul_limit", d->limit, d->least, m->elements);
}

static void run(harness *h)
{
    mesh m = make_mesh(h);
    const size_t nodes = (size_t)m.nodes, elements = (size_t)m.elements;
    const long cycles = harness_get_size(h, "cycles");
    const double before = total_energy(&m, m.speed, m.energy),
                 first = FIRST_STEP * m.length / sqrt(GAS.gamma * (GAS.gamma - 1) * m.energy[0]);
    device d = make_device(h, &m);
    double step = first;

    for (long cycle = 0; cycle < cycles; cycle++)
        step = mesh_next_step(step, cycle_on_device(h, &m, &d, step));
    const double *const speed = mesh_download(h, d.speed, AXES * nodes), *const energy =
                                                                             mesh_download(h, d.energy, elements);
    const double after = total_energy(&m, (const vector3 *)speed, energy);
    if (!(fabs(after - before) <= 1e-12 * before))
        harness_wrong(h, "the energy of all was %.17g and is %.17g", before, after);

    vector3 *const force = harness_host(h, elements * CORNERS, sizeof *force), *const push =
                                                                                   harness_host(h, nodes, sizeof *push);
    step = first;
    for (long cycle = 0; cycle < cycles; cycle++)
        step = mesh_next_step(step, cycle_on_cpu(&m, step, force, push));
    const double fastest = sqrt(GAS.gamma * (GAS.gamma - 1) * BLAST / m.of_element[0]);
    harness_check_doubles(h, "place", mesh_download(h, d.place, AXES * nodes), m.place[0].at, AXES * nodes, 0,
                          TOLERANCE);
    harness_check_doubles(h, "speed", speed, m.speed[0].at, AXES * nodes, 0, TOLERANCE * fastest);
    harness_check_doubles(h, "energy", energy, m.energy, elements, TOLERANCE, TOLERANCE);
}

HARNESS_WORKLOAD_OF("LUL", "data/workloads/lulesh/lulesh.ptx", run, input_sizes)
