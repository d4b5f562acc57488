# What helps a kernel with rows apart, and one without; an index that the machine cannot have is left out by name.
$WARPSCAPE suite run --scale tiny --trace . ATAX SYRK 2>/dev/null
$WARPSCAPE model divergence ATAX.wst SYRK.wst
echo "--- another machine"
$WARPSCAPE model divergence -s l1.sets=16 -s l1.ways=16 -s l1.allocate=fill ATAX.wst >frame
grep '^# left' frame
grep -v '^#' frame | cut -d, -f1-7
echo "--- refused"
refuse() {
    $WARPSCAPE model divergence "$@" 2>&1
    echo "exit status $?"
}
refuse -c gtsc ATAX.wst
refuse -s l1.enabled=0 ATAX.wst
refuse -s "l1.sector=32 bytes" ATAX.wst
refuse -s l2.replacement=sharing-l2 ATAX.wst
refuse -s l2.replacement=sharing-l2 -s l1.replacement=sharing-l1 -s l1.allocate=fill ATAX.wst
refuse -s sm.scheduler=mascar ATAX.wst
refuse -s l1.nothing=1 ATAX.wst | cut -d";" -f1
refuse nowhere.wst
refuse | sed -n '1p;$p'
echo >empty.wst
refuse empty.wst
