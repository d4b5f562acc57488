/* study_clock_claims.c - what the study found with a clock, in memory and on the networks: does it come out here too?
 *
 * N. Goswami, "Power Performance Co-Optimization of Throughput Architecture Using Emerging Technologies" (2013), table
 * 3-4 and section 3.2. Traffic is that of the baseline. The rules stand beside the claims. */
#include "base/status.h"
#include "cli/study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BASELINE = 1, TEXT_BYTES = 640, UP = 0, DOWN = 1 };

/* A direction stalls when its nodes wait to send in so large a part of the time, in the mean. */
static const double STALLS = 0.05;

static const char *judge(bool same)
{
    return same ? "yes" : "no";
}

static double value_of(const ws_study *s, size_t workload, const char *column)
{
    const long at = ws_frame_find_column(s->simulated, column);
    const size_t row = BASELINE * s->matrix->rows + workload;
    return at < 0 ? NAN : s->simulated->value[row * s->simulated->columns + (size_t)at];
}

static const char *name_of(const ws_study *s, size_t workload)
{
    return s->matrix->label[workload * s->matrix->labels];
}

/* s->matrix->rows when it did not run. */
static size_t find(const ws_study *s, const char *name)
{
    size_t i = 0;
    while (i < s->matrix->rows && strcmp(name_of(s, i), name))
        i++;
    return i;
}

/* Part of the time in which a node that sends in this direction waits. */
static double waits(const ws_study *s, size_t workload, int direction)
{
    const double stalled = value_of(s, workload, direction == UP ? "noc_request_stalls" : "noc_reply_stalls");
    return stalled / value_of(s, workload, "cycles") / s->senders[direction];
}

static bool stalls(const ws_study *s, size_t workload, int direction)
{
    return waits(s, workload, direction) >= STALLS;
}

static void append(char *text, const char *word)
{
    const size_t used = strlen(text);
    snprintf(text + used, TEXT_BYTES - used, "%s%s", used ? " " : "", word);
}

typedef double number(const ws_study *s, size_t workload);

static double most_waiting(const ws_study *s, size_t workload)
{
    return fmax(waits(s, workload, UP), waits(s, workload, DOWN));
}

static double load(const ws_study *s, size_t workload)
{
    return fmax(value_of(s, workload, "noc_request_load_max"), value_of(s, workload, "noc_reply_load_max"));
}

static size_t rank_of(const ws_study *s, size_t workload, number *value)
{
    size_t rank = 1;
    for (size_t i = 0; i < s->matrix->rows; i++)
        rank += value(s, i) > value(s, workload);
    return rank;
}

/* Of the workloads in a list: how many ran; how many of these are among the first `most`, named in *text. */
static size_t among_first(const ws_study *s, const char *list, number *value, size_t most, size_t *here, char *text)
{
    size_t n = 0;
    *here = 0;
    for (size_t i = 0; i < s->matrix->rows; i++) {
        if (!ws_study_lists(list, name_of(s, i)))
            continue;
        ++*here;
        if (rank_of(s, i, value) <= most) {
            append(text, name_of(s, i));
            n++;
        }
    }
    return n;
}

/* ---------------------------------------------------------------- memory */

/* Each within five points. */
static int claim_dram(ws_study *s)
{
    static const size_t sizes[] = {4, 6, 8};
    static const char claim[] = "Error of the mean DRAM efficiency, subsets of 4, 6, 8";
    double error[3] = {NAN, NAN, NAN};
    for (size_t i = 0; i < 3; i++) {
        const char *const members = ws_study_members_of(s, sizes[i]);
        error[i] = *members ? 0 : NAN;
        for (size_t m = 0; m < WS_STUDY_SIMULATED; m++)
            error[i] += 100 * ws_study_dram_error(s, members, m) / WS_STUDY_SIMULATED;
    }
    if (isnan(error[0] + error[1] + error[2]))
        return ws_study_add(s, claim, "5.2, 5.0, 2.5 %", "not here", "–");
    return ws_study_add(s, claim, "5.2, 5.0, 2.5 %",
                        judge(fabs(error[0] - 5.2) <= 5 && fabs(error[1] - 5.0) <= 5 && fabs(error[2] - 2.5) <= 5),
                        "%.1f, %.1f, %.1f %%", error[0], error[1], error[2]);
}

/* ---------------------------------------------------------------- stalls */

static const char stallers[] = "BFS FWT LIB MT NN PNS RAY SRAD KM MUM NE SS 64H";

/* Within a factor of two, each of them. */
static int claim_how_many(ws_study *s)
{
    size_t network = 0, both = 0, memory = 0;
    for (size_t i = 0; i < s->matrix->rows; i++) {
        const bool up = stalls(s, i, UP), down = stalls(s, i, DOWN);
        network += up || down;
        both += up && down;
        const double waiting = value_of(s, i, "load_store_stalls") / value_of(s, i, "cycles") / s->senders[UP];
        memory += !up && !down && waiting >= STALLS;
    }
    const double scale = 36.0 / (double)s->matrix->rows;
    const double ours[] = {(double)network * scale, (double)both * scale, (double)memory * scale};
    static const double theirs[] = {13, 5, 14};
    bool same = true;
    for (size_t i = 0; i < 3; i++)
        same = same && ours[i] >= theirs[i] / 2 && ours[i] <= theirs[i] * 2;
    return ws_study_add(s, "Workloads that stall: on the network; both ways; in the memory stage only",
                        "13; 5; 14 of 36", judge(same), "%zu; %zu; %zu of %zu", network, both, memory, s->matrix->rows);
}

