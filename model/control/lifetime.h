/* lifetime.h - how long does a die last that gets hot and cold?
 *
 * Each thermal cycle, found by rainflow counting, uses up a part of the life: Coffin, A Study of the Effects of Cyclic
 * Thermal Stresses on a Ductile Metal (1954), and Manson, Behavior of Materials under Conditions of Thermal Stress
 * (1953): N_f = C dT^-q cycles to failure; Miner, Cumulative Damage in Fatigue (1945): the parts n / N_f add up, and
 * failure comes at 1. So MTBF = time / sum(n / N_f). Only ratios of two runs mean something: C cancels in them. */
#ifndef WS_CONTROL_LIFETIME_H
#define WS_CONTROL_LIFETIME_H

#include "model/control/rainflow.h"

#include <stddef.h>

/* data/tech/lifetime*.ini, section [fatigue]. */
typedef struct ws_fatigue {
    double cycles;      /* to failure when each has the amplitude of reference_k */
    double reference_k; /* C = cycles * reference_k^exponent */
    double exponent;    /* q */
    double elastic_k;   /* cycles of at most this range do no harm; 0: all do */
    double bin_k;       /* width of a bin of the histogram */
} ws_fatigue;

enum { WS_LIFETIME_BINS = 128 };

/* Kept by the caller (some 6 KB), zero heap. */
typedef struct ws_lifetime {
    ws_fatigue law;
    ws_rainflow flow;
    double damage;                  /* Miner's sum so far; whole after ws_lifetime_finish */
    double cycles, largest_k;       /* counted, half ones as 0.5; the largest range */
    double count[WS_LIFETIME_BINS]; /* cycles of range [bin_k * i, bin_k * (i + 1)); the last bin is open */
    double wear[WS_LIFETIME_BINS];  /* their part of the damage */
} ws_lifetime;

/* WS_EINPUT with FILE:LINE:COLUMN for names that are not known, missing or out of bounds. */
int ws_fatigue_parse(const char *file, const char *text, size_t length, ws_fatigue *out);
int ws_fatigue_read(const char *path, ws_fatigue *out);

/* Cycles to failure when each has this range; infinite for an elastic one. */
double ws_fatigue_cycles(const ws_fatigue *law, double range_k);

void ws_lifetime_init(ws_lifetime *life, const ws_fatigue *law);
void ws_lifetime_add(ws_lifetime *life, double temperature_k); /* once a step; not finite: skipped and counted */
void ws_lifetime_finish(ws_lifetime *life);                    /* once, before damage is read */

/* observed_s / damage: infinite without damage. */
double ws_lifetime_mtbf_s(const ws_lifetime *life, double observed_s);

/* mtbf / base, 1 when both are infinite: "no cycles either way" is no gain. */
double ws_lifetime_relative(double mtbf_s, double base_mtbf_s);

#endif
