/* run_environment.c - variables of processes that use our libraries in place of the vendor's. */
#include "record/start/run_environment.h"

#include "base/note.h"
#include "base/status.h"
#include "collect/check/checker.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char folder_variable[] = "WARPSCAPE_LIBRARIES"; /* the folder that the variables name */

/* ------------------------------------------------------------------------------------------------ variables */

/* Adds a variable, or replaces it. Takes over `value`, NULL for none. */
static void take(ws_run_environment *e, const char *name, char *value)
{
    size_t i = 0;
    while (i < e->count && strcmp(e->variable[i].name, name) != 0)
        i++;
    if (i < e->count)
        free(e->variable[i].value);
    else
        e->count++;
    e->variable[i] = (ws_run_variable){.name = name, .value = value};
}

static int put(ws_run_environment *e, const char *name, const char *value)
{
    char *const copy = value ? strdup(value) : NULL;
    take(e, name, copy);
    return value && !copy ? ws_fail(WS_EMEM, "out of memory") : WS_OK;
}

static int put_flag(ws_run_environment *e, const char *name, bool wanted)
{
    return put(e, name, wanted ? "1" : NULL);
}

static int put_number(ws_run_environment *e, const char *name, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return put(e, name, text);
}

/* ------------------------------------------------------------------------------------------------ lists */

/* The folder itself or a file in it. */
static bool is_in(const char *entry, size_t length, const char *folder)
{
    const size_t n = folder ? strlen(folder) : 0;
    return n && length >= n && !memcmp(entry, folder, n) && (length == n || entry[n] == '/');
}

/* Adds a list: that of this process without entries in our folders, and `first`, NULL for none, in front. */
static int put_list(ws_run_environment *e, const char *name, const char *separators, const char *libraries,
                    const char *first)
{
    const char *const old = getenv(name), *const former = getenv(folder_variable);
    char *const list = malloc((old ? strlen(old) : 0) + (first ? strlen(first) : 0) + 2);
    if (!list)
        return ws_fail(WS_EMEM, "out of memory");
    char *end = first ? stpcpy(list, first) : list;
    bool any = first;
    *end = '\0';
    for (const char *at = old && *old ? old : NULL; at;) {
        const size_t length = strcspn(at, separators);
        if (!is_in(at, length, libraries) && !is_in(at, length, former)) {
            if (any)
                *end++ = ':';
            end = mempcpy(end, at, length);
            *end = '\0';
            any = true;
        }
        at = at[length] ? at + length + 1 : NULL;
    }
    if (*list) {
        take(e, name, list);
        return WS_OK;
    }
    free(list);
    return put(e, name, NULL);
}

/* Appends one of our libraries to a list of them, if it exists. A library with the address sanitizer can be loaded only
 * into programs that have it, which those on the way (shells) have not. */
static void preload(const char *libraries, const char *library, char *list, size_t size)
{
    const size_t used = strlen(list);
    char path[2 * PATH_MAX];
#ifdef __SANITIZE_ADDRESS__
    return;
#endif
    snprintf(path, sizeof path, "%s/%s", libraries, library);
    if (!access(path, R_OK))
        snprintf(list + used, size - used, "%s%s", used ? ":" : "", path);
}

/* The places where the loader finds libraries, ours first. An old run path in the program would come before that, so
 * what it needs is preloaded. The first is for programs that hold the CUDA runtime themselves. */
static int put_loader(ws_run_environment *e, const ws_run_places *places)
{
    const ws_elf_facts *const f = places->program;
    char list[3 * PATH_MAX] = "";
    preload(places->libraries, "libwarpscape-preload.so", list, sizeof list);
    if (f && f->has_rpath && *f->runtime)
        preload(places->libraries, f->runtime, list, sizeof list);
    if (f && f->has_rpath && f->needs_driver)
        preload(places->libraries, "libcuda.so.1", list, sizeof list);
    const int status = put_list(e, "LD_LIBRARY_PATH", ":;", places->libraries, places->libraries);
    return status ? status : put_list(e, "LD_PRELOAD", ": ", places->libraries, *list ? list : NULL);
}

