/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Whether one of the texts, which may be NULL, has each word of what was typed, in any case. */
gboolean pv_search_words_match (const char *typed, const char *const *texts, unsigned n_texts);
