/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/* The name of modules that are not known. */
#define PV_COMPARE_NAMELESS "[unknown]"

/* True for what stands for addresses without code, in formats that have only names too. */
bool pv_compare_is_unmapped (const PvFunction *function, const PvProfile *profile);

/* True for the module of what is in no file that is known. */
bool pv_compare_is_nowhere (const PvModule *module);

/* True if both have a build-id, and the same. */
bool pv_compare_is_same_build (const PvModule *a, const PvModule *b);

/* True if a profile says of some code which file it is in. */
bool pv_compare_has_files (const PvProfile *profile);

/* True for folded stacks, which do not tell what their numbers count, and have no semicolons in
 * names. */
bool pv_compare_is_folded (const PvProfile *profile);

/* "libfoo.so" for "libfoo.so.1.2", "server" for "server-1.2.3"; g_free () it. */
char *pv_compare_make_module_name (const PvModule *module);
