/* claims_judge.c - claims evaluated, and what is said of them. */
#include "cli/claims/claims_internal.h"

#include "base/grow.h"
#include "base/shown.h"
#include "base/status.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const ws_claim_verdict_words[WS_CLAIM_VERDICTS] = {"no", "direction", "size", "not judged"};

/* What values of a claim are, and so from where a change counts. */
typedef enum value_kind { OF_RATIO, OF_DIFFERENCE, OF_SHARE, OF_COUNT, OF_ORDER, OF_KINDS } value_kind;
static const char *const value_kinds[OF_KINDS] = {"ratio", "difference", "share", "count", "order"};

/* Within what factor of theirs ours has the size, where the file does not say. */
static const double size_factor = 2;

typedef struct entries {
    ws_claims_entry *claim, *source, *theirs, *theirs_value, *ours, *ours_value, *of, *direction, *size, *why,
        *unjudged;
} entries;

/* What judges a claim that is not judged would do nothing. */
/* A text with an expression may come out empty, and the rules judge then. */
static int check_unjudged(const ws_claims_section *section, const entries *e)
{
    if (strchr(e->unjudged->value, '{'))
        return WS_OK;
    const ws_claims_entry *const judging[] = {e->direction, e->size, e->of, e->theirs_value, e->ours_value};
    for (size_t i = 0; i < sizeof judging / sizeof *judging; i++)
        if (judging[i])
            return ws_claims_fail(&judging[i]->at_key, "[claim %s] has unjudged =, so %s = has no effect; remove one",
                                  section->name, judging[i]->key);
    return *e->unjudged->value ? WS_OK : ws_claims_fail(&e->unjudged->place, "expected the reason");
}

static int find_entries(const ws_claims_section *section, entries *e)
{
    const struct {
        const char *key;
        ws_claims_entry **to;
    } keys[] = {{"claim", &e->claim},
                {"source", &e->source},
                {"theirs", &e->theirs},
                {"value.theirs", &e->theirs_value},
                {"ours", &e->ours},
                {"value.ours", &e->ours_value},
                {"of", &e->of},
                {"direction", &e->direction},
                {"size", &e->size},
                {"why", &e->why},
                {"unjudged", &e->unjudged}};
    int status = WS_OK;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !status; i++)
        status = ws_claims_find(section, keys[i].key, keys[i].to);
    if (!status && !e->claim)
        status = ws_claims_need(section, "claim", &e->claim);
    if (!status && e->unjudged)
        status = check_unjudged(section, e);
    if (!status && !e->direction && !e->unjudged)
        status = ws_claims_fail(&section->place, "[claim %s] has no direction = (or unjudged = and the reason)",
                                section->name);
    return status ? status
                  : ws_claims_check_used(section, "claim, source, theirs, value.theirs, ours, value.ours, of, "
                                                  "direction, size, why, unjudged");
}

int ws_claims_text(ws_claims *claims, const ws_claims_entry *entry, const char **out)
{
    *out = "";
    if (!entry)
        return WS_OK;
    ws_arena *const scratch = ws_arena_create();
    const ws_template *template;
    const ws_filled_template *filled;
    int status = scratch ? ws_template_parse(scratch, entry->value, &entry->place, &template)
                         : ws_fail(WS_EMEM, "no memory for claims");
    if (!status)
        status = ws_template_evaluate(claims->scope, template, scratch, &filled);
    if (!status)
        status = ws_template_write(filled, claims->arena, NULL, 0, out);
    ws_arena_destroy(scratch);
    return status;
}

static int evaluate(ws_claims *claims, const char *text, const ws_place *place, ws_cube_kind kind, double *out)
{
    ws_arena *const scratch = ws_arena_create();
    const ws_expression *expression;
    ws_cell cell;
    int status = scratch ? ws_expression_parse(scratch, text, strlen(text), place, &expression)
                         : ws_fail(WS_EMEM, "no memory for claims");
    if (!status)
        status = ws_expression_cell(claims->scope, expression, scratch, kind, &cell);
    if (!status)
        *out = cell.number;
    ws_arena_destroy(scratch);
    return status;
}

static int find_value(ws_claims *claims, const ws_claims_entry *entry, double *out)
{
    *out = NAN;
    return entry ? evaluate(claims, entry->value, &entry->place, WS_CUBE_NUMBERS, out) : WS_OK;
}

