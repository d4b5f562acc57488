/* cmd_study.c - `warpscape study`: the study of 38 workloads, made again from one command. */
#include "cli/cli.h"
#include "base/options/option_rows.h"
#include "cli/study/study.h"
#include "metrics/store/store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DRAWS = 1000000 };

static const char *const machine_words[] = {"tiny", "small", "study", "none", NULL};

static void take_workload(const struct argp_state *state, void *member, char *text)
{
    ws_suite_want(state, text, member);
}

static void check(const struct argp_state *state, const void *asked)
{
    const ws_study *const s = asked;
    if (!s->directory)
        argp_error(state, "-o DIR is required: the folder of the report");
}

static const ws_option_row option_rows[] = {
    WS_OPTION_GROUP(1),
    WS_OPTION_TEXT("output", 'o', "DIR", ws_study, directory, "Folder of the report, created if missing"),
    WS_OPTION_FILLED("db", 'd', "FILE", ws_study, db, "the name of a file",
                     "Results file of the suite; finished workloads are not run again [warpscape.db]"),
    WS_OPTION_GROUP(2),
    WS_OPTION_WORD("scale", 'c', "S", ws_study, suite.scale, ws_suite_scales,
                   "Size of the inputs: tiny, small or study [study]"),
    WS_OPTION_NUMBER("seed", 's', "N", ws_study, suite.seed, 0, UINT64_MAX, "Seed of the inputs [1]"),
    WS_OPTION_WORKERS(ws_study, workers, WS_SUITE_MOST_WORKERS,
                      "Threads; their number does not affect results [one per processor]"),
    WS_OPTION_ONE_OF(
        "machines", 0, "S", ws_study, machines, machine_words,
        "Size of the inputs for the comparison of the study's machines: tiny, small, study or none [small]"),
    WS_OPTION_ONE_OF("simulate", 0, "S", ws_study, simulate, machine_words,
                     "Size of the inputs for the cycle simulator on three machines of the study: tiny, small, study or "
                     "none [small]"),
    WS_OPTION_NUMBER("cycles", 0, "N", ws_study, simulated_cycles, 0, UINT64_MAX,
                     "Core cycles to simulate of each workload, at most; 0: all [200000]"),
    WS_OPTION_GROUP(3),
    WS_OPTION_NUMBER("draws", 0, "N", ws_study, draws, 1, MOST_DRAWS,
                     "Draws of bootstrap and gap, shuffles of distances [1000]"),
    WS_OPTION_NUMBER("random-seed", 0, "N", ws_study, random_seed, 0, UINT32_MAX, "Seed of these draws [1]"),
    WS_ARGUMENTS(ws_study, wanted, take_workload, NULL),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "-o DIR [ABBR...]",
    .doc =
        "Repeat the study: run the unfinished workloads of the suite, and write DIR/index.html with figures, frames "
        "and the study's claims next to the results here.\vIf interrupted, the same command continues. The map uses "
        "the study's 38 workloads; other workloads of the suite also run and are shown separately. With ABBR, only "
        "these workloads are used; claims that need others are not judged. DIR/claims.md has the claims as a table. "
        "Equal results give equal bytes, except times in seconds.\n\nExample: warpscape study -o study --db study.db",
    .children = ws_argp_writes,
};

/* A run at another scale or seed would be replaced: nobody should lose one by asking for a study. */
static int refuse_to_replace(const ws_study *s)
{
    ws_store *store = NULL;
    ws_frame *done = NULL;
    if (access(s->db, F_OK))
        return WS_OK;
    int status = ws_store_open(s->db, true, &store); /* who was killed as it made the file has left an empty one */
    if (!status)
        status = ws_store_frame(store, WS_PER_WORKLOAD, "study", false, &done);
    ws_store_close(store);
    for (size_t i = 0; !status && i < done->notes; i++) {
        char name[64], scale[32], seed[32], wanted_seed[32];
        snprintf(wanted_seed, sizeof wanted_seed, "%llu", (unsigned long long)s->suite.seed);
        if (sscanf(done->note[i], "run: %63s scale=%31s seed=%31s", name, scale, seed) != 3 || !ws_suite_find(name))
            continue;
        if (strcmp(scale, ws_suite_scales[s->suite.scale]) || strcmp(seed, wanted_seed))
            status =
                ws_fail(WS_EINPUT,
                        "%s: holds %s at scale %s, seed %s, which a study at scale %s, seed %s would replace; name "
                        "another file by --db",
                        s->db, name, scale, seed, ws_suite_scales[s->suite.scale], wanted_seed);
    }
    ws_frame_destroy(done);
    return status;
}

/* Without names on the command line: what the study used, and nothing else that the suite may have. */
static void want_the_study(ws_study *s)
{
    size_t n;
    const ws_suite_workload *all = ws_suite_workloads(&n);
    for (size_t i = 0; i < n; i++) {
        if (s->wanted[i])
            return;
    }
    for (size_t i = 0; i < n; i++)
        s->wanted[i] = ws_study_has(all[i].abbr);
}

static int run_missing(ws_study *s)
{
    want_the_study(s);
    s->suite.db = s->db;
    s->suite.workers = s->workers;
    s->suite.wanted = s->wanted;
    const int status = refuse_to_replace(s);
    return status ? status : ws_study_run_suite(s, &s->suite);
}

static int report(ws_study *s)
{
    static int (*const steps[])(ws_study *) = {ws_study_load,     ws_study_analyse,     ws_study_check_machines,
                                               ws_study_simulate, ws_study_save_frames, ws_study_judge,
                                               ws_study_draw};
    int status = WS_OK;
    for (size_t i = 0; !status && i < sizeof steps / sizeof steps[0]; i++)
        status = steps[i](s);
    if (!status)
        status = ws_album_save_page(&s->album, "claims.md", ws_study_write_claims, s);
    return status ? status : ws_album_save_page(&s->album, "index.html", ws_study_write_page, s);
}

WS_COMMAND(study)
{
    ws_study s = {
        .db = "warpscape.db",
        .machines = "small",
        .simulate = "small",
        .simulated_cycles = 200000,
        .suite = {.scale = 2, .seed = 1, .set = "all", .resume = true, .quiet = true, .again = "the same command"},
        .draws = 1000,
        .random_seed = 1};
    ws_options_parse(&options, argc, argv, &s);
    s.references = s.permutations = s.draws;
    int status = ws_album_open(&s.album, s.directory); /* a wrong folder is told at once, not after an hour */
    if (!status)
        status = ws_study_find_claims(&s);
    if (!status)
        status = run_missing(&s);
    if (!status)
        status = report(&s);
    if (!status && s.failure)
        status = ws_fail(WS_EVERIFY, "%s; the report omits them", s.failure);
    ws_study_fini(&s);
    return status;
}
