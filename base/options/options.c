/* options.c - how do commands read options and the numbers in them? */
#include "base/options/options.h"

#include "base/guess.h"
#include "base/misused.h"
#include "base/output.h"
#include "base/source_file.h"
#include "base/status.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

ws_options_completer *ws_options_complete;

enum { KEY_PRIVATE = 0x5000, KEY_SOURCES }; /* no command has them */

static void list_options(const struct argp *argp)
{
    for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++) {
        if (o->flags & (OPTION_HIDDEN | OPTION_DOC))
            continue;
        if (o->name)
            printf("--%s%s\n", o->name, o->arg && !(o->flags & OPTION_ARG_OPTIONAL) ? "=" : "");
        if (o->key > 0 && o->key < 256 && isprint(o->key))
            printf("-%c\n", o->key);
    }
    for (const struct argp_child *c = argp->children; c && c->argp; c++)
        list_options(c->argp);
}

/* "--scale tiny|small|study": what each option takes, for completion; an option of two names has two lines. */
static void list_arguments(const struct argp *argp)
{
    const char *taken = NULL; /* an alias has the argument of the option before it */
    for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++) {
        taken = o->flags & OPTION_ALIAS ? taken : o->arg;
        if (o->flags & (OPTION_HIDDEN | OPTION_DOC) || !taken)
            continue;
        if (o->name)
            printf("--%s %s\n", o->name, taken);
        if (o->key > 0 && o->key < 256 && isprint(o->key))
            printf("-%c %s\n", o->key, taken);
    }
    for (const struct argp_child *c = argp->children; c && c->argp; c++)
        list_arguments(c->argp);
}

/* Whether some long option begins with these letters; shows all of them to the guess. */
static bool has_option(const struct argp *argp, const char *text, size_t length, ws_guess *guess)
{
    bool found = false;
    for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++) {
        if (!o->name || o->flags & OPTION_DOC)
            continue;
        ws_guess_see(guess, o->name);
        found = found || !strncmp(o->name, text, length);
    }
    for (const struct argp_child *c = argp->children; c && c->argp; c++)
        found = has_option(c->argp, text, length, guess) || found;
    return found;
}

/* A long option that is none, and is like one, is answered with that; argp says of others that they are unknown. */
static void guess_options(const struct argp *argp, int argc, char **argv, bool in_order)
{
    static const char *const argp_own[] = {"help", "usage", "program-name", "HANG", "version"};
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
        const size_t length = strncmp(argv[i], "--", 2) ? 0 : strcspn(argv[i] + 2, "=");
        char text[64];
        if (!length && in_order && argv[i][0] != '-')
            return;
        if (!length || length >= sizeof text)
            continue;
        snprintf(text, sizeof text, "%.*s", (int)length, argv[i] + 2);
        bool own = false;
        for (size_t k = 0; k < sizeof argp_own / sizeof *argp_own; k++)
            own = own || !strncmp(argp_own[k], text, length);
        ws_guess guess = ws_guess_of(text);
        if (own || has_option(argp, text, length, &guess) || !guess.best)
            continue;
        fprintf(stderr,
                "%s: unrecognized option '--%s'; did you mean '--%s'?\nTry `%s --help' or `%s --usage' for more "
                "information.\n",
                argv[0], text, guess.best, argv[0], argv[0]);
        exit(WS_MISUSED);
    }
}

static void parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input)
{
    if (argc == 2 && !strcmp(argv[1], "--list-options")) {
        list_options(argp);
        exit(EXIT_SUCCESS);
    }
    if (argc == 2 && !strcmp(argv[1], "--list-arguments")) {
        list_arguments(argp);
        exit(EXIT_SUCCESS);
    }
    if (ws_options_complete) {
        ws_options_complete(argp, argc, argv, flags & ARGP_IN_ORDER);
        exit(EXIT_SUCCESS);
    }
    guess_options(argp, argc, argv, flags & ARGP_IN_ORDER);
    const error_t error = argp_parse(argp, argc, argv, flags, NULL, input);
    if (error) { /* parsers of ours return nothing but ARGP_ERR_UNKNOWN, which argp reports itself */
        fprintf(stderr, "%s: %s\n", argv[0], strerror(error));
        exit(WS_MISUSED);
    }
}

/* What the command starts inherits it. */
static error_t parse_private(int key, char *arg, struct argp_state *state)
{
    (void)arg;
    if (key != KEY_PRIVATE)
        return ARGP_ERR_UNKNOWN;
    if (setenv("WARPSCAPE_PRIVATE", "1", 1))
        argp_failure(state, EXIT_FAILURE, errno, "--private");
    return 0;
}

char *ws_argp_output(const struct argp_state *state, char *path)
{
    if (ws_output_check(path))
        argp_failure(state, EXIT_FAILURE, 0, "%s", ws_message());
    return path;
}

char *ws_argp_output_beside(const struct argp_state *state, const char *option, char *path, const char *printed)
{
    if (!strcmp(path, "-"))
        argp_error(state, "%s needs a file; %s go to standard output", option, printed);
    return ws_argp_output(state, path);
}

