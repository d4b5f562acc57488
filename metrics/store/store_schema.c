/* store_schema.c - tables, indices and views of a results file are those that this program makes.
 *
 * Anybody may have written the file. What a schema can run - triggers, checks, generated columns, indices over
 * expressions, virtual tables - is refused before a statement touches it; SQLite's own guards stand behind that.
 * Columns are not compared: they differ by version, and a query says what it misses. */
#include "metrics/store/store_internal.h"

#include "base/status.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

typedef struct known {
    const char *type, *name;
} known;

static const known ours[] = {
    {"table", "run"},         {"table", "launch"},
    {"table", "family"},      {"table", "counter"},
    {"table", "bound"},       {"table", "profile"},
    {"table", "listing"},     {"table", "source"},
    {"table", "kept_as"},     {"table", "kept_run"},
    {"table", "kept_metric"}, {"table", "kept_instructions"},
    {"index", "launch_run"},  {"index", "kept_instructions_run"},
    {"view", "about"},        {"view", "metrics"},
#define VIEW(name, body) {"view", #name}, {"view", "all_" #name},
#include "metrics/store/store_views.def"
#undef VIEW
#define KEPT(name, per, features) {"table", "kept_" #name}, {"index", "kept_" #name "_run"},
#include "metrics/store/store_kept.def"
#undef KEPT
};

static bool is_of_sqlite(const char *type, const char *name)
{
    return (!strcmp(type, "table") &&
            (!strcmp(name, "sqlite_sequence") || !strncmp(name, "sqlite_stat", strlen("sqlite_stat")))) ||
           (!strcmp(type, "index") && !strncmp(name, "sqlite_autoindex_", strlen("sqlite_autoindex_")));
}

static bool is_ours(const char *type, const char *name)
{
    bool found = is_of_sqlite(type, name);
    for (size_t i = 0; i < sizeof ours / sizeof *ours && !found; i++)
        found = !strcmp(ours[i].type, type) && !strcmp(ours[i].name, name);
    return found;
}

/* Words of SQL by which a table or index computes something. */
static bool computes(const char *word, size_t length)
{
    static const char *const words[] = {"CHECK", "GENERATED", "AS", "COLLATE", "WHERE", "VIRTUAL", "TRIGGER"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        found = found || (strlen(words[i]) == length && !strncasecmp(words[i], word, length));
    return found;
}

/* Letters, digits and underscores of ASCII. Thousands of names of columns are looked at whenever a file is opened. */
static size_t word_length(const char *sql)
{
    size_t n = 0;
    while ((unsigned)(sql[n] | 0x20) - 'a' < 26 || (unsigned)sql[n] - '0' < 10 || sql[n] == '_')
        n++;
    return n;
}

/* Whether the text that makes a table or index is of the few forms that ours have: names, some of them in double
 * quotes, types, whole numbers, lists. Parentheses are nested at most twice, in an index not at all: there is no place
 * for an expression. */
static bool is_plain(const char *sql, int deepest)
{
    int depth = 0;
    while (*sql) {
        const size_t word = word_length(sql);
        if (word && computes(sql, word))
            return false;
        if (word) {
            sql += word;
            continue;
        }
        if (*sql == '"') {
            sql = strchr(sql + 1, '"');
            if (!sql)
                return false;
        } else if (*sql == '(') {
            depth++;
        } else if (*sql == ')') {
            depth--;
        } else if (*sql != ',' && !isspace((unsigned char)*sql)) {
            return false;
        }
        if (depth < 0 || depth > deepest)
            return false;
        sql++;
    }
    return depth == 0;
}

/* Views are not looked into: none is ever used here. */
static bool is_harmless(const char *type, const char *name, const char *sql)
{
    static const char table[] = "CREATE TABLE ", index[] = "CREATE INDEX ";
    if (!strcmp(type, "view"))
        return true;
    if (!strcmp(type, "index") && is_of_sqlite(type, name))
        return !*sql; /* SQLite's own have no text */
    return !strcmp(type, "table") ? !strncmp(sql, table, strlen(table)) && is_plain(sql, 2)
                                  : !strncmp(sql, index, strlen(index)) && is_plain(sql, 1);
}

int ws_store_check_schema(const ws_store *store)
{
    sqlite3_stmt *row;
    bool more = true;
    int status = ws_store_prepare(store, &row, "SELECT type, name, sql FROM sqlite_master", "");
    while (status == WS_OK && (status = ws_store_step(store, row, &more)) == WS_OK && more) {
        const char *const type = ws_store_text(row, 0), *const name = ws_store_text(row, 1),
                          *const sql = ws_store_text(row, 2);
        if (!is_ours(type, name))
            status = ws_fail(WS_EINPUT,
                             "%s: has %s %s '%s', which no version of warpscape makes; remove it if you made it, else "
                             "do not trust the file",
                             store->path, *type == 'i' ? "an" : "a", type, name);
        else if (!is_harmless(type, name, sql))
            status = ws_fail(WS_EINPUT, "%s: %s '%s' is not as warpscape makes it: do not trust the file", store->path,
                             type, name);
    }
    sqlite3_finalize(row);
    return status;
}
