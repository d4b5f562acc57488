/* plan_content.c - what files a command names, by content: programs, inputs, machines. */
#include "base/data_folder.h"
#include "base/input.h"
#include "base/program_path.h"
#include "record/plan/plan_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <uthash.h>
#include <xxhash.h>

enum { CHUNK = 1 << 18 };

/* What a word, or a part of one, means as the name of a file. */
typedef struct plan_content {
    UT_hash_handle hh;
    bool is_file;
    XXH128_hash_t hash;
    char word[]; /* with a letter before it: how it was looked for */
} plan_content;

static int hash_file(const char *path, XXH128_hash_t *out)
{
    static const ws_input input = {.what = "a file that a command names", .source = WS_INPUT_FILES};
    char *const chunk = malloc(CHUNK);
    XXH3_state_t *const state = XXH3_createState();
    FILE *in = NULL;
    int status = chunk && state ? ws_input_open_stream(path, &input, &in) : ws_fail(WS_EMEM, "%s: out of memory", path);
    if (!status) {
        XXH3_128bits_reset(state);
        for (size_t n; (n = fread(chunk, 1, CHUNK, in));)
            XXH3_128bits_update(state, chunk, n);
        if (ferror(in))
            status = ws_fail(WS_EIO, "%s: cannot be read", path);
        *out = XXH3_128bits_digest(state);
        fclose(in);
    }
    XXH3_freeState(state);
    free(chunk);
    return status;
}

static bool is_regular(const char *path)
{
    struct stat about;
    return !stat(path, &about) && S_ISREG(about.st_mode);
}

/* How words are looked for. */
typedef enum lookup { AT_PLAN = 'f', AT_MACHINES = 'm', AT_PATH = 'p' } lookup;

static bool find_in_path(const char *name, char path[PATH_MAX])
{
    char *const found = ws_program_path(name);
    const bool can_run = found && !access(found, X_OK) && snprintf(path, PATH_MAX, "%s", found) < PATH_MAX;
    free(found);
    return can_run;
}

/* Where machines are that are called by name; "" when there is no such folder. */
static const char *machines(const ws_plan *plan)
{
    struct ws_plan_memory *const m = plan->memory;
    char folder[PATH_MAX];
    if (!m->machines)
        m->machines = ws_data_folder(folder, sizeof folder) ? "" : ws_arena_strndup(m->arena, folder, strlen(folder));
    return m->machines ? m->machines : "";
}

static bool find_file(const ws_plan *plan, lookup place, const char *word, char path[PATH_MAX])
{
    switch (place) {
    case AT_PLAN:
        return snprintf(path, PATH_MAX, "%s%s%s", *word == '/' ? "" : plan->folder, *word == '/' ? "" : "/", word) <
                   PATH_MAX &&
               is_regular(path);
    case AT_MACHINES:
        return !strchr(word, '/') && *machines(plan) &&
               snprintf(path, PATH_MAX, "%s/configs/%s.ini", machines(plan), word) < PATH_MAX && is_regular(path);
    case AT_PATH:
        return find_in_path(word, path);
    }
    return false;
}

/* The same word stands in many commands: each is looked for once. */
static int look(const ws_plan *plan, lookup place, const char *word, const plan_content **out)
{
    char path[PATH_MAX], key[PATH_MAX + 2];
    plan_content *found;
    *out = NULL;
    if (snprintf(key, sizeof key, "%c%s", place, word) >= PATH_MAX)
        return WS_OK;
    HASH_FIND_STR(plan->memory->content, key, found);
    if (!found) {
        found = calloc(1, sizeof *found + strlen(key) + 1);
        if (!found)
            return plan_no_memory(plan);
        strcpy(found->word, key);
        found->is_file = find_file(plan, place, word, path);
        const int status = found->is_file ? hash_file(path, &found->hash) : WS_OK;
        if (status) {
            free(found);
            return status;
        }
        HASH_ADD_STR(plan->memory->content, word, found);
    }
    *out = found;
    return WS_OK;
}

/* Adds what is called `word` there, if anything is. */
static int add(const ws_plan *plan, lookup place, const char *word, XXH3_state_t *hash, bool *is_file)
{
    const plan_content *content;
    const int status = look(plan, place, word, &content);
    *is_file = !status && content && content->is_file;
    if (*is_file)
        XXH3_128bits_update(hash, &content->hash, sizeof content->hash);
    return status;
}

/* `run -- PROGRAM`: what is started has to be there. */
static int add_program(const ws_plan *plan, const ws_plan_block *block, char *const *words, size_t count,
                       XXH3_state_t *hash)
{
    size_t i = 0;
    bool found;
    while (i < count && strcmp(words[i], "--"))
        i++;
    if (i + 1 >= count)
        return plan_fail(plan, block->at, "`run' needs -- before the program, as in run --db {db} -- ./bfs {input}");
    const char *const program = words[i + 1];
    if (strchr(program, 1)) /* a file that another point makes */
        return WS_OK;
    const int status = add(plan, strchr(program, '/') ? AT_PLAN : AT_PATH, program, hash, &found);
    if (status || found)
        return status;
    return strchr(program, '/')
               ? plan_fail(plan, block->at, "there is no program %s (seen from %s)", program, plan->folder)
               : plan_fail(plan, block->at, "there is no program %s in PATH; ./%s is one beside the plan", program,
                           program);
}

int plan_content_add(const ws_plan *plan, const ws_plan_block *block, char *const *words, size_t count,
                     XXH3_state_t *hash)
{
    int status = WS_OK;
    bool found;
    for (size_t i = 0; !status && i < count; i++) {
        for (const char *part = words[i]; !status && part && *part;) {
            status = add(plan, AT_PLAN, part, hash, &found);
            if (!status && !found)
                status = add(plan, AT_MACHINES, part, hash, &found);
            part = strchr(part, '=');
            part = part ? part + 1 : NULL;
        }
    }
    return status || strcmp(words[0], "run") ? status : add_program(plan, block, words, count, hash);
}

void plan_content_destroy(plan_content *content)
{
    plan_content *one, *next;
    HASH_ITER(hh, content, one, next)
    {
        HASH_DEL(content, one);
        free(one);
    }
}
