/* kmeans.cu - KM: which of a few centres is nearest to each point? After Rodinia's kmeans; code of our own.
 *
 * km_transpose turns the points from one row a point into one column a feature, so that neighbouring threads read
 * neighbouring words afterwards, which they do through a texture. km_assign gives every point, one a thread, the number of
 * its nearest centre. The host moves the centres and launches again until few points change their centre. */
#include "../harness/device.h"

enum { CENTRE_WORDS = 2048 }; /* clusters * features at most */

__constant__ float km_centre[CENTRE_WORDS];

KERNEL km_transpose(const float *__restrict__ rows, float *__restrict__ columns, uint points, uint features)
{
    const uint point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= points)
        return;
    for (uint f = 0; f < features; f++)
        columns[f * points + point] = rows[point * features + f];
}

KERNEL km_assign(texture columns, int *__restrict__ member, uint points, uint features, uint clusters)
{
    const uint point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= points)
        return;
    int nearest = -1;
    float best = 3.402823466e38f;
    for (uint c = 0; c < clusters; c++) {
        float distance = 0.0f;
        for (uint f = 0; f < features; f++) {
            const float d = tex1d_fetch_f32(columns, (int)(f * points + point)) - km_centre[c * features + f];
            distance = fmaf(d, d, distance);
        }
        if (distance < best) {
            best = distance;
            nearest = (int)c;
        }
    }
    member[point] = nearest;
}
