/* checker.c - see checker.h. */
#include "collect/check/checker.h"

#include "base/grow.h"
#include "base/guess.h"
#include "base/table.h"
#include "collect/check/overlap.h"
#include "collect/check/race_check.h"
#include "collect/check/written.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

const char *const ws_check_names[] = {
#define CHECK(NAME, name, what) #name,
#include "collect/check/checks.def"
#undef CHECK
    NULL};

static const char *const finding_words[] = {
#define FINDING(NAME, CHECK, what) what,
#include "collect/check/findings.def"
#undef FINDING
};

static const ws_check check_of[] = {
#define FINDING(NAME, CHECK, what) WS_CHECK_##CHECK,
#include "collect/check/findings.def"
#undef FINDING
};

enum { MANY_ALIKE = 3 }; /* pairs that are told as one */

typedef struct line_set {
    uint32_t *line; /* [count] rising */
    uint32_t count, room;
} line_set;

typedef struct offsets {
    uint64_t of[2];
} offsets;

typedef struct finding {
    ws_finding_kind kind;
    char *pair, *text;          /* NULL: no memory was left for it */
    uint64_t times, told;       /* met; of these, when it was told. 0: it is new */
    uint32_t pairs, pairs_told; /* of places that it stands for */
    offsets *apart;             /* [pairs] of those, where they are alike */
    uint32_t apart_room;
    line_set at[2]; /* their lines, where they are alike */
    bool swapped;   /* the text has those of at[1] first */
    /* Numbers of findings: that of the second pair, which is told by itself as long as there is no third; then, in it,
     * that by which it is told. 0: none. */
    uint32_t second, into;
} finding;

typedef struct remark {   /* on launches of a kernel that cannot be checked */
    char *text;           /* "kernel k: ..." */
    uint64_t times, told; /* launches; of these, when it was told */
} remark;

struct ws_checker {
    unsigned checks;
    ws_check_tell_fn *tell;
    void *context;
    finding *finding; /* in the order in which they were met */
    uint32_t findings, capacity;
    ws_table by_pc, by_pair, by_alike; /* number + 1 */
    remark *remark;                    /* in the order of first launches */
    uint32_t remarks, remark_room;
    ws_table by_remark;                 /* number + 1 */
    ws_race **race;                     /* [races] of a launch, of one that it waits for, and so on; */
    uint32_t races, race_room, running; /* ... of these, how many run */
    ws_written *written;
    ws_overlap *overlap; /* NULL: races are not looked for */
};

/* ---- the list */

static int refuse_word(const char *word)
{
    ws_guess guess = ws_guess_of(word);
    char all[64] = "";
    for (unsigned i = 0; i < WS_CHECKS; i++) {
        ws_guess_see(&guess, ws_check_names[i]);
        const size_t n = strlen(all);
        snprintf(all + n, sizeof all - n, "%s%s", i ? ", " : "", ws_check_names[i]);
    }
    return ws_fail(WS_EINPUT, "there is no check '%s'%s%s%s; expected a list of %s", word,
                   guess.best ? ": did you mean '" : "", guess.best ? guess.best : "", guess.best ? "'?" : "", all);
}

int ws_checks_parse(const char *list, unsigned *checks)
{
    *checks = 0;
    for (const char *at = list;; at++) {
        const size_t n = strcspn(at, ",");
        unsigned i = 0;
        while (i < WS_CHECKS && (strlen(ws_check_names[i]) != n || strncmp(ws_check_names[i], at, n)))
            i++;
        if (i == WS_CHECKS) {
            char word[64];
            snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), at);
            return refuse_word(word);
        }
        *checks |= 1u << i;
        at += n;
        if (!*at)
            return WS_OK;
    }
}

void ws_checks_list(unsigned checks, char *text, size_t size)
{
    size_t n = 0;
    *text = '\0';
    for (unsigned i = 0; i < WS_CHECKS; i++)
        if (checks >> i & 1 && n < size)
            n += (size_t)snprintf(text + n, size - n, "%s%s", n ? "," : "", ws_check_names[i]);
}

/* ---- life */

static bool add_race(ws_checker *c)
{
    ws_race *const made = WS_GROW(c->race, c->race_room, c->races, 1) ? NULL : ws_race_create();
    if (made)
        c->race[c->races++] = made;
    return made;
}

