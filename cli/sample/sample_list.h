/* sample_list.h - launches that were chosen, as a list, in the forms of others, and in a few words. */
#ifndef WS_SAMPLE_LIST_H
#define WS_SAMPLE_LIST_H

#include "base/frame.h"
#include "cli/sample/launch_population.h"

typedef struct ws_sample_summary {
    const char *workload; /* the population's */
    size_t kernels, strata, chosen, launches;
    double share, bound; /* of the instructions; half of the interval of the time, NaN: the method does not say */
} ws_sample_summary;

/* Zeroed before. Launches are borrowed from the populations. */
typedef struct ws_sample_list {
    struct chosen_launch {
        const ws_launch_population *population;
        size_t launch; /* of it */
        double weight, stratum, launches, spread, error;
        const char *reason;
    } * item;
    size_t count, room;
    ws_sample_summary *summary;
    size_t summaries, summary_room;
} ws_sample_list;

int ws_sample_list_add(ws_sample_list *list, const ws_launch_population *population, const ws_sample_plan *plan);
void ws_sample_list_fini(ws_sample_list *list);

/* The list that `warpscape sim --launches` takes (model/sample/launch_list.h). The caller frees it. */
int ws_sample_list_frame(const ws_sample_list *list, const ws_sample_method *method, const ws_sample_plan *how,
                         ws_frame **out);

/* Forms of others, for ws_argp_choice: of one workload. */
extern const char *const ws_sample_exports[];
int ws_sample_list_export(const ws_sample_list *list, size_t form, FILE *out);

/* A table for people. */
void ws_sample_list_print(const ws_sample_list *list, FILE *out);

#endif
