/* cmd_diff.c - `warpscape diff`: what differs between two versions of a program, or two machines, kernel by kernel? */
#include "cli/cli.h"
#include "cli/features.h"
#include "base/options/option_rows.h"
#include "cli/diff/difference.h"
#include "cli/diff/limit.h"
#include "cli/diff/side.h"
#include "base/options/frame_output.h"

#include "base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12 };

typedef struct request {
    const char *db;
    struct sides {
        const char *one[2];
        size_t count;
    } sides;
    size_t set;
    double threshold; /* of effects that are shown */
    bool all;
    size_t format; /* 0: text; else 1 + ws_frame_format */
    uint64_t most;
    struct rules {
        const char **one;
        size_t count, room;
    } rules;
} request;

static void take_rule(const struct argp_state *state, void *member, char *rule)
{
    struct rules *const to = member;
    if (WS_GROW(to->one, to->room, to->count, 1))
        argp_failure(state, EXIT_FAILURE, 0, "out of memory");
    to->one[to->count++] = rule;
}

static void take_side(const struct argp_state *state, void *member, char *arg)
{
    struct sides *const to = member;
    if (to->count == 2)
        argp_error(state, "two sides are compared; what is '%s'?", arg);
    to->one[to->count++] = arg;
}

static void need_sides(const struct argp_state *state, const void *member)
{
    const struct sides *const s = member;
    if (s->count < 2)
        argp_error(state, "which two? Results files, workloads or frames");
}

static const ws_option_row option_rows[] = {
    WS_OPTION_TEXT("db", 'd', "FILE", request, db, "Results file of workloads given without a file [warpscape.db]"),
    WS_OPTION_WORD("set", 'm', "SET", request, set, ws_cli_sets,
                   "Metrics of results files: study, modern, all (both), machines or synchronization [all]"),
    WS_OPTION_FLAG("all", 'a', request, all, "Also show columns without a known better direction"),
    WS_OPTION_REAL("threshold", 't', "PERCENT", request, threshold, 0, 100, 100,
                   "Show changes of at least this share of the larger value [1]"),
    WS_OPTION_NUMBER("most", 'n', "N", request, most, 1, UINT32_MAX, "Most changes to show per kernel [12]"),
    WS_OPTION_TAKE("fail-if", 0, "RULE", request, rules, take_rule,
                   "Exit with 1 if a kernel meets it: COLUMN<NUMBER or COLUMN>NUMBER of the difference, with % of the "
                   "change relative to A; may be repeated"),
    WS_OPTION_WORD("format", 'f', ws_frame_output_or_text_arg, request, format, ws_frame_output_or_text,
                   "Output: text, or a frame with a row for each change [text]"),
    WS_ARGUMENTS(request, sides, take_side, need_sides),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .args_doc = "A B",
    .doc =
        "Compares two runs kernel by kernel: the values, the change, and whether it is better or worse, largest effect "
        "first.\v"
        "A and B are results files (FILE, or FILE:WORKLOAD), workloads of the results file that --db names, or frames "
        "of `warpscape metrics', "
        "`sim' and others (a CSV file, - for the standard input). Kernels are matched by name, launches by number.\n\n"
        "Example:\n"
        "  warpscape run --db old.db ./app\n"
        "  warpscape run --db new.db ./app\n"
        "  warpscape diff old.db new.db --fail-if 'simd_efficiency<-5%' \\\n"
        "      --fail-if 'coal_sectors_per_request>10%'",
};

/* ------------------------------------------------------------------------------------------------ showing */

static bool is_shown(const request *r, const ws_change *c)
{
    return c->effect > 0 && c->effect >= r->threshold && (r->all || c->verdict != WS_VERDICT_NEITHER);
}

static void print_value(double value)
{
    char text[32];
    snprintf(text, sizeof text, isnan(value) ? "NA" : "%.4g", value);
    printf(" %10s", text);
}

static void print_change(const ws_difference *d, const ws_change *c)
{
    char change[32] = "";
    if (isfinite(c->change))
        snprintf(change, sizeof change, "%+.1f%%", 100 * c->change);
    printf("   %-28s", d->a->column[c->column].name);
    print_value(c->a);
    fputs(" ->", stdout);
    print_value(c->b);
    printf(" %9s%s%s\n", change, c->verdict ? "  " : "", ws_verdict_words[c->verdict]);
}

static void print_pair(const request *r, const ws_difference *d, const ws_change *change, size_t n, const char *name)
{
    size_t shown = 0, left = 0;
    printf("%s\n", name);
    for (size_t i = 0; i < n; i++) {
        if (!is_shown(r, &change[i]))
            continue;
        if (shown < r->most)
            print_change(d, &change[i]);
        *(shown < r->most ? &shown : &left) += 1;
    }
    if (!shown)
        puts("   no change");
    if (left)
        printf("   and %zu more (--most)\n", left);
}

