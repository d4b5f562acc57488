# Chiplets: policies of a workload, its kernels, its launches; operations of a file of arguments alone; machines and
# files that are refused.
$WARPSCAPE suite run --scale tiny --trace . LU HS 2>/dev/null
$WARPSCAPE model chiplets LU.wst HS.wst
echo "--- by kernel, by launch"
$WARPSCAPE model chiplets --per kernel LU.wst | grep -v '^#' | cut -d, -f2-12
$WARPSCAPE model chiplets --per launch HS.wst | grep -v '^#' | cut -d, -f2-12
echo "--- another machine, without ranges, strict"
$WARPSCAPE model chiplets -c two-chiplets -s package.ranges=0 -s package.strict=1 HS.wst | grep -v '^#' | cut -d, -f4-18
echo "--- arguments (figure 5.6 of the source)"
cat >figure.txt <<'END'
kernel one
data 0x10000 0x10000 r
range 0 0x10000 0x17fff
range 1 0x18000 0x1ffff
data 0x20000 0x10000 rw
range 0 0x20000 0x27fff
range 1 0x28000 0x2ffff
kernel two
data 0x10000 0x10000 r
range 0 0x10000 0x17fff
range 1 0x18000 0x1ffff
data 0x20000 0x10000 r
range 0 0x20000 0x2bfff
range 1 0x2c000 0x2ffff
data 0x30000 0x10000 rw
range 0 0x30000 0x37fff
range 1 0x38000 0x3ffff
END
$WARPSCAPE model chiplets -c two-chiplets --per launch -a figure.txt | grep -v '^#' | cut -d, -f3-12
$WARPSCAPE model chiplets -c two-chiplets -s package.ranges=0 --per launch -a figure.txt | grep cpcoh | cut -d, -f3-12
echo "--- what kernels use, to standard output before the frame"
$WARPSCAPE model chiplets --save uses.txt HS.wst >frame.csv
$WARPSCAPE model chiplets --save - HS.wst | grep -v '^# command' |
    diff - <(grep -hv '^# command' uses.txt frame.csv) && echo same
echo "--- refused"
refuse() {
    $WARPSCAPE model chiplets "$@" >out 2>&1
    status=$?
    sed "s|$TOP/||" out
    echo "exit status $status"
}
refuse -c gtsc HS.wst
refuse -c two-chips HS.wst
refuse -c four-chips HS.wst 2>&1 | head -n 1
refuse -s package.rows=8 HS.wst
refuse -s package.coherence=home -s package.strict=1 HS.wst
refuse -a figure.txt HS.wst
refuse -a figure.txt HS.wst LU.wst | sed -n 1p
printf 'kernel a\ndata 16 8 r\nrange 0 8 20\n' >bad.txt
refuse -a bad.txt
refuse -a nowhere.txt
refuse --per block HS.wst | sed -n 1p
refuse | sed -n 1p
refuse nowhere.wst
$WARPSCAPE model chiplets --help
