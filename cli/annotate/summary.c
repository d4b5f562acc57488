/* summary.c - see summary.h. Puts together what the results file has of a kernel: its launches, metrics, and
 * instructions. */
#include "cli/annotate/summary.h"

#include "base/grow.h"
#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE = 256 };

/* ------------------------------------------------------------------------------------------------ gathering */

static ws_summary_kernel *find(const ws_summary *s, const char *workload, const char *kernel)
{
    for (size_t i = s->kernels; i-- > 0;)
        if (!strcmp(s->kernel[i].kernel, kernel) && !strcmp(s->kernel[i].workload, workload))
            return &s->kernel[i];
    return NULL;
}

static int see_launch(void *summary, const ws_store_row *row)
{
    ws_summary *const s = summary;
    ws_summary_kernel *k = row->measured ? find(s, row->workload, row->kernel) : NULL;
    const uint64_t blocks = (uint64_t)(row->grid[0] * row->grid[1] * row->grid[2]);
    const uint64_t threads = (uint64_t)(row->block[0] * row->block[1] * row->block[2]);
    if (!row->measured)
        return WS_OK;
    if (!k) {
        if (WS_GROW(s->kernel, s->room, s->kernels, 1))
            return WS_EMEM;
        k = &s->kernel[s->kernels++];
        *k = (ws_summary_kernel){
            .workload = strdup(row->workload), .kernel = strdup(row->kernel), .title = strdup(row->title)};
        if (!k->workload || !k->kernel || !k->title)
            return ws_fail(WS_EMEM, "out of memory");
    }
    k->launches++;
    k->warp_instructions += (uint64_t)row->warp_instructions;
    k->facts.blocks += blocks;
    k->facts.blocks_most = blocks > k->facts.blocks_most ? blocks : k->facts.blocks_most;
    k->facts.threads_most = threads > k->facts.threads_most ? threads : k->facts.threads_most;
    return WS_OK;
}

/* Of several codes of a kernel (of modules, say) the last is shown. */
static int see_listing(void *summary, const ws_store_listing *l)
{
    ws_summary *const s = summary;
    ws_summary_kernel *const k = find(s, l->workload, l->kernel);
    if (!k)
        return WS_OK;
    k->run = l->run;
    const int status = ws_listing_read(l->code, l->counts, s->arena, &k->listing);
    return status == WS_EINPUT
               ? ws_fail(WS_EINPUT, "the stored instructions of %s cannot be read; run it again", l->title)
               : status;
}

static void join_metrics(ws_summary *s)
{
    const ws_frame *const f = s->frame;
    const long workload = ws_frame_find_label(f, "workload"), mangled = ws_frame_find_label(f, WS_FRAME_MANGLED);
    const long kernel = mangled >= 0 ? mangled : ws_frame_find_label(f, "kernel");
    for (size_t row = 0; row < f->rows && workload >= 0 && kernel >= 0; row++) {
        char *const *const label = f->label + row * f->labels;
        ws_summary_kernel *const k = find(s, label[workload], label[kernel]);
        if (k) {
            k->facts.frame = f;
            k->facts.row = row;
        }
    }
}

static int judge(ws_summary_kernel *k)
{
    static const ws_listing none; /* of a kernel whose instructions nobody looked at */
    const int status = ws_line_table_make(k->listing ? k->listing : &none, &k->table);
    if (status)
        return status;
    ws_facts_sum(&k->facts, &k->table);
    k->findings = ws_findings(&k->facts, k->finding);
    return WS_OK;
}

static int by_work(const void *a, const void *b)
{
    const ws_summary_kernel *const x = a, *const y = b;
    const int order = strcmp(x->workload, y->workload);
    return order                                          ? order
           : x->warp_instructions != y->warp_instructions ? (x->warp_instructions < y->warp_instructions ? 1 : -1)
                                                          : strcmp(x->kernel, y->kernel);
}

int ws_summary_make(ws_store *store, ws_summary *s)
{
    *s = (ws_summary){.arena = ws_arena_create()};
    int status = s->arena ? ws_store_launches(store, see_launch, s) : ws_fail(WS_EMEM, "out of memory");
    if (!status && !s->kernels)
        status = ws_fail(WS_ENOTFOUND, "no kernel was measured (see `warpscape run`)");
    if (!status)
        qsort(s->kernel, s->kernels, sizeof *s->kernel, by_work);
    if (!status)
        status = ws_store_listings(store, see_listing, s);
    if (!status)
        status = ws_store_frame(store, WS_PER_KERNEL, "all", false, &s->frame);
    if (!status)
        join_metrics(s);
    for (size_t i = 0; i < s->kernels && !status; i++)
        status = judge(&s->kernel[i]);
    return status;
}

void ws_summary_fini(ws_summary *s)
{
    for (size_t i = 0; i < s->kernels; i++) {
        ws_line_table_fini(&s->kernel[i].table);
        free(s->kernel[i].workload);
        free(s->kernel[i].kernel);
        free(s->kernel[i].title);
    }
    free(s->kernel);
    ws_frame_destroy(s->frame);
    ws_arena_destroy(s->arena);
    *s = (ws_summary){0};
}

