/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pages/summary-rows.h"
#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/* The notes of a profile and its symbols as rows of a section, each with the button that does
 * something about it; of many, most are folded away. */
void pv_summary_notes_show (PvSection *section, const PvProfile *profile,
                            const PvSymbolTable *symbols);
