#!/usr/bin/env bash
# Does what `make install` puts elsewhere work there, and does `make uninstall` take all of it away again?
# usage: check_installation.sh
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
prefix=$root/usr
# shellcheck source=tests/runners/counting.sh
. tests/runners/counting.sh
make=(make -s --no-print-directory "PREFIX=$prefix")
nothing_left() { [ -z "$(find "$prefix" -type f -o -type l)" ]; }
resolved() { ! ldd "$1" | grep -q 'not found'; }
names_library() { [ -e "$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --variable=cudadir "$1")/libcuda.so.1" ]; }
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
flags() { pkg-config "$@" warpscape | xargs -n 1 printf '%s\n'; } # an argument a line
# The example of the C library, against what is installed: NAME STANDARD COMPILER LINKING...
builds() {
    local name=$1 standard=$2 cc=$3 cflags
    shift 3
    mapfile -t cflags < <(flags --cflags)
    $cc -std="$standard" -Wall -Wextra -Werror -pedantic "${cflags[@]}" -o "$root/$name" \
        "$prefix/share/doc/warpscape/docs/examples/least_efficient.c" "$@"
}
finds_least() { # finds_least NAME: prints what the page says
    (cd "$root" && LD_LIBRARY_PATH=$prefix/lib "./$1" "$prefix/share/doc/warpscape/docs/examples/scale.ptx" \
        results.db) >"$root/said" &&
        grep -qx 'x\[10\] = 30' "$root/said" && grep -qx "scale: 0.992 of a warp's lanes" "$root/said"
}
api_only() {
    [ -z "$(nm --defined-only --extern-only "$@" | awk 'NF == 3 && $3 !~ /^warpscape_/ && $3 != "WARPSCAPE_0"')" ]
}
links_are_whole() { # relative links of the pages to pages, figures and examples; sources stay where they are
    (cd "$1" && grep -oE '\]\([^):#]+' -r --include='*.md' . | sed 's/](//' | grep -E '\.(md|svg|png|c|ptx)$' |
        while IFS=: read -r page link; do
        [ -e "$(dirname "$page")/$link" ] || { echo "$page: $link"; false; } || exit 1
    done)
}

check 'make install' "${make[@]}" install
check 'the program says its version' "$prefix/bin/warpscape" --version
check 'a workload runs from there' env -C "$root" "$prefix/bin/warpscape" suite run --scale tiny \
    --db "$root/results.db" MM
check 'its results are there' env -C "$root" "$prefix/bin/warpscape" metrics --db "$root/results.db"
check 'a program of one'\''s own runs with the libraries there' \
    env -C "$root" "$prefix/bin/warpscape" run --db "$root/own.db" "$prefix/libexec/warpscape/workloads/MM" --scale tiny
check 'its launches are listed' env -C "$root" "$prefix/bin/warpscape" launches --db "$root/own.db"
check 'the main page is there' test -e "$prefix/share/man/man1/warpscape.1"
check 'the configurations are there' test -e "$prefix/share/warpscape/configs/gtsc.ini"
check 'the memory parts are there' test -e "$prefix/share/warpscape/tech/dram_gddr5_gtx480.ini"
check 'bash takes the completion' bash -n "$prefix/share/bash-completion/completions/warpscape"
check 'no library is missing' resolved "$prefix/lib/warpscape/libcuda.so.1"
check 'bash, zsh and fish have a completion' test -s "$prefix/share/zsh/site-functions/_warpscape" \
    -a -s "$prefix/share/fish/vendor_completions.d/warpscape.fish"
check 'the readers are there' test -e "$prefix/share/warpscape/readers/R/warpscape/DESCRIPTION" \
    -a -e "$prefix/share/warpscape/readers/python/warpscape.py"
check 'the pages are there, and find one another' links_are_whole "$prefix/share/doc/warpscape"
check 'the shared library has its own functions alone' api_only -D "$prefix/lib/libwarpscape.so"
check 'so has the static one' api_only "$prefix/lib/libwarpscape.a"
if command -v pkg-config >/dev/null; then
    check 'pkg-config finds the driver library' names_library warpscape-cuda
    mapfile -t shared < <(flags --libs)
    mapfile -t static < <(flags --static --libs | sed 's/^-lwarpscape$/-l:libwarpscape.a/')
    check 'an example links with the shared library' builds shared c11 "${CC:-gcc}" "${shared[@]}"
    check 'it measures, reads and compares' finds_least shared
    check 'it links with the static library' builds static c17 "${CC:-gcc}" "${static[@]}"
    check 'it does the same' finds_least static
fi
# Folders whose names mean something to the loader, to a shell, to printf or to SQLite: what is installed may be moved
# there.
cp build/release/programs/app build/release/tests/cuda/vectors-12 "$root/"
printf '#!/bin/sh\ngrep -q libwarpscape-preload /proc/self/maps && sh -c "sh -c \047%s work 1 1\047"\n' "$root/app" \
    >"$root/script"
chmod +x "$root/script"
odd=('with blank' 'a:b' 'a;b' "it's" 'a"b' 'a$ORIGIN/b${LIB}' '50%s' 'schön-日本' 'a\b' '#hash?x=1&y' \
    "$(printf 'long%.0s' {1..60})/$(printf 'long%.0s' {1..60})")
# works PREFIX: a dynamic program by LD_LIBRARY_PATH, one with an old run path, programs of a script, workloads
works() {
    local w=$1/bin/warpscape db=$1/x.db
    [ ${#db} -lt 400 ] || db=$root/x.db
    (cd "$1" && "$w" run --db "$db" "$root/app" work 2 1 && "$w" run --db "$db" "$root/vectors-12" &&
        "$w" run --db "$db" --name script "$root/script" && "$w" suite run --scale tiny --db "$db" MM &&
        [ "$("$w" launches --db "$db" | cut -d, -f1 | sort -u | wc -l)" = 5 ] &&
            "$w" sim --suite MM --scale tiny >/dev/null)
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
refused() {
    ! make -s --no-print-directory "PREFIX=$1" install 2>&1 | grep -v 'no quotes and backslashes' && [ ! -e "$1" ]
}
check 'a folder with a quote is refused' refused "$root/it's"
check 'make install with DESTDIR' make -s --no-print-directory DESTDIR="$root/stage" PREFIX=/usr install
check 'DESTDIR is in front of everything' test -x "$root/stage/usr/bin/warpscape"
echo "installation: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
