# A program as its build left it: its output, its status, one line about what was launched; names as people write them.
"$WARPSCAPE" run "$(dirname "$WARPSCAPE")"/programs/app fill 64 copy 100 work 3 2 empty copy 10
"$WARPSCAPE" launches
"$WARPSCAPE" launches --mangled | sed -n '2p;5p' | cut -d, -f3
"$WARPSCAPE" metrics --set study --per kernel | grep -v "^#" | cut -d, -f1-4
"$WARPSCAPE" metrics --set study | grep -v '^#' | cut -d, -f1,80-82