void ws_argp_sources(const struct argp_state *state, const char *folder)
{
    if (ws_source_folder_add(folder))
        argp_error(state, "--sources: %s", ws_message());
}

static error_t parse_sources(int key, char *arg, struct argp_state *state)
{
    if (key != KEY_SOURCES)
        return ARGP_ERR_UNKNOWN;
    ws_argp_sources(state, arg);
    return 0;
}

static const struct argp_option sources_options[] = {
    {"sources", KEY_SOURCES, "DIR", 0,
     "folder whose source files may be read, besides the current one and that of what is run; may be repeated", -2},
    {0}};
static const struct argp sources_argp = {.options = sources_options, .parser = parse_sources};

static const struct argp_option private_options[] = {
    {"private", KEY_PRIVATE, NULL, 0, "make files and folders that nobody else can read [as umask says]", -2}, {0}};
const struct argp ws_argp_private = {.options = private_options, .parser = parse_private};
const struct argp_child ws_argp_writes[] = {{&ws_argp_private, 0, NULL, 0}, {0}};
const struct argp_child ws_argp_writes_and_sources[] = {
    {&ws_argp_private, 0, NULL, 0}, {&sources_argp, 0, NULL, 0}, {0}};

void ws_argp_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    parse(argp, argc, argv, 0, input);
}

void ws_argp_parse_in_order(const struct argp *argp, int argc, char **argv, void *input)
{
    parse(argp, argc, argv, ARGP_IN_ORDER, input);
}

uint64_t ws_argp_u64(const struct argp_state *state, const char *what, const char *text, uint64_t least, uint64_t most)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || errno || value < least || value > most) {
        if (most == UINT64_MAX)
            argp_error(state, "%s needs a whole number from %" PRIu64 " on, not '%s'", what, least, text);
        else
            argp_error(state, "%s needs a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'", what, least, most,
                       text);
    }
    return value;
}

double ws_argp_double(const struct argp_state *state, const char *what, const char *text, double least, double most)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value >= least && value <= most)) {
        if (isinf(most))
            argp_error(state, "%s needs a number from %g on, not '%s'", what, least, text);
        else
            argp_error(state, "%s needs a number from %g to %g, not '%s'", what, least, most, text);
    }
    return value;
}

size_t ws_argp_choice(const struct argp_state *state, const char *what, const char *text, const char *const *words)
{
    char list[512] = "";
    for (size_t i = 0; words[i]; i++) {
        if (!strcmp(words[i], text))
            return i;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", !i ? "" : words[i + 1] ? ", " : " or ", words[i]);
    }
    argp_error(state, "%s needs %s, not '%s'", what, list, text);
    return 0;
}

void ws_argp_sizes(const struct argp_state *state, const char *what, const char *text, ws_sizes *out)
{
    enum { MOST_SIZE = 1000000 };
    char *copy = strdup(text), *rest = copy;
    out->sizes = 0;
    for (char *word; rest && (word = strsep(&rest, ","));) {
        if (out->sizes == WS_SIZES_MOST)
            argp_error(state, "%s takes %d sizes at most", what, WS_SIZES_MOST);
        out->size[out->sizes++] = ws_argp_u64(state, what, word, 1, MOST_SIZE);
    }
    free(copy);
}

/* Drops the notes with that key. */
static void drop_notes(ws_frame *frame, const char *key)
{
    const size_t length = strlen(key);
    size_t kept = 0;
    for (size_t i = 0; i < frame->notes; i++) {
        if (!strncmp(frame->note[i], key, length) && frame->note[i][length] == ':')
            free(frame->note[i]);
        else
            frame->note[kept++] = frame->note[i];
    }
    frame->notes = kept;
}

/* Appends one argument the way a shell would take it. */
static void append_quoted(char *line, size_t size, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%^";
    const size_t used = strlen(line);
    const bool quote = !*word || word[strspn(word, plain)];
    snprintf(line + used, size - used, quote ? " '%s'" : " %s", word);
}

int ws_options_sign_frame(ws_frame *frame, int argc, char **argv)
{
    char line[1024];
    snprintf(line, sizeof line, "%s", argv[0]);
    for (int i = 1; i < argc; i++)
        append_quoted(line, sizeof line, argv[i]);
    for (char *c = line; *c; c++) {
        if ((unsigned char)*c < ' ')
            *c = ' ';
    }
    drop_notes(frame, "tool");
    drop_notes(frame, "command");
    const int status = ws_frame_note(frame, "tool: warpscape %s", WS_VERSION);
    return status ? status : ws_frame_note(frame, "command: %s", line);
}

int ws_options_print_frame(ws_frame *frame, const ws_frame *notes, int argc, char **argv)
{
    int status = ws_options_sign_frame(frame, argc, argv);
    if (!status)
        status = ws_frame_add_notes(frame, notes);
    return status ? status : ws_frame_write(frame, stdout);
}
