/* common_options.c - see common_options.h. */
#include "cli/common_options.h"

#include "base/status.h"
#include "cluster/method.h"
#include "collect/check/checker.h"

void ws_keep_check(const struct argp_state *state, const ws_keep_request *keep)
{
    if (keep->set && !keep->db)
        argp_error(state, "--set needs --db: metrics are kept in a results file");
    if (keep->profile && !keep->db)
        argp_error(state, "--profile needs --db: profiles are kept in a results file");
    if (keep->lines && !keep->db)
        argp_error(state, "--lines needs --db: counts of instructions are kept in a results file");
}

void ws_take_linkage(const struct argp_state *state, void *member, char *text)
{
    if (ws_linkage_find(text, member) != WS_OK)
        argp_error(state, "--linkage: %s", ws_message());
}

void ws_take_method(const struct argp_state *state, void *member, char *text)
{
    if (ws_method_find(text, member) != WS_OK)
        argp_error(state, "--method: %s", ws_message());
}

void ws_take_checks(const struct argp_state *state, void *member, char *text)
{
    if (ws_checks_parse(text, member) != WS_OK)
        argp_error(state, "--check: %s", ws_message());
}
