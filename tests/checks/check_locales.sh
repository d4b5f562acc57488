#!/usr/bin/env bash
# Does everything print and read the same bytes where people write a decimal comma (de_DE), and where i is no small I
# (tr_TR)? First what commands print, with the locale in the environment; then what programs of users do that enter it
# (setlocale), which our libraries run in: CUDA programs, unit tests, and commands of which the library alone makes the
# numbers.
# usage: check_locales.sh BUILD    (build/release)
set -u
build=$(realpath "${1:?folder of the build}")
cd "$(dirname "$0")/../.." || exit 1
if ! command -v localedef >/dev/null; then
    echo "note: localedef is not installed, nothing checked"
    echo "odd-locales: 0 passed, 0 failed"
    exit
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export LOCPATH=$dir/locales
# shellcheck source=tests/runners/counting.sh
. tests/runners/counting.sh
mkdir "$LOCPATH"

# wrapped LOCALE VARIABLES: a folder like the build's, whose program has the locale; prints its path
wrapped() {
    local at=$dir/$1${2:+-entered} file
    mkdir -p "$at"
    for file in "$build"/*; do ln -sfn "$file" "$at/"; done
    rm "$at/warpscape"
    printf '#!/bin/sh\nexport LC_ALL=%s LANGUAGE= %s\nexec %q "$@"\n' "$1" "${2:-}" "$build/warpscape" >"$at/warpscape"
    chmod +x "$at/warpscape"
    echo "$at/warpscape"
}

enter="LD_PRELOAD=$build/tests/slow/set_locale.so"
for name in de_DE tr_TR; do
    locale=$name.UTF-8
    if ! localedef -i $name -f UTF-8 "$LOCPATH/$locale" >"$dir/log" 2>&1; then
        cat "$dir/log"
        failed=$((failed + 1))
        continue
    fi
    count "commands, $locale" tests/runners/run_golden.sh "$(wrapped $locale)" agree claims cluster estimate evaluate exec \
        import metrics pca plot stability subset
    count "commands in $locale" tests/runners/run_golden.sh "$(wrapped $locale "$enter")" claims/idioms.sh \
        claims/judged.sh evaluate exec/printf.sh exec/binary.sh \
        exec/coverage.sh subset
    count "CUDA programs in $locale" env LC_ALL=$locale "$enter" tests/runners/run_cuda_programs.sh \
        --libraries "$build/lib" "$build/tests/cuda"
    count "unit tests in $locale" env LC_ALL=$locale "$enter" tests/runners/run_unit.sh unit \
        "$build"/tests/test_{text,frame,parser,fatbin,memory_checker,store,driver,modern_engine,variants,sampler}
done
echo "odd-locales: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
