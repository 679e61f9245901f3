#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t PvStringId;

/*
 * Keeps one copy of each distinct string. Id 0 is the empty string. Strings stay where they are
 * until pv_interner_free (). Bytes that are not UTF-8 are replaced on the way in, and control
 * characters too, so every string in a profile can be shown. Not thread-safe.
 */
typedef struct PvInterner PvInterner;

PvInterner *pv_interner_new (void);
void pv_interner_free (PvInterner *interner);

PvStringId pv_interner_add (PvInterner *interner, const char *string);
PvStringId pv_interner_add_len (PvInterner *interner, const char *string, size_t size_bytes);

/* Nothing will be added any more: gives back the memory that only adding needs. */
void pv_interner_seal (PvInterner *interner);

/* Never NULL; valid as long as the interner. */
const char *pv_interner_get (const PvInterner *interner, PvStringId id);
uint32_t pv_interner_get_count (const PvInterner *interner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvInterner, pv_interner_free)
