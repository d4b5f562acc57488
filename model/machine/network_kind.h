/* network_kind.h - the facts of a network: networks.def. Closed forms and models of power go by them; how packets move
 * is in model/sim/network. */
#ifndef WS_NETWORK_KIND_H
#define WS_NETWORK_KIND_H

#include "model/machine/network_plan.h"
#include "base/option.h"

#include <stddef.h>
#include <stdint.h>

/* What packets go through. */
typedef enum ws_network_medium {
    WS_MEDIUM_GRID = 1, /* a router at each node, with channels to its neighbours: hops are counted */
    WS_MEDIUM_SWITCH,   /* one switch in the middle, from each node to each */
    WS_MEDIUM_WIRES,    /* wires that all nodes share */
    WS_MEDIUM_READERS,  /* light: each reader has a channel, which all write */
    WS_MEDIUM_WRITERS   /* light: each writer has a channel, which all read */
} ws_network_medium;

enum { WS_MESH_MOST_VCS = 12 };

typedef struct ws_network_kind {
    const char *name, *summary;
    const ws_option *options; /* its own ones */
    ws_network_medium medium;
    /* Do these values go together? And what follows from them. WS_EINPUT. */
    int (*settle)(ws_network_plan *plan);
} ws_network_kind;

extern const ws_option ws_network_common_options[]; /* of all networks */
extern const ws_network_kind ws_network_kinds[];    /* in the order of networks.def */
/* The row of that name, or NULL; the row at an index, NULL behind the last. */
const ws_network_kind *ws_network_kind_find(const char *name);
const ws_network_kind *ws_network_kind_at(size_t index);

/* The network for nodes 0..nodes-1 with these options, common ones and own ones. WS_EINPUT with one line that names the
 * option and the reason. */
int ws_network_plan_make(const ws_network_kind *kind, uint32_t nodes, const ws_given *given, size_t count,
                         ws_network_plan *out);

#endif
