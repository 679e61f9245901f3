/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/legacy/legacy-session.h"

/* The section of symbols that jeprof and google-pprof put before a profile. */

/* Takes a "--- symbol" section, if there is one. */
void legacy_take_symbols (LegacySession *session);
/* The name that such a section has for the address, into session->frames. */
bool legacy_find_symbol (LegacySession *session, uint64_t lookup_addr);
