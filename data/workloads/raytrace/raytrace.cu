/* raytrace.cu - a picture of spheres over a floor by T. Whitted's method (1980): a thread a pixel.
 *
 * A ray goes out from the camera; where it hits, the point is lit by one lamp unless something is in between, and a
 * mirrored ray goes on, at most LEVELS times. The colours of the levels wait in local memory and are mixed backwards.
 * The scene and the camera are in constant memory. */
#include "../harness/device.h"

enum { MOST_OBJECTS = 16, LEVELS = 5, AXES = 3 };

struct vec {
    float x, y, z;
};

/* A ball, or the floor y = centre.y when the radius is 0. */
struct object {
    vec centre;
    float radius;
    vec colour;
    float unused;
};

/* Forward, up, right; and where the camera is along each axis of the world. */
struct camera {
    struct {
        vec axis;
        float at;
    } row[AXES];
};

struct ray {
    vec from, along;
};

__constant__ object scene[MOST_OBJECTS];
__constant__ camera view;

#define FAR 10000.0f    /* nothing is seen beyond */
#define LIFT 0.001f     /* rays leave a surface this far above it, so as not to hit it again */
#define FLAT 0.0001f    /* rays that meet the floor at less than this slope miss it */
#define AMBIENT 0.05f
#define DIFFUSE 0.6f
#define GLOSS 0.5f
#define SHININESS 50.0f
#define MIRROR 0.5f     /* what a mirrored ray adds */
#define LAMP 10, 10, 10 /* where it is */

DEVICE vec operator+(vec a, vec b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}

DEVICE vec operator-(vec a, vec b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

DEVICE vec operator*(float s, vec a)
{
    return {s * a.x, s * a.y, s * a.z};
}

DEVICE float dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

DEVICE vec normalize(vec a)
{
    return rsqrtf(dot(a, a)) * a;
}

DEVICE int is_floor(const object &o)
{
    return o.radius == 0;
}

/* Distances along a ray; 0 when it misses. */
DEVICE float meet_ball(ray r, vec centre, float radius)
{
    const vec to = centre - r.from;
    const float ahead = dot(to, r.along), distance2 = dot(to, to), radius2 = radius * radius;
    const float inside = radius2 - (distance2 - ahead * ahead);

    if ((ahead < 0 && distance2 > radius2) || inside < 0)
        return 0;
    const float half = sqrtf(inside);
    return distance2 > radius2 ? ahead - half : ahead + half;
}

DEVICE float meet_floor(ray r, float height)
{
    if (fabsf(r.along.y) < FLAT)
        return 0;
    const float t = (height - r.from.y) / r.along.y;
    return t > 0 ? t : 0;
}

/* All objects but the floor have moved by `shift` to the right. */
DEVICE float meet(ray r, int i, float shift)
{
    if (is_floor(scene[i]))
        return meet_floor(r, scene[i].centre.y);
    return meet_ball(r, scene[i].centre + vec{shift, 0, 0}, scene[i].radius);
}

DEVICE vec normal_at(vec point, int i, float shift)
{
    if (is_floor(scene[i]))
        return {0, 1, 0};
    return normalize(point - scene[i].centre - vec{shift, 0, 0});
}

/* Is anything between a point and the lamp? */
DEVICE int in_shadow(ray to_lamp, float distance, int objects, float shift)
{
    for (int i = 0; i < objects; i++) {
        const float t = meet(to_lamp, i, shift);
        if (t > 0 && t < distance)
            return 1;
    }
    return 0;
}

/* The nearest object, -1 when there is none. */
DEVICE int find_nearest(ray r, int objects, float shift, float *distance)
{
    int nearest = -1;

    *distance = FAR;
    for (int i = 0; i < objects; i++) {
        const float t = meet(r, i, shift);
        if (t > 0 && t < *distance) {
            *distance = t;
            nearest = i;
        }
    }
    return nearest;
}

/* What the lamp makes of a point of object i that is seen from direction `eye`. */
DEVICE vec light(vec point, vec normal, vec eye, int i, int objects, float shift)
{
    const vec start = point + LIFT * normal, away = vec{LAMP} - start;
    const float distance2 = dot(away, away);
    const vec lamp = rsqrtf(distance2) * away;
    const float facing = dot(normal, lamp);
    vec colour = AMBIENT * scene[i].colour;

    if (facing > 0 && !in_shadow({start, lamp}, sqrtf(distance2), objects, shift)) {
        const float gloss = GLOSS * powf(fminf(fmaxf(dot(normal, normalize(lamp + eye)), 0), 1), SHININESS);
        colour = colour + (DIFFUSE * fminf(facing, 1)) * scene[i].colour + vec{gloss, gloss, gloss};
    }
    return colour;
}

DEVICE ray first_ray(int x, int y, int width, int height, float focus)
{
    const float pixel = 2.0f / min(width, height);
    const float right = (x - 0.5f * width) * pixel, up = (y - 0.5f * height) * pixel;
    const vec along = focus * view.row[0].axis + up * view.row[1].axis + right * view.row[2].axis;

    return {{view.row[0].at, view.row[1].at, view.row[2].at}, normalize(along)};
}

DEVICE uint pack(vec colour)
{
    const uint red = fminf(fmaxf(colour.x, 0), 1) * 255, green = fminf(fmaxf(colour.y, 0), 1) * 255;
    const uint blue = fminf(fmaxf(colour.z, 0), 1) * 255;

    return red | green << 8 | blue << 16 | 255u << 24;
}

KERNEL ray_render(uint *picture, int width, int height, int objects, float shift, float focus)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    vec level[LEVELS];
    int hits = 0;

    if (x < width && y < height)
        picture[y * width + x] = 0;
    __syncthreads(); /* the block sets out together, as in the original */
    if (x >= width || y >= height)
        return;

    ray r = first_ray(x, y, width, height, focus);
#pragma nounroll
    while (hits < LEVELS) {
        float distance;
        const int i = find_nearest(r, objects, shift, &distance);
        if (i < 0)
            break;
        const vec point = r.from + distance * r.along, normal = normal_at(point, i, shift), eye = -1 * r.along;
        level[hits++] = light(point, normal, eye, i, objects, shift);
        r.along = normalize(2 * dot(normal, eye) * normal - eye);
        r.from = point + LIFT * normal;
    }
    vec colour = {0, 0, 0};
#pragma nounroll
    for (int i = hits - 1; i >= 0; i--)
        colour = level[i] + MIRROR * colour;
    picture[y * width + x] = pack(colour);
}
