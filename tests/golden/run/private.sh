# With --private nobody else reads what is written: the results file and what SQLite keeps beside it while it is open,
# traces, frames, figures, reports. What the program itself makes is the program's business.
umask 022
app=$(dirname "$WARPSCAPE")/programs/app
echo "without"
"$WARPSCAPE" run -q -d open.db "$app" work 2 1 > out
stat -c '%a %n' open.db
echo "run"
"$WARPSCAPE" run -q --private -d p.db --trace traces -- bash -c '"$0" work 2 1 > mine; stat -c "%a %n" p.db* mine' \
    "$app"
echo "status $?"
"$WARPSCAPE" metrics -d p.db > frame.csv
"$WARPSCAPE" exec --private "$TOP/tests/kernels/flow_nested.ptx" "$TOP/tests/kernels/flow_nested.launch" --db e.db \
    --trace e.wst > /dev/null
"$WARPSCAPE" replay --private e.wst --db r.db --accelsim accelsim
"$WARPSCAPE" import --private accelsim --db i.db -o i.wst
"$WARPSCAPE" suite run --private -c tiny MM --db s.db 2> /dev/null
"$WARPSCAPE" suite run -c tiny PF --db s.db 2> /dev/null
"$WARPSCAPE" sim --private e.wst --traffic t.csv > /dev/null
"$WARPSCAPE" metrics -d s.db | "$WARPSCAPE" pca --private - --loadings l.csv > /dev/null
WARPSCAPE_PRIVATE=1 "$WARPSCAPE" metrics -d s.db | WARPSCAPE_PRIVATE=1 "$WARPSCAPE" plot scree - -o scree.gp
WARPSCAPE_PRIVATE=1 WARPSCAPE_DB=own.db "$(dirname "$WARPSCAPE")/workloads/MM" --scale tiny > /dev/null
find . -mindepth 1 ! -name mine ! -name out ! -name frame.csv -printf '%m %p\n' | sort -k 2
echo "a file that others could read, and a frame that they cannot"
"$WARPSCAPE" exec --private "$TOP/tests/kernels/flow_nested.ptx" "$TOP/tests/kernels/flow_nested.launch" --db open.db \
    --trace open.wst > /dev/null
: > older.wst; : > older.csv
"$WARPSCAPE" exec --private "$TOP/tests/kernels/flow_nested.ptx" "$TOP/tests/kernels/flow_nested.launch" \
    --trace older.wst > /dev/null
"$WARPSCAPE" sim --private e.wst --traffic older.csv > /dev/null
"$WARPSCAPE" sim e.wst --traffic t.csv > /dev/null
stat -c '%a %n' open.db older.wst older.csv t.csv
