#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check-package.sh build: makes the Debian packages twice, in two folders, and asks lintian and autopkgtest what they make of them.
# check-package.sh install: installs what `build` made, and opens a profile with it. in-container.sh --package runs both in bare
# systems. Its lines of figures begin with "check-package:".
set -euo pipefail
cd "$(dirname "$0")/../.."
. build-aux/lib.sh
packages=_build-packages
first=$SECONDS

fail() {
    say "check-package: $*"
    exit 1
}

tell() {
    echo "check-package: $* ($((SECONDS - first)) s)"
    first=$SECONDS
}

build() {
    local file
    install_missing package
    rm -rf "$packages" _build-again
    build-aux/package "$packages"
    tell "built: $(cd "$packages" && stat -c '%n %s' -- *.deb | tr '\n' ' ')"
    # Elsewhere, by another clock, and for another user.
    (umask 077 && TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 USER=someone build-aux/package _build-again/deeper)
    for file in "$packages"/*.deb; do
        cmp "$file" "_build-again/deeper/${file##*/}" || fail "${file##*/} is another one if it is built again"
    done
    rm -rf _build-again
    tell "equal when built again"
    compgen -G "$packages/profview-dbgsym_*.deb" >/dev/null || fail "no debug symbols"
    install_missing check
    # Debian 12's lintian does not know the policy of Debian 13.
    lintian --allow-root --suppress-tags newer-standards-version --fail-on error,warning --info "$packages"/*.changes
    tell "nothing for lintian"
    autopkgtest "$packages"/profview_*.deb "$packages"/profview_*.dsc -- null
    tell "autopkgtest"
}

install() {
    local before text
    installed() { dpkg-query -W -f '${Installed-Size}\n' | awk '{ sum += $1 } END { print sum }'; }
    ! command -v cc >/dev/null || fail "this system has a compiler, which users may not have"
    apt-get -q update
    before=$(installed)
    DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends ./"$packages"/profview_*.deb
    tell "installed with what it needs: $((($(installed) - before) / 1024)) MiB, of which itself" \
        "$(dpkg-query -W -f '${Installed-Size}' profview) KiB"
    [ "$(profview --version)" = "profview $(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)" ] || fail "another version"
    text=$(profview --print=top --sysroot=tests/data/sysroot --symbol-path=tests/data/buildid-cache \
        tests/data/recordings/inlining-fp.data)
    [[ $text == *"geometry::Refine<6>::apply"* ]] || fail "no names: $text"
    profview --print=findings tests/data/recordings/inlining-fp.data >/dev/null
    install_missing check
    [[ $(LC_ALL=C.UTF-8 man profview) == *"see where a program spends"* ]] || fail "no manual page"
    for text in doc/profview/help/C.html help/C/profview/index.page metainfo/org.profview.Profview.metainfo.xml; do
        [ -s "/usr/share/$text" ] || fail "no $text"
    done
    zgrep -q '^Version' /usr/share/doc/profview/NEWS* || fail "no NEWS"
    tell "works"
}

case ${1:-} in
build | install) "$1" ;;
*) fail "please say build or install" ;;
esac
