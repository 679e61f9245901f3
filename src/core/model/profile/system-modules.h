/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/model/profile/profile.h"

/* True if a module's file belongs to the distribution, judging by its path, or by its name if only
 * that was recorded. For modules of kind PV_MODULE_FILE. */
bool pv_module_is_system (const PvModule *module);
