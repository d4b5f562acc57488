# What SMs share by where blocks run: rows of a grid, several launches, another machine.
$WARPSCAPE suite run --scale tiny --trace . HS MM 2>/dev/null
$WARPSCAPE model sharing HS.wst MM.wst
echo "--- another machine"
$WARPSCAPE model sharing -c gtsc -s chip.sms=4 MM.wst 2>&1 | grep -v '^#'
for lacking in l1.fence=invalidate l1.enabled=0 "l1.sector=32 bytes"; do
    $WARPSCAPE model sharing -s "$lacking" MM.wst 2>&1 >/dev/null
done
echo "--- refused"
refuse() {
    $WARPSCAPE model sharing "$@" 2>&1
    echo "exit status $?"
}
refuse -c fermi -s package.chips=16 -s chip.sms=100 MM.wst
refuse -s sm.threads=128 MM.wst
refuse -s cta.nothing=1 MM.wst | cut -d";" -f1
refuse -c nowhere MM.wst | sed "s/ in .*//"
refuse nowhere.wst
refuse | sed -n '1p;$p'
echo >empty.wst
refuse empty.wst
$WARPSCAPE model sharing --help
