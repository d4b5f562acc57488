# What begins epochs, which copies expire, what it sends and costs, by replay and by closed forms: filters and exact
# sets, units of bytes, another machine.
$WARPSCAPE suite run --scale tiny --trace . BFS LU 2>/dev/null
$WARPSCAPE model races BFS.wst LU.wst
echo "--- bytes, small signatures: filters are wrong, sets are not"
$WARPSCAPE model races -s "coherence.race_unit=1 bytes" -s "coherence.race_bits=1024 bits" LU.wst | grep -v '^#' |
    cut -d, -f1-22
echo "--- half of the way hidden; nothing is"
for hidden in 50 0; do
    $WARPSCAPE model races --hidden $hidden LU.wst | grep '^LU,filter' | rev | cut -d, -f1 | rev
done
echo "--- another machine, and one of which nobody said which chip it is"
$WARPSCAPE model races -c gtsc -s coherence.protocol=drd-ideal -s power.chip=none LU.wst | grep '^LU' |
    cut -d, -f2-9,20-23
echo "--- refused"
refuse() {
    $WARPSCAPE model races "$@" 2>&1
    echo "exit status $?"
}
refuse -c gtsc LU.wst
refuse -s l1.index=xor LU.wst
refuse -s coherence.polls=0 LU.wst
refuse -s "coherence.race_bits=512 bits" LU.wst
refuse -s coherence.nothing=1 LU.wst | cut -d";" -f1
refuse --hidden 101 LU.wst | sed -n 1p
refuse nowhere.wst
refuse | sed -n '1p;$p'
echo >empty.wst
refuse empty.wst
$WARPSCAPE model races --help
