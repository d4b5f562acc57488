# An L3 before memory, and L2s on the side of who asks: what crosses, what is counted, what is refused.
# heavy: simulates under every protocol; test_sim_laws goes through the same code
$WARPSCAPE suite run --scale tiny --trace . -d s.db HY MT 2>/dev/null
column() { # column FILE NAME...: of the last row
    awk -F, -v names="$*" 'BEGIN { n = split(names, name, " ") } /^#/ { next }
        !seen++ { for (i = 1; i <= NF; i++) at[$i] = i; next } { last = $0 }
        END { split(last, v, ","); for (i = 2; i <= n; i++) for (c in at) if (c == name[i] || index(c, name[i] "[") == 1 || index(c, name[i] " ") == 1) printf "%s %s\n", name[i], v[at[c]] }' "$1"
}
instances() { # instances COMPONENT: with something in them
    awk -F, -v what="$1" '$4 == what && $10 > 0 { seen[$5] = 1 } END { for (i in seen) print what, i }' a.csv | sort
}
for side in requester memory; do
    for name in HY MT; do
        $WARPSCAPE sim --config four-chips --set l2.side=$side --activity a.csv $name.wst >$name.csv
        echo "$name, $side:"
        column $name.csv ended l2_misses l2_writebacks msg_DRAM_READ msg_DRAM_WRITE msg_ATOMIC l3_accesses l3_misses \
            l3_writebacks dram_reads
        instances cache
        instances network
    done
done
# On one chip there is one side.
free="--set sm.fence=0 --set l1.fence=keep" # whose columns come behind those of an L3
for side in requester memory; do
    $WARPSCAPE sim --config rtx2060 $free --set l2.side=$side --set 'l3.size=256 KB' MT.wst | grep -v '^#' >one-$side.csv
done
cmp one-requester.csv one-memory.csv && echo "one chip: the same"
# Columns of an L3 are last, and only where there is one.
$WARPSCAPE sim --config rtx2060 $free MT.wst | grep -v '^#' >none.csv
head -n 1 one-memory.csv | tr , '\n' | grep -c l3_
head -n 1 none.csv | tr , '\n' | grep -c l3_
[ "$(head -n 1 one-memory.csv | cut -c "-$(head -n 1 none.csv | wc -c)" | tr -d '\n' | sed 's/,$//')" = \
    "$(head -n 1 none.csv)" ] && echo "behind all others"
# Values go through an L3 under every protocol that goes with several chips.
for protocol in $($WARPSCAPE sim --protocol elephant HY.wst 2>&1 | sed -n 's/.*expected one of none, //p' | tr -d , |
    tr ' ' '\n' | grep -v '^drd'); do
    $WARPSCAPE sim --config two-chips --protocol $protocol --set 'l3.size=8 KB' --set l3.ways=4 --set l2.sets=1 \
        --check HY.wst >sim.csv 2>errors || cat errors
    grep -q '^# checked loads: [1-9]' sim.csv && echo "$protocol: checked"
done
# A checkpoint has the L3 and what is on its way to it.
$WARPSCAPE sim --config four-chips HY.wst | grep -v '^#' >whole.csv
$WARPSCAPE sim --config four-chips --checkpoint c --every 3000 --max-cycles 20000 HY.wst >/dev/null 2>&1
$WARPSCAPE sim --config four-chips --checkpoint c --resume --workers 2 HY.wst | grep -v '^#' >resumed.csv
cmp whole.csv resumed.csv && echo "resumed: the same"
for set in coherence.protocol=gtsc-rc l2.side=elephant "l3.size=100 bytes" l3.sector="16 bytes" \
    l3.replacement=elephant l3.ways=12 l3.psel=8 l3.mshrs=0; do
    $WARPSCAPE sim --config four-chips --set "$set" HY.wst 2>&1 | sed "s|$TOP|TOP|"
done
$WARPSCAPE sim --config four-chips --set 'l3.size=16 KB' --set l3.index=ipoly HY.wst 2>&1 | sed "s|$TOP|TOP|"
