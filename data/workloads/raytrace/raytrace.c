/* raytrace.c - RAY: how far do rays of one warp part when they are mirrored? Host side of raytrace.cu. */
#include "data/workloads/harness/harness.h"

#include <math.h>

enum { MOST_OBJECTS = 16, LEVELS = 5, AXES = 3, BLOCK_X = 16, BLOCK_Y = 8, CHANNELS = 3, LEVELS_OF_GREY = 255 };

/* As in raytrace.cu: a ball, or the floor at centre[1] when the radius is 0. */
typedef struct object {
    float centre[AXES], radius, colour[CHANNELS], unused;
} object;

typedef struct camera {
    struct {
        float axis[AXES], at;
    } row[AXES];
} camera;

typedef struct scene {
    object object[MOST_OBJECTS];
    camera view;
    int width, height, objects;
    float shift, focus;
} scene;

typedef struct vec {
    double x, y, z;
} vec;

/* A ray, and how far that of the device may be from it: a float's rounding, larger after every mirror. */
typedef struct ray {
    vec from, along;
    double from_error, along_error;
} ray;

static const double far_away = 10000, lift = 0.001, flat = 0.0001, ambient = 0.05, diffuse = 0.6, gloss = 0.5,
                    shininess = 50, mirror = 0.5, rounding = 1e-6;
static const vec lamp_at = {10, 10, 10};

/* ------------------------------------------------------------------------------------------------ vectors */

static vec make_vec(const float v[AXES])
{
    return (vec){v[0], v[1], v[2]};
}

