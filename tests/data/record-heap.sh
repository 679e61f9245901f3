#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# record-heap.sh: builds the sample programs with heaps, records them with heaptrack and freezes what they ran with.
#
# Run it as root on the throw-away machine of record.sh, after that: Debian 12 with heaptrack, zstd, rustc and
# libc6-dbg (it writes /opt/samples) when a program here changes; the results are in version control, so that tests need
# neither heaptrack nor this machine. What it leaves in tests/data:
#
#   heaptrack/NAME.raw.zst    as `heaptrack --raw` wrote it
#   heaptrack/NAME.zst        the same trace as heaptrack_interpret writes it
#   heaptrack/versionN.gz     one of them as earlier versions of the format had it
#   heaptrack/NAME.peer.txt   what heaptrack_interpret and heaptrack_print say of it
#   sysroot/opt/samples/bin   the programs
#
# The libraries are those that record.sh froze; names come from the same symbols for heaptrack and for us.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/heaptrack
root=/opt/samples
libraries=/usr/lib/x86_64-linux-gnu
interpret=/usr/lib/heaptrack/libexec/heaptrack_interpret

if [ "${1:-}" != --inside ]; then
    for library in libc.so.6 libm.so.6 libstdc++.so.6.0.30 libgcc_s.so.1 ld-linux-x86-64.so.2; do
        cmp "$libraries/$library" "$here/sysroot$libraries/$library"
    done
    rm -rf "$out"
    mkdir -p "$root/src" "$root/bin" "$out"
    exec unshare --mount -- sh -c 'mount --bind "$1" /usr/lib/debug && exec "$0" --inside' \
        "$0" "$here/sysroot/usr/lib/debug"
fi
cp "$here"/programs/heap* "$root/src/"
cd "$root"

common="-D_GNU_SOURCE -O2 -g -gz=zlib -Wl,--build-id=sha1"
gcc $common -rdynamic -pthread -o bin/heap src/heap.c
gcc $common -shared -fPIC -o bin/libheap-first.so src/heap-plugin.c
gcc $common -DSECOND -shared -fPIC -o bin/libheap-second.so src/heap-plugin.c
g++ $common -std=c++17 -o bin/heap-containers src/heap-containers.cpp
rustc -O -g -o bin/heap-rust src/heap.rs

clean() { # COMMAND...
    env -i PATH=/usr/bin:/bin LC_ALL=C HOME=/nonexistent "$@"
}
# Interprets NAME.raw.zst, and keeps what heaptrack says of both.
tell() { # NAME
    local name=$1
    { zstd -dcq "$name.raw.zst" 2>/dev/null || true; } | sed -n 'p' >"$name.text"
    # heaptrack counts half a line at the end of a cut file; we do not.
    [ -z "$(tail -c 1 "$name.text")" ] || sed -i '$d' "$name.text"
    "$interpret" <"$name.text" 2>"$name.statistics" >"$name.interpreted"
    zstd -q -19 -f "$name.interpreted" -o "$name.zst"
    { cat "$name.statistics"; heaptrack_print -t 0 -n 1000 -s 0 -l 1 -f "$name.zst" 2>/dev/null; } >"$out/$name.peer.txt"
    mv "$name.raw.zst" "$name.zst" "$out/"
    rm "$name.text" "$name.statistics" "$name.interpreted"
}
record() { # NAME COMMAND...
    local name=$1
    shift
    clean heaptrack --raw -o "$name" "$@" >/dev/null
    tell "$name"
}
record threads bin/heap threads
record realloc bin/heap realloc
record reload bin/heap reload "$root/bin/libheap-first.so" "$root/bin/libheap-second.so"
record fork bin/heap fork
record leak bin/heap leak
record containers bin/heap-containers
record rust bin/heap-rust
record mill bin/mill 300 # which perf has recorded, too

# The same as heaptrack wrote it years ago.
older() { # VERSION FILE
    python3 "$here/older-heap.py" "$1" "$out/leak.raw.zst" "$out/leak.zst" | gzip -9n >"$out/$2"
}
older 0 version0.gz
older 1 version1.gz
older 2 version2.raw.gz
# heaptrack_interpret keeps the version, but writes strings with their lengths.
zcat "$out/version2.raw.gz" | "$interpret" 2>version2.statistics | sed '1s/.*/v 10400 3/' | gzip -9n >"$out/version2.gz"
for name in version0 version1 version2; do
    { cat "$name.statistics" 2>/dev/null || true; heaptrack_print -t 0 -n 1000 -s 0 -l 1 -f "$out/$name.gz" 2>/dev/null; } \
        >"$out/$name.peer.txt"
done

# From the middle of a program's life. A debugger is not needed for that, and may not be allowed to call functions.
gcc $common -shared -fPIC -o heap-attach.so src/heap-attach.c
clean LD_PRELOAD="$root/heap-attach.so" HEAP_ATTACH_LIBRARY=/usr/lib/heaptrack/libheaptrack_inject.so \
    HEAP_ATTACH_FILE="$root/attach.raw" bin/heap steady 400 60
zstd -q --rm attach.raw -o attach.raw.zst
tell attach

# A program killed half-way: no last time stamp, blocks live. And a file that ends anywhere, with half a line: that
# of a longer run, as it is when the disk is full. (Killing the compressor too leaves an empty file.)
kill_after() { # SECONDS NAME
    env -i PATH=/usr/bin:/bin LC_ALL=C HOME=/nonexistent \
        heaptrack --raw -o "$2" bin/heap steady 1000000 1 >/dev/null 2>&1 &
    local tracer=$!
    sleep "$1"
    kill -9 $(pgrep -P $tracer heap)
    wait $tracer || true
}
kill_after 0.3 killed
tell killed
kill_after 3 whole
head -c 20000 whole.raw.zst >cut.raw.zst
rm whole.raw.zst
tell cut

# Rust's programs are large: its names are in the interpreted file only.
rm "$out/rust.raw.zst"
bin=$here/sysroot$root/bin
install -m 755 bin/heap bin/heap-containers bin/libheap-first.so bin/libheap-second.so "$bin/"
chmod 644 "$out"/*
# heaptrack records the names by which libraries were opened.
ln -sfn usr/lib "$here/sysroot/lib"
ln -sfn "${libraries#/}" "$here/sysroot/lib64"
ln -sfn libstdc++.so.6.0.30 "$here/sysroot$libraries/libstdc++.so.6"

# Nothing of this machine may be in what ships.
if for file in "$out"/* "$bin"/*heap*; do
    case $file in *.zst) zstd -dcq "$file" 2>/dev/null ;; *) cat "$file" ;; esac |
        strings -n 4 | { grep -E "/work|/home/|/root|/tmp/" || grep -w "$(hostname)"; } >/dev/null && echo "$file"
done | grep .; then
    echo "record-heap.sh: the files above name this machine" >&2
    exit 1
fi
du -sh "$out" "$bin"
ls -l "$out"
