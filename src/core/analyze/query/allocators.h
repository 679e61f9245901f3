/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/model/profile/symbols.h"

/* True for functions that only allocate memory: the malloc family, operator new, allocator classes
 * and the container members that only call them, Rust's alloc crate, GLib's g_malloc and so on;
 * also everything in the shared library of an allocator, named or not. Functions that also fill the
 * memory (strdup, std::make_shared) do not count. Decides by the short name and the name of the
 * function's module. Any thread. */
bool pv_is_allocator (const PvFunction *function, const char *module_name);