/* ------------------------------------------------------------------------------------------------ showing */

static void place_words(const ws_summary_kernel *k, const ws_source_line *line, char out[PLACE])
{
    *out = '\0';
    if (line)
        ws_place_words(k->listing->place, line->place, out, PLACE);
}

/* The lines with most instructions. */
static void print_hot(const ws_summary_kernel *k, FILE *out)
{
    const ws_source_line *hot[WS_SUMMARY_HOT];
    const uint64_t all = k->table.all.count[WS_COUNT_issues];
    size_t n = 0;
    for (size_t i = 0; i < k->table.lines; i++) {
        const ws_source_line *const line = &k->table.line[i];
        size_t at = n;
        while (at > 0 && hot[at - 1]->sums.count[WS_COUNT_issues] < line->sums.count[WS_COUNT_issues])
            at--;
        if (at == WS_SUMMARY_HOT)
            continue;
        n += n < WS_SUMMARY_HOT;
        memmove(&hot[at + 1], &hot[at], (n - at - 1) * sizeof *hot);
        hot[at] = line;
    }
    for (size_t i = 0; i < n && all; i++) {
        char place[PLACE];
        place_words(k, hot[i], place);
        fprintf(out, "%s%s %.0f%%", i ? ", " : "   most instructions: ", place,
                100 * (double)hot[i]->sums.count[WS_COUNT_issues] / (double)all);
    }
    if (n && all)
        fputs("\n", out);
}

static void print_finding(const ws_summary_kernel *k, const ws_finding *f, FILE *out)
{
    char place[PLACE];
    place_words(k, f->line, place);
    if (!*place)
        fprintf(out, "   %s\n", f->said);
    else if (f->of_line)
        fprintf(out, "   %s: %s\n", place, f->said);
    else
        fprintf(out, "   %s; most at %s\n", f->said, place);
    fprintf(out, "      try: %s\n", f->remedy);
}

static void print_kernel(const ws_summary *s, const ws_summary_kernel *k, uint64_t of_workload, FILE *out)
{
    fprintf(out,
            "%s: %.0f%% of the warp instructions, %" PRIu64 " launch%s of %s%" PRIu64 " block%s of %" PRIu64
            " threads\n",
            k->title, of_workload ? 100 * (double)k->warp_instructions / (double)of_workload : 0, k->launches,
            k->launches == 1 ? "" : "es", k->launches == 1 ? "" : "up to ", k->facts.blocks_most,
            k->facts.blocks_most == 1 ? "" : "s", k->facts.threads_most);
    if (s->remark)
        s->remark(s->remark_context, k, out);
    print_hot(k, out);
    for (size_t i = 0; i < k->findings && i < WS_SUMMARY_FINDINGS; i++)
        print_finding(k, &k->finding[i], out);
    if (!k->findings)
        fputs("   no findings\n", out);
}

typedef struct workload {
    uint64_t kernels, launches, instructions;
} workload;

static workload sum_up(const ws_summary *s, const char *name)
{
    workload w = {0};
    for (size_t i = 0; i < s->kernels; i++)
        if (!strcmp(s->kernel[i].workload, name)) {
            w.kernels++;
            w.launches += s->kernel[i].launches;
            w.instructions += s->kernel[i].warp_instructions;
        }
    return w;
}

static void print_workload(const char *name, const workload *w, FILE *out)
{
    char instructions[32];
    ws_text_count(instructions, sizeof instructions, (double)w->instructions, "");
    fprintf(out, "%s: %" PRIu64 " kernel%s, %" PRIu64 " launch%s, %s warp instructions\n", name, w->kernels,
            w->kernels == 1 ? "" : "s", w->launches, w->launches == 1 ? "" : "es", instructions);
}

/* Kernels; of these, without lines though their instructions are known, and the first of them. */
typedef struct known {
    size_t kernels, without;
    const ws_summary_kernel *first;
} known;

static void note_known(known *n, const ws_summary_kernel *k)
{
    n->kernels++;
    if (k->table.lines || !k->listing)
        return;
    n->without++;
    n->first = n->first ? n->first : k;
}

static void print_known(const known *n, FILE *out)
{
    if (!n->without)
        return;
    fputs("\nsource lines are not known", out);
    if (n->without < n->kernels)
        fprintf(out, " of %zu of these kernels", n->without);
    fprintf(out, ": build with %s\n", ws_lines_wanted(n->first->listing->isa));
}

