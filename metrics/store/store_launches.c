/* store_launches.c - which launches does the file know of, and what is known of each without its metrics? */
#include "metrics/store/store_internal.h"

#include "base/status.h"

static int64_t number_or(sqlite3_stmt *row, int column, int64_t otherwise)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? otherwise : sqlite3_column_int64(row, column);
}

static void read_row(sqlite3_stmt *row, const char *workload, ws_store_row *out)
{
    *out = (ws_store_row){.workload = workload,
                          .kernel = ws_store_text(row, 0),
                          .title = ws_store_text(row, 1),
                          .sequence = sqlite3_column_int64(row, 2),
                          .process = number_or(row, 3, 0),
                          .registers = number_or(row, 10, -1),
                          .shared_bytes = number_or(row, 11, -1),
                          .dynamic_shared = number_or(row, 12, -1),
                          .local_bytes = number_or(row, 13, -1),
                          .h2d = number_or(row, 14, -1),
                          .d2h = number_or(row, 15, -1),
                          .d2d = number_or(row, 16, -1),
                          .filled = number_or(row, 17, -1),
                          .warp_instructions = sqlite3_column_int64(row, 18),
                          .thread_instructions = sqlite3_column_int64(row, 19),
                          .stratum = number_or(row, 20, -1),
                          .seconds = sqlite3_column_double(row, 21),
                          .weight = sqlite3_column_double(row, 22),
                          .measured = sqlite3_column_int(row, 23) != 0,
                          .parent = number_or(row, 24, -1)};
    for (int i = 0; i < 3; i++) {
        out->grid[i] = sqlite3_column_int64(row, 4 + i);
        out->block[i] = sqlite3_column_int64(row, 7 + i);
    }
}

static int see_run(const ws_store *store, sqlite3_stmt *run, int (*see)(void *, const ws_store_row *), void *user)
{
    sqlite3_stmt *row;
    bool more = true;
    int status =
        ws_store_prepare(store, &row,
                         "SELECT kernel, coalesce(title, kernel), sequence, process, grid_x, grid_y, grid_z, block_x,"
                         " block_y, block_z, registers, shared_bytes, dynamic_shared, local_bytes, h2d, d2h, d2d,"
                         " filled, warp_instructions, thread_instructions, stratum, seconds, weight, measured, parent"
                         " FROM launch WHERE run = ? ORDER BY sequence, id",
                         "i", (int64_t)sqlite3_column_int64(run, 0));
    while (status == WS_OK && (status = ws_store_step(store, row, &more)) == WS_OK && more) {
        ws_store_row out;
        read_row(row, ws_store_text(run, 1), &out);
        status = see(user, &out);
    }
    sqlite3_finalize(row);
    return status;
}

static int see_runs(const ws_store *store, int (*see)(void *, const ws_store_row *), void *user)
{
    sqlite3_stmt *run;
    bool more = true;
    int status = ws_store_prepare_runs(store, &run);
    while (status == WS_OK && (status = ws_store_next_shown(store, run, &more)) == WS_OK && more)
        status = see_run(store, run, see, user);
    sqlite3_finalize(run);
    return status;
}

int ws_store_launches(ws_store *store, int (*see)(void *user, const ws_store_row *row), void *user)
{
    const int status = ws_store_begin_reading(store);
    return status == WS_OK ? ws_store_end(store, see_runs(store, see, user)) : status;
}
