/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"

/* The fields of a sample as text: "comm=worker, pid=101", at most some hundred characters of it.
 * NULL: no fields, or they were not retained. g_free () it. */
char *pv_format_mark_fields (const PvProfile *profile, uint32_t set, uint32_t sample);
