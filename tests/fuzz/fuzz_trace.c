/* fuzz_trace.c - can any bytes break the reader of trace files, or the metrics of the study behind it?
 *
 * Bytes that begin as a trace file does are taken as a whole file; others as segments of blocks of a small launch,
 * without the packing around them, which a fuzzer does not see through. */
#include "base/status.h"
#include "collect/trace/fanout.h"
#include "collect/wst/wst_file_internal.h"
#include "metrics/collector.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INSTRS = 12, BLOCKS = 3, MOST_BLOCKS = 64, MOST_INSTRS = 4096 };

static ws_instr instr[INSTRS];

static const ws_launch launch = {.kernel = "fuzz",
                                 .grid = {BLOCKS, 1, 1},
                                 .block = {70, 1, 1},
                                 .blocks = BLOCKS,
                                 .threads_per_block = 70,
                                 .warps_per_block = 3,
                                 .shared_bytes = 1024,
                                 .local_bytes = 64,
                                 .instr = instr,
                                 .instrs = INSTRS};

static void make_instructions(void)
{
    static const uint8_t space[] = {WS_SPACE_GLOBAL, WS_SPACE_SHARED, WS_SPACE_LOCAL, WS_SPACE_TEXTURE};
    for (unsigned i = 0; i < INSTRS; i++) {
        instr[i] = (ws_instr){
            .opcode = "fuzz", .cls = (uint8_t)(i % WS_CLASSES), .reconverge = UINT32_MAX, .dsts = 1, .srcs = 1};
        if (i >= WS_CLASSES)
            instr[i].cls = WS_CLASS_MEMORY;
        if (instr[i].cls == WS_CLASS_MEMORY) {
            instr[i].space = space[i % 4];
            instr[i].access = (uint8_t)(1 + i % 4);
            instr[i].bytes = 4;
        }
    }
}

static int collect(void *context, const ws_launch *of, size_t sink, void *state)
{
    return ws_collector_collect(context, of, sink, state);
}

/* Blocks 0, 1, 2 as the bytes have them, through every metric. */
static void run_segments(const uint8_t *data, size_t size)
{
    ws_reader r = {.next = data, .end = data + size};
    ws_wst_codec *const codec = ws_wst_codec_create(&launch);
    ws_collector *collector;
    ws_fanout *fanout;
    ws_range *range;
    size_t n;
    if (!codec || ws_collector_create("study", &collector))
        abort();
    const ws_sink *const *const sinks = ws_collector_sinks(collector, &n);
    if (ws_fanout_create(sinks, n, &launch, &fanout) || ws_range_open(fanout, 0, &range))
        abort();
    uint64_t block = 0;
    bool begun = false;
    ws_wst_head head;
    while (block < BLOCKS && ws_wst_read_head(&r, &head) && head.block == block) {
        ws_wst_segment segment;
        if (ws_wst_read(codec, &head, &segment))
            break;
        if (!begun && ws_range_block_begin(range, block))
            abort();
        begun = true;
        if (segment.batch.events && ws_range_events(range, &segment.batch))
            break;
        if (segment.values && ws_range_values(range, block, segment.value, segment.values))
            break;
        if (head.last) {
            if (ws_range_block_end(range, block))
                break;
            begun = false;
            block++;
        }
    }
    if (block == BLOCKS && !ws_range_close(range, BLOCKS))
        for (size_t i = 0; i < n; i++)
            if (collect(collector, &launch, i, ws_fanout_state(fanout, i)))
                abort();
    ws_fanout_destroy(fanout);
    ws_collector_destroy(collector);
    ws_wst_codec_destroy(codec);
}

/* Whatever a file says of lines, places are within their lists, and words can be made of them. */
static void read_lines(const ws_trace *trace, const ws_launch *l)
{
    char words[64];
    uint64_t fingerprint;
    for (uint32_t pc = 0; l->origin && pc < l->instrs; pc++) {
        const ws_place *const place = ws_origin_place(l->origin, pc);
        if (ws_origin_words(l->origin, pc, words, sizeof words) != (place != NULL) || (place && !place->file) ||
            (l->origin->text && !l->origin->text[pc]))
            abort();
        (void)(place && ws_trace_source(trace, place->file, &fingerprint));
    }
}

static void run_file(const uint8_t *data, size_t size)
{
    char path[64];
    ws_trace *trace;
    ws_collector *collector;
    const int file = memfd_create("fuzz", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size || ws_collector_create("study", &collector))
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ws_replay how = {.workers = 1, .collect = collect, .context = collector};
    how.sinks = ws_collector_sinks(collector, &how.sink_count);
    if (ws_trace_open(path, &trace) == WS_OK) {
        for (size_t i = 0; i < ws_trace_launches(trace); i++) {
            const ws_launch *const l = &ws_trace_get(trace, i)->launch;
            ws_replay_result result;
            read_lines(trace, l);
            if (l->blocks <= MOST_BLOCKS && l->instrs <= MOST_INSTRS)
                (void)ws_trace_replay(trace, i, &how, &result);
        }
        (void)ws_trace_check(trace, NULL, NULL);
        ws_trace_close(trace);
    }
    ws_collector_destroy(collector);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    make_instructions();
    if (size >= WS_WST_MAGIC_BYTES && memcmp(data, WS_WST_MAGIC, WS_WST_MAGIC_BYTES) == 0)
        run_file(data, size);
    else
        run_segments(data, size);
    return 0;
}
