/* stability.c - would the same rows stand for all if other characteristics had been measured?
 *
 * Draw d takes its numbers from a generator of its own, seeded by the seed and d, so which thread makes it is all the
 * same; what draws leave are whole counts, and numbers in a table by draw. */
#include "cluster/stability.h"

#include "base/crew.h"
#include "base/mix.h"
#include "base/status.h"
#include "base/thread.h"
#include "cluster/agreement.h"
#include "cluster/cluster_internal.h"

#include <gsl/gsl_rng.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct choice { /* what a cut chooses, for one size */
    size_t *cluster, *member;
} choice;

typedef struct work {
    const ws_frame *features;
    const ws_stability_request *request;
    size_t *varying, n;              /* columns to draw from */
    choice *original;                /* [sizes] */
    double *kept, *agreement;        /* [draws * sizes] */
    atomic_size_t *chosen, *covered; /* [sizes * rows] draws */
} work;

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the bootstrap");
}

static int find_varying(work *w, const char *name)
{
    const ws_frame *f = w->features;
    w->varying = malloc((f->columns + 1) * sizeof *w->varying);
    if (!w->varying)
        return no_memory();
    for (size_t c = 0; c < f->columns; c++) {
        size_t i = 1;
        while (i < f->rows && f->value[i * f->columns + c] == f->value[c])
            i++;
        if (i < f->rows)
            w->varying[w->n++] = c;
    }
    return w->n ? WS_OK : ws_fail(WS_ENUMERIC, "%s: no column varies; all %zu rows are the same", name, f->rows);
}

/* ---------------------------------------------------------------- one draw */

static void choice_fini(choice *c)
{
    free(c->cluster);
    free(c->member);
}

static int choose(const ws_frame *points, const ws_selection *selection, size_t k, choice *c)
{
    double *const weight = calloc(k, sizeof *weight);
    *c = (choice){calloc(points->rows, sizeof *c->cluster), calloc(points->rows, sizeof *c->member)};
    const int rc = c->cluster && c->member && weight ? ws_selection_choose(selection, k, c->cluster, c->member, weight)
                                                     : no_memory();
    free(weight);
    return rc;
}

/* Components of some of the columns, and the selection for all sizes of subsets; the caller frees both, also after a
 * failure. */
static int grow(const work *w, const size_t *column, ws_frame **points, ws_selection **selection)
{
    ws_frame *part = NULL;
    int rc = ws_frame_pick_columns(w->features, column, w->n, &part);
    if (rc == WS_OK)
        rc = w->request->reduce(part, w->request->context, points);
    if (rc == WS_OK)
        rc = ws_selection_create((*points)->value, (*points)->rows, (*points)->columns, w->request->method,
                                 w->request->seed, selection);
    ws_frame_destroy(part);
    return rc;
}

static int compare(const work *w, size_t draw, size_t s, const choice *now)
{
    const size_t rows = w->features->rows, k = w->request->size[s], at = draw * w->request->sizes + s;
    const choice *const then = &w->original[s];
    w->kept[at] = (double)ws_members_shared(then->member, k, now->member, k) / (double)k;
    const int rc = ws_adjusted_rand(then->cluster, now->cluster, rows, &w->agreement[at]);
    bool *represented = calloc(k, sizeof *represented); /* clusters of the original that have a representative now */
    if (rc != WS_OK || !represented) {
        free(represented);
        return rc != WS_OK ? rc : no_memory();
    }
    for (size_t c = 0; c < k; c++) {
        w->chosen[s * rows + now->member[c]]++;
        represented[then->cluster[now->member[c]] - 1] = true;
    }
    for (size_t i = 0; i < rows; i++)
        w->covered[s * rows + i] += represented[then->cluster[i] - 1];
    free(represented);
    return WS_OK;
}

/* Numbers of successive draws must not come from successive states. */
static unsigned long seed_of(uint64_t seed, size_t draw)
{
    return (unsigned long)(ws_mix(seed + (draw + 1) * WS_MIX_STEP) & UINT32_MAX);
}

