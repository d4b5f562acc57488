# Chips whose L2s agree by boundaries, by a table of what launches use, by directories; arguments from a file; loads
# held against versions.
# heavy: simulates under every policy; test_chips and test_chiplet_l2 go through the same code
$WARPSCAPE suite run --scale tiny --trace . LU 2>/dev/null
columns() { grep -v '^#' |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(cycles|package_.*)$/) keep[i] = 1 }
    { line = $1; for (i = 1; i <= NF; i++) if (i in keep) line = line "," $i; print line }' | sed -n '1p;$p'; }
for coherence in boundary cpcoh hmg; do
    with=
    [ $coherence = hmg ] && with='-s l2.write=through -s package.remote_read=1 -s package.remote_store=back'
    $WARPSCAPE sim -c four-chiplets -s package.coherence=$coherence $with --check LU.wst 2>/dev/null | columns
done
echo "--- ten launches wait 7204 cycles each behind what is written back before them: no cycle of both at once"
for coherence in boundary cpcoh; do
    for launch in 0 7204; do
        $WARPSCAPE sim -c four-chiplets -s package.coherence=$coherence -s chip.launch=$launch LU.wst | columns
    done
done | awk -F, '$1 == "LU" { more = $2 - before; before = $2
    if (n++ % 2) print((more >= 72040 && more < 72040 + 80) ? "in series" : more) }'
echo "--- as published, without probes of homes"
$WARPSCAPE sim -c four-chiplets -s package.probes=0 --check LU.wst 2>&1 >/dev/null
echo "exit status $?"
$WARPSCAPE sim -c four-chiplets -s package.probes=0 -s package.strict=1 --check LU.wst 2>/dev/null | columns
echo "--- arguments: nothing is known of any launch"
$WARPSCAPE model chiplets --per launch LU.wst | grep ',boundary,' |
    sed 's/^LU,"*\([A-Za-z_0-9]*\).*/kernel \1\nunknown/' >unknown.txt
$WARPSCAPE sim -c four-chiplets --arguments unknown.txt LU.wst 2>&1 | columns
echo "--- refused"
refuse() {
    $WARPSCAPE sim "$@" >out 2>&1
    status=$?
    sed "s|$TOP/||;s/, [0-9.]* s$//;1q" out
    echo "exit status $status"
}
echo 'kernel nothing' >wrong.txt
refuse -c four-chiplets --arguments wrong.txt LU.wst
refuse -c four-chiplets -s package.coherence=boundary --arguments wrong.txt LU.wst
refuse --suite LU HS --arguments wrong.txt
refuse -c gtsc -s package.coherence=cpcoh LU.wst
refuse -c gtsc -s package.remote_read=0 LU.wst
refuse -c gtsc -s package.remote_store=through LU.wst
refuse -c four-chiplets -s package.coherence=hmg LU.wst
refuse -c four-chiplets -s package.coherence=hmg -s l2.write=through -s package.ways=7 LU.wst
echo "--- live: measured in a run before, as in the trace; of a file"
live() { $WARPSCAPE sim -c four-chiplets --check "$@" 2>said | columns; sed -n '/right/!p' said; }
live --suite LU
$WARPSCAPE model chiplets --save uses.txt LU.wst >/dev/null
head -n 4 uses.txt
live --suite LU --arguments uses.txt
live --suite LU --arguments unknown.txt
sed 's/^kernel lu_perimeter/kernel lu_inside/' uses.txt >other.txt
head -n 4 uses.txt >short.txt
{ cat uses.txt; printf 'kernel more\nunknown\n'; } >long.txt
for wrong in other short long; do
    refuse -c four-chiplets --suite LU --arguments $wrong.txt
done
refuse -c four-chiplets -s package.coherence=boundary --suite LU --arguments uses.txt
refuse -c four-chiplets --suite LU --arguments nowhere.txt
ln -s "$TOP"/tests/coherence/sharing.ptx "$TOP"/tests/coherence/stream.launch .
live sharing.ptx stream.launch
printf 'kernel nothing\nunknown\n' >wrong.txt
live sharing.ptx stream.launch --arguments wrong.txt
echo "--- energy of accesses, uJ: simulated, without the last release; L2s, networks, L3 and memory by the model"
$WARPSCAPE sim -c four-chiplets -s package.coherence=boundary --power power.csv LU.wst >/dev/null 2>&1
grep '^# energies' power.csv
grep -v '^#' power.csv | awk -F, 'NR == 1 { n = split($0, name, ","); next }
    { for (i = 8; i <= n; i++) joules[name[i]] += 1e6 * $i * $6; leaks += $10 }
    END { printf "%.4f %.4f %.4f, leakage %g\n", joules["l2"], joules["network"] + joules["link"],
        joules["l3"] + joules["dram"], leaks }'
$WARPSCAPE model chiplets LU.wst | grep -v '^#' | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    $4 == "boundary" { printf "%.4f %.4f %.4f\n", $at["l2_energy"], $at["network_energy"], $at["home_energy"] }'
$WARPSCAPE model chiplets -s power.accesses=none LU.wst | grep -v '^#' |
    awk -F, 'NR == 2 { print "without prices:", $NF }'
$WARPSCAPE sim -c four-chiplets -s power.accesses=lab_1nm LU.wst 2>&1 | sed 's|[^ ]*/data/|data/|g'
echo "--- blocks go to chips as time has it"
for scheduler in partitioned round-robin chunked; do
    $WARPSCAPE sim --config four-chiplets --set chip.sms=1 --set chip.cta_scheduler=$scheduler --check --suite BFS \
        2>&1 >/dev/null | sed 's/, [0-9.]* s$//'
    echo "exit status ${PIPESTATUS[0]}"
done
