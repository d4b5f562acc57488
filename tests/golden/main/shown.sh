# What a terminal would obey is shown in messages, whoever prints them; data that goes to no terminal keeps its bytes.
esc=$(printf '\033[31mred\n\302\2332J\377') # ESC [, a line feed, CSI as one letter, no UTF-8
try() { "$WARPSCAPE" "$@" 2>&1 >/dev/null | LC_ALL=C tr '\001-\010\013-\037\177-\377' '#'; }
try "$esc"
try pca "$esc"
try pca --"$esc"
try pca --subspace
try plot "$esc" f.csv -o f.svg
try replay "$esc"
try metrics --db "$esc"
try exec "$esc".ptx "$esc".launch
try suite run "$esc"
printf 'w,x\n"%s",1,2\n' "$esc" >"$esc.csv"
try pca "$esc.csv"
printf 'w,x,y\n"%s",NA,2\nb,1,2\n' "$esc" >frame.csv
try pca frame.csv
printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { %s; }\n' "$esc" >bad.ptx
echo 'launch k grid 1 block 1 args' >x.launch
try exec bad.ptx x.launch
printf 'w,x,y,z\n"%s",4,2,1\nb,1,2,7\nc,1,3,1\n' "$esc" >frame.csv
"$WARPSCAPE" pca frame.csv | grep -a -c -F "$(printf '\033[31mred')"
# A terminal gets it shown.
if command -v script >/dev/null; then
    script -qec "'$WARPSCAPE' pca frame.csv" /dev/null </dev/null | grep -a -c 'x1b\[31mred'
else
    echo 1
fi
