/* cmd_claims.c - `warpscape claims`: what a document claims, judged by frames, and tables of pages. */
#include "cli/claims/claims.h"

#include "base/cube/cube_functions.h"
#include "base/options/frame_output.h"
#include "base/options/option_rows.h"
#include "base/output.h"
#include "base/status.h"
#include "cli/claims/claims_page.h"
#include "cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FRAMES_MOST = 32, PAGES_MOST = 32 };

typedef struct request {
    ws_rest names;
    struct paths {
        ws_claims_path one[FRAMES_MOST];
        size_t count;
    } frames;
    struct pages {
        const char *path[PAGES_MOST];
        size_t count;
    } pages;
    const char *table;  /* NULL: all */
    const char *gather; /* the table of pages that is gathered; NULL: none */
    bool figures, check, counts, functions;
    ws_frame_output output;
    ws_claims_page page[PAGES_MOST]; /* of --page */
} request;

static void take_frame(const struct argp_state *state, void *member, char *text)
{
    struct paths *const to = member;
    char *const equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        argp_error(state, "--frame needs NAME=FILE, not '%s'", text);
    if (to->count == FRAMES_MOST - 1)
        argp_error(state, "%d frames at most", FRAMES_MOST - 1);
    *equals = 0;
    to->one[to->count++] = (ws_claims_path){text, equals + 1};
}

static void take_page(const struct argp_state *state, void *member, char *text)
{
    struct pages *const to = member;
    if (to->count == PAGES_MOST)
        argp_error(state, "%d pages at most", PAGES_MOST);
    to->path[to->count++] = text;
}

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (r->functions && r->names.count)
        argp_error(state, "--functions takes no argument; what is '%s'?", r->names.argument[0]);
    if (r->counts && r->pages.count > 1)
        argp_error(state, "--counts writes to one page");
    if (r->gather && (r->counts || r->table || r->pages.count || r->frames.count || r->functions))
        argp_error(state, "--gather reads tables of pages and prints them; other options do not apply");
    if (r->check && !r->pages.count)
        argp_error(state, "--check needs --page");
    if (r->figures && (!r->table || !r->pages.count || r->check))
        argp_error(state, "--figures needs --table and --page; without --table all figures are drawn");
    if (r->counts && r->table)
        argp_error(state, "--counts covers all claims; --table does not apply");
    if (r->counts && r->frames.count)
        argp_error(state, "--counts reads pages; --frame does not apply");
    if (!r->functions && !r->names.count)
        argp_error(state, r->counts || r->gather ? "which pages?" : "which frame, and which file of claims?");
    if (!r->counts && !r->gather && r->names.count > 2)
        argp_error(state, "one frame and one file of claims at a time; what is '%s'?", r->names.argument[2]);
}

static const ws_option_row option_rows[] = {
    WS_OPTION_GROUP(1),
    WS_OPTION_TAKE("page", 0, "PAGE", request, pages, take_page,
                   "Put the tables between the marks of this page (Markdown), and draw the figures into img next to "
                   "it; may be repeated"),
    WS_OPTION_TAKE("frame", 0, "NAME=FILE", request, frames, take_frame,
                   "File of the frame [frame NAME]; may be repeated"),
    WS_OPTION_FILLED("table", 't', "NAME", request, table, "the name of a table",
                     "Print only this table; with a page, update only this table"),
    WS_OPTION_FLAG("figures", 0, request, figures, "With --table and --page: draw the figures also"),
    WS_OPTION_FLAG("check", 0, request, check,
                   "Write and draw nothing: fail if a page would change, or with --table if it lacks a row, as for a "
                   "frame of some workloads"),
    WS_OPTION_GROUP(2),
    WS_OPTION_FLAG(
        "counts", 0, request, counts,
        "Print the number of claims of these pages by verdict instead; with --page put the table into that page"),
    WS_OPTION_FILLED("gather", 0, "NAME", request, gather, "the name of a table",
                     "Print the rows of the tables NAME of these pages as one frame instead: theirs, ours, and the "
                     "first number of each"),
    WS_OPTION_FLAG("functions", 0, request, functions, "List the functions of expressions"),
    WS_REST_OF_ARGUMENTS(request, names),
    {0},
};

