/* kmeansrows.cu - which of a few centres is nearest to each point? As kmeans.cu, but points stay row by row as they come, `pitch` floats
 * apart, and centres are in global memory: a load that all lanes share and one that is 32 lines, a centre after the other over the same
 * lines. */
#include "../harness/products.cuh"

KERNEL kmn_assign(const float *points, const float *centres, int *member, int n, int features, int pitch, int clusters)
{
    const int point = thread_number();
    if (point >= n)
        return;
    int nearest = 0;
    float best = 3.402823466e38f;
#pragma unroll 1
    for (int c = 0; c < clusters; c++) {
        float distance = 0;
#pragma unroll 1
        for (int f = 0; f < features; f++) {
            const float d = points[point * pitch + f] - centres[c * features + f];
            distance += d * d;
        }
        if (distance < best) {
            best = distance;
            nearest = c;
        }
    }
    member[point] = nearest;
}
