# One with races that are meant, and that make no difference to its result; one without.
"$WARPSCAPE" suite run --scale tiny --check race,init,sync,leak PNS MM 2>&1 | sed 's/, [0-9.]* s$//; s/ 0x2[0-9a-f]*//'
echo "exit status ${PIPESTATUS[0]}"
"$WARPSCAPE" suite run --scale tiny --check race,leak BFS 2>&1 | sed 's/, [0-9.]* s$//'
echo "exit status ${PIPESTATUS[0]}"
"$WARPSCAPE" suite run --check rce MM 2>&1 | head -n 1
