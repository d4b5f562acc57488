#!/usr/bin/env bash
# Installs the missing ones of the named Debian packages. Elsewhere, prints the names.
# usage: install_packages.sh PACKAGE...
set -u
if ! command -v dpkg-query >/dev/null; then
    echo "Not a Debian system; install what these Debian packages contain: $*" >&2
    exit 0
fi
missing=()
for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Please install, as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "Installing ${missing[*]}" >&2
install() {
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
}
# A fresh machine has no list of packages, or an old one.
install || { "${as_root[@]}" apt-get update -q >&2 && install; }
