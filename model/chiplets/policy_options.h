/* policy_options.h - what a machine says of the coherence table and of the directories of its L2s: options in
 * [package]. Costs, and the sizes of both: P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs",
 * 2023, chapter 5. */
#ifndef WS_POLICY_OPTIONS_H
#define WS_POLICY_OPTIONS_H

#include "model/chiplets/chiplet_policy.h"
#include "model/chiplets/region_directory.h"

/* Of policies with a table, and of those with directories. */
extern const ws_option ws_policy_table_options[], ws_policy_directory_options[];

/* What operations of a command processor cost, and how its table is made. */
typedef struct ws_package_table {
    ws_cct_options cct;
    bool probes;                /* what other chips write at the home of a line takes its own chip's copy away */
    double access_s, latency_s; /* of its own memory; between it and those of the chips */
} ws_package_table;

/* By options that were checked; those that the policy (NULL: none) does not have are as they are by themselves. The
 * granule of the table is left to the caller. */
ws_package_table ws_policy_table(const ws_chiplet_policy_ops *policy, const ws_given *given, size_t count,
                                 uint32_t chips);
ws_directory_options ws_policy_directory(const ws_chiplet_policy_ops *policy, const ws_given *given, size_t count);

/* Until all L2s have heard and said so and the launch may begin: of so many rows, with operations or without. Seconds;
 * what L2s write back takes its own time. */
double ws_package_table_time(const ws_package_table *table, uint32_t rows, bool operates);

#endif
