/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"
#include "app/summary/summary-rows.h"

/* The notes of a document as rows of a section, with a button where something can be done. Most of
 * many are folded away. */
void pv_summary_notes_show (PvSection *section, PvDocument *document);
