/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/matcher.h"
#include "core/model/profile/symbols.h"

/* True if the function's name matches, in full or in short, or the one that it has in the base of a
 * comparison. Any thread. */
bool pv_function_matches (const PvSymbolTable *symbols, PvFunctionId function, PvMatcher *matcher);
