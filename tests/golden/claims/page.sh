cp "$TOP"/docs/examples/protocols.* .
mkdir img
cat >page.md <<'END'
# A page
<!-- protocols claims: begin, made by a command -->
old
<!-- protocols claims: end -->
Text.
<!-- protocols speeds: begin -->
<!-- protocols speeds: end -->
<!-- counts: begin -->
<!-- counts: end -->
END
$WARPSCAPE claims protocols.csv protocols.ini --page page.md
ls img
$WARPSCAPE claims --counts page.md --page page.md
cat page.md
# A second time nothing changes.
cp page.md before.md
$WARPSCAPE claims protocols.csv protocols.ini --page page.md
cmp page.md before.md
$WARPSCAPE claims --counts page.md | grep -v '^#'
# Nothing to change; a table alone; rows of one workload, which the page has, whatever its mean; what differs.
$WARPSCAPE claims protocols.csv protocols.ini --page page.md --check
$WARPSCAPE claims protocols.csv protocols.ini --table speeds
grep -E '^#|^workload|^BH' protocols.csv >some.csv
$WARPSCAPE claims some.csv protocols.ini --table speeds --page page.md --check
# Of several pages the one with the marks has them.
printf '%s\n' 'Another page' '| BH | shared |' >other.md
$WARPSCAPE claims some.csv protocols.ini --table speeds --page other.md --page page.md --check
$WARPSCAPE claims some.csv protocols.ini --table speeds --page other.md --check 2>&1
sed -i 's/^BH,shared,tc,800/BH,shared,tc,900/' some.csv
$WARPSCAPE claims some.csv protocols.ini --table speeds --page page.md --check 2>&1
sed -i 's/^BH,shared,tc,800/BH,shared,tc,900/' protocols.csv
$WARPSCAPE claims protocols.csv protocols.ini --page page.md --check 2>&1
cmp page.md before.md
