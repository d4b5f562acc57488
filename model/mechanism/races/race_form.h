/* race_form.h - closed forms of race detection: how many epochs do full signatures begin, and what becomes of copies?
 *
 * Stores of an SM are taken as random among those of the others, races as the more likely the more others have stored;
 * all SMs are alike. A. Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in
 * GPUs", 2018, chapter 4, says what they count. */
#ifndef WS_RACE_FORM_H
#define WS_RACE_FORM_H

#include <stdint.h>

typedef struct ws_race_form {
    uint32_t sms;
    double store_syncs, race_syncs; /* of all SMs; store_syncs is also how many stores there are */
    double units;                   /* that a store puts into the signature of each other SM */
    double capacity;                /* units after which it is full */
} ws_race_form;

typedef struct ws_race_syncs {
    double forced;  /* epochs that full signatures begin */
    double entries; /* in a signature when an epoch ends, mean */
} ws_race_syncs;

/* NaN for numbers that are none. WS_EMEM. */
int ws_race_form_syncs(const ws_race_form *form, ws_race_syncs *out);

/* A copy is used again after `distance` accesses of its SM, of which each begins an epoch with probability `rate`,
 * besides `certain` ones: how likely was it fetched more than `depth` epochs ago, and how likely in one of the `depth`
 * before this one, so that filters are asked? */
double ws_race_form_expired(uint32_t depth, uint32_t certain, double rate, double distance);
double ws_race_form_filtered(uint32_t depth, uint32_t certain, double rate, double distance);

/* --- Mistakes of filters --- */

typedef struct ws_race_filter {
    uint32_t bits, hashes;
    double capacity; /* insertions after which an epoch ends */
    double entries;  /* in it when an epoch ends, mean */
    double units;    /* that a look-up asks for */
} ws_race_filter;

/* How often is a look-up of something that is not there wrong? Of signatures whose epochs end at random, so that they
 * are found as full as they end; what one of so many entries does is ws_signature_false_rate (race_signature.h). */
double ws_race_form_mistaken(const ws_race_filter *filter);

/* --- Messages --- */

/* What race detection sends besides what caches without it would. */
typedef struct ws_race_traffic {
    double refetches;  /* loads of copies that may not be read any more */
    double checks;     /* of copies that are good, without data */
    double signatures; /* that go to SMs */
    double told;       /* answers of the detector ahead of data */
} ws_race_traffic;

/* In bytes: a request and data, a request and a header, a signature behind a header, a header. */
double ws_race_form_bytes(const ws_race_traffic *traffic, double header, double block, double signature);
/* --- Time --- */

/* Cycles of an SM that waits for each of its requests, over those without: `hidden` of the way there and back is hidden
 * by what it has to do. */
double ws_race_form_slowdown(double requests, double round_trip, double hidden, double cycles);

#endif
