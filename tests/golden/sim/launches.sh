# Launches of a list alone: from a trace that has all, from one that has only these, and live; a list of all of them
# gives back what a whole run counts, and what was interrupted estimates nothing.
columns() { grep -v '^#' | awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(workload|kernel|launch|ended|cycles|warp_instructions|weight|cycles_bound|l1_hits_bound)$/) at[++n] = i }
    { for (k = 1; k <= n; k++) printf "%s%s", $at[k], k < n ? OFS : "\n" }'; }
"$WARPSCAPE" suite run --scale tiny --db x.db --trace all KM MT 2>/dev/null
"$WARPSCAPE" sample x.db -o list.csv >/dev/null
"$WARPSCAPE" sim -c rtx2060-mini --launches list.csv all/KM.wst | columns
"$WARPSCAPE" suite run --scale tiny --db y.db --trace some --launches list.csv 2>/dev/null
"$WARPSCAPE" sim -c rtx2060-mini --launches list.csv some/KM.wst >some.csv
"$WARPSCAPE" sim -c rtx2060-mini --launches list.csv all/KM.wst | grep -v '^# command' |
    diff - <(grep -v '^# command' some.csv) && echo same
"$WARPSCAPE" sim -c rtx2060-mini --suite --launches list.csv 2>/dev/null | columns | grep -v ',done'
(echo workload,launch,weight,launches; seq -f 'KM,%g,1,1' 18) >whole.csv
"$WARPSCAPE" sim -c rtx2060-mini all/KM.wst | columns | grep total
"$WARPSCAPE" sim -c rtx2060-mini --launches whole.csv all/KM.wst | columns | grep total
"$WARPSCAPE" sim -c rtx2060-mini --launches list.csv --max-cycles 20000 all/KM.wst 2>&1 | columns
# A checkpoint knows of what list it is.
"$WARPSCAPE" sim -c rtx2060-mini --launches list.csv --checkpoint c --every 5000 all/KM.wst | grep -v '^# command' |
    diff - <(grep -v '^# command' some.csv) && echo same
"$WARPSCAPE" sim -c rtx2060-mini --launches list.csv --checkpoint c --resume all/KM.wst | grep -v '^# command' |
    diff - <(grep -v '^# command' some.csv) && echo same
"$WARPSCAPE" sim -c rtx2060-mini --launches whole.csv --checkpoint c --resume all/KM.wst
"$WARPSCAPE" sim -c rtx2060-mini --checkpoint c --resume all/KM.wst
# What is left out leaves in L2 what it would have left: launch 40 of SS in a whole run, alone with the trace of all,
# and alone with nothing before it.
"$WARPSCAPE" suite run --scale tiny --db z.db --trace all SS 2>/dev/null
printf 'workload,launch,weight\nSS,40,1\n' >one.csv
"$WARPSCAPE" suite run --scale tiny --db z.db --trace one --launches one.csv 2>/dev/null
misses() { grep -v '^#' |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "l2_misses" || $i == "dram_reads") at[++n] = i }
    $3 == 40 { print $3, $at[1], $at[2] }'; }
"$WARPSCAPE" sim -c rtx2060-mini all/SS.wst | misses
"$WARPSCAPE" sim -c rtx2060-mini --launches one.csv all/SS.wst | misses
"$WARPSCAPE" sim -c rtx2060-mini --launches one.csv one/SS.wst | misses
# Lists that do not belong.
wrong() { printf 'workload,mangled,launch,weight\n%s\n' "$1" >wrong.csv; shift
    "$WARPSCAPE" sim -c rtx2060-mini --launches wrong.csv "$@" 2>&1 >/dev/null | tail -n 1; }
wrong KM,km_assign,19,1 all/KM.wst
wrong KM,km_assign,1,1 all/KM.wst
wrong KM,,0,1 all/KM.wst
wrong XY,k,1,1 all/KM.wst
wrong XY,k,1,1 --suite
wrong KM,km_assign,19,1 --suite KM
wrong KM,km_assign,19,1 --suite MT
wrong KM,km_assign,2,1 --launch 3 all/KM.wst
"$WARPSCAPE" sim --launches none.csv all/KM.wst
