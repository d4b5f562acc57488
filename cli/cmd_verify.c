/* cmd_verify.c - `warpscape verify`: how far do the models agree with the cycle simulator? What is compared is the
 * subject of a mechanism (mechanism.h). */
#include "cli/cli.h"
#include "base/data_folder.h"
#include "record/start/suite.h"
#include "model/mechanism/trace_files.h"
#include "model/coherence/coherence.h"
#include "model/mechanism/mechanism.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    ws_verify_request verify;
    ws_trace_files traces;
    const ws_subject *subject;
    bool chosen; /* by an option */
    bool has_scale, has_seed;
    int failed; /* a folder without traces */
} request;

enum { KEY_SCALE = 0x100, KEY_SEED, KEY_SUBJECT, KEY_END = 0x1000 };

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
};
enum { OPTIONS = sizeof options / sizeof *options };

/* The subject of a mechanism, NULL: it has none, or there is no such. */
static const ws_subject *subject_of(size_t mechanism)
{
    size_t n;
    const ws_mechanism_row *const row = ws_mechanisms(&n);
    return mechanism < n ? row[mechanism].is->subject : NULL;
}

/* The options above, and one for each subject, which the caller frees; NULL: no memory. */
static struct argp_option *all_options(void)
{
    size_t n, used = OPTIONS;
    (void)ws_mechanisms(&n);
    struct argp_option *const all = calloc(OPTIONS + n + 2, sizeof *all);
    if (!all)
        return NULL;
    memcpy(all, options, sizeof options);
    all[used++] =
        (struct argp_option){.doc = "Comparisons, with the machine and the errors that they allow:", .group = 1};
    for (size_t i = 0; i < n; i++) {
        const ws_subject *const s = subject_of(i);
        if (s)
            all[used++] = (struct argp_option){
                .name = s->name, .key = KEY_SUBJECT + (int)i, .arg = s->argument, .doc = s->what, .group = 1};
    }
    return all;
}

/* Descriptions of comparisons end with their machine and bands. */
static char *help_filter(int key, const char *text, void *input)
{
    (void)input;
    const ws_subject *const s = key < KEY_SUBJECT || key >= KEY_END ? NULL : subject_of((size_t)(key - KEY_SUBJECT));
    if (!s)
        return (char *)text;
    char worst[32] = "", median[32] = "", *out = NULL;
    if (s->worst)
        snprintf(worst, sizeof worst, "; at most %u %%", s->worst);
    if (s->median)
        snprintf(median, sizeof median, ", median %u %%", s->median);
    return asprintf(&out, "%s [%s%s%s]", text, s->machine, worst, median) < 0 ? NULL : out;
}

/* ------------------------------------------------------------------------------------------------ what goes with what
 */

static void refuse(const struct argp_state *state, const ws_subject *s, bool given, const char *option)
{
    if (given)
        argp_error(state, "--%s goes without %s", s->name, option);
}

static void check(request *r, const struct argp_state *state)
{
    const ws_subject *const s = r->subject;
    const ws_verify_request *const q = &r->verify;
    refuse(state, s, q->protocols && !(s->takes & WS_TAKES_PROTOCOL), "--protocol");
    refuse(state, s, q->tier && !(s->takes & WS_TAKES_TIER), "--tier");
    refuse(state, s, q->energy && !(s->takes & WS_TAKES_ENERGY), "--energy");
    refuse(state, s, r->has_scale && !(s->takes & WS_TAKES_INPUT), "--scale");
    refuse(state, s, r->has_seed && !(s->takes & WS_TAKES_INPUT), "--seed");
    refuse(state, s, q->worst >= 0 && !s->worst, "--worst");
    refuse(state, s, q->median >= 0 && !s->median, "--median");
    refuse(state, s, r->traces.count && !(s->takes & (WS_TAKES_TRACES | WS_WANTS_TRACES)),
           "traces: it runs its workloads live");
    if (s->takes & WS_WANTS_TRACES && !r->traces.count && !r->failed)
        argp_error(state, "which trace files, or folder of them?");
    if (q->energy && q->tier == 2)
        argp_error(state, "--energy is of tier 1: tier 2 has no time");
    if (s->check)
        s->check(state, q);
}

static void complete(request *r)
{
    const ws_subject *const s = r->subject;
    ws_verify_request *const q = &r->verify;
    q->traces = &r->traces;
    if (!q->config)
        q->config = s->machine;
    if (q->worst < 0)
        q->worst = s->worst / 100.0;
    if (q->median < 0)
        q->median = s->median / 100.0;
}

static void choose(request *r, const struct argp_state *state, const ws_subject *subject, char *arg)
{
    if (r->chosen && r->subject != subject)
        argp_error(state, "--%s and --%s are two comparisons: one at a time", r->subject->name, subject->name);
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
        if (key < KEY_SUBJECT || key >= KEY_END)
            return ARGP_ERR_UNKNOWN;
        choose(r, state, subject_of((size_t)(key - KEY_SUBJECT)), arg);
        return 0;
    }
}

static const struct argp argp = {
    /* without the options, which mechanisms add to */
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

WS_COMMAND(verify)
{
    request r = {.verify = {.worst = -1, .median = -1, .seed = 1}, .subject = subject_of(0)};
    char folder[PATH_MAX];
    struct argp with_options = argp;
    struct argp_option *const all = all_options();
    if (!all)
        return ws_fail(WS_EMEM, "out of memory");
    with_options.options = all;
    ws_cli_parse(&with_options, argc, argv, &r);
    free(all);
    ws_interrupts_catch();
    int status = r.failed;
    if (!status)
        status = ws_data_folder(folder, sizeof folder);
    r.verify.folder = folder;
    if (!status)
        status = verify(r.subject->verifier, &r.verify, argc, argv);
    ws_trace_files_free(&r.traces);
    return status;
}
