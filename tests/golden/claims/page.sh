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
