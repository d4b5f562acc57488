/* completion.c - what can stand where the tab key was pressed?
 *
 * The program answers itself, from its tables of options and the lists below; so the shells' scripts are a few lines
 * that ask it, and what they offer is always what the program that is called takes. */
#include "cli/completion.h"
#include "model/mechanism/mechanism.h"

#include "cli/annotate/rule.h"
#include "cli/cli.h"
#include "cli/features.h"
#include "base/data_folder.h"
#include "record/start/suite.h"
#include "metrics/metric_layout.h"
#include "metrics/performance.h"
#include "metrics/store/store.h"
#include "model/machine/machine_option.h"
#include "plots/plot.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ offers */

/* The word that is being typed: what stays in front of each offer ("--linkage=", "a,b,"), and what offers are to begin
 * with. */
static struct {
    char front[512];
    const char *typed;
} word;

static void set_word(const char *text, size_t front)
{
    snprintf(word.front, sizeof word.front, "%.*s", (int)front, text);
    word.typed = text + front;
}

static void offer(const char *name, const char *meaning)
{
    if (strncmp(name, word.typed, strlen(word.typed)) != 0)
        return;
    printf("%s%s", word.front, name);
    if (meaning && *meaning)
        printf("\t%.*s", (int)strcspn(meaning, "\n"), meaning);
    putchar('\n');
}

/* ------------------------------------------------------------------------------------------------ lists */

static void offer_commands(void)
{
    size_t n;
    const ws_command *const command = ws_commands(&n);
    for (size_t i = 0; i < n; i++)
        offer(command[i].name, command[i].summary);
}

static void offer_models(void)
{
    for (size_t i = 0; i < WS_MECHANISMS; i++)
        offer(ws_mechanism_rows[i].name, ws_mechanism_rows[i].summary);
}

static void offer_workloads(void)
{
    size_t n;
    const ws_suite_workload *const workload = ws_suite_workloads(&n);
    for (size_t i = 0; i < n; i++)
        offer(workload[i].abbr, workload[i].name);
}

