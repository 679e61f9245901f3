#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# in-container.sh RELEASE [--user] [--keep] [--quick | --package] [COMMAND...]: makes a bare Debian system (bookworm or trixie; 12
# or 13) with a fresh clone of HEAD in it, and runs the README's two commands there: build-aux/run, with a window, whose picture is
# saved, and without; then build-aux/test, or build-aux/test --quick. With COMMAND only that, in the clone.
#
# As it is, it is root with a network, in root's home, with LANG=C, and what is missing is installed by the commands. With
# --user it is an ordinary user without sudo and without a network, in a path with a space, with LANG=de_DE.UTF-8 and the
# debug symbols of the C library; what is missing is installed before. --keep leaves the system as it is then, and the next
# --keep goes on with it: what HEAD has changed since is brought into its clone.
#
# With --package it makes the Debian package there and checks it (check-package.sh), then installs it in another bare system, which
# has no compiler, and opens a profile with it: as text, and in a window, whose picture is saved. The packages stay in RELEASE-debs.
#
# Needs root, and what build-aux/packages.txt lists under [full]. Systems, logs and pictures are in PV_CONTAINERS (by default
# profview-containers in the user's cache folder). Packages come from where this machine has its own from.
set -euo pipefail
. "$(dirname "$0")/../../build-aux/lib.sh"
containers=${PV_CONTAINERS:-${XDG_CACHE_HOME:-$HOME/.cache}/profview-containers}
user=root
keep=false
extent=

fail() {
    say "in-container.sh: $*"
    exit 1
}

case ${1:-} in
12 | bookworm) release=bookworm ;;
13 | trixie) release=trixie ;;
*) fail "please name a release: bookworm or trixie" ;;
esac
shift
while [[ ${1:-} == --* ]]; do
    case $1 in
    --user) user=tester ;;
    --keep) keep=true ;;
    --quick) extent=--quick ;;
    --package) extent=--package ;;
    *) fail "there is no option $1" ;;
    esac
    shift
done
[ "$(id -u)" -eq 0 ] || fail "only root can make a system"

name=$release-$user
base=$containers/$release
root=$containers/$name
picture=$root.png
[ "$extent" != --package ] || picture=$root-package.png
packages=$containers/$release-packages
home=/root
checkout=$home/profview
language=C
if [ "$user" != root ]; then
    home=/home/$user
    checkout="$home/my work/profview"
    language=de_DE.UTF-8
fi
corpus=${PV_CORPUS:-$source_dir/../shared/corpus}
mkdir -p "$containers" "$packages/partial"
exec 9>"$root.lock"
flock -w 30 9 || fail "$root is in use"

# The base is as debootstrap makes it; nothing is ever changed in it.
make_base() {
    [ ! -d "$base" ] || return 0
    local mirror http_proxy=
    mirror=$(apt-get indextargets --format '$(SITE) $(LABEL) $(COMPONENT)' 'Created-By: Packages' |
        awk '$2 == "Debian" && $3 == "main" { print $1; exit }')
    [ -n "$mirror" ] || fail "apt knows no source of Debian's packages on this machine"
    eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
    say "Making a bare $release (output in $base.log)."
    rm -rf --one-file-system "$base.new"
    http_proxy=$http_proxy debootstrap --variant=minbase "$release" "$base.new" "$mirror" >"$base.log" 2>&1 || {
        tail -n 20 "$base.log" >&2
        fail "debootstrap failed; the end of $base.log is above"
    }
    mv "$base.new" "$base"
}

# in_namespaces NETWORK USER COMMAND...: the part of `enter` that runs as the first process of its own process ids and mounts.
in_namespaces() {
    local network=$1 user=$2 device status=0
    shift 2
    [ "$network" = yes ] || ip link set lo up
    mount -t proc proc "$root/proc"
    mount --bind /sys "$root/sys"
    mount -o remount,bind,ro "$root/sys"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    for device in null zero full random urandom tty; do
        touch "$root/dev/$device"
        mount --bind "/dev/$device" "$root/dev/$device"
    done
    mkdir -p "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    ln -s /proc/self/fd/0 "$root/dev/stdin"
    ln -s /proc/self/fd/1 "$root/dev/stdout"
    ln -s /proc/self/fd/2 "$root/dev/stderr"
    # As a system makes it that is started: users have displays of their own, too.
    install -d -m 1777 "$root/tmp/.X11-unix"
    # The display of show_window; those that tests make are their own.
    if [ -n "${PV_SESSION_DIR:-}" ]; then
        mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
    fi
    mount --bind "$packages" "$root/var/cache/apt/archives"
    [ ! -d "$corpus" ] || mount --bind -o ro "$corpus" "$root$checkout/../shared/corpus"
    chroot --userspec="$user:$user" "$root" /usr/bin/env -i HOME="$home" USER="$user" LANG="$language" TERM="${TERM:-dumb}" \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ${PV_SESSION_DIR:+DISPLAY="$DISPLAY"} ${CI:+CI="$CI"} \
        bash -c 'cd "$1" && shift && exec "$@"' - "$checkout" "$@" || status=$?
    return "$status"
}

# enter NETWORK USER COMMAND...: runs COMMAND in the system. All it started and mounted is gone with it, or with us.
enter() {
    local unshared=(--mount --pid --fork --kill-child) status=0 child
    [ "$1" = yes ] || unshared+=(--net)
    unshare "${unshared[@]}" bash -euc 'in_namespaces "$@"' - "$@" <&0 9>&- &
    child=$!
    echo "$child" >"$root.pid"
    wait "$child" || status=$?
    rm -f "$root.pid"
    return "$status"
}

