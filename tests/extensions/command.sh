# A command: docs/adding.md.
change cli/commands.def '$a COMMAND( toy, "do nothing" )'
fails 'ws_cmd_toy' build
add cli/cmd_toy.c <<'TOY'
/* cmd_toy.c - `warpscape toy`: nothing. */
#include "cli/cli.h"

static const struct argp argp = {.doc = "Does nothing.\vExample:\n  warpscape toy"};

WS_COMMAND(toy)
{
    ws_argp_parse(&argp, argc, argv, NULL);
    return WS_OK;
}
TOY
fails 'man/warpscape-toy.1 exists' check manual
add man/warpscape-toy.1 <<'TOY'
.TH WARPSCAPE-TOY 1 "" "warpscape" "warpscape manual"
.SH NAME
warpscape-toy \- do nothing
.SH SYNOPSIS
.B warpscape toy
TOY
fails 'man/warpscape.1 mentions warpscape-toy' check manual
change man/warpscape.1 's/^\.BR warpscape\\-runs \(1\)$/.BR warpscape\\-toy (1)\nDo nothing.\n.TP\n&/'
fails 'tests/golden/toy has cases' check manual
add tests/golden/toy/nothing.sh <<'TOY'
$WARPSCAPE toy
TOY
passes check manual
passes check rows