static int find_kind(const ws_claims_section *section, const entries *e, value_kind *kind)
{
    *kind = OF_ORDER;
    if (!e->of)
        return e->theirs_value
                   ? ws_claims_fail(&section->place,
                                    "[claim %s] has values, and no of =; expected ratio, difference, share or count",
                                    section->name)
                   : WS_OK;
    for (size_t i = 0; i < OF_KINDS; i++)
        if (!strcmp(e->of->value, value_kinds[i]))
            *kind = (value_kind)i;
    if (strcmp(e->of->value, value_kinds[*kind]))
        return ws_claims_fail(&e->of->place, "expected ratio, difference, share, count or order, not '%s'",
                              e->of->value);
    if (*kind == OF_ORDER && e->theirs_value)
        return ws_claims_fail(&e->theirs_value->at_key, "an order has no values");
    return WS_OK;
}

/* Where no change is. */
static double neutral(value_kind kind)
{
    return kind == OF_RATIO ? 1 : 0;
}

static bool is_within(value_kind kind, double theirs, double ours, double factor)
{
    const double a = ours - neutral(kind), b = theirs - neutral(kind);
    const double limit = factor * (1 + 1e-12); /* 0.2 is twice 0.1 in any order of operations */
    return (a < 0) == (b < 0) && fabs(a) <= fabs(b) * limit && fabs(a) * limit >= fabs(b);
}

/* size = none | within FACTOR | condition; without it within two, where there are two values. */
static int judge_size(ws_claims *claims, const entries *e, value_kind kind, ws_claim *c, bool *has_size, bool *is_size)
{
    static const char within[] = "within ";
    double factor = size_factor;
    *has_size = false;
    *is_size = false;
    if (e->size && !strcmp(e->size->value, "none"))
        return WS_OK;
    const bool is_rule = e->size && !strncmp(e->size->value, within, sizeof within - 1);
    if (e->size && !is_rule) {
        double holds = 0;
        const int status = evaluate(claims, e->size->value, &e->size->place, WS_CUBE_CONDITIONS, &holds);
        *has_size = true;
        *is_size = holds != 0;
        return status;
    }
    if (is_rule) {
        const char *const text = e->size->value + sizeof within - 1;
        if (ws_text_to_double(text, strlen(text), &factor) || !(factor >= 1))
            return ws_claims_fail(&e->size->place, "expected `within FACTOR`, a factor of 1 or more");
    }
    if (isnan(c->theirs_value)) {
        return is_rule ? ws_claims_fail(&e->size->place, "`within` needs value.theirs") : WS_OK;
    }
    if (c->theirs_value == neutral(kind))
        return ws_claims_fail(&e->theirs_value->place, "only %g is within a factor of it; give size = and a condition",
                              neutral(kind));
    *has_size = true;
    *is_size = is_within(kind, c->theirs_value, c->ours_value, factor);
    return WS_OK;
}

/* What goes the other way does not have the direction. */
static int check_side(const ws_claims_section *section, const entries *e, value_kind kind, const ws_claim *c)
{
    if ((kind != OF_RATIO && kind != OF_DIFFERENCE) || isnan(c->theirs_value))
        return WS_OK;
    const double a = c->ours_value - neutral(kind), b = c->theirs_value - neutral(kind);
    if (b == 0 || (b < 0 ? a < 0 : a > 0))
        return WS_OK;
    return ws_claims_fail(&e->direction->place,
                          "[claim %s] holds, but ours, %g, is not on the side of %g of theirs, %g; correct direction =",
                          section->name, c->ours_value, neutral(kind), c->theirs_value);
}

static int judge_values(ws_claims *claims, const ws_claims_section *section, const entries *e, ws_claim *c)
{
    value_kind kind;
    double direction = 0;
    bool has_size = false, is_size = false;
    int status = find_kind(section, e, &kind);
    if (!status)
        status = find_value(claims, e->theirs_value, &c->theirs_value);
    if (!status)
        status = find_value(claims, e->ours_value, &c->ours_value);
    if (!status && e->theirs_value && !e->ours_value)
        status = ws_claims_fail(&e->theirs_value->at_key,
                                "[claim %s] has value.theirs =, and no value.ours =", section->name);
    if (!status)
        status = evaluate(claims, e->direction->value, &e->direction->place, WS_CUBE_CONDITIONS, &direction);
    if (!status)
        status = judge_size(claims, e, kind, c, &has_size, &is_size);
    if (!status && direction != 0)
        status = check_side(section, e, kind, c);
    c->best = has_size ? WS_CLAIM_SIZE : WS_CLAIM_DIRECTION;
    c->verdict = direction == 0 ? WS_CLAIM_NO : is_size ? WS_CLAIM_SIZE : WS_CLAIM_DIRECTION;
    return status;
}

