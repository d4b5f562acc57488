/* quantities.h - quantities of workloads on a machine, as mechanisms give them: `whatif` and `explore` compare them. */
#ifndef WS_QUANTITIES_H
#define WS_QUANTITIES_H

#include "base/frame.h"
#include "model/machine/machine_declared.h"
#include "model/mechanism/machine_traces.h"

#include <stdbool.h>
#include <stddef.h>

/* Of each role but plain there is one in all mechanisms. */
typedef enum ws_quantity_role { WS_QUANTITY_IS_PLAIN, WS_QUANTITY_IS_TIME, WS_QUANTITY_IS_ENERGY } ws_quantity_role;
typedef struct ws_quantity {
    const char *name, *unit;
    ws_quantity_role role;
} ws_quantity;

/* What a mechanism gives. Functions return WS_OK or a failure. */
typedef struct ws_quantities {
    const ws_quantity *one; /* [count] */
    size_t count;
    /* A frame with a row for each workload in the order of `works`, and a last one for all of them; label: workload;
     * columns: the quantities. What is missing is NaN, and a note says why. The caller frees *out. */
    int (*measure)(const ws_machine *machine, const ws_works_asked *works, ws_frame *notes, ws_frame **out);
    /* Whether quantities of the machine will be missing; a note says why, where `notes` is not NULL. NULL: none are. */
    int (*find_missing)(const ws_machine *machine, ws_frame *notes, bool *missing);
    /* Clears ratio[count] of quantities that have no ratio between the two machines; a note says why. NULL: all have.
     */
    int (*compare)(const ws_machine *first, const ws_machine *other, bool *ratio, ws_frame *notes);
} ws_quantities;

/* Those of all mechanisms, in their order: how many, one of them, and the one of a role. */
size_t ws_quantities_count(void);
const ws_quantity *ws_quantity_at(size_t index);
size_t ws_quantity_of(ws_quantity_role role);

/* The functions above for all mechanisms. WS_EINPUT when two of them find other workloads. */
int ws_quantities_measure(const ws_machine *machine, const ws_works_asked *works, ws_frame *notes, ws_frame **out);
int ws_quantities_missing(const ws_machine *machine, ws_frame *notes, bool *missing);
int ws_quantities_compare(const ws_machine *first, const ws_machine *other, bool *ratio, ws_frame *notes);

/* Whether all are equal, or both missing. */
bool ws_quantities_equal(const double *one, const double *other);

#endif
