# Misaligned accesses: an error as on a GPU, or done and counted, each kernel's first with a line and all in the verdict, with the
# sectors that they touch; the same in the environment.
app=$(dirname "$WARPSCAPE")/programs/app
for workers in 1 3; do
    "$WARPSCAPE" run --workers $workers --alignment relaxed "$app" work 1 2 skewed skewed 2>&1 | sed 's/;[^;]*results in.*//' |
        tee $workers.txt
done
cmp 1.txt 3.txt
sectors() { "$WARPSCAPE" metrics --per launch --columns coal_sectors_per_request | grep -v '^#'; }
sectors
echo '--- checked'
"$WARPSCAPE" run --quiet --alignment relaxed --check race,init "$app" skewed 2>&1 | tail -n 1
echo '--- strict'
"$WARPSCAPE" run "$app" skewed 2>&1 | sed 's/, the first:.*//'
eval "$("$WARPSCAPE" env --alignment relaxed)"
echo '--- in the environment'
echo "$WARPSCAPE_ALIGNMENT"
"$app" skewed 2>&1
WARPSCAPE_ALIGNMENT=loose "$app" work 1 1 2>&1 | head -n 1
