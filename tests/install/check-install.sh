#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check-install.sh BUILD DATA: installs into a scratch folder, then asks the desktop's own tools what they make of it.
set -eu
build=$1 data=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
DESTDIR=$scratch meson install -C "$build" --no-rebuild --quiet

prefix=$scratch$(meson introspect "$build" --buildoptions | python3 -c '
import json, sys
print(next(option["value"] for option in json.load(sys.stdin) if option["name"] == "prefix"))')
share=$prefix/share
export PATH=$prefix/bin:$PATH
id=org.profview.Profview
for file in bin/profview libexec/profview/profview-launch libexec/profview/profview-guardian share/applications/$id.desktop share/metainfo/$id.metainfo.xml \
    share/mime/packages/$id.xml share/icons/hicolor/scalable/apps/$id.svg \
    share/icons/hicolor/symbolic/apps/$id-symbolic.svg share/icons/hicolor/scalable/mimetypes/$id-profile.svg \
    share/dbus-1/services/$id.service share/thumbnailers/profview.thumbnailer share/glib-2.0/schemas/$id.gschema.xml \
    share/man/man1/profview.1 share/bash-completion/completions/profview share/zsh/site-functions/_profview \
    share/fish/vendor_completions.d/profview.fish \
    share/help/C/profview/index.page share/help/C/profview/noise.page share/doc/profview/help/C.html \
    share/doc/profview/NEWS; do
    [ -s "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done
"$prefix/bin/profview" --version >/dev/null
# It finds its window wherever both are; without a display the window says so.
said=$(env -u DISPLAY -u WAYLAND_DISPLAY "$prefix/bin/profview" "$data/recordings/inlining-fp.data" 2>&1 || true)
[[ $said == *"no display for a window"* ]] || { echo "an installed profview has no window: $said"; exit 1; }

# It finds translations beside itself. What scripts read is the same in every language.
localedef --no-archive -i de_DE -f UTF-8 "$scratch/de_DE.UTF-8"
mkdir -p "$share/locale/de/LC_MESSAGES"
msgfmt -o "$share/locale/de/LC_MESSAGES/profview.mo" - <<'EOF'
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\n"

msgctxt "column"
msgid "Function"
msgstr "Funktion"

msgctxt "root"
msgid "all"
msgstr "alles"

msgctxt "option value"
msgid "FILE"
msgstr "DATEI"

msgid "Show this help"
msgstr "Diese Hilfe"
EOF
german() { LOCPATH=$scratch LC_ALL=de_DE.UTF-8 LANGUAGE=de "$prefix/bin/profview" "$@"; }
recording=$data/recordings/inlining-fp.data
help=$(german --help)
[[ $help == *DATEI*"Diese Hilfe"* || $help == *"Diese Hilfe"*DATEI* ]] || { echo "--help is not translated: $help"; exit 1; }
tree=$(german --print=tree "$recording")
[[ $tree == *Funktion* && $tree == *alles* ]] || { echo "a report is not translated: $tree"; exit 1; }
for format in tsv csv json; do
    diff <(german --print=tree --format=$format "$recording") \
        <("$prefix/bin/profview" --print=tree --format=$format "$recording") >&2 ||
        { echo "a report for scripts is translated: $format"; exit 1; }
done
unset -f german

# The metainfo file names the types that the formats' rooms describe.
types() { grep -o "$1=\?\"\?application/[^<\"]*" "$2" | grep -o 'application/.*' | sort; }
diff <(types mediatype\> "$share/metainfo/$id.metainfo.xml") <(types 'mime-type type' "$share/mime/packages/$id.xml") ||
    { echo "the metainfo file names other types than the formats"; exit 1; }

glib-compile-schemas --strict "$share/glib-2.0/schemas"
[ "$(GSETTINGS_SCHEMA_DIR=$share/glib-2.0/schemas GSETTINGS_BACKEND=memory gsettings get $id color-scheme)" = "'default'" ] ||
    { echo "the installed settings cannot be read"; exit 1; }

# It starts programs by the helper that was installed with it, wherever both are.
said=$(env -u PROFVIEW_LAUNCHER -u DISPLAY -u WAYLAND_DISPLAY XDG_DATA_HOME="$scratch/home" XDG_STATE_HOME="$scratch/home" \
    PATH="$data/../record/standin:$PATH" PV_STANDIN_PERF_SECONDS=0.2 \
    "$prefix/bin/profview" --record=perf --call-graph=fp --output="$scratch/recorded" -- sh -c 'readlink /proc/$PPID/exe; echo "a  b"')
[ "$said" = "$prefix/bin/profview
a  b
$scratch/recorded" ] || { echo "an installed profview launches badly: $said"; exit 1; }

update-mime-database "$share/mime" 2>/dev/null
export XDG_DATA_DIRS=$share:/usr/share XDG_DATA_HOME=$scratch/home HOME=$scratch
cp "$data/recordings/inlining-fp.data" "$scratch/some-recording"
printf '2ELIFREP\0\0\0\0\0\0\0\150' >"$scratch/big-endian"
for file in some-recording big-endian; do
    kind=$(gio info -a standard::content-type "$scratch/$file" | awk '/content-type/ { print $2 }')
    [ "$kind" = application/x-perf-data ] || { echo "$file is taken for $kind"; exit 1; }
done
printf 'v 10400 3\n' >"$scratch/unpacked"
printf 'v 10400 3\n' | gzip >"$scratch/heaptrack.server.42.gz"
printf 'v 10400 3\n' | zstd -q >"$scratch/heaptrack.server.42.raw.zst"
for file in unpacked heaptrack.server.42.gz heaptrack.server.42.raw.zst; do
    kind=$(gio info -a standard::content-type "$scratch/$file" | awk '/content-type/ { print $2 }')
    case $file:$kind in
    *:application/x-heaptrack | *.gz:application/gzip | *.zst:application/zstd) ;;
    *) echo "$file is taken for $kind"; exit 1 ;;
    esac
done
update-desktop-database "$share/applications"
for kind in application/x-perf-data application/x-heaptrack application/zstd application/gzip; do
    gio mime $kind | grep -q "$id.desktop" || { echo "no application opens $kind"; exit 1; }
done
# The desktop starts the program that was installed, and finds the picture of a document.
start=$(sed -n 's/^Exec=//p' "$share/dbus-1/services/$id.service")
[ "$scratch${start%% *}" = "$prefix/bin/profview" ] || { echo "D-Bus starts $start"; exit 1; }
icon=$(gio info -a standard::icon "$scratch/some-recording" | sed -n 's/.*standard::icon: //p')
[[ $icon == *$id-profile* ]] || { echo "a recording has the icon $icon"; exit 1; }
for icon in scalable/apps/$id scalable/mimetypes/$id-profile symbolic/apps/$id-symbolic; do
    rsvg-convert -w 64 "$share/icons/hicolor/$icon.svg" -o "$scratch/icon.png"
done
