# Programs of a user: known by their content; their results files as one, or why not; as many at a time as memory takes.
cp "$(dirname "$WARPSCAPE")/programs/app" app
cat >study.ini <<'END'
[points runs]
command = run -q --db {db} --name work{n} -- ./app work {n} 1
rows = none
n = 2 3
[points metrics]
command = metrics --db {runs.db} --per workload --set modern
END
$WARPSCAPE sweep study.ini 2>&1 | sed "s|$PWD|HERE|"
$WARPSCAPE sweep study.ini --frame --columns 'point.rows' | grep -v '^#'
$WARPSCAPE runs --db study.sweep/results.db | cut -d, -f1,2,5
cp app old && echo >>app
$WARPSCAPE sweep study.ini --dry-run | grep -v '^#' | cut -d, -f1-5
cp old app
$WARPSCAPE sweep study.ini --dry-run | grep -v '^#' | cut -d, -f1-5
rm app
$WARPSCAPE sweep study.ini 2>&1
cp old app
sed -i 's/ --name work{n}//' study.ini
$WARPSCAPE sweep study.ini 2>&1 | sed "s|$PWD|HERE|" | tail -n 1
printf '#!/bin/sh\nsleep 0.2\nls -A %s/two.sweep/points | grep -c "^[.]"\n' "$PWD" >count.sh
chmod +x count.sh
printf '[plan]\ncommand = run -q --db {db} -- ./count.sh {n}\nrows = none\nmemory = 1 GB\n[axes]\nn = 1 2\n' >two.ini
WARPSCAPE_MAX_MEMORY=1500M $WARPSCAPE sweep two.ini -j 4 2>/dev/null
cat two.sweep/points/*/out.csv
