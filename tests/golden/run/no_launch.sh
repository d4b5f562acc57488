# A program that launches nothing is told why that may be, and takes nothing away.
app=$(dirname "$WARPSCAPE")/programs/app
"$WARPSCAPE" run "$app" work 1 1 2>/dev/null
"$WARPSCAPE" run "$app"
"$WARPSCAPE" run "$app" copy 10
"$WARPSCAPE" run "$app" outside
"$WARPSCAPE" run "$(dirname "$WARPSCAPE")"/programs/late work
"$WARPSCAPE" run true
printf '#!/bin/sh\nexit 3\n' > script
chmod +x script
"$WARPSCAPE" run ./script
echo "status $?"
"$WARPSCAPE" launches | cut -d, -f1-3
