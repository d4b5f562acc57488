# Traces that Accel-Sim reads, and what is the same when they are imported again: counts, lanes, addresses.
for kernel in flow_nested atomic_global memory_vector memory_local; do
    rm -f again.db*
    "$WARPSCAPE" exec "$TOP/tests/kernels/$kernel.ptx" "$TOP/tests/kernels/$kernel.launch" --trace $kernel.wst > \
        /dev/null
    "$WARPSCAPE" replay $kernel.wst --accelsim $kernel
    "$WARPSCAPE" import $kernel -o again.wst
    "$WARPSCAPE" replay $kernel.wst --db $kernel.db --set all
    "$WARPSCAPE" replay again.wst --db again.db --set all
    for db in $kernel again; do
        "$WARPSCAPE" metrics --db $db.db --set all > $db.csv
        awk -F, '/^#/ { next } !names { split($0, name); names = 1; next }
            { for (i = 2; i <= NF; i++) if (name[i] ~ /^(I_shd|I_loc|I_glo|I_total|simd_(efficiency|full)|coal_global|coal_bank|evaluation_warp_(instr|glo|shd)|footprint_sectors|balance_thread)/) print name[i], $i }' \
            $db.csv > $db.columns
    done
    diff $kernel.columns again.columns && echo "$kernel: $(wc -l < again.columns) columns are the same"
done
cat flow_nested/kernelslist.g flow_nested/stats.csv
head -n 40 flow_nested/kernel-1.traceg
"$WARPSCAPE" exec "$TOP/tests/kernels/memory_generic.ptx" "$TOP/tests/kernels/memory_generic.launch" \
    --trace generic.wst > /dev/null
"$WARPSCAPE" replay generic.wst --accelsim generic
grep ' LD.E\| ST.E' generic/kernel-1.traceg
: > file
"$WARPSCAPE" replay flow_nested.wst --accelsim file
