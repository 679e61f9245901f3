/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* True if each typed word is in one of the texts, which may be NULL; ignores case. */
gboolean pv_search_words_match (const char *typed, const char *const *texts, unsigned n_texts);
