# Loads by instruction: they add up to what the launch counts, on any number of workers, and change no cycle; what does
# not go with it.
printf 'buffer a f32 12582912\nbuffer x f32 64\nbuffer y f32 1536\nlaunch rows grid 6 block 256 args a x y 8192 16\n' \
    >rows.launch
here=$TOP/tests/golden/sim
"$WARPSCAPE" exec "$here/divergent.ptx" rows.launch --trace rows.wst >/dev/null
simulate() { "$WARPSCAPE" sim --config "$here/divergent.ini" -s l1.classify=4096 "$@" rows.wst | grep -v '^#'; }
simulate --loads loads.csv >with.csv
simulate >without.csv
cmp with.csv without.csv && echo 'the same cycles'
simulate -j 3 --loads three.csv >/dev/null
diff <(grep -v '^# command' loads.csv) <(grep -v '^# command' three.csv) && echo 'the same on three threads'
grep -v '^#' loads.csv | cut -d, -f2-7
grep -v '^#' loads.csv >plain.csv
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
    FILENAME == "plain.csv" { n = $at[FILENAME, "executions"]; a = n * $at[FILENAME, "accesses"]; loads += n;
        hits += a * $at[FILENAME, "hits"]; merged += a * $at[FILENAME, "merged"];
        misses += a * $at[FILENAME, "misses"]; full += n * $at[FILENAME, "full"]; waits += $at[FILENAME, "waits"];
        next }
    { whole = $at[FILENAME, "mpli_coherent_0"] + $at[FILENAME, "mpli_divergent_0"];
        miss = $at[FILENAME, "l1_cold"] + $at[FILENAME, "l1_intra_warp"] + $at[FILENAME, "l1_inter_warp"]
      printf "hits %d of %d, merged %d of %d, misses %d of %d, whole %d of %d, waits %.3f\n", hits + 0.5,
          $at[FILENAME, "l1_load_hits"], merged + 0.5, $at[FILENAME, "l1_load_merged"], misses + 0.5, miss,
          full + 0.5, whole, waits }' plain.csv with.csv
"$WARPSCAPE" sim --suite --loads x.csv MM 2>&1 | head -n 1
"$WARPSCAPE" sim --loads x.csv --checkpoint y rows.wst 2>&1 | head -n 1
"$WARPSCAPE" sim --loads /nowhere/x.csv rows.wst 2>&1 >/dev/null | head -n 1
