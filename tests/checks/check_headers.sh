#!/usr/bin/env bash
# Each header compiles by itself and can be included twice.  usage: CC=gcc check_headers.sh FLAGS...
set -u
cd "$(dirname "$0")/../.." || exit 1
flags="$*"
export flags CC="${CC:-gcc}"
one() {
    local before=
    # Helpers of unit tests stand behind cmocka, whose header wants these in front.
    [[ $1 != tests/unit/* ]] || before=$(printf '#include <%s.h>\n' stdarg stddef setjmp stdint cmocka)
    # shellcheck disable=SC2086
    printf '%s\n#include "%s"\n#include "%s"\n' "$before" "$1" "$1" |
        $CC $flags -Icollect/cuda -Wno-unused -fsyntax-only -x c - && echo ok || echo "no: $1"
}
export -f one
# device.h is for device code, which only clang's CUDA mode takes.
find base collect metrics pca cluster plots model record library cli data bench tests -name '*.h' ! -name device.h \
    -print0 2>/dev/null | sort -z |
    xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _ 2>&1 |
    awk '$0 == "ok" { p++; next } /^no: / { f++ } { print }
        END { printf "headers: %d passed, %d failed\n", p, f; exit f > 0 || p == 0 }'
