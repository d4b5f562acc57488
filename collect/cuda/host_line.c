/* host_line.c - see host_line.h. The helper gets its questions and gives its answers in files without a name, so
 * neither waits for the other. */
#include "collect/cuda/host_line.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ABOVE_STANDARD = 3, LINE_TEXT = 160 };

extern char **environ;

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* The program's environment without what would lead the helper to our libraries, or make it speak another language. */
static char **helper_environment(char *language)
{
    size_t n = 0, kept = 0;
    while (environ && environ[n])
        n++;
    char **const made = calloc(n + 2, sizeof *made);
    for (size_t i = 0; made && i < n; i++)
        if (!begins(environ[i], "LD_") && !begins(environ[i], "LC_ALL="))
            made[kept++] = environ[i];
    if (made)
        made[kept] = language;
    return made;
}

/* Not one of the standard ones, which the program may have closed. */
static int nameless_file(void)
{
    const int low = memfd_create("lines", MFD_CLOEXEC);
    const int high = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, ABOVE_STANDARD);
    if (low >= 0)
        close(low);
    return high;
}

static bool write_questions(int file, const uint64_t *address, size_t n)
{
    FILE *const out = fdopen(dup(file), "w");
    for (size_t i = 0; out && i < n; i++)
        fprintf(out, "0x%" PRIx64 "\n", address[i]);
    return out && !fclose(out) && !lseek(file, 0, SEEK_SET);
}

/* Without a shell: the name of the file is a word of its own. */
static bool run_helper(const char *file, int questions, int answers)
{
    char name[] = "addr2line", options[] = "-afie",
         language[] = "LC_ALL=C"; /* address, function, inlined calls; of the file */
    char *const arguments[] = {name, options, (char *)(uintptr_t)file, NULL};
    char **const environment = helper_environment(language);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child = -1;
    bool well = environment && !posix_spawn_file_actions_init(&actions);
    if (!well) {
        free(environment);
        return false;
    }
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    well = !posix_spawnattr_setsigmask(&attributes, &none) &&
           !posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK) &&
           !posix_spawn_file_actions_adddup2(&actions, questions, STDIN_FILENO) &&
           !posix_spawn_file_actions_adddup2(&actions, answers, STDOUT_FILENO) &&
           !posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) &&
           !posix_spawnp(&child, name, &actions, &attributes, arguments, environment);
    while (well && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return well;
}

/* "/src/app.cu:12 (discriminator 3)" to "app.cu:12"; "" of what is not known: "??:0", "??:?", "app.cu:?". */
static void short_line(const char *text, char *line, size_t size)
{
    const char *const colon = strrchr(text, ':');
    const char *name = text;
    *line = '\0';
    if (!colon || !isdigit((unsigned char)colon[1]) || colon[1] == '0')
        return;
    for (const char *at = text; at < colon; at++)
        name = *at == '/' ? at + 1 : name;
    if (begins(name, "??"))
        return;
    snprintf(line, size, "%.*s:%lu", (int)(colon - name), name, strtoul(colon + 1, NULL, 10));
}

/* Each address, then pairs of lines: function, and file with line. */
static void read_answers(FILE *in, size_t addresses, ws_host_line_fn *see, void *context)
{
    char *text = NULL, *function = NULL, line[LINE_TEXT];
    size_t room = 0, seen = 0;
    while (getline(&text, &room, in) > 0) {
        text[strcspn(text, "\n")] = '\0';
        if (!function && begins(text, "0x")) {
            if (++seen > addresses)
                break;
        } else if (!function) {
            function = strdup(text);
        } else {
            short_line(text, line, sizeof line);
            if (*line && seen)
                see(context, seen - 1, begins(function, "??") ? "" : function, line);
            free(function);
            function = NULL;
        }
    }
    free(function);
    free(text);
}

bool ws_host_lines(const char *file, const uint64_t *address, size_t addresses, ws_host_line_fn *see, void *context)
{
    const int questions = nameless_file(), answers = nameless_file();
    const bool well = questions >= 0 && answers >= 0 && write_questions(questions, address, addresses) &&
                      run_helper(file, questions, answers) && lseek(answers, 0, SEEK_END) > 0 &&
                      !lseek(answers, 0, SEEK_SET);
    FILE *const in = well ? fdopen(dup(answers), "r") : NULL;
    const bool answered = in;
    if (answered) {
        read_answers(in, addresses, see, context);
        fclose(in);
    }
    if (questions >= 0)
        close(questions);
    if (answers >= 0)
        close(answers);
    return answered;
}
