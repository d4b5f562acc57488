# Processes and threads of one program are one run, and launches have numbers of their own.
app=$(dirname "$WARPSCAPE")/programs/app
count() { "$WARPSCAPE" launches | sed -n '2,$p' | cut -d, -f2 | sort -n | uniq | wc -l; }
"$WARPSCAPE" run "$app" forkfirst work 2 1 2>&1; count
"$WARPSCAPE" run "$app" work 1 1 exec work 2 1 2>&1; count
"$WARPSCAPE" run "$app" threads 4 2>&1; count
printf '#!/bin/sh\n"$1" work 3 1 & "$1" work 2 1; wait\n' > script
chmod +x script
"$WARPSCAPE" run ./script "$app" 2>&1; count
"$WARPSCAPE" run "$app" work 1 1 fork 2>&1 | sed 's/process [0-9]*/process N/'; count
"$WARPSCAPE" run "$app" work 1 1 leave 2>&1; count
