#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# as-another-user.sh FOLDER PROGRAM COMMAND...: for tests that are run by root, who may do
# everything. Runs COMMAND in FOLDER as a user who may do little. Others may perhaps not go where
# profview was built, so FOLDER gets copies of what tests use:
#   program  PROGRAM
#   tests    part of this folder
#   built    part of the build folder
#   root     setpriv with the set-user-ID bit, with which the stand-in for pkexec becomes root
set -eu
folder=$1 program=$2
shift 2
umask 022
mkdir -p "$folder/tests" "$folder/built/tests"
chmod 755 "$folder"
for name in ui cli golden record data; do
    cp -r "$PV_SOURCE/tests/$name" "$folder/tests"
done
for name in ui record; do
    [ ! -d "$PV_BUILD/tests/$name" ] || cp -r "$PV_BUILD/tests/$name" "$folder/built/tests"
done
cp -r "$GSETTINGS_SCHEMA_DIR" "$folder/schemas"
cp "$PROFVIEW_LAUNCHER" "$folder/launcher"
cp "$(dirname "$PROFVIEW_LAUNCHER")/profview-guardian" "$folder"
cp "$program" "$folder/program"
window=$(dirname "$program")/app/profview-window.so
mkdir -p "$folder/app"
[ ! -f "$window" ] || cp "$window" "$folder/app" # a build without it has no window
cp "$(command -v setpriv)" "$folder/root"
chmod -R a+rX "$folder"
chmod 4755 "$folder/root"

cd "$folder"
export PV_SOURCE="$PWD" PV_BUILD="$PWD/built" PV_TEST_DATA="$PWD/tests/data" GSETTINGS_SCHEMA_DIR="$PWD/schemas"
export PROFVIEW_LAUNCHER="$PWD/launcher" PV_STANDIN_PKEXEC_ROOT="$PWD/root" TMPDIR=/tmp
exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"
