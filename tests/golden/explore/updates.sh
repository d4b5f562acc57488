# Buffers of updates are simulated, not estimated: messages fall, and who asks for an estimate is told.
$WARPSCAPE suite run --scale tiny --profile --trace traces -d e.db HIS >/dev/null 2>&1
$WARPSCAPE explore lab-mini --vary sm.atomics=serial,lab --simulate traces | awk -F, '/^#/ || !n++ { next } { cycles[n] = $2; traffic[n] = $7 } END { print (cycles[3] < cycles[2]) " fewer cycles, " (traffic[3] < traffic[2]) " fewer bytes" }'
for rule in lab phi owned serialize; do
    $WARPSCAPE explore lab-mini --vary sm.atomics=$rule -d e.db 2>&1 | tail -n 1
done
