#!/usr/bin/env bash
# Would the tests find a one-line fault? Draws MUTANTS (40) faults from the lines of the product's C by MUTANTS_SEED
# (1): an operator, a constant, a condition, a returned value, or a statement that is left out. All are put into one
# build, in build/mutants; WS_MUTANT says which one is in force. Without a fault every test of `make test` that runs the
# product has to pass there; it notes which faults it reaches. Then each fault is tried with the tests that reach it,
# the nearest first, until one fails. A test that takes a minute and twenty times as long as it did hangs, which is
# noticed. At least nine of ten have to be found. What has been done is kept: the same command goes on after Ctrl-C, and
# tries faults that were not found again, with the tests of today. Another product, seed or number begins anew.
# usage: [JOBS=N] [MUTANTS=N] [MUTANTS_SEED=N] run_mutants.sh build/release
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${1:?build/release}
count=${MUTANTS:-40} seed=${MUTANTS_SEED:-1}
folders='base collect metrics pca cluster model plots record library cli'
workers=${JOBS:-2}
export build work=build/mutants
export tree=$work/tree results=$work/results.txt
trap 'exit 130' INT TERM
unset MAKEFLAGS MFLAGS

# --- Tests: `unit/PROGRAM`, `golden/COMMAND/CASE`, or the name of a row of parts.txt. ---

# Rows that run nothing of the product.
lints=' architecture layers bounds names rows opcodes format '
parts() { grep -v '^#' "$tree/tests/parts.txt" | awk '$1 == "check" || $1 == "test" { print $3 }'; }
list_tests() { # in the order in which they are tried
    local part
    (cd "$tree" && ls tests/unit/test_*.c) | sed 's,.*/\(.*\)\.c,unit/\1,'
    for part in $(parts); do
        case $lints in *" $part "*) continue ;; esac
        case $part in
        unit) ;;
        golden) (cd "$tree/tests" && grep -rL --include='*.sh' '^# heavy: ' golden | sort | sed 's/\.sh$//') ;;
        *) echo "$part" ;;
        esac
    done
}