static int draw_once(const work *w, gsl_rng *rng, size_t *column, size_t draw)
{
    ws_frame *points = NULL;
    ws_selection *selection = NULL;
    gsl_rng_set(rng, seed_of(w->request->seed, draw));
    for (size_t c = 0; c < w->n; c++)
        column[c] = w->varying[gsl_rng_uniform_int(rng, w->n)];
    int rc = grow(w, column, &points, &selection);
    for (size_t s = 0; rc == WS_OK && s < w->request->sizes; s++) {
        choice now;
        rc = choose(points, selection, w->request->size[s], &now);
        if (rc == WS_OK)
            rc = compare(w, draw, s, &now);
        choice_fini(&now);
    }
    ws_selection_destroy(selection);
    ws_frame_destroy(points);
    return rc;
}

static int draw_many(ws_crew *crew)
{
    const work *const w = crew->context;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t *column = malloc(w->n * sizeof *column), draw;
    int rc = rng && column ? WS_OK : no_memory();
    while (rc == WS_OK && ws_crew_next(crew, &draw))
        rc = draw_once(w, rng, column, draw);
    free(column);
    if (rng)
        gsl_rng_free(rng);
    return rc;
}

/* ---------------------------------------------------------------- result */

enum { MEMBER, CLUSTER, CHOSEN, COVERED, ROW_COLUMNS };
enum { KEPT, RAND, RAND_LOW, SIZE_COLUMNS };

static int note(ws_frame *frame, const work *w)
{
    int rc = WS_OK;
    for (size_t i = 0; rc == WS_OK && i < w->features->notes; i++)
        rc = ws_frame_note(frame, "%s", w->features->note[i]);
    if (rc == WS_OK)
        rc = ws_frame_note(frame, "bootstrap: %zu draws of %zu columns with replacement, seed %llu, members by %s",
                           w->request->draws, w->n, (unsigned long long)w->request->seed,
                           ws_method_name(w->request->method));
    return rc;
}

static int fill_row(const work *w, size_t s, size_t i, ws_frame *frame)
{
    const ws_frame *f = w->features;
    const size_t row = s * f->rows + i, k = w->request->size[s];
    double *const value = frame->value + row * ROW_COLUMNS;
    char size[32];
    snprintf(size, sizeof size, "%zu", k);
    int rc = ws_frame_set_label(frame, row, 0, size);
    for (size_t l = 0; rc == WS_OK && l < f->labels; l++)
        rc = ws_frame_set_label(frame, row, l + 1, f->label[i * f->labels + l]);
    value[CLUSTER] = (double)w->original[s].cluster[i];
    value[MEMBER] = w->original[s].member[w->original[s].cluster[i] - 1] == i;
    value[CHOSEN] = (double)w->chosen[row] / (double)w->request->draws;
    value[COVERED] = (double)w->covered[row] / (double)w->request->draws;
    return rc;
}

/* Chosen most often, for the next alternative of a member; `rows` at the end. */
static size_t next_alternative(const work *w, size_t s, size_t cluster, size_t member, const bool *named)
{
    const size_t rows = w->features->rows;
    size_t best = rows;
    for (size_t i = 0; i < rows; i++)
        if (i != member && !named[i] && w->original[s].cluster[i] == cluster && w->chosen[s * rows + i] > 0 &&
            (best == rows || w->chosen[s * rows + i] > w->chosen[s * rows + best]))
            best = i;
    return best;
}

static double percent(const work *w, size_t s, size_t row)
{
    return 100 * (double)w->chosen[s * w->features->rows + row] / (double)w->request->draws;
}

