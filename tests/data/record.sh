#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# record.sh: builds the sample programs, records them with perf and freezes what they ran with.
#
# Run it as root on a throw-away Debian 12 with linux-perf, libc6-dbg and zstd (it writes /opt/samples) when a program here changes; the results are in
# version control, so that tests need neither perf nor this machine. What it leaves in tests/data:
#
#   sysroot/              the programs and the libraries they ran with, at their recorded paths
#   buildid-cache/        the vdso image, laid out as perf's build-id cache
#   recordings/NAME.data, .data.zst
#   recordings/NAME.ref.xz   what `perf script` said about it here (see ../golden/perf-reference.py)
#
# The recordings hold no trace of where they were made: neutral folder, host name and environment.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/recordings
root=/opt/samples
libraries=/usr/lib/x86_64-linux-gnu
cache=$root/cache # perf tells its children of it, so its name is in the stacks

if [ "${1:-}" != --inside ]; then
    rm -rf "$root" "$here/sysroot" "$here/buildid-cache" "$out"
    mkdir -p "$root/src" "$root/bin" "$out" "$here/sysroot$libraries" "$here/buildid-cache"
    # The libraries, at their mapped paths, and the symbol tables of libc's debug files without their DWARF, which
    # is large. The sysroot comes first when files are looked for, so tests do not depend on what is installed.
    for library in libc.so.6 libm.so.6 libstdc++.so.6.0.30 libgcc_s.so.1 ld-linux-x86-64.so.2; do
        cp -L "$libraries/$library" "$here/sysroot$libraries/"
        id=$(readelf -n "$libraries/$library" | awk '/Build ID/ { print $3 }')
        symbols=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
        case $library in libstdc* | libgcc*) continue ;; esac
        mkdir -p "$here/sysroot$(dirname "$symbols")"
        objcopy --strip-debug "$symbols" "$here/sysroot$symbols"
        chmod 644 "$here/sysroot$symbols"
    done
    # A host name of our own, and perf sees the debug files that the frozen sysroot has.
    export PV_HOST=$(hostname)
    exec unshare --uts --mount -- sh -c 'hostname samples && mount --bind "$1" /usr/lib/debug && exec "$0" --inside' \
        "$0" "$here/sysroot/usr/lib/debug"
