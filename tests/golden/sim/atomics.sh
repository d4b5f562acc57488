# What becomes of atomics in SMs: rules, buffers of several sizes, their columns; what is refused.
# heavy: simulates two workloads with each rule; test_updates goes through the same code
$WARPSCAPE suite run --scale tiny --trace . HIS PRK 2>/dev/null
columns='{ for (i = 1; i <= NF; i++) if (NR == 1 && $i ~ /^(update_|owned_|msg_ATOMIC$|msg_OWN$)/) { at[i] = 1 } }
    NR == 1 || /total/ { line = $1; for (i = 1; i <= NF; i++) if (at[i]) line = line " " $i; print line }'
run() {
    echo "--- $*"
    options=()
    for option in "$@"; do options+=(--set "$option"); done
    $WARPSCAPE sim --config lab-mini "${options[@]}" PRK.wst | grep -v '^#' | awk -F, "$columns"
}
run sm.atomics=serial
run sm.atomics=combined
run sm.atomics=serialize
run sm.atomics=lab atomics.entries=0
run sm.atomics=lab atomics.entries=8
run sm.atomics=lab atomics.entries=8 atomics.ways=2
run sm.atomics=lab atomics.flush=0
run sm.atomics=lab atomics.unbounded=1
run sm.atomics=lab sm.commutative=/settle/
echo "--- labels that say what is not so"
for label in all /settle/ /nothing/ /gather/; do
    $WARPSCAPE sim --config lab-mini --set sm.atomics=lab --set sm.commutative=$label PRK.wst | grep '^# sm.commutative'
done
$WARPSCAPE sim --config lab-mini --set sm.commutative=/settle/ PRK.wst | grep '^# sm.commutative'
$WARPSCAPE suite run --scale tiny --trace . GBAR 2>/dev/null
$WARPSCAPE sim --config lab-mini --set sm.atomics=lab --set sm.commutative=/./ GBAR.wst | grep '^# sm.commutative'
$WARPSCAPE model atomics --config lab-mini --set sm.commutative=/nothing/ GBAR.wst | grep '^# sm.commutative'
run sm.atomics=phi
run sm.atomics=phi atomics.fetch=0
run sm.atomics=owned
echo "--- values are followed through the buffer, under protocols that go with it"
for protocol in bl vi gtsc-rc tc-weak; do
    $WARPSCAPE sim --config gtsc --protocol $protocol --set sm.atomics=lab --set atomics.entries=8 --check PRK.wst |
        grep -c '^# checked loads: [1-9]'
done
echo "--- the same on two threads, and with energy"
$WARPSCAPE sim --config lab-mini --set sm.atomics=lab HIS.wst | grep -v '^# command' >one
$WARPSCAPE sim --config lab-mini --set sm.atomics=lab --workers 2 HIS.wst | grep -v '^# command' | cmp - one &&
    echo same
for how in printed linear; do
    $WARPSCAPE sim --config lab-mini --set sm.atomics=lab --set power.buffers=$how --power power.csv HIS.wst >/dev/null
    grep -v '^#' power.csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "buffer") at = i } NR > 1 { print $2, $at }' | head -2
done
echo "--- a second buffer on each chip: nothing there, few lines, many; each operation is followed home"
two() {
    options=()
    for option in "$@"; do options+=(--set "$option"); done
    $WARPSCAPE sim --config two-chiplets "${options[@]}" --check PRK.wst | grep -v '^#' |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(package_update_|msg_ATOMIC$)/) at[i] = 1 }
        NR == 1 || /total/ { line = $1; for (i = 1; i <= NF; i++) if (at[i]) line = line " " $i; print line }'
}
for coherence in boundary cpcoh; do
    for lines in 0 8 256; do
        two package.coherence=$coherence sm.atomics=combined package.atomic_buffer=$lines
        two package.coherence=$coherence sm.atomics=lab atomics.entries=8 package.atomic_buffer=$lines
    done
done
$WARPSCAPE sim --config two-chiplets --set sm.atomics=lab --set package.atomic_buffer=64 --power power.csv HIS.wst \
    >/dev/null
grep -v '^#' power.csv |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "buffer") at = i } NR > 1 { print $2, $at }' | head -2
echo "--- refused"
refuse() {
    $WARPSCAPE sim "$@" HIS.wst 2>&1 | sed "s|$TOP|TOP|"
    echo "exit status ${PIPESTATUS[0]}"
}
refuse --config lab-mini --set sm.atomics=lab --set atomics.entries=256
refuse --config lab-mini --set sm.atomics=lab --set atomics.entries=2000
refuse --config lab-mini --set sm.atomics=lab --set atomics.ways=7
refuse --config lab-mini --set sm.commutative=histogram
refuse --config gtsc --set sm.atomics=phi
refuse --config gtsc --protocol mesi --set sm.atomics=lab
refuse --config qv100 --set sm.atomics=owned
refuse --config config1 --set sm.atomics=owned
refuse --config config1 --set sm.atomics=phi
refuse --config lab-mini --set atomics.entries=8
refuse --config lab-mini --set power.buffers=cheap
refuse --config lab-mini --set package.atomic_buffer=64
refuse --config two-chiplets --set package.atomic_buffer=63
refuse --config two-chiplets --set package.atomic_buffer=-4
refuse --config two-chiplets --set l2.side=memory --set package.atomic_buffer=64
refuse --config two-chiplets --set sm.atomics=phi --set package.atomic_buffer=64
refuse --config gtsc --set sm.atomics=lab --set atomics.any=1
refuse --config two-chiplets --set sm.atomics=lab --set atomics.any=1 --set package.atomic_buffer=64
refuse --config gtsc --set network.whole_sectors=1
