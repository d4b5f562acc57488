/* pennant.cu - a gas on a plane mesh of zones with any number of sides, which moves along (E. Caramana, D. Burton, M. Shashkov, P. Whalen, The
 * Construction of Compatible Hydrodynamics Algorithms Utilizing Conservation of Total Energy, 1998).
 *
 * Three kinds of things with lists from one to the other: points, which have place, velocity and mass; zones, which have mass and energy; sides, one
 * for each corner of each zone. A cycle: points half a step on (pen_predict), pressure of zones there (pen_state), force of each corner (pen_corners),
 * points gather forces and move (pen_move), zones pay for the work of their corners (pen_work), and the least limit of the next step (pen_limit). What
 * zones pay is what points get, so the sum of both energies stays. */
#include "../harness/meshes.cuh"

/* As mesh_gas in meshes.h. */
struct mesh_gas {
    double gamma, quadratic, linear, courant, change;
};

DEVICE int thread_number()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

KERNEL pen_predict(const double *x, const double *y, const double *u, const double *v, double *half_x, double *half_y, double step, int points)
{
    const int p = thread_number();

    if (p >= points)
        return;
    half_x[p] = x[p] + 0.5 * step * u[p];
    half_y[p] = y[p] + 0.5 * step * v[p];
}

/* pressure: with viscosity; limit: of the step. Sides of zone z: first[z] .. first[z + 1] - 1, each begins at its point. */
KERNEL pen_state(const int *first, const int *point, const double *x, const double *y, const double *u, const double *v, const double *mass, const double *energy,
                 double *pressure, double *limit, mesh_gas gas, int zones)
{
    const int z = thread_number();

    if (z >= zones)
        return;
    double area = 0, rate = 0, longest = 0;
    for (int s = first[z]; s < first[z + 1]; s++) {
        const int p = point[s], q = point[s + 1 < first[z + 1] ? s + 1 : first[z]];
        const double dx = x[q] - x[p], dy = y[q] - y[p], length = dx * dx + dy * dy;
        area += 0.5 * (x[p] * y[q] - x[q] * y[p]);
        rate += 0.5 * (u[p] * y[q] + x[p] * v[q] - u[q] * y[p] - x[q] * v[p]);
        longest = length > longest ? length : longest;
    }
    const double density = mass[z] / area, thermal = (gas.gamma - 1) * density * energy[z], across = area / sqrt(longest);
    const double sound = sqrt(gas.gamma * thermal / density), closing = rate < 0 ? -rate / area : 0, jump = across * closing;
    const double until_gone = gas.change * area / (rate < 0 ? -rate : rate), until_through = gas.courant * across / (sound + 2 * gas.quadratic * jump);
    pressure[z] = thermal + density * jump * (gas.quadratic * jump + gas.linear * sound);
    limit[z] = until_gone < until_through ? until_gone : until_through;
}

/* Force of a zone on the point at which its side begins: pressure times the change of area with that point. */
KERNEL pen_corners(const int *point, const int *before, const int *behind, const int *zone, const double *x, const double *y, const double *pressure,
                   double *force_x, double *force_y, int sides)
{
    const int s = thread_number();

    if (s >= sides)
        return;
    const int p = point[before[s]], q = point[behind[s]];
    const double half = 0.5 * pressure[zone[s]];
    force_x[s] = half * (y[q] - y[p]);
    force_y[s] = half * (x[p] - x[q]);
}

/* wall: 1 where a point stays on x = 0, 2 on y = 0. mean_u, mean_v: velocity over the step. */
KERNEL pen_move(const int *first, const int *corner, const double *force_x, const double *force_y, const double *mass, const int *wall, double *x, double *y,
                double *u, double *v, double *mean_u, double *mean_v, double step, int points)
{
    const int p = thread_number();

    if (p >= points)
        return;
    double fx = 0, fy = 0;
    for (int i = first[p]; i < first[p + 1]; i++) {
        fx += force_x[corner[i]];
        fy += force_y[corner[i]];
    }
    const double next_u = wall[p] & 1 ? 0 : u[p] + step * fx / mass[p], next_v = wall[p] & 2 ? 0 : v[p] + step * fy / mass[p];
    mean_u[p] = 0.5 * (u[p] + next_u);
    mean_v[p] = 0.5 * (v[p] + next_v);
    x[p] += step * mean_u[p];
    y[p] += step * mean_v[p];
    u[p] = next_u;
    v[p] = next_v;
}

KERNEL pen_work(const int *first, const int *point, const double *force_x, const double *force_y, const double *mean_u, const double *mean_v, const double *mass,
                double *energy, double step, int zones)
{
    const int z = thread_number();

    if (z >= zones)
        return;
    double power = 0;
    for (int s = first[z]; s < first[z + 1]; s++)
        power += force_x[s] * mean_u[point[s]] + force_y[s] * mean_v[point[s]];
    energy[z] -= step * power / mass[z];
}

KERNEL pen_limit(const double *limit, double *least, int zones)
{
    least_of_block(limit, least, zones);
}