ws_checker *ws_checker_create(unsigned checks, ws_check_tell_fn *tell, void *context)
{
    ws_checker *const c = calloc(1, sizeof *c);
    if (!c) {
        ws_fail(WS_EMEM, "no memory for checks");
        return NULL;
    }
    *c = (ws_checker){.checks = checks,
                      .tell = tell,
                      .context = context,
                      .by_pc = WS_TABLE(uint32_t),
                      .by_pair = WS_TABLE(uint32_t),
                      .by_alike = WS_TABLE(uint32_t),
                      .by_remark = WS_TABLE(uint32_t)};
    c->written = ws_checker_wants(c, WS_CHECK_INIT) ? ws_written_create() : NULL;
    c->overlap = ws_checker_wants(c, WS_CHECK_RACE) ? ws_overlap_create() : NULL;
    if ((ws_checker_wants(c, WS_CHECK_RACE) && (!c->overlap || !add_race(c))) ||
        (ws_checker_wants(c, WS_CHECK_INIT) && !c->written)) {
        ws_checker_destroy(c);
        ws_fail(WS_EMEM, "no memory for checks");
        return NULL;
    }
    return c;
}

void ws_checker_destroy(ws_checker *c)
{
    if (!c)
        return;
    for (uint32_t i = 0; i < c->findings; i++) {
        free(c->finding[i].pair);
        free(c->finding[i].text);
        free(c->finding[i].apart);
        free(c->finding[i].at[0].line);
        free(c->finding[i].at[1].line);
    }
    free(c->finding);
    ws_table_fini(&c->by_pc);
    ws_table_fini(&c->by_pair);
    ws_table_fini(&c->by_alike);
    ws_table_fini(&c->by_remark);
    for (uint32_t i = 0; i < c->remarks; i++)
        free(c->remark[i].text);
    free(c->remark);
    for (uint32_t i = 0; i < c->races; i++)
        ws_race_destroy(c->race[i]);
    free(c->race);
    ws_written_destroy(c->written);
    ws_overlap_destroy(c->overlap);
    free(c);
}

bool ws_checker_wants(const ws_checker *c, ws_check check)
{
    return c && c->checks >> check & 1;
}

struct ws_race *ws_checker_race(const ws_checker *c)
{
    return c->races ? c->race[c->running ? c->running - 1 : 0] : NULL;
}

bool ws_checker_race_begin(ws_checker *c, uint64_t blocks, uint32_t warps)
{
    if (c->running == c->races && !add_race(c))
        return false;
    const bool begun = ws_race_begin(c->race[c->running], blocks, warps);
    c->running += begun;
    return begun;
}

void ws_checker_race_end(ws_checker *c)
{
    ws_race_end(c->race[--c->running]);
}

void ws_checker_race_forget(const ws_checker *c, uint64_t address, uint64_t bytes)
{
    for (uint32_t i = 0; i < c->races; i++)
        ws_race_forget(c->race[i], address, bytes);
    ws_overlap_forget(c->overlap, address, bytes);
}

struct ws_overlap *ws_checker_overlap(const ws_checker *c)
{
    return c ? c->overlap : NULL;
}

struct ws_written *ws_checker_written(const ws_checker *c)
{
    return c->written;
}

/* ---- findings */

/* Keys of tables are hashes; UINT64_MAX is none. */
static uint64_t key_of(uint64_t hash)
{
    return hash >> 1;
}

static uint64_t pc_key(const ws_finding_at *at)
{
    const uint64_t parts[] = {XXH3_64bits(at->kernel, strlen(at->kernel)), at->kind, at->pc, at->other};
    return key_of(XXH3_64bits(parts, sizeof parts));
}

static uint64_t pair_key(const ws_finding_at *at, const char *pair)
{
    const uint64_t parts[] = {XXH3_64bits(at->kernel, strlen(at->kernel)), at->kind, XXH3_64bits(pair, strlen(pair))};
    return key_of(XXH3_64bits(parts, sizeof parts));
}

static finding *told_by(ws_checker *c, uint32_t number)
{
    finding *const f = &c->finding[number - 1];
    return f->into ? &c->finding[f->into - 1] : f;
}

