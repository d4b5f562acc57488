# Names of kernels at the right end of a roof keep clear of the roof's own name, which is above that end; the key is
# below the lowest roof.
awk -F, -v OFS=, '/^#/ || !head++ { print; if (!/^#/) head = 1; else head = 0; next }
    rows++ < 6 { $2 = "at_the_end_" rows; $8 = 11000; $11 = $12 = $13 = 100; print }' "$(dirname "$0")/roofline.csv" \
        >few.csv
$WARPSCAPE plot roofline few.csv -o few.gp && sed -n '/^\$labels/,/^EOD/p' few.gp && grep 'set label.*flop' few.gp
