/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/model/profile/profile.h"

/* Whether the file of a module is the distribution's, judged by its path, or by its name where only
 * that was recorded. For modules of kind PV_MODULE_FILE. */
bool pv_module_is_system (const PvModule *module);
