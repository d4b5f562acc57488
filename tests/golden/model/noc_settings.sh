# As many settings as any command takes: the last of an option counts, on each network and beside it; one more is
# refused, and says what to do.
many() { for ((i = 1; i <= $1; i++)); do printf -- '--set network.loop=%d ' $((i % 7 + 2)); done; }
clocks() { for ((i = 1; i <= $1; i++)); do printf -- '--set chip.network_clock=%dMHz ' $((500 + i)); done; }
rows() { "$WARPSCAPE" model noc -n mwsr -n swmr --channel 32 --load 10 "$@" | grep -v '^# command'; }
rows $(many 250) --set network.loop=8 >many
rows --set network.loop=8 >one
cmp many one && echo 'the last of 251'
rows >none
cmp -s one none || echo 'and it counts'
rows --set network.loop=8 $(clocks 200) >many
rows --set network.loop=8 --set chip.network_clock=700MHz >one
cmp many one && echo 'also beside the reference'
grep -c reference many
"$WARPSCAPE" model noc --load 10 $(many 257) 2>&1 | sed -n 1p
echo "exit status ${PIPESTATUS[0]}"
