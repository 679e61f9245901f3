/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/legacy/legacy-session.h"

/* The symbol section that jeprof and google-pprof write before a profile. */

/* Takes a "--- symbol" section, if there is one. */
void legacy_take_symbols (LegacySession *session);
/* Stores the section's names for an address in session->frames; false if it has none. */
bool legacy_find_symbol (LegacySession *session, uint64_t lookup_addr);
