# What the author of a kernel reads first, of kernels that are meant, with columns beside; and who may not be asked for
# it.
"$WARPSCAPE" suite run --scale tiny SLA MM 2>log
"$WARPSCAPE" metrics --kernel 'SCAN|^scan_a' --brief --columns 'atomic_passes_*,K_n' --format table
"$WARPSCAPE" metrics --kernel scan --per launch --columns I_total | grep -v '^#'
"$WARPSCAPE" metrics --brief --set performance
"$WARPSCAPE" metrics --kernel scan --per workload
"$WARPSCAPE" metrics --kernel '('
"$WARPSCAPE" metrics --kernel nobody
true
