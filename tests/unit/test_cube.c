/* test_cube.c - expressions over labelled arrays: values worked by hand, and those of other programs.
 *
 * Numbers marked R are of R 4.2.2 (Debian r-base-core 4.2.2.20221110-2):
 *     x <- c(3.1, 2.2, 8.5, 2.2, 7.7, 1.0, 5.5); y <- c(10, 12, 11, 30, 18, 10, 25)
 *     Rscript -e 'c(mean(x), exp(mean(log(x))), median(x), sqrt(mean((x - mean(x))^2)), cor(x, y),
 *         cor(x, y, method = "spearman")); rank(y)'
 * Those marked xarray are of xarray 2023.1.0 (Debian python3-xarray 2023.01.0-1.1, Python 3.11.2):
 *     a = xr.DataArray([[1., 2.], [3., 4.], [5., 6.]], dims=('run', 'workload'),
 *         coords={'run': ['rc', 'I4', 'K4'], 'workload': ['BH', 'NW']})
 *     b = xr.DataArray([10., 20.], dims=('workload',), coords={'workload': ['NW', 'CCL']})
 *     c = xr.DataArray([100., 200.], dims=('scale',), coords={'scale': ['tiny', 'small']})
 *     (a * b + c).transpose('run', 'workload', 'scale')       with arithmetic_join outer, and inner
 *     a.sel(run=xr.DataArray(['K4', 'rc'], dims='workload', coords={'workload': ['BH', 'NW']})) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cube/cube_functions.h"
#include "base/cube/expression.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    ws_frame *frame[8];
    size_t frames;
    ws_scope *scope;
    ws_arena *arena;
} fixture;

static void add_frame(fixture *f, const char *name, const char *text)
{
    FILE *const in = fmemopen((char *)text, strlen(text), "r");
    assert_non_null(in);
    assert_int_equal(ws_frame_read(in, "test.csv", &f->frame[f->frames]), WS_OK);
    fclose(in);
    assert_int_equal(ws_scope_add_frame(f->scope, name, "test.csv", f->frame[f->frames++]), WS_OK);
}

static const char main_frame[] = "# labels: 3\n"
                                 "# labels of workload: class\n"
                                 "workload,class,run,cycles,bytes,noc.bytes\n"
                                 "BH,a,rc,100,10,1\n"
                                 "BH,a,I4,110,20,2\n"
                                 "BH,a,K4,130,30,3\n"
                                 "CCL,d,rc,200,10,4\n"
                                 "CCL,d,I4,190,NA,5\n"
                                 "NW,a,rc,50,5,6\n"
                                 "NW,a,I4,75,6,7\n"
                                 "NW,a,K4,55,0,8\n";

static int setup(void **state)
{
    fixture *const f = calloc(1, sizeof *f);
    f->scope = ws_scope_create();
    f->arena = ws_arena_create();
    add_frame(f, "", main_frame);
    add_frame(f, "a", "# labels: 2\nrun,workload,x\nrc,BH,1\nrc,NW,2\nI4,BH,3\nI4,NW,4\nK4,BH,5\nK4,NW,6\n");
    add_frame(f, "b", "# labels: 1\nworkload,x\nNW,10\nCCL,20\n");
    add_frame(f, "c", "# labels: 1\nscale,x\ntiny,100\nsmall,200\n");
    add_frame(f, "s", "# labels: 1\ncase,x,y\n1,3.1,10\n2,2.2,12\n3,8.5,11\n4,2.2,30\n5,7.7,18\n6,1.0,10\n7,5.5,25\n");
    add_frame(f, "t", "# labels: 1\nT,time\n1,40\n2,30\n4,20\n8,25\n");
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *const f = *state;
    ws_scope_destroy(f->scope);
    for (size_t i = 0; i < f->frames; i++)
        ws_frame_destroy(f->frame[i]);
    ws_arena_destroy(f->arena);
    free(f);
    return 0;
}

static const ws_place place = {"claims.ini", 7, 5};

static void define(fixture *f, const char *head, const char *text)
{
    if (ws_scope_define(f->scope, head, &place, text, &place))
        fail_msg("%s", ws_message());
}

static const ws_expression *parse(fixture *f, const char *text)
{
    const ws_expression *e;
    if (ws_expression_parse(f->arena, text, strlen(text), &place, &e))
        fail_msg("%s: %s", text, ws_message());
    return e;
}

static const ws_cube *evaluate(fixture *f, const char *text)
{
    const ws_cube *cube = NULL;
    if (ws_expression_evaluate(f->scope, parse(f, text), f->arena, &cube))
        fail_msg("%s: %s", text, ws_message());
    return cube;
}

static void expect_number(fixture *f, const char *text, double value)
{
    ws_cell cell;
    if (ws_expression_cell(f->scope, parse(f, text), f->arena, WS_CUBE_NUMBERS, &cell))
        fail_msg("%s: %s", text, ws_message());
    if (!(fabs(cell.number - value) <= 1e-13 * fmax(1, fabs(value))))
        fail_msg("%s is %.17g, not %.17g", text, cell.number, value);
}

static void expect_condition(fixture *f, const char *text, bool holds)
{
    ws_cell cell;
    if (ws_expression_cell(f->scope, parse(f, text), f->arena, WS_CUBE_CONDITIONS, &cell))
        fail_msg("%s: %s", text, ws_message());
    if ((cell.number != 0) != holds)
        fail_msg("%s is %s", text, holds ? "false" : "true");
}

/* What a template says. */
static void expect_text(fixture *f, const char *text, const char *wanted)
{
    const ws_template *t;
    const ws_filled_template *filled;
    const char *said = NULL;
    if (ws_template_parse(f->arena, text, &place, &t) || ws_template_evaluate(f->scope, t, f->arena, &filled) ||
        ws_template_write(filled, f->arena, NULL, 0, &said))
        fail_msg("%s: %s", text, ws_message());
    assert_string_equal(said, wanted);
}

