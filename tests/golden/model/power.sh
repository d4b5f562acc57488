# Watts of components: launches add up to kernels and workloads, components to watts, intervals to launches; profiles
# count operations as simulations do.
$WARPSCAPE suite run --scale tiny --profile --trace . -d p.db BFS SRAD 2>/dev/null
column() { # column NAME FILE: its values
    awk -F, -v name="$1" '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at[name] }' "$2"
}
sum() { column "$1" "$2" | awk '{ n += $1 } END { printf "%.9e\n", n }'; }
for per in launch kernel workload; do $WARPSCAPE model power -d p.db --per $per --joules >$per.csv; done
for name in joules seconds dynamic network dram rest; do
    [ "$(sum $name launch.csv)" = "$(sum $name kernel.csv)" ] &&
        [ "$(sum $name launch.csv)" = "$(sum $name workload.csv)" ] && echo "$name adds up"
done
awk -F, '/^#/ || !n++ { next } { s = 0; for (i = 11; i <= NF; i++) s += $i; d = s / $8 - 1;
    if (d > 1e-9 || d < -1e-9) print "components are " s " of " $8 }' launch.csv
$WARPSCAPE model power -d p.db --terms >terms.csv
awk -F, '/^#/ || !n++ { next } { s += $NF } END { printf "%.9e\n", s }' terms.csv | diff - <(sum joules launch.csv) &&
    echo "terms add up"
$WARPSCAPE sim --power sim.csv --activity activity.csv SRAD.wst >/dev/null
$WARPSCAPE sim --power parts.csv --interval 2000 SRAD.wst >/dev/null
for name in joules seconds; do [ "$(sum $name sim.csv)" = "$(sum $name parts.csv)" ] &&
    echo "$name of intervals add up"; done
awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { d = $at["time"] - now; wrong += d > 1e-12 || d < -1e-12; now += $at["seconds"] }
    END { print n - 1 > 3 && !wrong ? "stretches follow one another" : "time is wrong" }' parts.csv
# What a simulation did is kept: the same joules without simulating, other ones on another node.
$WARPSCAPE model power --activity activity.csv --per launch --joules >kept.csv
[ "$(sum joules kept.csv)" = "$(sum joules sim.csv)" ] && echo "kept activity costs the same"
$WARPSCAPE model power --activity activity.csv --per launch --joules --tech 22nm >small.csv
awk -v a="$(sum joules small.csv)" -v b="$(sum joules sim.csv)" 'BEGIN { if (a + 0 < b + 0) print "less at 22 nm" }'
$WARPSCAPE replay --activity events.csv SRAD.wst >/dev/null
$WARPSCAPE model power --activity events.csv 2>&1
$WARPSCAPE model power --activity sim.csv 2>&1
grep -v '^SRAD' activity.csv >empty.csv
$WARPSCAPE model power --activity empty.csv 2>&1
$WARPSCAPE model power --activity activity.csv --config qv100 2>&1
$WARPSCAPE model power --activity activity.csv -d s.db 2>&1 | head -n 1
# The same operations from a profile, from a trace and from a simulation.
$WARPSCAPE model power --terms SRAD.wst >replay.csv
operations() { awk -F, '$3 ~ /^operation/ || $3 ~ /^registers/ || $3 ~ /^shared/ { n[$3 "." $4] = $(NF - 1) }
    END { for (k in n) if (n[k]) print k, n[k] }' "$1" | sort; }
$WARPSCAPE suite run --scale tiny --profile -d s.db SRAD 2>/dev/null
$WARPSCAPE model power -d s.db --terms >profile.csv
cmp <(operations profile.csv) <(operations replay.csv) && echo "profile and replay count the same"
awk -F, '/^#/ { next } $4 == "operation" || ($4 == "registers" && $6 ~ /lanes/) || ($4 == "shared" && $6 == "words") {
    n[$4 "." $6 "." $5] += $10 } END { for (k in n) if (n[k]) print k, n[k] }' \
    activity.csv | sort | join - <(operations profile.csv) | awk '{ d = $2 / $3 - 1; if (d > 1e-5 || d < -1e-5) print;
    n++ } END { print (n > 5 ? "the simulation counts them, too" : "too few") }'
