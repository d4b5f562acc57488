# Tier 2 in the simulator's order: equal, under every protocol that time does not decide; also with several launches.
"$WARPSCAPE" suite run --scale tiny --trace . MM SLA 2>log
"$WARPSCAPE" verify --tier 2 . 2>&1 | grep -v '^# '
