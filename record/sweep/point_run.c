/* point_run.c - one point of a sweep as a process of this machine. */
#include "record/sweep/point_run.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/output.h"
#include "base/status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_START = 127, HOST = 64, PROBE_BYTES = 1 << 20 };

/* ------------------------------------------------------------------------------------------------ files */

/* Walks a folder, and removes what is in it if so asked. Bytes of its files. */
static double walk(const char *path, bool remove_all)
{
    char *const root[] = {(char *)(uintptr_t)path, NULL};
    FTS *const fts = fts_open(root, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    double bytes = 0;
    for (const FTSENT *e; fts && (e = fts_read(fts));) {
        bytes += e->fts_info == FTS_F ? (double)e->fts_statp->st_size : 0;
        if (remove_all && e->fts_info != FTS_D && e->fts_info != FTS_NS)
            remove(e->fts_accpath);
    }
    if (fts)
        fts_close(fts);
    return bytes;
}

void ws_point_remove_folder(const char *path)
{
    walk(path, true);
}

/* Puts all that a folder holds on disk, so that a machine that loses power leaves the point whole or not at all. 0 or
 * errno, which is where some file systems first say that they are full. */
static int sync_all(const char *path)
{
    char *const root[] = {(char *)(uintptr_t)path, NULL};
    FTS *const fts = fts_open(root, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
    int reason = fts ? 0 : errno;
    for (const FTSENT *e; !reason && (e = fts_read(fts));) {
        if (e->fts_info == FTS_DP) /* it was there before what is in it */
            continue;
        const int fd = open(e->fts_accpath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 && fsync(fd) && errno != EINVAL && errno != EROFS)
            reason = errno;
        if (fd >= 0)
            close(fd);
    }
    if (fts)
        fts_close(fts);
    return reason;
}

static int open_in(const char *folder, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, ws_output_is_private() ? 0600 : 0666);
}

static bool is_full(int reason)
{
    return reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
}

/* What could not be written, and what to do about it. */
static int fail_writing(const ws_sweep *sweep, const char *path, int reason)
{
    return is_full(reason) ? ws_fail(WS_EIO, "%s: %s; what is done is kept: make room, then run the same command again",
                                     ws_sweep_folder(sweep), strerror(reason))
                           : ws_fail(WS_EIO, "cannot write %s: %s", path, strerror(reason));
}

void ws_point_print_word(FILE *out, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            putc(*word, out);
    putc('\'', out);
}

/* What a person types to run the same, with the paths that its files will have. */
static int write_command(const ws_sweep *sweep, size_t point, const char *folder)
{
    const ws_plan *const plan = ws_sweep_plan(sweep);
    char own[PATH_MAX], name[1024], **words;
    size_t count;
    snprintf(own, sizeof own, "%s/points/%s", ws_sweep_folder(sweep), plan->point[point].key);
    ws_arena *const arena = ws_arena_create();
    int status =
        arena ? ws_plan_words(plan, point, &(ws_plan_place){ws_sweep_folder(sweep), own, NULL}, arena, &words, &count)
              : ws_fail(WS_EMEM, "out of memory");
    FILE *out = NULL;
    if (!status) {
        const int fd = open_in(folder, "command");
        out = fd < 0 ? NULL : fdopen(fd, "w");
        if (!out)
            status = fail_writing(sweep, folder, errno);
    }
    if (!status) {
        ws_plan_point_name(plan, point, name, sizeof name);
        char *const where = realpath(plan->folder, NULL);
        fprintf(out, "# %s\ncd ", name);
        ws_point_print_word(out, where ? where : plan->folder);
        free(where);
        fputs(" && warpscape", out);
        for (size_t i = 0; i < count; i++) {
            putc(' ', out);
            ws_point_print_word(out, words[i]);
        }
        putc('\n', out);
    }
    if (out && (ferror(out) | fclose(out)) && !status)
        status = fail_writing(sweep, folder, errno);
    ws_arena_destroy(arena);
    return status;
}

/* ------------------------------------------------------------------------------------------------ results files */

/* SQLite needs locks, which some network file systems do not have. */
static bool has_locks(const char *folder)
{
    char path[PATH_MAX];
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int fd = open_in(folder, ".lock");
    const int reason = fd >= 0 && fcntl(fd, F_SETLK, &whole) ? errno : 0;
    if (fd >= 0)
        close(fd);
    snprintf(path, sizeof path, "%s/.lock", folder);
    unlink(path);
    return reason != ENOLCK && reason != ENOSYS && reason != EOPNOTSUPP && reason != EINVAL;
}

/* A folder of this machine for the results file of a point, where that of the sweep has no locks. */
static int make_db_folder(const ws_sweep *sweep, ws_point_run *run)
{
    const ws_plan *const plan = ws_sweep_plan(sweep);
    const char *const temporary = getenv("TMPDIR");
    if (!plan->block[plan->point[run->point].block].has_db || has_locks(run->folder))
        return WS_OK;
    if (asprintf(&run->db_folder, "%s/warpscape.XXXXXX", temporary && *temporary ? temporary : "/tmp") < 0) {
        run->db_folder = NULL;
        return ws_fail(WS_EMEM, "out of memory");
    }
    return mkdtemp(run->db_folder) ? WS_OK : fail_writing(sweep, run->db_folder, errno);
}

/* Brings the results file home; 0 or errno. A program that launched nothing has none. */
static int bring_db(const ws_point_run *run)
{
    char path[PATH_MAX], chunk[1 << 12];
    snprintf(path, sizeof path, "%s/" WS_PLAN_RESULTS, run->db_folder);
    const int from = open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return errno == ENOENT ? 0 : errno;
    const int to = open_in(run->folder, WS_PLAN_RESULTS);
    int reason = to < 0 ? errno : 0;
    for (ssize_t n; !reason && (n = read(from, chunk, sizeof chunk));) {
        const ssize_t wrote = n < 0 ? n : write(to, chunk, (size_t)n);
        reason = wrote == n && n > 0 ? 0 : wrote < 0 ? errno : ENOSPC;
    }
    close(from);
    if (to >= 0 && close(to) && !reason)
        reason = errno;
    return reason;
}

/* What start made beside the processes. */
static void drop_folders(ws_point_run *run)
{
    if (run->db_folder)
        ws_point_remove_folder(run->db_folder);
    if (run->folder)
        ws_point_remove_folder(run->folder);
    free(run->db_folder);
    free(run->folder);
    *run = (ws_point_run){0};
}

/* ------------------------------------------------------------------------------------------------ the process */

/* Becomes the command. Only calls that are safe after fork. */
static _Noreturn void become(const ws_plan *plan, char *const *argv, pid_t parent, int output, int log)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(CANNOT_START);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (dup2(null, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
        _exit(CANNOT_START);
    if (chdir(plan->folder)) {
        dprintf(STDERR_FILENO, "cannot enter %s: %s\n", plan->folder, strerror(errno));
        _exit(CANNOT_START);
    }
    execv("/proc/self/exe", argv);
    dprintf(STDERR_FILENO, "cannot run this program: %s\n", strerror(errno));
    _exit(CANNOT_START);
}

/* A folder, because processes that are killed leave files beside a checkpoint. It stays until the point is done, and
 * no process runs it any more. */
static void name_checkpoints(const ws_sweep *sweep, size_t point, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/points/%s" WS_POINT_CHECKPOINT, ws_sweep_folder(sweep),
             ws_sweep_plan(sweep)->point[point].key);
}

/* Whether a process other than that of the folder `own` runs the point: its folder is there. */
static bool is_run_by_others(const ws_sweep *sweep, size_t point, const char *own)
{
    char path[PATH_MAX];
    const char *const key = ws_sweep_plan(sweep)->point[point].key;
    bool found = false;
    snprintf(path, sizeof path, "%s/points", ws_sweep_folder(sweep));
    DIR *const folder = opendir(path);
    for (const struct dirent *e; folder && !found && (e = readdir(folder));)
        found = *e->d_name == '.' && !strncmp(e->d_name + 1, key, WS_PLAN_KEY) && e->d_name[1 + WS_PLAN_KEY] == '.' &&
                !(own && !strcmp(strrchr(own, '/') + 1, e->d_name));
    if (folder)
        closedir(folder);
    return found;
}

void ws_point_drop_checkpoint(const ws_sweep *sweep, size_t point, const char *own)
{
    char path[PATH_MAX];
    name_checkpoints(sweep, point, path);
    if (!access(path, F_OK) && !is_run_by_others(sweep, point, own))
        ws_point_remove_folder(path);
}

/* Words of the point behind "warpscape"; `sim` goes on from its checkpoint. */
static int make_argv(const ws_sweep *sweep, size_t point, const ws_point_run *run, ws_arena *arena, char ***out)
{
    static char self[] = "warpscape";
    const ws_plan *const plan = ws_sweep_plan(sweep);
    const ws_plan_block *const block = &plan->block[plan->point[point].block];
    char **words;
    size_t count;
    const ws_plan_place place = {ws_sweep_folder(sweep), run->folder, run->db_folder};
    const int status = ws_plan_words(plan, point, &place, arena, &words, &count);
    if (status)
        return status;
    enum { FOR_CHECKPOINTS = 5 };
    char **const argv = ws_arena_alloc(arena, (count + FOR_CHECKPOINTS + 2) * sizeof *argv);
    if (!argv)
        return ws_fail(WS_EMEM, "out of memory");
    argv[0] = self;
    memcpy(argv + 1, words, count * sizeof *argv);
    if (block->checkpoint_cycles > 0) {
        static char checkpoint[] = "--checkpoint", every[] = "--every", resume[] = "--resume";
        char path[PATH_MAX], number[32];
        name_checkpoints(sweep, point, path);
        if (ws_output_make_folder(path))
            return fail_writing(sweep, path, errno);
        strncat(path, "/sim", sizeof path - strlen(path) - 1);
        snprintf(number, sizeof number, "%.0f", block->checkpoint_cycles);
        char **to = argv + 1 + count;
        *to++ = checkpoint;
        *to++ = ws_arena_strndup(arena, path, strlen(path));
        *to++ = every;
        *to++ = ws_arena_strndup(arena, number, strlen(number));
        if (!access(path, R_OK))
            *to++ = resume;
        if (!argv[count + 2] || !argv[count + 4])
            return ws_fail(WS_EMEM, "out of memory");
    }
    *out = argv;
    return WS_OK;
}

static int start(const ws_sweep *sweep, size_t point, ws_point_run *run, ws_arena *arena)
{
    char **argv;
    int status = make_argv(sweep, point, run, arena, &argv);
    if (!status)
        status = write_command(sweep, point, run->folder);
    if (status)
        return status;
    const int output = open_in(run->folder, "out.csv"), log = open_in(run->folder, "log");
    const pid_t parent = getpid();
    run->begin = ws_clock_now();
    run->when = time(NULL);
    run->pid = output < 0 || log < 0 ? -1 : fork();
    const int reason = errno;
    if (run->pid == 0) {
        setpgid(0, 0);
        become(ws_sweep_plan(sweep), argv, parent, output, log);
    }
    if (run->pid > 0)
        setpgid(run->pid, run->pid); /* whoever comes first */
    if (output >= 0)
        close(output);
    if (log >= 0)
        close(log);
    if (run->pid > 0)
        return WS_OK;
    return output < 0 || log < 0 ? fail_writing(sweep, run->folder, reason)
                                 : ws_fail(WS_EIO, "cannot start a process for a point: %s", strerror(reason));
}

int ws_point_start(const ws_sweep *sweep, size_t point, ws_point_run *out)
{
    char host[HOST] = "";
    gethostname(host, sizeof host - 1);
    *out = (ws_point_run){.point = point};
    if (asprintf(&out->folder, "%s/points/.%s.%s.%ld", ws_sweep_folder(sweep), ws_sweep_plan(sweep)->point[point].key,
                 host, (long)getpid()) < 0) {
        out->folder = NULL;
        return ws_fail(WS_EMEM, "out of memory");
    }
    ws_point_remove_folder(out->folder); /* of a process that had our number */
    ws_arena *const arena = ws_arena_create();
    int status = arena ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    if (!status && ws_output_make_folder(out->folder))
        status = fail_writing(sweep, out->folder, errno);
    if (!status)
        status = make_db_folder(sweep, out);
    if (!status)
        status = start(sweep, point, out, arena);
    ws_arena_destroy(arena);
    if (status)
        drop_folders(out);
    return status;
}

/* ------------------------------------------------------------------------------------------------ its end */

/* Whether the file system has no room any more: quotas show only when something is written. */
static int probe_room(const char *folder)
{
    static const char block[1 << 12] = {1};
    char path[PATH_MAX];
    const int fd = open_in(folder, ".room");
    int reason = fd < 0 ? errno : 0;
    for (size_t i = 0; !reason && i < PROBE_BYTES / sizeof block; i++) {
        const ssize_t n = write(fd, block, sizeof block);
        reason = n == (ssize_t)sizeof block ? 0 : n < 0 ? errno : ENOSPC;
    }
    if (!reason && fsync(fd))
        reason = errno;
    if (fd >= 0)
        close(fd);
    snprintf(path, sizeof path, "%s/.room", folder);
    unlink(path);
    return is_full(reason) ? reason : 0;
}

static bool is_done(const ws_sweep *sweep, const ws_point_run *run, int wait_status)
{
    const ws_plan *const plan = ws_sweep_plan(sweep);
    const int exit_status = WEXITSTATUS(wait_status);
    return WIFEXITED(wait_status) &&
           (!exit_status || exit_status == plan->block[plan->point[run->point].block].other_exit);
}

static int write_status(const ws_sweep *sweep, const ws_point_run *run, int wait_status, const struct rusage *usage)
{
    char when[32] = "", host[HOST] = "";
    struct tm utc;
    const bool exited = WIFEXITED(wait_status);
    const double cpu = (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
                       1e-6 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
    gethostname(host, sizeof host - 1);
    if (gmtime_r(&run->when, &utc))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    const int fd = open_in(run->folder, "status");
    FILE *const out = fd < 0 ? NULL : fdopen(fd, "w");
    if (!out)
        return errno;
    fprintf(out,
            "state = %s\nexit = %d\nsignal = %d\nseconds = %.3f\ncpu_seconds = %.3f\npeak_bytes = %lld\n"
            "disk_bytes = %.0f\nhost = %s\n"
            "version = %s\nwhen = %s\n",
            is_done(sweep, run, wait_status) ? "done" : "failed", exited ? WEXITSTATUS(wait_status) : -1,
            exited ? 0 : WTERMSIG(wait_status), ws_clock_seconds_since(&run->begin), cpu,
            (long long)usage->ru_maxrss * 1024, walk(run->folder, false), *host ? host : "-", WS_VERSION,
            *when ? when : "-");
    return fclose(out) ? errno : 0;
}

/* The folder takes its name. One that is there, of a point that failed or that another process has done by now, changes
 * places with it and is removed; where file systems cannot do that at once, it goes first. But what is done stays when
 * this run failed. */
static int put_in_place(const ws_sweep *sweep, const ws_point_run *run, bool done)
{
    char place[PATH_MAX], old[PATH_MAX];
    if (!done && ws_sweep_state_now(sweep, run->point) == WS_POINT_DONE)
        return WS_OK;
    snprintf(place, sizeof place, "%s/points/%s", ws_sweep_folder(sweep), ws_sweep_plan(sweep)->point[run->point].key);
    if (!rename(run->folder, place) || !renameat2(AT_FDCWD, run->folder, AT_FDCWD, place, RENAME_EXCHANGE))
        return WS_OK;
    snprintf(old, sizeof old, "%s.old", run->folder);
    ws_point_remove_folder(old);
    if (rename(place, old) && errno != ENOENT)
        return fail_writing(sweep, place, errno);
    const int failed = rename(run->folder, place) ? errno : 0;
    ws_point_remove_folder(old);
    return failed && failed != ENOTEMPTY && failed != EEXIST ? fail_writing(sweep, place, failed) : WS_OK;
}

int ws_point_finish(const ws_sweep *sweep, ws_point_run *run, int wait_status, const struct rusage *usage)
{
    const bool done = is_done(sweep, run, wait_status);
    int reason = !done ? probe_room(run->folder) : run->db_folder ? bring_db(run) : 0;
    if (!reason)
        reason = write_status(sweep, run, wait_status, usage);
    if (!reason)
        reason = sync_all(run->folder);
    const int status = reason ? fail_writing(sweep, run->folder, reason) : put_in_place(sweep, run, done);
    if (!status && done)
        ws_point_drop_checkpoint(sweep, run->point, run->folder);
    drop_folders(run);
    return status;
}

void ws_point_end_all(ws_point_run *run, size_t runs)
{
    const struct timespec told = ws_clock_now(), nap = {.tv_nsec = 10000000};
    for (size_t i = 0; i < runs; i++)
        kill(-run[i].pid, SIGTERM);
    for (size_t left = runs; left && ws_clock_seconds_since(&told) < WS_LAST_WORDS_S; nanosleep(&nap, NULL)) {
        left = 0;
        for (size_t i = 0; i < runs; i++) {
            siginfo_t ended = {0};
            left += !waitid(P_PID, (id_t)run[i].pid, &ended, WEXITED | WNOHANG | WNOWAIT) && !ended.si_pid;
        }
    }
    for (size_t i = 0; i < runs; i++) {
        kill(-run[i].pid, SIGKILL); /* and what it has started */
        while (waitpid(run[i].pid, NULL, 0) < 0 && errno == EINTR)
            ;
        drop_folders(&run[i]);
    }
}