int ws_claims_judge_one(ws_claims *claims, const ws_claims_section *section, ws_claim *out)
{
    entries e = {0};
    ws_claim c = {.id = section->name,
                  .claim = "",
                  .theirs = "",
                  .theirs_value = NAN,
                  .ours_value = NAN,
                  .verdict = WS_CLAIM_UNJUDGED,
                  .best = WS_CLAIM_UNJUDGED,
                  .place = section->place};
    int status = find_entries(section, &e);
    if (status)
        return status;
    const struct {
        const ws_claims_entry *from;
        const char **to;
    } texts[] = {
        {e.claim, &c.claim}, {e.theirs, &c.theirs}, {e.ours, &c.ours}, {e.why, &c.why}, {e.unjudged, &c.unjudged}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !status; i++)
        status = ws_claims_text(claims, texts[i].from, texts[i].to);
    if (!status && !*c.unjudged && !e.direction)
        status = ws_claims_fail(&e.unjudged->place, "[claim %s] has no direction =, and this is empty", section->name);
    if (!status && !*c.unjudged)
        status = judge_values(claims, section, &e, &c);
    *out = c;
    return status;
}

/* Does a frame or a set have each label that has a name? */
static int check_names(const ws_claims *claims)
{
    const ws_claims_section *section = NULL;
    int status = WS_OK;
    while (!status && (section = ws_claims_next_section(claims, "names", section))) {
        ws_texts labels = {.count = 0};
        status = ws_claims_add_labels(claims, section->name, &labels);
        if (!status && !labels.count)
            status = ws_claims_fail(&section->place, "there is no axis and no set '%s'", section->name);
        for (size_t i = 0; i < section->entries && !status; i++)
            if (ws_texts_find(&labels, section->entry[i].key) < 0)
                status = ws_claims_fail(&section->entry[i].at_key, "%s has no label '%s'", section->name,
                                        section->entry[i].key);
        ws_texts_fini(&labels);
    }
    return status;
}

/* A claim of which nothing can be said. */
static void leave_unjudged(ws_claim *c)
{
    c->ours = "–";
    c->why = "";
    c->unjudged = "not here";
    c->theirs_value = c->ours_value = NAN;
    c->verdict = c->best = WS_CLAIM_UNJUDGED;
}

static int judge_all(ws_claims *claims, bool is_part)
{
    ws_claims_section *section = NULL;
    int status = is_part ? WS_OK : check_names(claims);
    claims->claims = 0;
    while (!status && (section = ws_claims_next_section(claims, "claim", section))) {
        status = WS_GROW(claims->claim, claims->claim_room, claims->claims, 1);
        ws_claim *const c = &claims->claim[claims->claims];
        if (!status)
            status = ws_claims_judge_one(claims, section, c);
        if (status == WS_ENUMERIC && is_part) {
            leave_unjudged(c);
            status = WS_OK;
        }
        claims->claims += !status;
    }
    return status;
}

int ws_claims_judge(ws_claims *claims)
{
    return judge_all(claims, false);
}

int ws_claims_judge_part(ws_claims *claims)
{
    return judge_all(claims, true);
}

const char *ws_claim_verdict_text(const ws_claim *claim)
{
    return *claim->unjudged ? claim->unjudged : ws_claim_verdict_words[claim->verdict];
}

const ws_claim *ws_claims_list(const ws_claims *claims, size_t *n)
{
    *n = claims->claims;
    return claims->claim;
}

size_t ws_claims_show_reasons(const ws_claims *claims, FILE *out)
{
    size_t n = 0;
    for (size_t i = 0; i < claims->claims; i++) {
        const ws_claim *const c = &claims->claim[i];
        const bool needs = c->verdict != c->best;
        if (*c->unjudged || needs == (*c->why != 0))
            continue;
        n++;
        ws_show_line(out, "%s:%d: [claim %s] is judged `%s', %s", c->place.file, c->place.line, c->id,
                     ws_claim_verdict_words[c->verdict],
                     needs ? "and has no reason; say why =" : "the best that it can be; remove why =");
    }
    return n;
}

int ws_claims_frame(const ws_claims *claims, ws_frame **out)
{
    static const ws_frame_column columns[] = {{"theirs_value", ""}, {"ours_value", ""}};
    static const ws_frame_layout layout = {.labels = {"id", "verdict", "claim", "theirs", "ours"},
                                           .column = columns,
                                           .columns = sizeof columns / sizeof *columns};
    ws_frame *frame;
    int status = ws_frame_begin(&layout, &frame);
    for (size_t i = 0; i < claims->claims && !status; i++) {
        const ws_claim *const c = &claims->claim[i];
        const char *const label[] = {c->id, ws_claim_verdict_words[c->verdict], c->claim, c->theirs, c->ours};
        status = ws_frame_add_row(frame, label, (const double[]){c->theirs_value, c->ours_value});
    }
    return ws_frame_give(status, frame, out);
}
