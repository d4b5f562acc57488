#!/usr/bin/env bash
# Each header compiles by itself and can be included twice.  usage: CC=gcc check_headers.sh FLAGS...
set -u
cd "$(dirname "$0")/.." || exit 1
flags="$*"
export flags CC="${CC:-gcc}"
one() {
    # shellcheck disable=SC2086
    printf '#include "%s"\n#include "%s"\n' "$1" "$1" | $CC $flags -Icollect/cuda -Wno-unused -fsyntax-only -x c - && echo ok || echo "no: $1"
}
export -f one
find base collect metrics pca cluster plots model cli data bench tests -name '*.h' -print0 2>/dev/null | sort -z |
    xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _ 2>&1 |
    awk '$0 == "ok" { p++; next } /^no: / { f++ } { print }
        END { printf "headers: %d passed, %d failed\n", p, f; exit f > 0 || p == 0 }'
