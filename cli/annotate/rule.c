/* rule.c - see rule.h. Each row of rules.def becomes four functions. */
#include "cli/annotate/rule.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ws_rule_about ws_rule_table[WS_RULES] = {
#define RULE(name, column, definition, condition, loss, say, remedy, kind, blame) {#name, #column, definition, remedy},
#include "cli/annotate/rules.def"
#undef RULE
};

/* ------------------------------------------------------------------------------------------------ words of rules.def
 */

static bool is_local(const ws_listed *r)
{
    return r->count[WS_COUNT_local_sectors] != 0;
}

static bool is_load(const ws_listed *r)
{
    return r->access == WS_ACCESS_LOAD && r->count[WS_COUNT_sectors] && !is_local(r);
}

static bool is_store(const ws_listed *r)
{
    return r->access == WS_ACCESS_STORE && r->count[WS_COUNT_sectors] && !is_local(r);
}

/* It may see what others store meanwhile: to keep its value would be another program. */
static bool is_watching(const ws_listed *r)
{
    return strstr(r->text, ".volatile") || strstr(r->text, ".acquire") || strstr(r->text, ".relaxed");
}

static bool is_plain_load(const ws_listed *r)
{
    return is_load(r) && !is_watching(r);
}

/* Of a block; __syncwarp is none. */
static bool is_barrier(const ws_listed *r)
{
    return r->cls == WS_CLASS_BARRIER && !strstr(r->text, ".warp.");
}

static bool is_atomic(const ws_listed *r)
{
    return r->access == WS_ACCESS_ATOMIC || r->access == WS_ACCESS_REDUCE;
}

static bool is_shared_atomic(const ws_listed *r)
{
    return is_atomic(r) && r->count[WS_COUNT_passes];
}

/* But for atomics. */
static bool is_shared(const ws_listed *r)
{
    return !is_atomic(r) && r->count[WS_COUNT_passes];
}

static bool is_double(const ws_listed *r)
{
    return (r->cls == WS_CLASS_FLOAT || r->cls == WS_CLASS_SPECIAL) && strstr(r->text, ".f64");
}

static double excess(const ws_listed *r, ws_count had, ws_count least)
{
    return (double)r->count[had] - (double)r->count[least];
}

static double per(const ws_line_sums *s, ws_count had, ws_count least)
{
    return s->count[least] ? (double)s->count[had] / (double)s->count[least] : 0;
}

/* The share of what it had that it did not need. */
static double waste(const ws_line_sums *s, ws_count had, ws_count least)
{
    return s->count[had] ? 1 - (double)s->count[least] / (double)s->count[had] : 0;
}

static double requests(const ws_line_sums *s, ws_count count)
{
    return s->requests ? (double)s->count[count] / (double)s->requests : 0;
}

/* How much of the kernel that is, as if each sector, each pass and each other instruction took the same time. */
static double weight(const ws_facts *f, const ws_line_sums *s)
{
    const double of_it = (double)s->count[WS_COUNT_sectors] + (double)s->count[WS_COUNT_passes];
    const double memory = (double)f->all->count[WS_COUNT_sectors] + (double)f->all->count[WS_COUNT_passes];
    return of_it > 0 ? of_it / (memory + (double)f->all->count[WS_COUNT_issues]) : 0;
}

static double per_issue(const ws_facts *f, const ws_line_sums *s)
{
    const uint64_t all = f->all->count[WS_COUNT_issues];
    return all ? (double)s->count[WS_COUNT_issues] / (double)all : 0;
}

static double metric(const ws_facts *f, const char *column)
{
    const long at = f->frame ? ws_frame_find_column(f->frame, column) : -1;
    return at < 0 ? NAN : f->frame->value[f->row * f->frame->columns + (size_t)at];
}

/* A share, with a digit more where it is small. */
static const char *percent_words(double share)
{
    static _Thread_local char words[32];
    snprintf(words, sizeof words, "%.*f%%", share < 0.095 ? 1 : 0, 100 * share);
    return words;
}

/* Does a distance from lane to lane go with the sectors of these loads, give or take a quarter? */
static bool is_stride_of(double stride, const ws_line_sums *s)
{
    enum { SECTOR = 32 };
    const double lanes =
        s->count[WS_COUNT_issues] ? (double)s->count[WS_COUNT_lanes] / (double)s->count[WS_COUNT_issues] : 0;
    return fabs(requests(s, WS_COUNT_sectors) - lanes * fmin(1, stride / SECTOR)) <=
           lanes * fmin(1, stride / SECTOR) / 4;
}

/* Of loads, where most have the same distance from lane to lane, and these, too. */
static const char *stride_words(const ws_facts *f, const ws_line_sums *s)
{
    static _Thread_local char words[96];
    char bytes[32];
    const double stride = metric(f, "loads_stride_bytes"), share = metric(f, "loads_stride_share");
    *words = '\0';
    if (share >= 0.5 && stride > 0 && is_stride_of(stride, s)) {
        ws_text_count(bytes, sizeof bytes, stride, "B");
        snprintf(words, sizeof words, ", neighbouring lanes are %s apart", bytes);
    }
    return words;
}

