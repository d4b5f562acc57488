/* store_place.h - a results file in a folder of its own for each test, and what is put into it. */
#ifndef TESTS_STORE_PLACE_H
#define TESTS_STORE_PLACE_H

#include "metrics/store/store_internal.h"
#include "tests/unit/synthetic_events.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[64], file[128];

static inline int make_place(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/warpscape-store-XXXXXX");
    if (!mkdtemp(directory))
        return -1;
    snprintf(file, sizeof file, "%s/results.db", directory);
    return 0;
}

static inline int remove_place(void **state)
{
    (void)state;
    DIR *const dir = opendir(directory);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", directory, e->d_name);
        unlink(path);
    }
    closedir(dir);
    return rmdir(directory);
}

#define PLACED(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

static inline ws_store *open_store(void)
{
    ws_store *store;
    assert_int_equal(ws_store_open(file, true, &store), WS_OK);
    return store;
}

static inline void sql(const char *text)
{
    sqlite3 *db;
    char *message = NULL;
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    sqlite3_close(db);
}

/* A launch of one block, measured with this set; destroyed by the caller. */
static inline ws_collector *measure(synthetic *s, const char *set)
{
    ws_collector *collector;
    size_t sinks;
    ws_fanout *fanout;
    assert_int_equal(ws_collector_create(set, &collector), WS_OK);
    const ws_sink *const *const sink = ws_collector_sinks(collector, &sinks);
    assert_int_equal(ws_fanout_create(sink, sinks, &s->launch, &fanout), WS_OK);
    syn_deliver(s, fanout, 0, 1, 100);
    for (size_t i = 0; i < sinks; i++)
        assert_int_equal(ws_collector_collect(collector, &s->launch, i, ws_fanout_state(fanout, i)), WS_OK);
    ws_fanout_destroy(fanout);
    return collector;
}

static inline double cell(const ws_frame *frame, size_t row, const char *name)
{
    const long column = ws_frame_find_column(frame, name);
    assert_true(column >= 0);
    return frame->value[row * frame->columns + (size_t)column];
}

#endif
