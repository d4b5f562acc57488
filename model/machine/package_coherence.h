/* package_coherence.h - how do the L2s of several chips, each with copies of any line, agree from one launch to the
 * next? The rows of package_coherences.def, and their options in [package]. */
#ifndef WS_PACKAGE_COHERENCE_H
#define WS_PACKAGE_COHERENCE_H

#include "model/chiplets/cct.h"
#include "model/chiplets/region_directory.h"
#include "model/option.h"
#include "model/machine/machine.h"

typedef struct ws_package_coherence {
    const char *name, *summary;
    const ws_option *options;
    bool acquires, by_table, releases, gives_up, takes, directory; /* package_coherences.def */
} ws_package_coherence;

/* A row of the table; NULL: there is none. */
const ws_package_coherence *ws_package_coherence_at(size_t index);
const ws_package_coherence *ws_package_coherence_find(const char *name);

/* What operations of a command processor cost, and how its table is made. */
typedef struct ws_package_table {
    ws_cct_options cct;
    bool probes;                /* what other chips write at the home of a line takes its own chip's copy away */
    double access_s, latency_s; /* of its own memory; between it and those of the chips */
} ws_package_table;

/* By the machine's options; those of a row that the machine does not have are as they are by themselves. */
ws_package_table ws_package_table_of(const ws_machine *machine);
ws_directory_options ws_package_directory_of(const ws_machine *machine);

/* Until all L2s have heard and said so and the launch may begin: of so many rows, with operations or without. Seconds;
 * what L2s write back takes its own time. */
double ws_package_table_time(const ws_package_table *table, uint32_t rows, bool operates);

/* Bytes a second that the link carries from a chip, and to it. */
double ws_package_link_bytes(const ws_machine *machine);

#endif
