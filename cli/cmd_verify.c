/* cmd_verify.c - `warpscape verify`: how far do the models agree with the cycle simulator? What is compared is a row of
 * verify_subjects.def. */
#include "cli/cli.h"
#include "base/data_folder.h"
#include "cli/start/suite.h"
#include "model/mechanism/trace_files.h"
#include "cli/verify.h"

#include <limits.h>

/* What a subject takes besides --config. */
enum { TAKES_TRACES = 1, WANTS_TRACES = 2, TAKES_PROTOCOL = 4, TAKES_TIER = 8, TAKES_ENERGY = 16, TAKES_INPUT = 32 };

static const struct subject {
    const char *name, *machine;
    unsigned worst, median; /* percent */
    unsigned takes;
    const ws_verifier *verifier;
} subjects[] = {
#define SUBJECT(name, argument, machine, worst, median, takes, what) \
    {#name, machine, worst, median, takes, &ws_verifier_##name},
#include "cli/verify_subjects.def"
#undef SUBJECT
};

enum {
#define SUBJECT(name, argument, machine, worst, median, takes, what) SUBJECT_##name,
#include "cli/verify_subjects.def"
#undef SUBJECT
    SUBJECTS
};

typedef struct request {
    ws_verify_request verify;
    ws_trace_files traces;
    size_t subject;
    bool chosen; /* by an option */
    bool has_scale, has_seed;
    int failed; /* a folder without traces */
} request;

enum { KEY_SCALE = 0x100, KEY_SEED, KEY_SUBJECT };

static const struct argp_option options[] = {
    {"config", 'c', "MACHINE", 0, "A file of data/configs by its name, or a path [that of the comparison, below]", 0},
    {"protocol", 'p', "NAME", 0,
     "A protocol; may be given again [--coherence: all that the tier covers; --races: the machine's]", 0},
    {"tier", 't', "1|2", 0, "Only this tier [both]", 0},
    {"worst", 'w', "PERCENT", 0, "What an error may be at most [that of the comparison]", 0},
    {"median", 'm', "PERCENT", 0, "What the median error may be [that of the comparison]", 0},
    {"energy", 'e', NULL, 0, "Tier 1: compare joules and cycles, too, in the same bands", 0},
    {"scale", KEY_SCALE, "tiny|small|study", 0, "With --memory: size of the inputs of its profiles [tiny]", 0},
    {"seed", KEY_SEED, "N", 0, "With --memory: their seed [1]", 0},
    {NULL, 0, NULL, 0, "Comparisons, with the machine and the errors that they allow:", 1},
#define SUBJECT(name, argument, machine, worst, median, takes, what) \
    {#name, KEY_SUBJECT + SUBJECT_##name, argument, 0, what, 1},
#include "cli/verify_subjects.def"
#undef SUBJECT
    {0},
};

/* Descriptions of comparisons end with their machine and bands. */
static char *help_filter(int key, const char *text, void *input)
{
    (void)input;
    if (key < KEY_SUBJECT || key >= KEY_SUBJECT + SUBJECTS)
        return (char *)text;
    const struct subject *const s = &subjects[key - KEY_SUBJECT];
    char worst[32] = "", median[32] = "", *out = NULL;
    if (s->worst)
        snprintf(worst, sizeof worst, "; at most %u %%", s->worst);
    if (s->median)
        snprintf(median, sizeof median, ", median %u %%", s->median);
    return asprintf(&out, "%s [%s%s%s]", text, s->machine, worst, median) < 0 ? NULL : out;
}

/* ------------------------------------------------------------------------------------------------ what goes with what
 */

static void refuse(const struct argp_state *state, const struct subject *s, bool given, const char *option)
{
    if (given)
        argp_error(state, "--%s goes without %s", s->name, option);
}

static void check(request *r, const struct argp_state *state)
{
    const struct subject *const s = &subjects[r->subject];
    const ws_verify_request *const q = &r->verify;
    refuse(state, s, q->protocols && !(s->takes & TAKES_PROTOCOL), "--protocol");
    refuse(state, s, q->tier && !(s->takes & TAKES_TIER), "--tier");
    refuse(state, s, q->energy && !(s->takes & TAKES_ENERGY), "--energy");
    refuse(state, s, r->has_scale && !(s->takes & TAKES_INPUT), "--scale");
    refuse(state, s, r->has_seed && !(s->takes & TAKES_INPUT), "--seed");
    refuse(state, s, q->worst >= 0 && !s->worst, "--worst");
    refuse(state, s, q->median >= 0 && !s->median, "--median");
    refuse(state, s, r->traces.count && !(s->takes & (TAKES_TRACES | WANTS_TRACES)),
           "traces: it runs its workloads live");
    if (s->takes & WANTS_TRACES && !r->traces.count && !r->failed)
        argp_error(state, "which trace files, or folder of them?");
    if (q->energy && q->tier == 2)
        argp_error(state, "--energy is of tier 1: tier 2 has no time");
    for (size_t i = 0; r->subject == SUBJECT_races && i < q->protocols; i++)
        if (!ws_coherence_detects_races(q->protocol[i]))
            argp_error(state, "--races: %s detects no races; give drd, drd-spec or drd-ideal", q->protocol[i]);
}

static void complete(request *r)
{
    const struct subject *const s = &subjects[r->subject];
    ws_verify_request *const q = &r->verify;
    q->traces = &r->traces;
    if (!q->config)
        q->config = s->machine;
    if (q->worst < 0)
        q->worst = s->worst / 100.0;
    if (q->median < 0)
        q->median = s->median / 100.0;
}

static void choose(request *r, const struct argp_state *state, size_t subject, char *arg)
{
    if (r->chosen && r->subject != subject)
        argp_error(state, "--%s and --%s are two comparisons: one at a time", subjects[r->subject].name,
                   subjects[subject].name);
    r->chosen = true;
    r->subject = subject;
    r->verify.file = arg;
}

static void add_protocol(ws_verify_request *q, const struct argp_state *state, const char *name)
{
    if (!ws_coherence_protocol_summary(name))
        argp_error(state, "--protocol: there is no '%s' (see `warpscape model coherence --help')", name);
    if (q->protocols == WS_VERIFY_PROTOCOLS)
        argp_error(state, "--protocol: too many");
    q->protocol[q->protocols++] = name;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    ws_verify_request *const q = &r->verify;
    switch (key) {
    case 'c':
        q->config = arg;
        return 0;
    case 'p':
        add_protocol(q, state, arg);
        return 0;
    case 't':
        q->tier = (unsigned)ws_cli_u64(state, "--tier", arg, 1, 2);
        return 0;
    case 'w':
        q->worst = ws_cli_double(state, "--worst", arg, 0, 1000) / 100;
        return 0;
    case 'm':
        q->median = ws_cli_double(state, "--median", arg, 0, 1000) / 100;
        return 0;
    case 'e':
        q->energy = true;
        return 0;
    case KEY_SCALE:
        r->has_scale = true;
        q->scale = ws_cli_choice(state, "--scale", arg, ws_suite_scales);
        return 0;
    case KEY_SEED:
        r->has_seed = true;
        q->seed = ws_cli_u64(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case ARGP_KEY_ARG:
        r->failed = r->failed ? r->failed : ws_trace_files_add(&r->traces, arg);
        return 0;
    case ARGP_KEY_END:
        check(r, state);
        complete(r);
        return 0;
    default:
        if (key < KEY_SUBJECT || key >= KEY_SUBJECT + SUBJECTS)
            return ARGP_ERR_UNKNOWN;
        choose(r, state, (size_t)(key - KEY_SUBJECT), arg);
        return 0;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[FILE.wst|DIR...]",
    .help_filter = help_filter,
    .doc = "Compares models with the cycle simulator, and prints what each predicted, what was simulated, and the "
           "error, as CSV. The exit status is 1 when an error is beyond its band.\v"
           "Counts have to be equal, whatever the bands, where a model says that they are. Of coherence, tier 2 "
           "replays accesses in the order of a simulation that makes them one at a time "
           "(protocols with physical leases, where time decides, are left out); tier 1 predicts bytes from a profile, "
           "and the order of protocols by bytes where they differ by more than 5 percent.\n\n"
           "Example:\n"
           "  warpscape suite run --scale tiny --trace traces MM\n"
           "  warpscape verify traces",
};

/* ------------------------------------------------------------------------------------------------ a comparison */

static int print_part(const ws_verification *v, int failed, int argc, char **argv)
{
    char message[1024];
    snprintf(message, sizeof message, "%s", ws_message());
    if (v->ledger.frame->rows)
        (void)ws_cli_print_frame(v->ledger.frame, v->notes, argc, argv);
    return ws_fail(failed, "%s", message);
}

static int verify(const ws_verifier *verifier, const ws_verify_request *wanted, int argc, char **argv)
{
    ws_verification v;
    int status = ws_verification_run(verifier, wanted, &v);
    if (status && verifier->partial && v.ledger.frame)
        status = print_part(&v, status, argc, argv);
    if (!status && (v.ledger.frame->rows || !verifier->partial))
        status = ws_cli_print_frame(v.ledger.frame, v.notes, argc, argv);
    if (!status)
        status = verifier->judge(&v);
    ws_verification_fini(verifier, &v);
    return status;
}

int ws_cmd_verify(int argc, char **argv)
{
    request r = {.verify = {.worst = -1, .median = -1, .seed = 1}};
    char folder[PATH_MAX];
    ws_cli_parse(&argp, argc, argv, &r);
    ws_interrupts_catch();
    int status = r.failed;
    if (!status)
        status = ws_data_folder(folder, sizeof folder);
    r.verify.folder = folder;
    if (!status)
        status = verify(subjects[r.subject].verifier, &r.verify, argc, argv);
    ws_trace_files_free(&r.traces);
    return status;
}
