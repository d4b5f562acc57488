# What makes no sense live; launches that do not fit; the limit of cycles.
cp "$TOP/tests/golden/exec/example.ptx" .
printf 'buffer a f32 32\nlaunch vadd grid %s block %s %s args a a a 32\n' 300 64 cooperative >many.launch
printf 'buffer a f32 32\nlaunch vadd grid %s block %s args a a a 32\n' 1 512 >large.launch
for options in '--checkpoint x' '--launch 1' '--workers 2' '--scale tiny'; do
    # shellcheck disable=SC2086
    "$WARPSCAPE" sim $options example.ptx many.launch 2>&1 | head -1
done
"$WARPSCAPE" sim --suite --launch 1 MM 2>&1 | head -1
"$WARPSCAPE" sim example.ptx many.launch a 2>&1 | head -1
"$WARPSCAPE" sim --suite NOSUCH 2>&1 | cut -c-60 | head -1
"$WARPSCAPE" sim example.ptx many.launch 2>&1
"$WARPSCAPE" sim --set sm.threads=256 example.ptx large.launch 2>&1
"$WARPSCAPE" sim --max-cycles 100 example.ptx large.launch 2>&1 | grep -v '^#\|^launch' | cut -d, -f1-6
