/* memory_table.h - rows of launches, kernels, workloads or a whole suite, for each of several choices of organisations.
 */
#ifndef WS_MEMORY_TABLE_H
#define WS_MEMORY_TABLE_H

#include "base/frame.h"
#include "model/memory/memory_model.h"

typedef enum ws_memory_per {
    WS_MEMORY_PER_LAUNCH,
    WS_MEMORY_PER_KERNEL,
    WS_MEMORY_PER_WORKLOAD,
    WS_MEMORY_PER_SUITE
} ws_memory_per;

/* Organisation of each part, and its model. */
typedef struct ws_memory_choice {
    const char *organisation[WS_MEMORY_PARTS];
    ws_memory *memory;
} ws_memory_choice;

typedef struct ws_memory_table ws_memory_table;

/* Creates a table. Choices are borrowed; the first is all SRAM, the baseline of the others. WS_EMEM. */
int ws_memory_table_create(const ws_memory_choice *choice, size_t choices, ws_memory_per per, ws_memory_table **out);
void ws_memory_table_destroy(ws_memory_table *table); /* accepts NULL */
/* Adds a launch under each choice. */
int ws_memory_table_add(ws_memory_table *table, const char *workload, const char *kernel, size_t launch,
                        const ws_memory_launch *in_sram);
/* Makes a frame with a row for each row unit and each choice except the first. Parts with several organisations have a
 * label column; notes give those of the others. With several choices, `front` is 1 for choices of a unit that no other
 * improves in both joules and cycles. The caller frees *out. */
int ws_memory_table_frame(const ws_memory_table *table, ws_frame **out);

#endif
