/* race_form.c - closed forms of race detection. */
#include "model/mechanism/races/race_form.h"

#include "base/status.h"
#include "model/coherence/race_signature.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>

/* What happens until an epoch ends, in the stores of one SM: others store, the SM stores, or it reads what others have
 * stored, which is as likely as there is much of it: `races` times the stores of others so far. */
typedef struct epoch {
    double full; /* it ends since the signature is full */
    double race; /* it ends by a race */
} epoch;

static epoch epoch_of(double others, double races, double fills)
{
    epoch e = {.full = 1};
    for (double k = 0; k < fills; k++) {
        const double all = others + 1 + races * k;
        e.race += e.full * races * k / all;
        e.full *= others / all;
    }
    return e;
}

/* Of `own` epochs that SMs begin themselves, how many more do full signatures begin? */
static double forced_of(double own, epoch e)
{
    return own * e.full / (1 - e.full);
}

typedef struct search {
    const ws_race_form *form;
    double own, others, fills;
} search;

/* More races than there were, when they are as likely as `races` says. */
static double excess(double races, void *context)
{
    const search *const s = context;
    const epoch e = epoch_of(s->others, races, s->fills);
    return e.race * (s->own + forced_of(s->own, e)) - s->form->race_syncs;
}

/* `races` such that there are as many races as there were; NaN without a root. */
static int find_races(search *s, double *races)
{
    static const double most = 1e6, near = 1e-15;
    enum { MOST_STEPS = 200 };
    *races = s->form->race_syncs > 0 ? most : 0;
    if (!(s->form->race_syncs > 0) || excess(most, s) < 0)
        return WS_OK;
    gsl_root_fsolver *const solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (!solver)
        return ws_fail(WS_EMEM, "no memory to find how likely races are");
    int failed = gsl_root_fsolver_set(solver, &(gsl_function){excess, s}, 0, most), rest = MOST_STEPS;
    while (!failed && rest-- && (failed = gsl_root_fsolver_iterate(solver)) == GSL_SUCCESS)
        if (gsl_root_test_interval(gsl_root_fsolver_x_lower(solver), gsl_root_fsolver_x_upper(solver), 0, near) !=
            GSL_CONTINUE)
            break;
    *races = failed ? NAN : gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return WS_OK;
}

int ws_race_form_syncs(const ws_race_form *f, ws_race_syncs *out)
{
    search s = {.form = f, .own = f->store_syncs + f->race_syncs, .others = f->sms - 1.0};
    double races;
    *out = (ws_race_syncs){0};
    if (!(f->store_syncs > 0) || !(s.others > 0))
        return WS_OK;
    s.fills = ceil(f->capacity / f->units);
    const int status = find_races(&s, &races);
    if (status)
        return status;
    out->forced = forced_of(s.own, epoch_of(s.others, races, s.fills));
    out->entries = s.others * f->store_syncs * f->units / (s.own + out->forced);
    return WS_OK;
}

/* At most `most` of events that come at random, `mean` of them on average. */
static double poisson_up_to(uint32_t most, double mean)
{
    double term = exp(-mean), sum = term;
    for (uint32_t i = 1; i <= most; i++)
        sum += term *= mean / i;
    return sum;
}

double ws_race_form_expired(uint32_t depth, uint32_t certain, double rate, double distance)
{
    return certain > depth ? 1 : 1 - poisson_up_to(depth - certain, rate * distance);
}

/* Epochs that end at any insertion alike are geometric, and so is what a look-up finds; none is longer than the
 * capacity. */
double ws_race_form_mistaken(const ws_race_filter *f)
{
    const double stays = f->entries / (1 + f->entries);
    double all = 0, wrong = 0, part = 1;
    for (double keys = 0; keys < f->capacity; keys++, part *= stays) {
        all += part;
        wrong += part * (1 - pow(1 - ws_signature_false_rate(f->bits, f->hashes, keys), f->units));
    }
    return all > 0 ? wrong / all : 0;
}

double ws_race_form_bytes(const ws_race_traffic *t, double header, double block, double signature)
{
    return t->refetches * (2 * header + block) + t->checks * 2 * header + t->signatures * (header + signature) +
           t->told * header;
}

double ws_race_form_slowdown(double requests, double round_trip, double hidden, double cycles)
{
    return cycles > 0 ? 1 + requests * round_trip * (1 - hidden) / cycles : NAN;
}

double ws_race_form_filtered(uint32_t depth, uint32_t certain, double rate, double distance)
{
    const double epochs = rate * distance;
    return certain > depth ? 0 : poisson_up_to(depth - certain, epochs) - (certain ? 0 : exp(-epochs));
}
