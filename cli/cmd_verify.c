/* cmd_verify.c - `warpscape verify`: how far do the models agree with the cycle simulator? What is compared is the
 * subject of a mechanism (mechanism.h). */
#include "cli/cli.h"
#include "record/start/suite.h"
#include "model/coherence/coherence.h"
#include "model/mechanism/mechanism.h"

#include <string.h>

typedef struct request {
    ws_verify_request verify;
    ws_traces_asked traces;
    const ws_subject *subject;
    bool chosen; /* by an option */
    struct choice {
        struct request *by;
        const ws_subject *subject;
    } choice[WS_MECHANISMS];
    bool has_scale, has_seed;
} request;

static void take_protocol(const struct argp_state *state, void *member, char *name)
{
    ws_verify_request *const q = member;
    if (!ws_coherence_protocol_summary(name))
        argp_error(state, "--protocol: there is no '%s' (see `warpscape model coherence --help')", name);
    if (q->protocols == WS_VERIFY_PROTOCOLS)
        argp_error(state, "--protocol: too many");
    q->protocol[q->protocols++] = name;
}

static void take_subject(const struct argp_state *state, void *member, char *arg)
{
    const struct choice *const c = member;
    request *const r = c->by;
    if (r->chosen && r->subject != c->subject)
        argp_error(state, "--%s and --%s are two comparisons: one at a time", r->subject->name, c->subject->name);
    r->chosen = true;
    r->subject = c->subject;
    r->verify.file = arg;
}

/* Subjects have rows behind these. */
static const ws_option_row option_rows[] = {
    WS_OPTION_TEXT("config", 'c', "MACHINE", request, verify.config,
                   "A file of data/configs by its name, or a path [that of the comparison, below]"),
    WS_OPTION_TAKE("protocol", 'p', "NAME", request, verify, take_protocol,
                   "A protocol; may be repeated [--coherence: all of the tier; --races: the machine's]"),
    WS_OPTION_NUMBER("tier", 't', "1|2", request, verify.tier, 1, 2, "Only this tier [both]"),
    WS_OPTION_REAL("worst", 'w', "PERCENT", request, verify.worst, 0, 1000, 100,
                   "Band of each error [that of the comparison]"),
    WS_OPTION_REAL("median", 'm', "PERCENT", request, verify.median, 0, 1000, 100,
                   "Band of the median error [that of the comparison]"),
    WS_OPTION_FLAG("energy", 'e', request, verify.energy, "Tier 1: also compare joules and cycles, in the same bands"),
    WS_OPTION_WORD("scale", 0, "tiny|small|study", request, verify.scale, ws_suite_scales,
                   "With --memory: size of the inputs of its profiles [tiny]"),
    WS_OPTION_GIVEN(request, has_scale),
    WS_OPTION_NUMBER("seed", 0, "N", request, verify.seed, 0, UINT64_MAX, "With --memory: their seed [1]"),
    WS_OPTION_GIVEN(request, has_seed),
    WS_TRACE_ARGUMENTS(request, traces, NULL),
    WS_OPTION_HEADING(1, "Comparisons, with their machine and bands:"),
};
enum { OPTIONS = sizeof option_rows / sizeof *option_rows, MEANING = 512 };

/* Its help, with machine and bands. */
static void describe(const ws_subject *s, char text[MEANING])
{
    int n = snprintf(text, MEANING, "%s [%s", s->what, s->machine);
    if (s->worst)
        n += snprintf(text + n, (size_t)(MEANING - n), "; at most %u %%", s->worst);
    if (s->median)
        n += snprintf(text + n, (size_t)(MEANING - n), ", median %u %%", s->median);
    snprintf(text + n, (size_t)(MEANING - n), "]");
}

/* ------------------------------------------------------------------------------------------------ what goes with what
 */

