/* streamcluster.cu - would it pay to make a point a centre? After Rodinia's streamcluster (S. Che et al., 2009); code of our own.
 *
 * sc_gain: a point a thread. Its distance from the candidate comes from coordinates that are kept by dimension, so lanes have neighbours;
 * the candidate's are in shared memory. What a point has now, its weight, its centre and its cost, comes from an array of structs, eight
 * lines a load; and what it would gain goes into a row of sums of its own, a row apart from its neighbour's. */
#include "../harness/products.cuh"

enum { MOST_DIMENSIONS = 1024 };

struct point {
    float weight;
    const float *coordinates; /* of the host */
    long centre;              /* number of the point that it is assigned to */
    float cost;               /* weight times squared distance */
};

/* sums: a row a point, of one for each centre, what it costs more there than at the candidate if that centre closes (negative), and one for
 * what it gains by going to the candidate anyway (negative). number_of: place of a centre in the row. */
KERNEL sc_gain(const float *coordinates, const point *points, const int *number_of, float *sums, int *moves, int n, int dimensions,
               int candidate, int centres)
{
    __shared__ float of_candidate[MOST_DIMENSIONS];
    for (int d = threadIdx.x; d < dimensions; d += blockDim.x)
        of_candidate[d] = coordinates[d * n + candidate];
    __syncthreads();
    const int i = thread_number();
    if (i >= n)
        return;
    float distance = 0;
#pragma unroll 1
    for (int d = 0; d < dimensions; d++) {
        const float apart = coordinates[d * n + i] - of_candidate[d];
        distance += apart * apart;
    }
    const float there = distance * points[i].weight, here = points[i].cost;
    float *const row = sums + i * (centres + 1);
    if (there < here) {
        moves[i] = 1;
        row[centres] += there - here;
    } else {
        row[number_of[points[i].centre]] += here - there;
    }
}
