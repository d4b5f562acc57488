/* leukocyte.c - LEU: circles of a picture by scattered loads, discs by overlapping ones, and windows that stay in
 * shared memory. Host side of leukocyte.cu. */
#include "data/workloads/harness/harness.h"

#include <math.h>

enum {
    CIRCLES = 7,
    ANGLES = 48,
    WINDOW = 32,
    THREADS = 256,
    ACROSS = 32,
    DOWN = 8,
    LEAST_RADIUS = 5,
    MARGIN = LEAST_RADIUS + CIRCLES + 1,
    DISC = 8,
    APART = 30,
    PLACE_ERROR = 2
};

static const double DIFFUSION = 0.05, CONTRAST = 0.6, NOISE = 0.08, THRESHOLD = 4;

static const harness_size input_sizes[] = {
    {"width", "columns of the picture", {70, 160, 400}, 64, 4096, 1},
    {"height", "rows of the picture", {64, 120, 240}, 64, 4096, 1},
    {"steps", "steps of the flow", {4, 20, 60}, 1, 200, 1},
    {0},
};

typedef struct picture {
    int width, height, drawn;
    double *x, *y; /* of the cells that were drawn */
    float *at, *gradient_x, *gradient_y, *edge;
    float normal_x[ANGLES], normal_y[ANGLES];
    int offset_x[CIRCLES * ANGLES], offset_y[CIRCLES * ANGLES];
} picture;

static float pixel(const picture *p, int row, int column)
{
    row = row < 0 ? 0 : row < p->height ? row : p->height - 1;
    column = column < 0 ? 0 : column < p->width ? column : p->width - 1;
    return p->at[row * p->width + column];
}

/* Bright discs with soft edges in noise, at places of a grid and a little off. */
static void draw(harness *h, picture *p)
{
    const int columns = (p->width - 2 * MARGIN - 4) / APART + 1, rows = (p->height - 2 * MARGIN - 4) / APART + 1;
    p->drawn = columns * rows;
    p->x = harness_host(h, (size_t)p->drawn, sizeof *p->x);
    p->y = harness_host(h, (size_t)p->drawn, sizeof *p->y);
    for (int i = 0; i < p->width * p->height; i++)
        p->at[i] = (float)harness_uniform(h, 0.1, 0.1 + NOISE);
    for (int c = 0; c < p->drawn; c++) {
        const double radius = harness_uniform(h, LEAST_RADIUS + 1, LEAST_RADIUS + CIRCLES - 2);
        p->x[c] = MARGIN + 2 + c % columns * APART + harness_uniform(h, 0, 2);
        p->y[c] = MARGIN + 2 + c / columns * APART + harness_uniform(h, 0, 2);
        for (int i = 0; i < p->height; i++)
            for (int j = 0; j < p->width; j++)
                p->at[i * p->width + j] +=
                    (float)(CONTRAST / (1 + exp(2 * (hypot(i - p->y[c], j - p->x[c]) - radius))));
    }
}

static picture make_picture(harness *h)
{
    picture p = {.width = (int)harness_get_size(h, "width"), .height = (int)harness_get_size(h, "height")};
    const size_t n = (size_t)p.width * (size_t)p.height;
    p.at = harness_host(h, n, sizeof *p.at);
    p.gradient_x = harness_host(h, n, sizeof *p.gradient_x);
    p.gradient_y = harness_host(h, n, sizeof *p.gradient_y);
    p.edge = harness_host(h, n, sizeof *p.edge);
    draw(h, &p);
    double steepest = 0;
    for (int i = 0; i < p.height; i++) {
        for (int j = 0; j < p.width; j++) {
            const int at = i * p.width + j;
            p.gradient_x[at] = (pixel(&p, i, j + 1) - pixel(&p, i, j - 1)) / 2;
            p.gradient_y[at] = (pixel(&p, i + 1, j) - pixel(&p, i - 1, j)) / 2;
            p.edge[at] = hypotf(p.gradient_x[at], p.gradient_y[at]);
            steepest = fmax(steepest, (double)p.edge[at]);
        }
    }
    for (size_t i = 0; i < n; i++)
        p.edge[i] /= (float)steepest;
    for (int a = 0; a < ANGLES; a++) {
        const double angle = 2 * M_PI * a / ANGLES;
        p.normal_x[a] = (float)cos(angle);
        p.normal_y[a] = (float)sin(angle);
        for (int c = 0; c < CIRCLES; c++) {
            p.offset_x[c * ANGLES + a] = (int)lround((LEAST_RADIUS + c) * cos(angle));
            p.offset_y[c * ANGLES + a] = (int)lround((LEAST_RADIUS + c) * sin(angle));
        }
    }
    return p;
}

