/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/model/profile/symbols.h"

/* Whether a function does nothing but allocate memory: malloc and its kin, operator new, allocator
 * classes and the members of containers that only call them, Rust's alloc crate, GLib's g_malloc
 * and so on; and everything in a shared library that is an allocator, whether it has a name or not.
 * Functions that put something into the memory (strdup, std::make_shared) do not count. Decides by
 * the short name and the name of the function's module; no state, any thread. */
bool pv_is_allocator (const PvFunction *function, const char *module_name);
