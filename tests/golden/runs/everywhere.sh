# The same rule for a launch file, a trace and a workload: what measures nothing is told, and takes nothing away.
cat > k.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry k() { ret; }
END
echo 'launch k' > one.launch
echo '# nothing' > none.launch
echo 'launch nowhere' > wrong.launch
run() { "$WARPSCAPE" "$@" > out 2> log; echo "status $?: $(head -n 1 log)"; }
run exec --db x.db --trace k.wst k.ptx one.launch
run exec --db x.db k.ptx none.launch
run exec --db x.db k.ptx wrong.launch
run exec --db x.db --trace none.wst k.ptx none.launch
run replay --db x.db k.wst
run replay --accelsim traces k.wst
run import --db x.db --workload k traces
run import --db x.db --kernels nomatch traces
"$WARPSCAPE" runs --db x.db | cut -d, -f 1-8
"$WARPSCAPE" launches --db x.db | cut -d, -f 1-3
mkdir bin bin/workloads
cp "$WARPSCAPE" bin/
ln -s "$(dirname "$WARPSCAPE")"/lib bin/lib
ln -s "$(dirname "$WARPSCAPE")"/workloads/MM bin/workloads/
bin/warpscape suite run --scale tiny --db x.db MM 2>/dev/null
rm bin/workloads/MM
printf '#!/bin/sh\nexit 0\n' > bin/workloads/MM
chmod +x bin/workloads/MM
bin/warpscape suite run --scale tiny --db x.db MM 2>&1 | sed 's/[0-9.]* s$/TIME s/'
echo "status ${PIPESTATUS[0]}"
"$WARPSCAPE" metrics --db x.db | grep -v '^#' | cut -d, -f1
