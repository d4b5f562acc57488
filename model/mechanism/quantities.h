/* quantities.h - quantities of workloads on a machine from mechanisms, which `whatif` and `explore` compare. */
#ifndef WS_QUANTITIES_H
#define WS_QUANTITIES_H

#include "base/frame.h"
#include "model/machine/machine_declared.h"
#include "model/mechanism/machine_traces.h"

#include <stdbool.h>
#include <stddef.h>

/* Each role except plain has one quantity over all mechanisms. */
typedef enum ws_quantity_role { WS_QUANTITY_IS_PLAIN, WS_QUANTITY_IS_TIME, WS_QUANTITY_IS_ENERGY } ws_quantity_role;
typedef struct ws_quantity {
    const char *name, *unit;
    ws_quantity_role role;
} ws_quantity;

/* Quantities of a mechanism. Functions return WS_OK or a failure. */
typedef struct ws_quantities {
    const ws_quantity *one; /* [count] */
    size_t count;
    /* Makes a frame with a row for each workload in the order of `works`, and a last one for all of them; label:
     * workload; columns: the quantities. Missing values are NaN, with the reason in a note. The caller frees *out. */
    int (*measure)(const ws_machine *machine, const ws_works_asked *works, ws_frame *notes, ws_frame **out);
    /* Sets *missing if quantities of the machine will be missing; a note has the reason if `notes` is not NULL. NULL:
     * never. */
    int (*find_missing)(const ws_machine *machine, ws_frame *notes, bool *missing);
    /* Clears ratio[count] of quantities without a ratio between the two machines; a note has the reason. NULL: all have
     * one. */
    int (*compare)(const ws_machine *first, const ws_machine *other, bool *ratio, ws_frame *notes);
} ws_quantities;

/* Return the quantities of all mechanisms, in order: their number, one of them, and the one of a role. */
size_t ws_quantities_count(void);
const ws_quantity *ws_quantity_at(size_t index);
size_t ws_quantity_of(ws_quantity_role role);

/* Call the functions above for all mechanisms. WS_EINPUT if two of them find different workloads. */
int ws_quantities_measure(const ws_machine *machine, const ws_works_asked *works, ws_frame *notes, ws_frame **out);
int ws_quantities_missing(const ws_machine *machine, ws_frame *notes, bool *missing);
int ws_quantities_compare(const ws_machine *first, const ws_machine *other, bool *ratio, ws_frame *notes);

/* Returns whether the values are equal, or both missing. */
bool ws_quantities_equal(const double *one, const double *other);

#endif
