/* gnuplot.c - who draws? gnuplot, as a child that reads a script and gives back a picture, all in memory. */
#include "base/output.h"
#include "base/status.h"
#include "plots/figure_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const tails[] = {
#define FORMAT(name, extension, tail) tail,
#include "plots/formats.def"
#undef FORMAT
};

enum { TAIL_BYTES = 32 }; /* a file's end mark stands in its last bytes */

static int write_all(int fd, const char *text, size_t size)
{
    while (size) {
        const ssize_t n = write(fd, text, size);
        if (n < 0 && errno != EINTR)
            return ws_fail(WS_EIO, "cannot hand the script to gnuplot: %s", strerror(errno));
        text += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return WS_OK;
}

/* Everything in a memory file, with a NUL behind. */
static int read_back(int fd, char **bytes, size_t *size)
{
    const off_t length = lseek(fd, 0, SEEK_END);
    char *buffer = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!buffer)
        return ws_fail(WS_EMEM, "out of memory");
    size_t used = 0;
    while (used < (size_t)length) {
        const ssize_t n = pread(fd, buffer + used, (size_t)length - used, (off_t)used);
        if (n <= 0) {
            free(buffer);
            return ws_fail(WS_EIO, "cannot read what gnuplot wrote: %s", strerror(errno));
        }
        used += (size_t)n;
    }
    buffer[used] = '\0';
    *bytes = buffer;
    *size = used;
    return WS_OK;
}

/* gnuplot's own words for what went wrong: the first line that has some, without the caret line that points at the
 * script. */
static int fail_with_words(int errors)
{
    char *text;
    size_t size;
    if (read_back(errors, &text, &size))
        return WS_EIO;
    char *line = text;
    while (*line && (strspn(line, " ^\n") == strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')))
        line += strcspn(line, "\n") + 1;
    char *words = strstr(text, "line ");
    words = words ? words : line;
    words[strcspn(words, "\n")] = '\0';
    const int status = ws_fail(WS_EIO, "gnuplot did not draw the figure: %s", *words ? words : "it said nothing");
    free(text);
    return status;
}

/* PDF files carry the time of their making; equal frames are to give equal bytes. */
static void drop_date(char *bytes, size_t size)
{
    static const char key[] = "/CreationDate (D:";
    char *date = memmem(bytes, size, key, sizeof key - 1);
    if (!date)
        return;
    date += sizeof key - 1;
    for (size_t i = 0; date + i < bytes + size && date[i] >= '0' && date[i] <= '9'; i++)
        date[i] = "19700101000000"[i < 14 ? i : 13];
}

static int is_whole(const char *bytes, size_t size, ws_plot_format format)
{
    const size_t n = size < TAIL_BYTES ? size : TAIL_BYTES;
    return n && memmem(bytes + size - n, n, tails[format], strlen(tails[format])) != NULL;
}

/* Our environment but for the locale, which decides how numbers are written. NULL: out of memory. */
static char **environment_of_gnuplot(char *locale)
{
    size_t n = 0;
    while (environ[n])
        n++;
    char **environment = malloc((n + 2) * sizeof *environment);
    if (!environment)
        return NULL;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (strncmp(environ[i], "LC_", 3) && strncmp(environ[i], "GNUPLOT_", 8))
            environment[kept++] = environ[i];
    }
    environment[kept++] = locale;
    environment[kept] = NULL;
    return environment;
}

static int fail_missing(const char *program)
{
    return ws_fail(WS_ENOTFOUND,
                   "%s is not installed, and it draws the figures: install it (Debian: apt-get install gnuplot-nox)",
                   program);
}

enum { NOT_FOUND = 127, NOT_RUNNABLE = 126 }; /* exit statuses as those of sh(1) */

/* Becomes gnuplot. It ends with us, whatever ends us. Only calls that are safe after fork. */
static _Noreturn void become(const char *program, int in, int out, int errors, pid_t parent, char **environment)
{
    char name[] = "gnuplot", defaults[] = "-d",
         stdin_name[] = "-"; /* -d: the user's start-up files do not change figures */
    char *arguments[] = {name, defaults, stdin_name, NULL};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(errors, STDERR_FILENO) >= 0)
        execvpe(program, arguments, environment);
    _exit(errno == ENOENT ? NOT_FOUND : NOT_RUNNABLE);
}

