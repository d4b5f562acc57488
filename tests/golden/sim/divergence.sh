# Lanes of a warp walk down rows of 32 KB: where their lines fall, and what a cache that knows of loads keeps of them.
# heavy: simulates twenty times; test_sim_laws and test_dacache go through the same code
cat >x.launch <<'END'
buffer a f32 8388608 fill 0.5
buffer x f32 128 fill 2
buffer y f32 1024
launch column grid 4 block 256 args a x y 8192 64
expect y[5] = 64
END
sim() { "$WARPSCAPE" sim "$@" "$TOP/tests/golden/sim/column.ptx" x.launch; }
column() { # column FILE NAME...: of the last row
    awk -F, -v names="$*" 'BEGIN { n = split(names, name, " ") } /^#/ { next }
        !seen++ { for (i = 1; i <= NF; i++) at[$i] = i; next } { last = $0 }
        END { split(last, v, ","); for (i = 2; i <= n; i++) printf "%s %s%s", name[i], v[at[name[i]]],
            i < n ? ", " : "\n" }' "$1"
}
for index in linear xor fermi pmod pdisp fup; do
    sim --config fup-mini --set l1.index=$index >$index.csv 2>/dev/null
    echo "$index: $(column $index.csv cycles l1_loads l1_load_hits l1_load_merged l1_cold l1_intra_warp l1_inter_warp \
        l1_passed divergent_full)"
done
# Lines by the rank of their warps: beside lru, and without some of its parts.
for set in replacement=lru replacement=dacache constrained=1 constrained=0 lanes=128 learn=0 promote=0 detect=0; do
    case $set in *lru) bypass=0 ;; *) bypass=32 ;; esac
    sim --config dacache-mini --set l1.$set --set "l1.bypass=$bypass bytes" >"./$set.csv" 2>/dev/null
    echo "$set: $(column "./$set.csv" cycles l1_load_hits l1_bypassed l1_protected_warps divergent_full \
        divergent_partial coherent_full l1_lines_dead)"
done
# What is counted changes nothing; it is behind all others, and only where it is asked for.
sim --config dacache-mini --set l1.classify=0 2>/dev/null | grep -v '^#' >without.csv
grep -v '^#' replacement=dacache.csv | cut -d, -f "1-$(head -n 1 without.csv | tr , '\n' | wc -l)" |
    cmp - without.csv && echo "the same without"
head -n 1 without.csv | tr , '\n' | grep -c mpli
# A checkpoint has it.
"$WARPSCAPE" exec "$TOP/tests/golden/sim/column.ptx" x.launch --trace x.wst >/dev/null
"$WARPSCAPE" sim --config dacache-mini x.wst | grep -v '^#' >whole.csv
"$WARPSCAPE" sim --config dacache-mini --checkpoint c --every 100000 --max-cycles 900000 x.wst >/dev/null 2>&1
"$WARPSCAPE" sim --config dacache-mini --checkpoint c --resume --workers 2 x.wst | grep -v '^#' >resumed.csv
cmp whole.csv resumed.csv && echo "resumed: the same"
# What does not go together.
for set in bypass=24_bytes bypass=256_bytes bypass=2_bytes allocate=fill replacement=lru protect=0 \
    index=pmod,l1.sets=2 index=fup,l1.sets=2 multiplier=7 \
    index=pdisp,l1.multiplier=62 classify=2000000; do
    echo "l1.$set" | tr ',_' '\n ' >given
    sim --config dacache-mini --set "$(head -n 1 given)" --set "$(tail -n 1 given)" 2>&1 | sed "s|$TOP|TOP|"
done
sim --config dacache-mini --protocol gtsc-rc 2>&1 | tail -n 1 | sed "s|$TOP|TOP|"
