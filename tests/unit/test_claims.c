/* test_claims.c - verdicts of claims by their rules, places in files of claims, marks and counts of pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"
#include "cli/claims/claims.h"
#include "cli/claims/claims_file.h"
#include "cli/claims/claims_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/test_claims.XXXXXX";

static const char *write_file(const char *name, const char *text)
{
    static char path[4][256];
    static size_t n;
    char *const to = path[n++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", folder, name);
    FILE *const out = fopen(to, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    return to;
}

static ws_claims *open_claims(const char *text)
{
    static const char frame[] = "# labels: 2\nw,run,x\nA,1,2\nA,2,3\nB,1,5\nB,2,NA\n";
    ws_claims *claims = NULL;
    const ws_claims_path path = {"", write_file("frame.csv", frame)};
    if (ws_claims_open(write_file("study.ini", text), &path, 1, &claims))
        fail_msg("%s", ws_message());
    return claims;
}

/* Of a claim with these values, rule and direction. */
static ws_claim_verdict judge(const char *of, double theirs, double ours, const char *rest, ws_claim_verdict *best)
{
    char text[400];
    snprintf(text, sizeof text,
             "[claim a]\nclaim = a\nof = %s\nvalue.theirs = %.17g\nvalue.ours = %.17g\ndirection = 1 < 2\n%s\n", of,
             theirs, ours, rest);
    ws_claims *const claims = open_claims(text);
    size_t n;
    if (ws_claims_judge(claims)) {
        ws_claims_destroy(claims);
        return WS_CLAIM_UNJUDGED;
    }
    const ws_claim *const c = ws_claims_list(claims, &n);
    assert_int_equal(n, 1);
    assert_true(c->theirs_value == theirs && c->ours_value == ours);
    const ws_claim_verdict verdict = c->verdict;
    *best = c->best;
    ws_claims_destroy(claims);
    return verdict;
}

static void sizes_are_within_two(void **state)
{
    (void)state;
    static const struct {
        const char *of;
        double theirs, ours;
        const char *rest;
        ws_claim_verdict verdict;
    } cases[] = {
        {"ratio", 1.4, 1.2, "", WS_CLAIM_SIZE}, /* changes of 0.4 and 0.2 */
        {"ratio", 1.4, 1.19, "", WS_CLAIM_DIRECTION},
        {"ratio", 1.4, 1.8, "", WS_CLAIM_SIZE},
        {"ratio", 1.4, 1.81, "", WS_CLAIM_DIRECTION},
        {"ratio", 0.6, 0.8, "", WS_CLAIM_SIZE},
        {"ratio", 0.6, 0.81, "", WS_CLAIM_DIRECTION},
        {"ratio", 1.4, 0.9, "", WS_CLAIM_UNJUDGED}, /* a yes that is a loss */
        {"ratio", 0.6, 1, "", WS_CLAIM_UNJUDGED},
        {"ratio", 1, 1.1, "", WS_CLAIM_UNJUDGED}, /* nothing is within twice 0 */
        {"ratio", 1, 1.1, "size = 1 < 2", WS_CLAIM_SIZE},
        {"ratio", 1, 0.9, "size = none", WS_CLAIM_DIRECTION},
        {"difference", -20, -10, "", WS_CLAIM_SIZE},
        {"difference", -20, -41, "", WS_CLAIM_DIRECTION},
        {"difference", -20, 10, "", WS_CLAIM_UNJUDGED},
        {"share", 0.5, 0.25, "", WS_CLAIM_SIZE},
        {"share", 0.5, 0.24, "", WS_CLAIM_DIRECTION},
        {"share", 0.5, 0.24, "size = within 3", WS_CLAIM_SIZE},
        {"share", 0.95, 0.8, "size = within 1.1", WS_CLAIM_DIRECTION},
        {"count", 8, 16, "", WS_CLAIM_SIZE},
        {"count", 8, 17, "", WS_CLAIM_DIRECTION},
        {"count", 8, -8, "", WS_CLAIM_DIRECTION},
        {"count", 8, 8, "size = 1 > 2", WS_CLAIM_DIRECTION},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_claim_verdict best = WS_CLAIM_UNJUDGED;
        const ws_claim_verdict verdict = judge(cases[i].of, cases[i].theirs, cases[i].ours, cases[i].rest, &best);
        if (verdict != cases[i].verdict)
            fail_msg("%s %g %g %s: %s, not %s (%s)", cases[i].of, cases[i].theirs, cases[i].ours, cases[i].rest,
                     ws_claim_verdict_words[verdict], ws_claim_verdict_words[cases[i].verdict], ws_message());
        if (verdict != WS_CLAIM_UNJUDGED)
            assert_int_equal(best, strcmp(cases[i].rest, "size = none") ? WS_CLAIM_SIZE : WS_CLAIM_DIRECTION);
    }
}

