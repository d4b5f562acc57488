/* cmd_annotate.c - `warpscape annotate`: which line of a kernel's source does what?
 *
 * For people: the source with a few numbers before each line, as `perf annotate` has it. For programs: a frame with all
 * counts. */
#include "cli/cli.h"
#include "cli/kernel_request.h"
#include "cli/annotate/annotated.h"
#include "metrics/store/store.h"

typedef struct request {
    ws_kernel_request kernels;
    bool ptx;
    ws_store *store;
    ws_annotated_frame *rows;
    uint64_t seen, shown; /* listings of the file; those that were wanted */
} request;

static void take_folder(const struct argp_state *state, void *member, char *arg)
{
    (void)member; /* folders are those of the process */
    ws_argp_sources(state, arg);
}

static const ws_option_row option_rows[] = {
    WS_KERNEL_REQUEST_OPTIONS(request, kernels, "each line, with --ptx for each instruction"),
    WS_OPTION_FLAG("ptx", 'p', request, ptx, "Show the compiled instructions below each line"),
    WS_OPTION_ACT("sources", 's', "DIR", take_folder,
                  "Folder of source files to show, also of moved ones; may be repeated [the current folder]"),
    WS_OPTION_ALIAS("source", 0),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .args_doc = WS_KERNEL_REQUEST_ARGS,
    .doc = "Shows the source lines of kernels with most executions, active lanes, coalescing of accesses, and "
           "divergent branches, from a results file of `warpscape run'.\vWORKLOAD is a name of `warpscape runs', or "
           "`.' for all; KERNEL is a regular expression that matches a part of the kernel's name. Programs built with "
           "-lineinfo (nvcc) or -gline-tables-only (clang) have lines; for others the instructions are "
           "shown.\n\nExample:\n  warpscape suite run --scale tiny --lines BFS\n  warpscape annotate BFS bfs_expand",
};

/* ------------------------------------------------------------------------------------------------ showing */

static int show(request *r, const ws_store_listing *l, const ws_listing *listing)
{
    const ws_annotated what = {.workload = l->workload,
                               .title = l->title,
                               .listing = listing,
                               .store = r->store,
                               .run = l->run,
                               .instructions = r->ptx};
    return r->kernels.frame ? ws_annotated_add(r->rows, &what) : ws_annotated_print(&what, stdout);
}

static int see(void *context, const ws_store_listing *l)
{
    request *const r = context;
    r->seen++;
    if (!ws_kernel_request_has(&r->kernels, l->workload, l->kernel, l->title))
        return WS_OK;
    if (r->shown++ && !r->kernels.frame)
        putchar('\n');
    ws_arena *const arena = ws_arena_create();
    ws_listing *listing;
    int status = arena ? ws_listing_read(l->code, l->counts, arena, &listing) : ws_fail(WS_EMEM, "out of memory");
    if (status == WS_EINPUT)
        status = ws_fail(WS_EINPUT, "%s: the stored instructions of %s cannot be read; run it again", r->kernels.db,
                         l->title);
    if (!status)
        status = show(r, l, listing);
    ws_arena_destroy(arena);
    return status;
}

static int refuse(const request *r)
{
    if (r->shown)
        return WS_OK;
    if (!r->seen)
        return ws_fail(WS_ENOTFOUND,
                       "%s: no stored instructions; run the program with `warpscape run', or with --lines of "
                       "`warpscape suite run', exec, replay or import",
                       r->kernels.db);
    return ws_kernel_request_refuse(&r->kernels);
}

static int annotate(request *r, int argc, char **argv)
{
    int status = WS_OK;
    if (r->kernels.frame)
        status = ws_annotated_frame_create(r->ptx, &r->rows);
    if (!status)
        status = ws_store_listings(r->store, see, r);
    if (!status)
        status = refuse(r);
    if (!status && r->kernels.frame) {
        ws_frame *frame = NULL;
        status = ws_annotated_frame_finish(r->rows, &frame);
        if (!status)
            status = ws_options_sign_frame(frame, argc, argv);
        if (!status)
            status = ws_frame_print(frame, r->kernels.format, true, stdout);
        ws_frame_destroy(frame);
    }
    ws_annotated_frame_destroy(r->rows);
    return status;
}

WS_COMMAND(annotate)
{
    request r = {.kernels = {.db = "warpscape.db"}};
    ws_options_parse(&options, argc, argv, &r);
    int status = ws_kernel_request_open(&r.kernels, &r.store);
    if (!status)
        status = annotate(&r, argc, argv);
    ws_store_close(r.store);
    ws_kernel_request_fini(&r.kernels);
    return status;
}
