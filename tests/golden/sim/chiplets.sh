# Chips whose L2s agree by boundaries, by a table of what launches use, by directories; arguments from a file; loads held against versions.
$WARPSCAPE suite run --scale tiny --trace . LU 2>/dev/null
columns() { grep -v '^#' | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(cycles|package_.*)$/) keep[i] = 1 } { line = $1; for (i = 1; i <= NF; i++) if (i in keep) line = line "," $i; print line }' | sed -n '1p;$p'; }
for coherence in boundary cpcoh hmg; do
    with=
    [ $coherence = hmg ] && with='-s l2.write=through -s package.remote_read=1 -s package.remote_store=back'
    $WARPSCAPE sim -c four-chiplets -s package.coherence=$coherence $with --check LU.wst 2>/dev/null | columns
done
echo "--- as published, without probes of homes"
$WARPSCAPE sim -c four-chiplets -s package.probes=0 --check LU.wst 2>&1 >/dev/null
echo "exit status $?"
$WARPSCAPE sim -c four-chiplets -s package.probes=0 -s package.strict=1 --check LU.wst 2>/dev/null | columns
echo "--- arguments: nothing is known of any launch"
$WARPSCAPE model chiplets --per launch LU.wst | grep ',boundary,' | sed 's/^LU,"*\([A-Za-z_0-9]*\).*/kernel \1\nunknown/' >unknown.txt
$WARPSCAPE sim -c four-chiplets --arguments unknown.txt LU.wst 2>&1 | columns
echo "--- refused"
refuse() {
    $WARPSCAPE sim "$@" 2>&1 | sed -n "1s|/[^ ]*/data/|data/|p;1!d;t;p"
    echo "exit status ${PIPESTATUS[0]}"
}
echo 'kernel nothing' >wrong.txt
refuse -c four-chiplets --arguments wrong.txt LU.wst
refuse -c four-chiplets -s package.coherence=boundary --arguments wrong.txt LU.wst
refuse --suite LU --arguments wrong.txt
refuse -c gtsc -s package.coherence=cpcoh LU.wst
refuse -c gtsc -s package.remote_read=0 LU.wst
refuse -c gtsc -s package.remote_store=through LU.wst
refuse -c four-chiplets -s package.coherence=hmg LU.wst
refuse -c four-chiplets -s package.coherence=hmg -s l2.write=through -s package.ways=7 LU.wst
