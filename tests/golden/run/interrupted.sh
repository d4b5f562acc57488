# Ctrl-C reaches program and command alike; the program ends by it, and the command keeps what there is.
. "$TOP/tests/runners/computed.sh"
app=$(dirname "$WARPSCAPE")/programs/app
set -m # a process group of its own
# A shell that was started in the background ignores SIGINT, and so would what it starts.
env --default-signal=INT,TERM "$WARPSCAPE" run "$app" work 3 1 wait > out 2> log &
until grep -q waiting out 2>/dev/null || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
kill -INT -$!
wait $!
echo "status $?"
cat log
"$WARPSCAPE" launches | wc -l
env --default-signal=INT,TERM "$WARPSCAPE" run -q "$app" endless > out 2> log &
catches $!
computed "$(child $! app)" 40 # in its kernel
kill -TERM $! # only the command gets it, and hands it on
wait $!
echo "status $?"
"$WARPSCAPE" launches | wc -l
