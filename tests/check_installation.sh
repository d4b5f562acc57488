#!/usr/bin/env bash
# Does what `make install` puts elsewhere work there, and does `make uninstall` take all of it away again?
# usage: check_installation.sh
set -u
cd "$(dirname "$0")/.." || exit 1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
prefix=$root/usr passed=0 failed=0
check() { # check WHAT COMMAND...
    local what=$1
    shift
    if "$@" >"$root/log" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "wrong: $what"; cat "$root/log"; fi
}
make=(make -s --no-print-directory "PREFIX=$prefix")
nothing_left() { [ -z "$(find "$prefix" -type f -o -type l)" ]; }
resolved() { ! ldd "$1" | grep -q 'not found'; }
names_library() { [ -e "$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --variable=cudadir warpscape)/libcuda.so.1" ]; }

check 'make install' "${make[@]}" install
check 'the program says its version' "$prefix/bin/warpscape" --version
check 'a workload runs from there' env -C "$root" "$prefix/bin/warpscape" suite run --scale tiny --db "$root/results.db" MM
check 'its results are there' env -C "$root" "$prefix/bin/warpscape" metrics --db "$root/results.db"
check 'a program of one'\''s own runs with the libraries there' \
    env -C "$root" "$prefix/bin/warpscape" run --db "$root/own.db" "$prefix/libexec/warpscape/workloads/MM" --scale tiny
check 'its launches are listed' env -C "$root" "$prefix/bin/warpscape" launches --db "$root/own.db"
check 'the main page is there' test -e "$prefix/share/man/man1/warpscape.1"
check 'the configurations are there' test -e "$prefix/share/warpscape/configs/gtsc.ini"
check 'the memory parts are there' test -e "$prefix/share/warpscape/tech/dram_gddr5_gtx480.ini"
check 'bash takes the completion' bash -n "$prefix/share/bash-completion/completions/warpscape"
check 'no library is missing' resolved "$prefix/lib/warpscape/libcuda.so.1"
! command -v pkg-config >/dev/null || check 'pkg-config finds the driver library' names_library
check 'make uninstall' "${make[@]}" uninstall
check 'nothing is left' nothing_left
check 'make install with DESTDIR' make -s --no-print-directory DESTDIR="$root/stage" PREFIX=/usr install
check 'DESTDIR is in front of everything' test -x "$root/stage/usr/bin/warpscape"
echo "installation: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
