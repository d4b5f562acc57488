/* lulesh.cu - a blast in a gas on a mesh of hexahedra, which moves along (I. Karlin, J. Keasler, R. Neely, LULESH 2.0 Updates and Changes, 2013; L. Sedov,
 * Similarity and Dimensional Methods in Mechanics, 1959).
 *
 * Nodes have place, velocity and mass, elements eight nodes, mass and energy. A cycle: volume of elements, how fast it changes, and pressure
 * (lul_state); forces of pressure on the eight corners of each (lul_stress), and those against hourglasses, which pressure does not see
 * (lul_hourglass); nodes gather forces (lul_gather), speed up (lul_accelerate) and move (lul_advance); elements pay for the work of their corners
 * (lul_work), and the least limit of the next step is found (lul_limit). Vectors of nodes and corners stand x, y, z. */
#include "../harness/meshes.cuh"

enum { CORNERS = 8, FACES = 6, OF_FACE = 4, MODES = 4 };

/* As mesh_gas in meshes.h. */
struct mesh_gas {
    double gamma, quadratic, linear, courant, change;
};

struct vector3 {
    double x, y, z;
};

DEVICE vector3 operator+(const vector3 &a, const vector3 &b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
DEVICE vector3 operator-(const vector3 &a, const vector3 &b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
DEVICE vector3 operator*(double s, const vector3 &a) { return {s * a.x, s * a.y, s * a.z}; }
DEVICE double dot(const vector3 &a, const vector3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
DEVICE vector3 cross(const vector3 &a, const vector3 &b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

/* Corners of the faces, counterclockwise from outside. Corner c is at bit 0 of c along the first axis, bit 1 along the second, bit 2 along the
 * third. */
static const __device__ int face_corner[FACES][OF_FACE] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

DEVICE int thread_number()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* How the volume below a ruled face changes with each corner: a twelfth of products of the three others. Twice the area of the face, squared, too. */
DEVICE double add_face(const vector3 *at, int face, vector3 *gradient)
{
#pragma unroll
    for (int i = 0; i < OF_FACE; i++) {
        const vector3 &q = at[face_corner[face][(i + 1) % OF_FACE]], &r = at[face_corner[face][(i + 2) % OF_FACE]], &s = at[face_corner[face][(i + 3) % OF_FACE]];
        vector3 &to = gradient[face_corner[face][i]];
        to = to + (1 / 12.0) * (cross(q, r) + cross(r, s) + cross(q, s));
    }
    const vector3 normal = cross(at[face_corner[face][2]] - at[face_corner[face][0]], at[face_corner[face][3]] - at[face_corner[face][1]]);
    return dot(normal, normal);
}

/* Places of an element's corners and the gradient of its volume; the largest of the faces' areas. */
DEVICE double look_at(const int *node, const vector3 *place, int e, vector3 *at, vector3 *gradient)
{
    double largest = 0;
    for (int c = 0; c < CORNERS; c++) {
        at[c] = place[node[e * CORNERS + c]];
        gradient[c] = {0, 0, 0};
    }
#pragma unroll
    for (int face = 0; face < FACES; face++) {
        const double area = add_face(at, face, gradient);
        largest = area > largest ? area : largest;
    }
    return 0.5 * sqrt(largest);
}

/* Volume is of the third degree in places, so it is a third of what places and gradient make. */
DEVICE double volume_of(const vector3 *at, const vector3 *gradient)
{
    double sum = 0;
    for (int c = 0; c < CORNERS; c++)
        sum += dot(at[c], gradient[c]);
    return sum / 3;
}

/* pressure: with viscosity; stiffness: force against hourglasses for a speed; limit: of the step. */
KERNEL lul_state(const int *node, const vector3 *place, const vector3 *speed, const double *mass, const double *energy, double *pressure, double *stiffness,
                 double *limit, mesh_gas gas, double hourglass, int elements)
{
    const int e = thread_number();
    vector3 at[CORNERS], gradient[CORNERS];

    if (e >= elements)
        return;
    const double face = look_at(node, place, e, at, gradient), volume = volume_of(at, gradient), across = volume / face;
    double rate = 0;
    for (int c = 0; c < CORNERS; c++)
        rate += dot(gradient[c], speed[node[e * CORNERS + c]]);
    const double density = mass[e] / volume, thermal = (gas.gamma - 1) * density * energy[e];
    const double sound = sqrt(gas.gamma * thermal / density), jump = rate < 0 ? -rate / volume * across : 0;
    const double until_gone = gas.change * volume / (rate < 0 ? -rate : rate), until_through = gas.courant * across / (sound + 2 * gas.quadratic * jump);
    pressure[e] = thermal + density * jump * (gas.quadratic * jump + gas.linear * sound);
    stiffness[e] = hourglass * mass[e] * sound / across;
    limit[e] = until_gone < until_through ? until_gone : until_through;
}

KERNEL lul_stress(const int *node, const vector3 *place, const double *pressure, vector3 *force, int elements)
{
    const int e = thread_number();
    vector3 at[CORNERS], gradient[CORNERS];

    if (e >= elements)
        return;
    look_at(node, place, e, at, gradient);
    for (int c = 0; c < CORNERS; c++)
        force[e * CORNERS + c] = pressure[e] * gradient[c];
}

/* Sign of a corner in a mode: the product of its signs along two axes, or all three. */
DEVICE double sign_in(int mode, int corner)
{
    const int axes = mode == 3 ? 7 : 7 & ~(1 << mode);
    return __popc(corner & axes) % 2 ? -1 : 1;
}

/* Against motion of the corners that neither the volume nor any field of straight lines has (D. Flanagan, T. Belytschko, A Uniform Strain Hexahedron and
 * Quadrilateral with Orthogonal Hourglass Control, 1981). */
KERNEL lul_hourglass(const int *node, const vector3 *place, const vector3 *speed, const double *stiffness, vector3 *force, int elements)
{
    const int e = thread_number();
    vector3 at[CORNERS], gradient[CORNERS];

    if (e >= elements)
        return;
    look_at(node, place, e, at, gradient);
    const double volume = volume_of(at, gradient);
    for (int mode = 0; mode < MODES; mode++) {
        vector3 of_place = {0, 0, 0}, of_speed = {0, 0, 0};
        double shape[CORNERS];
        for (int c = 0; c < CORNERS; c++)
            of_place = of_place + sign_in(mode, c) * at[c];
        for (int c = 0; c < CORNERS; c++) {
            shape[c] = sign_in(mode, c) - dot(of_place, gradient[c]) / volume;
            of_speed = of_speed + shape[c] * speed[node[e * CORNERS + c]];
        }
        for (int c = 0; c < CORNERS; c++)
            force[e * CORNERS + c] = force[e * CORNERS + c] - stiffness[e] * shape[c] * of_speed;
    }
}

KERNEL lul_gather(const int *first, const int *corner, const vector3 *force, vector3 *push, int nodes)
{
    const int n = thread_number();

    if (n >= nodes)
        return;
    vector3 sum = {0, 0, 0};
    for (int i = first[n]; i < first[n + 1]; i++)
        sum = sum + force[corner[i]];
    push[n] = sum;
}

/* wall: bits of the axes along which a node stays. mean: velocity in the mean of before and after. */
KERNEL lul_accelerate(const vector3 *push, const double *mass, const int *wall, vector3 *speed, vector3 *mean, double step, int nodes)
{
    const int n = thread_number();

    if (n >= nodes)
        return;
    vector3 gain = step / mass[n] * push[n];
    gain.x = wall[n] & 1 ? 0 : gain.x;
    gain.y = wall[n] & 2 ? 0 : gain.y;
    gain.z = wall[n] & 4 ? 0 : gain.z;
    mean[n] = speed[n] + 0.5 * gain;
    speed[n] = speed[n] + gain;
}

KERNEL lul_advance(const vector3 *speed, vector3 *place, double step, int nodes)
{
    const int n = thread_number();

    if (n < nodes)
        place[n] = place[n] + step * speed[n];
}

KERNEL lul_work(const int *node, const vector3 *force, const vector3 *mean, const double *mass, double *energy, double step, int elements)
{
    const int e = thread_number();

    if (e >= elements)
        return;
    double power = 0;
    for (int c = 0; c < CORNERS; c++)
        power += dot(force[e * CORNERS + c], mean[node[e * CORNERS + c]]);
    energy[e] -= step * power / mass[e];
}

KERNEL lul_limit(const double *limit, double *least, int elements)
{
    least_of_block(limit, least, elements);
}
