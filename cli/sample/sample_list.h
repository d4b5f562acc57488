/* sample_list.h - list of selected launches, its export formats and summary. */
#ifndef WS_SAMPLE_LIST_H
#define WS_SAMPLE_LIST_H

#include "base/frame.h"
#include "cli/sample/launch_population.h"

typedef struct ws_sample_summary {
    const char *workload; /* owned by the population */
    size_t kernels, strata, chosen, launches;
    double share,
        bound; /* of the instructions; half of the confidence interval of the time, NaN: not provided by the method */
} ws_sample_summary;

/* Zero before use. Launches are borrowed from the populations. */
typedef struct ws_sample_list {
    struct chosen_launch {
        const ws_launch_population *population;
        size_t launch; /* index in the population */
        double weight, stratum, launches, spread, error;
        const char *reason;
    } * item;
    size_t count, room;
    ws_sample_summary *summary;
    size_t summaries, summary_room;
} ws_sample_list;

int ws_sample_list_add(ws_sample_list *list, const ws_launch_population *population, const ws_sample_plan *plan);
void ws_sample_list_fini(ws_sample_list *list);

/* Returns the list for `warpscape sim --launches` (model/sample/launch_list.h). The caller frees it. */
int ws_sample_list_frame(const ws_sample_list *list, const ws_sample_method *method, const ws_sample_plan *how,
                         ws_frame **out);

/* Formats of other tools, for ws_argp_choice; for one workload. */
extern const char *const ws_sample_exports[];
int ws_sample_list_export(const ws_sample_list *list, size_t form, FILE *out);

/* Prints a table in text form. */
void ws_sample_list_print(const ws_sample_list *list, FILE *out);

#endif