/* Files of a folder of data, without their endings. */
static void offer_data(const char *folder)
{
    char data[PATH_MAX], path[PATH_MAX + 64];
    struct dirent **entry;
    if (ws_data_folder(data, sizeof data))
        return;
    snprintf(path, sizeof path, "%s/%s", data, folder);
    const int n = scandir(path, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char *const end = strrchr(entry[i]->d_name, '.');
        if (end && !strcmp(end, ".ini")) {
            *end = '\0';
            offer(entry[i]->d_name, NULL);
        }
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
}

static void offer_machines(void)
{
    offer_data("configs");
    puts(":files");
}

static void offer_supplies(void)
{
    offer("all", "each of them");
    offer_data("supply");
    puts(":files");
}

static void offer_protocols(void)
{
#define PROTOCOL(identifier, name) offer(name, NULL);
#include "model/coherence/protocols.def"
#undef PROTOCOL
    offer("none", NULL);
}

static void offer_policies(void)
{
#define POLICY(name) offer(#name, NULL);
#include "model/control/policies.def"
#undef POLICY
}

static void offer_linkages(void)
{
#define LINKAGE(name, search, space, update, r_name, meaning) offer(#name, meaning);
#include "cluster/linkage.def"
#undef LINKAGE
}

static void offer_methods(void)
{
    offer_linkages();
#define METHOD(name, function, matrix, weighted, groups, meaning) offer(#name, meaning);
#include "cluster/method.def"
#undef METHOD
}

static void offer_figures(void)
{
    const ws_figure *figure;
    for (size_t i = 0; (figure = ws_figure_at(i)); i++)
        offer(ws_figure_name(figure), ws_figure_summary(figure));
}

static void offer_sets(void)
{
    offer(WS_SET_PERFORMANCE, NULL);
    for (size_t i = 0; ws_cli_sets[i]; i++)
        offer(ws_cli_sets[i], NULL);
}

static void offer_words(const char *const *words)
{
    for (; *words; words++)
        offer(*words, NULL);
}

static void offer_levels(void)
{
    offer_words(ws_per_words);
}

static void offer_missing(void)
{
    offer_words(ws_features_missing);
}

static void offer_actions(void)
{
    offer("list", "the built-in workloads");
    offer("run", "run them and keep their metrics");
}

static void offer_features(void)
{
    for (size_t i = 0; ws_feature_at(i).name; i++)
        offer(ws_feature_at(i).name, ws_feature_at(i).meaning);
}

static void offer_columns(void)
{
    ws_layout layout;
    offer_features();
    if (ws_layout_init("all", &layout))
        return;
    for (size_t i = 0; i < layout.columns; i++)
        offer(layout.column[i].name, layout.column[i].unit);
    ws_layout_fini(&layout);
}

static void offer_explained(void)
{
    offer_columns();
    for (unsigned r = 0; r < WS_RULES; r++)
        offer(ws_rule_table[r].name, "a rule of warpscape summary");
}

/* Groups of columns, each once; those of one group stand together. */
static void offer_groups(void)
{
    ws_layout layout;
    const char *last = "";
    if (ws_layout_init("all", &layout))
        return;
    for (size_t i = 0; i < layout.columns; i++)
        if (strcmp(layout.column[i].group, last) != 0)
            offer(last = layout.column[i].group, NULL);
    ws_layout_fini(&layout);
}

/* "l1.ways=", of the parts that every machine has. */
static void offer_machine_options(void)
{
    const ws_machine_option *row;
    char option[64];
    for (size_t i = 0; (row = ws_machine_option_row(i)); i++) {
        snprintf(option, sizeof option, "%s.%s=", row->section, row->option.name);
        offer(option, row->option.meaning);
    }
}

static void offer_changes(void)
{
    offer_machine_options();
    offer_machines();
}

static void offer_runnable(void)
{
    offer_workloads();
    puts(":files");
}

/* ------------------------------------------------------------------------------------------------ options */

/* What an option of the command takes: the text of its help, NULL for nothing. *name: its long name, "" when it has
 * none. */
static const char *taken_by(const struct argp *argp, const char *given, size_t length, const char **name)
{
    const bool is_long = !strncmp(given, "--", 2);
    const struct argp_option *first = NULL; /* of an option and its aliases */
    for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++) {
        first = first && o->flags & OPTION_ALIAS ? first : o;
        const bool same = is_long ? o->name && strlen(o->name) == length - 2 && !strncmp(o->name, given + 2, length - 2)
                                  : length == 2 && o->key == given[1];
        if (!same || o->flags & OPTION_DOC)
            continue;
        *name = first->name ? first->name : "";
        return first->flags & OPTION_ARG_OPTIONAL && !is_long ? NULL : first->arg;
    }
    for (const struct argp_child *c = argp->children; c && c->argp; c++) {
        const char *const taken = taken_by(c->argp, given, length, name);
        if (taken)
            return taken;
    }
    return NULL;
}

static void offer_options(const struct argp *argp)
{
    char text[128];
    for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++) {
        if (o->flags & (OPTION_HIDDEN | OPTION_DOC))
            continue;
        if (o->name) {
            snprintf(text, sizeof text, "--%s%s", o->name, o->arg && !(o->flags & OPTION_ARG_OPTIONAL) ? "=" : "");
            offer(text, o->doc);
        }
        if (o->key > 0 && o->key < 256 && isprint(o->key) && strncmp(word.typed, "--", 2) != 0) {
            snprintf(text, sizeof text, "-%c", o->key);
            offer(text, o->doc);
        }
    }
    for (const struct argp_child *c = argp->children; c && c->argp; c++)
        offer_options(c->argp);
}

/* Words of "tiny|small|study"; false when it is something else. */
static bool offer_bars(const char *argument)
{
    char one[64];
    if (!strchr(argument, '|') || strpbrk(argument, "ABCDEFGHIJKLMNOPQRSTUVWXYZ="))
        return false;
    for (const char *at = argument; *at; at += strspn(at, "|")) {
        const size_t n = strcspn(at, "|");
        snprintf(one, sizeof one, "%.*s", (int)n, at);
        offer(one, NULL);
        at += n;
    }
    return true;
}

/* The rows of completion.def, in their order. */
static bool is_of(const char *row, const char *command)
{
    return !*row || !strcmp(row, command);
}

static bool offer_row(const char *command, const char *option, const char *argument)
{
#define TAKES(name, list) \
    if (!strcmp(argument, name)) \
        return offer_##list(), true;
#define OPTION(of, name, list) \
    if (is_of(of, command) && !strcmp(option, name)) \
        return offer_##list(), true;
#define PLACE(of, number, list)
#include "cli/completion.def"
#undef TAKES
#undef OPTION
#undef PLACE
    return false;
}

