#!/usr/bin/env bash
# Under limits of the system (memory, processes, descriptors, stack, size of files) every command ends, with success or
# with a line that says what is missing: no fault, no hang, no silence. Lines of results that a command prints before it
# fails are its own.
# usage: check_limits.sh PROGRAM
set -u
WARPSCAPE=$(realpath "${1:?program}")
build=$(dirname "$WARPSCAPE")
root=$(mktemp -d)
bound_s=120 # only a hang reaches it
trap 'rm -rf "$root"' EXIT
cd "$root" || exit 1
printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n' >k.ptx
echo 'launch k grid 4 block 64' >k.launch
printf '[claim a]\nclaim = {list(c1):%%.2f}\ndirection = all(c0 / c0 * 1 == 1) and spearman(c1, c2) < 1\n' >claims.ini
printf '[plan]\ncommand = sim --set sm.threads={threads} k.ptx k.launch\n[axes]\nthreads = 64 512\n' >points.ini
awk 'BEGIN { srand(1); printf "program"; for (j = 0; j < 40; j++) printf ",c%d", j; print ""
    for (i = 0; i < 12; i++) { printf "p%d", i; for (j = 0; j < 40; j++) printf ",%.6f", rand(); print "" } }' \
        >frame.csv
"$WARPSCAPE" suite run --scale tiny --profile --trace . MM MT PR 2>log && "$WARPSCAPE" replay --accelsim sass MM.wst ||
    { cat log; exit 1; }
commands=$(cat <<END
--version
help
run --db new.db $build/programs/app work 2 1
run --db new.db --trace traces $build/programs/app work 200 3
exec k.ptx k.launch
exec --db new.db --trace new.wst k.ptx k.launch
import --db new.db sass
replay --db new.db MM.wst
replay --accelsim out MM.wst
sim k.ptx k.launch
model coherence
model coherence --tier 2 --trace MM.wst
model chameleon --supply hphv
verify --tier 1 -p bl MT.wst
metrics
launches
runs
pca frame.csv
cluster frame.csv
subset --sizes 4 frame.csv
stability --draws 20 frame.csv
agree --permutations 20 --linkage single,ward frame.csv
plot scree frame.csv -o new.svg
claims frame.csv claims.ini
report -o report
report -o report frame.csv
suite run --scale tiny --db new.db MM
sweep points.ini
study --scale tiny --db new.db -o study --machines none --simulate none --draws 5 MM MT PR
END
)
limits=('v 64000' 'v 128000' 'v 200000' 'v 500000' 'n 4' 'n 8' 's 32' 's 256' 'f 1' 'f 16' 'f 400' 'u 1' 'u 2')

# The superuser's processes are not counted.
as_somebody=()
[ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null || as_somebody=(setpriv --reuid 65534 --regid 65534 \
    --clear-groups)

# one LIMIT: every command under it, in a folder of its own.
one() {
    local limit=$1 dir=$root/under${1// /} line status runner=()
    mkdir "$dir" && cp -r warpscape.db ./*.wst k.* points.ini claims.ini frame.csv sass "$dir/" && cd "$dir" || return
    [[ $limit != u* ]] || { runner=("${as_somebody[@]}") && chmod -R a+rwX "$root" && chmod a+rx "$root"; }
    while IFS= read -r line; do
        status=0
        # shellcheck disable=SC2086
        timeout $bound_s "${runner[@]}" bash \
            -c "exec >/dev/null 2>log; ulimit -c 0; ulimit -$limit; exec \"$WARPSCAPE\" $line" 2>/dev/null </dev/null ||
            status=$?
        rm -rf new.* traces out report study points.sweep
        if [ $status -eq 127 ] && grep -q 'error while loading shared libraries' log; then
            echo passed # descriptors of who started the tests left none for the loader, which says so
        elif [ $status -ge 124 ] && [[ $status != 12[56] || $line != run* ]]; then
            echo "wrong: ulimit -$limit: $line: exit status $status: $(tail -n 1 log)"
        elif [ $status -ne 0 ] && ! tail -n 1 log | grep -qE '^(warpscape|Try)'; then
            echo "wrong: ulimit -$limit: $line: exit status $status without a line that says why: $(tail -n 1 log)"
        else
            echo passed
        fi
    done <<<"$commands"
}
for limit in "${limits[@]}"; do
    [ -z "${2:-}" ] || [[ $limit == $2* ]] || continue
    while [ "$(jobs -r | wc -l)" -ge "${JOBS:-2}" ]; do wait -n; done
    one "$limit" >"verdict.${limit// /}" &
done
wait
cat verdict.* | grep '^wrong'
passed=$(cat verdict.* | grep -c '^passed') failed=$(cat verdict.* | grep -c '^wrong')
echo "limits: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