# Hotter dies leak more; the package settles; one that is too small does not.
for t in 330 380; do $WARPSCAPE model power -d s.db -T $t | tail -n 1 | cut -d, -f10; done |
    awk '{ v[NR] = $1 } END { print (v[2] > v[1] ? "leakage rises with temperature" : "no") }'
$WARPSCAPE model power -d s.db --thermal renewable >warm.csv &&
    grep -c '^# chip: gf100, 40 nm, 1 V at 1400 MHz, 3[0-9][0-9]' warm.csv
sed 's/^resistance = .*/resistance = 9 K\/W/' "$TOP/data/tech/thermal_renewable.ini" >hot.ini
$WARPSCAPE model power -d s.db --thermal ./hot.ini 2>&1 | sed 's/at [0-9]* W/at N W/; s/passes [0-9]* K/passes N K/' |
    head -n 1
# What switches alone adds up to the column dynamic; the blocks of a map to what the chip turns into heat at that
# temperature, and a component heats the blocks of its part.
$WARPSCAPE model power -d s.db --dynamic --joules >switching.csv
awk -F, '/^#/ || !n++ { next } { s = 0; for (i = 11; i <= NF; i++) s += $i; d = s / $9 - 1;
    print (d < 1e-9 && d > -1e-9 ? "switching adds up" : "switching is " s " of " $9) }' switching.csv
$WARPSCAPE model power -d s.db --thermal gf100 >at.csv
$WARPSCAPE model power -d s.db --thermal gf100 --map >map.csv
chip=$(paste -d' ' <(column watts at.csv) <(column dram at.csv) <(column rest at.csv) | awk '{ print $1 - $2 - $3 }')
awk -v a="$(sum watts map.csv)" -v b="$chip" 'BEGIN { d = a / b - 1; if (d < 1e-6 && d > -1e-6) print "the map adds up" }'
awk -v a="$(grep ^network map.csv | cut -d, -f6)" -v b="$(column network at.csv)" \
    'BEGIN { if (a > b) print "the network heats its block" }'
sed 's/^network = network/router = network/' "$TOP/data/tech/thermal_gf100.ini" >part.ini
$WARPSCAPE model power -d s.db --thermal ./part.ini --map 2>&1
sed 's/^network = network/network = mesh/' "$TOP/data/tech/thermal_gf100.ini" >block.ini
$WARPSCAPE model power -d s.db --thermal ./block.ini --map 2>&1
$WARPSCAPE model power -d s.db --map 2>&1 | head -n 1
$WARPSCAPE model power -d s.db --dynamic --terms 2>&1 | head -n 1
# What is wrong.
$WARPSCAPE model power -d s.db --config h100 2>&1 | tail -n 1
$WARPSCAPE model power -d s.db --tech 5nm 2>&1 | sed 's|(/.*/|(|'
$WARPSCAPE model power -d s.db --set chip.core_clock=9GHz 2>&1 | tail -n 1
sed 's/fp_mad = 4.6 pJ/fp_mad = -4.6 pJ/' "$TOP/data/tech/chip_gf100.ini" | sed 's/area = 529 mm2/area = 529/' >bad.ini
$WARPSCAPE model power -d s.db --chip ./bad.ini 2>&1
$WARPSCAPE model power -d s.db SRAD.wst 2>&1 | head -n 1
$WARPSCAPE model power -T 350 --thermal renewable 2>&1 | head -n 1
$WARPSCAPE sim --config gtsc --suite --power live.csv BFS SRAD >/dev/null 2>&1
awk -F, '/^#/ || !n++ { next } { d = $7 - $9 - $10; good += $7 > 0 && d < 1e-9 && d > -1e-9; rows[$1]++ }
    END { print "live: " rows["BFS"] " and " rows["SRAD"] " launches, " good " add up" }' live.csv
