#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# window-starts.sh COMMAND...: starts each COMMAND (words in one argument) six times in turn, inside a session of ui/session.sh, and
# prints for each the median of the last five: milliseconds until its window is visible, and after three seconds at rest its memory
# (resident, and its share of what several processes have; MiB). Needs xdotool.
# tests/ui/session.sh tests/bench/window-starts.sh profview gnome-text-editor sysprof
set -u
runs=6
results=$(mktemp)
trap 'rm -f "$results"' EXIT

kib_of() { # FIELD PID
    awk -v field="$1:" '$1 == field { sum += $2 } END { print sum }' "/proc/$2/smaps_rollup"
}

for ((run = 0; run < runs; run++)); do
    for command; do
        begin=${EPOCHREALTIME/./}
        $command >/dev/null 2>&1 &
        program=$!
        until xdotool search --onlyvisible --pid "$program" >/dev/null 2>&1; do
            kill -0 "$program" 2>/dev/null || { echo "$command ended without a window" >&2; exit 1; }
        done
        end=${EPOCHREALTIME/./}
        sleep 3
        [ "$run" -eq 0 ] || printf '%s\t%d\t%d\t%d\n' "$command" $(((end - begin) / 1000)) \
            "$(kib_of Rss "$program")" "$(kib_of Pss "$program")" >>"$results"
        kill "$program"
        wait "$program" 2>/dev/null
    done
done
median() { # COMMAND COLUMN
    awk -F'\t' -v command="$1" -v column="$2" '$1 == command { print $column }' "$results" | sort -n | sed -n "$((runs / 2))p"
}
for command; do
    printf '%-30s %5d ms  %4d MiB resident  %4d MiB share\n' "$command" "$(median "$command" 2)" \
        $(($(median "$command" 3) / 1024)) $(($(median "$command" 4) / 1024))
done