/* ------------------------------------------------------------------------------------------------ rules */

#define V(column) metric(f, #column)
#define SAY(...)  snprintf(out, size, __VA_ARGS__)
#define RULE(name, column, definition, condition, loss, say, remedy, kind, blame) \
    static bool holds_##name(const ws_facts *f) \
    { \
        return condition; \
    } \
    static double loss_##name(const ws_facts *f) \
    { \
        (void)f; \
        return loss; \
    } \
    static void say_##name(const ws_facts *f, const ws_line_sums *s, char *out, size_t size) \
    { \
        (void)f; \
        (void)s; \
        say; \
    } \
    static bool kind_##name(const ws_listed *r) \
    { \
        (void)r; \
        return kind; \
    } \
    static double blame_##name(const ws_listed *r) \
    { \
        (void)r; \
        return blame; \
    }
#include "cli/annotate/rules.def"
#undef RULE

static const struct {
    bool (*holds)(const ws_facts *f);
    double (*loss)(const ws_facts *f);
    void (*say)(const ws_facts *f, const ws_line_sums *s, char *out, size_t size);
    bool (*kind)(const ws_listed *r);
    double (*blame)(const ws_listed *r);
} work[WS_RULES] = {
#define RULE(name, column, definition, condition, loss, say, remedy, kind, blame) \
    {holds_##name, loss_##name, say_##name, kind_##name, blame_##name},
#include "cli/annotate/rules.def"
#undef RULE
};

void ws_facts_sum(ws_facts *f, const ws_line_table *table)
{
    f->table = table;
    f->all = &table->all;
    for (size_t i = 0; i < table->listing->rows; i++) {
        const ws_listed *const r = &table->listing->row[i];
        if (is_load(r))
            ws_line_sums_add(&f->loads, r);
        else if (is_store(r))
            ws_line_sums_add(&f->stores, r);
        else if (is_local(r))
            ws_line_sums_add(&f->local, r);
        if (is_plain_load(r))
            ws_line_sums_add(&f->plain, r);
        if (is_shared(r))
            ws_line_sums_add(&f->shared, r);
        else if (is_shared_atomic(r))
            ws_line_sums_add(&f->shared_atomics, r);
        if (is_barrier(r))
            ws_line_sums_add(&f->barriers, r);
    }
}

/* The line with the largest sum of blame, of instructions of the kind if that has any. */
static const ws_source_line *blamed(const ws_facts *f, unsigned rule, bool has_kind)
{
    const ws_line_table *const t = f->table;
    double *const sum = calloc(t->lines + 1, sizeof *sum);
    const ws_source_line *worst = NULL;
    for (size_t i = 0; sum && i < t->listing->rows; i++) { /* without memory nobody is to blame */
        const ws_listed *const r = &t->listing->row[i];
        const ws_source_line *const line = ws_line_table_of(t, r);
        if (line && (!has_kind || work[rule].kind(r)))
            sum[line - t->line] += work[rule].blame(r);
    }
    for (size_t i = 0; sum && i < t->lines; i++)
        if (sum[i] > 0 && (!worst || sum[i] > sum[worst - t->line]))
            worst = &t->line[i];
    free(sum);
    return worst;
}

/* Sums of the instructions of the kind, of one line or of all. False: there are none, the rule is about the kernel. */
static bool sum_kind(const ws_facts *f, unsigned rule, const ws_source_line *line, ws_line_sums *out)
{
    bool any = false;
    *out = (ws_line_sums){0};
    for (size_t i = 0; i < f->table->listing->rows; i++) {
        const ws_listed *const r = &f->table->listing->row[i];
        if (!work[rule].kind(r) || (line && ws_line_table_of(f->table, r) != line))
            continue;
        ws_line_sums_add(out, r);
        any = true;
    }
    return any;
}

static int by_loss(const void *a, const void *b)
{
    const ws_finding *const x = a, *const y = b;
    return x->loss != y->loss ? (x->loss < y->loss ? 1 : -1) : strcmp(x->name, y->name);
}

size_t ws_findings(const ws_facts *f, ws_finding finding[WS_RULES])
{
    size_t n = 0;
    for (unsigned r = 0; r < WS_RULES; r++) {
        if (!work[r].holds(f))
            continue;
        ws_finding *const found = &finding[n++];
        ws_line_sums of_kind;
        const bool has_kind = sum_kind(f, r, NULL, &of_kind);
        *found = (ws_finding){.name = ws_rule_table[r].name,
                              .column = ws_rule_table[r].column,
                              .remedy = ws_rule_table[r].remedy,
                              .loss = work[r].loss(f),
                              .line = blamed(f, r, has_kind),
                              .of_line = has_kind};
        if (has_kind && found->line)
            sum_kind(f, r, found->line, &of_kind);
        work[r].say(f, &of_kind, found->said, sizeof found->said);
    }
    qsort(finding, n, sizeof *finding, by_loss);
    return n;
}
