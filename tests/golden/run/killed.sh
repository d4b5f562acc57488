# Whatever ends a program, launches that had finished are there, and what was copied after the last of them.
app=$(dirname "$WARPSCAPE")/programs/app
for end in kill abort "_exit 3" "exit 4"; do
    "$WARPSCAPE" run -n "${end% *}" "$app" work 2 1 copy 4096 $end 2>&1
    echo "status $?"
done
"$WARPSCAPE" launches | cut -d, -f1-3
"$WARPSCAPE" metrics --set study | grep -v '^#' | cut -d, -f1,80-82
"$WARPSCAPE" metrics --set study | grep '^# run' | sed 's/version=.*(/(/'
