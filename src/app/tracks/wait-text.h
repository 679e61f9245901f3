/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/time/wait-index.h"
#include "core/model/profile/symbols.h"

/* "Blocked for 3.2 ms, 3.1 ms of it because of saver (4710), woken by worker (4711), from push,
 * while in futex_wait, then queued for 12 µs": a wait of the index, as far as it is known; g_free
 * () it. */
char *pv_format_wait (const PvWaitIndex *index, const PvSymbolTable *symbols, uint32_t sample);