static const struct argp_child children[] = {{&ws_frame_output_argp, 0, NULL, 0}, {&ws_argp_private, 0, NULL, 0}, {0}};
static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .children = children,
    .child = {offsetof(request, output)},
    .args_doc = "[FRAME|FOLDER|-] CLAIMS\n--counts PAGE...\n--gather NAME PAGE...\n--functions",
    .doc = "Judges the claims of a document by the numbers of a frame: size, direction only, or no.\vA file of claims "
           "(.ini) has for each claim the document's statement, the expression over the frame that answers it, the "
           "rule of the verdict, and the reason for a different answer. docs/claims.md describes the language. A frame "
           "is CSV, as of the other commands: labels are axes of its columns. FOLDER is that of a sweep. Without them "
           "the file of claims names its frames itself. The exit status is 1 if a reason is missing, or is given where "
           "none is needed.\n\nExample:\n  warpscape claims protocols.csv protocols.ini --format table\n  warpscape "
           "claims protocols.csv protocols.ini --page page.md\n  warpscape claims --counts page.md",
};

/* ------------------------------------------------------------------------------------------------ pages */

/* Puts a text between the marks "STUDY NAME" of the pages, at least of one, or looks for its lines there. */
static int put_text(request *r, const char *study, const char *name, const char *text, size_t length,
                    bool is_looked_for)
{
    char *mark;
    if (asprintf(&mark, "%s%s%s", study, *study ? " " : "", name) < 0)
        return ws_fail(WS_EMEM, "no memory for a page");
    bool any = false;
    int status = WS_OK;
    for (size_t i = 0; i < r->pages.count && !status; i++) {
        bool was_there = false;
        status = is_looked_for ? ws_claims_page_has(&r->page[i], mark, text, &was_there)
                               : ws_claims_page_put(&r->page[i], mark, text, length, &was_there);
        any = any || was_there;
    }
    if (!status && !any)
        status = ws_fail(WS_EINPUT,
                         "%s: no line `<!-- %s: begin -->'; put one where the table belongs, and `<!-- %s: "
                         "end -->' below it",
                         r->pages.path[0], mark, mark);
    free(mark);
    return status;
}

static int put_table(request *r, ws_claims *claims, const char *name)
{
    char *text = NULL;
    size_t length;
    const bool is_part = r->table && r->check;
    FILE *const out = open_memstream(&text, &length);
    int status = out ? ws_claims_write_table(claims, name, is_part, out) : ws_fail(WS_EMEM, "no memory for a table");
    if (out && fclose(out) && !status)
        status = ws_fail(WS_EMEM, "no memory for a table");
    if (!status)
        status = put_text(r, ws_claims_study(claims), name, text, length, is_part);
    free(text);
    return status;
}

static int draw_figures(const request *r, ws_claims *claims)
{
    const char *const page = r->pages.path[0], *const slash = strrchr(page, '/');
    char *folder;
    if (asprintf(&folder, "%.*simg", slash ? (int)(slash - page) + 1 : 0, page) < 0)
        return ws_fail(WS_EMEM, "no memory for a figure");
    const int status = ws_claims_draw(claims, folder);
    free(folder);
    return status;
}

static int write_pages(request *r)
{
    int status = WS_OK;
    for (size_t i = 0; i < r->pages.count && !status; i++)
        if (r->check && r->page[i].is_changed)
            status =
                ws_fail(WS_EINPUT, "%s differs from the claims; run this without --check, and review the difference",
                        r->pages.path[i]);
        else
            status = ws_claims_page_write(&r->page[i]);
    return status;
}

/* Tables are all made before a page is written. */
static int fill_pages(request *r, ws_claims *claims)
{
    const char *name;
    int status = r->table ? put_table(r, claims, r->table) : WS_OK;
    for (size_t i = 0; !status && !r->table && (name = ws_claims_table_at(claims, i)); i++)
        status = put_table(r, claims, name);
    if (!status && (!r->table || r->figures) && !r->check)
        status = draw_figures(r, claims);
    return status ? status : write_pages(r);
}

/* Rows of each page that is named: counts of claims, or of the tables that are gathered. */
static int read_pages(const request *r, ws_frame *to)
{
    int status = WS_OK;
    for (int i = 0; i < r->names.count && !status; i++) {
        ws_claims_page page;
        status = ws_claims_page_read(r->names.argument[i], &page);
        if (!status)
            status = r->gather ? ws_claims_page_gather(&page, r->gather, to) : ws_claims_page_count(&page, to);
        ws_claims_page_fini(&page);
    }
    return status;
}

