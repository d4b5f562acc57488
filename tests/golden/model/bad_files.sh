# One line each, exit status 1.
try() { "$WARPSCAPE" model coherence "$@" 2>&1 | sed "s:$TOP/::; s/; it has .*//; 1q"
    echo "exit status ${PIPESTATUS[0]}"; }
try
"$WARPSCAPE" suite run --scale tiny --db plain.db MM 2>log
try --db plain.db
echo 'no results' >text.db
try --db text.db
"$WARPSCAPE" suite run --scale tiny --db MM.db --profile MM 2>log
try --db MM.db --config nowhere
try --db MM.db --config baseline
printf '[chip]\nsms = none\n' >bad.ini
try --db MM.db --config ./bad.ini
sed 's/^\[coherence\]/&\npolls = 0/' "$TOP/data/configs/gtsc.ini" >polls.ini
try --db MM.db --config ./polls.ini
sed 's/^\[l1\]/&\nreplacement = dip/' "$TOP/data/configs/gtsc.ini" >dip.ini
try --db MM.db --config ./dip.ini
cp MM.db cut.db
truncate -s -5000 cut.db
try --db cut.db
try --tier 2 --trace text.db
"$WARPSCAPE" suite run --scale tiny --trace . MM 2>/dev/null
try --tier 2 --trace MM.wst --config ./polls.ini
"$WARPSCAPE" model coherence --tier 2 --trace MM.wst --config ./dip.ini -P gtsc-rc | tail -n 1
try --tier 2 --trace nowhere.wst
mkdir empty
try --tier 2 --trace empty
