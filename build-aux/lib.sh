# Shared by build-aux/run and build-aux/test; sourced, not executed.

aux_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_dir=$(dirname "$aux_dir")

say() {
    printf '%s\n' "$*" >&2
}

# packages_of SECTION...: the names listed under these headings of packages.txt.
packages_of() {
    awk -v wanted=" $* " '
        /^\[/ { section = substr($0, 2, index($0, "]") - 2); next }
        /^[^#]/ && NF && index(wanted, " " section " ") { print $1 }' "$aux_dir/packages.txt"
}

# install_missing SECTION...: apt is only asked when something is not there.
install_missing() {
    local missing=() sudo=() name
    if ! command -v dpkg-query >/dev/null; then
        say "Not a Debian system: please install what build-aux/packages.txt lists, under your system's names."
        return 0
    fi
    for name in $(packages_of "$@"); do
        dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed ||
            missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    say "Installing: ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        sudo=(sudo)
        command -v sudo >/dev/null || { say "Only root can install packages, and there is no sudo."; return 1; }
    fi
    # A package list from the image may do; only an outdated or empty one needs the update.
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -q --no-install-recommends \
        "${missing[@]}" </dev/null >&2 && return 0
    "${sudo[@]}" apt-get update -q </dev/null >&2
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -q --no-install-recommends \
        "${missing[@]}" </dev/null >&2
}

# configure DIR OPTIONS...: sets DIR up, or changes its options where it is one already.
configure() {
    local dir=$1
    shift
    if [ -f "$dir/build.ninja" ]; then
        meson configure "$dir" "$@" </dev/null
    else
        meson setup "$dir" "$source_dir" "$@" </dev/null
    fi
}
