/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>

#include "core/model/profile/symbols.h"

/*
 * The package of a function: the crate of Rust, the outermost namespace of C++, the package of Go,
 * Java or Python. Found in the demangled name alone.
 */

/* The start of the package in name; *ret_len is its length in bytes, 0 if it has no package. Any
 * thread. */
const char *pv_package_find (const char *name, size_t *ret_len);

/* The same for a function; those without a name of their own have no package. */
const char *pv_function_find_package (const PvFunction *function, size_t *ret_len);
