/* Measures a kernel, says which kernel of a results file uses the fewest lanes, and puts all into two clusters:
 * least_efficient scale.ptx results.db */
#include <stdio.h>
#include <warpscape/warpscape.h>

static int fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, warpscape_message());
    return 1;
}

int main(int argc, char **argv)
{
    float x[1000] = {[10] = 10}, factor = 3;
    unsigned n = 1000;
    const warpscape_argument argument[] = {
        {WARPSCAPE_IN_OUT, x, sizeof x}, {WARPSCAPE_VALUE, &factor, sizeof factor}, {WARPSCAPE_VALUE, &n, sizeof n}};
    const warpscape_launch launch = {
        .kernel = "scale", .grid = {8}, .block = {128}, .argument = argument, .arguments = 3};
    warpscape_program *program;
    warpscape_recorder *recorder;
    warpscape_results *results;
    warpscape_frame *kernels, *scores;
    if (argc != 3 || warpscape_program_load(argv[1], &program) ||
        warpscape_recorder_open(argv[2], "example", &recorder))
        return fail("cannot begin");
    if (warpscape_program_launch(program, &launch, recorder) || warpscape_recorder_close(recorder, NULL))
        return fail("cannot measure");
    printf("x[10] = %g\n", x[10]);
    if (warpscape_results_open(argv[2], &results) ||
        warpscape_results_frame(results, WARPSCAPE_PER_KERNEL, "performance", &kernels))
        return fail("cannot read");
    const long column = warpscape_frame_find(kernels, "simd_efficiency");
    const size_t rows = warpscape_frame_rows(kernels);
    size_t least = 0, cluster[rows];
    for (size_t i = 1; i < rows; i++)
        if (warpscape_frame_value(kernels, i, column) < warpscape_frame_value(kernels, least, column))
            least = i;
    printf("%s: %.3f of a warp's lanes\n", warpscape_frame_label(kernels, least, 1),
           warpscape_frame_value(kernels, least, column));
    if (warpscape_pca(kernels, 0.9, 1, &scores, NULL, NULL) || warpscape_cluster(scores, "ward", 2, cluster))
        return fail("cannot compare");
    for (size_t i = 0; i < rows; i++)
        printf("%zu %s\n", cluster[i], warpscape_frame_label(kernels, i, 1));
    warpscape_frame_free(scores);
    warpscape_frame_free(kernels);
    warpscape_results_close(results);
    warpscape_program_free(program);
    return 0;
}
