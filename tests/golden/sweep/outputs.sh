# Further frames: one row of each, sums, none; files; and what is wrong with them afterwards.
cat >study.ini <<'END'
[plan]
command = sim --config gtsc --power {power} --activity {activity} --suite {workload}
rows = none
outputs = power activity
rows.power = sum
[axes]
workload = MM MT
END
$WARPSCAPE sweep study.ini 2>/dev/null
$WARPSCAPE sweep study.ini --frame --columns power.seconds,activity.cycles | grep -v '^#'
sed -i 's/^rows.power/rows.activity = none\n&/' study.ini
$WARPSCAPE sweep study.ini --frame --columns '*' | grep -v '^#' | grep -c activity
sed -i 's/^rows.power.*/rows.power = all/' study.ini
$WARPSCAPE sweep study.ini --frame --only workload=MT --columns power.seconds | grep -v '^#'
sed -i 's/^rows.power.*/rows.power = sum volts/' study.ini
$WARPSCAPE sweep study.ini --frame 2>&1 | sed -E "s|$PWD|HERE|; s/[0-9a-f]{32}/KEY/"
: >"$(ls study.sweep/points/*/power.csv | head -n 1)"
sed -i 's/^rows.power.*/rows.power = first/' study.ini
$WARPSCAPE sweep study.ini --frame 2>&1 | sed -E "s|$PWD|HERE|; s/[0-9a-f]{32}/KEY/"
