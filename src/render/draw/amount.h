/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

#include "core/model/profile/profile.h"

/* Amounts in pictures; g_free () the texts. */

/* 12402113 as "12,402,113". */
char *pv_render_format_count (uint64_t count);
/* With its unit: "1.42 GiB", "3.250 ms", "12,402,113". */
char *pv_render_format_amount (uint64_t amount, PvUnit unit);
