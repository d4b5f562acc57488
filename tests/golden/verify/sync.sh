# Barriers and semaphores by closed forms beside the same live: counts are equal on machines of three generations, times
# within the band or not below their floor; a band that they miss; words that do not go together.
# heavy: simulates each barrier and semaphore live on three machines; model/sync.sh and test_sync have the closed forms
for m in qv100 rtx2060 rtx3090; do
    "$WARPSCAPE" verify --sync -c $m 2>&1 >rows.csv
    grep -v '^#' rows.csv | awk -F, 'NR > 1 && $NF == 0 || $4 == "cycles" && $3 == 8'
done
"$WARPSCAPE" verify --sync --worst 5 2>&1 >/dev/null | tail -n 1
"$WARPSCAPE" verify --sync --tier 1 2>&1 | head -n 1
"$WARPSCAPE" verify --sync --median 3 2>&1 | head -n 1
"$WARPSCAPE" verify --sync x.wst 2>&1 | head -n 1
true