# run_test TEST SECONDS LOG: its exit status, which is 124 or 137 when it was not done in time.
run_test() {
    local command temporary status=0
    case $1 in
    unit/*) command=$build/tests/${1#unit/} ;;
    golden/*) command="tests/runners/run_golden.sh $build/warpscape tests/$1.sh" ;;
    *) command=$(awk -v part="$1" '$3 == part { $1 = $2 = $3 = ""; print }' "$tree/tests/parts.txt") ;;
    esac
    temporary=$(mktemp -d)
    # A fault may ask for all there is; the 16 GiB of a device are asked for by a test.
    (cd "$tree" && ulimit -c 0 -d 20000000 && TMPDIR=$temporary exec timeout -k 5 "$2" bash -c "$command") >"$3" 2>&1 \
        </dev/null &
    trap 'kill $! 2>/dev/null; rm -rf "$temporary"; exit 130' INT TERM
    wait $! || status=$?
    chmod -R u+rwx "$temporary" 2>/dev/null
    rm -rf "$temporary"
    return $status
}
make() { command "${MAKE:-make}" -s --no-print-directory MODE="$(basename "$build")" "$@"; }
export jobs=1 JOBS=1
export -f run_test make

# --- The faults: a copy of the tree, and one build of it. ---

object_of() { # object_of FILE.c: what make calls it; some files are compiled several times
    (cd "$tree" && ls "$build/${1%.c}.o" "$build/${1%.c}".*.o 2>/dev/null | tail -n 1)
}
# compile FAULTS: puts them into the tree, and tells of each file that has some: FILE:LINE: what the compiler says of
# it, if anything.
compile() {
    local file objects=() files=()
    while read -r file; do
        [ -n "$(object_of "$file")" ] || { echo "$file:0: not compiled"; continue; }
        awk -F '\t' -v file="$file" '$2 == file' "$1" | awk -f tests/mutants/plant.awk - "$file" >"$work/planted.c"
        cmp -s "$work/planted.c" "$tree/$file" || cp "$work/planted.c" "$tree/$file"
        files+=("$file") objects+=("$(object_of "$file")")
    done < <(cut -f 2 "$1" | sort -u)
    make -C "$tree" -k -j"$workers" "${objects[@]}" 2>&1 >/dev/null | grep -E '^[a-z0-9_/]+\.c:[0-9]+:'
    for file in "${files[@]}"; do
        [ ! "$tree/$file" -nt "$tree/$(object_of "$file")" ] || echo "$file:0: not compiled"
    done
}

# The faults are numbered as they are drawn. Those that the compiler refuses or warns of, as continuous integration
# does, do not count.
draw() {
    local tried=0 left
    rm -rf "$work"
    mkdir -p "$tree/build"
    tar -c --exclude=./build --exclude=./.git . | tar -x -C "$tree" || return 1
    [ ! -d "$build" ] || cp -a "$build" "$tree/build/" || return 1
    make -C "$tree" -j"$workers" all >/dev/null || return 1
    # What is compiled once per level of vector instructions takes minutes to build, and random kernels look at all of
    # it.
    # shellcheck disable=SC2086
    (cd "$tree" && find $folders -name '*.c' ! -name '*_level*.c' | LC_ALL=C sort |
        xargs awk -f tests/mutants/places.awk) |
        awk -v seed="$seed" -v count=4000 -f tests/mutants/draw.awk |
            awk '{ printf "%d\t%s\n", NR, $0 }' >"$work/draws.txt"
    : >"$work/faults.tmp"
    while left=$((count - $(wc -l <"$work/faults.tmp"))) && [ $left -gt 0 ]; do
        sed -n "$((tried + 1)),$((tried + left))p" "$work/draws.txt" >>"$work/faults.tmp"
        [ $((tried += left)) -le 4000 ] || return 1
        while compile "$work/faults.tmp" >"$work/compiler.txt"; [ -s "$work/compiler.txt" ]; do
            # Those of the lines that it names; if there are none, the last one of the file.
            awk -F '\t' '
                NR == FNR { split($0, part, ":"); bad[part[1]]; named[part[1], part[2]]; next }
                { keep[++n] = $0; file[n] = $2; line[n] = $3; last[$2] = n }
                ($2, $3) in named { hit[$2] }
                END {
                    for (i = 1; i <= n; i++)
                        if (!((file[i], line[i]) in named ||
                            (file[i] in bad && !(file[i] in hit) && last[file[i]] == i)))
                            print keep[i]
                }' "$work/compiler.txt" "$work/faults.tmp" >"$work/kept.tmp"
            cut -f 2 "$work/faults.tmp" | sort -u >"$work/files.txt"
            mv "$work/kept.tmp" "$work/faults.tmp"
            # A file that has none left is as it was.
            cut -f 2 "$work/faults.tmp" | sort -u | comm -23 "$work/files.txt" - |
                while read -r file; do cp "$file" "$tree/$file"; done
        done
    done
    echo "drew $count faults; $((tried - count)) more do not compile" >&2
    echo "$key" >"$work/key"
    mv "$work/faults.tmp" "$work/faults.txt"
}

# --- Without a fault: does every test pass, and what does it reach? ---

file_of() { echo "$work/$1/${2//\//,}"; } # file_of FOLDER TEST
look() { # look TEST: notes its seconds and the faults that it reaches
    local map start=$SECONDS status=0 log reached
    map=$PWD/$(file_of maps "$1") log=$(file_of logs "$1") reached=$(file_of reached "$1")
    head -c 4096 /dev/zero >"$map"
    WS_MUTANT_REACHED=$map run_test "$1" 1800 "$log" || status=$?
    if [ $status -ne 0 ]; then
        echo "--- $1 fails without a fault (exit status $status)"
        grep -vE '^\[ +(OK|RUN) +\]' "$log" | tail -n 30
        return
    fi
    { echo $((SECONDS - start)); od -An -v -tu1 -w1 "$map" | awk '$1 { print NR - 1 }'; } >"$reached.tmp"
    mv "$reached.tmp" "$reached"
    rm -f "$map" "$log"
}

# --- With a fault. ---

# to_try NUMBER FILE: "SECONDS TEST" of those that reach it: the unit test of the file, those of files of its folder,
# other unit tests, other parts; within these the quickest first.
to_try() {
    local test reached base=${2##*/} order=0 rank
    while read -r test; do
        reached=$(file_of reached "$test")
        [[ $test == golden/* ]] || order=$((order + 1)) # all golden cases have one place
        rank=9$(printf %04d $order)
        sed 1d "$reached" | grep -qx "$1" || continue
        case $test in
        "unit/test_${base%.c}") rank=1 ;;
        unit/*) rank=3; [ ! -e "${2%/*}/${test#unit/test_}.c" ] || rank=2 ;;
        esac
        echo "$rank $(head -n 1 "$reached") $test"
    done <"$work/tests.txt" | sort -k1,1n -k2,2n | cut -d ' ' -f 2-
}
try() { # try NUMBER: adds its line to the results
    local file seconds test status log=$work/logs/$1 tried=0 IFS=' '
    file=$(awk -F '\t' -v number="$1" '$1 == number { print $2 }' "$work/faults.txt")
    while read -r seconds test <&3; do
        status=0 tried=$((tried + 1))
        WS_MUTANT=$1 run_test "$test" $((60 + 20 * seconds)) "$log" || status=$?
        case $status in
        0) continue ;;
        124 | 137) echo "$1 $test hangs" ;;
        *) echo "$1 $test" ;;
        esac >>"$results"
        rm -f "$log"
        return
    done 3< <(to_try "$1" "$file")
    echo "$1 - $tried" >>"$results"
    rm -f "$log"
}
export -f look try to_try file_of

# The table; fails when too few were found.
table() {
    awk -F '\t' -v results="$results" '
        BEGIN {
            while ((getline line < results) > 0) {
                n = split(line, part, " "); test[part[1]] = part[2]; more[part[1]] = part[3]
            }
        }
        {
            if (!($1 in test))
                end = "NOT TRIED"
            else if (test[$1] != "-") {
                kind = test[$1]
                sub(/\/.*/, "", kind)
                by[kind]++
                found++
                end = "found by " test[$1] (more[$1] ? ", which hangs" : "")
            } else
                end = more[$1] ? "SURVIVED " more[$1] " tests that reach it" : "SURVIVED: no test reaches it"
            printf "%3d  %s:%d  %s: %s -> %s  | %s\n", $1, $2, $3, $6, $8, $9 == "" ? "nothing" : $9, end
        }
        END {
            text = ""
            for (kind in by) text = text (text ? ", " : "") by[kind] " by " kind
            printf "note: found %d of %d faults: %s\n", found, NR, text
            good = found * 10 >= NR * 9
            printf "mutants: %d passed, %d failed\n", found, good ? 0 : NR - found
            exit !good
        }' "$work/faults.txt"
}

