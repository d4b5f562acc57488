/* network_kind.h - properties of networks (networks.def), for closed forms and power models. model/sim/network
 * implements them. */
#ifndef WS_NETWORK_KIND_H
#define WS_NETWORK_KIND_H

#include "model/machine/network_plan.h"
#include "base/option.h"

#include <stddef.h>
#include <stdint.h>

/* Medium of a network. */
typedef enum ws_network_medium {
    WS_MEDIUM_GRID = 1, /* a router at each node, with channels to its neighbours; hops count */
    WS_MEDIUM_SWITCH,   /* one central switch between all nodes */
    WS_MEDIUM_WIRES,    /* shared wires between all nodes */
    WS_MEDIUM_READERS,  /* light: one channel per reader, written by all */
    WS_MEDIUM_WRITERS   /* light: one channel per writer, read by all */
} ws_network_medium;

enum { WS_MESH_MOST_VCS = 12 };

typedef struct ws_network_kind {
    const char *name, *summary;
    const ws_option *options; /* its options */
    ws_network_medium medium;
    /* Checks that the values are consistent, and derives further values. WS_EINPUT. */
    int (*settle)(ws_network_plan *plan);
} ws_network_kind;

extern const ws_option ws_network_common_options[]; /* of all networks */
extern const ws_network_kind ws_network_kinds[];    /* in the order of networks.def */
/* Return the row of that name, or NULL; the row at an index, or NULL past the last. */
const ws_network_kind *ws_network_kind_find(const char *name);
const ws_network_kind *ws_network_kind_at(size_t index);

/* Makes the network of nodes 0..nodes-1 with these common and specific options. WS_EINPUT with one line that names the
 * option and the reason. */
int ws_network_plan_make(const ws_network_kind *kind, uint32_t nodes, const ws_given *given, size_t count,
                         ws_network_plan *out);

#endif
