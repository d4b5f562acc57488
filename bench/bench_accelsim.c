/* bench_accelsim.c - how many warp instructions of an Accel-Sim trace are imported in a second of one core?
 *
 *     bench_accelsim [SEED]          makes a trace of a tiled matrix multiplication, and reads it in several ways
 *     bench_accelsim SEED FOLDER     leaves the trace there, grouped, as kernelslist.g and kernel-1.traceg
 *
 * 256 x 256 floats in tiles of 16: 256 blocks, 2048 warps, 1,458,176 warp instructions, in the syntax of version 5. The
 * seed moves arrays and registers about. Times are those of the processor. */
#include "base/status.h"
#include "collect/accelsim/accelsim.h"
#include "collect/accelsim/lines.h"
#include "collect/wst/wst.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TILE = 16, SIDE = 256, TILES = SIDE / TILE, WARPS = TILE * TILE / 32, STEPS = 12 };

typedef struct text {
    FILE *out;
    uint64_t array[3];
    unsigned reg; /* the first of those in use */
    uint64_t lines;
} text;

static double cpu_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec + (double)used.ru_stime.tv_sec +
           1e-6 * (double)used.ru_stime.tv_usec;
}

static void plain(text *w, unsigned offset, const char *opcode, unsigned dst, unsigned a, unsigned b)
{
    fprintf(w->out, "%04x ffffffff 1 R%u %s 2 R%u R%u 0 0 \n", offset, w->reg + dst, opcode, w->reg + a, w->reg + b);
    w->lines++;
}

static void memory(text *w, unsigned offset, const char *opcode, unsigned a, uint64_t base, int stride)
{
    const int store = opcode[0] == 'S';
    if (store)
        fprintf(w->out, "%04x ffffffff 0 %s 2 R%u R%u 4 1 0x%" PRIx64 " %d 0 \n", offset, opcode, w->reg + a,
                w->reg + 9, base, stride);
    else
        fprintf(w->out, "%04x ffffffff 1 R%u %s 1 R%u 4 1 0x%" PRIx64 " %d 0 \n", offset, w->reg + 9, opcode,
                w->reg + a, base, stride);
    w->lines++;
}

/* Rows of 16 lanes that lie a row of the matrix apart: a base and distances. */
static void two_rows(text *w, unsigned offset, const char *opcode, unsigned a, uint64_t base)
{
    fprintf(w->out, "%04x ffffffff 1 R%u %s 1 R%u 4 2 0x%" PRIx64, offset, w->reg + 8, opcode, w->reg + a, base);
    for (unsigned lane = 1; lane < 32; lane++)
        fprintf(w->out, " %d", lane % TILE ? 4 : 4 * (SIDE - TILE + 1));
    fprintf(w->out, " 0 \n");
    w->lines++;
}

static void write_tile(text *w, unsigned bx, unsigned by, unsigned warp, unsigned tile)
{
    const unsigned row = by * TILE + warp * 2, column = bx * TILE;
    unsigned at = 0x90;
    two_rows(w, at, "LDG.E.SYS", 2, w->array[0] + 4 * (uint64_t)(row * SIDE + tile * TILE));
    two_rows(w, at += 0x10, "LDG.E.SYS", 4, w->array[1] + 4 * (uint64_t)((tile * TILE + warp * 2) * SIDE + column));
    memory(w, at += 0x10, "STS", 6, warp * 128, 4);
    memory(w, at += 0x10, "STS", 6, 1024 + warp * 128, 4);
    plain(w, at += 0x10, "BAR.SYNC.DEFER_BLOCKING", 0, 1, 1);
    for (unsigned k = 0; k < STEPS; k++) {
        memory(w, at += 0x10, "LDS.U", 10, warp * 128 + 4 * k, 0);
        memory(w, at += 0x10, "LDS.U", 11, 1024 + 64 * k, 4);
        plain(w, at += 0x10, "FFMA", 12, 9, 12);
    }
    plain(w, at += 0x10, "BAR.SYNC.DEFER_BLOCKING", 0, 1, 1);
    plain(w, at += 0x10, "ISETP.GE.AND", 1, 2, 3);
    plain(w, at + 0x10, "BRA", 0, 1, 1);
}

static void write_warp(text *w, unsigned bx, unsigned by, unsigned warp)
{
    static const char *const start[] = {"MOV", "S2R", "S2R", "IMAD.MOV.U32", "IMAD", "SHF.R.S32.HI"};
    fprintf(w->out, "\nwarp = %u\ninsts = %d\n", warp, TILES * (5 + 3 * STEPS + 3) + 8);
    for (unsigned i = 0; i < 6; i++)
        plain(w, 0x10 * i, start[i], i, i + 1, i + 2);
    for (unsigned tile = 0; tile < TILES; tile++)
        write_tile(w, bx, by, warp, tile);
    memory(w, 0x400, "STG.E.SYS", 2, w->array[2] + 4 * (uint64_t)((by * TILE + warp * 2) * SIDE + bx * TILE), 4);
    fprintf(w->out, "%04x ffffffff 0 EXIT 0 0 0 \n", 0x410);
    w->lines++;
}