/* More than half of theirs in the upper half of all. */
static int claim_list(ws_study *s, const char *claim, const char *list, number *value)
{
    char text[TEXT_BYTES] = "";
    size_t here;
    const size_t n = among_first(s, list, value, s->matrix->rows / 2, &here, text);
    return ws_study_add(s, claim, list, here ? judge(2 * n > here) : "not here", "%s in the upper half (%zu of %zu)",
                        *text ? text : "none", n, here);
}

/* At least three of the four. */
static int claim_directions(ws_study *s)
{
    static const struct {
        const char *name;
        bool up, down;
    } theirs[] = {{"MT", true, false}, {"BFS", true, true}, {"KM", true, true}, {"64H", false, true}};
    char text[TEXT_BYTES] = "";
    size_t same = 0, here = 0;
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
        char one[64];
        const size_t at = find(s, theirs[i].name);
        if (at == s->matrix->rows)
            continue;
        here++;
        same += stalls(s, at, UP) == theirs[i].up && stalls(s, at, DOWN) == theirs[i].down;
        snprintf(one, sizeof one, "%s%s %.0f %% up and %.0f %% down", *text ? "; " : "", theirs[i].name,
                 100 * waits(s, at, UP), 100 * waits(s, at, DOWN));
        strncat(text, one, sizeof text - strlen(text) - 1);
    }
    return ws_study_add(s, "Which way they stall (part of the time in which a node waits)",
                        "MT up; BFS, KM both; 64H down", here == 4 ? judge(same >= 3) : "not here", "%s",
                        here ? text : "–");
}

/* ---------------------------------------------------------------- traffic */

/* In bytes a core cycle, as the study counts; the networks count in cycles of their own clock. */
static double peak(const ws_study *s, size_t workload, int direction)
{
    return s->network_cycles * value_of(s, workload, direction == UP ? "noc_request_peak" : "noc_reply_peak");
}

/* MT below BFS below KM, the higher direction of each. */
static int claim_peaks(ws_study *s)
{
    static const char *const names[] = {"MT", "BFS", "KM"};
    char text[TEXT_BYTES] = "";
    double last = 0;
    bool rising = true, all = true;
    for (size_t i = 0; i < 3; i++) {
        const size_t at = find(s, names[i]);
        all = all && at < s->matrix->rows;
        if (!all)
            break;
        const double most = fmax(peak(s, at, UP), peak(s, at, DOWN));
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s %.1f", used ? ", " : "", names[i], most);
        rising = rising && most > last;
        last = most;
    }
    return ws_study_add(s, "Peak traffic of a node in bytes a cycle", "MT 6, BFS 10, KM 30",
                        all ? judge(rising) : "not here", "%s", all ? text : "–");
}

/* Replies are more than twice the requests. */
static int claim_histogram(ws_study *s)
{
    static const char claim[] = "The same of 64H: requests, replies", theirs[] = "1, 10";
    const size_t at = find(s, "64H");
    if (at == s->matrix->rows)
        return ws_study_add(s, claim, theirs, "not here", "–");
    return ws_study_add(s, claim, theirs, judge(peak(s, at, DOWN) > 2 * peak(s, at, UP)), "%.1f, %.1f", peak(s, at, UP),
                        peak(s, at, DOWN));
}

/* Of more than half of the workloads. */
static int claim_latency(ws_study *s)
{
    size_t slower = 0;
    for (size_t i = 0; i < s->matrix->rows; i++)
        slower += value_of(s, i, "noc_request_latency") > value_of(s, i, "noc_reply_latency");
    return ws_study_add(s, "Packets to memory take longer than those back", "yes", judge(2 * slower > s->matrix->rows),
                        "of %zu workloads of %zu", slower, s->matrix->rows);
}

static int claim_absent(ws_study *s)
{
    static const char *const rows[][2] = {
        {"Error of the mean DRAM efficiency, subsets of 4, 6, 8", "5.2, 5.0, 2.5 %"},
        {"Workloads that stall: on the network; both ways; in the memory stage only", "13; 5; 14 of 36"},
        {"Peak traffic of a node in bytes a cycle", "MT 6, BFS 10, KM 30"},
    };
    int status = WS_OK;
    for (size_t i = 0; !status && i < sizeof rows / sizeof *rows; i++)
        status = ws_study_add(s, rows[i][0], rows[i][1], "not here", "–");
    return status;
}

int ws_study_make_clock_claims(ws_study *s)
{
    if (!s->simulated)
        return claim_absent(s);
    int status = claim_dram(s);
    if (!status)
        status = claim_how_many(s);
    if (!status)
        status = claim_list(s, "Workloads that stall on the network", stallers, most_waiting);
    if (!status)
        status = claim_directions(s);
    if (!status)
        status = claim_peaks(s);
    if (!status)
        status = claim_histogram(s);
    if (!status)
        status = claim_list(s, "High maximum channel load", "LV BFS BS CS LIB MT NN PR HY KM MUM NE SS SLA MRIF WP 64H",
                            load);
    return status ? status : claim_latency(s);
}
