#!/usr/bin/env bash
# Holds `warpscape sim` against measured silicon, on programs of others that are not part of this project:
#     tests/silicon/silicon.sh [OPTION...] DIR [-- OPTION OF warpscape sim...]
# DIR holds the sources, as they were fetched, in folders of any name: Rodinia 3.1 (gpu-rodinia), Parboil (gpu-parboil),
# NVIDIA's cuda-samples. silicon_kernels.txt beside this script says what is built of them, how it is run and which
# launches are compared; inputs that the suites do not ship are made (silicon_inputs.awk). A program that cannot be
# built or run is named, and the others go on.
#   --warpscape PROGRAM  (build/release/warpscape)
#   --cache DIR          programs, inputs and traces, made once (silicon-cache); a change of the machine is simulated
#                        from the traces
#   --binaries DIR       take DIR/PROGRAM, built elsewhere, instead of building
#   --card FILE          what the silicon did (data/silicon/gv100_measured.csv)
#   --only REGEX         only kernels whose name matches; --but REGEX: not these
#   --csv FILE           a row for each kernel and counter: ours, the card's, the ratio
#   --frames DIR         keep what `warpscape sim` printed: DIR/KERNEL.csv
#   --architecture ARCH  what nvcc builds PTX for (compute_75)
#   --power              watts instead of cycles: `warpscape sim --power` at the machine and clock that the card's file
#                        names (`# power: ...`), beside its column `watts`; and by how much
#                        what is fitted of data/tech/energy.ini is off
# Options of sim: --config qv100 unless one is given; each launch starts with cold caches. `-- --shape` simulates the
# machine code that an assembler would make; traces of a cache that an older program wrote do not have what it needs.
# JOBS=N simulates N kernels at a time (1). Last line: `silicon: N passed, M failed`; a kernel passes when it could be
# simulated, however far off it is.
set -u
here=$(dirname "$(realpath "$0")")
table=$here/silicon_kernels.txt warpscape=$here/../../build/release/warpscape cache=silicon-cache \
    card=$here/../../data/silicon/gv100_measured.csv
binaries='' only=. but='^$' csv='' frames='' architecture=compute_75 power=''
while [ $# -gt 1 ]; do
    case $1 in
    --warpscape) warpscape=$2 ;;
    --cache) cache=$2 ;;
    --binaries) binaries=$(realpath "$2") || exit 2 ;;
    --card) card=$2 ;;
    --only) only=$2 ;;
    --but) but=$2 ;;
    --csv) csv=$2 ;;
    --frames) mkdir -p "$2" && frames=$(realpath "$2") || exit 2 ;;
    --architecture) architecture=$2 ;;
    --power)
        power=yes
        shift
        continue
        ;;
    *) break ;;
    esac
    shift 2
