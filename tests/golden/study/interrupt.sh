# Ctrl-C in the middle: a clear line, and the same command goes on.
$WARPSCAPE study -o d --db s.db --scale tiny --machines none --simulate none --draws 5 MM MT PR KM >log 2>&1 &
sleep 0.02
kill -INT $! 2>/dev/null
wait $!
[ $? = 130 ] || grep -q 'the same command goes on with the rest' log || [ -e d/index.html ] && echo ended, told or done
$WARPSCAPE study -o d --db s.db --scale tiny --machines none --simulate none --draws 5 MM MT PR KM >log 2>&1 && ls d
