/* model_chameleon.c - `warpscape model chameleon`: which mode of power management when, and what do those gain who
 * learn? */
#include "base/interrupt.h"
#include "base/misused.h"
#include "base/options/options.h"
#include "base/progress.h"
#include "base/status.h"
#include "model/mechanism/chameleon/chameleon_options.h"
#include "model/mechanism/mechanism.h"

#include <stdlib.h>

/* Rides on ws_experiment.context. */
typedef struct session {
    ws_progress progress;
    ws_chameleon_record *record; /* of the only run; NULL: nobody wants one */
} session;

static int show_progress(void *context, double done)
{
    session *const s = context;
    ws_progress_show(&s->progress, "driving", done);
    return ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted") : WS_OK;
}

static int watch(void *context, const ws_drive_period *period, const ws_wear *wear)
{
    session *const s = context;
    return ws_chameleon_record_see(s->record, period, wear);
}

static int save(ws_frame *frame, const char *path, int argc, char **argv)
{
    const int status = ws_cli_sign(frame, argc, argv);
    return status || !path ? status : ws_frame_save(frame, path);
}

static int print(ws_frame *frame, int argc, char **argv)
{
    const int status = ws_cli_sign(frame, argc, argv);
    return status ? status : ws_frame_write(frame, stdout);
}

/* Timeline and learning of the only run, then figures. */
static int show_record(const ws_chameleon *c, const session *s, ws_chameleon_pictures *pictures, int argc, char **argv)
{
    ws_frame *timeline = NULL, *learning = NULL;
    int status = WS_OK;
    if (s->record) {
        status = ws_chameleon_timeline(s->record, &timeline);
        if (!status)
            status = save(timeline, c->request->timeline, argc, argv);
        if (!status)
            status = ws_chameleon_learning(s->record, &learning);
        if (!status)
            status = save(learning, c->request->learning, argc, argv);
    }
    pictures->timeline = timeline;
    pictures->learning = learning;
    if (!status && c->request->directory)
        status = ws_chameleon_draw(c, pictures);
    ws_frame_destroy(timeline);
    ws_frame_destroy(learning);
    return status;
}

static int run(const ws_chameleon *c, session *s, int argc, char **argv)
{
    const ws_chameleon_request *const r = c->request;
    ws_experiment e = ws_chameleon_experiment(c);
    ws_experiment_result result = {0};
    ws_frame *frame = NULL;
    int status = WS_OK;
    if ((r->timeline || r->learning) && !ws_chameleon_is_one(c))
        return ws_fail(WS_MISUSED,
                       "--timeline and --learning are of one run: one --supply, one --workload, one --policy");
    if (r->timeline || r->learning || (r->directory && ws_chameleon_is_one(c))) {
        e.watch = watch;
        status = ws_chameleon_record_create(c, &s->record);
    }
    e.progress = show_progress;
    e.context = s;
    if (!status)
        status = ws_experiment_run(&e, &result);
    ws_progress_end(&s->progress);
    if (!status)
        status = ws_chameleon_frame(c, &result, r->per, &frame);
    if (!status)
        status = show_record(c, s, &(ws_chameleon_pictures){.result = &result}, argc, argv);
    if (!status)
        status = print(frame, argc, argv);
    ws_frame_destroy(frame);
    ws_experiment_fini(&result);
    return status;
}

static int run_sensitivity(const ws_chameleon *c, session *s, int argc, char **argv)
{
    ws_frame *frame = NULL;
    int status = ws_chameleon_sensitivity(c, show_progress, s, &frame);
    ws_progress_end(&s->progress);
    if (!status && c->request->directory)
        status = ws_chameleon_draw(c, &(ws_chameleon_pictures){.sensitivity = frame});
    if (!status)
        status = print(frame, argc, argv);
    ws_frame_destroy(frame);
    return status;
}

static int run_command(int argc, char **argv)
{
    ws_chameleon_request request;
    ws_chameleon_parse(argc, argv, &request);
    if (request.list)
        return ws_chameleon_list(&request);
    if (request.options)
        return ws_chameleon_list_options(&request);
    ws_interrupts_catch();
    ws_chameleon *const c = calloc(1, sizeof *c);
    session s = {0};
    int status = c ? ws_chameleon_open(&request, c) : ws_fail(WS_EMEM, "out of memory");
    ws_progress_begin(&s.progress);
    if (!status)
        status = request.sensitivity ? run_sensitivity(c, &s, argc, argv) : run(c, &s, argc, argv);
    ws_chameleon_record_destroy(s.record);
    if (c)
        ws_chameleon_close(c);
    free(c);
    return status;
}

const ws_mechanism ws_mechanism_chameleon = {.run = run_command};
