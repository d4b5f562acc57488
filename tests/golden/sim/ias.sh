# The interconnect-aware scheduler: cycles by stride, the same on threads; what there is to set.
printf 'buffer a f32 16384\nlaunch vadd grid 128 block 128 args a a a 16384\n' >x.launch
"$WARPSCAPE" exec "$TOP/tests/golden/exec/example.ptx" x.launch --trace x.wst >/dev/null
run() { # NAME [OPTION...]: cycles of the launch
    local name=$1
    shift
    "$WARPSCAPE" sim --config gtsc-mini --protocol none --set sm.scheduler="$@" x.wst |
        awk -F, -v name="$name" \
        '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) if ($i == "cycles") at = i; next } { print name, $at; exit }'
}
run 'in turn' lrr
for stride in 1 16 256; do
    run "stride $stride" ias --set scheduler.adaptive=0 --set scheduler.stride=$stride
done
run adaptive ias --set scheduler.stride=1 --set scheduler.interval=200
run '... on threads' ias --set scheduler.stride=1 --set scheduler.interval=200 -j 2
"$WARPSCAPE" sim --options --set sm.scheduler=ias | grep '^scheduler\.'
