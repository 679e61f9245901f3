#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# record-capture.sh: writes a capture with Sysprof's own library (libsysprof-4-dev of Debian 12), and what its own reader says of
# it. The results are in version control:
#
#   sysprof/shop.syscap.xz    the capture
#   sysprof/shop.frames       all of it as text
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
gcc -D_GNU_SOURCE -O1 -o "$folder/capture" "$here/programs/capture.c" $(pkg-config --cflags --libs sysprof-capture-4)
mkdir -p "$here/sysprof"
"$folder/capture" write "$folder/shop.syscap"
"$folder/capture" dump "$folder/shop.syscap" >"$here/sysprof/shop.frames"
xz -9 -c "$folder/shop.syscap" >"$here/sysprof/shop.syscap.xz"
