/* lifetime.h - lifetime of a die under thermal cycles.
 *
 * Each thermal cycle, found by rainflow counting, consumes a part of the life: Coffin, A Study of the Effects of Cyclic
 * Thermal Stresses on a Ductile Metal (1954), and Manson, Behavior of Materials under Conditions of Thermal Stress
 * (1953): N_f = C dT^-q cycles to failure; Miner, Cumulative Damage in Fatigue (1945): the parts n / N_f add up, and
 * failure comes at 1. Hence MTBF = time / sum(n / N_f). Only ratios of two runs are meaningful: C cancels in them. */
#ifndef WS_CONTROL_LIFETIME_H
#define WS_CONTROL_LIFETIME_H

#include "model/control/rainflow.h"

#include <stddef.h>

/* data/tech/lifetime*.ini, section [fatigue]. */
typedef struct ws_fatigue {
    double cycles;      /* to failure, each with the amplitude reference_k */
    double reference_k; /* C = cycles * reference_k^exponent */
    double exponent;    /* q */
    double elastic_k;   /* largest range without damage; 0: none */
    double bin_k;       /* width of a bin of the histogram */
} ws_fatigue;

enum { WS_LIFETIME_BINS = 128 };

/* State of some 6 KB, owned by the caller; no heap memory. */
typedef struct ws_lifetime {
    ws_fatigue law;
    ws_rainflow flow;
    double damage;                  /* Miner's sum so far; complete after ws_lifetime_finish */
    double cycles, largest_k;       /* count, half cycles as 0.5; largest range */
    double count[WS_LIFETIME_BINS]; /* cycles of range [bin_k * i, bin_k * (i + 1)); the last bin is open */
    double wear[WS_LIFETIME_BINS];  /* their share of the damage */
} ws_lifetime;

/* WS_EINPUT with FILE:LINE:COLUMN for a name that is unknown or missing, or a value out of bounds. */
int ws_fatigue_parse(const char *file, const char *text, size_t length, ws_fatigue *out);
int ws_fatigue_read(const char *path, ws_fatigue *out);

/* Returns the cycles to failure of this range; infinite for an elastic one. */
double ws_fatigue_cycles(const ws_fatigue *law, double range_k);

void ws_lifetime_init(ws_lifetime *life, const ws_fatigue *law);
void ws_lifetime_add(ws_lifetime *life, double temperature_k); /* once per step; skips and counts non-finite values */
void ws_lifetime_finish(ws_lifetime *life);                    /* once, before damage is read */

/* Returns observed_s / damage: infinite without damage. */
double ws_lifetime_mtbf_s(const ws_lifetime *life, double observed_s);

/* Returns mtbf / base; 1 if both are infinite, as no damage in both runs is no gain. */
double ws_lifetime_relative(double mtbf_s, double base_mtbf_s);

#endif
