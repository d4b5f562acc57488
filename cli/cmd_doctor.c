/* cmd_doctor.c - `warpscape doctor`: a check of the installation, with a remedy for each failure. */
#include "cli/cli.h"

#include "base/data_folder.h"
#include "base/memory.h"
#include "base/options/option_rows.h"
#include "base/program_path.h"
#include "base/text.h"
#include "base/thread.h"
#include "collect/simt/lanes.h"
#include "model/machine/machine.h"
#include "model/machine/machine_declared.h"
#include "plots/plot.h"
#include "record/start/run_find.h"
#include "record/start/suite.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum verdict {
    GOOD,   /* works */
    NOTE,   /* is missing, and few users need it */
    FAILED, /* is missing, and commands fail without it */
} verdict;

static const char *const verdict_words[] = {[GOOD] = "ok", [NOTE] = "note", [FAILED] = "FAILED"};

enum { TEXT_BYTES = 2 * PATH_MAX };

/* The result of a checkup, as shown. */
typedef struct finding {
    verdict verdict;
    char text[TEXT_BYTES];
} finding;

static const ws_option_row option_rows[] = {{0}};

static const ws_options options = {
    .rows = option_rows,
    .refuse = "unexpected argument '%s': the command takes none",
    .doc = "Checks an installation: the libraries that replace CUDA's, machine files, memory, temporary files, a CUDA "
           "program from its launch to its results, gnuplot, compilers. Each line says ok, note (few users need it) or "
           "FAILED, with a remedy.\vExample: warpscape doctor",
};

__attribute__((format(printf, 3, 4))) static void find(finding *f, verdict what, const char *format, ...)
{
    va_list arguments;
    f->verdict = what;
    va_start(arguments, format);
    vsnprintf(f->text, sizeof f->text, format, arguments);
    va_end(arguments);
}

/* ------------------------------------------------------------------------------------------------ checkups */

static void see_libraries(finding *f)
{
    char folder[PATH_MAX], name[PATH_MAX], driver[128], runtime[256], replacement[PATH_MAX + 32];
    int descriptor = -1;
    if (ws_program_libraries(folder, sizeof folder) || ws_program_loadable(folder, name, sizeof name, &descriptor)) {
        find(f, FAILED, "%s", ws_message());
        return;
    }
    if (descriptor >= 0)
        close(descriptor);
    snprintf(replacement, sizeof replacement, "%s/libwarpscape-preload.so", folder);
    if (!ws_program_versions(folder, "libcuda.so", driver, sizeof driver) ||
        !ws_program_versions(folder, "libcudart.so", runtime, sizeof runtime))
        find(f, FAILED, "%s: there is no libcudart.so; install again", folder);
    else if (access(replacement, R_OK))
        find(f, FAILED, "%s: %s; install again", replacement, strerror(errno));
    else
        find(f, GOOD, "%s: %s, %s", folder, driver, runtime);
}

static void see_machines(finding *f)
{
    char folder[PATH_MAX];
    ws_machine *machine = NULL;
    if (ws_data_folder(folder, sizeof folder) || ws_machine_read(folder, "gtsc", &machine))
        find(f, FAILED, "%s", ws_message());
    else
        find(f, GOOD, "%s", folder);
    ws_machine_destroy(machine);
}

/* A shortage shows in see_kernels: the engine states the limit that is sufficient. */
static void see_memory(finding *f)
{
    double taken;
    char left[32], space[32];
    ws_text_count(left, sizeof left, ws_memory_left(), "B");
    const double limit = ws_memory_address_space_left(&taken);
    if (isinf(limit)) {
        find(f, GOOD, "%s are free", left);
        return;
    }
    ws_text_count(space, sizeof space, limit, "B");
    find(f, NOTE, "%s are free, but 'ulimit -v' leaves %s of address space; a GPU's memory is reserved in it", left,
         space);
}

