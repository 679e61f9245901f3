/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"
#include "app/pages/summary-rows.h"

/* The notes of a profile and its symbols as rows of a section, each with the button that does
 * something about it; of many, most are folded away. */
void pv_summary_notes_show (PvSection *section, PvDocument *document);
