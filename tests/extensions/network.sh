# A network of the simulator, and its closed form: docs/adding-simulator.md.
sim=$(dirname "$(find model -name network_bus.c)")
change "$(find model -name networks.def)" '/^#undef COMMON/i NETWORK( toy, "toy", "one that the others are not", .medium = WS_MEDIUM_WIRES, .settle = settle_wires )\nOPTION( toy, latency, "cycles", 1, 1, 1024, "to a node" )\nEND( toy )'
fails 'ws_network_toy' build
copy "$sim/network_bus.c" "$sim/network_toy.c" \
    's/ws_network_bus/ws_network_toy/; s/network_bus\.c/network_toy.c/; s/WS_NETWORK_bus/WS_NETWORK_toy/'
fails 'network.kind: toy does what bus does' unit kinds_differ
change "$sim/network_toy.c" 's/^( *b->head->next = ).*/\1(source + 2) % net->nodes;/' # turns go by two
passes unit network
fails 'a network '"'toy'" unit noc
copy model/noc/noc_bus.c model/noc/noc_toy.c 's/noc_bus\.c/noc_toy.c/; s/solve_bus/solve_toy/'
change model/noc/noc_forms.def '$a FORM( toy, "one queue for all" )'
passes unit noc
fails 'docs/simulator*.md does not say what network.kind = toy is' unit kinds
change docs/simulator-network.md '$a The network `toy` is one.'
passes unit kinds
passes check rows
passes build