/* The message ends so; it is of whatever step fails first. */
static void expect_failure(fixture *f, const char *text, const char *message)
{
    const ws_expression *e;
    ws_cell cell;
    int status = ws_expression_parse(f->arena, text, strlen(text), &place, &e);
    if (!status)
        status = ws_expression_cell(f->scope, e, f->arena, WS_CUBE_NUMBERS, &cell);
    assert_int_not_equal(status, WS_OK);
    if (!strstr(ws_message(), message))
        fail_msg("%s: %s\nexpected: %s", text, ws_message(), message);
}

static void computes_with_numbers(void **state)
{
    fixture *const f = *state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"2 ^ 3 ^ 2", 512},
        {"-2 ^ 2", -4},
        {"2 ^ -1", 0.5},
        {"7 - 4 - 2", 1},
        {"8 / 4 / 2", 1},
        {"1e3 + .5", 1000.5},
        {"if(1 < 2, 3, 1 / 0)", 3},
        {"if(1 > 2, 1 / 0, 4)", 4},
        {"1 / 0 else 5", 5},
        {"log(exp(2)) + sqrt(9) + abs(-1) + round(2.5) + floor(-0.5)", 8},
        {"least(1, 2) + most(1, 2)", 3},
        {"number('2.5') + 1", 3.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_number(f, cases[i].text, cases[i].value);
}

