/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t PvStringId;

/* Memory that a string may take in addition to its bytes. */
#define PV_INTERNED_BYTES ((size_t)64)

/*
 * Keeps one copy of each distinct string. Id 0 is the empty string. Strings stay where they are
 * until pv_interner_free (). A string is made showable when it is added, so every string in a
 * profile can be shown; strings that become equal have one id. Not thread-safe.
 */
typedef struct PvInterner PvInterner;

/* A copy of a string that can be shown anywhere: in a terminal, a label, a file of XML. What is not
 * UTF-8 or a character, control characters, and characters that hide text or change its order
 * become U+FFFD each. */
char *pv_make_showable (const char *string, size_t size_bytes);

/* The same for a sentence of ours that names are put into: marks of direction and isolates stay,
 * which translations need. */
char *pv_make_showable_sentence (const char *sentence);

PvInterner *pv_interner_new (void);
void pv_interner_free (PvInterner *interner);

PvStringId pv_interner_add (PvInterner *interner, const char *string);
PvStringId pv_interner_add_len (PvInterner *interner, const char *string, size_t size_bytes);

/* The same, but does not copy a new string: it must belong to an interner that lives longer. */
PvStringId pv_interner_lend (PvInterner *interner, const char *string);

/* True for a string of this interner that is so long that to hash it again would cost time; false
 * for short ones, and after pv_interner_seal (). Constant time. */
bool pv_interner_has_long (const PvInterner *interner, const char *string);

/* Frees the memory that only adding needs; nothing may be added afterwards. */
void pv_interner_seal (PvInterner *interner);

/* Never NULL; valid as long as the interner. */
const char *pv_interner_get (const PvInterner *interner, PvStringId id);
uint32_t pv_interner_get_count (const PvInterner *interner);

/* All memory that the interner uses. */
size_t pv_interner_count_bytes (const PvInterner *interner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvInterner, pv_interner_free)
