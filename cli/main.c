/* main.c - the program: finds the command, runs it, does the talking. */
#include "base/shown.h"
#include "cli/cli.h"
#include "cli/completion.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LEAST_STACK_KB = 256 };

static void print_help(FILE *out)
{
    fputs("Usage: warpscape COMMAND [ARGUMENT...]\n"
          "Characterize GPU workloads without a GPU.\n\nCommands:\n",
          out);
    size_t n;
    const ws_command *command = ws_commands(&n);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "  %-10s  %s\n", command[i].name, command[i].summary);
    fputs("\n  warpscape help COMMAND    description and options of a command (also: warpscape COMMAND --help)\n  "
          "warpscape --version       versions of the program and its libraries\n  warpscape --completion bash|zsh|fish "
          "   completion script of that shell\n\nData goes to standard output, messages to standard error; exit status "
          "0: done, 1: failed, 2: misused.\n",
          out);
}

/* Why the first write to standard output that failed did: the stream does not know it any more when it is closed. */
static int stdout_reason;

static void flush_stdout(void)
{
    errno = 0;
    if (fflush(stdout) && !stdout_reason)
        stdout_reason = errno;
}

static bool told; /* why the command failed: one line is enough */

/* A full disk or closed pipe must not look like success: checked whichever way the program ends. */
static void check_stdout(void)
{
    const bool failed = ferror(stdout) != 0;
    errno = 0;
    if ((fclose(stdout) && errno != EBADF) || failed) {
        if (told)
            _exit(EXIT_FAILURE);
        const int reason = stdout_reason ? stdout_reason : errno ? errno : ws_file_limit_met() ? EFBIG : 0;
        fprintf(stderr, "warpscape: cannot write standard output%s%s\n", reason ? ": " : "",
                reason ? strerror(reason) : "");
        _exit(EXIT_FAILURE);
    }
}

static int misuse_command(const char *name)
{
    const ws_command *guess = ws_command_guess(name);
    if (guess)
        ws_show_line(stderr, "warpscape: '%s' is not a command; did you mean '%s'?", name, guess->name);
    else
        ws_show_line(stderr, "warpscape: '%s' is not a command; 'warpscape help' lists them", name);
    return WS_MISUSED;
}

/* Says why the command failed; the exit status. */
static int tell(const char *name, int status)
{
    if (!status)
        return EXIT_SUCCESS;
    flush_stdout();
    told = true;
    ws_show_line(stderr, "%s: %s", name, *ws_message() ? ws_message() : ws_phrase(status < 0 ? status : WS_EINPUT));
    if (status != WS_MISUSED)
        return EXIT_FAILURE;
    fprintf(stderr, "Try `%s --help' for more information.\n", name);
    return WS_MISUSED;
}

/* Runs a command as if called "warpscape NAME ARGUMENTS". */
static int run_command(const ws_command *command, int argc, char **argv)
{
    char name[64];
    snprintf(name, sizeof name, "warpscape %s", command->name);
    argv[0] = name;
    const int status = tell(name, command->run(argc, argv));
    flush_stdout();
    ws_interrupts_end();
    return status;
}

/* Commands keep paths and lines on the stack. Without room for them they would end in a fault, which tells nobody why.
 */
static bool has_stack(void)
{
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) || stack.rlim_cur >= LEAST_STACK_KB << 10)
        return true;
    fprintf(stderr,
            "warpscape: the limit on the stack is %llu kB, and at least %d kB are needed; raise it (ulimit -s)\n",
            (unsigned long long)stack.rlim_cur >> 10, LEAST_STACK_KB);
    return false;
}

static int help_command(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stdout);
        return EXIT_SUCCESS;
    }
    const ws_command *command = ws_command_find(argv[1]);
    if (!command)
        return misuse_command(argv[1]);
    char option[] = "--help", *arguments[] = {argv[0], option, NULL};
    return run_command(command, 2, arguments);
}

static void list_commands(void)
{
    size_t n;
    const ws_command *command = ws_commands(&n);
    for (size_t i = 0; i < n; i++)
        puts(command[i].name);
}

static int print_completion(const char *shell)
{
    if (ws_completion_script(shell))
        return EXIT_SUCCESS;
    ws_show_line(stderr, "warpscape: --completion needs bash, zsh or fish, not '%s'", shell);
    return WS_MISUSED;
}

/* What the streams of messages, and a terminal, get is shown (base/shown.h): names from files and arguments may hold
 * what a terminal would obey. Data that goes elsewhere keeps its bytes. glibc's own messages about options come through
 * stderr too. */
static void show_streams(void)
{
    FILE *const errors = ws_shown_stream(STDERR_FILENO);
    if (errors && !setvbuf(errors, NULL, _IONBF, 0))
        stderr = errors;
    FILE *const data = isatty(STDOUT_FILENO) ? ws_shown_stream(STDOUT_FILENO) : NULL;
    if (data && !setvbuf(data, NULL, _IOLBF, BUFSIZ))
        stdout = data;
}

int main(int argc, char **argv)
{
    show_streams();
    ws_interrupts_begin();
    atexit(check_stdout);
    signal(SIGPIPE, SIG_DFL); /* a reader that has seen enough ends us silently, whatever the parent set */
    argp_err_exit_status = WS_MISUSED;
    if (!has_stack())
        return EXIT_FAILURE;
    ws_libraries_quiet();

    if (argc < 2) {
        print_help(stderr);
        return WS_MISUSED;
    }
    if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        return help_command(argc - 1, argv + 1);
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        ws_libraries_print(stdout);
        return EXIT_SUCCESS;
    }
    if (!strcmp(argv[1], "--list-commands")) { /* for completion and tests */
        list_commands();
        return EXIT_SUCCESS;
    }
    if (!strcmp(argv[1], "--complete"))
        return ws_complete(argc - 2, argv + 2);
    if (!strcmp(argv[1], "--completion"))
        return print_completion(argc > 2 ? argv[2] : "");
    const ws_command *command = ws_command_find(argv[1]);
    if (!command)
        return misuse_command(argv[1]);
    return run_command(command, argc - 1, argv + 1);
}
