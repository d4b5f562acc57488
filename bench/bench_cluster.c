/* bench_cluster.c - how long from a frame of characteristics to clusters, and in how much memory?
 *
 * usage: bench_cluster [ROWS [COLUMNS [LINKAGE [FRAME.csv]]]], 10000 x 129 and complete linkage when not given. The
 * data are a few groups in noise, from a fixed seed; FRAME.csv receives them, for other programs to work on. One core.
 */
#include "base/status.h"
#include "base/text.h"
#include "cluster/cluster.h"
#include "pca/pca.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { GROUPS = 12, CLUSTERS = 12 };

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static ws_frame *make_frame(size_t rows, size_t columns)
{
    ws_frame *frame = ws_frame_create(rows, columns, 1, NULL);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *centre = malloc(GROUPS * columns * sizeof *centre);
    int rc = frame && rng && centre ? WS_OK : WS_EMEM;
    for (size_t i = 0; rc == WS_OK && i < GROUPS * columns; i++)
        centre[i] = gsl_ran_gaussian(rng, 0.5);
    for (size_t j = 0; rc == WS_OK && j < columns; j++) {
        char name[24];
        snprintf(name, sizeof name, "c%zu", j + 1);
        rc = ws_frame_set_column(frame, j, name, "", "");
    }
    for (size_t i = 0; rc == WS_OK && i < rows; i++) {
        char name[24];
        snprintf(name, sizeof name, "r%zu", i + 1);
        rc = ws_frame_set_label(frame, i, 0, name);
        for (size_t j = 0; rc == WS_OK && j < columns; j++)
            frame->value[i * columns + j] = centre[i % GROUPS * columns + j] + gsl_ran_gaussian(rng, 1);
    }
    free(centre);
    gsl_rng_free(rng);
    if (rc == WS_OK)
        return frame;
    ws_frame_destroy(frame);
    return NULL;
}

typedef struct watch {
    double wall, cpu;
} watch;

static watch start(void)
{
    return (watch){now_s(), cpu_s()};
}

static void report(const char *step, watch since)
{
    printf("%-24s %8.3f s  %8.3f s of processor\n", step, now_s() - since.wall, cpu_s() - since.cpu);
}

static int run(const ws_frame *frame, ws_linkage linkage)
{
    ws_pca pca = {0};
    ws_tree *tree = NULL;
    size_t *cluster = malloc(frame->rows * sizeof *cluster);
    const watch all = start();
    watch step = all;
    int rc = cluster ? ws_pca_run(frame, "frame", &(ws_pca_options){.keep = WS_PCA_KEEP_VARIANCE, .amount = 0.9}, &pca)
                     : WS_EMEM;
    if (rc == WS_OK) {
        report("standardise and PCA", step);
        step = start();
        rc = ws_cluster_build(pca.scores->value, pca.scores->rows, pca.scores->columns, linkage, &tree);
    }
    if (rc == WS_OK) {
        report(ws_linkage_name(linkage), step);
        step = start();
        rc = ws_tree_cut(tree, frame->rows < CLUSTERS ? frame->rows : CLUSTERS, cluster);
    }
    if (rc == WS_OK) {
        report("cut", step);
        report("all", all);
        printf("%-24s %8zu\n", "components", pca.kept);
        printf("%-24s %8.6f\n", "height of the last merge", tree->merge[tree->leaves - 2].height);
    }
    ws_tree_destroy(tree);
    ws_pca_fini(&pca);
    free(cluster);
    return rc;
}

static int save(const ws_frame *frame, const char *path)
{
    const watch since = start();
    const int rc = ws_frame_save(frame, path);
    if (rc == WS_OK)
        report("write the frame", since);
    return rc;
}

int main(int argc, char **argv)
{
    size_t rows = 10000, columns = 129;
    ws_linkage linkage = WS_LINKAGE_complete;
    if (argc > 5 || (argc > 1 && ws_text_to_size(argv[1], SIZE_MAX, &rows) != WS_OK) ||
        (argc > 2 && ws_text_to_size(argv[2], SIZE_MAX, &columns) != WS_OK) ||
        (argc > 3 && ws_linkage_find(argv[3], &linkage) != WS_OK)) {
        fprintf(stderr, "usage: %s [ROWS [COLUMNS [LINKAGE [FRAME.csv]]]]\n", argv[0]);
        return 2;
    }
    ws_frame *frame = make_frame(rows, columns);
    int rc = frame ? run(frame, linkage) : ws_fail(WS_EMEM, "no memory for %zu x %zu", rows, columns);
    if (rc == WS_OK && argc > 4)
        rc = save(frame, argv[4]);
    ws_frame_destroy(frame);
    if (rc != WS_OK)
        fprintf(stderr, "%s: %s\n", argv[0], ws_message());
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-24s %8ld MiB\n", "peak memory", usage.ru_maxrss / 1024);
    return rc == WS_OK ? 0 : 1;
}