/* "size 4: MT in 31 % of draws, instead of it BFS 22 %, HS 9 %" */
static int note_member(const work *w, size_t s, size_t cluster, bool *named, ws_frame *frame)
{
    enum { ALTERNATIVES = 3 };
    const size_t rows = w->features->rows, member = w->original[s].member[cluster - 1];
    char text[1000], name[200];
    ws_frame_row_name(w->features, member, name, sizeof name);
    int used = snprintf(text, sizeof text, "size %zu: %s in %.0f %% of draws", w->request->size[s], name,
                        percent(w, s, member));
    for (size_t a = 0; a < ALTERNATIVES; a++) {
        const size_t other = next_alternative(w, s, cluster, member, named);
        if (other == rows)
            break;
        named[other] = true;
        ws_frame_row_name(w->features, other, name, sizeof name);
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s %.0f %%", a ? ", " : "; alternatives ", name,
                         percent(w, s, other));
    }
    return ws_frame_note(frame, "%s", text);
}

/* What the numbers say, in words. */
static int note_words(const work *w, ws_frame *frame)
{
    const size_t rows = w->features->rows, sizes = w->request->sizes;
    bool *const named = calloc(sizes * rows + 1, sizeof *named);
    int rc = named ? WS_OK : no_memory();
    for (size_t s = 0; rc == WS_OK && s < sizes; s++) {
        const size_t k = w->request->size[s];
        double kept = 0;
        for (size_t d = 0; d < w->request->draws; d++)
            kept += w->kept[d * sizes + s] / (double)w->request->draws;
        if (k < rows && kept < 0.5)
            rc = ws_frame_note(
                frame,
                "exchangeable: at size %zu, %.0f %% of the members are chosen again; others stand for all "
                "as well",
                k, 100 * kept);
        for (size_t c = 1; rc == WS_OK && k < rows && c <= k; c++)
            rc = note_member(w, s, c, named + s * rows, frame);
    }
    free(named);
    return rc;
}

