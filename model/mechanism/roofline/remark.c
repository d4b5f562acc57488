/* remark.c - see remark.h. */
#include "model/mechanism/roofline/remark.h"

#include "base/text.h"
#include "model/mechanism/roofline/roofline.h"

#include <math.h>
#include <string.h>

enum { WORKLOAD, KERNEL, BOUND };

static double of(const ws_frame *frame, size_t row, const char *name)
{
    return frame->value[row * frame->columns + (size_t)ws_frame_find_column(frame, name)];
}

static const char *word_of(const char *ceiling)
{
    for (unsigned i = 0; i < WS_CEILINGS; i++)
        if (!strcmp(ws_ceiling_table[i].name, ceiling))
            return ws_ceiling_table[i].word;
    return ceiling;
}

static void write_row(const ws_frame *frame, size_t row, const char *machine, FILE *out)
{
    static const double giga = 1e9;
    const double intensity = of(frame, row, "dram_intensity"), reach = of(frame, row, "reach") * giga;
    char rate[32];
    ws_text_count(rate, sizeof rate, reach, "op/s");
    fprintf(out, "   at best on a %s: bound by %s", machine, word_of(frame->label[row * frame->labels + BOUND]));
    if (isfinite(intensity))
        fprintf(out, ", %.3g operations a byte", intensity);
    if (isfinite(reach))
        fprintf(out, ", %s", rate);
    fprintf(out, "; without that bound %.3g times as fast\n", of(frame, row, "headroom"));
}

void ws_roofline_remark(const ws_frame *frame, const char *machine, const char *workload, const char *kernel, FILE *out)
{
    for (size_t i = 0; i < frame->rows; i++)
        if (!strcmp(frame->label[i * frame->labels + WORKLOAD], workload) &&
            !strcmp(frame->label[i * frame->labels + KERNEL], kernel)) {
            write_row(frame, i, machine, out);
            return;
        }
}