static int gather(const request *r, int argc, char **argv)
{
    ws_frame *gathered = NULL;
    int status = ws_claims_gather_begin(&gathered);
    if (!status)
        status = read_pages(r, gathered);
    if (!status)
        status = ws_frame_output_print(&r->output, gathered, argc, argv);
    ws_frame_destroy(gathered);
    return status;
}

static int count_claims(request *r, int argc, char **argv)
{
    ws_frame *counts = NULL;
    int status = ws_claims_counts_begin(&counts);
    if (!status)
        status = read_pages(r, counts);
    if (!status && !r->pages.count)
        status = ws_frame_output_print(&r->output, counts, argc, argv);
    else if (!status) {
        char *text = NULL;
        size_t length;
        FILE *const out = open_memstream(&text, &length);
        if (out) {
            ws_claims_counts_write(counts, out);
            fclose(out);
        }
        status = text ? put_text(r, "", "counts", text, length, false) : ws_fail(WS_EMEM, "no memory for a table");
        free(text);
        if (!status)
            status = write_pages(r);
    }
    ws_frame_destroy(counts);
    return status;
}

/* ------------------------------------------------------------------------------------------------ claims */

/* The frame of a sweep is in its folder. */
static int find_frame(const char *path, char *in_folder, size_t size, const char **out)
{
    struct stat what;
    *out = path;
    if (stat(path, &what) || !S_ISDIR(what.st_mode))
        return WS_OK;
    if ((size_t)snprintf(in_folder, size, "%s/frame.csv", path) >= size || access(in_folder, F_OK))
        return ws_fail(WS_ENOTFOUND, "%s: there is no frame.csv; expected the folder of a completed sweep", path);
    *out = in_folder;
    return WS_OK;
}

static int judge(request *r, int argc, char **argv)
{
    char in_folder[PATH_MAX];
    ws_claims *claims = NULL;
    ws_frame *frame = NULL;
    const char *path = NULL;
    int status = r->names.count > 1 ? find_frame(r->names.argument[0], in_folder, sizeof in_folder, &path) : WS_OK;
    if (path)
        r->frames.one[r->frames.count++] = (ws_claims_path){"", path};
    if (!status)
        status = ws_claims_open(r->names.argument[r->names.count - 1], r->frames.one, r->frames.count, &claims);
    if (!status)
        ws_claims_show_lacks(claims, stderr);
    const bool is_judged = !r->table || !strcmp(r->table, "claims");
    if (!status && is_judged)
        status = ws_claims_judge(claims);
    if (!status && r->pages.count)
        status = fill_pages(r, claims);
    else if (!status && r->table)
        status = ws_claims_write_table(claims, r->table, false, stdout);
    else if (!status) {
        status = ws_claims_frame(claims, &frame);
        if (!status)
            status = ws_frame_output_print(&r->output, frame, argc, argv);
    }
    const size_t reasons = status ? 0 : ws_claims_show_reasons(claims, stderr);
    if (reasons)
        status = ws_fail(WS_EINPUT, "%zu claim%s with a reason too few or too many", reasons, reasons == 1 ? "" : "s");
    ws_frame_destroy(frame);
    ws_claims_destroy(claims);
    return status;
}

static void list_functions(void)
{
    const ws_cube_function *f;
    for (size_t i = 0; (f = ws_cube_function_at(i)); i++) {
        char call[64];
        snprintf(call, sizeof call, "%s(%s%s)", f->name, f->arguments, f->over ? " [over AXIS...]" : "");
        printf("%-36s %s\n", call, f->meaning);
    }
}

WS_COMMAND(claims)
{
    request *const r = calloc(1, sizeof *r);
    if (!r)
        return ws_fail(WS_EMEM, "out of memory");
    ws_options_parse(&options, argc, argv, r);
    int status = WS_OK;
    for (size_t i = 0; i < r->pages.count && !status; i++)
        status = ws_claims_page_read(r->pages.path[i], &r->page[i]);
    if (!status && r->functions)
        list_functions();
    else if (!status)
        status = r->counts ? count_claims(r, argc, argv) : r->gather ? gather(r, argc, argv) : judge(r, argc, argv);
    for (size_t i = 0; i < r->pages.count; i++)
        ws_claims_page_fini(&r->page[i]);
    free(r);
    return status;
}