bool ws_checker_again(ws_checker *c, const ws_finding_at *at)
{
    const uint32_t *const number = ws_table_find(&c->by_pc, pc_key(at));
    if (number && *number)
        told_by(c, *number)->times++;
    return number && *number;
}

/* False: no memory, and the line is not among those that are told. */
static bool add_line(line_set *s, uint32_t line)
{
    uint32_t i = s->count;
    while (i > 0 && s->line[i - 1] > line)
        i--;
    if (i > 0 && s->line[i - 1] == line)
        return true;
    if (WS_GROW(s->line, s->room, s->count, 1))
        return false;
    memmove(s->line + i + 1, s->line + i, (s->count++ - i) * sizeof *s->line);
    s->line[i] = line;
    return true;
}

static bool has_offsets(const finding *f, const uint64_t of[2])
{
    for (uint32_t i = 0; i < f->pairs; i++)
        if (f->apart[i].of[0] == of[0] && f->apart[i].of[1] == of[1])
            return true;
    return false;
}

/* The number of a new finding; 0: no memory. */
static uint32_t add_finding(ws_checker *c, const ws_finding_at *at, const char *pair, const char *text)
{
    if (WS_GROW(c->finding, c->capacity, c->findings, 1))
        return 0;
    c->finding[c->findings++] = (finding){.kind = at->kind, .pair = strdup(pair), .text = strdup(text)};
    return c->findings;
}

/* Of one that stands for pairs that are alike, at other offsets; 0: no memory. */
static uint32_t add_to_alike(ws_checker *c, const ws_finding_at *at, const char *pair, const char *text,
                             const ws_alike *alike)
{
    uint64_t key[2] = {pair_key(at, alike->of), 0};
    uint32_t *number;
    while ((number = ws_table_put(&c->by_alike, key_of(XXH3_64bits(key, sizeof key)))) && *number &&
           has_offsets(&c->finding[*number - 1], alike->offset))
        key[1]++;
    if (!number || (!*number && !(*number = add_finding(c, at, pair, text))))
        return 0;
    const uint32_t head = *number;
    finding *f = &c->finding[head - 1];
    if (WS_GROW(f->apart, f->apart_room, f->pairs, 1))
        return 0;
    if (!f->pairs)
        f->swapped = alike->swapped;
    f->apart[f->pairs++] = (offsets){{alike->offset[0], alike->offset[1]}};
    for (int i = 0; i < 2; i++)
        add_line(&f->at[i], alike->line[i]);
    if (f->pairs == MANY_ALIKE - 1) { /* two may be two statements */
        const uint32_t second = add_finding(c, at, pair, text);
        c->finding[head - 1].second = second;
        return second;
    }
    finding *const second = f->pairs == MANY_ALIKE && f->second ? &c->finding[f->second - 1] : NULL;
    if (second && !second->told) {
        second->into = head;
        f->times += second->times;
        second->times = 0;
    }
    return head;
}

void ws_checker_add_alike(ws_checker *c, const ws_finding_at *at, const char *pair, const char *text,
                          const ws_alike *alike)
{
    uint32_t *const by_pair = ws_table_put(&c->by_pair, pair_key(at, pair));
    uint32_t *const by_pc = by_pair ? ws_table_put(&c->by_pc, pc_key(at)) : NULL;
    if (!by_pc)
        return;
    if (!*by_pair)
        *by_pair = alike ? add_to_alike(c, at, pair, text, alike) : add_finding(c, at, pair, text);
    *by_pc = *by_pair;
    if (*by_pc)
        told_by(c, *by_pc)->times++;
}

void ws_checker_add(ws_checker *c, const ws_finding_at *at, const char *pair, const char *text)
{
    ws_checker_add_alike(c, at, pair, text, NULL);
}

void ws_checker_cannot(ws_checker *c, const char *kernel, const char *what)
{
    const uint64_t parts[] = {XXH3_64bits(kernel, strlen(kernel)), XXH3_64bits(what, strlen(what))};
    uint32_t *const number = ws_table_put(&c->by_remark, key_of(XXH3_64bits(parts, sizeof parts)));
    if (!number)
        return;
    if (!*number) {
        remark made = {0};
        if (WS_GROW(c->remark, c->remark_room, c->remarks, 1) ||
            asprintf(&made.text, "kernel %s: %s", kernel, what) < 0)
            return;
        c->remark[c->remarks++] = made;
        *number = c->remarks;
    }
    c->remark[*number - 1].times++;
}

