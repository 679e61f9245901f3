/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/* Whether the location is an instruction of the kernel, of a jitdump, or of a file that was found
 * or not yet looked for: its machine code can be shown, as far as is known without opening a file.
 * Any thread. */
gboolean pv_code_is_in_file (const PvProfile *profile, const PvSymbolTable *symbols,
                             PvLocationId location);
/* The module of the first location of the function of which that is so; 0: there is none. */
PvModuleId pv_code_find_module (const PvProfile *profile, const PvSymbolTable *symbols,
                                PvFunctionId function);
