/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Whether every word of what was typed is in one of the texts, whatever the case. Texts may be
 * NULL.
 */
gboolean pv_search_words_match (const char *typed, const char *const *texts, unsigned n_texts);
