/* galerkin.cu - DG: how do electric and magnetic fields ring in a box with metal walls? Nodal discontinuous Galerkin
 * method on tetrahedra for Maxwell's equations in time (J. Hesthaven, T. Warburton, Nodal Discontinuous Galerkin
 * Methods, 2008), in the kernels of A. Klöckner, T. Warburton, J. Bridge and J. Hesthaven (Nodal Discontinuous Galerkin
 * Methods on Graphics Processors, 2009), which the suite of Bakhoda et al. (2009) has as DG; code of our own.
 *
 * Each stage of a Runge-Kutta step is three launches. dg_volume: a block a tetrahedron, a thread a node; the fields of
 * its nodes in shared memory, matrices of derivatives through a texture. dg_surface: a thread a node of the four faces;
 * jumps to the neighbour's nodes through textures of maps and fields, upwind flux to shared memory, lifted from there
 * to the nodes of the volume. dg_update: a thread a value.
 *
 * Value `field` of node n of element k is at [(k * FIELDS + field) * padded + n]. */
#include "../harness/device.h"

enum {
    FIELDS = 6, /* Ex Ey Ez Hx Hy Hz */
    MOST_PADDED = 96,
    MOST_FACE = 112, /* nodes of four faces, order 6 */
    GEOMETRY = 9     /* derivatives of the reference coordinates r, s, t by x, y, z */
};

/* Derivatives of fields by x, y, z. */
struct gradient {
    float x, y, z;
};

/* rhs = (curl H, -curl E). matrices: texel n + m * padded has the derivatives by r, s, t at node n of the polynomial
 * that is 1 at node m. */
KERNEL __launch_bounds__(MOST_PADDED)
    dg_volume(texture matrices, const float *__restrict__ geometry, const float *__restrict__ q,
              float *__restrict__ rhs, int nodes)
{
    __shared__ float value[FIELDS][MOST_PADDED], to_xyz[GEOMETRY];
    const int n = (int)threadIdx.x, padded = (int)blockDim.x, first = (int)blockIdx.x * FIELDS * padded + n;
    if (n < GEOMETRY)
        to_xyz[n] = geometry[blockIdx.x * GEOMETRY + n];
    for (int f = 0; f < FIELDS; f++)
        value[f][n] = q[first + f * padded];
    __syncthreads();

    float r[FIELDS] = {}, s[FIELDS] = {}, t[FIELDS] = {};
    for (int m = 0; m < nodes; m++) {
        const f32x4 d = tex1d_fetch_f32x4(matrices, n + m * padded);
        for (int f = 0; f < FIELDS; f++) {
            const float v = value[f][m];
            r[f] += d.x * v;
            s[f] += d.y * v;
            t[f] += d.z * v;
        }
    }
    gradient g[FIELDS];
    for (int f = 0; f < FIELDS; f++) {
        g[f].x = to_xyz[0] * r[f] + to_xyz[3] * s[f] + to_xyz[6] * t[f];
        g[f].y = to_xyz[1] * r[f] + to_xyz[4] * s[f] + to_xyz[7] * t[f];
        g[f].z = to_xyz[2] * r[f] + to_xyz[5] * s[f] + to_xyz[8] * t[f];
    }
    rhs[first] = g[5].y - g[4].z;
    rhs[first + padded] = g[3].z - g[5].x;
    rhs[first + 2 * padded] = g[4].x - g[3].y;
    rhs[first + 3 * padded] = g[1].z - g[2].y;
    rhs[first + 4 * padded] = g[2].x - g[0].z;
    rhs[first + 5 * padded] = g[0].y - g[1].x;
}

/* Adds what comes through the faces. A texel of `maps` is: the place of the first field at the face's node here, the
 * same in the neighbour, and the sign of the electric field there (-1 at a wall, where the neighbour is the node
 * itself). One of `sides` is normal and area over volume. fields: q again. lift: texel n + m / 4 * padded has four
 * columns of the matrix from nodes of faces to nodes of the volume. */
KERNEL __launch_bounds__(MOST_FACE)
    dg_surface(texture maps, texture sides, texture fields, texture lift, float *__restrict__ rhs, int nodes,
               int padded)
{
    __shared__ float flux[FIELDS][MOST_FACE];
    const int n = (int)threadIdx.x, count = (int)blockDim.x, at = (int)blockIdx.x * count + n;
    const s32x4 map = tex1d_fetch_s32x4(maps, at);
    const f32x4 side = tex1d_fetch_f32x4(sides, at);
    const float sign = (float)map.z, half = 0.5f * side.w;
    float jump[FIELDS];
    for (int f = 0; f < FIELDS; f++) {
        const float here = tex1d_fetch_f32(fields, map.x + f * padded);
        const float there = tex1d_fetch_f32(fields, map.y + f * padded);
        jump[f] = half * ((f < 3 ? sign * there : there) - here);
    }
    const float along_e = side.x * jump[0] + side.y * jump[1] + side.z * jump[2];
    const float along_h = side.x * jump[3] + side.y * jump[4] + side.z * jump[5];
    flux[0][n] = side.y * jump[5] - side.z * jump[4] + jump[0] - along_e * side.x;
    flux[1][n] = side.z * jump[3] - side.x * jump[5] + jump[1] - along_e * side.y;
    flux[2][n] = side.x * jump[4] - side.y * jump[3] + jump[2] - along_e * side.z;
    flux[3][n] = side.z * jump[1] - side.y * jump[2] + jump[3] - along_h * side.x;
    flux[4][n] = side.x * jump[2] - side.z * jump[0] + jump[4] - along_h * side.y;
    flux[5][n] = side.y * jump[0] - side.x * jump[1] + jump[5] - along_h * side.z;
    __syncthreads();

    if (n < nodes) {
        const int first = (int)blockIdx.x * FIELDS * padded + n;
        float sum[FIELDS];
        for (int f = 0; f < FIELDS; f++)
            sum[f] = rhs[first + f * padded];
        for (int m = 0; m < count; m += 4) {
            const f32x4 l = tex1d_fetch_f32x4(lift, n + m / 4 * padded);
            for (int f = 0; f < FIELDS; f++)
                sum[f] += l.x * flux[f][m] + l.y * flux[f][m + 1] + l.z * flux[f][m + 2] + l.w * flux[f][m + 3];
        }
        for (int f = 0; f < FIELDS; f++)
            rhs[first + f * padded] = sum[f];
    }
}

/* A stage of a Runge-Kutta method that keeps one residual. */
KERNEL dg_update(float *__restrict__ q, float *__restrict__ residual, const float *__restrict__ rhs, float a, float b,
                 float step, int count)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) {
        const float r = a * residual[i] + step * rhs[i];
        residual[i] = r;
        q[i] += b * r;
    }
}
