/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/analyze/query/query.h"

/* Appends the members facts (title and value), options (those of the query) and notes (severity and
 * text) of a JSON object: what was recorded, and what is shown of it. */
void pv_page_facts_append (const PvProfile *profile, const PvSymbolTable *symbols,
                           const PvQuery *query, GString *out);
