/* suite_table.c - which workloads are there, and which of them did the user mean? */
#include "record/start/suite.h"

#include <ctype.h>
#include <string.h>

#define SUITE_S  "CUDA SDK"
#define SUITE_R  "Rodinia"
#define SUITE_P  "Parboil"
#define SUITE_T  "third party"
#define SUITE_C  "coherence"
#define SUITE_D  "divergence"
#define SUITE_E  "sharing"
#define SUITE_F  "sharing"
#define SUITE_G  "synchronization"
#define SUITE_H  "barriers"
#define SUITE_I  "reuse"
#define SUITE_J  "drawn"
#define GROUP_S  WS_SUITE_USUAL
#define GROUP_R  WS_SUITE_USUAL
#define GROUP_P  WS_SUITE_USUAL
#define GROUP_T  WS_SUITE_USUAL
#define GROUP_C  WS_SUITE_WAITING
#define GROUP_D  WS_SUITE_DIVERGENCE
#define GROUP_E  WS_SUITE_SHARING
#define GROUP_F  WS_SUITE_SHARING | WS_SUITE_WAITING
#define GROUP_G  WS_SUITE_SYNCHRONIZATION
#define GROUP_H  WS_SUITE_BARRIERS | WS_SUITE_WAITING
#define GROUP_I  WS_SUITE_REUSE
#define GROUP_J  WS_SUITE_DRAWN | WS_SUITE_WAITING
#define SHARED_Y true
#define SHARED_N false
static const ws_suite_workload workloads[] = {
#define WORKLOAD(abbr, folder, name, suite, kernels, shared, tiny, small, study, description) \
    {#abbr, name, SUITE_##suite, kernels, SHARED_##shared, GROUP_##suite, {tiny, small, study}, description},
#include "data/workloads/workloads.def"
#undef WORKLOAD
};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };
_Static_assert((int)WORKLOADS <= (int)WS_SUITE_MOST, "marks of the workloads have room for all");

static const ws_study_member members[] = {
#define STUDY(abbr, threads, intensity) {#abbr, threads, intensity},
#define BESIDE(abbr)
#include "data/workloads/study.def"
#undef STUDY
#undef BESIDE
};

static const char *const beside[] = {
#define STUDY(abbr, threads, intensity)
#define BESIDE(abbr) #abbr,
#include "data/workloads/study.def"
#undef STUDY
#undef BESIDE
};

const char *const ws_suite_scales[] = {"tiny", "small", "study", NULL};

const ws_suite_workload *ws_suite_workloads(size_t *n)
{
    *n = WORKLOADS;
    return workloads;
}

bool ws_suite_is_of(const ws_suite_workload *workload, ws_suite_group group)
{
    return group ? (workload->groups & group) != 0 : !workload->groups;
}

const ws_suite_workload *ws_suite_find(const char *abbr)
{
    for (size_t i = 0; i < WORKLOADS; i++) {
        if (!strcmp(workloads[i].abbr, abbr))
            return &workloads[i];
    }
    return NULL;
}

const ws_study_member *ws_study_find(const char *abbr)
{
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (!strcmp(members[i].abbr, abbr))
            return &members[i];
    }
    return NULL;
}

bool ws_study_has(const char *abbr)
{
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        if (!strcmp(beside[i], abbr))
            return true;
    }
    return ws_study_find(abbr) != NULL;
}

const ws_study_member *ws_study_members(size_t *n)
{
    *n = sizeof members / sizeof *members;
    return members;
}

/* Whether one typing error (a letter too many, too few or wrong) makes the one word of the other, in any case. */
static bool is_one_error_off(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    while (m && n && toupper((unsigned char)*a) == toupper((unsigned char)*b)) {
        a++, b++;
        m--, n--;
    }
    while (m && n && toupper((unsigned char)a[m - 1]) == toupper((unsigned char)b[n - 1]))
        m--, n--;
    return m <= 1 && n <= 1;
}

/* Whether the user may have meant this one. */
static bool is_close(const ws_suite_workload *w, const char *text)
{
    return is_one_error_off(text, w->abbr) || (strlen(text) >= 3 && strcasestr(w->name, text));
}

static void refuse_workload(const struct argp_state *state, const char *text)
{
    char close[8 * WS_SUITE_MOST] = "", all[8 * WS_SUITE_MOST] = "";
    for (size_t i = 0; i < WORKLOADS; i++) {
        char *const list = is_close(&workloads[i], text) ? close : all;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof close - used, "%s%s", used ? ", " : "", workloads[i].abbr);
    }
    if (*close)
        argp_error(state, "there is no workload '%s'; did you mean %s?", text, close);
    else
        argp_error(state, "there is no workload '%s'; there are %s", text, all);
}

void ws_suite_want(const struct argp_state *state, const char *text, bool *wanted)
{
    for (size_t i = 0; i < WORKLOADS; i++) {
        if (!strcasecmp(workloads[i].abbr, text)) {
            wanted[i] = true;
            return;
        }
    }
    refuse_workload(state, text);
}
