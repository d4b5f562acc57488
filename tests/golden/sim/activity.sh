# What the parts did: intervals add up to the launch, and a functional replay counts the same where no clock is needed,
# on any machine.
# heavy: simulates and replays four workloads on two machines; replay/*.sh and test_sim_laws go through the same code
$WARPSCAPE suite run --scale tiny --trace . -d s.db BFS HY LIB SRAD 2>/dev/null
sum() { # sum FILE: banks of registers together, for a replay does not know which warps are where
    awk -F, '/^#/ || $1 == "workload" { next } { sum[$4 " " ($4 == "registers" ? "" : $5) " " $6] += $10 }
        END { for (k in sum) if (sum[k]) printf "%s %.0f\n", k, sum[k] }' "$1" | sort
}
for name in BFS HY LIB SRAD; do
    for machine in gtsc rtx2060; do
        $WARPSCAPE sim --config $machine --activity whole.csv $name.wst >sim.csv
        $WARPSCAPE sim --config $machine --activity parts.csv --interval 700 --workers 2 $name.wst >/dev/null
        $WARPSCAPE replay --config $machine --activity replay.csv $name.wst
        sum whole.csv >whole && sum parts.csv >parts && sum replay.csv >replay
        cmp whole parts && echo "$name $machine: stretches add up"
        [ "$(comm -23 replay whole | wc -l)" = 0 ] &&
            echo "$name $machine: replay and simulation agree on $([ -s replay ] && echo all)"
        awk -F, 'NR == FNR && !/^#/ { for (i = 1; i <= NF; i++) at[$i] = i; last = $0 } END { split(last, v, ",");
            print v[at["thread_instructions"]] }' sim.csv |
            diff - <(awk '$1 == "unit" && $3 == "lanes" { n += $4 } END { printf "%.0f\n", n }' whole) >/dev/null &&
            echo "$name $machine: lanes are thread instructions"
    done
done
$WARPSCAPE sim --config gtsc --set package.chips=2 --activity chips.csv HY.wst >/dev/null
awk -F, '$4 == "network" && $6 == "packets" { n[$5] += $10 }
    END { print (n["request_link"] > 0), (n["request"] > n["request_link"]) }' chips.csv
sed '/^# command/d; 12,$d' whole.csv
$WARPSCAPE sim --suite --interval 5 --activity x.csv 2>&1 | head -n 1
$WARPSCAPE sim --config gtsc --suite --activity suite.csv BFS >/dev/null 2>&1
$WARPSCAPE sim --config gtsc --activity trace.csv BFS.wst >/dev/null
for part in unit operation shared; do diff <(sum suite.csv | grep "^$part .* lanes\|^shared") <(sum trace.csv |
    grep "^$part .* lanes\|^shared") && echo "$part: a live workload does what its trace does"; done
$WARPSCAPE sim --interval 5 HY.wst 2>&1 | head -n 1
$WARPSCAPE sim --activity x.csv --checkpoint c HY.wst 2>&1 | head -n 1
$WARPSCAPE replay --config gtsc HY.wst 2>&1 | head -n 1
$WARPSCAPE replay --activity x.csv --config nothing HY.wst 2>&1 | sed "s| in .*||"
