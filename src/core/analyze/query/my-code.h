/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/*
 * Tells which functions the user most likely wrote. All may be called from any thread.
 */

/* True unless it is code of the distribution, the kernel or the vDSO, of the standard library or
 * run time of C, C++, Rust, Go or Java, even where a compiler put it into the user's program, or an
 * allocator. Decides by module, file and name. module is the function's own, or NULL. */
bool pv_is_my_code (const PvFunction *function, const PvModule *module);
bool pv_is_kernel_code (const PvModule *module);
/* True for kernel functions that only lead from the entry to the requested work, such as
 * do_syscall_64. */
bool pv_is_kernel_entry (const char *name);
/* True for functions in which the kernel handles an interrupt, on the stack of whatever it
 * interrupts. */
bool pv_is_kernel_interrupt (const char *name);