/* Libraries of Python that search elsewhere for the driver: Numba. */
static int put_python(ws_run_environment *e, const char *libraries)
{
    char *driver = NULL;
    if (asprintf(&driver, "%s/libcuda.so.1", libraries) < 0)
        return ws_fail(WS_EMEM, "out of memory");
    take(e, "NUMBA_CUDA_DRIVER", driver);
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ all of it */

static int put_records(ws_run_environment *e, const ws_program_request *o, const ws_run_places *places)
{
    char sample[32];
    snprintf(sample, sizeof sample, "%.17g", o->sample);
    return put(e, "WARPSCAPE_DB", places->db) || put(e, "WARPSCAPE_BOARD", places->board) ||
           put(e, WS_NOTE_VARIABLE, places->notes) || put(e, "WARPSCAPE_WORKLOAD", places->workload) ||
           put(e, "WARPSCAPE_SCALE", NULL) || put(e, "WARPSCAPE_SET", places->db ? o->set : NULL) ||
           put(e, "WARPSCAPE_KERNELS", o->kernels) || put(e, "WARPSCAPE_LAUNCHES", places->launches) ||
           put(e, "WARPSCAPE_SAMPLE", o->sample > 0 ? sample : NULL) || put_flag(e, "WARPSCAPE_PROFILE", o->profile) ||
           put_flag(e, "WARPSCAPE_LINES", places->db && o->lines) || put(e, "WARPSCAPE_TRACE", NULL) ||
           put(e, "WARPSCAPE_TRACE_FOLDER", places->trace) || put_flag(e, "WARPSCAPE_TRACE_VALUES", o->values) ||
           put(e, "WARPSCAPE_PROGRESS", NULL) ||
           (places->run ? put_number(e, "WARPSCAPE_RUN", places->run) : put(e, "WARPSCAPE_RUN", NULL)) ||
           (places->run ? put_number(e, "WARPSCAPE_SEED", o->seed) : put(e, "WARPSCAPE_SEED", NULL));
}

static int put_engine(ws_run_environment *e, const ws_program_request *o)
{
    static const char memory[] = "WARPSCAPE_DEVICE_MEMORY";
    char checks[64];
    ws_checks_list(o->checks, checks, sizeof checks);
    return put(e, "WARPSCAPE_TURNS", ws_turns_words[o->turns]) || put(e, "WARPSCAPE_CHECK", *checks ? checks : NULL) ||
           put(e, "WARPSCAPE_BOUNDS", ws_bounds_words[o->bounds]) ||
           put(e, "WARPSCAPE_ALIGNMENT", o->alignment ? ws_alignment_words[o->alignment] : NULL) ||
           (o->workers ? put_number(e, "WARPSCAPE_WORKERS", o->workers) : put(e, "WARPSCAPE_WORKERS", NULL)) ||
           (o->device_memory ? put_number(e, memory, o->device_memory) : put(e, memory, getenv(memory)));
}

int ws_run_environment_make(const ws_program_request *request, const ws_run_places *places, ws_run_environment *out)
{
    *out = (ws_run_environment){0};
    const bool failed = put_loader(out, places) || put_python(out, places->libraries) ||
                        put(out, folder_variable, places->libraries) || put_records(out, request, places) ||
                        put_engine(out, request);
    return failed ? WS_EMEM : WS_OK;
}

int ws_run_environment_undo(const char *libraries, ws_run_environment *out)
{
    const ws_program_request request = {0};
    const ws_run_places places = {.libraries = libraries};
    int status = ws_run_environment_make(&request, &places, out);
    for (size_t i = 0; i < out->count; i++) {
        free(out->variable[i].value);
        out->variable[i].value = NULL;
    }
    if (!status)
        status = put_list(out, "LD_LIBRARY_PATH", ":;", libraries, NULL);
    return status ? status : put_list(out, "LD_PRELOAD", ": ", libraries, NULL);
}

int ws_run_environment_set(const ws_run_environment *environment)
{
    for (size_t i = 0; i < environment->count; i++) {
        const ws_run_variable *const v = &environment->variable[i];
        if (v->value ? setenv(v->name, v->value, 1) : unsetenv(v->name))
            return ws_fail(WS_EMEM, "out of memory");
    }
    return WS_OK;
}

void ws_run_environment_fini(ws_run_environment *environment)
{
    for (size_t i = 0; i < environment->count; i++)
        free(environment->variable[i].value);
    *environment = (ws_run_environment){0};
}
