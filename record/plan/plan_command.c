/* plan_command.c - the command of a point: what stands in braces is put in, then the text is split into words as a
 * shell would. */
#include "base/grow.h"
#include "base/guess.h"
#include "record/plan/plan_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MOST = 8,           /* of axes that stand in words of axes */
    COMMAND_MOST = 128 << 10, /* bytes of a command; an argument of a process may have no more */
    FILE_BEGIN = 1,           /* a path that is known when the point runs: FILE_BEGIN [KEY] / NAME FILE_END */
    FILE_END = 2
};

/* What stands in braces. */
typedef enum ref_kind { REF_AXIS, REF_FURTHER, REF_OUTPUT, REF_NEEDED } ref_kind;
typedef struct ref {
    ref_kind kind;
    size_t axis, further; /* further: index of the label, or that of all of them for the label itself */
    const char *ops;      /* of REF_AXIS: "*5120+3", up to the closing brace */
    size_t ops_length;
    size_t block;  /* of REF_NEEDED */
    size_t output; /* index of the block's output; WS_PLAN_OUTPUTS_MOST: a file that all blocks have */
    char file[80];
} ref;

static const char results_file[] = WS_PLAN_RESULTS;

/* A block's file in folders of its points; false: it has none that is called so. */
static bool find_output(const ws_plan_block *block, const char *name, size_t length, ref *out)
{
    static const struct {
        const char *name, *file;
    } of_all[] = {{"db", results_file}, {"out", "out.csv"}};
    out->output = WS_PLAN_OUTPUTS_MOST;
    for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++)
        if (strlen(of_all[i].name) == length && !strncmp(of_all[i].name, name, length))
            return snprintf(out->file, sizeof out->file, "%s", of_all[i].file) > 0;
    for (size_t i = 0; i < block->outputs; i++) {
        const ws_plan_output *const o = &block->output[i];
        if (strlen(o->name) != length || strncmp(o->name, name, length))
            continue;
        out->output = i;
        return snprintf(out->file, sizeof out->file, "%s%s", o->name, o->is_frame ? ".csv" : "") <
               (int)sizeof out->file;
    }
    return false;
}

static int refuse(const ws_plan *plan, const ws_plan_block *block, const ws_setting *at, const char *name,
                  size_t length)
{
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)(length < 60 ? length : 60), name);
    ws_guess guess = ws_guess_of(text);
    for (size_t i = 0; i < plan->axes; i++)
        ws_guess_see(&guess, plan->axis[i].name);
    for (size_t i = 0; i < block->outputs; i++)
        ws_guess_see(&guess, block->output[i].name);
    return plan_fail(plan, at, "{%s} names nothing: it is no axis with labels and no output%s%s%s", text,
                     guess.best ? "; did you mean {" : "", guess.best ? guess.best : "", guess.best ? "}?" : "");
}

static int read_dotted(const ws_plan *plan, const ws_plan_block *block, const ws_setting *at, const char *text,
                       size_t dot, size_t length, ref *out)
{
    const char *const name = text + dot + 1;
    const size_t name_length = length - dot - 1;
    const long axis = plan_find_axis(plan, text, dot), other = plan_find_block(plan, text, dot);
    if (axis >= 0) {
        const ws_plan_axis *const a = &plan->axis[axis];
        size_t i = 0;
        while (i < a->labels &&
               (strlen(a->label_name[i]) != name_length || strncmp(a->label_name[i], name, name_length)))
            i++;
        if (i == a->labels && (strlen(a->name) != name_length || strncmp(a->name, name, name_length)))
            return plan_fail(plan, at, "{%.*s}: the axis %s has no label of that name", (int)length, text, a->name);
        *out = (ref){.kind = REF_FURTHER, .axis = (size_t)axis, .further = i};
        return WS_OK;
    }
    if (other < 0)
        return refuse(plan, block, at, text, length);
    *out = (ref){.kind = REF_NEEDED, .block = (size_t)other};
    if (&plan->block[other] >= block)
        return plan_fail(plan, at, "{%.*s}: [points %s] must stand above the points that need it", (int)length, text,
                         plan->block[other].name);
    return find_output(&plan->block[other], name, name_length, out)
               ? WS_OK
               : plan_fail(plan, at, "{%.*s}: [points %s] has no output of that name", (int)length, text,
                           plan->block[other].name);
}

