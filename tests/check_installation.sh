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
# Folders whose names mean something to the loader, to a shell, to printf or to SQLite: what is installed may be moved there.
cp build/release/programs/app build/release/tests/cuda/vectors-12 "$root/"
printf '#!/bin/sh\ngrep -q libwarpscape-preload /proc/self/maps && sh -c "sh -c \047%s work 1 1\047"\n' "$root/app" >"$root/script"
chmod +x "$root/script"
odd=('with blank' 'a:b' 'a;b' "it's" 'a"b' 'a$ORIGIN/b${LIB}' '50%s' 'schön-日本' 'a\b' '#hash?x=1&y' "$(printf 'long%.0s' {1..60})/$(printf 'long%.0s' {1..60})")
works() { # works PREFIX: a dynamic program by LD_LIBRARY_PATH, one with an old run path, programs of a script, workloads
    local w=$1/bin/warpscape db=$1/x.db
    [ ${#db} -lt 400 ] || db=$root/x.db
    (cd "$1" && "$w" run --db "$db" "$root/app" work 2 1 && "$w" run --db "$db" "$root/vectors-12" &&
        "$w" run --db "$db" --name script "$root/script" && "$w" suite run --scale tiny --db "$db" MM &&
        [ "$("$w" launches --db "$db" | cut -d, -f1 | sort -u | wc -l)" = 5 ] && "$w" sim --suite MM --scale tiny >/dev/null)
}
for name in "${odd[@]}"; do
    mkdir -p "$root/odd/$name" && mv "$prefix" "$root/odd/$name/usr"
    check "an installation in a folder named ${name:0:40}" works "$root/odd/$name/usr"
    rm -f "$root/odd/$name/usr"/x.db* "$root"/x.db*
    mv "$root/odd/$name/usr" "$prefix"
done
check 'make uninstall' "${make[@]}" uninstall
check 'nothing is left' nothing_left
strange="$root/a b;c:d\$ORIGIN%s é"
check 'make install into a folder with an odd name' make -s --no-print-directory "PREFIX=${strange//\$/\$\$}" install
check 'it works there' works "$strange"
check 'make uninstall there' make -s --no-print-directory "PREFIX=${strange//\$/\$\$}" uninstall
refused() { ! make -s --no-print-directory "PREFIX=$1" install 2>&1 | grep -v 'no quotes and backslashes' && [ ! -e "$1" ]; }
check 'a folder with a quote is refused' refused "$root/it's"
check 'make install with DESTDIR' make -s --no-print-directory DESTDIR="$root/stage" PREFIX=/usr install
check 'DESTDIR is in front of everything' test -x "$root/stage/usr/bin/warpscape"
echo "installation: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
