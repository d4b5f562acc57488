/* study_claims.c - the claims of the study, data/claims/study.ini, judged by the frames of the report. */
#include "base/data_folder.h"
#include "base/status.h"
#include "cli/claims/claims.h"
#include "cli/study/study.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ws_study_find_claims(ws_study *s)
{
    char folder[PATH_MAX];
    const int status = ws_data_folder(folder, sizeof folder);
    if (status)
        return status;
    if (asprintf(&s->claims_file, "%s/claims/study.ini", folder) < 0) {
        s->claims_file = NULL;
        return ws_fail(WS_EMEM, "out of memory");
    }
    return access(s->claims_file, R_OK) ? ws_fail(WS_ENOTFOUND, "%s: %s", s->claims_file, strerror(errno)) : WS_OK;
}

int ws_study_judge(ws_study *s)
{
    char *matrix;
    if (asprintf(&matrix, "%s/frames/study.csv", s->directory) < 0)
        return ws_fail(WS_EMEM, "out of memory");
    const ws_claims_path path = {"", matrix};
    int status = ws_claims_open(s->claims_file, &path, 1, &s->claims);
    if (!status)
        status = ws_claims_judge_part(s->claims);
    free(matrix);
    return status;
}

void ws_study_drop_claims(ws_study *s)
{
    ws_claims_destroy(s->claims);
    free(s->claims_file);
}

int ws_study_write_claims(const void *context, FILE *out)
{
    const ws_study *const s = context;
    ws_claims_write_verdicts(s->claims, out);
    return ferror(out) ? ws_fail(WS_EIO, "cannot write the claims") : WS_OK;
}
