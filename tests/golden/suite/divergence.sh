# Which workloads belong to a study of memory divergence, and how do their loads look at scale tiny? Rows are WORKLOAD
# KERNEL LINES@APART..., for each load the lines of 128 bytes that it touches and the bytes from lane to lane
# (loads.awk). What stands there is meant: loads by rows touch 32 lines, a pitch apart, and loads by columns one.
# heavy: runs thirty workloads and writes their traces; suite/run.sh goes through the same code
"$WARPSCAPE" suite list --divergence | cut -d, -f1-5
"$WARPSCAPE" suite list --waiting --divergence 2>&1 | head -n 1
"$WARPSCAPE" suite run --divergence ATAX 2>&1 | head -n 1
"$WARPSCAPE" suite run --scale tiny --divergence --trace . -d x.db >/dev/null 2>log || cat log
for workload in $("$WARPSCAPE" suite list --divergence | sed '1d; s/,.*//'); do
    "$WARPSCAPE" replay --accelsim sass "$workload.wst" >/dev/null || exit
    awk -v workload="$workload" -f "$GOLDEN/traceg.awk" -f "$GOLDEN/loads.awk" \
        $(sed -n 's/^\(kernel-.*g\)$/sass\/\1/p' sass/kernelslist.g)
    rm -r sass
done
