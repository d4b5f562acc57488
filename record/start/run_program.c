/* run_program.c - starts a program with our libraries in front, keeps count of what it does, and says in a line what
 * came out.
 *
 * The program keeps this process's terminal, streams and signals: Ctrl-C is its own business, a signal that only this
 * process got is handed on to it, and whatever ends it,
 * its launches are in the results file, where it put them one by one; what it could no longer say stands on the
 * board. */
#include "record/start/run_program.h"

#include "base/clock.h"
#include "base/note.h"
#include "base/output.h"
#include "base/status.h"
#include "base/text.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/source_file.h"
#include "record/board.h"
#include "record/check_report.h"
#include "record/selection.h"
#include "record/start/run_environment.h"
#include "record/start/run_find.h"
#include "record/start/witness.h"
#include "metrics/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    NOTHING_MEASURED = 125, /* by a program that ended well */
    NOT_RUNNABLE = 126,     /* exit statuses as those of env(1) and sh(1) */
    NOT_FOUND = 127,
    BY_SIGNAL = 128,
    POLL_MS = 100,
    LONGEST_NAME = 80, /* of a kernel in a list */
    QUIET_SECONDS = 1  /* progress is shown from then on */
};

typedef struct runner {
    const ws_program_request *request;
    ws_program program;
    char libraries[PATH_MAX], db[PATH_MAX], trace[PATH_MAX], list[PATH_MAX]; /* list: of launches, "" for none */
    char loadable[PATH_MAX]; /* the folder of the libraries, as the loader takes it */
    int folder_fd;           /* that keeps it so; -1: none */
    char *name;
    ws_store *store;
    int64_t run;
    ws_board *board;
    int board_fd;
    int notes_fd;           /* what processes noted (base/note.h); -1: none */
    char machine_code[128]; /* libraries of machine code that they loaded, "cuBLAS, cuFFT"; "" */
    char checks[64];        /* the list of those that are wanted; "" */
    uint64_t findings[WS_CHECK_COUNTS];
    char missing[128];       /* the first version of a CUDA library that was to be opened and is not there; "" */
    bool machine_code_asked; /* kernels were asked for that are machine code only */
    ws_progress bar;
    struct timespec begin;
    int status;   /* as wait() gives it */
    int ended_by; /* the signal that ended our waiting for the program's processes; 0: none */
    ws_witness witness;
    ws_store_estimate estimate;
} runner;

/* ------------------------------------------------------------------------------------------------ environment */

