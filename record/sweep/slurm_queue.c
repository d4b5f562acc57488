/* slurm_queue.c - what squeue and sacct print, read strictly. */
#include "record/sweep/slurm_queue.h"

#include "base/status.h"
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Not yet read part of a line. */
typedef struct rest {
    const char *at, *end;
} rest;

static const struct {
    const char *name;
    ws_slurm_kind kind;
} states[] = {
#define SLURM_STATE(state, kind) [WS_SLURM_##state] = {#state, WS_SLURM_IS_##kind},
#include "record/sweep/slurm_states.def"
#undef SLURM_STATE
};

ws_slurm_kind ws_slurm_kind_of(ws_slurm_state state)
{
    return states[state].kind;
}

const char *ws_slurm_state_name(ws_slurm_state state)
{
    return states[state].name;
}

static bool take_number(rest *r, uint64_t most, uint64_t *out)
{
    const char *const begin = r->at;
    for (*out = 0; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
        const unsigned digit = (unsigned)(*r->at - '0');
        if (*out > (most - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    return r->at > begin;
}

static bool take_char(rest *r, char c)
{
    const bool is_there = r->at < r->end && *r->at == c;
    r->at += is_there;
    return is_there;
}

/* Up to `stop`, or the line's end; the text is cut to what there is room for. */
static void take_text(rest *r, char stop, char out[WS_SLURM_WORD])
{
    size_t n = 0;
    for (; r->at < r->end && *r->at != stop; r->at++)
        if (n < WS_SLURM_WORD - 1)
            out[n++] = *r->at;
    out[n] = '\0';
}

/* "CANCELLED by 1000" is CANCELLED. Slurm's versions have different states; all are words in capitals. */
static bool take_state(rest *r, ws_slurm_row *row)
{
    take_text(r, '|', row->word);
    row->word[strcspn(row->word, " ")] = '\0';
    row->state = WS_SLURM_UNKNOWN;
    for (ws_slurm_state s = 0; s < WS_SLURM_STATES; s++)
        if (!strcmp(states[s].name, row->word))
            row->state = s;
    return *row->word && !row->word[strspn(row->word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")];
}

/* "1-02:30:00", "2:30:00" or "30:00" in minutes; 0 for words such as UNLIMITED. */
static double minutes_of(const char *text)
{
    const char *const dash = strchr(text, '-');
    double part[3] = {0}, days = 0;
    size_t parts = 0;
    if (dash && ws_text_to_double(text, (size_t)(dash - text), &days))
        return 0;
    for (const char *at = dash ? dash + 1 : text; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL)
        if (parts == 3 || ws_text_to_double(at, strcspn(at, ":"), &part[parts++]))
            return 0;
    const double hours = parts == 3 ? part[0] : 0;
    return parts < 2 ? 0 : 60 * (24 * days + hours) + part[parts - 2] + part[parts - 1] / 60;
}

/* "500M", "1.50G" in megabytes; 0 for what is no size. */
static double megabytes_of(const char *text)
{
    static const char units[] = "KMGT";
    double number;
    const char *unit;
    if (ws_text_to_quantity(text, &number, &unit))
        return 0;
    const char *const found = *unit ? strchr(units, *unit) : NULL;
    return found ? ldexp(number, 10 * ((int)(found - units) - 1)) : *unit ? 0 : number;
}

/* A limit that is not understood is none. */
static bool take_limit(rest *r, double (*read)(const char *), double *out)
{
    char text[WS_SLURM_WORD];
    take_text(r, '|', text);
    const double limit = read(text);
    *out = limit > 0 && limit < UINT32_MAX ? limit : 0;
    return take_char(r, '|');
}

static bool take_task(rest *r, uint32_t *task)
{
    static const char all[] = "N/A";
    uint64_t number;
    if (r->end - r->at > (ptrdiff_t)strlen(all) && !memcmp(r->at, all, strlen(all))) {
        r->at += strlen(all);
        *task = WS_SLURM_ALL;
        return true;
    }
    const bool is_number = take_number(r, WS_SLURM_TASKS_MOST - 1, &number);
    *task = (uint32_t)number;
    return is_number;
}

static bool read_queued(rest *r, ws_slurm_row *row, bool *is_one)
{
    uint64_t batch;
    *is_one = true;
    if (!take_number(r, UINT32_MAX, &row->job) || !take_char(r, '|') || !take_task(r, &row->task) ||
        !take_char(r, '|') || !take_state(r, row) || !take_char(r, '|') ||
        !take_number(r, WS_SLURM_BATCHES_MOST, &batch) || !take_char(r, '|'))
        return false;
    row->batch = (uint32_t)batch;
    take_text(r, '|', row->node);
    if (!take_char(r, '|') || !take_limit(r, minutes_of, &row->minutes) ||
        !take_limit(r, megabytes_of, &row->megabytes))
        return false;
    take_text(r, '\n', row->reason);
    return true;
}

static bool read_account(rest *r, ws_slurm_row *row, bool *is_one)
{
    uint64_t task;
    if (!take_number(r, UINT32_MAX, &row->job) || !take_char(r, '_'))
        return false;
    *is_one = !take_char(r, '[');
    if (!*is_one)
        return true;
    if (!take_number(r, WS_SLURM_TASKS_MOST - 1, &task) || !take_char(r, '|') || !take_state(r, row) ||
        !take_char(r, '|'))
        return false;
    row->task = (uint32_t)task;
    take_text(r, '\n', row->node);
    return true;
}

static int read_lines(const char *text, size_t length, const char *what,
                      bool (*read)(rest *, ws_slurm_row *, bool *is_one), ws_slurm_take *take, void *context)
{
    const char *const end = text + length;
    int status = WS_OK;
    for (const char *line = text; !status && line < end;) {
        const char *const newline = memchr(line, '\n', (size_t)(end - line));
        rest r = {line, newline ? newline : end};
        ws_slurm_row row = {0};
        bool is_one;
        if (r.at < r.end && !read(&r, &row, &is_one))
            return ws_fail(WS_EINPUT, "%s: cannot read the line \"%.*s\"", what,
                           (int)(r.end - line < 200 ? r.end - line : 200), line);
        if (r.at > line && is_one)
            status = take(context, &row);
        line = newline ? newline + 1 : end;
    }
    return status;
}

int ws_slurm_read_queue(const char *text, size_t length, ws_slurm_take *take, void *context)
{
    return read_lines(text, length, "squeue", read_queued, take, context);
}

int ws_slurm_read_accounts(const char *text, size_t length, ws_slurm_take *take, void *context)
{
    return read_lines(text, length, "sacct", read_account, take, context);
}

int ws_slurm_read_job(const char *text, size_t length, uint64_t *job)
{
    rest r = {text, text + length};
    if (take_number(&r, UINT32_MAX, job) && (r.at == r.end || *r.at == ';' || *r.at == '\n'))
        return WS_OK;
    return ws_fail(WS_EINPUT, "sbatch: expected the number of a job, not \"%.*s\"", (int)(length < 200 ? length : 200),
                   text);
}
