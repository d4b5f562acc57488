# Occupancy of kernels on machines with and without units of allocation; a kernel in a line; what cannot be asked.
"$WARPSCAPE" suite run --scale tiny MM SLA 2>log
for machine in qv100 gtsc rtx3090; do "$WARPSCAPE" model occupancy --config $machine --format table | grep -v '^# run'; done
echo "--- a quarter of the registers, and next to none"
"$WARPSCAPE" model occupancy --set sm.registers=16384 --columns 'ctas,by_*,next_*' MM 2>&1 | head -1
"$WARPSCAPE" model occupancy --set sm.registers=16384 --columns 'ctas,by_*,next_*' --format md
"$WARPSCAPE" model occupancy --set sm.registers=64 --columns 'ctas,occupancy,waves,tail' --format md
"$WARPSCAPE" summary | grep occupancy
"$WARPSCAPE" summary --config fermi . matmul | grep occupancy
"$WARPSCAPE" summary --config none | grep -c occupancy
"$WARPSCAPE" explain next_registers best_occupancy
for wrong in '--config nobody' '--db nothing.db' '--run 9' '--set sm.register_parts=0' '--columns ocupancy'; do
    "$WARPSCAPE" model occupancy $wrong 2>&1 >&- | head -1 | sed "s|/[^ ]*/data/|data/|"
done
