#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# session.sh COMMAND...: runs COMMAND inside a desktop session of its own: an X server without a screen, a window
# manager, a session bus with accessibility, and nothing of the user's. PV_SCREEN sets the size (1920x1080x24).
# The exit status is the command's; whatever was started here is gone afterwards.
set -u

if [ "${PV_SESSION:-}" != inside ]; then
    scratch=$(mktemp -d)
    children=()
    finish() {
        # Windows first, so that clients see an orderly end.
        for ((i = ${#children[@]} - 1; i >= 0; i--)); do
            kill "${children[i]}" 2>/dev/null && wait "${children[i]}" 2>/dev/null
        done
        rm -rf "$scratch"
    }
    trap finish EXIT
    trap 'exit 130' INT TERM

    # The server picks a free display itself and writes the number down when it is ready.
    Xvfb -displayfd 3 -screen 0 "${PV_SCREEN:-1920x1080x24}" -dpi 96 -nolisten tcp -noreset \
        3>"$scratch/display" >"$scratch/xvfb.log" 2>&1 &
    children+=($!)
    for _ in $(seq 200); do
        [ -s "$scratch/display" ] && break
        kill -0 "${children[0]}" 2>/dev/null || break
        sleep 0.05
    done
    [ -s "$scratch/display" ] || { cat "$scratch/xvfb.log" >&2; echo "session.sh: no X server" >&2; exit 99; }

    export DISPLAY=:$(cat "$scratch/display")
    unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS AT_SPI_BUS_ADDRESS SESSION_MANAGER
    # Drawing with OpenGL is not looked at, and to load its libraries is a twentieth of what a scenario costs.
    if pkg-config --atleast-version=4.16 gtk4; then
        export GDK_DISABLE=gl
    else
        export GDK_DEBUG=gl-disable
    fi
    export GDK_BACKEND=x11 GSK_RENDERER=${GSK_RENDERER:-cairo} GTK_A11Y=${GTK_A11Y:-test} GTK_THEME= NO_AT_BRIDGE=0
    unset GTK_THEME
    export LC_ALL=${LC_ALL:-C.UTF-8} TZ=UTC GSETTINGS_BACKEND=keyfile GIO_USE_VFS=local GTK_USE_PORTAL=0
    export XDG_RUNTIME_DIR=$scratch/run HOME=$scratch/home
    export XDG_CONFIG_HOME=$HOME/.config XDG_DATA_HOME=$HOME/.local/share XDG_CACHE_HOME=$HOME/.cache
    mkdir -m 700 "$XDG_RUNTIME_DIR"
    mkdir -p "$XDG_CONFIG_HOME" "$XDG_DATA_HOME" "$XDG_CACHE_HOME"
    # All profiles begin with the same page, unless a scenario sets what they begin with.
    mkdir -p "$XDG_CONFIG_HOME/glib-2.0/settings"
    printf "[org/profview/Profview]\nfirst-page='graph'\n" >"$XDG_CONFIG_HOME/glib-2.0/settings/keyfile"
    export PV_SESSION=inside PV_SESSION_DIR=$scratch
    dbus-run-session -- "$0" "$@"
    status=$?
    exit $status
fi

openbox --sm-disable >"$PV_SESSION_DIR/openbox.log" 2>&1 &
window_manager=$!
# Without a running bus launcher nothing is exported to AT-SPI; it is started by asking for the bus.
/usr/libexec/at-spi-bus-launcher --launch-immediately >"$PV_SESSION_DIR/at-spi.log" 2>&1 &
accessibility=$!
for _ in $(seq 100); do
    xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q 'window id' && break
    sleep 0.05
done
gdbus call --session --dest org.a11y.Bus --object-path /org/a11y/bus --method org.freedesktop.DBus.Properties.Set \
    org.a11y.Status IsEnabled '<true>' >/dev/null 2>&1
unset PV_SESSION
"$@"
status=$?
kill "$window_manager" "$accessibility" 2>/dev/null
wait "$window_manager" "$accessibility" 2>/dev/null
exit $status
