/* test_command.c - is every command found, and a misspelt one guessed? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void every_row_is_found_by_its_name(void **state)
{
    (void)state;
    size_t n;
    const ws_command *command = ws_commands(&n);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        assert_ptr_equal(ws_command_find(command[i].name), &command[i]);
        assert_non_null(command[i].run);
    }
    assert_null(ws_command_find(""));
    assert_null(ws_command_find("no such command"));
}

static void summaries_fit_the_list(void **state)
{
    (void)state;
    size_t n;
    const ws_command *command = ws_commands(&n);
    for (size_t i = 0; i < n; i++) {
        const size_t length = strlen(command[i].summary);
        assert_in_range(length, 10, 66);
        assert_true(islower((unsigned char)command[i].summary[0]));
        assert_true(command[i].summary[length - 1] != '.');
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(command[i].name, command[j].name);
    }
}

static void one_wrong_letter_is_guessed(void **state)
{
    (void)state;
    size_t n;
    const ws_command *command = ws_commands(&n);
    for (size_t i = 0; i < n; i++) {
        char name[40];
        snprintf(name, sizeof name, "%sx", command[i].name);
        assert_ptr_equal(ws_command_guess(name), &command[i]);
        snprintf(name, sizeof name, "%s", command[i].name);
        name[1] = '_';
        assert_ptr_equal(ws_command_guess(name), &command[i]);
    }
}

static void other_words_are_not_guessed(void **state)
{
    (void)state;
    assert_null(ws_command_guess("elephant"));
    assert_null(ws_command_guess(""));
    assert_null(ws_command_guess("a word that is much too long to be the name of a command"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_found_by_its_name),
        cmocka_unit_test(summaries_fit_the_list),
        cmocka_unit_test(one_wrong_letter_is_guessed),
        cmocka_unit_test(other_words_are_not_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
