# A component of power: docs/adding.md.
charges=model/power/charges.def file=model/power/power_toy.c
change model/power/components.def '$a COMPONENT( toy, "network", "toys" )'
fails 'ws_power_add_toy' build
copy model/power/power_link.c $file \
    's/power_(link\.c|add_link)/power_\1/; s/power_link\.c - .*/power_toy.c - toys. *\//; s/add_link/add_toy/'
fails 'charges.def' unit power
change $charges '/^CHARGE\( memory_light, dram_writes/a CHARGE( toy, network_bytes, 2, 3, "" )'
fails 'components link and toy are charged for network_bytes[2]; why?' unit power
change $charges 's/^(CHARGE\( toy, .*)""/\1"a reason"/'
fails 'component toy is charged as link wherever it costs anything' unit power
# A counter of its own.
change $charges 's/^CHARGE\( toy, .*/CHARGE( toy, memory_transactions, 0, 0, "" )/'
change $file \
    's/enum \{ BITS = 8, FIRST = 2 \};/enum { BITS = 8 };/' \
    's/unsigned d = FIRST; d < WS_ACTIVITY_DIRECTIONS/unsigned d = 0; d < 1/' \
    's/network_bytes, d/memory_transactions, d/'
passes unit power
passes check rows
