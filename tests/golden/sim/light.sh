# Clusters and crossbars of light. One node for all: nothing goes through a network.
printf 'buffer a f32 65536\nlaunch vadd grid 2048 block 32 args a a a 65536\n' >x.launch
"$WARPSCAPE" exec "$TOP/tests/golden/exec/example.ptx" x.launch --trace x.wst >/dev/null
column() { # NAME, of the launch
    awk -F, -v name="$1" '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
        { print name, $at }'
}
for name in noc_request_bytes l2_accesses; do
    "$WARPSCAPE" sim --config photonic-swmr --set chip.sms=4 --set memory.channels=1 --set power.chip=none x.wst |
        column $name
    "$WARPSCAPE" sim --config photonic-swmr x.wst | column $name
done
# Somebody loses a token: the report says which, who took it, and that the machine stands.
"$WARPSCAPE" sim --config photonic-mwsr --set network.lose=6 x.wst 2>&1 >/dev/null | grep -e token -e deadlock
# What is refused.
for wrong in network.cluster=3 network.flit_bytes=20 network.wavelengths=48 network.loop=0 network.arbitration=0; do
    "$WARPSCAPE" sim --config photonic-mwsr --set "$wrong" x.wst 2>&1 | grep -v '^#' | tail -n 1 |
        sed 's|/.*/data|data|'
done
# Light that would be faster than it is, and a way on which too much of it is lost.
"$WARPSCAPE" sim --config photonic-mwsr --set network.loop=2 --power power.csv x.wst 2>&1 | grep -v '^#' | tail -n 1
sed 's/^length = 40 mm/length = 200 mm/' "$TOP/data/tech/optics.ini" >far.ini
"$WARPSCAPE" sim --config photonic-swmr --set power.optics=./far.ini --power power.csv x.wst 2>&1 | grep -v '^#' |
    tail -n 1
"$WARPSCAPE" sim --config photonic-mwsr --set network.cluster=0 x.wst 2>&1 | grep -v '^#' | tail -n 1 |
    sed 's|/.*/data|data|'
# Messages of plain caches are not those of a protocol, and acknowledgements cross links.
for wrong in '--config gtsc --set network.store_mask=8bytes' '--config gtsc --set network.answer_header=0' \
    '--config four-chips --set network.acks=0' '--set sm.pipeline=65'; do
    "$WARPSCAPE" sim $wrong x.wst 2>&1 | grep -v '^#' | tail -n 1 | sed 's|/.*/data|data|'
done
exit 0
