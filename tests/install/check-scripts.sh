#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check-scripts.sh SOURCE: every script of the project is at least good syntax, and executable where it is meant to be.
set -eu
cd "$1"
status=0
for script in .ci/run build-aux/run build-aux/test build-aux/fuzz build-aux/package build-aux/lib.sh \
    build-aux/debian/tests/open-profile $(find tests -name '*.sh'); do
    bash -n "$script" || status=1
    case $script in
    */lib.sh) ;;
    *) [ -x "$script" ] || { echo "$script is not executable"; status=1; } ;;
    esac
done
find tests -name '*.py' -exec python3 -c '
import ast, sys
for name in sys.argv[1:]:
    ast.parse(open(name).read(), name)' {} + || status=1
exit $status
