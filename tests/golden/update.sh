#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# update.sh PROFVIEW [NAME...]: writes the expected texts anew. Read `git diff` before you keep them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=$here/../data
profview=$(realpath "$1")
shift
mkdir -p "$here/expected"
for recording in "$data"/recordings/*.data "$data"/recordings/*.data.zst "$data"/heaptrack/*.[zg]* "$data"/pprof/*; do
    case $recording in */kernel-*) continue ;; esac
    file=$(basename "$recording")
    name=${file%%.*}
    case $recording in
        */heaptrack/*)
            name=heap-$(echo "${file%.*}" | tr . -)
            file=heaptrack/$file
            ;;
        */pprof/*)
            name=pprof-$name
            file=pprof/$file
            ;;
    esac
    [ $# -gt 0 ] && case " $* " in *" $name "*) ;; *) continue ;; esac
    python3 "$here/golden.py" "$profview" "$data" "$file" --update
done