static void refuse(const struct argp_state *state, const ws_subject *s, bool given, const char *option)
{
    if (given)
        argp_error(state, "--%s goes without %s", s->name, option);
}

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    const ws_subject *const s = r->subject;
    const ws_verify_request *const q = &r->verify;
    refuse(state, s, q->protocols && !(s->takes & WS_TAKES_PROTOCOL), "--protocol");
    refuse(state, s, q->tier && !(s->takes & WS_TAKES_TIER), "--tier");
    refuse(state, s, q->energy && !(s->takes & WS_TAKES_ENERGY), "--energy");
    refuse(state, s, r->has_scale && !(s->takes & WS_TAKES_INPUT), "--scale");
    refuse(state, s, r->has_seed && !(s->takes & WS_TAKES_INPUT), "--seed");
    refuse(state, s, q->worst >= 0 && !s->worst, "--worst");
    refuse(state, s, q->median >= 0 && !s->median, "--median");
    refuse(state, s, r->traces.files.count && !(s->takes & (WS_TAKES_TRACES | WS_WANTS_TRACES)),
           "traces: it runs its workloads live");
    if (s->takes & WS_WANTS_TRACES)
        ws_need_traces(state, &r->traces);
    if (q->energy && q->tier == 2)
        argp_error(state, "--energy needs tier 1: tier 2 has no time");
    if (s->check)
        s->check(state, q);
}

static void complete(request *r)
{
    const ws_subject *const s = r->subject;
    ws_verify_request *const q = &r->verify;
    q->traces = &r->traces.files;
    if (!q->config)
        q->config = s->machine;
    if (q->worst < 0)
        q->worst = s->worst / 100.0;
    if (q->median < 0)
        q->median = s->median / 100.0;
}

static const ws_options options = {
    .check = check,
    .args_doc = "[FILE.wst|DIR...]",
    .doc = "Compares models with the cycle simulator, and prints predictions, simulated values and errors as CSV. The "
           "exit status is 1 if an error is beyond its band.\vCounts that a model states exactly must be equal, for "
           "any bands. For coherence, tier 2 replays accesses in the order of a simulation that makes them one at a "
           "time (protocols with physical leases, which depend on time, are omitted); tier 1 predicts bytes from a "
           "profile, and the order of protocols whose bytes differ by more than 5 percent.\n\nExample:\n  warpscape "
           "suite run --scale tiny --trace traces MM\n  warpscape verify traces",
};

/* The rows above, and one for each subject. */
static void parse(request *r, int argc, char **argv)
{
    char meaning[WS_MECHANISMS][MEANING];
    ws_option_row rows[OPTIONS + WS_MECHANISMS + 1] = {{0}};
    ws_options with_subjects = options;
    size_t used = OPTIONS;
    memcpy(rows, option_rows, sizeof option_rows);
    for (size_t i = 0; i < WS_MECHANISMS; i++) {
        const ws_subject *const s = ws_mechanism_rows[i].is->subject;
        if (!s)
            continue;
        r->choice[i] = (struct choice){r, s};
        describe(s, meaning[i]);
        rows[used] = (ws_option_row)WS_OPTION_TAKE(s->name, 0, s->argument, request, choice, take_subject, meaning[i]);
        rows[used++].offset += i * sizeof *r->choice;
    }
    with_subjects.rows = rows;
    ws_options_parse(&with_subjects, argc, argv, r);
    complete(r);
}

/* ------------------------------------------------------------------------------------------------ a comparison */

static int print_part(const ws_verification *v, int failed, int argc, char **argv)
{
    char message[1024];
    snprintf(message, sizeof message, "%s", ws_message());
    if (v->ledger.frame->rows)
        (void)ws_options_print_frame(v->ledger.frame, v->notes, argc, argv);
    return ws_fail(failed, "%s", message);
}

static int verify(const ws_verifier *verifier, const ws_verify_request *wanted, int argc, char **argv)
{
    ws_verification v;
    int status = ws_verification_run(verifier, wanted, &v);
    if (status && verifier->partial && v.ledger.frame)
        status = print_part(&v, status, argc, argv);
    if (!status && (v.ledger.frame->rows || !verifier->partial))
        status = ws_options_print_frame(v.ledger.frame, v.notes, argc, argv);
    if (!status)
        status = verifier->judge(&v);
    ws_verification_fini(verifier, &v);
    return status;
}

WS_COMMAND(verify)
{
    request r = {.verify = {.worst = -1, .median = -1, .seed = 1}, .subject = ws_mechanism_rows[0].is->subject};
    parse(&r, argc, argv);
    ws_interrupts_catch();
    int status = r.traces.failed;
    if (!status)
        status = verify(&r.subject->verifier, &r.verify, argc, argv);
    ws_trace_files_free(&r.traces.files);
    return status;
}
