/* network_rows.h - numbers of the options of each row of networks.def. */
#ifndef WS_NETWORK_ROWS_H
#define WS_NETWORK_ROWS_H

#include "model/machine/network_kind.h"

/* Options of each, WS_NETWORK_<network>_<option>, in the order of its table. */
/* clang-format off */
#define COMMON(name) enum {
#define NETWORK(name, word, summary, ...) enum {
#define OPTION(network, name, ...) WS_NETWORK_##network##_##name,
#define END(network) WS_NETWORK_##network##_END };
/* clang-format on */
#include "model/machine/networks.def"

#endif