void ws_checker_say(ws_checker *c, const char *line)
{
    c->tell(c->context, false, line);
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void put_lines(FILE *out, const line_set *s)
{
    for (uint32_t i = 0, end; i < s->count; i = end + 1) {
        for (end = i; end + 1 < s->count && s->line[end + 1] == s->line[end] + 1;)
            end++;
        fprintf(out, "%s%" PRIu32, i ? ", " : "", s->line[i]);
        if (end > i)
            fprintf(out, "-%" PRIu32, s->line[end]);
    }
}

/* What else a finding stands for: "" if nothing; the caller frees it. NULL: no memory. */
static char *alike_words(const finding *f)
{
    char *words = NULL;
    size_t bytes = 0;
    FILE *const out = open_memstream(&words, &bytes);
    if (out && f->pairs >= MANY_ALIKE) {
        fprintf(out,
                "; one of %" PRIu32
                " pairs of instructions whose addresses are a constant apart, as those of an unrolled loop are (lines ",
                f->pairs);
        put_lines(out, &f->at[f->swapped]);
        fputs(" and ", out);
        put_lines(out, &f->at[!f->swapped]);
        fputs("; nvcc -lineinfo gives lines of the source)", out);
    }
    return out && !fclose(out) ? words : NULL;
}

static void tell_finding(const ws_checker *c, const finding *f)
{
    char *line = NULL, *const alike = alike_words(f);
    if (f->text && alike &&
        asprintf(&line, "%s: %s: %s%s; %" PRIu64 " time%s", ws_check_names[check_of[f->kind]], finding_words[f->kind],
                 f->text, alike, f->times, plural(f->times)) >= 0) {
        c->tell(c->context, true, line);
        free(line);
    }
    free(alike);
}

void ws_checker_flush(ws_checker *c)
{
    for (uint32_t i = 0; i < c->findings; i++) {
        finding *const f = &c->finding[i];
        if (f->told || !f->times)
            continue;
        f->told = f->times;
        f->pairs_told = f->pairs;
        tell_finding(c, f);
        free(f->text);
        f->text = NULL;
    }
}

static void tell_remark(const ws_checker *c, remark *r, const char *form)
{
    char *line = NULL;
    const uint64_t times = r->times - r->told;
    r->told = r->times;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (!times || asprintf(&line, form, r->text, times, times == 1 ? "" : "es") < 0)
        return;
#pragma GCC diagnostic pop
    c->tell(c->context, false, line);
    free(line);
}

void ws_checker_flush_family(ws_checker *c)
{
    ws_checker_flush(c);
    for (uint32_t i = 0; i < c->remarks; i++)
        if (!c->remark[i].told)
            tell_remark(c, &c->remark[i], "check: %s; %" PRIu64 " launch%s");
}

/* What went on after it was told; and by which lines more. */
static void tell_later(const ws_checker *c, finding *f)
{
    char *line = NULL, *const alike = f->pairs > f->pairs_told ? alike_words(f) : strdup("");
    if (f->pair && alike &&
        asprintf(&line, "%s: %s: %s: %" PRIu64 " more time%s later%s", ws_check_names[check_of[f->kind]],
                 finding_words[f->kind], f->pair, f->times - f->told, plural(f->times - f->told), alike) >= 0) {
        c->tell(c->context, false, line);
        free(line);
    }
    free(alike);
    f->told = f->times;
}

void ws_checker_finish(ws_checker *c)
{
    ws_checker_flush_family(c);
    for (uint32_t i = 0; i < c->remarks; i++)
        tell_remark(c, &c->remark[i], "check: %s: %" PRIu64 " more launch%s later");
    for (uint32_t i = 0; i < c->findings; i++)
        if (c->finding[i].times != c->finding[i].told)
            tell_later(c, &c->finding[i]);
}

uint64_t ws_checker_findings(const ws_checker *c, ws_check check)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < c->findings; i++)
        n += check_of[c->finding[i].kind] == check && !c->finding[i].into;
    return n;
}
