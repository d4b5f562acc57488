/* test_store_files.c - does the store notice that its descriptors are not its own any more, and leave alone what has
 * their numbers? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "metrics/store/store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DESCRIPTORS = 64 };

static char directory[64];

static const char *in_place(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static int make_place(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/warpscape-files-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_place(void **state)
{
    static const char *const names[] = {"r.db", "r.db-wal", "r.db-shm", "own"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_place(names[i]));
    return rmdir(directory);
}

/* SQLite knows an open file by its inode, and one that it could not close stays open to it: no other file may get that
 * inode in this process. */
static void keep_inode(const char *path)
{
    const int fd = open(path, O_CREAT | O_RDWR, 0600);
    assert_true(fcntl(fd, F_DUPFD, DESCRIPTORS) >= DESCRIPTORS);
    assert_int_equal(close(fd), 0);
}

static ws_store *watched(void)
{
    ws_store *store;
    int64_t run;
    keep_inode(in_place("r.db"));
    assert_int_equal(ws_store_open(in_place("r.db"), true, &store), WS_OK);
    assert_int_equal(ws_store_begin(store, &(ws_store_run){.workload = "w", .scale = ""}, &run), WS_OK);
    ws_store_watch_files(store);
    assert_int_equal(ws_store_check_files(store), WS_OK);
    return store;
}

static void test_own_file_is_no_loss(void **state)
{
    (void)state;
    ws_store *const store = watched();
    const int own = open(in_place("own"), O_CREAT | O_RDWR, 0600);
    close(own);
    assert_int_equal(ws_store_check_files(store), WS_OK);
    ws_store_close(store);
}

/* Whether a descriptor is of the results file, its log or its index. */
static bool is_of_store(int fd)
{
    static const char *const names[] = {"r.db", "r.db-wal", "r.db-shm"};
    struct stat a, b;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!fstat(fd, &a) && !stat(in_place(names[i]), &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
            return true;
    return false;
}

static void test_number_of_another_file(void **state)
{
    (void)state;
    ws_store *const store = watched();
    const int own = open(in_place("own"), O_CREAT | O_RDWR, 0600);
    bool taken[DESCRIPTORS] = {false};
    unsigned n = 0;
    for (int fd = 3; fd < DESCRIPTORS; fd++) {
        taken[fd] = fd != own && is_of_store(fd);
        n += taken[fd];
        if (taken[fd])
            assert_int_equal(dup2(own, fd), fd);
    }
    assert_in_range(n, 3, DESCRIPTORS);
    assert_int_equal(ws_store_check_files(store), WS_EIO);
    assert_non_null(strstr(ws_message(), "the program closed"));
    assert_int_equal(ws_store_check_files(store), WS_EIO);
    ws_store_close(store);
    for (int fd = 3; fd < DESCRIPTORS; fd++)
        assert_int_equal(taken[fd] && close(fd), 0); /* still open */
    assert_int_equal(lseek(own, 0, SEEK_END), 0);
    close(own);
}

static void test_closed_descriptor(void **state)
{
    (void)state;
    ws_store *const store = watched();
    for (int fd = 3; fd < DESCRIPTORS; fd++)
        if (is_of_store(fd)) {
            close(fd);
            break;
        }
    assert_int_equal(ws_store_check_files(store), WS_EIO);
    ws_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_own_file_is_no_loss, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_number_of_another_file, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_closed_descriptor, make_place, remove_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
