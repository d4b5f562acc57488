# What a job of a cluster runs: points by their keys, those that failed also, in a folder that is there; no more.
cp "$TOP/tests/examples/study.ini" .
$WARPSCAPE sweep study.ini --list | grep -v '^#' | awk -F, '/^MM/ { print $3 }' >keys
$WARPSCAPE sweep study.ini --task keys 2>&1 | sed "s|$PWD|HERE|"
mkdir -p study.sweep/points
$WARPSCAPE sweep study.ini --task keys 2>&1 | sed "s|$PWD|HERE|"
ls study.sweep study.sweep/points | grep -vE '^[0-9a-f]{32}$'
$WARPSCAPE sweep study.ini --list | grep -v '^#' | cut -d, -f1,2,4
cat >two.ini <<'END'
[points first]
command = suite run --scale tiny --db {db} MM
rows = none
[points second]
command = metrics --db {first.db} --set modern
END
mkdir -p two.sweep/points
$WARPSCAPE sweep two.ini --list | grep -v '^#' | awk -F, '/^second/ { print $2 }' >keys
$WARPSCAPE sweep two.ini --task keys 2>&1
$WARPSCAPE sweep two.ini --list | grep -v '^#' | cut -d, -f1,3
