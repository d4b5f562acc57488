# A mechanism that says something of a machine: docs/adding.md.
change model/mechanism/mechanisms.def '$a MECHANISM( toy, "how many SMs a machine has" )'
fails 'ws_mechanism_toy' build
add model/mechanism/toy/model_toy.c <<'E'
/* model_toy.c - `warpscape model toy`: SMs of a machine. */
#include "base/status.h"
#include "model/machine/machine.h"
#include "model/mechanism/mechanism.h"

typedef struct request {
    ws_machine_asked machine;
} request;

static const ws_option_row option_rows[] = {
    WS_OPTION_CONFIG("MACHINE", request, machine, "The machine [gtsc]"),
    {0},
};
static const ws_options options = {.rows = option_rows, .doc = "Counts SMs."};

static const ws_frame_column columns[] = {{"toys", "SMs"}};

static int add_row(ws_prediction_run *r)
{
    const double value[] = {r->machine->chip_sms};
    return ws_frame_add_row(r->frame, (const char *const[]){r->machine->name}, value);
}

/* The same of BFS and all, which the test looks at. */
static int measure(const ws_machine *machine, const ws_works_asked *works, ws_frame *notes, ws_frame **out)
{
    static const ws_frame_layout layout = {{"workload"}, columns, 1, NULL};
    const double value[] = {machine->chip_sms};
    (void)works, (void)notes;
    int status = ws_frame_begin(&layout, out);
    if (!status)
        status = ws_frame_add_row(*out, (const char *const[]){"BFS"}, value);
    return status ? status : ws_frame_add_row(*out, (const char *const[]){"all"}, value);
}

static const ws_quantity toys[] = {{"toys", "SMs", WS_QUANTITY_IS_PLAIN}};
static const ws_quantities quantities = {.one = toys, .count = 1, .measure = measure};

const ws_mechanism ws_mechanism_toy = {
    .options = &options,
    .asked = &(const request){.machine.choice.config = "gtsc"},
    .asked_bytes = sizeof(request),
    .traces = WS_NO_TRACES,
    .model.layout = {{"machine"}, columns, 1, "toy"},
    WS_ON_MACHINE(request, machine),
    .model.finish = add_row,
    .quantities = &quantities,
};
E
passes check layers
passes build
fails 'docs/commands.md does not list toy' unit mechanisms
change docs/commands.md '/^\| `model sync`/a | `model toy` | counts SMs |'
fails 'man/warpscape-model.1 does not list toy' unit mechanisms
change man/warpscape-model.1 '/^\.SH DESCRIPTION/i .br\n.B warpscape model toy\n[\\fIOPTION\\fR]...' \
    '/^\.SH OPTIONS OF SYNC/i .SS toy\nCounts SMs.\n.SH OPTIONS OF TOY\n.TP\n.BR \\-c ", " \\-\\-config " " \\fIMACHINE\\fR\nThe machine.'
fails 'man/warpscape-whatif.1 does not list toys' unit mechanisms
change man/warpscape-whatif.1 's/edp\)/&, toys/'
change man/warpscape-explore.1 's/edp\)/&, toys/'
passes unit mechanisms
passes check rows
add tests/golden/whatif/toy.sh <<'E'
$WARPSCAPE suite run --scale tiny --profile -d w.db BFS >/dev/null 2>&1
$WARPSCAPE whatif gtsc gtsc --set chip.sms=12 -d w.db | awk -F, '/^#/ { next } !n++ { while ($++at != "toys"); next } { print $1, $at }'
$WARPSCAPE model toy | tail -n 1
E
printf '%s\n' 'BFS 12' 'BFS 12' 'all 12' 'all 12' gtsc,16 >tests/golden/whatif/toy.stdout.exact
passes golden tests/golden/whatif/toy.sh
