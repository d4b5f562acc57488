/* bench_parser.c - how many megabytes of PTX a second does the parser read?
 *
 *     bench_parser FILE.ptx...      default: the PTX of the built-in workloads and of the six kernels */
#include "base/status.h"
#include "collect/ptx/module.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static char *read_file(const char *path, size_t *length)
{
    FILE *const in = fopen(path, "rb");
    char *text = NULL;
    if (in && fseek(in, 0, SEEK_END) == 0) {
        const long size = ftell(in);
        rewind(in);
        text = size > 0 ? malloc((size_t)size) : NULL;
        *length = text ? fread(text, 1, (size_t)size, in) : 0;
    }
    if (in)
        fclose(in);
    return text;
}

static uint64_t instructions_of(const ws_module *module)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < module->functions; i++)
        n += module->function[i]->insns;
    return n;
}

/* Parses the file again and again for a fifth of a second. Adds to the totals of one pass over all files. */
static int measure(const char *path, double *bytes, double *seconds)
{
    size_t length = 0;
    char *const text = read_file(path, &length);
    if (!text) {
        fprintf(stderr, "bench_parser: cannot read %s\n", path);
        return 1;
    }
    const double start = cpu_seconds();
    double spent = 0;
    unsigned times = 0;
    uint64_t instructions = 0;
    while (spent < 0.2) {
        ws_module *module;
        if (ws_ptx_parse(path, text, length, &module)) {
            fprintf(stderr, "bench_parser: %s\n", ws_message());
            free(text);
            return 1;
        }
        instructions = instructions_of(module);
        ws_module_destroy(module);
        times++;
        spent = cpu_seconds() - start;
    }
    free(text);
    const double each = spent / times;
    printf("%-44s %9zu %9llu %9.1f %9.1f\n", path, length, (unsigned long long)instructions,
           (double)length / each / 1e6, (double)instructions / each / 1e6);
    *bytes += (double)length;
    *seconds += each;
    return 0;
}

int main(int argc, char **argv)
{
    double bytes = 0, seconds = 0;
    int status = 0;
    glob_t files = {0};
    printf("%-44s %9s %9s %9s %9s\n", "file", "bytes", "instr", "MB/CPU s", "M instr/s");
    if (argc < 2) {
        glob("data/workloads/*/*.ptx", 0, NULL, &files);
        glob("bench/six/*.ptx", GLOB_APPEND, NULL, &files);
        for (size_t i = 0; i < files.gl_pathc && !status; i++)
            status = measure(files.gl_pathv[i], &bytes, &seconds);
        globfree(&files);
    }
    for (int i = 1; i < argc && !status; i++)
        status = measure(argv[i], &bytes, &seconds);
    if (!status && seconds > 0)
        printf("%-44s %9.0f %9s %9.1f\n", "all, once each", bytes, "", bytes / seconds / 1e6);
    return status || seconds == 0;
}
