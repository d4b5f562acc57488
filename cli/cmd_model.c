/* cmd_model.c - `warpscape model`: hands over to the model that is named. */
#include "cli/cli.h"
#include "cli/model.h"

#include "base/guess.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} models[] = {
#define MODEL(name, summary) {#name, summary, ws_model_##name},
#include "cli/models.def"
#undef MODEL
};
enum { MODELS = sizeof models / sizeof models[0] };

int ws_model_run(const ws_predictor *model, const void *request, ws_traces_asked *traces, int argc, char **argv)
{
    ws_prediction_run r = {0};
    ws_interrupts_catch();
    int status = traces ? traces->failed : WS_OK;
    if (!status)
        status = ws_prediction_run_begin(model, request, traces ? &traces->files : NULL, &r);
    if (!status)
        status = ws_cli_print_frame(r.frame, r.notes, argc, argv);
    if (!status && model->judge)
        status = model->judge(&r);
    ws_prediction_run_fini(model, &r);
    if (traces)
        ws_trace_files_free(&traces->files);
    return status;
}

static void refuse_model(const struct argp_state *state, const char *name)
{
    ws_guess guess = ws_guess_of(name);
    for (size_t i = 0; i < MODELS; i++)
        ws_guess_see(&guess, models[i].name);
    if (guess.best)
        argp_error(state, "there is no model '%s'; did you mean '%s'?", name, guess.best);
    else
        argp_error(state, "there is no model '%s'", name);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_ARG:
        refuse_model(state, arg);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which model?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static char *list_models(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)(uintptr_t)text;
    char *list = NULL;
    size_t size;
    FILE *const out = open_memstream(&list, &size);
    if (!out)
        return NULL;
    fputs("Models:\n", out);
    for (size_t i = 0; i < MODELS; i++)
        fprintf(out, "  %-10s  %s\n", models[i].name, models[i].summary);
    fputs("\n`warpscape model NAME --help' says what a model takes.\n\nExample:\n  warpscape model roofline --roofs "
          "--config rtx3090 --format table",
          out);
    return fclose(out) ? NULL : list;
}

static const struct argp argp = {
    .parser = parse,
    .args_doc = "NAME [OPTION...]",
    .doc = "Predicts what a machine would do, without simulating it.\v",
    .help_filter = list_models,
};

int ws_cmd_model(int argc, char **argv)
{
    for (size_t i = 0; i < MODELS && argc > 1; i++)
        if (!strcmp(argv[1], models[i].name)) {
            char name[64];
            snprintf(name, sizeof name, "%s %s", argv[0], models[i].name);
            argv[1] = name;
            const int status = models[i].run(argc - 1, argv + 1);
            argv[1] = (char *)(uintptr_t)models[i].name;
            return status;
        }
    ws_cli_parse(&argp, argc, argv, NULL);
    return WS_OK;
}
