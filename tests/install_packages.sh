#!/usr/bin/env bash
# Installs those of the named Debian packages that are missing; elsewhere says what to install.
# usage: install_packages.sh PACKAGE...
set -u
if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian system; the names of what to install are, there: $*" >&2
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
# A fresh machine has no list of packages yet, or an old one.
install || { "${as_root[@]}" apt-get update -q >&2 && install; }