done
die() { echo "silicon: $*" >&2; exit 2; }
if [ $# -eq 0 ]; then
    sed -n '2,/^[^#]/s/^# \?//p' "$0" >&2
    exit 2
fi
[[ $1 != -* ]] ||
    die "$1: no such option, or without its value; DIR is expected (call it without arguments for the list)"
[ -d "$1" ] || die "$1: no such folder; the sources of gpu-rodinia, gpu-parboil and cuda-samples are expected below it"
[ "${2:---}" = -- ] || die "$2: expected nothing, or -- and options of warpscape sim, behind DIR"
[ -x "$warpscape" ] || die "$warpscape: no such program; build it (make), or name one with --warpscape"
[ -r "$card" ] || die "$card: cannot be read; a file like data/silicon/gv100_measured.csv is expected"
sources=$(realpath "$1") warpscape=$(realpath "$warpscape") card=$(realpath "$card")
mkdir -p "$cache/bin" "$cache/in" "$cache/traces" && cache=$(realpath "$cache") || exit 2
shift $(($# > 1 ? 2 : 1))
if [ -n "$power" ]; then
    eval "set -- $(sed -n 's/^# power: //p' "$card") \"\$@\""
    [[ " $* " == *' --config'* ]] ||
        die "$card: no line '# power: OPTIONS' that says at which machine and clock its watts were measured; give --config and --set behind --"
fi
case " $* " in *' --config'* | *' -c'*) ;; *) set -- --config qv100 "$@" ;; esac
options=$(printf '%q ' "$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export here table warpscape cache binaries frames architecture power sources work options

# field LINE N: the N-th of what stands between |, without blanks around it. A | that belongs to a pattern or an edit
# stands without them.
field() { awk -v n="$2" -F ' *[|]( |$)' '{ sub(/^[^ ]+ +/, ""); gsub(/^ +| +$/, "", $n); print $n }' <<<"$1"; }
row() { grep -m 1 "^$1 $2 |" "$table"; }
say() { echo "silicon: $*" >&2; }

# build PROGRAM LINE: cache/bin/PROGRAM, from a copy of its folder that went through the edit.
build() {
    local folder edit flags file list=() one
    folder=$(find -L "$sources" -type d -path "*/$(field "$2" 2)" | sort | head -n 1)
    [ -n "$folder" ] || { say "$1: no folder .../$(field "$2" 2) below $sources: fetch its suite"; return 1; }
    mkdir -p "$work/$1" && cp -rL "$folder/." "$work/$1/" || return 1
    edit=$(field "$2" 5) flags=$(field "$2" 4)
    [ -z "$edit" ] || find "$work/$1" -name '*.c' -o -name '*.cc' -o -name '*.cu' -o -name '*.cpp' -o -name '*.h' |
        xargs sed -i "$edit" || return 1
    for one in $(set -f && echo $(field "$2" 3)); do
        case $one in
        /*) file=$(find -L "$sources" -type f -path "*$one" | sort | head -n 1) && list+=("${file:-$one}") ;;
        *) list+=($one) ;;
        esac
    done
    (cd "$work/$1" && set +f && nvcc -O2 -w -Wno-deprecated-gpu-targets -gencode \
        "arch=$architecture,code=$architecture" $flags \
        -DcudaThreadSynchronize=cudaDeviceSynchronize $(includes) -o "$cache/bin/$1.new" ${list[@]}) >"$work/$1.log" \
            2>&1 &&
        mv "$cache/bin/$1.new" "$cache/bin/$1" && return
    say "$1: nvcc: $(grep -m 1 -i error "$work/$1.log" || tail -n 1 "$work/$1.log")"
    return 1
}

# Headers that the suites share.
includes() {
    find -L "$sources" -type f \( -path '*/Common/helper_cuda.h' -o -path '*/common/include/parboil.h' \) \
        -printf '-I%h ' | tr '\n' ' '
}

# trace KERNEL PROGRAM REGEX: cache/traces/KERNEL.wst holds the launches that match.
trace() {
    local line program folder input arguments=() argument files
    line=$(row program "$2") || { say "$1: $table has no program $2"; return 1; }
    program=$cache/bin/$2
    [ -z "$binaries" ] || program=$binaries/$2
    if [ -z "$binaries" ]; then
        [ -x "$program" ] || build "$2" "$line" || return 1
    else
        [ -x "$program" ] || { say "$1: no program $program"; return 1; }
    fi
    for argument in $(field "$line" 6); do
        IFS=, read -r -a files <<<"$argument"
        for input in "${files[@]}"; do make_input "$input" || return 1; done
        arguments+=("$argument")
    done
    [ "$2" != srad_v1 ] || make_input in/image.pgm || return 1
    mkdir -p "$work/run.$1" && ln -s "$cache/in" "$work/run.$1/in" || return 1
    folder=$(find -L "$sources" -type d -path "*/$(field "$line" 2)/data" | sort | head -n 1)
    [ -z "$folder" ] || ln -s "$folder" "$work/run.$1/data"
    (cd "$work/run.$1" && "$warpscape" run -q --kernels "$3" --metrics-set machines --trace . --name trace \
        --db trace.db -- "$program" \
        ${arguments[@]+"${arguments[@]}"}) >"$work/$1.log" 2>&1
    if [ -s "$work/run.$1/trace.wst" ]; then
        mv "$work/run.$1/trace.wst" "$cache/traces/$1.wst"
    else
        say "$1: $2 made no trace: $(tail -n 1 "$work/$1.log")"
        false
    fi
}

make_input() {
    case $1 in in/*) ;; *) return 0 ;; esac
    [ -s "$cache/$1" ] && return
    LC_ALL=C awk -v file="${1#in/}" -f "$here/silicon_inputs.awk" >"$cache/$1.new" && mv "$cache/$1.new" "$cache/$1"
}

# simulate KERNEL LAUNCH: work/KERNEL.row
simulate() {
    local own
    eval "own=($options)"
    [ -z "$power" ] || own+=(--repeated --power "$work/$1.power" --activity "$work/$1.activity")
    if "$warpscape" sim "${own[@]}" --launch "$2" "$cache/traces/$1.wst" >"$work/$1.csv" 2>"$work/$1.log"; then
        [ -z "$power" ] || awk -v kernel="$1" -f "$here/silicon_power_row.awk" "$work/$1.power" "$work/$1.activity" \
            >"$work/$1.row" || return
        [ -z "$power" ] || return
        [ -z "$frames" ] || cp "$work/$1.csv" "$frames/"
        awk -v kernel="$1" -f "$here/silicon_row.awk" "$work/$1.csv" >"$work/$1.row"
    else
        say "$1: $(tail -n 1 "$work/$1.log")"
    fi
}
export -f simulate say

kernels=()
while IFS= read -r line; do
    name=$(field "$line" 1)
    [[ $name =~ $only ]] && ! [[ $name =~ $but ]] || continue
    kernels+=("$name $(field "$line" 4)")
    [ -s "$cache/traces/$name.wst" ] || trace "$name" "$(field "$line" 2)" "$(field "$line" 3)"
done < <(grep '^kernel ' "$table")
[ ${#kernels[@]} -gt 0 ] || die "no kernel of $table has a name that matches $only"
for kernel in ${kernels[@]+"${kernels[@]}"}; do
    [ ! -s "$cache/traces/${kernel% *}.wst" ] || echo "$kernel"
done | xargs -r -P "${JOBS:-1}" -L 1 bash -c 'simulate "$1" "$2"' _

grep -m 1 '^kernel,' "$card" >"$work/ours"
[ -z "$power" ] || echo kernel,watts,busy >"$work/ours"
passed=0
for kernel in ${kernels[@]+"${kernels[@]}"}; do
    [ ! -s "$work/${kernel% *}.row" ] || { cat "$work/${kernel% *}.row" >>"$work/ours" && passed=$((passed + 1)); }
done
eval "own=($options)"
if [ -n "$power" ]; then
    "$warpscape" model power --terms $(printf '%q ' "${own[@]}" | sed 's/--shape[^ ]*//g') \
        "$cache/traces/${kernels[0]% *}.wst" >"$work/terms" 2>/dev/null
    awk -v csv="$csv" -f "$here/silicon_power.awk" "$card" "$work/ours" "$work/terms"
else
    launch=$("$warpscape" sim "${own[@]}" --options | awk -F, '$1 == "chip.launch" { print $2 }')
    awk -v launch="${launch:-0}" -v csv="$csv" -f "$here/silicon.awk" "$card" "$work/ours"
fi
echo "silicon: $passed passed, $((${#kernels[@]} - passed)) failed"
[ $passed -gt 0 ] && [ $passed -eq ${#kernels[@]} ]
