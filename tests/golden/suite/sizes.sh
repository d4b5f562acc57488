# Sizes of an input by name: what is listed is taken, within what it and its check can do, and nothing else.
w=$(dirname "$WARPSCAPE")/workloads
"$w/MM" --scale tiny --size rows=48,inner=16
"$w/FWT" --scale tiny --size log2n=11
"$w/MM" --help | sed -n '/^Sizes/,$p'
for wrong in rows=5 rows=40 rows=8192 rows=x rows rows= height=3 'rows=32,,inner=16'; do
    "$w/MM" --scale tiny --size "$wrong" 2>&1 | head -n 1
done
"$w/AES" --scale tiny --size rows=16 2>&1 | head -n 1
# More of it is more work, which a trace sees.
for rows in 16 64; do
    "$WARPSCAPE" run -q -n MM$rows -d s.db -- "$w/MM" --scale tiny --size rows=$rows >/dev/null
done
"$WARPSCAPE" launches -d s.db 2>/dev/null | grep -v '^#' | cut -d, -f1-5