# fail LINE: what ends before any fault is tried.
fail() { echo "$1"; echo 'mutants: 0 passed, 1 failed'; exit 1; }
# stale TEST REACHED: has the test changed since it was looked at?
stale() {
    case $1 in
    unit/*) [ "$tree/$build/tests/${1#unit/}" -nt "$2" ] ;;
    golden/*) find "$tree/tests/$(dirname "$1")" -newer "$2" | grep -q . ;;
    *) find "$tree/tests" \( -path '*/tests/unit' -o -path '*/tests/golden' \) -prune -o -type f -newer "$2" -print |
        grep -q . ;;
    esac
}

# shellcheck disable=SC2086
key="$seed $count $(find $folders data Makefile tests/mutants -type f | LC_ALL=C sort | xargs cksum | cksum)"
if [ ! -e "$work/faults.txt" ] || [ "$(cat "$work/key")" != "$key" ]; then
    draw || fail "mutants: no build with $count faults: build/mutants"
fi
rm -rf "$tree/tests"
cp -a tests "$tree/tests"
make -C "$tree" -j"$workers" programs >/dev/null || fail 'mutants: the tests do not build'
mkdir -p "$work/maps" "$work/logs" "$work/reached"
touch "$results"
list_tests >"$work/tests.txt"
while read -r test; do
    reached=$(file_of reached "$test")
    [ -e "$reached" ] && ! stale "$test" "$reached" && continue
    rm -f "$reached"
    printf '%s\0' "$test"
done <"$work/tests.txt" | xargs -0 -r -n 1 -P "$workers" bash -c 'look "$1"' _
while read -r test; do [ -e "$(file_of reached "$test")" ] || fail "mutants: $test did not pass without a fault"; done \
    <"$work/tests.txt"

sed -i '/ - /d' "$results" # tests may find now what they did not
awk 'FILENAME == ARGV[1] { done[$1]; next } !($1 in done) { print $1 }' "$results" "$work/faults.txt" | tr '\n' '\0' |
    xargs -0 -r -n 1 -P "$workers" bash -c 'try "$1"' _
table
