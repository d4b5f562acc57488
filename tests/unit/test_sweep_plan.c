/* Plans: which points come out of them, with which words and keys. */
#include "base/status.h"
#include "record/plan/sweep_plan.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static ws_plan *plan_of(const char *text)
{
    ws_plan *plan;
    if (ws_plan_parse("p.ini", text, strlen(text), &plan) || ws_plan_lay_out(plan))
        fail_msg("%s", ws_message());
    return plan;
}

/* The words of a point, with bars between. */
static const char *words_of(const ws_plan *plan, size_t point, const ws_plan_place *place, char text[1024])
{
    ws_arena *const arena = ws_arena_create();
    char **words;
    size_t count, used = 0;
    if (ws_plan_words(plan, point, place, arena, &words, &count))
        fail_msg("%s", ws_message());
    assert_null(words[count]);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, 1024 - used, "%s%s", i ? "|" : "", words[i]);
    ws_arena_destroy(arena);
    return text;
}

static void products(void **state)
{
    (void)state;
    char text[1024];
    ws_plan *const plan =
        plan_of("[plan]\ncommand = sim {run} --suite {w} --size n={T*5120+1-2}\n[axes]\nw = A B\nT = 2 16\n"
                "[axis run]\nrc = --set 'a b' \"c\\\"d\"\nplain\n[exclude]\n1 = run=r? T=16\n2 = w!=A T=2 run=plain");
    assert_int_equal(plan->points, 5);
    assert_float_equal(plan->cells, 8, 0);
    assert_int_equal(plan->stages, 1);
    assert_string_equal(words_of(plan, 0, NULL, text), "sim|--set|a b|c\"d|--suite|A|--size|n=10239");
    assert_string_equal(words_of(plan, 2, NULL, text), "sim|plain|--suite|A|--size|n=81919");
    ws_plan_point_name(plan, 4, text, sizeof text);
    assert_string_equal(text, "w=B T=16 run=plain");
    bool chosen[5] = {true, true, true, true, true};
    assert_int_equal(ws_plan_choose(plan, "--only", "w=B T=16", chosen), WS_OK);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(chosen[i], i == 4);
    for (size_t i = 0; i < plan->points; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(plan->point[i].key, plan->point[k].key);
    ws_plan_destroy(plan);
    ws_plan_destroy(NULL);
}

/* Words of axes name axes and labels; braces that are none. */
static void nested(void **state)
{
    (void)state;
    char text[1024];
    ws_plan *const plan = plan_of("[plan]\ncommand = model {run} {w.kind} {{{w}}}\n[axes]\nkb = 1 4\nw = A\n"
                                  "[labels w class kind]\nA = x  --odd   one \n[axis run]\nI = --bits {kb*1024}");
    assert_int_equal(plan->points, 2);
    assert_string_equal(words_of(plan, 1, NULL, text), "model|--bits|4096|--odd|one|{A}");
    assert_string_equal(plan->axis[0].value[0].further[0], "x");
    ws_plan_destroy(plan);
}

/* Points that need others come after them, and hold their keys. */
static void needs(void **state)
{
    (void)state;
    char text[1024], wanted[256];
    static const char both[] =
        "[points a]\ncommand = suite run --db {db} --trace {t} %s\nfiles = t\nw = A B\n"
        "[points b]\ncommand = sim {n} {a.t}/{w} {a.db} {power}\noutputs = power\nn = 1 2\nw = B\n";
    char first[512], second[512];
    snprintf(first, sizeof first, both, "{w}");
    snprintf(second, sizeof second, both, "--scale tiny {w}");
    ws_plan *const plan = plan_of(first), *const other = plan_of(second);
    assert_int_equal(plan->points, 4);
    assert_int_equal(plan->stages, 2);
    size_t needed[WS_PLAN_BLOCKS_MOST], count;
    ws_plan_needs(plan, 3, needed, &count);
    assert_int_equal(count, 1);
    assert_int_equal(needed[0], 1);
    ws_plan_needs(plan, 0, needed, &count);
    assert_int_equal(count, 0);
    snprintf(wanted, sizeof wanted, "sim|2|/f/points/%s/t/B|/f/points/%s/results.db|/f/own/power.csv",
             plan->point[1].key, plan->point[1].key);
    assert_string_equal(words_of(plan, 3, &(ws_plan_place){"/f", "/f/own", NULL}, text), wanted);
    assert_string_equal(ws_plan_label(plan, 0, 1), "NA");
    /* another input of what is needed is another key, also of what needs it */
    assert_string_not_equal(plan->point[3].key, other->point[3].key);
    ws_plan_destroy(plan);
    ws_plan_destroy(other);
}

/* Where what is needed is excluded, so is what needs it. */
static void excluded_needs(void **state)
{
    (void)state;
    ws_plan *const plan = plan_of("[points a]\ncommand = suite run --db {db} {w}\nw = A B\nexclude = w=A\n"
                                  "[points b]\ncommand = metrics --db {a.db}");
    assert_int_equal(plan->points, 2);
    assert_string_equal(ws_plan_label(plan, 1, 0), "B");
    ws_plan_destroy(plan);
}

/* A key is made of the words and of the content of files that they name. */
static void content(void **state)
{
    (void)state;
    char folder[] = "/tmp/planXXXXXX", path[64], input[64], key[WS_PLAN_KEY + 1];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/p.ini", folder);
    snprintf(input, sizeof input, "%s/input", folder);
    FILE *file = fopen(path, "w");
    fputs("[plan]\ncommand = sim --arguments=input x\n", file);
    fclose(file);
    for (int round = 0; round < 3; round++) {
        ws_plan *plan;
        file = fopen(input, "w");
        fputs(round == 1 ? "other" : "one", file);
        fclose(file);
        assert_int_equal(ws_plan_read(path, &plan), WS_OK);
        assert_int_equal(ws_plan_lay_out(plan), WS_OK);
        assert_string_equal(plan->name, "p");
        if (round)
            assert_int_equal(!strcmp(key, plan->point[0].key), round == 2);
        if (!round)
            strcpy(key, plan->point[0].key);
        ws_plan_destroy(plan);
    }
    unlink(input);
    unlink(path);
    rmdir(folder);
}

/* The plans of the project, each of which has points. */
static void shipped(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob("data/plans/*.ini", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        ws_plan *plan;
        if (ws_plan_read(found.gl_pathv[i], &plan) || ws_plan_lay_out(plan))
            fail_msg("%s", ws_message());
        assert_true(plan->points > 0);
        ws_plan_destroy(plan);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(nested),
                                       cmocka_unit_test(needs),    cmocka_unit_test(excluded_needs),
                                       cmocka_unit_test(content),  cmocka_unit_test(shipped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
