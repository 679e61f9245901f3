/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/* True if the location's machine code can be shown, as far as is known without opening a file: it
 * is an instruction of the kernel, of a jitdump, or of a file that was found or not yet looked for.
 * Any thread. */
gboolean pv_code_is_in_file (const PvProfile *profile, const PvSymbolTable *symbols,
                             PvLocationId location);
/* Module of the function's first location with such machine code; 0: none. */
PvModuleId pv_code_find_module (const PvProfile *profile, const PvSymbolTable *symbols,
                                PvFunctionId function);
