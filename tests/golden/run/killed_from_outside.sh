# kill -9 of the program, then of the command itself: neither costs a launch that had finished.
. "$TOP/tests/runners/computed.sh"
app=$(dirname "$WARPSCAPE")/programs/app
cat > note.sh <<'S'
#!/bin/sh
echo $$ > pid
exec "$@"
S
chmod +x note.sh
start() { # start NAME: a run whose program waits
    rm -f pid out
    "$WARPSCAPE" run -n "$1" ./note.sh "$app" work 3 1 wait > out 2> log &
    run=$!
    until grep -q waiting out 2>/dev/null || ! kill -0 $run 2>/dev/null; do sleep 0.02; done
}
start program
kill -KILL "$(cat pid)"
wait $run
echo "status $?"
cat log
start command
disown $run
kill -KILL $run
gone "$(cat pid)"
"$WARPSCAPE" launches | cut -d, -f1,2
"$WARPSCAPE" metrics --set study | grep -v '^#' | cut -d, -f1,82
"$WARPSCAPE" metrics --set study | grep '^# run' | sed 's/version=.*(/(/'
