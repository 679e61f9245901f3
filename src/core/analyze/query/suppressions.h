/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/*
 * Leaks that are known and meant, and so do not count as leaked. The lines are those of
 * LeakSanitizer: "leak:PATTERN"; empty lines and those that start with '#' say nothing. A pattern
 * is looked for anywhere in a string, "^" at its start and "$" at its end bind it there, and "*" is
 * any text. It matches a stack if it matches the function, the file or the module of any of its
 * frames, inlined ones too.
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
/* The patterns of both, each of which may be NULL, as new ones. */
PvSuppressions *pv_suppressions_join (const PvSuppressions *a, const PvSuppressions *b);
bool pv_suppressions_equal (const PvSuppressions *a, const PvSuppressions *b); /* by patterns */

/*
 * Which stacks are suppressed: by the user's suppressions, which may be NULL, and, with
 * with_defaults, by those built in and those that came with the profile. One bool for each stack,
 * g_free () it; NULL if there is none.
 */
bool *pv_suppressions_match_stacks (const PvSuppressions *suppressions, bool with_defaults,
                                    const PvProfile *profile, const PvSymbolTable *symbols);

/* Bytes of a heap that were live when the recording ended: those that count as leaked, and those
 * that are suppressed. Both 0 without a heap. */
void pv_suppressions_sum_leaks (const PvSuppressions *suppressions, bool with_defaults,
                                const PvProfile *profile, const PvSymbolTable *symbols,
                                uint64_t *ret_leaked, uint64_t *ret_suppressed);

/* An answer of pv_suppressions_match_stacks () that is kept, and what it answers. Immutable. */
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