static int read_ref(const ws_plan *plan, const ws_plan_block *block, const ws_setting *at, const char *text,
                    size_t length, ref *out)
{
    const char *const dot = memchr(text, '.', length);
    if (dot)
        return read_dotted(plan, block, at, text, (size_t)(dot - text), length, out);
    size_t name = 0;
    while (name < length && !strchr("*+-", text[name]))
        name++;
    const long axis = plan_find_axis(plan, text, name);
    if (axis >= 0 && (plan->axis[axis].values || name == length)) {
        *out = (ref){.kind = REF_AXIS, .axis = (size_t)axis, .ops = text + name, .ops_length = length - name};
        return WS_OK;
    }
    *out = (ref){.kind = REF_OUTPUT};
    return find_output(block, text, length, out) && strcmp(out->file, "out.csv")
               ? WS_OK
               : refuse(plan, block, at, text, length);
}

/* Hands the parts of a template on, literal text and what stands in braces; "{{" and "}}" are braces. */
typedef struct part {
    const char *text;
    size_t length;
    bool is_ref;
} part;

static int next_part(const ws_plan *plan, const ws_setting *at, const char **rest, part *out, bool *more)
{
    const char *const t = *rest;
    *more = *t != '\0';
    if (t[0] == '{' && t[1] != '{') {
        const char *const end = strchr(t, '}');
        if (!end || end == t + 1)
            return plan_fail(plan, at, "expected a name and } behind {; {{ is a brace");
        *out = (part){t + 1, (size_t)(end - t) - 1, true};
        *rest = end + 1;
        return WS_OK;
    }
    const bool brace = *t && t[0] == t[1] && (*t == '{' || *t == '}');
    const size_t plain = strcspn(t, "{}");
    *out = (part){t, brace || (!plain && *t) ? 1 : plain, false};
    *rest = t + out->length + brace;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ what is named */

static int check_text(ws_plan *plan, size_t b, const char *text, const ws_setting *at, unsigned depth, bool *seen);

/* The points of a block differ by what those differ by that they need, and have their labels where they list none. */
static void need(ws_plan *plan, size_t b, size_t needed)
{
    ws_plan_block *const block = &plan->block[b];
    const ws_plan_block *const other = &plan->block[needed];
    block->needs[needed] = true;
    if (block->stage <= other->stage)
        block->stage = other->stage + 1;
    for (size_t a = 0; a < plan->axes; a++) {
        if (!other->axis[a])
            continue;
        block->axis[a] = true;
        if (!block->listed[a]) {
            block->value[a] = other->value[a];
            block->values[a] = other->values[a];
        }
    }
}

/* Words of an axis may name axes in turn. */
static int check_axis(ws_plan *plan, size_t b, size_t a, const ws_setting *at, unsigned depth, bool *seen)
{
    ws_plan_block *const block = &plan->block[b];
    ws_plan_axis *const axis = &plan->axis[a];
    if (depth == DEPTH_MOST)
        return plan_fail(plan, at, "{%s}: axes stand in axes more than %d times; does one hold itself?", axis->name,
                         DEPTH_MOST);
    if (!axis->values || !block->values[a])
        return plan_fail(plan, at, "{%s}: the axis has no labels%s", axis->name,
                         axis->declared ? "" : " here; list them in this section");
    axis->used = block->axis[a] = true;
    int status = WS_OK;
    if (seen[a])
        return WS_OK;
    for (size_t v = 0; !status && v < block->values[a]; v++) {
        const ws_plan_value *const value = &axis->value[block->value[a][v]];
        if (strchr(value->words, '{'))
            status = check_text(plan, b, value->words, value->at, depth + 1, seen);
    }
    seen[a] = !status;
    return status;
}

static int check_text(ws_plan *plan, size_t b, const char *text, const ws_setting *at, unsigned depth, bool *seen)
{
    ws_plan_block *const block = &plan->block[b];
    for (;;) {
        part p;
        bool more;
        ref r;
        int status = next_part(plan, at, &text, &p, &more);
        if (status || !more)
            return status;
        if (!p.is_ref)
            continue;
        status = read_ref(plan, block, at, p.text, p.length, &r);
        if (status)
            return status;
        if (r.kind == REF_AXIS || r.kind == REF_FURTHER)
            status = check_axis(plan, b, r.axis, at, depth, seen);
        else if (r.kind == REF_OUTPUT && r.output < WS_PLAN_OUTPUTS_MOST)
            block->output[r.output].is_written = true;
        else if (r.kind == REF_OUTPUT)
            block->has_db = true;
        else {
            const ws_plan_block *const other = &plan->block[r.block];
            need(plan, b, r.block);
            if (!strcmp(r.file, results_file) && !other->has_db)
                status = plan_fail(plan, at, "{%.*s}: the command of [points %s] has no {db}", (int)p.length, p.text,
                                   other->name);
        }
        if (status)
            return status;
    }
}

int plan_command_check(ws_plan *plan, size_t b)
{
    ws_plan_block *const block = &plan->block[b];
    bool seen[WS_PLAN_AXES_MOST] = {false};
    const int status = check_text(plan, b, block->command, block->at, 0, seen);
    for (size_t i = 0; !status && i < block->outputs; i++)
        if (!block->output[i].is_written)
            return plan_fail(plan, block->at, "nothing writes the output %s: the command has no {%s}",
                             block->output[i].name, block->output[i].name);
    return status;
}

int plan_words_check(const ws_plan *plan, const ws_plan_block *block, char *const *words)
{
    const bool runs = !strcmp(words[0], "run") || (!strcmp(words[0], "suite") && words[1] && !strcmp(words[1], "run"));
    if (runs && !block->has_db)
        return plan_fail(plan, block->at, "all points would write one results file; add --db {db}");
    if (block->checkpoint_cycles > 0 && strcmp(words[0], "sim") != 0)
        return plan_fail(plan, block->at, "`checkpoint =' is for points of `sim' on a trace");
    if (!strcmp(words[0], "sweep"))
        return plan_fail(plan, block->at, "a point cannot be a sweep");
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ what is put in */

typedef struct buffer {
    char *bytes;
    size_t used, room;
} buffer;

typedef struct filling {
    const ws_plan *plan;
    const ws_plan_point *point;
    buffer text;
    size_t parts; /* put in so far: labels may be empty, so that bytes alone bound no work */
} filling;

static int put(filling *f, const char *bytes, size_t length)
{
    const ws_plan_block *const block = &f->plan->block[f->point->block];
    if (length > COMMAND_MOST - f->text.used)
        return plan_fail(f->plan, block->at, "the command of a point is longer than %d bytes", COMMAND_MOST);
    if (WS_GROW(f->text.bytes, f->text.room, f->text.used, length + 1))
        return plan_no_memory(f->plan);
    memcpy(f->text.bytes + f->text.used, bytes, length);
    f->text.used += length;
    f->text.bytes[f->text.used] = '\0';
    return WS_OK;
}

static int fill(filling *f, const char *text, const ws_setting *at, unsigned depth);

/* The number that an axis stands for, and what is done with it. */
static int put_number(filling *f, const ws_plan_axis *axis, const ref *r, size_t begin)
{
    const ws_setting *const at = f->plan->block[f->point->block].at;
    char number[24], *end;
    const char *const word = f->text.bytes + begin;
    int64_t value = strtoll(word, &end, 10);
    if (f->text.used == begin || *end || f->text.used - begin > 18)
        return plan_fail(f->plan, at, "{%s%.*s}: %s = '%s' is no whole number", axis->name, (int)r->ops_length, r->ops,
                         axis->name, f->text.used == begin ? "" : word);
    for (const char *op = r->ops; op < r->ops + r->ops_length;) {
        char *rest;
        const long long by = strtoll(op + 1, &rest, 10);
        const bool digits = op[1] >= '0' && op[1] <= '9' && rest - op <= 18;
        if (!digits || !strchr("*+-", *op))
            return plan_fail(f->plan, at, "{%s%.*s}: expected *, + or - and a whole number behind the axis", axis->name,
                             (int)r->ops_length, r->ops);
        if (*op == '*'   ? __builtin_mul_overflow(value, by, &value)
            : *op == '+' ? __builtin_add_overflow(value, by, &value)
                         : __builtin_sub_overflow(value, by, &value))
            return plan_fail(f->plan, at, "{%s%.*s}: beyond 64 bits for %s = %s", axis->name, (int)r->ops_length,
                             r->ops, axis->name, word);
        op = rest;
    }
    f->text.used = begin;
    return put(f, number, (size_t)snprintf(number, sizeof number, "%" PRId64, value));
}

static int put_axis(filling *f, const ref *r, unsigned depth)
{
    const ws_plan_axis *const axis = &f->plan->axis[r->axis];
    const ws_plan_value *const value = &axis->value[f->point->value[r->axis]];
    const size_t begin = f->text.used;
    if (depth == DEPTH_MOST)
        return plan_fail(f->plan, value->at, "{%s} holds itself", axis->name);
    const int status = fill(f, value->words, value->at, depth + 1);
    return status || !r->ops_length ? status : put_number(f, axis, r, begin);
}

int plan_find_needed(const ws_plan *plan, const ws_plan_point *point, size_t b, uint32_t *out)
{
    const ws_plan_block *const block = &plan->block[b];
    size_t cell = 0;
    for (size_t a = 0; a < plan->axes; a++) {
        size_t v = 0;
        if (!block->axis[a])
            continue;
        while (v < block->values[a] && block->value[a][v] != point->value[a])
            v++;
        if (v == block->values[a])
            return plan_fail(plan, plan->block[point->block].at,
                             "a point with %s %s needs one of [points %s], which do "
                             "not have this label",
                             plan->axis[a].name, plan->axis[a].value[point->value[a]].label, block->name);
        cell = cell * block->values[a] + v;
    }
    *out = block->point[cell];
    return WS_OK;
}

static int put_file(filling *f, const ref *r)
{
    static const char begin = FILE_BEGIN, slash = '/', end = FILE_END;
    const ws_plan *const plan = f->plan;
    const char *key = "";
    int status = WS_OK;
    if (r->kind == REF_NEEDED) {
        uint32_t needed;
        status = plan_find_needed(plan, f->point, r->block, &needed);
        if (!status)
            key = plan->point[needed].key;
    }
    if (!status)
        status = put(f, &begin, 1);
    if (!status)
        status = put(f, key, strlen(key));
    if (!status)
        status = put(f, &slash, 1);
    if (!status)
        status = put(f, r->file, strlen(r->file));
    return status ? status : put(f, &end, 1);
}

static int fill(filling *f, const char *text, const ws_setting *at, unsigned depth)
{
    for (;;) {
        part p;
        bool more;
        ref r;
        int status = next_part(f->plan, at, &text, &p, &more);
        if (status || !more)
            return status;
        if (f->parts++ == COMMAND_MOST)
            return plan_fail(f->plan, at, "the command of a point has more than %d parts", COMMAND_MOST);
        if (p.is_ref)
            status = read_ref(f->plan, &f->plan->block[f->point->block], at, p.text, p.length, &r);
        if (status)
            return status;
        if (!p.is_ref) {
            status = put(f, p.text, p.length);
        } else if (r.kind == REF_AXIS) {
            status = put_axis(f, &r, depth);
        } else if (r.kind == REF_FURTHER) {
            const ws_plan_axis *const axis = &f->plan->axis[r.axis];
            const ws_plan_value *const value = &axis->value[f->point->value[r.axis]];
            const char *const label = r.further < axis->labels ? value->further[r.further] : value->label;
            status = put(f, label, strlen(label));
        } else {
            status = put_file(f, &r);
        }
        if (status)
            return status;
    }
}

/* ------------------------------------------------------------------------------------------------ words */

/* Takes one word off a text as a shell would: quotes '' and "", backslashes. The word is written over the text. NULL: a
 * quote is open. */
static char *take_word(char **rest, char *to)
{
    char *at = *rest, quote = '\0';
    for (; *at && (quote || !strchr(" \t", *at)); at++) {
        if (quote ? *at == quote : (*at == '\'' || *at == '"'))
            quote = quote ? '\0' : *at;
        else if (*at == '\\' && quote != '\'' && at[1])
            *to++ = *++at;
        else
            *to++ = *at;
    }
    *rest = at + (*at != '\0');
    *to = '\0';
    return quote ? NULL : to;
}

/* A word with the paths of files put in. */
static char *place_files(const ws_plan_point *point, const ws_plan_place *place, ws_arena *arena, const char *word)
{
    char *out = NULL;
    size_t bytes;
    FILE *const stream = open_memstream(&out, &bytes);
    if (!stream)
        return NULL;
    for (const char *at = word; *at;) {
        const size_t plain = strcspn(at, (char[]){FILE_BEGIN, '\0'});
        fwrite(at, 1, plain, stream);
        at += plain;
        if (!*at)
            break;
        const char *const slash = strchr(at, '/'), *const end = strchr(at, FILE_END);
        const int key = (int)(slash - at) - 1, name = (int)(end - slash) - 1;
        if (!place)
            fprintf(stream, "%.*s/%.*s", key ? key : WS_PLAN_KEY, key ? at + 1 : point->key, name, slash + 1);
        else if (key)
            fprintf(stream, "%s/points/%.*s/%.*s", place->root, key, at + 1, name, slash + 1);
        else
            fprintf(stream, "%s/%.*s",
                    place->own_db && !strncmp(slash + 1, results_file, sizeof results_file - 1) ? place->own_db
                                                                                                : place->own,
                    name, slash + 1);
        at = end + 1;
    }
    char *const kept = fclose(stream) ? NULL : ws_arena_strndup(arena, out, bytes);
    free(out);
    return kept;
}

static int split(const ws_plan *plan, const ws_plan_point *point, buffer *t, ws_arena *arena, char ***words,
                 size_t *count)
{
    size_t room = 0;
    char **list = NULL;
    *count = 0;
    for (char *at = t->bytes; at && *(at += strspn(at, " \t"));) {
        char *const word = at;
        const int status = WS_GROW(list, room, *count, 1);
        if (status || !take_word(&at, word)) {
            free(list);
            return status ? plan_no_memory(plan)
                          : plan_fail(plan, plan->block[point->block].at, "a quote is open in the command of a point");
        }
        list[(*count)++] = word;
    }
    if (!*count)
        return plan_fail(plan, plan->block[point->block].at, "the command of a point has no words");
    *words = ws_arena_alloc(arena, (*count + 1) * sizeof **words);
    for (size_t i = 0; *words && i < *count; i++)
        (*words)[i] = list[i];
    free(list);
    return *words ? WS_OK : plan_no_memory(plan);
}

/* Words in which files are marked, in memory of the arena. */
int plan_words(const ws_plan *plan, const ws_plan_point *point, ws_arena *arena, char ***words, size_t *count)
{
    const ws_plan_block *const block = &plan->block[point->block];
    filling f = {.plan = plan, .point = point};
    int status = fill(&f, block->command, block->at, 0);
    if (!status)
        status = put(&f, "", 0);
    if (!status) {
        buffer kept = {ws_arena_strndup(arena, f.text.bytes, f.text.used), f.text.used, 0};
        status = kept.bytes ? split(plan, point, &kept, arena, words, count) : plan_no_memory(plan);
    }
    free(f.text.bytes);
    return status;
}

int ws_plan_words(const ws_plan *plan, size_t point, const ws_plan_place *place, ws_arena *arena, char ***words,
                  size_t *count)
{
    int status = plan_words(plan, &plan->point[point], arena, words, count);
    for (size_t i = 0; !status && i < *count; i++) {
        (*words)[i] = place_files(&plan->point[point], place, arena, (*words)[i]);
        if (!(*words)[i])
            status = plan_no_memory(plan);
    }
    return status;
}

void ws_plan_needs(const ws_plan *plan, size_t point, size_t *needed, size_t *count)
{
    const ws_plan_block *const block = &plan->block[plan->point[point].block];
    uint32_t found;
    *count = 0;
    for (size_t b = 0; block->stage && b < plan->blocks; b++)
        if (block->needs[b] && !plan_find_needed(plan, &plan->point[point], b, &found))
            needed[(*count)++] = found;
}
