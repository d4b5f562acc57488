/* cmd_model.c - `warpscape model`: hands over to the model that is named. */
#include "cli/cli.h"
#include "base/options/frame_output.h"
#include "model/mechanism/mechanism.h"

#include "base/guess.h"

#include <stdlib.h>
#include <string.h>

/* As the request says, where its options are about that. */
static int print_frame(const ws_mechanism *m, void *request, const ws_prediction_run *r)
{
    const ws_frame_output *const how = ws_options_child(m->options, &ws_frame_output_argp, request);
    if (!how)
        return ws_options_print_frame(r->frame, r->notes, r->argc, r->argv);
    const int status = ws_frame_add_notes(r->frame, r->notes);
    return status ? status : ws_frame_output_print(how, r->frame, r->argc, r->argv);
}

/* Runs the model for the request, and prints its frame. */
static int run_request(const ws_mechanism *m, void *request, ws_traces_asked *traces, int argc, char **argv)
{
    ws_prediction_run r = {0};
    int status = traces ? traces->failed : WS_OK;
    if (!status)
        status = ws_prediction_run_begin(&m->model, request, traces ? &traces->files : NULL, argc, argv, &r);
    if (!status && r.frame)
        status = print_frame(m, request, &r);
    if (!status && m->model.judge)
        status = m->model.judge(&r);
    ws_prediction_run_fini(&m->model, &r);
    return status;
}

static int run_mechanism(const ws_mechanism *m, int argc, char **argv)
{
    char *const request = malloc(m->asked_bytes);
    if (!request)
        return ws_fail(WS_EMEM, "out of memory");
    memcpy(request, m->asked, m->asked_bytes);
    ws_options_parse(m->options, argc, argv, request);
    if (m->complete)
        m->complete(request);
    ws_interrupts_catch();
    ws_traces_asked *const traces = m->traces < 0 ? NULL : (void *)(request + m->traces);
    const int status = run_request(m, request, traces, argc, argv);
    if (traces)
        ws_trace_files_free(&traces->files);
    free(request);
    return status;
}

static void refuse_model(const struct argp_state *state, const char *name)
{
    ws_guess guess = ws_guess_of(name);
    for (size_t i = 0; i < WS_MECHANISMS; i++)
        ws_guess_see(&guess, ws_mechanism_rows[i].name);
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
    for (size_t i = 0; i < WS_MECHANISMS; i++)
        fprintf(out, "  %-10s  %s\n", ws_mechanism_rows[i].name, ws_mechanism_rows[i].summary);
    fputs("\n`warpscape model NAME --help' lists the options of a model.\n\nExample:\n  warpscape model roofline "
          "--roofs --config rtx3090 --format table",
          out);
    return fclose(out) ? NULL : list;
}

static const struct argp argp = {
    .parser = parse,
    .args_doc = "NAME [OPTION...]",
    .doc = "Predicts the behaviour of a machine without simulation.\v",
    .help_filter = list_models,
};

WS_COMMAND(model)
{
    for (size_t i = 0; i < WS_MECHANISMS && argc > 1; i++) {
        const ws_mechanism_row *const row = &ws_mechanism_rows[i];
        if (strcmp(argv[1], row->name) != 0)
            continue;
        char name[64];
        snprintf(name, sizeof name, "%s %s", argv[0], row->name);
        argv[1] = name;
        const int status = run_mechanism(row->is, argc - 1, argv + 1);
        argv[1] = (char *)(uintptr_t)row->name;
        return status;
    }
    ws_argp_parse(&argp, argc, argv, NULL);
    return WS_OK;
}
