#!/usr/bin/env bash
# Do the workloads notice wrong results? Changes one instruction at a time in the PTX that a program carries (an opcode
# for another of the same length) and runs the program at scale tiny: it has to fail. A few changes make no difference
# to a result, so a workload passes when at least 7 of 10 are noticed and none ends in a signal or without a message.
# usage: run_workload_mutants.sh PROGRAM...    (build/release/workloads/*)
set -u
per_rule=4 # changed places a rule and program
rules=(add.f32:sub.f32 sub.f32:add.f32 mul.f32:add.f32 add.s32:sub.s32 setp.lt:setp.gt setp.ge:setp.lt
    setp.gt:setp.lt setp.ne:setp.eq setp.eq:setp.ne max.s32:min.s32 min.s32:max.s32 min.u32:max.u32 selp.f32:slct.f32
    shl.b32:shr.b32 xor.b32:and.b32 ex2.approx:lg2.approx lg2.approx:ex2.approx mad.lo.s32:mad.hi.s32)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
passed=0 failed=0

# Changes `to` bytes of file $1 at offset $2.
poke() {
    printf '%s' "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

for program in "$@"; do
    name=$(basename "$program")
    ln -sfn "$(cd "$(dirname "$program")/../lib" && pwd)" "$work/lib"
    tried=0 noticed=0 bad=""
    for rule in "${rules[@]}"; do
        from=${rule%:*} to=${rule#*:}
        [ ${#from} -eq ${#to} ] || { echo "rule $rule changes the length"; exit 2; }
        # The opcode stands behind a tab or a blank, so that add.f32 is not found in atom.add.f32.
        mapfile -t places < <(grep -aboP "(?<=[\t ])${from//./\\.}(?=[. ])" "$program" | cut -d: -f1)
        [ ${#places[@]} -gt 0 ] || continue
        step=$(((${#places[@]} + per_rule - 1) / per_rule))
        for ((i = 0; i < ${#places[@]}; i += step)); do
            cp "$program" "$work/bin/$name"
            poke "$work/bin/$name" "${places[i]}" "$to"
            timeout 5 "$work/bin/$name" --scale tiny >"$work/out" 2>&1
            status=$?
            tried=$((tried + 1))
            case $status in
            0) ;;
            1 | 124) noticed=$((noticed + 1)); [ -s "$work/out" ] || [ $status -eq 124 ] ||
                bad="no message for $rule" ;;
            *) bad="status $status for $rule at ${places[i]}: $(tail -n 1 "$work/out")" ;;
            esac
        done
    done
    if [ -z "$bad" ] && [ "$tried" -gt 0 ] && [ $((noticed * 10)) -ge $((tried * 7)) ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name: $noticed of $tried changes noticed ${bad:+; $bad}"
    fi
    echo "note: $name $noticed of $tried"
done
echo "workload-mutants: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