/* A frame may lack a label or a value that a claim needs; what is wrong in the file fails all the same. */
static void parts_are_judged_as_far_as_they_go(void **state)
{
    (void)state;
    static const struct {
        const char *ours, *direction, *verdict; /* NULL: WS_EINPUT */
    } cases[] = {
        {"{x[w=A, run=1]}", "x[w=A, run=1] > 1", "direction"},
        {"{x[w=A, run=1]}", "x[w=A, run=1] > 5", "no"},
        {"{x[w=B, run=2]}", "1 < 2", "not here"},
        {"1", "x[w=B, run=2] > 1", "not here"},
        {"1", "x[w=C, run=1] > 1", "not here"},
        {"1", "all(x[w in A C] > 1)", "not here"},
        {"1", "any(x[x > 9] > 1)", "not here"},
        {"{if(x[w=B, run=2] > 1, 'a', 'b')}", "1 < 2", "not here"},
        {"1", "y > 1", NULL},
        {"1", "x[v=A] > 1", NULL},
        {"1", "x > 1", NULL},
        {"{mean(x) over}", "1 < 2", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        size_t n;
        snprintf(text, sizeof text, "[claim a]\nclaim = a\ntheirs = b\nours = %s\ndirection = %s\nwhy = c\n",
                 cases[i].ours, cases[i].direction);
        ws_claims *const claims = open_claims(text);
        const int status = ws_claims_judge_part(claims);
        if (status != (cases[i].verdict ? WS_OK : WS_EINPUT))
            fail_msg("%s %s: %d, %s", cases[i].ours, cases[i].direction, status, ws_message());
        const ws_claim *const c = ws_claims_list(claims, &n);
        if (!status) {
            assert_string_equal(ws_claim_verdict_text(c), cases[i].verdict);
            assert_string_equal(c->theirs, "b");
            const bool is_here = strcmp(cases[i].verdict, "not here") != 0;
            assert_string_equal(c->why, is_here ? "c" : "");
            assert_int_equal(!strcmp(c->ours, "–"), !is_here);
            assert_int_equal(ws_claims_judge(claims), is_here ? WS_OK : WS_ENUMERIC);
        }
        ws_claims_destroy(claims);
    }
}

static void reasons_are_needed(void **state)
{
    (void)state;
    static const struct {
        const char *rest;
        size_t wrong;
    } cases[] = {
        {"direction = 1 < 2", 0},
        {"direction = 1 < 2\nwhy = x", 1},
        {"direction = 1 > 2", 1},
        {"direction = 1 > 2\nwhy = x", 0},
        {"direction = 1 < 2\nsize = 1 > 2", 1},
        {"direction = 1 < 2\nsize = 1 > 2\nwhy = x", 0},
        {"unjudged = by construction", 0},
        {"unjudged = by construction\nwhy = x", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200], *said = NULL;
        size_t length;
        snprintf(text, sizeof text, "[claim a]\nclaim = a\n%s\n", cases[i].rest);
        ws_claims *const claims = open_claims(text);
        assert_int_equal(ws_claims_judge(claims), WS_OK);
        FILE *const out = open_memstream(&said, &length);
        assert_int_equal(ws_claims_show_reasons(claims, out), cases[i].wrong);
        fclose(out);
        assert_int_equal(length > 0, cases[i].wrong);
        free(said);
        ws_claims_destroy(claims);
    }
}

static void values_have_places(void **state)
{
    (void)state;
    static const char text[] = "# first\n"
                               "[claim a b]\n"
                               "ours = one ; two # three\n"
                               "\n"
                               "    # not of the value\n"
                               "  | four |\n"
                               "\tfive = 5\n"
                               "f(x, y)=1\n";
    ws_claims_file file;
    assert_int_equal(ws_claims_file_parse("f.ini", text, strlen(text), &file), WS_OK);
    assert_int_equal(file.sections, 1);
    const ws_claims_section *const s = file.section;
    assert_string_equal(s->kind, "claim");
    assert_string_equal(s->name, "a b");
    assert_int_equal(s->entries, 2);
    assert_string_equal(s->entry[0].value, "one ; two # three\n\n\n  | four |\n\tfive = 5");
    assert_int_equal(s->entry[0].place.line, 3);
    assert_int_equal(s->entry[0].place.column, 8);
    assert_string_equal(s->entry[1].key, "f(x, y)");
    ws_claims_entry part[4];
    size_t n;
    assert_int_equal(ws_claims_split(&file, &s->entry[0], 4, part, &n), WS_OK);
    assert_int_equal(n, 3);
    assert_string_equal(part[1].value, "four");
    assert_int_equal(part[1].place.line, 6);
    assert_int_equal(part[1].place.column, 5);
    assert_string_equal(part[2].value, "five = 5");
    assert_int_equal(part[2].place.line, 7);
    assert_int_equal(part[2].place.column, 2);
    assert_int_equal(ws_claims_split(&file, &s->entry[0], 2, part, &n), WS_EINPUT);
    ws_claims_file_fini(&file);
}

static void put(ws_claims_page *page, const char *name, const char *text, bool wanted)
{
    bool was_there;
    assert_int_equal(ws_claims_page_put(page, name, text, strlen(text), &was_there), WS_OK);
    assert_int_equal(was_there, wanted);
}

static void marks_hold_tables(void **state)
{
    (void)state;
    static const char text[] = "<!-- a b: begin, by a command -->\nold\n<!-- a b: end -->\n"
                               "<!-- a: begin -->\n<!-- a: end -->\nlast <!-- c: begin -->";
    ws_claims_page page;
    assert_int_equal(ws_claims_page_read(write_file("page.md", text), &page), WS_OK);
    put(&page, "b", "no\n", false);
    put(&page, "c", "no\n", false);
    put(&page, "a b", "old\n", true);
    assert_false(page.is_changed);
    put(&page, "a b", "| new |\n", true);
    put(&page, "a", "", true);
    put(&page, "a", "x\n", true);
    assert_true(page.is_changed);
    assert_string_equal(page.text, "<!-- a b: begin, by a command -->\n| new |\n<!-- a b: end -->\n"
                                   "<!-- a: begin -->\nx\n<!-- a: end -->\nlast <!-- c: begin -->");
    assert_int_equal(page.length, strlen(page.text));
    bool was_there;
    assert_int_equal(ws_claims_page_has(&page, "a b", "head\nrule\n| new |\n", &was_there), WS_OK);
    assert_true(was_there);
    assert_int_equal(ws_claims_page_has(&page, "b", "head\nrule\n| new |\n", &was_there), WS_OK);
    assert_false(was_there);
    assert_int_equal(ws_claims_page_has(&page, "a", "head\nrule\n| new |\n", &was_there), WS_EINPUT); /* of a b */
    assert_int_equal(ws_claims_page_has(&page, "a b", "head\nrule\n| new\n", &was_there), WS_EINPUT);
    assert_int_equal(ws_claims_page_has(&page, "a b", "head\nrule\n", &was_there), WS_EINPUT);
    ws_claims_page_fini(&page);
}

static void verdicts_are_counted(void **state)
{
    (void)state;
    static const char text[] = "<!-- p q claims: begin -->\n| | claim | verdict | why |\n| --- | --- | --- | --- |\n"
                               "| 1 | a \\| size | size | |\n| 2 | b | direction | x |\n| 3 | c | no | y |\n"
                               "| 4 | d | by construction | |\n| 5 | e | size |  |\n<!-- p q claims: end -->\n"
                               "<!-- r claims: begin -->\n| verdict |\n| --- |\n<!-- r claims: end -->";
    ws_claims_page page;
    ws_frame *counts;
    assert_int_equal(ws_claims_page_read(write_file("page.md", text), &page), WS_OK);
    assert_int_equal(ws_claims_counts_begin(&counts), WS_OK);
    assert_int_equal(ws_claims_page_count(&page, counts), WS_OK);
    assert_int_equal(counts->rows, 2);
    assert_string_equal(counts->label[0], "p q");
    const double wanted[] = {5, 2, 1, 1, 1, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_true(counts->value[i] == wanted[i]);
    ws_frame_destroy(counts);
    ws_claims_page_fini(&page);
}

static void figures_have_frames(void **state)
{
    (void)state;
    ws_claims *const claims =
        open_claims("[names w]\nA = first\n"
                    "[figure f]\nkind = bars\nrows = w | run\nunit = s\nwhere = run != '3'\n"
                    "column = x | x[present(x)] | m | g\ncolumn = y | number(run)\n"
                    "[figure g]\nkind = curves\nrows = run\nlabels = none\n"
                    "column = run | number(run)\ncolumn = x | x[w=A]\n"
                    "[figure h]\nkind = bars\nrows = w[w != 'B']\ncolumn = x | sum(x[run=1])\n"
                    "row = all | max(x[run=1])\n"
                    "[figure i]\nkind = curves\nrows = w | run\nlabels = w\ndigits = 2\ncolumn = x | 2 / 3\n");
    ws_frame *frame;
    assert_int_equal(ws_claims_figure_frame(claims, "f", &frame), WS_OK);
    assert_int_equal(frame->rows, 4);
    assert_string_equal(frame->label[0], "first");
    assert_string_equal(frame->label[6], "B");
    assert_true(frame->value[2] == 3 && isnan(frame->value[6]) && frame->value[7] == 2);
    assert_string_equal(frame->column[0].unit, "m");
    assert_string_equal(frame->column[0].group, "g");
    assert_string_equal(frame->column[1].unit, "s");
    ws_frame_destroy(frame);
    assert_int_equal(ws_claims_figure_frame(claims, "g", &frame), WS_OK);
    assert_string_equal(frame->label_names[0], "row");
    assert_string_equal(frame->label[1], "2");
    ws_frame_destroy(frame);
    assert_int_equal(ws_claims_figure_frame(claims, "h", &frame), WS_OK);
    assert_int_equal(frame->rows, 2);
    assert_true(frame->value[0] == 7 && frame->value[1] == 5);
    ws_frame_destroy(frame);
    assert_int_equal(ws_claims_figure_frame(claims, "i", &frame), WS_OK);
    assert_int_equal(frame->labels, 1);
    assert_string_equal(frame->label[3], "B");
    assert_true(frame->value[0] == 0.67);
    ws_frame_destroy(frame);
    assert_int_equal(ws_claims_figure_frame(claims, "j", &frame), WS_ENOTFOUND);
    ws_claims_destroy(claims);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"frame.csv", "study.ini", "page.md"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_within_two), cmocka_unit_test(parts_are_judged_as_far_as_they_go),
        cmocka_unit_test(reasons_are_needed),   cmocka_unit_test(values_have_places),
        cmocka_unit_test(marks_hold_tables),    cmocka_unit_test(verdicts_are_counted),
        cmocka_unit_test(figures_have_frames),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
