/* race_form.h - closed forms of race detection: how many epochs do full signatures begin, and what becomes of copies?
 *
 * Stores of an SM are taken as random among those of the others, races as the more likely the more others have stored; all SMs are alike. A. Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in
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

ws_race_syncs ws_race_form_syncs(const ws_race_form *form);

/* A copy is used again after `distance` accesses of its SM, of which each begins an epoch with probability `rate`: how likely was it
 * fetched two epochs ago or more, and how likely in the epoch before, so that the filter is asked? */
double ws_race_form_expired(double rate, double distance);
double ws_race_form_filtered(double rate, double distance);

#endif
