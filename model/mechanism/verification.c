/* verification.c - see verification.h. */
#include "model/mechanism/verification.h"

#include "base/status.h"
#include "model/machine/machine_declared.h"
#include "model/machine/machine_choice.h"
#include "model/mechanism/trace_walk.h"

#include <stdlib.h>

typedef struct visitor {
    const ws_verifier *verifier;
    ws_verification *v;
} visitor;

static int visit(void *context, ws_trace *trace, const char *workload, double done)
{
    const visitor *const to = context;
    to->v->done = done;
    return to->verifier->trace(to->v, trace, workload);
}

static int read_machine(const ws_verifier *verifier, ws_verification *v)
{
    const int status = ws_machine_choose(&(ws_machine_choice){.config = v->request->config}, &v->machine);
    return status ? status
                  : ws_frame_note(v->notes, "machine: %s%s", ws_machine_name(v->machine),
                                  verifier->remark ? verifier->remark : "");
}

int ws_verification_require_rows(ws_verification *v)
{
    return v->ledger.frame->rows ? WS_OK : ws_fail(WS_ENOTFOUND, "no launch in the traces");
}

int ws_verification_run(const ws_verifier *verifier, const ws_verify_request *request, ws_verification *v)
{
    visitor to = {verifier, v};
    const ws_trace_walk walk = {
        .files = request->traces, .bar = &v->bar, .whole = verifier->whole, .visit = visit, .context = &to};
    *v = (ws_verification){.request = request,
                           .notes = ws_frame_create(0, 0, 1, NULL),
                           .state = calloc(1, verifier->state_bytes ? verifier->state_bytes : 1)};
    int status = v->notes && v->state ? ws_ledger_init(&v->ledger, verifier->labels, verifier->load)
                                      : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = read_machine(verifier, v);
    if (!status && verifier->open)
        status = verifier->open(v);
    ws_progress_begin(&v->bar);
    if (!status && verifier->trace)
        status = ws_trace_walk_run(&walk);
    ws_progress_end(&v->bar);
    if (!status && verifier->finish)
        status = verifier->finish(v);
    return status;
}

void ws_verification_fini(const ws_verifier *verifier, ws_verification *v)
{
    if (v->state && verifier->close)
        verifier->close(v);
    free(v->state);
    ws_ledger_fini(&v->ledger);
    ws_frame_destroy(v->notes);
    ws_machine_destroy(v->machine);
}
