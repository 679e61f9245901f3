/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/*
 * Known or intended leaks, which do not count as leaked. The syntax is LeakSanitizer's:
 * "leak:PATTERN", one per line; empty lines and lines starting with '#' are ignored. A pattern
 * matches anywhere in a string; "^" at its start and "$" at its end anchor it, and "*" is any text.
 * It matches a stack if it matches the function, file or module of any frame, including inlined
 * ones.
 *
 * Immutable and reference counted; any thread.
 */
typedef struct PvSuppressions PvSuppressions;

/* Parses the contents of a file. NULL with an error that contains name and the number of the bad
 * line. */
PvSuppressions *pv_suppressions_parse (const char *text, size_t size_bytes, const char *name,
                                       GError **error);
PvSuppressions *pv_suppressions_load (const char *path, GError **error);

/* NULL gives NULL. */
PvSuppressions *pv_suppressions_ref (PvSuppressions *suppressions);
void pv_suppressions_free (PvSuppressions *suppressions); /* drops one reference */
/* New suppressions with the patterns of both; either may be NULL. */
PvSuppressions *pv_suppressions_join (const PvSuppressions *a, const PvSuppressions *b);
bool pv_suppressions_equal (const PvSuppressions *a, const PvSuppressions *b); /* by patterns */

/*
 * Which stacks are suppressed: by the user's suppressions (may be NULL) and, if with_defaults, by
 * the built-in ones and those of the profile. One bool per stack, free with g_free (); NULL if no
 * stack is suppressed.
 */
bool *pv_suppressions_match_stacks (const PvSuppressions *suppressions, bool with_defaults,
                                    const PvProfile *profile, const PvSymbolTable *symbols);

/* The bytes live at the end of the recording: those that count as leaked, and those suppressed.
 * Both 0 without a heap. */
void pv_suppressions_sum_leaks (const PvSuppressions *suppressions, bool with_defaults,
                                const PvProfile *profile, const PvSymbolTable *symbols,
                                uint64_t *ret_leaked, uint64_t *ret_suppressed);

/* A cached result of pv_suppressions_match_stacks () with its arguments. Immutable. */
typedef struct {
    int ref_count;       /* atomic */
    bool *is_suppressed; /* one per stack; NULL: none */
    PvSuppressions *suppressions;
    bool with_defaults;
} PvSuppressedStacks;

PvSuppressedStacks *pv_suppressed_stacks_new (PvSuppressions *suppressions, bool with_defaults,
                                              const PvProfile *profile,
                                              const PvSymbolTable *symbols);
PvSuppressedStacks *pv_suppressed_stacks_ref (PvSuppressedStacks *stacks); /* NULL gives NULL */
void pv_suppressed_stacks_unref (PvSuppressedStacks *stacks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSuppressions, pv_suppressions_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSuppressedStacks, pv_suppressed_stacks_unref)