static void see_processors(finding *f)
{
    find(f, GOOD, "%u; kernels run as %s code", ws_processors(), ws_lanes_level());
}

static const char *scratch_folder(void)
{
    const char *const folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

static void see_scratch(finding *f)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/warpscape-XXXXXX", scratch_folder());
    const int descriptor = mkstemp(path);
    if (descriptor < 0) {
        find(f, FAILED, "no file can be made in %s: %s; TMPDIR names another folder", scratch_folder(),
             strerror(errno));
        return;
    }
    close(descriptor);
    unlink(path);
    find(f, GOOD, "%s", scratch_folder());
}

static void see_results(finding *f)
{
    if (!access(".", W_OK | X_OK))
        find(f, GOOD, "can be written");
    else
        find(f, NOTE, "cannot be written: %s; --db FILE names another place", strerror(errno));
}

/* The workload that executes the least. */
static const ws_suite_workload *smallest(void)
{
    size_t n;
    const ws_suite_workload *const all = ws_suite_workloads(&n), *least = all;
    for (size_t i = 0; i < n; i++)
        if (ws_suite_is_of(&all[i], WS_SUITE_USUAL) && all[i].million[0] < least->million[0])
            least = &all[i];
    return least;
}

static void see_kernels(finding *f)
{
    char folder[PATH_MAX], db[PATH_MAX + 16];
    bool wanted[WS_SUITE_MOST] = {false};
    size_t n;
    const ws_suite_workload *const workload = smallest();
    snprintf(folder, sizeof folder, "%s/warpscape-XXXXXX", scratch_folder());
    if (!mkdtemp(folder)) {
        find(f, FAILED, "no folder can be made in %s: %s", scratch_folder(), strerror(errno));
        return;
    }
    snprintf(db, sizeof db, "%s/doctor.db", folder);
    wanted[workload - ws_suite_workloads(&n)] = true;
    const ws_suite_request run = {.seed = 1, .set = "all", .db = db, .wanted = wanted, .lines = true, .quiet = true};
    if (ws_suite_run(&run))
        find(f, FAILED, "%s (%s): %s", workload->name, workload->abbr, ws_message());
    else
        find(f, GOOD, "%s ran, and its result is right", workload->name);
    unlink(db);
    rmdir(folder);
}

static void see_figures(finding *f)
{
    char *picture = NULL;
    size_t size;
    if (ws_plot_render("set terminal svg\nplot x\n", WS_PLOT_SVG, &picture, &size))
        find(f, FAILED, "%s", ws_message());
    else
        find(f, GOOD, "draws");
    free(picture);
}

static void see_toolkit(finding *f)
{
    static const char *const names[] = {"nvcc", "clang"};
    char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = ws_program_path(names[i]);
    if (found)
        find(f, GOOD, "%s", found);
    else
        find(f, NOTE, "neither nvcc nor clang is in PATH; only building CUDA programs needs one");
    free(found);
}

/* ------------------------------------------------------------------------------------------------ report */

typedef struct checkup {
    const char *title;
    void (*see)(finding *f);
} checkup;

static const checkup checkups[] = {
#define CHECKUP(name, title) {title, see_##name},
#include "cli/doctor.def"
#undef CHECKUP
};

WS_COMMAND(doctor)
{
    unsigned failed = 0;
    ws_options_parse(&options, argc, argv, NULL);
    ws_interrupts_catch();
    for (size_t i = 0; i < sizeof checkups / sizeof *checkups; i++) {
        finding f = {.verdict = FAILED};
        checkups[i].see(&f);
        if (ws_interrupted())
            return ws_fail(WS_EINTERRUPTED, "interrupted");
        failed += f.verdict == FAILED;
        printf("%-6s  %s: %s\n", verdict_words[f.verdict], checkups[i].title, f.text);
        fflush(stdout);
    }
    return failed ? ws_fail(WS_ENOTFOUND, "%u check%s failed", failed, failed == 1 ? "" : "s") : WS_OK;
}