bool ws_summary_print(const ws_summary *s, size_t most, bool (*wanted)(void *, const ws_summary_kernel *),
                      void *context, FILE *out)
{
    const char *name = NULL;
    workload w = {0};
    size_t shown = 0, left = 0;
    known lines = {0};
    for (size_t i = 0; i <= s->kernels; i++) {
        const ws_summary_kernel *const k = i < s->kernels ? &s->kernel[i] : NULL;
        if (k && wanted && !wanted(context, k))
            continue;
        if (left && (!k || strcmp(name, k->workload)))
            fprintf(out, "and %zu more kernel%s, with fewer instructions (--most)\n", left, left == 1 ? "" : "s");
        if (!k)
            break;
        if (!name || strcmp(name, k->workload)) {
            name = k->workload;
            w = sum_up(s, name);
            shown = left = 0;
            fputs(lines.kernels ? "\n" : "", out);
            print_workload(name, &w, out);
        }
        note_known(&lines, k);
        if (shown++ < most)
            print_kernel(s, k, w.instructions, out);
        else
            left++;
    }
    print_known(&lines, out);
    return lines.kernels;
}

static int fill_row(ws_frame *frame, size_t row, const ws_summary_kernel *k, const ws_finding *f)
{
    char place[PLACE];
    place_words(k, f->line, place);
    const char *const label[] = {k->workload, k->title, f->name, place, f->said, f->remedy};
    int status = WS_OK;
    for (size_t l = 0; l < sizeof label / sizeof *label && !status; l++)
        status = ws_frame_set_label(frame, row, l, label[l]);
    frame->value[row] = f->loss;
    return status;
}

int ws_summary_frame(const ws_summary *s, bool (*wanted)(void *, const ws_summary_kernel *), void *context,
                     ws_frame **out)
{
    static const char *const labels[] = {"workload", "kernel", "rule", "place", "finding", "remedy"};
    size_t rows = 0, row = 0;
    for (size_t i = 0; i < s->kernels; i++)
        rows += !wanted || wanted(context, &s->kernel[i]) ? s->kernel[i].findings : 0;
    ws_frame *const frame = *out = ws_frame_create(rows, 1, sizeof labels / sizeof *labels, labels);
    int status = frame ? ws_frame_set_column(frame, 0, "loss", "ratio", "summary") : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < s->kernels && !status; i++)
        for (size_t f = 0; f < s->kernel[i].findings && (!wanted || wanted(context, &s->kernel[i])) && !status; f++)
            status = fill_row(frame, row++, &s->kernel[i], &s->kernel[i].finding[f]);
    return status;
}

/* ------------------------------------------------------------------------------------------------ work */

enum { WORK_SHARE, WORK_LAUNCHES, WORK_INSTRUCTIONS, WORK_BLOCKS, WORK_THREADS, WORK_FINDINGS, WORK_COLUMNS };

static int name_work(ws_frame *frame)
{
    static const char *const column[WORK_COLUMNS][2] = {
        [WORK_SHARE] = {"share", "ratio"},
        [WORK_LAUNCHES] = {"launches", "launches"},
        [WORK_INSTRUCTIONS] = {"warp_instructions", "instr"},
        [WORK_BLOCKS] = {"blocks", "blocks"},
        [WORK_THREADS] = {"threads", "threads"},
        [WORK_FINDINGS] = {"findings", "findings"},
    };
    int status = WS_OK;
    for (size_t c = 0; c < WORK_COLUMNS && !status; c++)
        status = ws_frame_set_column(frame, c, column[c][0], column[c][1], "work");
    return status;
}

static int fill_work(ws_frame *frame, size_t row, const ws_summary_kernel *k, uint64_t of_workload)
{
    const char *const label[] = {k->workload, k->title, k->kernel};
    double *const value = frame->value + row * WORK_COLUMNS;
    int status = WS_OK;
    for (size_t l = 0; l < sizeof label / sizeof *label && !status; l++)
        status = ws_frame_set_label(frame, row, l, label[l]);
    value[WORK_SHARE] = of_workload ? (double)k->warp_instructions / (double)of_workload : 0;
    value[WORK_LAUNCHES] = (double)k->launches;
    value[WORK_INSTRUCTIONS] = (double)k->warp_instructions;
    value[WORK_BLOCKS] = (double)k->facts.blocks_most;
    value[WORK_THREADS] = (double)k->facts.threads_most;
    value[WORK_FINDINGS] = (double)k->findings;
    return status;
}

int ws_summary_work_frame(const ws_summary *s, ws_frame **out)
{
    static const char *const labels[] = {"workload", "kernel", WS_FRAME_MANGLED};
    ws_frame *const frame = *out = ws_frame_create(s->kernels, WORK_COLUMNS, sizeof labels / sizeof *labels, labels);
    int status = frame ? name_work(frame) : ws_fail(WS_EMEM, "out of memory");
    uint64_t all = 0;
    for (size_t i = 0; i < s->kernels && !status; i++) {
        if (!i || strcmp(s->kernel[i].workload, s->kernel[i - 1].workload)) /* they come workload by workload */
            all = sum_up(s, s->kernel[i].workload).instructions;
        status = fill_work(frame, i, &s->kernel[i], all);
    }
    return status;
}
