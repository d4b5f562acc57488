# Fences that take time, side by side and one after the other in an SM: how much longer launches take, estimated beside
# simulated.
# heavy: simulates thirty times; explore/points.sh goes through the same code
for name in STN CUTS SHARE; do
    $WARPSCAPE suite run -j 1 --scale tiny --profile --trace traces -d $name.db $name >/dev/null 2>&1
done
cycles() { grep -v '^#' | sed 1d | cut -d, -f1,2; }
both() { # both NAME MACHINE OPTION...
    local name=$1 machine=$2 from
    shift 2
    for from in "-d $name.db" "--simulate traces/$name.wst"; do
        $WARPSCAPE explore $machine --vary sm.fence=0 $from | cycles
        $WARPSCAPE explore $machine --vary sm.fence=100,400,800 "$@" $from | cycles
    done | awk -F, -v what="$name $machine${*:+ $*}" \
        '$1 == 0 { free = $2; next } !($1 in estimated) { estimated[$1] = $2 - free; next }
        { off = estimated[$1] / ($2 - free) - 1
          printf "%s, %s cycles: %s\n", what, $1, (off * off < 0.01 ? "within 10 %" : sprintf("off by %.0f %%", 100 * off)) }'
}
for name in STN CUTS SHARE; do
    both $name gtsc
    both $name gtsc -s sm.fence_turns=1
done
both STN 'qv100 -s l1.fence=keep -s sm.fence_from=complete'
both STN 'qv100 -s l1.fence=keep -s sm.fence_from=complete' -s sm.fence_turns=1
both STN qv100
# Those of a block take none.
sed 's/membar.gl/membar.cta/; s/fence.acq_rel.gpu/fence.acq_rel.cta/' "$TOP/tests/coherence/sharing.ptx" >local.ptx
for program in "$TOP/tests/coherence/sharing.ptx" local.ptx; do
    rm -f p.db
    $WARPSCAPE exec -j 1 --profile -d p.db $program "$TOP/tests/coherence/reduction.launch" >/dev/null
    $WARPSCAPE explore gtsc --vary sm.fence=0,400 -d p.db | grep -c 'sm.fence: none of its values makes a difference'
done