static int put_environment(const runner *r)
{
    const ws_program_request *const o = r->request;
    char board[64], notes[64];
    ws_board_path(r->board_fd, board, sizeof board);
    ws_board_path(r->notes_fd, notes, sizeof notes);
    const ws_run_places places = {.libraries = r->loadable,
                                  .program = &r->program.facts,
                                  .db = r->db,
                                  .workload = r->name,
                                  .trace = o->trace ? r->trace : NULL,
                                  .launches = *r->list ? r->list : o->launches,
                                  .board = board,
                                  .notes = r->notes_fd >= 0 ? notes : NULL,
                                  .run = (uint64_t)r->run};
    ws_run_environment environment;
    int status = ws_run_environment_make(o, &places, &environment);
    if (!status)
        status = ws_run_environment_set(&environment);
    ws_run_environment_fini(&environment);
    ws_source_folder_of(r->program.path);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the program */

/* Signals that this process reads from a file meanwhile; Ctrl-C reaches the program by the terminal. */
static void signals_of_ours(sigset_t *set)
{
    static const int ours[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    sigemptyset(set);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        sigaddset(set, ours[i]);
}

/* Only calls that are safe after fork; `trouble` takes errno when the program cannot be started. */
static _Noreturn void become(const runner *r, const sigset_t *mask, pid_t parent, int trouble)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(NOT_RUNNABLE);
    ws_interrupts_restore();
    sigprocmask(SIG_SETMASK, mask, NULL);
    execv(r->program.path, r->request->argv);
    const int reason = errno;
    const ssize_t written = write(trouble, &reason, sizeof reason);
    (void)written;
    _exit(NOT_RUNNABLE);
}

/* Starts it. WS_EIO when that cannot be done. */
static int start(const runner *r, const sigset_t *mask, pid_t *pid)
{
    int trouble[2], reason = 0;
    if (pipe2(trouble, O_CLOEXEC))
        return ws_fail(WS_EIO, "cannot make a pipe: %s", strerror(errno));
    const pid_t parent = getpid();
    fflush(NULL);
    *pid = fork();
    if (*pid == 0)
        become(r, mask, parent, trouble[1]);
    const int fork_error = errno;
    close(trouble[1]);
    const bool failed = *pid > 0 && read(trouble[0], &reason, sizeof reason) == (ssize_t)sizeof reason;
    close(trouble[0]);
    if (*pid < 0)
        return ws_fail(WS_EIO, "cannot start a process: %s", strerror(fork_error));
    if (failed) {
        waitpid(*pid, NULL, 0);
        return ws_fail(WS_EIO, "%s: cannot be started: %s", r->program.path, strerror(reason));
    }
    return WS_OK;
}

static void show(runner *r)
{
    const ws_board *const b = r->board;
    const double seconds = ws_clock_seconds_since(&r->begin), instructions = (double)atomic_load(&b->warp_instructions);
    char text[512], count[32], rate[32];
    if (r->request->quiet || !r->bar.out || seconds < QUIET_SECONDS)
        return;
    ws_text_count(count, sizeof count, instructions, "");
    ws_text_count(rate, sizeof rate, instructions / seconds, "");
    const uint64_t blocks = atomic_load(&b->blocks), done = atomic_load(&b->blocks_done);
    const int n = snprintf(text, sizeof text, "[%" PRIu64 " launches, %s warp instructions, %s a second]",
                           atomic_load(&b->launches), count, rate);
    if (atomic_load(&b->running))
        snprintf(text + n, sizeof text - (size_t)n, " %3.0f %% of %.40s",
                 blocks ? 100.0 * (double)done / (double)blocks : 0, b->kernel);
    ws_progress_say(&r->bar, text);
}

/* Hands on what only this process got, to the program or, when that has ended, to its processes. The last signal; 0:
 * none. */
static int hand_on(runner *r, int signals, pid_t pid)
{
    struct signalfd_siginfo one;
    int last = 0;
    while (read(signals, &one, sizeof one) == (ssize_t)sizeof one) {
        last = (int)one.ssi_signo;
        if (ws_witness_saw(&r->witness, &one))
            continue;
        if (pid)
            kill(pid, last);
        for (unsigned i = 0; !pid && i < WS_BOARD_PROCESSES; i++) {
            const pid_t other = (pid_t)atomic_load(&r->board->process[i].pid);
            if (other && atomic_load(&r->board->process[i].open))
                kill(other, last);
        }
    }
    return last;
}

static void wait_for(runner *r, pid_t pid, int signals)
{
    const int ended = pidfd_open(pid, 0); /* -1 on old kernels: then it is looked after now and then */
    pid_t reaped;
    while ((reaped = waitpid(pid, &r->status, WNOHANG)) == 0 || (reaped < 0 && errno == EINTR)) {
        struct pollfd wait[2] = {{.fd = signals, .events = POLLIN}, {.fd = ended, .events = POLLIN}};
        poll(wait, 2, POLL_MS);
        hand_on(r, signals, pid);
        show(r);
    }
    if (ended >= 0)
        close(ended);
    ws_progress_end(&r->bar);
}

/* Processes without a parent come to us. The witness is none of them. */
static void take_orphans(const runner *r)
{
    siginfo_t who = {0};
    while (!waitid(P_ALL, 0, &who, WEXITED | WNOHANG | WNOWAIT) && who.si_pid && who.si_pid != r->witness.pid) {
        waitpid(who.si_pid, NULL, WNOHANG);
        who = (siginfo_t){0};
    }
}

/* Processes that the program started and did not wait for, as far as they use CUDA. */
static void wait_for_others(runner *r, int signals)
{
    for (bool any = true; any;) {
        any = false;
        for (unsigned i = 0; i < WS_BOARD_PROCESSES; i++) {
            const int64_t pid = atomic_load(&r->board->process[i].pid);
            const bool open = atomic_load(&r->board->process[i].open) != 0;
            any = any || (pid && open && !kill((pid_t)pid, 0));
        }
        if (any && (r->ended_by = hand_on(r, signals, 0)))
            return; /* enough waited */
        if (any) {
            take_orphans(r);
            poll(NULL, 0, POLL_MS / 10);
            show(r);
        }
    }
    ws_progress_end(&r->bar);
}

static int run_child(runner *r)
{
    sigset_t ours, before;
    pid_t pid = -1;
    signals_of_ours(&ours);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigprocmask(SIG_BLOCK, &ours, &before);
    const int signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
    const int status = start(r, &before, &pid);
    if (!status) {
        ws_witness_begin(&r->witness);
        wait_for(r, pid, signals);
        wait_for_others(r, signals);
        ws_witness_end(&r->witness);
    }
    if (signals >= 0)
        close(signals);
    ws_interrupts_catch(); /* what comes from now on ends us when the results are written down */
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

/* ------------------------------------------------------------------------------------------------ what came out */

/* Bytes that processes copied after their last launch and could not write down, because they were killed. */
static int take_last_copies(const runner *r)
{
    ws_board *const b = r->board;
    uint64_t h2d = 0, d2h = 0;
    for (unsigned i = 0; i < WS_BOARD_PROCESSES; i++) {
        const ws_board_process *const p = &b->process[i];
        if (!atomic_load(&p->open))
            continue;
        h2d += p->copied.h2d;
        d2h += p->copied.d2h;
        atomic_fetch_add(&b->h2d, p->copied.h2d);
        atomic_fetch_add(&b->d2h, p->copied.d2h);
        atomic_fetch_add(&b->d2d, p->copied.d2d);
        atomic_fetch_add(&b->filled, p->copied.filled);
    }
    return h2d || d2h ? ws_store_add_copy(r->store, r->run, h2d, d2h) : WS_OK;
}

static void take_note(runner *r, const char *line)
{
    static const char library[] = WS_NOTE_LIBRARY, missing[] = WS_NOTE_MISSING;
    if (!strncmp(line, missing, sizeof missing - 1) && !*r->missing)
        snprintf(r->missing, sizeof r->missing, "%s", line + sizeof missing - 1);
    if (!strcmp(line, WS_NOTE_FAILED))
        r->machine_code_asked = true;
    ws_check_count(line, r->findings);
    const char *const name = strncmp(line, library, sizeof library - 1) ? "" : line + sizeof library - 1;
    const size_t before = strlen(r->machine_code);
    if (*name && !strstr(r->machine_code, name))
        snprintf(r->machine_code + before, sizeof r->machine_code - before, "%s%s", before ? ", " : "", name);
}

static void take_notes(runner *r)
{
    char *line = NULL;
    size_t room = 0;
    const int fd = r->notes_fd >= 0 ? dup(r->notes_fd) : -1;
    FILE *const in = fd >= 0 && lseek(fd, 0, SEEK_SET) == 0 ? fdopen(fd, "r") : NULL;
    while (in && getline(&line, &room, in) > 0) {
        line[strcspn(line, "\n")] = '\0';
        take_note(r, line);
    }
    free(line);
    if (in)
        fclose(in);
    else if (fd >= 0)
        close(fd);
}

static int exit_status_of(const runner *r)
{
    if (r->ended_by)
        return BY_SIGNAL + r->ended_by;
    return WIFSIGNALED(r->status) ? BY_SIGNAL + WTERMSIG(r->status) : WEXITSTATUS(r->status);
}

/* "done", or how the program ended. */
static void describe_end(const runner *r, char *text, size_t size)
{
    if (WIFSIGNALED(r->status))
        snprintf(text, size, "ended by signal %d (%s)", WTERMSIG(r->status), strsignal(WTERMSIG(r->status)));
    else if (WEXITSTATUS(r->status))
        snprintf(text, size, "exit status %d", WEXITSTATUS(r->status));
    else
        snprintf(text, size, "done");
}

/* Whether there is a launch in the results file that has metrics. */
static bool is_measured(const runner *r)
{
    bool any = false;
    return !ws_store_measured(r->store, r->run, &any) && any;
}

static int finish(runner *r)
{
    char end[128];
    int status = take_last_copies(r);
    describe_end(r, end, sizeof end);
    if (atomic_load(&r->board->launches) <= atomic_load(&r->board->unkept))
        return ws_store_drop(r->store, r->run);
    if (!status && r->request->sample > 0 && is_measured(r))
        status = ws_store_weigh(r->store, r->run, r->request->sample, r->request->seed, &r->estimate);
    return status ? status : ws_store_finish(r->store, r->run, end, ws_clock_seconds_since(&r->begin));
}

/* Why a program that ran has not launched anything that we saw. */
static void explain_nothing(const runner *r, char *text, size_t size)
{
    const ws_elf_facts *const f = &r->program.facts;
    char versions[256], library[sizeof r->missing];
    snprintf(library, sizeof library, "%.*s.so", (int)strcspn(r->missing, "."), r->missing);
    if (*r->machine_code)
        snprintf(text, size, "it uses %s, whose kernels are machine code and cannot run here", r->machine_code);
    else if (atomic_load(&r->board->processes))
        snprintf(text, size, "it set CUDA up and ended before its first launch was over");
    else if (*r->missing && ws_program_versions(r->libraries, library, versions, sizeof versions))
        snprintf(text, size, "it asked for %s, and there is no such version of that library; there are %s", r->missing,
                 versions);
    else if (r->program.script)
        snprintf(text, size, "a script: none of the programs that it ran used CUDA through a library");
    else if (f->needs_driver || *f->runtime)
        snprintf(text, size, "it is linked with %s and did not call it", *f->runtime ? f->runtime : "libcuda.so.1");
    else if (f->has_fatbin && !f->has_symbols)
        snprintf(text, size,
                 "the CUDA runtime is linked into it statically and its symbols are stripped; build it with "
                 "-cudart shared, or do not strip it");
    else if (f->has_fatbin)
        snprintf(text, size,
                 "it has the CUDA runtime in itself and did not use it, or that could not be replaced; build it with "
                 "-cudart shared");
    else
        snprintf(text, size, "it is not linked with CUDA");
}

static void describe_bytes(const ws_board *b, char *text, size_t size)
{
    char up[32], down[32];
    ws_text_count(up, sizeof up, (double)atomic_load(&b->h2d), "B");
    ws_text_count(down, sizeof down, (double)atomic_load(&b->d2h), "B");
    snprintf(text, size, "%s to the device, %s back", up, down);
}

static void describe_launches(const runner *r, char *text, size_t size)
{
    const ws_board *const b = r->board;
    const uint64_t launches = atomic_load(&b->launches), measured = atomic_load(&b->measured);
    const uint64_t failed = atomic_load(&b->failed), unkept = atomic_load(&b->unkept);
    const unsigned kernels = ws_board_kernels(b);
    int n = snprintf(text, size, "%" PRIu64 " launch%s of %u kernel%s", launches, launches == 1 ? "" : "es", kernels,
                     kernels == 1 ? "" : "s");
    if (measured < launches)
        n += snprintf(text + n, size - (size_t)n, ", %" PRIu64 " measured", measured);
    if (failed)
        n += snprintf(text + n, size - (size_t)n, ", %" PRIu64 " failed", failed);
    if (unkept)
        n += snprintf(text + n, size - (size_t)n, ", %" PRIu64 " not kept", unkept);
    if (r->estimate.columns)
        snprintf(text + n, size - (size_t)n, " (%" PRIu64 " of %" PRIu64 " columns within %g %%)", r->estimate.within,
                 r->estimate.columns, 100 * r->request->sample);
}

/* Why nothing was measured: no launch was seen, those seen failed, or none was chosen. */
static void explain_empty(const runner *r, char *text, size_t size)
{
    const ws_board *const b = r->board;
    const uint64_t launches = atomic_load(&b->launches), failed = atomic_load(&b->failed);
    char why[4 * PATH_MAX];
    if (!launches && !failed) {
        explain_nothing(r, why, sizeof why);
        snprintf(text, size, "no kernel launch seen: %s", why);
    } else if (!launches) {
        snprintf(text, size, "%" PRIu64 " launch%s, %s: %s", failed, failed == 1 ? "" : "es",
                 failed == 1 ? "which failed" : "all of which failed, the first", b->failure);
    } else if (atomic_load(&b->measured)) {
        snprintf(text, size, "it ended before any of its launches was kept");
    } else {
        snprintf(text, size, "%" PRIu64 " launch%s, none among those of %s", launches, launches == 1 ? "" : "es",
                 !r->request->launches  ? "--kernels"
                 : !r->request->kernels ? "--launches"
                                        : "--kernels and --launches");
    }
}

/* "NAME" or "NAME, exit status 3". */
static void describe_program(const runner *r, char *text, size_t size)
{
    char end[128];
    describe_end(r, end, sizeof end);
    const bool well = !strcmp(end, "done");
    snprintf(text, size, "%s%s%s", r->name, well ? "" : ", ", well ? "" : end);
}

/* Says so; the exit status is the program's own, unless that would look as if all was well. */
static int fail_empty(const runner *r, int *exit_status)
{
    char program[512], why[5 * PATH_MAX];
    describe_program(r, program, sizeof program);
    explain_empty(r, why, sizeof why);
    if (!*exit_status)
        *exit_status = NOTHING_MEASURED;
    return ws_fail(WS_ENOTFOUND, "%s: %s; nothing was measured, and no earlier run is replaced", program, why);
}

static void summarize(const runner *r)
{
    char program[512], bytes[96], launches[256], warp[32];
    if (r->request->quiet)
        return;
    describe_program(r, program, sizeof program);
    describe_launches(r, launches, sizeof launches);
    describe_bytes(r->board, bytes, sizeof bytes);
    ws_text_count(warp, sizeof warp, (double)atomic_load(&r->board->warp_instructions), "");
    fprintf(stderr, "warpscape run: %s: %s, %s warp instructions, %s; results in %s\n", program, launches, warp, bytes,
            r->request->db);
}

/* "KERNEL (COUNT), ...", of as many kernels as are listed. */
static void describe_strays(const ws_strays *s, char *text, size_t size)
{
    uint64_t others = atomic_load(&s->accesses);
    size_t n = 0;
    for (unsigned i = 0; i < WS_STRAY_KERNELS && atomic_load(&s->kernel[i].hash); i++) {
        const uint64_t own = atomic_load(&s->kernel[i].accesses);
        n += (size_t)snprintf(text + n, size - n, "%s%.*s (%" PRIu64 ")", i ? ", " : "", LONGEST_NAME,
                              s->kernel[i].name, own);
        others -= own;
    }
    if (others)
        snprintf(text + n, size - n, " and others (%" PRIu64 ")", others);
}

/* "N accesses `what` in M launches of KERNELS; `verdict`". */
static void say_accesses(const runner *r, const ws_strays *s, const char *what, const char *verdict)
{
    const uint64_t accesses = atomic_load(&s->accesses), launches = atomic_load(&s->launches);
    char kernels[128 * (WS_STRAY_KERNELS + 1)];
    if (r->request->quiet || !accesses)
        return;
    describe_strays(s, kernels, sizeof kernels);
    fprintf(stderr,
            "warpscape run: %s: error of the program: %" PRIu64 " access%s %s in %" PRIu64 " launch%s of %s; %s\n",
            r->name, accesses, accesses == 1 ? "" : "es", what, launches, launches == 1 ? "" : "es", kernels, verdict);
}

/* A GPU tolerates the former without a message. */
static void say_strays(const runner *r)
{
    say_accesses(r, &r->board->strays, "outside allocations",
                 "a GPU lets them pass, and what they read or overwrite is chance; each kernel's first is named above, "
                 "--bounds exact stops at it");
    say_accesses(r, &r->board->misaligned, "to misaligned addresses",
                 "a GPU stops at the first; each kernel's first is named above, --alignment strict stops at it");
}

/* Also where nothing was found: that is what was asked. */
static void say_findings(const runner *r, int *exit_status)
{
    char found[128];
    const uint64_t sum = ws_check_sum(r->findings);
    if (!*r->checks)
        return;
    ws_check_summary(r->findings, found, sizeof found);
    if (sum || !r->request->quiet)
        fprintf(stderr, "warpscape run: %s: checked for %s: found %s\n", r->name, r->checks, found);
    if (sum && !*exit_status)
        *exit_status = (int)r->request->check_exit;
}

/* ------------------------------------------------------------------------------------------------ all of it */

/* "PROGRAM ARGUMENT ...", to be freed; NULL without memory. */
static char *command_line(char *const *argv)
{
    size_t n = sizeof "warpscape run --";
    for (char *const *a = argv; *a; a++)
        n += strlen(*a) + 1;
    char *const text = malloc(n + 1);
    char *at = text ? stpcpy(text, "warpscape run --") : NULL;
    for (char *const *a = argv; at && *a; a++)
        at = stpcpy(stpcpy(at, " "), *a);
    return text;
}

/* "kernels matching X, launches Y", to be freed; NULL: no selection, or no memory. */
static char *selection_text(const ws_program_request *o)
{
    char *text = NULL;
    if (!o->kernels && !o->launches)
        return NULL;
    return asprintf(&text, "%s%s%s%s%s", o->kernels ? "kernels matching " : "", o->kernels ? o->kernels : "",
                    o->kernels && o->launches ? ", " : "", o->launches ? "launches " : "",
                    o->launches ? o->launches : "") < 0
               ? NULL
               : text;
}

static int open_files(runner *r)
{
    const ws_program_request *const o = r->request;
    ws_launch_selection *check;
    int status = ws_launch_selection_create(o->kernels, o->launches, r->name, &check);
    ws_launch_selection_destroy(check);
    if (!status)
        status = ws_program_absolute(o->db, r->db, sizeof r->db);
    if (!status && o->launches && ws_launch_selection_is_file(o->launches))
        status = ws_program_absolute(o->launches, r->list, sizeof r->list);
    if (!status && o->trace && ws_output_make_folder(o->trace))
        status = ws_fail(WS_EIO, "%s: cannot make the folder of the traces: %s", o->trace, strerror(errno));
    if (!status && o->trace)
        status = ws_program_absolute(o->trace, r->trace, sizeof r->trace);
    if (!status)
        status = ws_board_create(&r->board, &r->board_fd);
    r->notes_fd = memfd_create("warpscape notes", MFD_CLOEXEC); /* without it only the program's own status is known */
    return status ? status : ws_store_open(o->db, true, &r->store);
}

static int begin(runner *r)
{
    char *const command = command_line(r->request->argv), *const selection = selection_text(r->request);
    const ws_store_run about = {.workload = r->name,
                                .scale = "",
                                .seed = r->request->seed,
                                .command = command,
                                .partial = true,
                                .selection = selection};
    const int status = command ? ws_store_begin(r->store, &about, &r->run) : ws_fail(WS_EMEM, "out of memory");
    free(command);
    free(selection);
    return status;
}

/* What the program itself is to blame for is said here, so that its exit status can be ours. */
static int refuse(int status, int *exit_status)
{
    *exit_status = status == WS_ENOTFOUND ? NOT_FOUND : NOT_RUNNABLE;
    fprintf(stderr, "warpscape run: %s\n", ws_message());
    return WS_OK;
}

static int run_found(runner *r, int *exit_status, int64_t *run)
{
    int status = ws_program_libraries(r->libraries, sizeof r->libraries);
    if (!status && ws_program_check_libraries(&r->program, r->libraries))
        return refuse(WS_EUNSUPPORTED, exit_status);
    if (!status)
        status = ws_program_loadable(r->libraries, r->loadable, sizeof r->loadable, &r->folder_fd);
    if (!status)
        status = open_files(r);
    if (!status)
        status = begin(r);
    if (!status)
        status = put_environment(r);
    if (status)
        return status;
    ws_progress_begin(&r->bar);
    if (isatty(STDOUT_FILENO)) /* there the program writes, and nothing of ours gets in between */
        r->bar.out = NULL;
    clock_gettime(CLOCK_MONOTONIC, &r->begin);
    status = run_child(r);
    if (status) {
        ws_store_drop(r->store, r->run);
        return refuse(status, exit_status);
    }
    *exit_status = exit_status_of(r);
    take_notes(r);
    const bool measured = is_measured(r);
    status = finish(r);
    const uint64_t unkept = atomic_load(&r->board->unkept);
    say_strays(r);
    say_findings(r, exit_status);
    *run = measured ? r->run : 0;
    if (measured || unkept)
        summarize(r);
    else if (!status || status == WS_ENOTFOUND)
        status = fail_empty(r, exit_status);
    if (!status && !*exit_status && *r->machine_code && r->machine_code_asked) {
        *exit_status = NOTHING_MEASURED;
        status =
            ws_fail(WS_EUNSUPPORTED, "%s: kernels of %s could not run: what it computed with them is wrong or missing",
                    r->name, r->machine_code);
    }
    if (unkept)
        status = ws_fail(WS_EIO, "%s: %" PRIu64 " launch%s could not be kept in it", r->request->db, unkept,
                         unkept == 1 ? "" : "es");
    if (!status || !*exit_status)
        return status;
    fprintf(stderr, "warpscape run: %s\n", ws_message()); /* the exit status is the program's */
    return WS_OK;
}

int ws_program_run(const ws_program_request *request, int *exit_status, int64_t *run)
{
    *run = 0;
    runner r = {.request = request, .folder_fd = -1, .notes_fd = -1};
    int status = ws_program_find(request->argv[0], &r.program);
    if (status) {
        ws_program_fini(&r.program);
        return refuse(status, exit_status);
    }
    const char *const slash = strrchr(r.program.path, '/');
    ws_checks_list(request->checks, r.checks, sizeof r.checks);
    r.name = strdup(request->name ? request->name : slash ? slash + 1 : r.program.path);
    status = r.name ? run_found(&r, exit_status, run) : ws_fail(WS_EMEM, "out of memory");
    ws_store_close(r.store);
    if (r.board)
        ws_board_destroy(r.board, r.board_fd);
    if (r.folder_fd >= 0)
        close(r.folder_fd);
    if (r.notes_fd >= 0)
        close(r.notes_fd);
    ws_program_fini(&r.program);
    free(r.estimate.worst);
    free(r.name);
    return status;
}
