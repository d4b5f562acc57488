# Bars that are cut: at the limit, with their value beside, room for it, and no longer whiskers; what has no use for it
# is refused.
printf 'w,a,a_low,a_high,b\nx,3,2.5,3.5,-4\ny,0.5,0.4,0.6,-0.2\nz,1,1,1,1\n' >bars.csv
$WARPSCAPE plot bars bars.csv --limit 1 -o cut.gp &&
    sed -n '/^\$bars/,/^EOD/p; /^\$whiskers/,/^EOD/p; /^ws_cut/p; /^ws_\(low\|high\)_of\[/p' cut.gp
$WARPSCAPE plot bars bars.csv -o whole.gp && sed -n '/^ws_cut/p; /^ws_\(low\|high\)_of\[/p' whole.gp
$WARPSCAPE plot bars bars.csv --limit 1 -o cut.svg && grep -c '>-4<' cut.svg
for wrong in 'bars --limit 1 --stack' 'scores --limit 1' 'bars --limit 0'; do
    $WARPSCAPE plot $wrong bars.csv -o no.svg 2>&1 | head -n 1
done