static void decides(void **state)
{
    fixture *const f = *state;
    static const struct {
        const char *text;
        bool holds;
    } cases[] = {
        {"1 < 2 < 3", true},
        {"1 < 3 < 2", false},
        {"3 > 2 >= 2 == 2", true},
        {"not 1 < 2 or 2 < 3", true},
        {"not (1 < 2 or 2 < 3)", false},
        {"1 > 2 and 1 / 0 > 1", false}, /* what decides alone */
        {"1 < 2 or 1 / 0 > 1", true},
        {"argmax(cycles[workload=BH]) == 'K4'", true},
        {"'a' != 'b' and has('dof', 'o')", true},
        {"all(cycles[run=rc] > 40) and any(cycles[run=rc] > 199) and not any(cycles[run=rc] > 200)", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_condition(f, cases[i].text, cases[i].holds);
    expect_failure(f, "count(cycles > 40)", "cycles has no value at workload=CCL, run=K4");
}

static void selects(void **state)
{
    fixture *const f = *state;
    expect_number(f, "cycles[workload=BH, run=I4]", 110);
    expect_number(f, "\"noc.bytes\"[run=rc, workload=CCL]", 4);
    expect_number(f, "noc.bytes[run=rc, workload=CCL]", 4);
    expect_number(f, "sum(cycles[run=rc, workload in BH NW])", 150);
    expect_number(f, "sum(cycles[run=rc, workload not in BH])", 250);
    expect_number(f, "sum(cycles[run=rc, class=a])", 150);
    expect_number(f, "sum(cycles[run=rc, class not in a])", 200);
    expect_number(f, "sum(cycles[run=rc][cycles[run=rc] > 60])", 300);
    expect_number(f, "size(cycles[present(cycles)])", 8);
    expect_number(f, "sum(cycles[run = (argmax(cycles[workload in BH NW] over run))])", 130 + 75);
    expect_number(f, "sum(t.time[T >= 4])", 45);
    expect_number(f, "min(t.T[t.time < 30])", 4);
    expect_failure(f, "cycles[run=I5, workload=BH]", "claims.ini:7:16: run has no label 'I5'; did you mean 'I4'?");
    expect_failure(f, "cycles[scale=tiny]", "cycles has no axis scale here; it has workload, run");
    expect_failure(f, "cycles[run=rc][run=I4]", "cycles has no axis run here; it has workload");
    expect_failure(f, "cycles[class=x, run=rc]", "no workload has class=x");
    expect_failure(f, "cycles[workload]", "expected AXIS = LABEL");
    expect_failure(f, "bytes[run=I4, workload=CCL]", "bytes has no value at workload=CCL, run=I4");
    expect_failure(f, "cycles[run=K4, workload=CCL]", "cycles has no value at workload=CCL, run=K4");
    expect_failure(f, "mean(cycles[run=K4])", "cycles has no value at workload=CCL, run=K4");
    expect_failure(f, "cycles", "expected one number, not values along workload");
}

static void reduces(void **state)
{
    fixture *const f = *state;
    expect_number(f, "mean(s.x)", 4.3142857142857141);           /* R */
    expect_number(f, "geomean(s.x)", 3.4135898794577959);        /* R */
    expect_number(f, "median(s.x)", 3.1);                        /* R */
    expect_number(f, "deviation(s.x)", 2.7199939975924168);      /* R */
    expect_number(f, "pearson(s.x, s.y)", 0.017853373529638956); /* R */
    expect_number(f, "spearman(s.x, s.y)", 0.14545454545454545); /* R */
    expect_text(f, "{rank(s.y)}", "1.5, 4, 3, 7, 5, 1.5, 6");    /* R */
    expect_text(f, "{sum(a.x over run)} {sum(a.x over workload)}", "9, 12 3, 7, 11");
    expect_text(f, "{argmin(t.time)} {argmax(t.time)} {argmax(a.x)}", "4 1 K4 NW");
    expect_text(f, "{ratios(t.time)}; {differences(t.time)}", "1.33333, 1.5, 0.8; -10, -10, 5");
    expect_number(f, "sum(s.x[s.x > 100])", 0);
    expect_number(f, "count(s.x > 3)", 4);
    expect_failure(f, "mean(s.x[s.x > 100])", "mean has no value");
    expect_failure(f, "spearman(s.x[s.x > 6], s.y)", "spearman has no value"); /* two pairs */
    expect_failure(f, "geomean(s.x - 3)", "geomean has no value");
    expect_failure(f, "count(s.x)", "expected a condition");
    expect_failure(f, "mean(s.x over run)", "over run: x has no such axis here");
}

static void expect_cells(const ws_cube *cube, const double *value, size_t n)
{
    assert_int_equal(cube->cells, n);
    for (size_t i = 0; i < n; i++)
        if (isnan(value[i]) ? !cube->cell[i].gap : cube->cell[i].gap || cube->cell[i].number != value[i])
            fail_msg("cell %zu differs from %g", i, value[i]);
}

static void aligns_as_xarray(void **state)
{
    fixture *const f = *state;
    const ws_cube *const outer = evaluate(f, "a.x * b.x + c.x");
    /* xarray has the labels of an outer join in alphabetical order, BH CCL NW; here in that of the operands. */
    assert_int_equal(outer->axes, 3);
    assert_string_equal(outer->axis[0].name, "run");
    assert_string_equal(outer->axis[1].name, "workload");
    assert_string_equal(outer->axis[1].label[2], "CCL");
    assert_string_equal(outer->axis[2].name, "scale");
    expect_cells(
        outer,
        (const double[]){NAN, NAN, 120, 220, NAN, NAN, NAN, NAN, 140, 240, NAN, NAN, NAN, NAN, 160, 260, NAN, NAN}, 18);
    const ws_cube *const inner = evaluate(f, "a.x * b.x[workload in NW] + c.x");
    assert_int_equal(inner->axis[1].labels, 1);
    expect_cells(inner, (const double[]){120, 220, 140, 240, 160, 260}, 6);
    define(f, "which", "if(a.workload == 'BH', 'K4', 'rc')");
    expect_cells(evaluate(f, "a.x[run = which]"), (const double[]){5, 2}, 2);
    define(f, "other", "if(a.run == 'rc', 'K4', 'rc')"); /* over the axis that it selects from */
    expect_cells(evaluate(f, "a.x[run = other]"), (const double[]){5, 1, 1, 6, 2, 2}, 6);
    define(f, "swapped", "if(a.workload == 'BH', 'NW', 'BH')");
    expect_cells(evaluate(f, "a.x[workload = swapped]"), (const double[]){2, 1, 4, 3, 6, 5}, 6);
    expect_failure(f, "sum(a.x[workload in BH] + b.x[workload in NW])", "these have no label of workload in common");
}

static void defines(void **state)
{
    fixture *const f = *state;
    define(f, "time", "cycles / cycles[run=rc]");
    define(f, "against(a, b)", "cycles[run=a] / cycles[run=b]");
    define(f, "signed(x)", "text(100 * (x - 1), '%+.1f %%')");
    assert_int_equal(ws_scope_add_set(f->scope, "two", "NW BH", &place), WS_OK);
    assert_int_equal(ws_scope_add_set(f->scope, "three", "two CCL", &place), WS_OK);
    assert_int_equal(ws_scope_add_set(f->scope, "digits", "4", &place), WS_OK);
    assert_int_equal(ws_scope_add_name(f->scope, "run", "I4", "Ideal", &place), WS_OK);
    expect_number(f, "mean(time[run=I4])", (1.1 + 0.95 + 1.5) / 3);
    expect_number(f, "mean(against('I4', 'rc'))", (1.1 + 0.95 + 1.5) / 3);
    expect_number(f, "mean(cycles[run = ('I' & digits)])", 125);
    expect_text(f, "{list(time[run=I4, workload in three]):signed}", "NW +50.0 %, BH +10.0 %, CCL -5.0 %");
    expect_text(f, "{{x}} {list(cycles[workload=BH]):%.0f}; {name(run)}; {join(two, '/')}",
                "{x}} rc 100, Ideal 110, K4 130; rc, Ideal, K4; NW/BH");
    expect_text(f, "{text(bytes[run=I4], '%.0f') else '-'}", "20, -, 6");
    expect_text(f, "{list(bytes[run=I4, present(bytes)]):%.0f %%}", "BH 20 %, NW 6 %");
    expect_text(f, "a text\n    that goes on", "a text that goes on");
    expect_text(f, "{list(cycles[cycles == max(cycles[present(cycles)])][present(cycles)]):%g}", "CCL rc 200");
    expect_text(f, "{names(cycles[run=I4, workload in BH NW])}; {names(time[time > 1.2, present(time)])}",
                "BH, NW; BH K4, NW Ideal");
    expect_text(f, "{list(cycles over run)[workload=BH]}", "rc 100, Ideal 110, K4 130");
    expect_text(f, "{join(cycles[workload=BH], '') & '.'}", "100110130.");
    /* No count where a row is, and no row. */
    define(f, "counted(x)", "if(present(cycles), x else 0, x)");
    expect_number(f, "counted(bytes)[workload=CCL, run=I4] + counted(bytes)[workload=CCL, run=rc]", 10);
    expect_failure(f, "sum(counted(bytes)[workload=CCL])", "bytes has no value at workload=CCL, run=K4");
    define(f, "loop", "loop + 1");
    define(f, "deep(x)", "deep(x) + 1");
    expect_failure(f, "loop", "loop is defined by itself");
    expect_failure(f, "deep(1)", "levels");
    expect_failure(f, "against('I4')", "against takes 2 arguments");
    expect_failure(f, "tim[run=I4]", "there is no column and no definition 'tim'; did you mean 'time'?");
    expect_failure(f, "maen(time)", "there is no function 'maen'; did you mean 'mean'?");
    assert_int_equal(ws_scope_define(f->scope, "cycles", &place, "1", &place), WS_EINPUT);
    assert_string_equal(ws_message(), "claims.ini:7:5: cycles is a column of the frame already; choose another name");
    assert_int_equal(ws_scope_define(f->scope, "mean", &place, "1", &place), WS_EINPUT);
    assert_int_equal(ws_scope_define(f->scope, "a b", &place, "1", &place), WS_EINPUT);
    assert_int_equal(ws_scope_define(f->scope, "over", &place, "1", &place), WS_EINPUT);
    assert_string_equal(ws_message(), "claims.ini:7:5: over is a word of expressions already; choose another name");
}

static void heads_name_arguments(void **state)
{
    fixture *const f = *state;
    define(f, "apart(a,b)", "10 * a + b");
    define(f, "wide ( a , b,c ) ", "100 * a + 10 * b + c");
    expect_number(f, "apart(1, 2) + wide(3, 4, 5)", 12 + 345);
    static const struct {
        const char *head, *message;
    } cases[] = {
        {"f(a,a)", "claims.ini:7:5: 'f(a,a)': two arguments are called a"},
        {"f()", "claims.ini:7:5: 'f()': expected NAME or NAME(A, B)"},
        {"f(", "claims.ini:7:5: 'f(': expected NAME or NAME(A, B)"},
        {"f)", "claims.ini:7:5: 'f)': expected NAME or NAME(A, B)"},
        {"f(a", "claims.ini:7:5: 'f(a': expected NAME or NAME(A, B)"},
        {"f(a,)", "claims.ini:7:5: 'f(a,)': expected NAME or NAME(A, B)"},
        {"f(,a)", "claims.ini:7:5: 'f(,a)': expected NAME or NAME(A, B)"},
        {"f(a b)", "claims.ini:7:5: 'f(a b)': expected NAME or NAME(A, B)"},
        {"f(a) b", "claims.ini:7:5: 'f(a) b': expected NAME or NAME(A, B)"},
        {"f(1)", "claims.ini:7:5: 'f(1)': expected NAME or NAME(A, B)"},
        {"f(over)", "claims.ini:7:5: 'f(over)': expected NAME or NAME(A, B)"},
        {"f(a, b, c, d, e, g, h)", "claims.ini:7:5: f: more than 6 arguments"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(ws_scope_define(f->scope, cases[i].head, &place, "1", &place), WS_EINPUT);
        assert_string_equal(ws_message(), cases[i].message);
    }
}

static void says_where_it_cannot_read(void **state)
{
    fixture *const f = *state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"1 +", "claims.ini:7:8: expected a number, a name, 'text' or ("},
        {"1 +\n  * 2", "claims.ini:8:3: expected a number"},
        {"(1", "claims.ini:7:7: expected )"},
        {"1 2", "claims.ini:7:7: expected an operator or the end, not '2'"},
        {"mean()", "claims.ini:7:10: expected a number"},
        {"mean(1, 2)", "claims.ini:7:5: expected mean(x over AXIS...)"},
        {"log(1 over x)", "claims.ini:7:5: expected log(x)"},
        {"mean(1 over)", "claims.ini:7:16: expected the name of an axis behind `over`"},
        {"'abc", "claims.ini:7:5: expected a second '"},
        {"cycles[run=]", "claims.ini:7:16: expected a label"},
        {"cycles[run=rc", "claims.ini:7:18: expected , or ]"},
        {"64H", "claims.ini:7:5: expected a number (a name that begins with a digit"},
        {"over", "claims.ini:7:5: expected a number, a name"},
        {"if(1, 2)", "claims.ini:7:5: expected if(condition, a, b)"},
        {"1 and 2", "claims.ini:7:7: expected a condition"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_failure(f, cases[i].text, cases[i].message);
}

/* `text` again and again, as deep as no stack is. */
static void is_not_followed_down(void **state)
{
    fixture *const f = *state;
    static const char *const texts[] = {"(", "-", "2^", "2^-", "not ", "mean(", "cycles[", "cycles[run=("};
    enum { TIMES = 1000000 };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const size_t n = strlen(texts[i]);
        char *const deep = malloc(TIMES * n + 1), *at = deep;
        assert_non_null(deep);
        for (size_t k = 0; k < TIMES; k++)
            at = stpcpy(at, texts[i]);
        expect_failure(f, deep, "more than 50 levels");
        free(deep);
    }
}

static void writes_by_formats(void **state)
{
    fixture *const f = *state;
    expect_text(f, "{2.5:%g} {2:%d} {-3:%+04d} {2 / 3:%6.2f|} {1e6:%.1e} {'a':<%s>} {12:%s %%}",
                "2.5 2 -003   0.67| 1.0e+06 <a> 12 %");
    expect_text(f, "{1:a text of more than sixty letters in front of a number that is 1, which is %g}",
                "a text of more than sixty letters in front of a number that is 1, which is 1");
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"text(1, '%n')", "claims.ini:7:5: '%n' is no format"},
        {"text(1, '%*d')", "claims.ini:7:5: '%*d' is no format"},
        {"text(1, '%ld')", "claims.ini:7:5: '%ld' is no format"},
        {"text(1, '%100f')", "claims.ini:7:5: '%100f' is no format"},
        {"text(1, '%.100f')", "claims.ini:7:5: '%.100f' is no format"},
        {"text(1, '%#x')", "claims.ini:7:5: '%#x' is no format"},
        {"text(1, 'one')", "claims.ini:7:5: 'one' is no format"},
        {"text('a', '%5s')", "claims.ini:7:5: '%5s' is no format"},
        {"text('a', '%.1s')", "claims.ini:7:5: '%.1s' is no format"},
        {"text(1, '%s%s')", "claims.ini:7:5: '%s%s' has two conversions"},
        {"text(1, '%.0f %')", "claims.ini:7:5: '%.0f %' has two conversions"},
        {"text('a', '%d')", "claims.ini:7:5: a text is text, and '%d' is for a number"},
        {"text(2.5, '%d')", "claims.ini:7:5: 2.5 is no whole number"},
        {"text(1e300, '%d')", "claims.ini:7:5: 1e+300 is no whole number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_failure(f, cases[i].text, cases[i].message);
}

/* Every function is called by some test with every number of arguments that it takes. */
static void lists_functions(void **state)
{
    (void)state;
    for (size_t i = 0; ws_cube_function_at(i); i++) {
        const ws_cube_function *const function = ws_cube_function_at(i);
        assert_ptr_equal(ws_cube_function_find(function->name), function);
        assert_true(function->least <= function->most && function->most <= WS_CUBE_ARGUMENTS_MOST);
    }
    assert_null(ws_cube_function_find("nothing"));
}

static void refuses_frames(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"# labels: 1\nrun,x\na,1\na,2\n", "test.csv: rows 1 and 2 have the same labels (a)"},
        {"# labels: 2\n# labels of run: kind\nrun,kind,x\na,p,1\na,q,2\n", "test.csv: rows 1 and 2 have the same"},
        {"# labels: 3\n# labels of run: kind\nrun,kind,w,x\na,p,1,1\na,q,2,2\n",
         "test.csv: run=a is both kind=p and q"},
        {"# labels: 2\n# labels of nothing: kind\nrun,kind,x\na,p,1\n", "labels of nothing: there is no such axis"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_scope *const scope = ws_scope_create();
        ws_frame *frame;
        FILE *const in = fmemopen((char *)cases[i].text, strlen(cases[i].text), "r");
        assert_int_equal(ws_frame_read(in, "test.csv", &frame), WS_OK);
        fclose(in);
        assert_int_equal(ws_scope_add_frame(scope, "", "test.csv", frame), WS_EINPUT);
        if (!strstr(ws_message(), cases[i].message))
            fail_msg("%s\nexpected: %s", ws_message(), cases[i].message);
        ws_scope_destroy(scope);
        ws_frame_destroy(frame);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(computes_with_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(decides, setup, teardown),
        cmocka_unit_test_setup_teardown(selects, setup, teardown),
        cmocka_unit_test_setup_teardown(reduces, setup, teardown),
        cmocka_unit_test_setup_teardown(aligns_as_xarray, setup, teardown),
        cmocka_unit_test_setup_teardown(defines, setup, teardown),
        cmocka_unit_test_setup_teardown(heads_name_arguments, setup, teardown),
        cmocka_unit_test_setup_teardown(says_where_it_cannot_read, setup, teardown),
        cmocka_unit_test_setup_teardown(is_not_followed_down, setup, teardown),
        cmocka_unit_test_setup_teardown(writes_by_formats, setup, teardown),
        cmocka_unit_test(lists_functions),
        cmocka_unit_test(refuses_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