/* a + s b */
static vec step(vec a, double s, vec b)
{
    return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec normalize(vec a)
{
    const double length = sqrt(dot(a, a));
    return (vec){a.x / length, a.y / length, a.z / length};
}

/* ------------------------------------------------------------------------------------------------ reference */

/* Where a ray meets an object. It is unsure when the device's rounding may decide otherwise between hit and miss. */
typedef struct meeting {
    int hit, unsure;
    double distance, error;
} meeting;

/* Roots of |from + t along - centre|^2 = radius^2. Balls are apart and rays begin outside, so the smaller root counts.
 */
static meeting meet_ball(const ray *r, vec centre, double radius)
{
    const vec back = step(r->from, -1, centre);
    const double b = dot(back, r->along), c = dot(back, back) - radius * radius, inside = b * b - c;
    const double error =
        2 * sqrt(dot(back, back)) * (r->from_error + fabs(b) * r->along_error) + rounding * (dot(back, back) + 1);
    meeting m = {.unsure = b < 0 && fabs(inside) < error};

    if (inside < 0 || b > 0)
        return m;
    m.hit = 1;
    m.distance = -b - sqrt(inside);
    m.error = r->from_error + fabs(b) * (r->along_error + rounding) + error / (2 * sqrt(inside) + sqrt(error));
    return m;
}

static meeting meet_floor(const ray *r, double height)
{
    const double slope = r->along.y, above = r->from.y - height;
    const double error = r->along_error + rounding;
    meeting m = {.unsure = fabs(slope + flat) < error};

    if (slope > -flat)
        return m;
    m.hit = 1;
    m.distance = -above / slope;
    m.error = (r->from_error + rounding * (above + 1) + m.distance * error) / -slope;
    return m;
}

static vec centre_of(const scene *s, int i)
{
    return step(make_vec(s->object[i].centre), s->shift, (vec){1, 0, 0});
}

static meeting meet(const scene *s, const ray *r, int i)
{
    const object *const o = &s->object[i];
    return o->radius == 0 ? meet_floor(r, o->centre[1]) : meet_ball(r, centre_of(s, i), o->radius);
}

/* The nearest meeting; *nearest is -1 when there is none. */
static meeting find_nearest(const scene *s, const ray *r, int *nearest)
{
    meeting best = {.distance = far_away};
    int unsure = 0;
    *nearest = -1;
    for (int i = 0; i < s->objects; i++) {
        const meeting m = meet(s, r, i);
        unsure |= m.unsure || (m.hit && fabs(m.distance - best.distance) < m.error + best.error);
        if (m.hit && m.distance < best.distance) {
            best = m;
            *nearest = i;
        }
    }
    best.unsure = unsure;
    return best;
}

/* Lit: 1, in shadow: 0. *unsure as in a meeting. */
static int is_lit(const scene *s, const ray *to_lamp, double distance, int *unsure)
{
    int near_edge = 0;
    for (int i = 0; i < s->objects; i++) {
        const meeting m = meet(s, to_lamp, i);
        if (m.hit && m.distance < distance && !m.unsure)
            return 0;
        near_edge |= m.unsure;
    }
    *unsure |= near_edge;
    return 1;
}

/* A colour, and how far from it the device's may be. */
typedef struct shade {
    double channel[CHANNELS], error;
} shade;

static shade light(const scene *s, vec point, double point_error, vec normal, double normal_error, const ray *seen,
                   int i, int *unsure)
{
    const vec start = step(point, lift, normal), away = step(lamp_at, -1, start), to = normalize(away);
    const double facing = dot(normal, to), error = normal_error + point_error + rounding;
    const ray to_lamp = {start, to, point_error + lift * normal_error, point_error + rounding};
    shade colour = {.error = rounding};

    *unsure |= fabs(facing) < error;
    const int lit = facing > 0 && is_lit(s, &to_lamp, sqrt(dot(away, away)), unsure);
    const double shine = fmax(dot(normal, normalize(step(to, -1, seen->along))), 0);
    for (int c = 0; c < CHANNELS; c++) {
        colour.channel[c] = ambient * s->object[i].colour[c];
        if (lit)
            colour.channel[c] += diffuse * facing * s->object[i].colour[c] + gloss * pow(shine, shininess);
    }
    if (lit)
        colour.error += (diffuse + gloss * shininess * pow(shine, shininess - 1)) * (error + seen->along_error);
    return colour;
}

/* Nothing that a ray still finds is brighter than this: ambient, diffuse and gloss of all mirrored levels. */
static const double brightest = (0.05 + 0.6 + 0.5) / (1 - 0.5);

static shade trace_on_cpu(const scene *s, ray r, int levels)
{
    shade colour = {.error = 0};
    int i, unsure;
    const meeting m = find_nearest(s, &r, &i);

    if (m.unsure || i < 0 || levels == 0) {
        colour.error = m.unsure && levels > 0 ? brightest : 0;
        return colour;
    }
    const int on_floor = s->object[i].radius == 0;
    const vec point = step(r.from, m.distance, r.along);
    const double point_error = r.from_error + m.distance * r.along_error + m.error + rounding;
    const vec normal = on_floor ? (vec){0, 1, 0} : normalize(step(point, -1, centre_of(s, i)));
    const double normal_error = on_floor ? 0 : point_error / s->object[i].radius + rounding;

    unsure = 0;
    colour = light(s, point, point_error, normal, normal_error, &r, i, &unsure);
    const ray next = {step(point, lift, normal), step(r.along, -2 * dot(normal, r.along), normal),
                      point_error + lift * normal_error, r.along_error + 4 * normal_error + rounding};
    const shade mirrored = trace_on_cpu(s, next, levels - 1);
    for (int c = 0; c < CHANNELS; c++)
        colour.channel[c] += mirror * mirrored.channel[c];
    colour.error += unsure ? brightest : mirror * mirrored.error;
    return colour;
}

static ray first_ray(const scene *s, int x, int y)
{
    const double pixel = 2.0 / (s->width < s->height ? s->width : s->height);
    const vec forward = make_vec(s->view.row[0].axis), up = make_vec(s->view.row[1].axis);
    const vec right = make_vec(s->view.row[2].axis);
    const vec from = {s->view.row[0].at, s->view.row[1].at, s->view.row[2].at};
    vec along = step((vec){0}, s->focus, forward);
    along = step(along, (y - s->height / 2.0) * pixel, up);
    along = step(along, (x - s->width / 2.0) * pixel, right);
    return (ray){from, normalize(along), 0, rounding};
}

/* ------------------------------------------------------------------------------------------------ scene */

/* Eye, viewing direction and opening angle of the camera. */
static void place_camera(scene *s)
{
    const vec eye = {0, 0.5, 2}, forward = normalize((vec){0, -0.5, -2}), sky = {0, 1, 0};
    const vec up = normalize(step(sky, -dot(sky, forward), forward));
    const vec right = {forward.y * up.z - forward.z * up.y, forward.z * up.x - forward.x * up.z,
                       forward.x * up.y - forward.y * up.x};
    const vec axis[AXES] = {forward, up, right};
    const double at[AXES] = {eye.x, eye.y, eye.z}, angle = 65 * M_PI / 180;
    for (int i = 0; i < AXES; i++) {
        s->view.row[i].axis[0] = (float)axis[i].x;
        s->view.row[i].axis[1] = (float)axis[i].y;
        s->view.row[i].axis[2] = (float)axis[i].z;
        s->view.row[i].at = (float)at[i];
    }
    s->focus = (float)(1 / tan(angle / 2));
}

static int is_apart(const scene *s, const object *o)
{
    const double gap = 0.05;
    for (int i = 1; i < s->objects; i++) {
        const vec between = step(make_vec(o->centre), -1, make_vec(s->object[i].centre));
        if (sqrt(dot(between, between)) < (double)o->radius + (double)s->object[i].radius + gap)
            return 0;
    }
    return 1;
}

/* A floor and, in front of the camera, balls at random places that do not touch. */
static void make_scene(harness *h, scene *s, int objects)
{
    const float floor_height = -1.5f;
    s->object[0] = (object){.centre = {0, floor_height, 0}, .colour = {0, 1, 1}};
    for (s->objects = 1; s->objects < objects;) {
        object o = {.radius = (float)harness_uniform(h, 0.3, 0.7)};
        o.centre[0] = (float)harness_uniform(h, -1.6, 1.6);
        o.centre[1] = (float)harness_uniform(h, -0.7, 0.8);
        o.centre[2] = (float)harness_uniform(h, -2.5, 0);
        for (int c = 0; c < CHANNELS; c++)
            o.colour[c] = (float)harness_uniform(h, 0, 1);
        if (is_apart(s, &o))
            s->object[s->objects++] = o;
    }
    place_camera(s);
}

/* ------------------------------------------------------------------------------------------------ run */

/* Every pixel is within what rounding explains, with one level of grey for the cut to 8 bits. Where rounding may decide
 * between hit and miss nothing much is known of a pixel, so there must be few of these: the edges of balls, of shadows
 * and of their mirror images. */
static void check_picture(harness *h, const scene *s, const uint32_t *got)
{
    const double known = 4.0 / LEVELS_OF_GREY, fewest_known = 0.8;
    long n_known = 0;
    const long pixels = (long)s->width * s->height;
    for (long p = 0; p < pixels; p++) {
        const int x = (int)(p % s->width), y = (int)(p / s->width);
        const shade want = trace_on_cpu(s, first_ray(s, x, y), LEVELS);
        n_known += want.error < known;
        for (int c = 0; c < CHANNELS; c++) {
            const double value = LEVELS_OF_GREY * fmin(want.channel[c], 1), have = got[p] >> 8 * c & LEVELS_OF_GREY;
            if (!(fabs(have + 0.5 - value) <= 0.5 + 0.01 + LEVELS_OF_GREY * want.error))
                harness_wrong(h, "channel %d of pixel %d, %d is %.0f where the CPU has %.2f", c, x, y, have, value);
        }
        if (got[p] >> 24 != LEVELS_OF_GREY)
            harness_wrong(h, "pixel %d, %d is not opaque", x, y);
    }
    if ((double)n_known < fewest_known * (double)pixels)
        harness_wrong(h, "the CPU is sure of %ld of %ld pixels only", n_known, pixels);
}

static const harness_size input_sizes[] = {
    {"width", "pixels of a line", {40, 320, 256}, 8, 4096, 1},
    {"height", "lines of the picture", {28, 240, 256}, 8, 4096, 1},
    {"frames", "pictures", {1, 2, 1}, 1, 1000, 1},
    {0},
};

static void run(harness *h)
{
    const float pace = 0.015f;
    const int frames = (int)harness_get_size(h, "frames");
    scene s = {.width = (int)harness_get_size(h, "width"), .height = (int)harness_get_size(h, "height")};
    const size_t pixels = (size_t)(s.width * s.height);
    const harness_dim grid = HARNESS_DIM((s.width + BLOCK_X - 1) / BLOCK_X, (s.height + BLOCK_Y - 1) / BLOCK_Y);
    uint32_t *const got = harness_host(h, pixels, sizeof *got);
    CUdeviceptr picture = harness_device(h, pixels * sizeof *got);
    const CUfunction render = harness_kernel(h, "ray_render");

    make_scene(h, &s, (int)harness_pick(h, 4, 7, 4));
    harness_write(h, harness_symbol(h, "scene", sizeof s.object), s.object, sizeof s.object);
    harness_write(h, harness_symbol(h, "view", sizeof s.view), &s.view, sizeof s.view);
    for (int frame = 1; frame <= frames; frame++) {
        s.shift = pace * (float)frame;
        HARNESS_LAUNCH(h, render, grid, HARNESS_DIM(BLOCK_X, BLOCK_Y), 0, &picture, &s.width, &s.height, &s.objects,
                       &s.shift, &s.focus);
        harness_download(h, got, picture, pixels * sizeof *got);
        check_picture(h, &s, got);
    }
}

HARNESS_WORKLOAD_OF("RAY", "data/workloads/raytrace/raytrace.ptx", run, input_sizes)