/* Runs gnuplot with the three streams; its exit status, or a failure. */
static int run(int in, int out, int errors, int *exit_status)
{
    const char *program = getenv("GNUPLOT");
    program = program && *program ? program : "gnuplot";
    char locale[] = "LC_ALL=C.UTF-8", **environment = environment_of_gnuplot(locale);
    if (!environment)
        return ws_fail(WS_EMEM, "out of memory");
    const pid_t parent = getpid(), child = fork();
    if (child == 0)
        become(program, in, out, errors, parent, environment);
    const int error = errno;
    free(environment);
    if (child < 0)
        return ws_fail(WS_EIO, "cannot run %s: %s", program, strerror(error));
    while (waitpid(child, exit_status, 0) < 0) {
        if (errno != EINTR)
            return ws_fail(WS_EIO, "lost gnuplot: %s", strerror(errno));
    }
    if (WIFSIGNALED(*exit_status))
        return ws_fail(WS_EIO, "%s was ended by signal %d (%s)", program, WTERMSIG(*exit_status),
                       strsignal(WTERMSIG(*exit_status)));
    const int ended = WIFEXITED(*exit_status) ? WEXITSTATUS(*exit_status) : 0;
    return ended == NOT_FOUND      ? fail_missing(program)
           : ended == NOT_RUNNABLE ? ws_fail(WS_EIO, "cannot run %s: it may not be executed, or is no program", program)
                                   : WS_OK;
}

int ws_plot_render(const char *script, ws_plot_format format, char **bytes, size_t *size)
{
    *bytes = NULL;
    int status = WS_OK, exit_status = 0;
    const int in = memfd_create("script", MFD_CLOEXEC), out = memfd_create("picture", MFD_CLOEXEC);
    const int errors = memfd_create("errors", MFD_CLOEXEC);
    if (in < 0 || out < 0 || errors < 0) {
        status = ws_fail(WS_EIO, "cannot make a temporary file: %s", strerror(errno));
        goto done;
    }
    status = write_all(in, script, strlen(script));
    if (status)
        goto done;
    lseek(in, 0, SEEK_SET);
    status = run(in, out, errors, &exit_status);
    if (!status)
        status = exit_status ? fail_with_words(errors) : read_back(out, bytes, size);
    if (!status && !is_whole(*bytes, *size, format)) {
        free(*bytes);
        *bytes = NULL;
        status = fail_with_words(errors);
    }
    if (!status)
        drop_date(*bytes, *size);
done:
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    if (errors >= 0)
        close(errors);
    return status;
}

const char *ws_plot_title(const ws_figure *figure, const ws_plot_request *request)
{
    return request->title && *request->title ? request->title : ws_figure_summary(figure);
}

int ws_plot_draw(const ws_figure *figure, const ws_plot_request *request, ws_plot_format format, char **bytes,
                 size_t *size)
{
    char *script = NULL;
    *bytes = NULL;
    int status = ws_plot_script(figure, request, format, NULL, &script);
    if (!status)
        status = ws_plot_render(script, format, bytes, size);
    if (!status && format == WS_PLOT_SVG)
        status = ws_svg_name(ws_plot_title(figure, request), bytes, size);
    free(script);
    return status;
}

static int save_bytes(const char *path, const char *bytes, size_t size)
{
    ws_output file;
    int status = ws_output_open(&file, path);
    if (status)
        return status;
    if (fwrite(bytes, 1, size, file.stream) != size)
        status = ws_fail(WS_EIO, "%s: cannot write: %s", path, strerror(errno));
    return ws_output_close(&file, status);
}

int ws_plot_save(const ws_figure *figure, const ws_plot_request *request, const char *path)
{
    ws_plot_format format;
    char *script = NULL, *bytes = NULL;
    size_t size = 0;
    int status = ws_plot_format_of(path, &format);
    if (!status && format == WS_PLOT_SCRIPT) {
        status = ws_plot_script(figure, request, format, NULL, &script);
        if (!status)
            status = save_bytes(path, script, strlen(script));
    } else if (!status) {
        status = ws_plot_draw(figure, request, format, &bytes, &size);
        if (status == WS_ENOTFOUND)
            ws_fail(status, "%s; or write the script alone with -o NAME.gp", strdupa(ws_message()));
        if (!status)
            status = save_bytes(path, bytes, size);
    }
    free(script);
    free(bytes);
    return status;
}
