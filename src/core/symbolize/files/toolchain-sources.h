/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * Where this machine may have sources that compilers name in ways of their own:
 * - Rust's library as "/rustc/COMMIT/library/...": in rustup's toolchains, or the distribution's
 *   package (https://rust-lang.github.io/rfcs/3127-trim-paths.html);
 * - crates as ".../registry/src/INDEX/NAME-VERSION/..." or ".../git/checkouts/...": in Cargo's
 * home;
 * - Go's library as ".../go/src/..." or, with -trimpath, "runtime/proc.go": in GOROOT;
 * - Go modules as ".../pkg/mod/PATH@VERSION/..." or "PATH@VERSION/...": in Go's module cache, whose
 *   folders have "!a" for "A" (https://go.dev/ref/mod#module-cache).
 * Paths in this order; files need not exist. Lists folders of the user's home. Never NULL; free
 * with g_strfreev (). Any thread.
 */
char **pv_toolchain_list_sources (const char *recorded_path);
