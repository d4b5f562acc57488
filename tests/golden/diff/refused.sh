printf 'kernel,cycles\na,1\n' >a.csv
printf 'kernel,cycles\nb,1\n' >b.csv
printf 'name,cycles\nb,1\n' >c.csv
"$WARPSCAPE" diff a.csv
"$WARPSCAPE" diff a.csv b.csv c.csv
"$WARPSCAPE" diff a.csv b.csv
"$WARPSCAPE" diff a.csv c.csv
"$WARPSCAPE" diff a.csv absent
"$WARPSCAPE" diff a.csv a.csv --fail-if cycles
"$WARPSCAPE" diff a.csv a.csv --fail-if 'cycles<x'
"$WARPSCAPE" diff a.csv a.csv --fail-if 'cycle<1%'
"$WARPSCAPE" diff a.csv a.csv --threshold 200
"$WARPSCAPE" suite run --scale tiny --db x.db MT 2>/dev/null
"$WARPSCAPE" diff x.db:MT x.db:LU
"$WARPSCAPE" diff --db x.db MT LU
