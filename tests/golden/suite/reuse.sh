# Which workloads belong to a study of data that stay from kernel to kernel, and what do they launch at scale tiny? Rows
# are workload, kernel, launches. Sizes that choose other kernels are run by name, and sizes that do not go together are
# refused.
"$WARPSCAPE" suite list --reuse | cut -d, -f1-5
"$WARPSCAPE" suite list --reuse --waiting 2>&1 | head -n 1
"$WARPSCAPE" suite run --scale tiny --reuse -d x.db 2>&1 | sed 's/,.*//'
launches() { "$WARPSCAPE" launches -d "$1" 2>/dev/null |
    awk -F, '!/^#/ && $1 != "workload" { n[$1 " " $3]++ } END { for (k in n) print k, n[k] }' | LC_ALL=C sort; }
launches x.db
w=$(dirname "$WARPSCAPE")/workloads
run() { # run WORKLOAD SIZES: of the scale but for these
    "$WARPSCAPE" run -q -n "$1:${2//,/:}" -d s.db -- "$w/$1" --scale tiny --size "$2" >log 2>&1 || cat log
}
run FW form=2
run DWT form=1
launches s.db
refuse() { "$w/$1" --scale tiny --size "$2" 2>&1 | head -n 1; }
refuse BABEL threads=96
refuse FW nodes=2049
refuse CNN window=4
refuse CNN pictures=256,maps=200,size=3
refuse SRAD2 rows=1,columns=1
