#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make-inputs.sh DIR [SECONDS]: builds the benchmark programs of workload/ and records them for against-peers.py. The big
# inputs need about 2 GB; SECONDS (12 unless told) scales them. Needs linux-perf and leave to use it; for the heaps (NAME.raw.zst,
# and NAME.zst as heaptrack_interpret writes it) heaptrack; for pprof's own format golang-go, and for dumps of jemalloc (jemalloc/,
# and bulk.heap, the last of them) libjemalloc2.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
seconds=${2:-12}

mkdir -p "$out/bin"
flags="-O2 -g -std=c++17 -pthread -Wl,--build-id"
g++ $flags -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -o "$out/bin/mill-fp" "$here/workload/mill.cpp"
g++ $flags -fomit-frame-pointer -o "$out/bin/mill" "$here/workload/mill.cpp"
g++ $flags -o "$out/bin/pantry" "$here/workload/pantry.cpp"
bulk() { # NAME UNITS
    [ ! -x "$out/bin/$1" ] || return 0
    python3 "$here/workload/make-bulk.py" "$out/bulk-source" "$2"
    make -s -j"$(nproc)" -C "$out/bulk-source"
    mv "$out/bulk-source/bulk" "$out/bin/$1"
    rm -rf "$out/bulk-source"
}
bulk bulk 60

cd "$out"
record() { # NAME OPTIONS... -- COMMAND...
    local name=$1
    shift
    [ -s "$name.data" ] || perf record -q -N -e cpu-clock -o "$name.data" "$@" >/dev/null
    printf '%-16s %s\n' "$name" "$(du -h "$name.data" | cut -f1)"
}
tenth=$(awk "BEGIN { print $seconds / 10 }")
record small-fp -F 1999 -g -m 512 -- bin/mill-fp "$tenth" 4 60
record deep-fp -F 9999 -g -m 2048 -- bin/mill-fp "$tenth" 4 120
record big-fp -F 20000 -g -m 2048 -- bin/mill-fp "$seconds" 4 90
record big-fp-z -F 20000 -g -m 2048 -z -- bin/mill-fp "$(awk "BEGIN { print $seconds / 2 }")" 4 60
record small-dwarf -F 999 --call-graph dwarf,8192 -m 2048 -- bin/mill "$tenth" 4 60
record big-dwarf -F 1999 --call-graph dwarf,8192 -m 8192 -- bin/mill "$seconds" 4 60
record bigdwarf-fp -F 9999 -g -m 2048 -- bin/bulk 4000
record bigdwarf-dwarf -F 4999 --call-graph dwarf,8192 -m 8192 -- bin/bulk 4000

# The beginning of what perf script prints, without the line that is cut.
[ -s big-fp.script.txt ] || perf script --no-inline -i big-fp.data 2>/dev/null | head -c 100000000 | sed '$d' >big-fp.script.txt || true
[ -s made.folded ] || python3 "$here/workload/make-folded.py" made.folded
[ -s synth-100k.pb.gz ] || python3 "$here/workload/make-pprof.py" synth-100k.pb.gz
if command -v go >/dev/null; then
    [ -x bin/hoard ] || GO111MODULE=off go build -o bin/hoard "$here/workload/hoard.go"
    [ -s go-heap.pb.gz ] || bin/hoard go-heap.pb.gz
fi
jemalloc=$(ldconfig -p | awk '/libjemalloc.so.2/ { print $NF; exit }')
if [ -n "$jemalloc" ] && [ ! -s bulk.heap ]; then
    bulk bulk-300 100 # 300 MB
    mkdir -p jemalloc
    # A dump whenever so much more was allocated, of a heap that grows; the last ones are from its end.
    LD_PRELOAD=$jemalloc MALLOC_CONF="prof:true,lg_prof_sample:10,lg_prof_interval:22,prof_prefix:jemalloc/bulk" \
        bin/bulk-300 100 keep >/dev/null
    cp "$(ls -v jemalloc/bulk.*.heap | tail -1)" bulk.heap
fi
du -h synth-100k.pb.gz go-heap.pb.gz bulk.heap 2>/dev/null || true

command -v heaptrack >/dev/null || exit 0
interpret=$(dirname "$(dirname "$(readlink -f "$(command -v heaptrack)")")")/lib/heaptrack/libexec/heaptrack_interpret
trace() { # NAME COMMAND...
    local name=$1
    shift
    [ -s "$name.raw.zst" ] || heaptrack --raw -o "$name" "$@" >/dev/null 2>&1
    # On some traces it needs more memory than any machine has: those stay raw.
    if [ ! -e "$name.zst" ]; then
        zstd -dcq "$name.raw.zst" | (ulimit -v 8000000 && "$interpret" 2>/dev/null) | zstd -q -o "$name.zst" || rm "$name.zst"
    fi
    printf '%-16s %s\n' "$name" "$(du -h "$name.raw.zst" | cut -f1)"
}
set -o pipefail
trace heap-small bin/pantry $((seconds * 600)) 4
trace heap-big bin/pantry $((seconds * 12700)) 4
trace heap-bulk bin/bulk 40
trace heap-compiler "$(g++ -print-prog-name=cc1plus)" -quiet -std=c++17 -O2 -g -imultiarch "$(gcc -print-multiarch)" -D_GNU_SOURCE \
    "$here/workload/pantry.cpp" -o /dev/null