/* Columns of which one side has no value where the other has one: nobody can say whether they changed. */
static void print_lacks(const ws_difference *d, bool of_a, FILE *out)
{
    size_t columns = 0, first = 0;
    for (size_t c = 0; c < d->a->columns; c++) {
        bool lacks = false;
        for (size_t i = 0; i < d->changes && !lacks; i++)
            lacks = d->change[i].column == c && isnan(of_a ? d->change[i].a : d->change[i].b) &&
                    !isnan(of_a ? d->change[i].b : d->change[i].a);
        if (lacks && !columns++)
            first = c;
    }
    if (columns)
        fprintf(out, "# %s has no value of %s%s where %s has one: not compared\n", of_a ? "A" : "B",
                d->a->column[first].name, columns > 1 ? " and other columns" : "", of_a ? "B" : "A");
}

static void print_text(const request *r, const ws_difference *d)
{
    size_t next = 0;
    for (size_t p = 0; p < d->pairs; p++) {
        const size_t first = next;
        while (next < d->changes && d->change[next].pair == p)
            next++;
        print_pair(r, d, d->change + first, next - first, d->pair[p].name);
    }
    for (size_t i = 0; i < d->only_as; i++)
        printf("only in A: %s\n", d->only_a[i]);
    for (size_t i = 0; i < d->only_bs; i++)
        printf("only in B: %s\n", d->only_b[i]);
}

static int fill(ws_frame *frame, size_t row, const ws_difference *d, const ws_change *c)
{
    const char *const label[] = {d->pair[c->pair].name, d->a->column[c->column].name, ws_verdict_words[c->verdict]};
    const double value[] = {c->a, c->b, c->change, c->effect};
    int status = WS_OK;
    for (size_t l = 0; l < sizeof label / sizeof *label && !status; l++)
        status = ws_frame_set_label(frame, row, l, label[l]);
    memcpy(frame->value + row * frame->columns, value, sizeof value);
    return status;
}

static int print_frame(const request *r, const ws_difference *d, int argc, char **argv)
{
    static const char *const labels[] = {"kernel", "column", "verdict"}, *const columns[] = {"a", "b", "change",
                                                                                             "effect"};
    size_t rows = 0, row = 0;
    for (size_t i = 0; i < d->changes; i++)
        rows += is_shown(r, &d->change[i]);
    ws_frame *const frame = ws_frame_create(rows, 4, 3, labels);
    int status = frame ? ws_options_sign_frame(frame, argc, argv) : ws_fail(WS_EMEM, "out of memory");
    for (size_t c = 0; c < 4 && !status; c++)
        status = ws_frame_set_column(frame, c, columns[c], c < 2 ? "" : "ratio", "diff");
    for (size_t i = 0; i < d->changes && !status; i++)
        if (is_shown(r, &d->change[i]))
            status = fill(frame, row++, d, &d->change[i]);
    if (!status)
        status = ws_frame_print(frame, (ws_frame_format)(r->format - 1), true, stdout);
    ws_frame_destroy(frame);
    return status;
}

/* ------------------------------------------------------------------------------------------------ rules */

static int check_rules(const request *r, const ws_limit *limit, const ws_difference *d)
{
    size_t met = 0;
    int status = WS_OK;
    fflush(stdout);
    for (size_t i = 0; i < r->rules.count && !status; i++)
        status = ws_limit_check(&limit[i], d, stderr, &met);
    return status || !met ? status
                          : ws_fail(WS_EVERIFY, "rules of --fail-if are met %zu time%s", met, met == 1 ? "" : "s");
}

static int compare(const request *r, const ws_limit *limit, const ws_frame *a, const ws_frame *b, int argc, char **argv)
{
    ws_difference d;
    int status = ws_difference_make(a, b, &d);
    if (!status && !r->format) {
        ws_difference_notes(a, b, stdout);
        print_lacks(&d, true, stdout);
        print_lacks(&d, false, stdout);
        print_text(r, &d);
    } else if (!status) {
        ws_difference_notes(a, b, stderr);
        print_lacks(&d, true, stderr);
        print_lacks(&d, false, stderr);
        status = print_frame(r, &d, argc, argv);
    }
    if (!status)
        status = check_rules(r, limit, &d);
    ws_difference_fini(&d);
    return status;
}

WS_COMMAND(diff)
{
    request r = {.db = "warpscape.db", .set = 2, .threshold = 0.01, .most = MOST};
    ws_frame *a = NULL, *b = NULL;
    ws_options_parse(&options, argc, argv, &r);
    ws_limit *const limit = calloc(r.rules.count + 1, sizeof *limit);
    int status = limit ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < r.rules.count && !status; i++)
        status = ws_limit_parse(r.rules.one[i], &limit[i]);
    if (!status)
        status = ws_side_load(r.sides.one[0], r.db, ws_cli_sets[r.set], &a);
    if (!status)
        status = ws_side_load(r.sides.one[1], r.db, ws_cli_sets[r.set], &b);
    if (!status)
        status = compare(&r, limit, a, b, argc, argv);
    ws_frame_destroy(a);
    ws_frame_destroy(b);
    free(limit);
    free(r.rules.one);
    return status;
}
