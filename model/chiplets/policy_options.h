/* policy_options.h - machine options of the coherence table and the directories of L2s, in [package]. Costs, and the
 * sizes of both: P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", 2023, chapter 5. */
#ifndef WS_POLICY_OPTIONS_H
#define WS_POLICY_OPTIONS_H

#include "model/chiplets/chiplet_policy.h"
#include "model/chiplets/region_directory.h"

/* Options of policies with a table, and of those with directories. */
extern const ws_option ws_policy_table_options[], ws_policy_directory_options[];

/* Costs of a command processor's operations, and the parameters of its table. */
typedef struct ws_package_table {
    ws_cct_options cct;
    bool probes;                /* a write by another chip at the home of a line invalidates the home chip's copy */
    double access_s, latency_s; /* of its local memory; between it and the memories of the chips */
} ws_package_table;

/* Return the parameters from checked options; options of other policies (NULL: no policy) have their defaults. The
 * caller sets the granule of the table. */
ws_package_table ws_policy_table(const ws_chiplet_policy_ops *policy, const ws_given *given, size_t count,
                                 uint32_t chips);
ws_directory_options ws_policy_directory(const ws_chiplet_policy_ops *policy, const ws_given *given, size_t count);

/* Returns the seconds until all L2s are informed, have answered and the launch may begin, with `rows` rows and with or
 * without operations. Write-backs of L2s take additional time. */
double ws_package_table_time(const ws_package_table *table, uint32_t rows, bool operates);

#endif
