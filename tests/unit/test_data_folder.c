/* Where the program looks for configurations and memory parts. */
#include "base/status.h"
#include "base/data_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void make_folders(const char *root, const char *const *names, size_t count)
{
    char path[256];
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", root, names[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
}

static void remove_folders(const char *root, const char *const *names, size_t count)
{
    char path[256];
    while (count-- > 0) {
        snprintf(path, sizeof path, "%s/%s", root, names[count]);
        assert_int_equal(rmdir(path), 0);
    }
    assert_int_equal(rmdir(root), 0);
}

static void places(void **state)
{
    (void)state;
    static const char *const names[] = {
        "bin", "share",    "share/warpscape", "share/warpscape/tech", "share/warpscape/configs",
        "own", "own/tech", "own/configs"};
    enum { NAMES = sizeof names / sizeof *names };
    char root[] = "/tmp/ws_data_XXXXXX", here[64], own[64], folder[256], expected[256];
    assert_non_null(mkdtemp(root));
    make_folders(root, names, NAMES);
    snprintf(here, sizeof here, "%s/bin", root);
    snprintf(own, sizeof own, "%s/own", root);
    assert_int_equal(ws_data_folder_of(here, NULL, folder, sizeof folder), WS_OK);
    snprintf(expected, sizeof expected, "%s/../share/warpscape", here);
    assert_string_equal(folder, expected);
    assert_int_equal(ws_data_folder_of(here, "", folder, sizeof folder), WS_OK);
    assert_string_equal(folder, expected);
    assert_int_equal(ws_data_folder_of(here, own, folder, sizeof folder), WS_OK);
    assert_string_equal(folder, own);
    /* What was asked for and is not there is not replaced by something else. */
    assert_int_equal(ws_data_folder_of(here, here, folder, sizeof folder), WS_ENOTFOUND);
    assert_non_null(strstr(ws_message(), "has no folders configs and tech"));
    remove_folders(root, names, NAMES);
}

static void this_tree(void **state)
{
    (void)state;
    char folder[4096];
    unsetenv("WARPSCAPE_DATA");
    if (ws_data_folder(folder, sizeof folder))
        fail_msg("%s", ws_message());
    strcat(folder, "/configs/gtsc.ini");
    assert_int_equal(access(folder, R_OK), 0);
    setenv("WARPSCAPE_DATA", "/nonexistent", 1);
    assert_int_equal(ws_data_folder(folder, sizeof folder), WS_ENOTFOUND);
    assert_string_equal(ws_message(), "WARPSCAPE_DATA = /nonexistent: has no folders configs and tech");
    unsetenv("WARPSCAPE_DATA");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(this_tree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
