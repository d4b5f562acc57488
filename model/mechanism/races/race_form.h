/* race_form.h - closed forms of race detection: epochs from full signatures, and the fate of copies.
 *
 * Stores of an SM are random among those of the others. The probability of a race grows with the stores of others. All
 * SMs are alike. A. Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs",
 * 2018, chapter 4, defines the counts. */
#ifndef WS_RACE_FORM_H
#define WS_RACE_FORM_H

#include <stdint.h>

typedef struct ws_race_form {
    uint32_t sms;
    double store_syncs, race_syncs; /* of all SMs; store_syncs is also the number of stores */
    double units;                   /* inserted by a store into the signature of each other SM */
    double capacity;                /* units of a full signature */
} ws_race_form;

typedef struct ws_race_syncs {
    double forced;  /* epochs started by full signatures */
    double entries; /* mean of a signature at the end of an epoch */
} ws_race_syncs;

/* Computes the epochs; NaN for invalid numbers. WS_EMEM. */
int ws_race_form_syncs(const ws_race_form *form, ws_race_syncs *out);

/* For a copy reused after `distance` accesses of its SM, each of which begins an epoch with probability `rate`, in
 * addition to `certain` ones, return the probability that it was fetched more than `depth` epochs ago, and that it was
 * fetched in one of the `depth` epochs before this one, so that filters are read. */
double ws_race_form_expired(uint32_t depth, uint32_t certain, double rate, double distance);
double ws_race_form_filtered(uint32_t depth, uint32_t certain, double rate, double distance);

/* --- False positives of filters --- */

typedef struct ws_race_filter {
    uint32_t bits, hashes;
    double capacity; /* insertions at which an epoch ends */
    double entries;  /* mean of its insertions at the end of an epoch */
    double units;    /* looked up at once */
} ws_race_filter;

/* Returns the rate of false positives of look-ups, for signatures whose epochs end at random, so that a look-up finds
 * the fill at their end. ws_signature_false_rate (race_signature.h) has the rate of a given number of entries. */
double ws_race_form_mistaken(const ws_race_filter *filter);

/* --- Messages --- */

/* Messages of race detection beyond those of caches without it. */
typedef struct ws_race_traffic {
    double refetches;  /* loads of copies that must not be read any longer */
    double checks;     /* of valid copies, without data */
    double signatures; /* sent to SMs */
    double told;       /* answers of the detector before data */
} ws_race_traffic;

/* Returns bytes: a request and data, a request and a header, a signature after a header, a header. */
double ws_race_form_bytes(const ws_race_traffic *traffic, double header, double block, double signature);
/* --- Time --- */

/* Returns the cycles of an SM that waits for each of its requests relative to those without; the share `hidden` of the
 * round trip is hidden by other work. */
double ws_race_form_slowdown(double requests, double round_trip, double hidden, double cycles);

#endif
