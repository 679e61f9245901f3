#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# list-targets.sh [--readers]: names of the fuzz targets: a file fuzz-NAME.c each, and fuzz-reader.c for each reader
# without one; or only those readers.
cd "$(dirname "$0")" || exit 1
for name in $(sed -n 's/^ *READER (\([a-z0-9_]*\)).*/\1/p' ../../src/core/read/readers.h | tr _ -); do
    [ -e "fuzz-$name.c" ] || echo "$name"
done
[ "${1:-}" = --readers ] || ls fuzz-*.c | sed 's/^fuzz-//; s/\.c$//; /^reader$/d'