/* The best circle around a pixel, mean and variance one after the other. */
static double score_on_cpu(const picture *p, int x, int y)
{
    double best = 0, outward[ANGLES];
    if (x < MARGIN || y < MARGIN || x >= p->width - MARGIN || y >= p->height - MARGIN)
        return 0;
    for (int c = 0; c < CIRCLES; c++) {
        double mean = 0, variance = 0;
        for (int a = 0; a < ANGLES; a++) {
            const int at = (y + p->offset_y[c * ANGLES + a]) * p->width + x + p->offset_x[c * ANGLES + a];
            outward[a] =
                (double)p->gradient_x[at] * (double)p->normal_x[a] + (double)p->gradient_y[at] * (double)p->normal_y[a];
            mean += outward[a] / ANGLES;
        }
        for (int a = 0; a < ANGLES; a++)
            variance += (outward[a] - mean) * (outward[a] - mean) / (ANGLES - 1);
        best = fmax(best, mean * mean / variance);
    }
    return best;
}

/* The highest value in a disc, row by row of it. */
static float dilate_on_cpu(const picture *p, const float *score, int x, int y)
{
    float highest = 0;
    for (int i = y - DISC > 0 ? y - DISC : 0; i <= y + DISC && i < p->height; i++) {
        const int half = (int)floor(sqrt(DISC * DISC - (i - y) * (i - y)));
        for (int j = x - half > 0 ? x - half : 0; j <= x + half && j < p->width; j++)
            highest = fmaxf(highest, score[i * p->width + j]);
    }
    return highest;
}

static void score(harness *h, const picture *p, float *scores, float *dilated)
{
    const size_t n = (size_t)p->width * (size_t)p->height, bytes = n * sizeof *scores;
    float *const want = harness_host(h, n, sizeof *want);
    CUdeviceptr gradient_x = harness_upload(h, p->gradient_x, bytes),
                gradient_y = harness_upload(h, p->gradient_y, bytes);
    CUdeviceptr d_score = harness_device(h, bytes), d_dilated = harness_device(h, bytes);
    const harness_dim grid = HARNESS_DIM((p->width + ACROSS - 1) / ACROSS, (p->height + DOWN - 1) / DOWN),
                      block = HARNESS_DIM(ACROSS, DOWN);
    int width = p->width, height = p->height, margin = MARGIN, radius = DISC;

    harness_write(h, harness_symbol(h, "normal_x", sizeof p->normal_x), p->normal_x, sizeof p->normal_x);
    harness_write(h, harness_symbol(h, "normal_y", sizeof p->normal_y), p->normal_y, sizeof p->normal_y);
    harness_write(h, harness_symbol(h, "offset_x", sizeof p->offset_x), p->offset_x, sizeof p->offset_x);
    harness_write(h, harness_symbol(h, "offset_y", sizeof p->offset_y), p->offset_y, sizeof p->offset_y);
    HARNESS_LAUNCH(h, harness_kernel(h, "leu_score"), grid, block, 0, &gradient_x, &gradient_y, &d_score, &width,
                   &height, &margin);
    HARNESS_LAUNCH(h, harness_kernel(h, "leu_dilate"), grid, block, 0, &d_score, &d_dilated, &width, &height, &radius);
    harness_download(h, scores, d_score, bytes);
    harness_download(h, dilated, d_dilated, bytes);
    for (int i = 0; i < p->height; i++)
        for (int j = 0; j < p->width; j++)
            want[i * p->width + j] = (float)score_on_cpu(p, j, i);
    /* 48 updates of mean and squares, the latter small against the mean's square where the score is high. */
    harness_check_floats(h, "score", scores, want, n, 2e-4, 1e-6);
    for (int i = 0; i < p->height; i++)
        for (int j = 0; j < p->width; j++)
            want[i * p->width + j] = dilate_on_cpu(p, scores, j, i);
    harness_check_floats(h, "dilated score", dilated, want, n, 0, 0);
}

/* Pixels that no other of their disc betters, with a high score: their number, and where they are. Most of the drawn
 * cells are among them. */
