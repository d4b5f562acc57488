# A program that closes the results file under our feet and gets its numbers for files of its own: nothing is written
# into those.
app=$(dirname "$WARPSCAPE")/programs/app
"$WARPSCAPE" run "$app" work 2 1 reuse work 3 1 copy 100 2>&1 | sed 's,: /[^ ]*/,: ,'
"$WARPSCAPE" launches | cut -d, -f1-3
cat own? | sort | uniq -c
