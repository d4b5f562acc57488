# Warps that run ahead of their own accesses under race detection: time by spare registers, what comes of the loads,
# what the table of renamed registers costs, and that the order of all accesses holds.
# heavy: simulates four times with race detection; test_sim_laws and test_coherence_ahead go through the same code
column() { # column FILE NAME...: of the last row
    awk -F, -v names="$*" 'BEGIN { n = split(names, name, " ") } /^#/ { next }
        !seen++ { for (i = 1; i <= NF; i++) at[$i] = i; next } { last = $0 }
        END { split(last, v, ","); for (i = 2; i <= n; i++) printf " %s %s", name[i],
            name[i] in at ? v[at[name[i]]] : "none"; print "" }' "$1"
}
$WARPSCAPE suite run --scale tiny --trace . -d s.db BFS LBM 2>/dev/null
for name in LBM BFS; do
    for registers in 0 8 1024; do
        $WARPSCAPE sim --config races --set coherence.race_registers=${registers}registers --check --power power.csv \
            $name.wst >out.csv
        echo "$name, $registers registers:$(column out.csv cycles race_early race_kept race_failed race_renamed \
            race_reexecuted race_spare_waits)"
        awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { sum += $at["tracking"] * $at["seconds"] } END { printf "  the table takes %.3g nJ\n", sum * 1e9 }' \
            power.csv
    done
done
# Without signatures all that is early in an epoch that ends is loaded again.
$WARPSCAPE sim --config races --set coherence.race_registers=1024registers --set coherence.race_depth=0 \
    --check BFS.wst >out.csv && column out.csv race_early race_kept race_failed race_reexecuted
grep "^# column race_old" out.csv
# Who does not speculate has no use for them; a register file that blocks fill leaves none.
$WARPSCAPE sim --config races -p drd --set coherence.race_registers=64registers LBM.wst >out.csv &&
    column out.csv race_early
$WARPSCAPE sim --config races --set coherence.race_registers=64registers --set sm.registers=6144 LBM.wst >out.csv &&
    column out.csv race_early race_renamed
$WARPSCAPE explore races --simulate --vary coherence.race_registers=0registers,64registers LBM.wst | grep -v '^#' |
    cut -d, -f1,2 | sed 's/,[0-9].*/, worked out/'
# Loads are refuted while what came from others is computed again; none of that is lost.
$WARPSCAPE sim --config races -p drd-ideal --check --suite BH --scale tiny >out.csv 2>/dev/null &&
    column out.csv race_failed race_reexecuted
$WARPSCAPE sim --config races --set coherence.race_registers=70000registers LBM.wst 2>&1
