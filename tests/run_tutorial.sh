#!/usr/bin/env bash
# Does a page of commands, the tutorial or the gallery, tell the truth? Runs each command of its console blocks (lines that begin with "$ ") in an empty folder
# and compares what it prints on standard output with the lines below it. --rewrite puts in what came out instead, pictures too.
# usage: run_tutorial.sh [--rewrite] PROGRAM [DOCUMENT [FILE...]]    (build/release/warpscape docs/tutorial.md)
#   FILE   is put into the folder first
set -u
rewrite=no
[ "${1:-}" = --rewrite ] && rewrite=yes && shift
program=$(realpath "${1:?program}") document=$(realpath "${2:-docs/tutorial.md}")
page=$(basename "$document" .md)
shift $(($# < 2 ? $# : 2))
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin" "$dir/work"
ln -s "$program" "$dir/bin/warpscape"
for file in "$@"; do
    cp "$file" "$dir/work/" || exit 1
done
export PATH="$dir/bin:$PATH" LC_ALL=C

# The document again, with the output of each command as it is now.
(
    cd "$dir/work" || exit 1
    in_block=no skipping=no
    while IFS= read -r line; do
        if [ "$line" = '```console' ]; then
            in_block=yes
        elif [ "$line" = '```' ]; then
            in_block=no skipping=no
        elif [ $in_block = yes ] && [ "${line:0:2}" = '$ ' ]; then
            printf '%s\n' "$line"
            bash -c "${line:2}" 2>>"$dir/talk" </dev/null
            status=$?
            echo "${line:2}" >>"$dir/commands"
            [ $status -eq 0 ] || echo "exit status $status: ${line:2}: $(tail -n 1 "$dir/talk")" >>"$dir/failed"
            skipping=yes
            continue
        fi
        [ $skipping = yes ] || printf '%s\n' "$line"
    done <"$document"
) >"$dir/fresh.md"

if [ $rewrite = yes ]; then
    cp "$dir/fresh.md" "$document"
    # Pictures: img/PAGE-NAME.svg is the NAME.svg that a command drew.
    for picture in $(grep -o "img/$page-[a-z]*\.svg" "$document"); do
        cp "$dir/work/${picture#"img/$page-"}" "$(dirname "$document")/$picture" || exit 1
    done
fi
commands=$(wc -l <"$dir/commands") failed=0
if [ -s "$dir/failed" ]; then
    cat "$dir/failed"
    failed=$(wc -l <"$dir/failed")
fi
if ! diff -u "$document" "$dir/fresh.md"; then
    failed=$((failed + 1))
fi
echo "$page: $((commands - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
