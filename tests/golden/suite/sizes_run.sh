# `suite run --size`: sizes reach the program, results tell them apart, and so does --resume; what is wrong is told by
# name.
run() { "$WARPSCAPE" suite run --scale tiny -d r.db "$@" 2>&1 | sed 's/, [0-9.]* s$//'; }
run --size width=20,depth=8 -t traces H3D
run -r --size width=20,depth=8 H3D
run -r H3D
"$WARPSCAPE" launches -d r.db 2>/dev/null | grep -c h3d_step
"$WARPSCAPE" replay traces/H3D.wst -d again.db 2>/dev/null
for db in r again; do "$WARPSCAPE" metrics -d $db.db 2>/dev/null | grep '^# run' |
    sed 's/ version=.*command=\(warpscape suite.*\)*/ \1/'; done
run --size depht=8 H3D
run --size depth=8 AES
run --size depth=8 2>&1 | head -n 1
run --size= H3D 2>&1 | head -n 1
"$WARPSCAPE" suite list --size depth=8 2>&1 | head -n 1
