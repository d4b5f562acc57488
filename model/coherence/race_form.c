/* race_form.c - closed forms of race detection. */
#include "model/coherence/race_form.h"

#include "model/coherence/race_signature.h"

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

/* `races` is such that there are as many races as there were. */
ws_race_syncs ws_race_form_syncs(const ws_race_form *f)
{
    enum { HALVINGS = 100 };
    const double own = f->store_syncs + f->race_syncs, others = f->sms - 1.0;
    if (!(f->store_syncs > 0) || !(others > 0))
        return (ws_race_syncs){0};
    const double fills = ceil(f->capacity / f->units);
    double least = 0, most = 1e6;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (least + most) / 2;
        const epoch e = epoch_of(others, middle, fills);
        if (e.race * (own + forced_of(own, e)) < f->race_syncs)
            least = middle;
        else
            most = middle;
    }
    const double forced = forced_of(own, epoch_of(others, least, fills));
    return (ws_race_syncs){.forced = forced, .entries = others * f->store_syncs * f->units / (own + forced)};
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
