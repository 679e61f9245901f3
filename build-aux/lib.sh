# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by build-aux/run, build-aux/test and build-aux/fuzz; sourced, not executed.

aux_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_dir=$(dirname "$aux_dir")

# apt and meson end in their own way when interrupted; what comes after them is not to begin then.
trap 'exit 130' INT
trap 'exit 143' TERM

say() {
    printf '%s\n' "$*" >&2
}

# packages_of SECTION...: the names listed under these headings of packages.txt.
packages_of() {
    awk -v wanted=" $* " '
        /^\[/ { section = substr($0, 2, index($0, "]") - 2); next }
        /^[^#]/ && NF && index(wanted, " " section " ") { print $1 }' "$aux_dir/packages.txt"
}

# with_log LOG COMMAND...: what COMMAND prints goes to the end of LOG. It reads nothing.
with_log() {
    local log=$1
    shift
    printf '$ %s\n' "$*" >>"$log"
    "$@" </dev/null >>"$log" 2>&1
}

# install_missing SECTION...: apt is only asked when something is not there.
install_missing() {
    local missing=() prefix=() name status=0 log=$source_dir/_build-packages.log
    if ! command -v dpkg-query >/dev/null; then
        say "Not a Debian system: please install what build-aux/packages.txt lists, under your system's names."
        return 0
    fi
    for name in $(packages_of "$@"); do
        dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed ||
            missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    if [ "$(id -u)" -ne 0 ]; then
        # Asks for the password, if it must, before the output goes to a log.
        if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || sudo -v; }; then
            say "${#missing[@]} packages are missing, and only root can install them. Please run this as root:"
            say ""
            say "apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
            return 1
        fi
        prefix=(sudo)
    fi
    say "Installing ${#missing[@]} missing package(s) and what they need (output in $log)."
    rm -f "$log"
    prefix+=(env DEBIAN_FRONTEND=noninteractive)
    local apt=("${prefix[@]}" apt-get -q -o DPkg::Lock::Timeout=300)
    local install=("${apt[@]}" install -y --no-install-recommends "${missing[@]}")
    # A package list from the image may do; only an outdated or empty one needs the update. And
    # an installation that was interrupted has to be finished first.
    with_log "$log" "${install[@]}" || {
        with_log "$log" "${prefix[@]}" dpkg --configure -a || true
        with_log "$log" "${apt[@]}" update || true
        with_log "$log" "${install[@]}" || status=$?
    }
    if [ "$status" -ne 0 ]; then
        tail -n 40 "$log" >&2
        say "The packages could not be installed; the end of $log is above."
    fi
    return "$status"
}

# check_writable DIR: says so if DIR cannot be built in by this user.
check_writable() {
    [ ! -e "$1" ] || [ -w "$1" ] ||
        { say "$1 belongs to $(stat -c %U "$1"), and $(id -un) cannot write to it."; return 1; }
}

# configure DIR OPTIONS...: sets DIR up, or changes its options where it is one already. One that an
# interruption, another version of meson or a move of the folder left unusable is made anew.
configure() {
    local dir=$1
    shift
    if [ -f "$dir/build.ninja" ] && meson configure "$dir" "$@" </dev/null >/dev/null 2>&1; then
        return 0
    fi
    [ ! -d "$dir/meson-private" ] || rm -rf "$dir"
    meson setup "$dir" "$source_dir" "$@" </dev/null
}

# configure_plain OPTIONS...: the ordinary build, in _build, which run and test share.
configure_plain() {
    configure "$source_dir/_build" -Dbuildtype=debugoptimized -Dc_args=-g1 "$@"
}

# configure_tested: the ordinary build with its tests. It has them where their tools were found: to set it up once more takes as
# long as 20 files.
configure_tested() {
    [ -n "$(python3 "$aux_dir/test-targets.py" "$source_dir/_build" unit 2>/dev/null)" ] || configure_plain -Dtests=enabled
}

# configure_sanitized [--all]: the build for AddressSanitizer, UBSan and the fuzzers, in _build-asan. gcc judges the warnings.
# Without --all UBSan does not look at each pointer that is followed, which takes the compiler a quarter of its time.
configure_sanitized() {
    local fewer="-fno-sanitize=null -fno-sanitize=alignment"
    [ "${1:-}" != --all ] || fewer=
    CC=clang CC_LD=$(command -v ld.lld >/dev/null && echo lld || echo bfd) configure "$source_dir/_build-asan" \
        -Dtests=enabled -Dfuzzers=true -Dbuildtype=debug -Doptimization=1 -Db_sanitize=address,undefined -Db_lundef=false \
        -Dc_args="-g1 $fewer"
}

# configure_threads: the build for ThreadSanitizer, in _build-tsan.
configure_threads() {
    configure "$source_dir/_build-tsan" -Dtests=enabled -Dbuildtype=debug -Doptimization=1 -Db_sanitize=thread \
        -Db_lundef=false -Dapp=false -Dc_args=-g1
}

# build DIR [TARGET...]: one compiler for each processor ends sooner than two more, as ninja would have it; and clang does
# with large pages of memory, of which fewer have to be asked for.
build() {
    local dir=$1
    shift
    GLIBC_TUNABLES=glibc.malloc.hugetlb=1 ninja -C "$dir" -j "$(nproc)" "$@"
}

# configure_and_build DIR [CONFIGURE...] -- [--default] SUITE...: builds what these suites need, see test-targets.py. DIR.log
# has what was said.
configure_and_build() {
    local dir=$1 configure=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        configure+=("$1")
        shift
    done
    shift
    # The targets are known once ninja has made build.ninja anew.
    { "${configure[@]}" && build "$dir" build.ninja && build "$dir" $(python3 "$aux_dir/test-targets.py" "$dir" "$@"); } >"$dir.log" 2>&1
}

# use_sanitizers: what tests that were built with sanitizers find in the environment.
use_sanitizers() {
    export PV_SANITIZED=1
    # cairo 1.18 takes names of fonts with strndup () from data without an end, which C allows and strict checks do not.
    local is_strict=1
    ! pkg-config --atleast-version=1.18 cairo || is_strict=0
    # Use after return takes a twentieth of the time to find: --full looks for it.
    export ASAN_OPTIONS=detect_stack_use_after_return=${PV_FULL:-0}:strict_string_checks=$is_strict:allocator_may_return_null=1
    # Without these a third of the time goes into memory that is freed, kept, and asked for again.
    ASAN_OPTIONS+=:malloc_context_size=8:quarantine_size_mb=16:allocator_release_to_os_interval_ms=-1
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    export LSAN_OPTIONS="suppressions='$aux_dir/lsan.supp':print_suppressions=0"
    export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
    # Threads that end just now still have GLib's slices, which would look like a leak.
    export G_SLICE=always-malloc
}

# use_window_sanitizers: the same for windows; the toolkit keeps memory until the end in ways of its own.
use_window_sanitizers() {
    use_sanitizers
    ASAN_OPTIONS+=:detect_leaks=0
}