static bool offer_place(const char *command, int place)
{
#define TAKES(name, list)
#define OPTION(of, name, list)
#define PLACE(of, number, list) \
    if (!strcmp(of, command) && ((number) == place || !(number))) \
        return offer_##list(), true;
#include "cli/completion.def"
#undef TAKES
#undef OPTION
#undef PLACE
    return false;
}

/* The value of an option. Of a list the last element is completed. */
static void offer_value(const char *command, const char *option, const char *argument, const char *text, size_t front)
{
    const char *const comma = strstr(argument, ",...") ? strrchr(text + front, ',') : NULL;
    set_word(text, comma ? (size_t)(comma + 1 - text) : front);
    if (offer_row(command, option, argument) || offer_bars(argument))
        return;
    if (strstr(argument, "FILE") || strstr(argument, "FRAME"))
        puts(":files");
    else if (!strcmp(argument, "DIR") || !strcmp(argument, "FOLDER"))
        puts(":folders");
}

/* ------------------------------------------------------------------------------------------------ words */

/* Counts the arguments that are no options and no values of such, up to the last word; -1: behind "--" or another
 * program's name. */
static int count_places(const struct argp *argp, int argc, char **argv, bool in_order)
{
    int places = 0;
    for (int i = 1; i < argc - 1; i++) {
        const char *name;
        if (!strcmp(argv[i], "--") || (in_order && argv[i][0] != '-'))
            return -1;
        if (argv[i][0] != '-' || !argv[i][1])
            places++;
        else if (!strchr(argv[i], '=') && taken_by(argp, argv[i], strlen(argv[i]), &name))
            i++;
    }
    return places;
}

/* A command's part, from its table of options; argv[0] is "warpscape COMMAND". */
static void complete_command(const struct argp *argp, int argc, char **argv, bool in_order)
{
    const char *const blank = strchr(argv[0], ' '), *const command = blank ? blank + 1 : argv[0];
    if (argc < 2) { /* the name of a model is the word */
        set_word(strrchr(command, ' ') ? strrchr(command, ' ') + 1 : command, 0);
        offer(word.typed, NULL);
        return;
    }
    const int places = count_places(argp, argc, argv, in_order);
    const char *const text = argv[argc - 1], *const before = argc > 2 ? argv[argc - 2] : "", *name = "", *taken;
    const char *const equals = !strncmp(text, "--", 2) ? strchr(text, '=') : NULL;
    set_word(text, 0);
    if (places >= 0 && equals && (taken = taken_by(argp, text, (size_t)(equals - text), &name)))
        offer_value(command, name, taken, text, (size_t)(equals + 1 - text));
    else if (places >= 0 && before[0] == '-' && !strchr(before, '=') &&
             (taken = taken_by(argp, before, strlen(before), &name)))
        offer_value(command, name, taken, text, 0);
    else if (places >= 0 && text[0] == '-' && text[1]) {
        offer_options(argp);
        offer("--help", "this command's help");
    } else if (places < 0 || !offer_place(command, places + 1))
        puts(":files");
}

int ws_complete(int argc, char **argv)
{
    char name[64];
    ws_options_complete = complete_command;
    set_word(argc ? argv[argc - 1] : "", 0);
    if (argc < 2) {
        offer_commands();
        offer("help", "description of a command and its options");
        offer("--version", NULL);
        offer("--help", NULL);
        return EXIT_SUCCESS;
    }
    if (!strcmp(argv[0], "help"))
        return offer_place("help", argc - 1), EXIT_SUCCESS;
    const ws_command *const command = ws_command_find(argv[0]);
    if (!command)
        return EXIT_SUCCESS;
    snprintf(name, sizeof name, "warpscape %s", command->name);
    argv[0] = name;
    command->run(argc, argv);
    return EXIT_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ scripts */

#define SCRIPT(shell) \
    __asm__(".pushsection .rodata\n.global ws_completion_" #shell "\nws_completion_" #shell \
            ":\n.incbin \"cli/completion." #shell "\"\n.byte 0\n.popsection\n"); \
    extern const char ws_completion_##shell[];
SCRIPT(bash)
SCRIPT(zsh)
SCRIPT(fish)

bool ws_completion_script(const char *shell)
{
    static const struct {
        const char *shell, *script;
    } scripts[] = {{"bash", ws_completion_bash}, {"zsh", ws_completion_zsh}, {"fish", ws_completion_fish}};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (!strcmp(shell, scripts[i].shell)) {
            fputs(scripts[i].script, stdout);
            return true;
        }
    return false;
}
