/* claims_open.c - files of claims opened: kinds of sections, names of expressions. */
#include "cli/claims/claims_internal.h"

#include "base/status.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

ws_claims_section *ws_claims_next_section(const ws_claims *claims, const char *kind, const ws_claims_section *after)
{
    for (size_t i = after ? (size_t)(after - claims->file.section) + 1 : 0; i < claims->file.sections; i++)
        if (!strcmp(claims->file.section[i].kind, kind))
            return &claims->file.section[i];
    return NULL;
}

ws_claims_section *ws_claims_find_section(const ws_claims *claims, const char *kind, const char *name)
{
    ws_claims_section *section = NULL;
    while ((section = ws_claims_next_section(claims, kind, section)) && strcmp(section->name, name) != 0)
        continue;
    return section;
}

const char *ws_claims_study(const ws_claims *claims)
{
    return claims->study;
}

static int fail_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for claims");
}

static int add_names(ws_claims *c, ws_claims_section *section)
{
    int status = WS_OK;
    for (size_t i = 0; i < section->entries && !status; i++) {
        section->entry[i].is_used = true;
        if (!strcmp(section->kind, "sets"))
            status =
                ws_scope_add_set(c->scope, section->entry[i].key, section->entry[i].value, &section->entry[i].place);
        else if (!strcmp(section->kind, "names"))
            status = ws_scope_add_name(c->scope, section->name, section->entry[i].key, section->entry[i].value,
                                       &section->entry[i].at_key);
        else
            status = ws_scope_define(c->scope, section->entry[i].key, &section->entry[i].at_key,
                                     section->entry[i].value, &section->entry[i].place);
    }
    return status;
}

static int define_names(ws_claims *c)
{
    static const char *const kinds[] = {"sets", "names", "let"};
    int status = WS_OK;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !status; k++) {
        ws_claims_section *section = NULL;
        while (!status && (section = ws_claims_next_section(c, kinds[k], section)))
            status = add_names(c, section);
    }
    return status;
}

static int check_kinds(const ws_claims *c)
{
    static const char *const kinds[] = {"study", "frame", "sets", "names", "let", "claim", "again", "table", "figure"};
    for (size_t i = 0; i < c->file.sections; i++) {
        size_t k = 0;
        while (k < sizeof kinds / sizeof *kinds && strcmp(kinds[k], c->file.section[i].kind))
            k++;
        if (k == sizeof kinds / sizeof *kinds)
            return ws_claims_fail(
                &c->file.section[i].place,
                "there is no section [%s]; expected [study], [frame NAME], [sets], [names AXIS], [let], "
                "[claim NAME], [again NAME], [table NAME] or [figure NAME]",
                c->file.section[i].kind);
    }
    return WS_OK;
}

int ws_claims_open_scope(ws_claims *claims, ws_claims_entry *only)
{
    ws_scope_destroy(claims->scope);
    ws_frame_destroy(claims->part);
    claims->part = NULL;
    claims->scope = ws_scope_create();
    int status = claims->scope ? WS_OK : fail_memory();
    for (size_t i = 0; i < claims->frames && !status; i++) {
        const ws_claims_loaded *const f = &claims->frame[i];
        ws_claims_entry *part = only;
        if (!*f->name && !part && f->section)
            status = ws_claims_find(f->section, "only", &part);
        if (!status && !*f->name && part)
            status = ws_claims_narrow(claims->arena, f->frame, part, &claims->part);
        if (!status && !f->is_shown)
            status = ws_scope_add_frame(claims->scope, f->name, f->path, *f->name || !part ? f->frame : claims->part);
    }
    return status ? status : define_names(claims);
}

/* Tables have names of their own: they stand between marks of pages. */
static int check_tables(const ws_claims *c)
{
    const ws_claims_section *section = NULL;
    while ((section = ws_claims_next_section(c, "again", section)))
        if (!strcmp(section->name, "claims") || ws_claims_find_section(c, "table", section->name))
            return ws_claims_fail(&section->place, "there is another table '%s'; choose another name", section->name);
    section = ws_claims_find_section(c, "table", "claims");
    return section ? ws_claims_fail(&section->place, "the table 'claims' is that of the claims; choose another name")
                   : WS_OK;
}

/* What is said of the study is for people, but whether claims are numbered. */
static int read_study(ws_claims *c)
{
    ws_claims_section *const section = ws_claims_next_section(c, "study", NULL);
    static const char *const keys[] = {"title", "source", "page"};
    ws_claims_entry *entry;
    if (!section)
        return WS_OK;
    int status = WS_OK;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !status; i++)
        status = ws_claims_find(section, keys[i], &entry);
    if (!status)
        status = ws_claims_find(section, "numbered", &entry);
    if (status)
        return status;
    if (entry && strcmp(entry->value, "yes") && strcmp(entry->value, "no"))
        return ws_claims_fail(&entry->place, "expected yes or no");
    c->is_numbered = entry && !strcmp(entry->value, "yes");
    return ws_claims_check_used(section, "title, source, page, numbered");
}

int ws_claims_open(const char *file, const ws_claims_path *path, size_t paths, ws_claims **out)
{
    ws_claims *const c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return fail_memory();
    c->arena = ws_arena_create();
    c->study = ws_text_stem(file);
    int status = c->arena && c->study ? ws_claims_file_read(file, &c->file) : fail_memory();
    if (!status)
        status = check_kinds(c);
    if (!status)
        status = check_tables(c);
    if (!status)
        status = read_study(c);
    if (!status)
        status = ws_claims_load_frames(c, path, paths);
    if (!status)
        status = ws_claims_open_scope(c, NULL);
    if (status) {
        ws_claims_destroy(c);
        return status;
    }
    *out = c;
    return WS_OK;
}

void ws_claims_destroy(ws_claims *claims)
{
    if (!claims)
        return;
    ws_scope_destroy(claims->scope);
    for (size_t i = 0; i < claims->frames; i++)
        ws_frame_destroy(claims->frame[i].frame);
    ws_frame_destroy(claims->part);
    free(claims->frame);
    free(claims->claim);
    free(claims->study);
    ws_arena_destroy(claims->arena);
    ws_claims_file_fini(&claims->file);
    free(claims);
}
