/* test_mechanisms.c - the table of mechanisms: what each row has, and pages that name it. */
#include "model/mechanism/mechanism.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < WS_MECHANISMS; i++) {
        const ws_mechanism_row *const row = &ws_mechanism_rows[i];
        const ws_mechanism *const m = row->is;
        assert_true(*row->summary && *m->options->doc);
        assert_non_null(m->options->rows);
        assert_true(m->traces == WS_NO_TRACES || (size_t)m->traces + sizeof(ws_traces_asked) <= m->asked_bytes);
        assert_true(m->model.trace || m->model.finish);
        assert_true(!m->model.trace || m->traces != WS_NO_TRACES);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(ws_mechanism_rows[k].name, row->name);
        if (!m->subject)
            continue;
        assert_true(*m->subject->what && *m->subject->machine && m->subject->verifier.labels[0]);
        for (size_t k = 0; k < i; k++)
            if (ws_mechanism_rows[k].is->subject)
                assert_string_not_equal(ws_mechanism_rows[k].is->subject->name, m->subject->name);
    }
    assert_non_null(ws_mechanism_rows[0].is->subject); /* the default of `verify' */
}

static void test_quantities(void **state)
{
    (void)state;
    size_t times = 0, energies = 0;
    for (size_t i = 0; i < ws_quantities_count(); i++) {
        const ws_quantity *const q = ws_quantity_at(i);
        times += q->role == WS_QUANTITY_IS_TIME;
        energies += q->role == WS_QUANTITY_IS_ENERGY;
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(ws_quantity_at(k)->name, q->name);
    }
    assert_int_equal(times, 1);
    assert_int_equal(energies, 1);
    assert_string_equal(ws_quantity_at(ws_quantity_of(WS_QUANTITY_IS_TIME))->unit, "s");
    assert_string_equal(ws_quantity_at(ws_quantity_of(WS_QUANTITY_IS_ENERGY))->unit, "J");
}

static char *read_page(const char *path)
{
    FILE *const in = fopen(path, "r");
    assert_non_null(in);
    size_t size = 0;
    char *page = NULL;
    assert_true(getdelim(&page, &size, '\0', in) > 0);
    fclose(in);
    return page;
}

/* format: with a %s for the name, in capitals where `capitals`. */
static void check_page(const char *page, const char *path, const char *format, const char *name, bool capitals)
{
    char word[64], text[128];
    snprintf(word, sizeof word, "%s", name);
    for (char *c = word; capitals && *c; c++)
        *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    const int before = (int)strcspn(format, "%");
    snprintf(text, sizeof text, "%.*s%s%s", before, format, word, format + before + 2);
    if (!strstr(page, text))
        fail_msg("%s does not list %s: there is no \"%s\"", path, name, text);
}

/* Pages list all mechanisms, and what `whatif` and `explore` say by them. */
static void test_pages(void **state)
{
    static const struct {
        const char *path, *format;
        bool capitals, of_subject;
    } lists[] = {
        {"docs/commands.md", "\n| `model %s` |", false, false},
        {"man/warpscape-model.1", "\n.B warpscape model %s\n", false, false},
        {"man/warpscape-model.1", "\n.SS %s\n", false, false},
        {"man/warpscape-model.1", "\n.SH OPTIONS OF %s\n", true, false},
        {"man/warpscape-verify.1", "\\-\\-%s", false, true},
    };
    static const char *const pages[] = {"man/warpscape-whatif.1", "man/warpscape-explore.1"};
    (void)state;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        char *const page = read_page(lists[k].path);
        for (size_t i = 0; i < WS_MECHANISMS; i++) {
            const ws_subject *const subject = ws_mechanism_rows[i].is->subject;
            if (!lists[k].of_subject || subject)
                check_page(page, lists[k].path, lists[k].format,
                           lists[k].of_subject ? subject->name : ws_mechanism_rows[i].name, lists[k].capitals);
        }
        free(page);
    }
    for (size_t k = 0; k < sizeof pages / sizeof *pages; k++) {
        char *const page = read_page(pages[k]);
        for (size_t i = 0; i < ws_quantities_count(); i++)
            check_page(page, pages[k], "%s", ws_quantity_at(i)->name, false);
        free(page);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_quantities),
        cmocka_unit_test(test_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
