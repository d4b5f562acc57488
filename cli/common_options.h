/* common_options.h - option rows shared by several commands, with the structures that they fill. */
#ifndef WS_COMMON_OPTIONS_H
#define WS_COMMON_OPTIONS_H

#include "base/options/option_rows.h"
#include "cli/features.h"

/* Data of launches to keep in a results file. */
typedef struct ws_keep_request {
    const char *db, *set; /* NULL: keep nothing; NULL: all sets */
    bool profile, lines;
} ws_keep_request;

/* Rows of a ws_keep_request; db_ is the help of --db. */
#define WS_KEEP_OPTIONS(type, member, db_) \
    WS_OPTION_TEXT("db", 'd', "FILE", type, member.db, db_), \
        WS_OPTION_ONE_OF("set", 'm', "SET", type, member.set, ws_cli_sets, \
                         "Metrics that are kept: study (the 129 dimensions), modern, all (both), machines or " \
                         "synchronization [all]; needs --db"), \
        WS_OPTION_FLAG("profile", 0, type, member.profile, \
                       "With --db: keep a profile of each launch, too, for `warpscape model'"), \
        WS_OPTION_FLAG("lines", 0, type, member.lines, \
                       "With --db: keep what each instruction did, for `warpscape annotate'")

/* Reports misuse: options about kept data without --db. */
void ws_keep_check(const struct argp_state *state, const ws_keep_request *keep);

/* --linkage: a member ws_linkage. --method: a member ws_method. --check: an `unsigned` member, one bit per ws_check. */
ws_option_take ws_take_linkage, ws_take_method, ws_take_checks;

#endif
