# A run that measures nothing takes no other's place, and earlier runs stay under their numbers until they are removed.
app=$(dirname "$WARPSCAPE")/programs/app
run() { "$WARPSCAPE" run "$@" 2>&1; echo "status $?"; }
list() { "$WARPSCAPE" runs | sed "s|$(dirname "$WARPSCAPE")|BUILD|"; }
shown() { "$WARPSCAPE" metrics --set study "$@" | grep -v '^#' | cut -d, -f1,2; "$WARPSCAPE" launches "$@" |
    tail -n +2 | wc -l; }
run "$app" work 2 1
run -k nomatch "$app" work 3 1
run -k nomatch -l 7- "$app" work 3 1 exit 4
run "$app"
shown
list
run "$app" work 5 3
list
shown
shown --run 1
"$WARPSCAPE" metrics --set study --run 1 | grep '^# chosen'
"$WARPSCAPE" metrics --set study --run 77
"$WARPSCAPE" runs --remove 5 --remove 77
"$WARPSCAPE" runs --remove 5 && list
shown
run "$app" work 1 1
"$WARPSCAPE" runs --remove-others && list
