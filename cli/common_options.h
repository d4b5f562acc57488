/* common_options.h - rows of options that several commands have, and what they fill. */
#ifndef WS_COMMON_OPTIONS_H
#define WS_COMMON_OPTIONS_H

#include "base/options/option_rows.h"
#include "cli/features.h"

/* What is kept of launches in a results file. */
typedef struct ws_keep_request {
    const char *db, *set; /* NULL: nothing is kept; all sets */
    bool profile, lines;
} ws_keep_request;

/* The rows of a ws_keep_request; db_ is the help of --db. */
#define WS_KEEP_OPTIONS(type, member, db_) \
    WS_OPTION_TEXT("db", 'd', "FILE", type, member.db, db_), \
        WS_OPTION_ONE_OF("set", 'm', "SET", type, member.set, ws_cli_sets, \
                         "Metrics that are kept: study (the 129 dimensions), modern, all (both), machines or " \
                         "synchronization [all]; needs --db"), \
        WS_OPTION_FLAG("profile", 0, type, member.profile, \
                       "With --db: keep a profile of each launch, too, for `warpscape model'"), \
        WS_OPTION_FLAG("lines", 0, type, member.lines, \
                       "With --db: keep what each instruction did, for `warpscape annotate'")

/* Misuse: options without --db that say what is kept. */
void ws_keep_check(const struct argp_state *state, const ws_keep_request *keep);

/* --linkage: a member ws_linkage. --check: one of `unsigned`, a bit for each ws_check. */
ws_option_take ws_take_linkage, ws_take_checks;

#endif