static int find_cells(harness *h, const picture *p, const float *scores, const float *dilated, int *corner)
{
    int cells = 0, seen = 0;
    double *const x = harness_host(h, (size_t)p->width * (size_t)p->height, sizeof *x),
                  *const y = harness_host(h, (size_t)p->width * (size_t)p->height, sizeof *y);
    for (int i = MARGIN; i < p->height - MARGIN; i++) {
        for (int j = MARGIN; j < p->width - MARGIN; j++) {
            const float s = scores[i * p->width + j];
            if (s < dilated[i * p->width + j] || (double)s < THRESHOLD)
                continue;
            const int left = j - WINDOW / 2, top = i - WINDOW / 2;
            corner[2 * cells] = left < 0 ? 0 : left > p->width - WINDOW ? p->width - WINDOW : left;
            corner[2 * cells + 1] = top < 0 ? 0 : top > p->height - WINDOW ? p->height - WINDOW : top;
            x[cells] = j;
            y[cells++] = i;
        }
    }
    for (int c = 0; c < p->drawn; c++) {
        int k = 0;
        while (k < cells && hypot(x[k] - p->x[c], y[k] - p->y[c]) > PLACE_ERROR)
            k++;
        seen += k < cells;
    }
    if (4 * seen < 3 * p->drawn)
        harness_wrong(h, "only %d of %d cells are found", seen, p->drawn);
    return cells;
}

static double field_at(const double *u, int row, int column)
{
    row = row < 0 ? 0 : row < WINDOW ? row : WINDOW - 1;
    column = column < 0 ? 0 : column < WINDOW ? column : WINDOW - 1;
    return u[row * WINDOW + column];
}

/* The field of a cell in double precision. */
static void flow_on_cpu(const picture *p, const int *corner, const float *motion, int steps, float *field)
{
    double u[WINDOW * WINDOW], next[WINDOW * WINDOW], edge[WINDOW * WINDOW];
    const double diffusion = (double)(float)DIFFUSION;
    for (int i = 0; i < WINDOW * WINDOW; i++)
        u[i] = edge[i] = (double)p->edge[(corner[1] + i / WINDOW) * p->width + corner[0] + i % WINDOW];
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < WINDOW * WINDOW; i++) {
            double change = 0;
            for (int k = 0; k < 9; k++) {
                const int dy = k / 3 - 1, dx = k % 3 - 1;
                const double up = field_at(u, i / WINDOW + dy, i % WINDOW + dx) - u[i];
                const double along = up * (dx * (double)motion[0] + dy * (double)motion[1]);
                change += up * (1 + along / sqrt(along * along + 0.25)) / 2;
            }
            next[i] = u[i] + diffusion * change - (1 - 8 * diffusion) * edge[i] * (u[i] - edge[i]);
        }
        for (int i = 0; i < WINDOW * WINDOW; i++)
            u[i] = next[i];
    }
    for (int i = 0; i < WINDOW * WINDOW; i++)
        field[i] = (float)u[i];
}

static void flow(harness *h, const picture *p, int cells, const int *corner)
{
    const size_t n = (size_t)cells, values = n * WINDOW * WINDOW;
    float *const motion = harness_random_floats(h, 2 * n, -2, 2);
    float *const got = harness_host(h, values, sizeof *got), *const want = harness_host(h, values, sizeof *want);
    CUdeviceptr edge = harness_upload(h, p->edge, (size_t)p->width * (size_t)p->height * sizeof *p->edge);
    CUdeviceptr d_corner = harness_upload(h, corner, 2 * n * sizeof *corner),
                d_motion = harness_upload(h, motion, 2 * n * sizeof *motion);
    CUdeviceptr field = harness_device(h, values * sizeof *got);
    int width = p->width, steps = (int)harness_get_size(h, "steps");
    float diffusion = (float)DIFFUSION;

    HARNESS_LAUNCH(h, harness_kernel(h, "leu_flow"), HARNESS_DIM(cells), HARNESS_DIM(THREADS), 0, &edge, &d_corner,
                   &d_motion, &field, &width, &steps, &diffusion);
    harness_download(h, got, field, values * sizeof *got);
    for (size_t c = 0; c < n; c++)
        flow_on_cpu(p, &corner[2 * c], &motion[2 * c], steps, want + c * WINDOW * WINDOW);
    harness_check_floats(h, "field", got, want, values, 0, 1e-6 + 2e-7 * steps);
}

static void run(harness *h)
{
    const picture p = make_picture(h);
    const size_t n = (size_t)p.width * (size_t)p.height;
    float *const scores = harness_host(h, n, sizeof *scores), *const dilated = harness_host(h, n, sizeof *dilated);
    int *const corner = harness_host(h, 2 * n, sizeof *corner);

    score(h, &p, scores, dilated);
    flow(h, &p, find_cells(h, &p, scores, dilated, corner), corner);
}

HARNESS_WORKLOAD_OF("LEU", "data/workloads/leukocyte/leukocyte.ptx", run, input_sizes)
