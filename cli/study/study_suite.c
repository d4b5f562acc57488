/* study_suite.c - runs the workloads that a study needs. */
#include "base/status.h"
#include "cli/study/study.h"

#include <stdlib.h>
#include <string.h>

int ws_study_run_suite(ws_study *s, const ws_suite_request *request)
{
    const int status = ws_suite_run(request);
    if (status != WS_EVERIFY)
        return status;
    free(s->failure);
    s->failure = strdup(ws_message());
    return s->failure ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}