static uint64_t write_trace(FILE *out, uint64_t seed)
{
    text w = {.out = out, .reg = (unsigned)(seed % 64) + 1};
    for (unsigned i = 0; i < 3; i++)
        w.array[i] = UINT64_C(0x7f0000000000) + (seed * 3 + i) * 4 * SIDE * SIDE;
    fprintf(
        out,
        "-kernel name = _Z6matmulPKfS0_Pf\n-kernel id = 1\n-grid dim = (%d,%d,1)\n-block dim = (%d,%d,1)\n-shmem = "
        "2048\n"
        "-nregs = 32\n-binary version = 75\n-cuda stream id = 0\n-shmem base_addr = 0x00007f6d9a000000\n"
        "-local mem base_addr = 0x00007f6d98000000\n-nvbit version = 1.7.1\n-accelsim tracer version = 5\n"
        "-enable lineinfo = 0\n\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
        "mem_width [adrrescompress?] [mem_addresses] immediate\n",
        TILES, TILES, TILE, TILE);
    for (unsigned by = 0; by < TILES; by++)
        for (unsigned bx = 0; bx < TILES; bx++) {
            fprintf(out, "\n#BEGIN_TB\n\nthread block = %u,%u,0\n", bx, by);
            for (unsigned warp = 0; warp < WARPS; warp++)
                write_warp(&w, bx, by, warp);
            fprintf(out, "\n#END_TB\n");
        }
    return w.lines;
}

static int make(const char *folder, uint64_t seed)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/kernelslist.g", folder);
    FILE *out = fopen(path, "w");
    if (!out)
        return ws_fail(WS_EIO, "cannot write %s", path);
    fprintf(out, "MemcpyHtoD,0x00007f0000000000,%d\nkernel-1.traceg\n", 2 * 4 * SIDE * SIDE);
    fclose(out);
    snprintf(path, sizeof path, "%s/kernel-1.traceg", folder);
    out = fopen(path, "w");
    if (!out)
        return ws_fail(WS_EIO, "cannot write %s", path);
    write_trace(out, seed);
    return fclose(out) ? ws_fail(WS_EIO, "cannot write %s", path) : WS_OK;
}

static int ended(void *context, const ws_launch *launch, uint64_t warps, uint64_t threads, int status)
{
    (void)launch, (void)warps, (void)threads;
    return context ? ws_trace_writer_end(context, status) : status;
}

/* Best of three. */
static int measure(const char *what, const char *folder, const char *trace)
{
    double best = 1e9;
    ws_accelsim_result result;
    for (int i = 0; i < 3; i++) {
        ws_trace_writer *writer = NULL;
        const ws_sink *sink = NULL;
        int status = trace ? ws_trace_writer_create(trace, NULL, &writer) : WS_OK;
        if (status)
            return status;
        if (writer)
            sink = ws_trace_writer_sink(writer);
        const ws_accelsim_import how = {
            .sinks = &sink, .sink_count = writer != NULL, .launched = ended, .context = writer};
        const double begin = cpu_seconds();
        status = ws_accelsim_read(folder, &how, &result);
        const int closed = ws_trace_writer_close(writer, 0, 0);
        const double took = cpu_seconds() - begin;
        best = took < best ? took : best;
        if (status || closed)
            return status ? status : closed;
    }
    printf("%-32s %9.3f s %9.2f M warp instructions/s %9.0f MB/s\n", what, best,
           1e-6 * (double)result.warp_instructions / best, 1e-6 * (double)result.text_bytes / best);
    return WS_OK;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/bench_accelsim-XXXXXX", path[128];
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    if (argc > 2) {
        const int made = make(argv[2], seed);
        if (made)
            fprintf(stderr, "bench_accelsim: %s\n", ws_message());
        return made != WS_OK;
    }
    if (!mkdtemp(folder)) {
        perror("bench_accelsim");
        return 1;
    }
    snprintf(path, sizeof path, "%s/out.wst", folder);
    int status = make(folder, seed);
    if (!status)
        status = measure("read, no sink", folder, NULL);
    if (!status)
        status = measure("read, write a trace file", folder, path);
    if (status)
        fprintf(stderr, "bench_accelsim: %s\n", ws_message());
    static const char *const names[] = {"kernelslist.g", "kernel-1.traceg", "out.wst"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
    return status != WS_OK;
}
