# Points run once, a failed one again when asked; labels, further labels and rows of a frame; exclusions; choices.
cat >study.ini <<'END'
[plan]
command = sim --config gtsc {protocol} --power {power} --suite {workload}
outputs = power
rows.power = sum seconds
[axes]
workload = GS MM HS
[axis protocol]
strong = --protocol tc-strong
gtsc = --protocol gtsc-rc
bad = --protocol nothing
[labels workload class]
GS = shared
MM = private
HS = private
[exclude]
1 = workload=M*|HS protocol=bad
2 = class=private workload!=MM protocol=strong
END
$WARPSCAPE sweep study.ini --dry-run | tail -n 1
$WARPSCAPE sweep study.ini 2>&1; echo "status $?"
$WARPSCAPE sweep study.ini --only protocol!=bad 2>&1 | sed "s|$PWD|HERE|"
$WARPSCAPE sweep study.ini --list | grep -v '^#' | cut -d, -f1,2,4,5
$WARPSCAPE sweep study.ini --frame --columns cycles,point.rows,power.seconds 2>&1 | grep -v '^# column'
$WARPSCAPE sim --config gtsc --protocol gtsc-rc --suite GS 2>/dev/null | tail -n 1 | cut -d, -f6
grep -h state study.sweep/points/*/status | sort | uniq -c
sed -i 's/protocol nothing/protocol bl/' study.ini
$WARPSCAPE sweep study.ini --only class=shared 2>&1 | sed "s|$PWD|HERE|"
printf '[plan]\ncommand = sim --nothing MM\n' >misused.ini
$WARPSCAPE sweep misused.ini 2>&1 | head -n 1
