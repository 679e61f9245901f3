/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/*
 * Known and intended leaks, which do not count as leaked. The syntax is LeakSanitizer's:
 * "leak:PATTERN", one per line; empty lines and those that start with '#' are ignored. A pattern
 * matches anywhere in a string; "^" at its start and "$" at its end anchor it, and "*" is any text.
 * It matches a stack if it matches the function, the file or the module of any of its frames,
 * inlined ones too.
 *
 * Immutable and reference counted; any thread may use one.
 */
typedef struct PvSuppressions PvSuppressions;

/* The lines of a file. NULL with an error that names the file and the line that is wrong; name is
 * what the message calls the file. */
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
 * Which stacks are suppressed: by the user's suppressions (may be NULL) and, with with_defaults, by
 * the built-in ones and those of the profile. One bool per stack, g_free () it; NULL if no stack is
 * suppressed.
 */
bool *pv_suppressions_match_stacks (const PvSuppressions *suppressions, bool with_defaults,
                                    const PvProfile *profile, const PvSymbolTable *symbols);

/* The bytes live when the recording ended: those that count as leaked, and those suppressed. Both 0
 * without a heap. */
void pv_suppressions_sum_leaks (const PvSuppressions *suppressions, bool with_defaults,
                                const PvProfile *profile, const PvSymbolTable *symbols,
                                uint64_t *ret_leaked, uint64_t *ret_suppressed);

/* A kept result of pv_suppressions_match_stacks () with its arguments. Immutable. */
typedef struct {
    int ref_count;       /* atomic */
    bool *is_suppressed; /* one per stack; NULL: none is */
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
