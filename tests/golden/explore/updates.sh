# Buffers of updates: messages fall; estimates take them from profiles, beside simulations, and say what they cannot.
$WARPSCAPE suite run --scale tiny --profile --trace traces -d e.db HIS PRK WGR >/dev/null 2>&1
$WARPSCAPE explore lab-mini --vary sm.atomics=serial,lab --simulate traces | awk -F, '/^#/ || !n++ { next }
    { cycles[n] = $2; traffic[n] = $7 }
    END { print (cycles[3] < cycles[2]) " fewer cycles, " (traffic[3] < traffic[2]) " fewer bytes" }'
traffic() { grep -v '^#' | sed 1d | cut -d, -f1,7; }
echo "--- bytes of networks: estimated, simulated"
both() { # both OPTION...: of the machine, from profiles and from traces
    $WARPSCAPE explore lab-mini "$@" -d e.db | traffic >estimated
    $WARPSCAPE explore lab-mini "$@" --simulate traces | traffic >simulated
    paste -d, estimated simulated | awk -F, '{ printf "%s %s %s, off by %.1f %%\n", $1, $2, $4, 100 * ($2 - $4) / $4 }'
}
both --vary sm.atomics=serial,combined,serialize
both -s sm.atomics=lab --vary atomics.entries=8,16,24,64
both -s sm.atomics=phi --vary atomics.fetch=0,1
both -s sm.atomics=phi -s l1.ways=16 --vary atomics.fetch=0,1
both -s sm.atomics=lab --vary sm.commutative=all,/his/,/nothing/
echo "--- the counters of power: lines of buffers read and written"
$WARPSCAPE model power -d e.db -c lab-mini -s sm.atomics=lab --terms | grep '^buffer' |
    awk -F, '{ print $3, $(NF - 1) }'
echo "--- refused"
for rule in owned buffered; do
    $WARPSCAPE explore lab-mini --vary sm.atomics=$rule -d e.db 2>&1 | tail -n 1
done
$WARPSCAPE explore gtsc --vary sm.atomics=lab -d e.db 2>&1 | tail -n 1
$WARPSCAPE explore lab-mini --vary network.whole_sectors=1 -d e.db 2>&1 | tail -n 1
$WARPSCAPE explore lab-mini -s sm.atomics=lab --vary atomics.any=1 -d e.db 2>&1 | tail -n 1
$WARPSCAPE explore lab-mini --vary sm.atomic_stall=1 -d e.db 2>&1 | tail -n 1
