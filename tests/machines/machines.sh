#!/usr/bin/env bash
# The pages of the machines, docs/machines: what small kernels measure of each (`warpscape sim --microbench`), beside
# what is published of its card.
#     tests/machines/machines.sh PROGRAM --rewrite            writes them
#     tests/machines/machines.sh PROGRAM [GROUP,...]          does each of data/configs have a page that says what the
#         program says, and does no unit of it exceed its card's peak? Of these groups of microbenchmarks alone, or of
#         all.
# A measured throughput may be 2 % above the peak: the long text and the short one do not end alike.
# Last line: `machines: N passed, M failed`.
set -u -o pipefail
export LC_ALL=C
program=$(realpath "${1:?program}")
groups=${2:-}
cd "$(dirname "$0")/../.." || exit 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

fail() { echo "machines: $*"; failed=$((failed + 1)); }

# page NAME FRAME: the page of a machine, from what was measured of it.
page() {
    echo "# $1"
    echo
    sed -n '1,/^[^#]/s/^# \?//p' "data/configs/$1.ini" | sed '/^Sources\?:/,$d'
    echo
    echo "All sizes, times and their sources: [data/configs/$1.ini](../../data/configs/$1.ini). The tables are what" \
        "\`warpscape sim --microbench --config $1\`"
    echo "prints ([how it measures](../simulator-measured.md#small-kernels-that-measure-a-machine)); a published throughput is" \
        "the most that the card can do."
    awk -f tests/machines/machines.awk "$2"
}

# first NAME: the first sentence of its file.
first() { sed -n '1,/^[^#]/s/^# \?//p' "data/configs/$1.ini" | tr '\n' ' ' | sed 's/\([A-Za-z0-9)"]\)[.:] .*/\1/'; }

index() {
    echo "# Machines"
    echo
    echo "What \`--config\` knows, each with its latencies and throughputs as small kernels measure them (\`warpscape" \
        "sim --microbench\`)."
    echo
    echo "| Machine | |"
    echo "|---|---|"
    for file in data/configs/*.ini; do
        name=$(basename "$file" .ini)
        echo "| [$name]($name.md) | $(first "$name") |"
    done
}

# sections FILE: of a page those of the groups wanted, without the numbers of sources.
sections() {
    awk -v groups="$groups" '
        /^## / { wanted = groups == "" || index("," groups ",", "," tolower(substr($0, 4)) ",") }
        wanted && NF' "$1" | sed 's/ \[[0-9]*\] |/ |/'
}

above_peak() {
    grep -v '^#' "$1" | awk -F, 'NR > 1 && /,throughput,/ && $NF != "NA" && $NF > 1.02'
}

for file in data/configs/*.ini; do
    name=$(basename "$file" .ini)
    wanted=$groups
    [ "$groups" = --rewrite ] && wanted=
    if ! WARPSCAPE_DATA=data "$program" sim --microbench${wanted:+=$wanted} --config "$name" >"$dir/frame" \
        2>"$dir/log"; then
        fail "$name: $(cat "$dir/log")"
        continue
    fi
    page "$name" "$dir/frame" >"$dir/page"
    if [ "$groups" = --rewrite ]; then
        mkdir -p docs/machines && cp "$dir/page" "docs/machines/$name.md"
    elif [ ! -f "docs/machines/$name.md" ]; then
        fail "$name has no page; write it: tests/machines/machines.sh PROGRAM --rewrite"
        continue
    elif ! diff <(sections "docs/machines/$name.md") <(sections "$dir/page") >"$dir/diff"; then
        fail "docs/machines/$name.md is not what the program says (tests/machines/machines.sh PROGRAM --rewrite):"
        head -n 10 "$dir/diff"
        continue
    fi
    above_peak "$dir/frame" >"$dir/above"
    if [ -s "$dir/above" ]; then
        fail "$name exceeds its card:"
        cat "$dir/above"
    else
        passed=$((passed + 1))
    fi
done
index >"$dir/index"
if [ "$groups" = --rewrite ]; then
    cp "$dir/index" docs/machines/README.md
elif ! diff docs/machines/README.md "$dir/index"; then
    fail "docs/machines/README.md does not list data/configs (tests/machines/machines.sh PROGRAM --rewrite)"
fi
for file in docs/machines/*.md; do
    [ -f "data/configs/$(basename "$file" .md).ini" ] || [ "$file" = docs/machines/README.md ] ||
        fail "$file: there is no such machine"
done
echo "machines: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
