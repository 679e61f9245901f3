/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * A regular expression with a budget: expression and texts may come from a hostile file. A matcher
 * takes at most about 0.4 s more than an ordinary expression would need for the same texts;
 * after that it gives up, and says so. Reference counted; all functions may be called by any
 * thread.
 */
typedef struct PvMatcher PvMatcher;

/* NULL with a G_REGEX_ERROR if the expression, in UTF-8, is invalid or too long. */
PvMatcher *pv_matcher_new (const char *expression, bool ignores_case, GError **error);
PvMatcher *pv_matcher_ref (PvMatcher *matcher); /* NULL gives NULL */
void pv_matcher_unref (PvMatcher *matcher);

/* True if an expression is valid, else false with a G_REGEX_ERROR. */
bool pv_matcher_check (const char *expression, GError **error);

/* False also where the budget was spent before an answer was found. NULL never matches. */
bool pv_matcher_match (PvMatcher *matcher, const char *text);

/* True if an answer was false because the budget was spent. */
bool pv_matcher_gave_up (const PvMatcher *matcher);

/* The error about an expression whose matcher gave up: a G_REGEX_ERROR. */
void pv_matcher_set_slow (const char *expression, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvMatcher, pv_matcher_unref)
