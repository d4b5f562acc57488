# What `suite list` says of kernels and shared memory is what the runs show: rows per kernel, and I_shd (accesses).
"$WARPSCAPE" suite run --scale tiny --set study 2>/dev/null || exit 1
"$WARPSCAPE" metrics --set study --per kernel | grep -v '^#' > kernels.csv
"$WARPSCAPE" suite list > list.csv
awk -F, '
    FNR == 1 && NR == 1 { for (i = 1; i <= NF; i++) if ($i == "I_shd") column = i; next }
    NR == FNR { kernels[$1]++; if ($column > 0) shared[$1] = 1; next }
    FNR > 1 { n++; said = $4 " " $5; seen = kernels[$1] + 0 " " ($1 in shared ? "Y" : "N")
              if (said != seen) print $1 " is listed as " said " and shows " seen }
    END { print n " workloads" }' kernels.csv list.csv
