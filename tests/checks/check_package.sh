#!/usr/bin/env bash
# Does debian/ make packages that lintian finds nothing wrong with, in a root of Debian that has what debian/control
# names and no more? Do they install in one that has nothing, and does what they installed work (debian/tests/smoke)?
# Where roots cannot be made the packages are built here, and that is said.
# usage: check_package.sh [SUITE]   (bookworm)
set -u
cd "$(dirname "$0")/../.." || exit 1
suite=${1:-bookworm}
# shellcheck source=tests/runners/counting.sh
. tests/runners/counting.sh
work=$(mktemp -d /var/tmp/warpscape-package-XXXXXX)
trap 'rm -rf --one-file-system "$work"' EXIT
jobs=${JOBS:-$(nproc)}
finish() {
    echo "package: $passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}
within() { # within ROOT COMMAND...: as root of that tree, with /proc, without which $ORIGIN means nothing to the loader
    local root=$1
    shift
    env -i PATH="${FAST:+/usr/lib/ccache:}/usr/sbin:/usr/bin:/sbin:/bin" HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive CCACHE_DIR=/ccache \
        DEB_BUILD_OPTIONS="nocheck parallel=$jobs" \
        unshare --mount --propagation private sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" "$@"
}
sources() { mkdir -p "$1" && git ls-files -z | tar --null -T - -c | tar -x -C "$1"; }
# The archive of the last commit has each of its files, and the same bytes when it is made again.
archives() {
    local file again
    file=$(make -s dist 2>/dev/null) && again=$(sha256sum "$file") && sleep 1 && make -s dist >/dev/null 2>&1 &&
        [ "$again" = "$(sha256sum "$file")" ] &&
        diff <(git ls-tree -r --name-only HEAD | sort) <(tar -tzf "$file" | sed -nE 's|^[^/]*/(.*[^/])$|\1|p' | sort)
}
# The Makefile's version stands in two more files that other tools read.
one_version() {
    local version
    version=$(sed -n 's/^VERSION := //p' Makefile)
    grep -qx "version: $version" CITATION.cff && head -n 1 debian/changelog | grep -qF "($version)"
}
needed() {
    awk '
        /^[A-Z]/ { on = 0 }
        sub(/^Build-Depends:/, "") { on = 1 }
        on { sub(/\(.*\)/, ""); gsub(/[ ,]/, ""); print $0 == "debhelper-compat" ? "debhelper" : $0 }' debian/control
}
lints() { lintian --fail-on error,warning --tag-display-limit 0 "$work"/out/*.changes; }
collect() { mkdir -p "$work/out" && mv "$1"/*.deb "$1"/*.changes "$1"/*.buildinfo "$work/out/"; }

make_root() {
    mmdebstrap --quiet --variant=minbase "$suite" "$work/base" && cp /etc/resolv.conf /etc/hosts "$work/base/etc/" &&
        cp -a "$work/base" "$work/build"
}
builds() {
    local packages
    mapfile -t packages < <(needed)
    within "$work/build" apt-get update -q && within "$work/build" apt-get install \
        -y -q --no-install-recommends build-essential ccache "${packages[@]}" &&
        mkdir -p "$work/build/ccache" && { [ ! -d "$cache" ] || cp -a "$cache/." "$work/build/ccache/"; } &&
        sources "$work/build/src/warpscape" && FAST=1 within "$work/build" sh \
            -c 'cd /src/warpscape && dpkg-buildpackage -us -uc -b' &&
        mkdir -p "$cache" && cp -a "$work/build/ccache/." "$cache/" && collect "$work/build/src"
}
# Only what the packages depend on comes with them.
installs() {
    mkdir "$work/base/debs" && cp "$work"/out/*.deb "$work/base/debs/" &&
        within "$work/base" sh \
            -c 'apt-get update -q && apt-get install -y -q --no-install-recommends /debs/warpscape_*.deb /debs/libwarpscape0_*.deb && cd /tmp && warpscape suite run --scale tiny MM && warpscape metrics >/dev/null'
}
smokes() { # where there is a compiler
    mkdir "$work/build/debs" && cp "$work"/out/*.deb "$work/build/debs/" && cp debian/tests/smoke "$work/build/debs/" &&
        within "$work/build" sh \
            -c 'apt-get install -y -q --no-install-recommends pkg-config sqlite3 /debs/libwarpscape*.deb /debs/warpscape_*.deb && /debs/smoke'
}
removes() {
    within "$work/base" sh -c 'apt-get purge -y -q warpscape libwarpscape0 &&
        ! find / -xdev -path /proc -prune -o -name "*warpscape*" ! -path "/debs*" ! -path "/tmp/*" ! -path "/var/*" \
            ! -path "/root/*" -print | grep .'
}
builds_here() {
    sources "$work/src/warpscape" && (cd "$work/src/warpscape" && DEB_BUILD_OPTIONS="nocheck parallel=$jobs" \
        dpkg-buildpackage -us -uc -b -d) && collect "$work/src"
}

check 'CITATION.cff and debian/changelog have the version of the Makefile' one_version
check 'make dist is reproducible and has every file' archives
cache=$HOME/.cache/warpscape-package # what was compiled for the package, for the next time
if [ "$(id -u)" = 0 ] && command -v mmdebstrap >/dev/null && make_root >"$work/log" 2>&1; then
    check "the packages build in a new $suite" builds || finish
    check 'they install in another one, and measure' installs
    check 'what is installed passes debian/tests/smoke' smokes
    check 'they leave nothing behind' removes
elif command -v dpkg-buildpackage >/dev/null; then
    echo "note: no root of $suite can be made here (root and mmdebstrap are needed): built on this system, not" \
        "installed"
    check 'the packages build' builds_here || finish
else
    echo 'left out: no Debian system'
    finish
fi
! command -v lintian >/dev/null || check 'lintian has nothing to say' lints
finish
