# --power of launches that a list chooses: rows with their weights, and totals that are sums of weight times row. Of a
# list of all launches it is what a whole run says.
$WARPSCAPE suite run --scale tiny -d x.db --trace all KM >/dev/null 2>&1
(echo workload,launch,weight,launches; seq -f 'KM,%g,1,1' 18) >whole.csv
printf 'workload,launch,weight\nKM,3,2.5\nKM,4,10\n' >some.csv
power() { $WARPSCAPE sim -c rtx2060-mini --power power.csv "$@" >/dev/null 2>&1; }
# Seconds and joules of a frame, by columns' names: rows as weight times value, then the total.
add() {
    awk -F, '/^#/ { next } !n { n = split($0, name, ","); for (i = 1; i <= n; i++) at[name[i]] = i; next }
        $2 == "total" { s = $at["seconds"]; j = $at["joules"]; w = $at["watts"]; b = $at["joules_bound"]; next }
        { k = "weight" in at ? $at["weight"] : 1; seconds += k * $at["seconds"]; joules += k * $at["joules"] }
        END { printf("rows: %.6g s, %.6g J; total: %.6g s, %.6g J, watts times seconds: %s J, bound %s\n", seconds, joules, s, j, w == "" ? "" : sprintf("%.6g", w * s), b == "" ? "" : (b > 0 ? "positive" : b)) }' power.csv
}
power all/KM.wst; add
power --launches whole.csv all/KM.wst; add
for how in '' '--interval 1000'; do
    power --launches some.csv $how all/KM.wst; add
    grep '^# KM' power.csv
    awk -F, '/^#/ { next } !n++ || $2 == "total" { print $1, $2, $3, $4 }' power.csv
done
power --launches some.csv --suite; add
# Nothing is estimated from a part.
power --launches some.csv --max-cycles 100 all/KM.wst
awk -F, '$2 == "total" { missing = NF; for (i = 4; i <= NF; i++) missing -= $i == "NA";
    print "there:", missing, "labels" }' power.csv
# Frames without weights say so.
$WARPSCAPE sim -c rtx2060-mini --launches some.csv --activity a.csv --loads l.csv --traffic t.csv all/KM.wst >/dev/null
grep -h '^# launches' a.csv l.csv t.csv
$WARPSCAPE sim -c rtx2060-mini --activity a.csv all/KM.wst >/dev/null
grep '^# launches' a.csv || echo 'of all'
