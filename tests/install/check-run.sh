#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check-run.sh PICTURE: the README's first command, build-aux/run, with a display and without one. The window's picture is kept in
# PICTURE. Run by build-aux/test before anything but build-aux/run has built.
set -eu
cd "$(dirname "$0")/../.."
picture=$1

if [ "${2:-}" != inside ]; then
    before=$(git status --porcelain --untracked-files=all 2>/dev/null || true)
    # Left by an earlier run, which may have built more: the program has to ask for all that its window needs.
    rm -f _build/data/gschemas.compiled _build/data/help/C.html
    text=$(env -u DISPLAY -u WAYLAND_DISPLAY build-aux/run) || { echo "without a display it fails: $text"; exit 1; }
    for words in "Format         perf.data" "geometry::Refine<6>::apply" "The flame graph is in "; do
        [[ $text == *"$words"* ]] || { echo "without a display it does not print “$words”: $text"; exit 1; }
    done
    svg=${text##*The flame graph is in }
    grep -q '<title>geometry::centre' "$svg" || { echo "no flame graph in $svg"; exit 1; }
    [ -s _build/data/help/C.html ] || { echo "the window has no help"; exit 1; }
    tests/ui/session.sh "$0" "$picture" inside || exit
    after=$(git status --porcelain --untracked-files=all 2>/dev/null || true)
    [ "$after" = "$before" ] || { echo "it leaves something behind: $after"; exit 1; }
    exit
fi

build-aux/run >"$PV_SESSION_DIR/said" 2>&1 &
program=$!
fail() {
    cat "$PV_SESSION_DIR/said"
    echo "$1"
    kill "$program" 2>/dev/null || true
    exit 1
}
find_window() {
    local id
    for id in $(xprop -root _NET_CLIENT_LIST | grep -o '0x[0-9a-f]*'); do
        [ "$(xprop -id "$id" _NET_WM_PID 2>/dev/null)" != "_NET_WM_PID(CARDINAL) = $program" ] || { echo "$id"; return 0; }
    done
    return 1
}
colors=0
for _ in $(seq 300); do
    sleep 0.2
    kill -0 "$program" 2>/dev/null || fail "no window: it ended"
    window=$(find_window) && import -window "$window" "$picture" 2>/dev/null || continue
    # Text in grey has a hundred; the boxes of the flame graph bring the others.
    colors=$(identify -format %k "$picture")
    [ "$colors" -gt 1000 ] && break
done
[ "$colors" -gt 1000 ] || fail "the window shows no flame graph: $colors colors"
kill "$program"
wait "$program" || true
