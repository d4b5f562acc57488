# Measured supplies: sun of a file, scaled, a gap filled; and what is refused, one line each.
quick='--set loop.fine=60s --set loop.coarse=600s --set activity.stall_length=120s --workload HY --policy energy'
short() { awk 'BEGIN { FS = OFS = "," } /^#/ { if (!/^# (command|tool|column)/) print; next }
    { for (i = 4; i <= NF; i++) if ($i + 0 == $i) $i = sprintf("%.5g", $i); print }'; }
awk 'BEGIN {
    print "time,GHI (W/m^2)"
    for (h = 0; h < 48; h++) if (h != 30)
        printf "2021-06-%02d %02d:00,%g\n", 1 + h / 24, h % 24,
            (h % 24 < 6 || h % 24 > 18 ? -1 : 60 * (6 - sqrt((12 - h % 24) ^ 2)))
}' >roof.csv
"$WARPSCAPE" model chameleon $quick --supply ./roof.csv | short
"$WARPSCAPE" model chameleon $quick --supply ./roof.csv --supply LpLv --supply-mean 90 --seeds 2 --days 1.5 \
    --per policy | short
try() { "$WARPSCAPE" model chameleon $quick "$@" 2>&1 | sed -n "s:$TOP/::; 1p"; echo "exit status ${PIPESTATUS[0]}"; }
try --supply ./roof.csv --days 3
try --supply ./roof.csv --supply-gap 0.5
try --supply ./roof.csv --supply-column DNI
try --supply ./nowhere.csv
try --supply ./roof.csv --supply-plant nowhere.ini
try --supply-gap never
sed 's/GHI (W.m^2)/GHI (kJ)/' roof.csv >unit.csv
try --supply ./unit.csv
sed '5s/,.*/,cloudy/' roof.csv >text.csv
try --supply ./text.csv
sed '5s/06-01/05-01/' roof.csv >back.csv
try --supply ./back.csv