fi
cp "$here"/programs/* "$root/src/"
cd "$root"

build() { # COMPILER OUTPUT SOURCE FLAGS...
    local compiler=$1 output=$2 source=$3
    shift 3
    "$compiler" -D_GNU_SOURCE -O2 -g -Wl,--build-id=sha1 -o "bin/$output" "src/$source" "$@"
}
fp="-fno-omit-frame-pointer -mno-omit-leaf-frame-pointer"
build gcc calls calls.c $fp -lm
build gcc calls-nofp calls.c -fomit-frame-pointer -gdwarf-4 -gz=zlib -lm
build gcc calls-stripped calls.c -O1 $fp -lm # -O1: not the build-id of calls
strip bin/calls-stripped
build g++ inlining inlining.cpp -std=c++17 $fp
build g++ inlining-nofp inlining.cpp -std=c++17 -fomit-frame-pointer
build gcc recursion recursion.c $fp
build gcc recursion-nofp recursion.c -fomit-frame-pointer
build gcc threads threads.c $fp -pthread
build gcc signals signals.c $fp
build gcc signals-nofp signals.c -fomit-frame-pointer
build gcc libplugin.so plugin.c $fp -shared -fPIC
build gcc loader loader.c $fp
build gcc spawner spawner.c $fp
build gcc clock clock.c $fp
build gcc mill mill.c $fp
build gcc jit jit.c

record() { # NAME PERF_OPTIONS... -- COMMAND...
    local name=$1 options=()
    shift
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    env -i PATH=/usr/bin:/bin LC_ALL=C HOME=/nonexistent \
        perf --buildid-dir "$cache" record -q -o "$name.data" "${options[@]}" "$@" >/dev/null
    python3 "$here/../golden/perf-reference.py" "$cache" "$name.data" "$out/$name.ref.xz"
    case $name in
        *-dwarf) zstd -q -19 --rm "$name.data" -o "$out/$name.data.zst" ;;
        *) mv "$name.data" "$out/" ;;
    esac
}
user="-e cpu-clock:u -m 256"
copy="--call-graph dwarf,4096"
deep="--call-graph dwarf,2048"

record calls-fp $user -F 999 -g -- bin/calls 300
record calls-dwarf $user -F 999 $copy -- bin/calls-nofp 240
record calls-nofp-fp $user -F 599 -g -- bin/calls-nofp 240
record calls-stripped-fp $user -F 599 -g -- bin/calls-stripped 300
record calls-flat $user -F 599 -- bin/calls 300
record inlining-fp $user -F 1499 -g -- bin/inlining 150
record inlining-fp-z $user -F 999 -g -z -- bin/inlining 60
record inlining-dwarf $user -F 999 $copy -- bin/inlining-nofp 100
record inlining-dwarf-z $user -F 699 $copy -z -- bin/inlining-nofp 100
record recursion-fp $user -F 999 -g -- bin/recursion 40
record recursion-dwarf $user -F 699 $deep -- bin/recursion-nofp 40
record threads-fp $user -F 999 -g -s -- bin/threads 2000
record cpus-fp $user --sample-cpu -F 999 -g -s -- bin/threads 800
record threads-dwarf $user -F 699 $copy -- bin/threads 1600
record signals-fp $user -F 599 -g -- bin/signals 400
record signals-dwarf $user -F 699 $copy -- bin/signals-nofp 300
record signals-altstack-dwarf $user -F 699 $copy -- bin/signals-nofp 300 altstack
record loader-fp $user -F 599 -g -- bin/loader "$root/bin/libplugin.so" 60
record loader-dwarf $user -F 699 $copy -- bin/loader "$root/bin/libplugin.so" 60
record spawner-fp $user -F 999 -g -- bin/spawner "$root/bin/calls" 20
record spawner-dwarf $user -F 699 $copy -- bin/spawner "$root/bin/calls-nofp" 20
record clock-fp $user -F 599 -g -- bin/clock 500
record clock-dwarf $user -F 699 $copy -- bin/clock 300
record mill-fp $user -F 999 -g -- bin/mill 25000
record events-fp -e cpu-clock:u,page-faults:u -m 256 -F 999 -g -s -- bin/threads 800
# The kernel's side, context switches: what names it gets depends on the machine that looks at it.
record kernel-fp -e cpu-clock,context-switches -m 256 -F 599 -g --switch-events -- bin/threads 300
rm "$out/kernel-fp.ref.xz"
# Code made at run time. The names are those that perf gives it; the dump stays beside the programs.
env -i PATH=/usr/bin:/bin LC_ALL=C HOME=/nonexistent \
    perf --buildid-dir "$cache" record -q -o jit-flat.data -k mono -e cpu-clock:u -m 256 -F 999 -- bin/jit 800
perf --buildid-dir "$cache" inject --jit -i jit-flat.data -o jit.inject
python3 "$here/../golden/perf-reference.py" "$cache" jit.inject "$out/jit-flat.ref.xz"
mv jit-flat.data "$out/"
mkdir -p "$here/sysroot$root"
cp jit-*.dump "$here/sysroot$root/"
rm jitted-* jit.inject bin/jit
# Pipe mode.
env -i PATH=/usr/bin:/bin LC_ALL=C HOME=/nonexistent \
    perf --buildid-dir "$cache" record -q -o - $user -F 599 -g -- sh -c 'exec bin/inlining 100 >/dev/null' \
    | cat >"$out/inlining-pipe.data"

mkdir -p "$here/sysroot$root"
cp -r bin "$here/sysroot$root/"
chmod -R u+w "$here/sysroot"
for image in "$cache"/\[vdso\]/*/vdso; do
    id=$(basename "$(dirname "$image")")
    install -D -m 644 "$image" "$here/buildid-cache/[vdso]/$id/vdso"
    mkdir -p "$here/buildid-cache/.build-id/${id:0:2}"
    ln -s "../../[vdso]/$id" "$here/buildid-cache/.build-id/${id:0:2}/${id:2}"
done
chmod 644 "$out"/*

# Nothing of this machine may be in what ships (Debian's own libraries are what they are).
[ "$(cat /proc/sys/kernel/hostname)" = samples ]
if find "$here" -type f ! -path '*/sysroot/usr/*' ! -name record.sh -print0 | xargs -0 sh -c '
    for file; do
        case $file in *.zst) zstd -dcq "$file" ;; *.xz) xz -dc "$file" ;; *) cat "$file" ;; esac |
            strings -n 4 | grep -qE "/work|/home/|/root|/tmp/|NAME=$PV_HOST$" && echo "$file"
    done
    exit 0' sh | grep .; then
    echo "record.sh: the files above name this machine" >&2
    exit 1
fi
rm -rf "$cache"
du -sh "$here" "$out" "$here/sysroot"
