#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# record-pprof.sh PROFVIEW: builds the sample programs that write profiles of their own and keeps what they wrote.
#
# Run it as root on the throw-away machine of record.sh, after that: Debian 12 with golang-go, libgoogle-perftools-dev and
# libjemalloc2 (it writes /opt/samples) when a program here changes; the results are in version control. What it leaves in
# tests/data:
#
#   pprof/go-KIND.pb.gz          of kiosk, a Go program: cpu with labels, heap, goroutine, mutex, block
#   pprof/depot-KIND.prof        of depot, a C++ program with gperftools: cpu, growth of the heap
#   pprof/depot-heap-N.heap      its heap, twice
#   pprof/pantry-N.heap          of a program with jemalloc: three dumps of one process
#   pprof-difference/shelves.*   of shelves, a Go program: its heap less what it was before, by go tool pprof -base; and what that
#                                says of it
#   pprof/calls-bare.pb.gz       a recording of ../recordings without its names
#   sysroot/opt/samples/bin      the C++ program; the Go program's names are in its profiles
set -eu
here=$(cd "$(dirname "$0")" && pwd)
profview=$(realpath "$1")
out=$here/pprof
root=/opt/samples
libraries=/usr/lib/x86_64-linux-gnu

for library in libc.so.6 libm.so.6 libstdc++.so.6.0.30 libgcc_s.so.1 ld-linux-x86-64.so.2; do
    cmp "$libraries/$library" "$here/sysroot$libraries/$library"
done
difference=$here/pprof-difference
rm -rf "$out" "$difference"
mkdir -p "$root/src" "$root/bin" "$out" "$difference"
cp "$here/programs/kiosk.go" "$here/programs/shelves.go" "$here/programs/depot.cpp" "$root/src/"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root"

GO111MODULE=off go build -trimpath -o bin/kiosk src/kiosk.go
g++ -O2 -g -gz=zlib -std=c++17 -Wl,--build-id=sha1 -pthread -o bin/depot src/depot.cpp -lprofiler -ltcmalloc
cp bin/depot "$here/sysroot/opt/samples/bin/"
cp "$here/sysroot/opt/samples/bin/heap-containers" bin/

/opt/samples/bin/kiosk write "$scratch" 12000
for kind in cpu heap goroutine mutex block; do
    mv "$scratch/$kind.pb.gz" "$out/go-$kind.pb.gz"
done

GO111MODULE=off go build -trimpath -o bin/shelves src/shelves.go
bin/shelves "$scratch"
go tool pprof -proto -base "$scratch/before.pb.gz" "$scratch/after.pb.gz" >"$difference/shelves.pb.gz"
for measure in alloc_objects alloc_space inuse_objects inuse_space; do
    LC_ALL=C TZ=UTC go tool pprof -top -nodecount=0 -nodefraction=0 -edgefraction=0 -unit=bytes -sample_index=$measure \
        "$difference/shelves.pb.gz"
done >"$difference/shelves.top"

CPUPROFILE_FREQUENCY=500 /opt/samples/bin/depot "$scratch" >/dev/null 2>&1
mv "$scratch/cpu.prof" "$out/depot-cpu.prof"
mv "$scratch/growth.prof" "$out/depot-growth.prof"
mv "$scratch/heap.0001.heap" "$out/depot-heap-1.heap"
mv "$scratch/heap.0002.heap" "$out/depot-heap-2.heap"

# Dumps on the way and one at the end; of many the first, one from the middle, and the last.
LD_PRELOAD=$libraries/libjemalloc.so.2 \
    MALLOC_CONF="prof:true,lg_prof_sample:9,lg_prof_interval:13,prof_final:true,prof_prefix:$scratch/pantry" \
    /opt/samples/bin/heap-containers >/dev/null
mapfile -t dumps < <(ls -v "$scratch"/pantry.*.i*.heap)
n=${#dumps[@]}
cp "${dumps[0]}" "$out/pantry-1.heap"
cp "${dumps[n / 2]}" "$out/pantry-2.heap"
cp "${dumps[n - 1]}" "$out/pantry-3.heap"
chmod 644 "$out"/* "$difference"/*

"$profview" --sysroot="$here/sysroot" --export="$scratch/calls.pb.gz" "$here/recordings/calls-fp.data"
"$here/strip-names.py" "$scratch/calls.pb.gz" "$out/calls-bare.pb.gz"
ls -l "$out"
