/* test_kinds.c - the registry of kinds: rows that go together, options that do not collide, and a documentation that
 * names them. */
#include "base/status.h"
#include "model/machine/kinds.h"
#include "model/machine/machine_internal.h"
#include "tests/unit/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_rows(void **state)
{
    (void)state;
    const ws_kind *kind;
    for (size_t i = 0; (kind = ws_kind_at(i)); i++) {
        const ws_machine_option *const word = ws_machine_option_row(kind->row);
        assert_non_null(word->word);
        assert_string_equal(word->section, kind->section);
        assert_string_equal(word->option.name, kind->word);
        bool fallback = false;
        for (size_t k = 0; kind->name(k); k++) {
            assert_true(strlen(kind->name(k)) < WS_MACHINE_WORD);
            assert_true(!kind->summary || *kind->summary(kind->name(k)));
            fallback |= !strcmp(kind->name(k), word->word);
            for (size_t other = 0; other < k; other++)
                assert_string_not_equal(kind->name(other), kind->name(k));
        }
        assert_true(fallback);
    }
}

static void check_option(const ws_kind *kind, const char *row, const ws_option *o)
{
    const ws_machine_option *other;
    assert_true(*kind->list && *o->meaning);
    if (o->least > o->fallback || o->fallback > o->most)
        fail_msg("%s %s: %s", kind->word, row, o->name);
    for (size_t i = 0; (other = ws_machine_option_row(i)); i++)
        if (!strcmp(other->section, kind->list) && !strcmp(other->option.name, o->name))
            fail_msg("%s.%s is an option of the machine and of %s", kind->list, o->name, row);
}

/* An option of one row must not mean something else in another kind that is given in the same section. */
static void test_options(void **state)
{
    (void)state;
    const ws_kind *kind, *other;
    for (size_t i = 0; (kind = ws_kind_at(i)); i++)
        for (size_t k = 0; kind->options && kind->name(k); k++)
            for (const ws_option *o = kind->options(kind->name(k)); o && o->name; o++) {
                check_option(kind, kind->name(k), o);
                for (size_t j = 0; (other = ws_kind_at(j)); j++)
                    for (size_t n = 0; j != i && !strcmp(other->list, kind->list) && other->name(n); n++)
                        if (ws_kind_option(other, other->name(n), o->name))
                            fail_msg("%s.%s is an option of %s and of %s", kind->list, o->name, kind->name(k),
                                     other->name(n));
            }
}

/* Each row stands in the documentation as `name`. */
static void test_documentation(void **state)
{
    (void)state;
    char *const text = read_pages("docs/simulator*.md"), *const protocols = read_pages("docs/coherence.md");
    const ws_kind *kind;
    for (size_t i = 0; (kind = ws_kind_at(i)); i++)
        for (size_t k = 0; kind->summary && kind->name(k); k++) {
            char name[WS_MACHINE_WORD + 2];
            snprintf(name, sizeof name, "`%s`", kind->name(k));
            if (!strstr(text, name) && !strstr(protocols, name))
                fail_msg("docs/simulator*.md does not say what %s.%s = %s is", kind->section, kind->word,
                         kind->name(k));
        }
    free(text);
    free(protocols);
}

/* What is given to one component is found in its list, and goes when another takes its place. */
static void test_lists(void **state)
{
    (void)state;
    ws_machine *m;
    static const char text[] = "[sm]\nscheduler = two-level\n[scheduler]\nactive = 3\n";
    if (ws_machine_parse("data", "f", text, sizeof text - 1, &m))
        fail_msg("%s", ws_message());
    const ws_machine_options *list;
    const char *section;
    size_t given = 0;
    for (size_t i = 0; (list = ws_machine_given(m, i, &section)); i++)
        given += list->count * !strcmp(section, "scheduler");
    assert_int_equal(given, 1);
    assert_int_equal(ws_machine_set(m, "sm.scheduler", "lrr"), WS_OK);
    for (size_t i = 0; (list = ws_machine_given(m, i, &section)); i++)
        assert_int_equal(list->count, 0);
    ws_machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_documentation),
        cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
