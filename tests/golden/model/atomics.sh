# What buffers of updates would keep: integers and floats, several kernels; curves, values, another machine, labels.
$WARPSCAPE suite run --scale tiny --trace . HIS PRK WGR 2>/dev/null
$WARPSCAPE model atomics -c lab-mini HIS.wst PRK.wst
echo "--- curves"
$WARPSCAPE model atomics -c lab-mini --curve PRK.wst | grep -v '^#' | head -9
echo "--- values: whole numbers are the same, sums of floats differ by their order"
$WARPSCAPE model atomics -c lab-mini --values --seed 3 HIS.wst WGR.wst | grep -v '^#' | grep 'kernel\|lab'
echo "--- energy on a straight line"
$WARPSCAPE model atomics -c lab-mini --linear HIS.wst | grep -v '^#' | grep 'his_global,lab' | cut -d, -f1-3,20
echo "--- only some kernels"
$WARPSCAPE model atomics -c lab-mini -s sm.commutative=/shared/ HIS.wst | grep -v '^#' | grep 'lab-8\|lab-64' |
    cut -d, -f1-8
echo "--- another machine"
$WARPSCAPE model atomics -c gtsc PRK.wst 2>&1 | grep -v '^#' | grep 'push,\(lab-64\|owned\|phi\)'
echo "--- buffers of chips, behind SMs that keep nothing, and eight lines; curve and values"
$WARPSCAPE model atomics -c four-chiplets PRK.wst | grep -v '^#' | grep 'updates\|push' | cut -d, -f1-3,6-18
$WARPSCAPE model atomics -c four-chiplets --curve PRK.wst | grep -v '^#' | grep push | head -6 | cut -d, -f3,12
$WARPSCAPE model atomics -c four-chiplets --values HIS.wst PRK.wst | grep -v '^#' | grep 'global.*chip\|push.*chip'
echo "--- refused"
refuse() {
    $WARPSCAPE model atomics "$@" 2>&1
    echo "exit status $?"
}
refuse -s sm.commutative=push PRK.wst
refuse -s 'sm.commutative=/(/' PRK.wst
refuse -s sm.atomics=lab -s atomics.ways=7 PRK.wst
refuse --curve --values PRK.wst | sed -n 1p
refuse --seed x PRK.wst | sed -n 1p
refuse nowhere.wst
refuse | sed -n 1p
echo >empty.wst
refuse empty.wst
$WARPSCAPE model atomics --help
