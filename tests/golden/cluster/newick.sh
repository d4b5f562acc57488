# Names with quotes; a tree file that cannot be written leaves nothing on standard output.
$WARPSCAPE cluster $GOLDEN/points.csv --linkage single --tree t.nwk >/dev/null
cat t.nwk
$WARPSCAPE cluster $GOLDEN/points.csv --tree none/t.nwk 2>&1
echo "exit status $?"
ls