# enter_as_tested COMMAND...
enter_as_tested() {
    local network=yes
    [ "$user" = root ] || network=no
    enter "$network" "$user" "$@"
}

make_system() {
    [ ! -d "$root" ] || "$keep" || rm -rf --one-file-system "$root"
    [ ! -d "$root" ] || return 0
    rm -rf --one-file-system "$root.new"
    cp -a --reflink=auto "$base" "$root.new"
    cp -L /etc/resolv.conf "$root.new/etc/resolv.conf"
    # It starts no service, and need not outlive a power failure.
    echo force-unsafe-io >"$root.new/etc/dpkg/dpkg.cfg.d/unsafe-io"
    printf '#!/bin/sh\nexit 101\n' >"$root.new/usr/sbin/policy-rc.d"
    chmod +x "$root.new/usr/sbin/policy-rc.d"
    apt-config dump | grep -i '::proxy ' >"$root.new/etc/apt/apt.conf.d/90proxy" || true
    [ "$user" = root ] || chroot "$root.new" useradd -m -s /bin/bash "$user"
    mkdir -p "$root.new$checkout/../shared/corpus"
    mv "$root.new" "$root"
}

# Brings HEAD into the system's clone, which is made if there is none.
update_clone() {
    local clone=$root$checkout
    # The clone may be another user's, and so may the checkout.
    printf '[safe]\n\tdirectory = *\n[init]\n\tdefaultBranch = main\n' >"$root.git"
    export GIT_CONFIG_GLOBAL=$root.git
    git init -q "$clone"
    git -C "$clone" fetch -q --depth=1 "file://$source_dir" "$(git -C "$source_dir" rev-parse HEAD)"
    # Files whose owner was set look changed to git, and it would write all of them again, so that all is built again.
    git -C "$clone" update-index -q --refresh || true
    git -C "$clone" reset -q --hard FETCH_HEAD
    chroot "$root" chown -R "$user:" "$home"
    [ -d "$corpus" ] || rmdir "$clone/../shared/corpus" "$clone/../shared" 2>/dev/null || true
}

# What an ordinary user cannot do.
prepare_for_user() {
    enter yes root bash -euc '. build-aux/lib.sh
        install_missing build test
        dpkg-query -W libc6-dbg >/dev/null 2>&1 || DEBIAN_FRONTEND=noninteractive apt-get -q install -y libc6-dbg >/dev/null
        localedef -i de_DE -f UTF-8 de_DE.UTF-8'
    chroot "$root" chown -R "$user:" "$home"
}

# show_window COMMAND...: runs COMMAND in a session of its own, until its window shows something; its picture is saved.
show_window() {
    local status=0 shown=false id
    xprop -root -remove AT_SPI_BUS # of this session, which cannot be reached from in there
    enter_as_tested "$@" &
    id=$!
    while kill -0 "$id" 2>/dev/null; do
        sleep 1
        xdotool search --onlyvisible --class profview >/dev/null 2>&1 || continue
        import -window root "$picture"
        # Text in grey has a hundred colors; the boxes of the flame graph bring the others.
        [ "$(identify -format %k "$picture")" -gt 1000 ] || continue
        shown=true
        xdotool key ctrl+q
        break
    done
    wait "$id" || status=$?
    "$shown" || { say "$1 ended without a window (status $status)."; return 1; }
    say "The window's picture is $picture"
    return "$status"
}

export root picture packages corpus home checkout language user
export -f say in_namespaces enter enter_as_tested show_window

finish() {
    if [ -s "$root.pid" ]; then
        kill -KILL "$(cat "$root.pid")" 2>/dev/null && sleep 1 || true
    fi
    rm -f "$root.git" "$root.pid"
    if [ -d "$root$checkout" ]; then
        rm -rf "$root-logs"
        mkdir -p "$root-logs"
        (cd "$root$checkout" && find . -maxdepth 4 -type f \( -name '_build*.log' -o -path './_build*/meson-logs/*' \) \
            -exec cp --parents -t "$root-logs" {} +) || true
    fi
    "$keep" || rm -rf --one-file-system "$root" "$root.new"
}

# The packages of the system that made them, installed in one that has nothing but them.
check_package() {
    local debs=$containers/$release-debs
    say "== build-aux/package"
    enter_as_tested tests/install/check-package.sh build
    rm -rf "$debs"
    cp -r "$root$checkout/_build-packages" "$debs"
    keep=false
    make_system
    update_clone
    cp -r "$debs" "$root$checkout/_build-packages"
    say "== the package in a system without a compiler"
    enter_as_tested tests/install/check-package.sh install
    "$source_dir/tests/ui/session.sh" bash -euc 'show_window "$@"' - profview --sysroot=tests/data/sysroot \
        --symbol-path=tests/data/buildid-cache tests/data/recordings/inlining-fp.data
}

trap finish EXIT
make_base
make_system
update_clone
[ "$user" = root ] || prepare_for_user
if [ $# -gt 0 ]; then
    enter_as_tested "$@"
    exit
fi
if [ "$extent" = --package ]; then
    check_package
    exit
fi
say "== build-aux/run with a display"
"$source_dir/tests/ui/session.sh" bash -euc 'show_window build-aux/run'
say "== build-aux/run without a display"
enter_as_tested build-aux/run
say "== build-aux/test"
enter_as_tested build-aux/test $extent