static int make_rows(const work *w, ws_frame **out)
{
    static const char *const name[ROW_COLUMNS] = {"member", "cluster", "chosen", "covered"};
    const ws_frame *f = w->features;
    const char **label = calloc(f->labels + 1, sizeof *label);
    if (!label)
        return no_memory();
    label[0] = "size";
    for (size_t l = 0; l < f->labels; l++)
        label[l + 1] = f->label_names[l];
    ws_frame *frame = *out = ws_frame_create(w->request->sizes * f->rows, ROW_COLUMNS, f->labels + 1, label);
    free(label);
    int rc = frame ? note(frame, w) : no_memory();
    for (size_t c = 0; rc == WS_OK && c < ROW_COLUMNS; c++)
        rc = ws_frame_set_column(frame, c, name[c], c < CHOSEN ? "" : "ratio", "");
    for (size_t s = 0; rc == WS_OK && s < w->request->sizes; s++)
        for (size_t i = 0; rc == WS_OK && i < f->rows; i++)
            rc = fill_row(w, s, i, frame);
    return rc == WS_OK ? note_words(w, frame) : rc;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarise(const work *w, size_t s, double *sorted, double *value)
{
    const size_t draws = w->request->draws, sizes = w->request->sizes;
    value[KEPT] = value[RAND] = 0;
    for (size_t d = 0; d < draws; d++) {
        value[KEPT] += w->kept[d * sizes + s];
        value[RAND] += w->agreement[d * sizes + s];
        sorted[d] = w->agreement[d * sizes + s];
    }
    value[KEPT] /= (double)draws;
    value[RAND] /= (double)draws;
    qsort(sorted, draws, sizeof *sorted, compare_numbers);
    value[RAND_LOW] = sorted[draws / 10];
}

static int make_sizes(const work *w, ws_frame **out)
{
    static const char *const label[] = {"size"};
    static const char *const name[SIZE_COLUMNS] = {"kept", "adjusted_rand", "adjusted_rand_low"};
    ws_frame *frame = *out = ws_frame_create(w->request->sizes, SIZE_COLUMNS, 1, label);
    double *sorted = malloc(w->request->draws * sizeof *sorted);
    int rc = frame && sorted ? note(frame, w) : no_memory();
    for (size_t c = 0; rc == WS_OK && c < SIZE_COLUMNS; c++)
        rc = ws_frame_set_column(frame, c, name[c], "ratio", "");
    for (size_t s = 0; rc == WS_OK && s < w->request->sizes; s++) {
        char size[32];
        snprintf(size, sizeof size, "%zu", w->request->size[s]);
        rc = ws_frame_set_label(frame, s, 0, size);
        summarise(w, s, sorted, frame->value + s * SIZE_COLUMNS);
    }
    free(sorted);
    return rc;
}

/* ---------------------------------------------------------------- entry */

size_t ws_stability_draws(size_t rows)
{
    enum { MOST_DRAWS = 1000, LEAST_DRAWS = 100, WHOLE_ROWS = 1000 };
    const double part = rows > WHOLE_ROWS ? (double)WHOLE_ROWS / (double)rows : 1;
    const double draws = MOST_DRAWS * part * part; /* a draw takes a time that grows with the square of rows */
    return draws > LEAST_DRAWS ? (size_t)draws : LEAST_DRAWS;
}

static int check(const ws_frame *features, const char *name, const ws_stability_request *request)
{
    if (features->rows < 2)
        return ws_fail(WS_EINPUT, "%s: expected at least 2 rows to compare, found %zu", name, features->rows);
    if (request->draws < 1)
        return ws_fail(WS_EINPUT, "%s: a bootstrap takes at least one draw", name);
    for (size_t s = 0; s < request->sizes; s++)
        if (request->size[s] < 1 || request->size[s] > features->rows)
            return ws_fail(WS_EINPUT, "%s: expected sizes from 1 to %zu, the number of rows, found %zu", name,
                           features->rows, request->size[s]);
    return ws_frame_require_finite(features, name);
}

static int choose_originals(work *w)
{
    ws_frame *points = NULL;
    ws_selection *selection = NULL;
    int rc = grow(w, w->varying, &points, &selection);
    for (size_t s = 0; rc == WS_OK && s < w->request->sizes; s++)
        rc = choose(points, selection, w->request->size[s], &w->original[s]);
    ws_selection_destroy(selection);
    ws_frame_destroy(points);
    return rc;
}

int ws_stability_run(const ws_frame *features, const char *name, const ws_stability_request *request, ws_stability *out)
{
    *out = (ws_stability){0};
    int rc = check(features, name, request);
    if (rc == WS_OK) /* each worker grows a tree of its own */
        rc = ws_distance_ask(features->rows, request->workers ? request->workers : ws_processors());
    if (rc != WS_OK)
        return rc;
    const size_t sizes = request->sizes, cells = sizes * features->rows;
    work w = {.features = features, .request = request};
    w.original = calloc(sizes + 1, sizeof *w.original);
    w.kept = calloc(request->draws * sizes + 1, sizeof *w.kept);
    w.agreement = calloc(request->draws * sizes + 1, sizeof *w.agreement);
    w.chosen = calloc(cells + 1, sizeof *w.chosen);
    w.covered = calloc(cells + 1, sizeof *w.covered);
    rc = w.original && w.kept && w.agreement && w.chosen && w.covered ? find_varying(&w, name) : no_memory();
    if (rc == WS_OK)
        rc = choose_originals(&w);
    if (rc == WS_OK)
        rc = ws_crew_run(
            &(ws_crew){.work = draw_many, .context = &w, .tasks = request->draws, .workers = request->workers});
    if (rc == WS_OK)
        rc = make_rows(&w, &out->rows);
    if (rc == WS_OK)
        rc = make_sizes(&w, &out->sizes);
    for (size_t s = 0; w.original && s < sizes; s++)
        choice_fini(&w.original[s]);
    free(w.original);
    free(w.varying);
    free(w.kept);
    free(w.agreement);
    free(w.chosen);
    free(w.covered);
    if (rc != WS_OK)
        ws_stability_fini(out);
    return rc;
}

void ws_stability_fini(ws_stability *stability)
{
    ws_frame_destroy(stability->rows);
    ws_frame_destroy(stability->sizes);
    *stability = (ws_stability){0};
}
