/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/intern.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/hash.h"

enum {
    FIRST_SLOTS = 64,
    LONG_BYTES = 1024, /* from here on, strings are also known by where they are */
};

/* If the hashes are equal, the strings are compared. */
typedef struct {
    uint32_t hash;
    PvStringId id; /* 0: slot is free */
} Slot;

struct PvInterner {
    PvArena *arena;
    Slot *slots;
    uint32_t mask; /* slots - 1; 0 before the first */
    PV_ARRAY (const char *) strings;
    GHashTable *long_strings; /* set of pointers; NULL: none */
};

PvInterner *
pv_interner_new (void)
{
    PvInterner *interner = g_new0 (PvInterner, 1);
    interner->arena = pv_arena_new ();
    pv_array_push (&interner->strings, "");
    return interner;
}

void
pv_interner_free (PvInterner *interner)
{
    if (interner == NULL)
        return;
    pv_interner_seal (interner);
    pv_array_clear (&interner->strings);
    pv_arena_free (interner->arena);
    g_free (interner);
}

/* Showable strings */

#define EVERY_BYTE(byte) (UINT64_MAX / 0xff * (byte))

/* True only if all eight bytes are ASCII without control characters; may be false even then. */
static inline bool
is_plain_word (const char *bytes)
{
    uint64_t word;
    memcpy (&word, bytes, sizeof word);
    uint64_t controls = (word - EVERY_BYTE (0x20)) | ((word ^ EVERY_BYTE (0x7f)) - EVERY_BYTE (1));
    return ((word | controls) & EVERY_BYTE (0x80)) == 0;
}

/* Only characters beyond ASCII. Joiners (U+200C, U+200D) stay: some scripts need them. */
static bool
is_harmful (gunichar c)
{
    return (c >= 0x80 && c < 0xa0) ||        /* control characters: CSI, OSC */
           c == 0xad ||                      /* soft hyphen: cannot be seen */
           c == 0x61c ||                     /* direction of Arabic */
           (c >= 0x115f && c <= 0x1160) ||   /* Hangul fillers */
           c == 0x180e || c == 0x200b ||     /* no width */
           (c >= 0x200e && c <= 0x200f) ||   /* direction */
           (c >= 0x2028 && c <= 0x202e) ||   /* lines, paragraphs; embedding and overriding */
           (c >= 0x2060 && c <= 0x206f) ||   /* no width, isolates, deprecated */
           c == 0x3164 || c == 0xffa0 ||     /* Hangul fillers */
           (c >= 0xfdd0 && c <= 0xfdef) ||   /* not characters */
           c == 0xfeff ||                    /* no width */
           (c >= 0xfff9 && c <= 0xfffb) ||   /* annotations hide text */
           (c & 0xfffe) == 0xfffe ||         /* not characters */
           (c >= 0x1d173 && c <= 0x1d17a) || /* controls of music */
           (c >= 0xe0000 && c <= 0xe0fff);   /* tags: cannot be seen */
}

static bool
is_showable_text (const char *string, size_t size_bytes)
{
    if (!g_utf8_validate_len (string, size_bytes, NULL))
        return false;
    for (const char *p = string; p < string + size_bytes; p = g_utf8_next_char (p)) {
        if ((uint8_t)*p >= 0x80 && is_harmful (g_utf8_get_char (p)))
            return false;
    }
    return true;
}

static bool
is_showable (const char *string, size_t size_bytes)
{
    bool is_ascii = true;
    size_t i = 0;
    while (size_bytes - i >= sizeof (uint64_t) && is_plain_word (string + i))
        i += sizeof (uint64_t);
    for (; i < size_bytes; i++) {
        uint8_t c = (uint8_t)string[i];
        if (c < 0x20 || c == 0x7f)
            return false;
        is_ascii &= c < 0x80;
    }
    return is_ascii || is_showable_text (string, size_bytes);
}

/* Marks and isolates, which change the order of nothing but what they stand beside or around. */
static bool
is_of_sentences (gunichar c)
{
    return (c >= 0x200e && c <= 0x200f) || (c >= 0x2068 && c <= 0x2069);
}

static char *
make_showable (const char *string, size_t size_bytes, bool is_sentence)
{
    g_assert (string != NULL || size_bytes == 0);
    GString *shown = g_string_sized_new (size_bytes);
    if (size_bytes == 0 || is_showable (string, size_bytes)) {
        g_string_append_len (shown, string, (gssize)size_bytes);
        return g_string_free (shown, FALSE);
    }
    g_autofree char *valid = g_utf8_make_valid (string, (gssize)size_bytes);
    for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p)) {
        gunichar c = g_utf8_get_char (p);
        bool is_bad = c < 0x20 || c == 0x7f ||
                      (c >= 0x80 && is_harmful (c) && !(is_sentence && is_of_sentences (c)));
        g_string_append_unichar (shown, is_bad ? 0xfffd : c);
    }
    return g_string_free (shown, FALSE);
}

char *
pv_make_showable (const char *string, size_t size_bytes)
{
    return make_showable (string, size_bytes, false);
}

char *
pv_make_showable_sentence (const char *sentence)
{
    return make_showable (sentence, strlen (sentence), true);
}

/* Strings */

/* Keeps the table at most two thirds full, so that runs of taken slots stay short. */
static void
make_room (PvInterner *interner)
{
    if (interner->slots != NULL && interner->strings.len < interner->mask / 3 * 2)
        return;
    g_autofree Slot *old = g_steal_pointer (&interner->slots);
    uint32_t n_old = old != NULL ? interner->mask + 1 : 0;
    interner->mask = MAX (n_old * 2, FIRST_SLOTS) - 1;
    interner->slots = g_new0 (Slot, (size_t)interner->mask + 1);
    for (uint32_t i = 0; i < n_old; i++) {
        uint32_t at = old[i].hash & interner->mask;
        while (old[i].id != 0 && interner->slots[at].id != 0)
            at = (at + 1) & interner->mask;
        if (old[i].id != 0)
            interner->slots[at] = old[i];
    }
}

static bool
is_same (const char *known, const char *string, size_t size_bytes)
{
    return strncmp (known, string, size_bytes) == 0 && known[size_bytes] == '\0';
}

/* The slot of a printable string; a free slot gets the hash. */
static Slot *
find_slot (PvInterner *interner, const char *string, size_t size_bytes)
{
    make_room (interner);
    uint32_t hash = (uint32_t)pv_hash_bytes (string, size_bytes, 0).a;
    Slot *slot = &interner->slots[hash & interner->mask];
    while (slot->id != 0 &&
           (slot->hash != hash || !is_same (interner->strings.data[slot->id], string, size_bytes)))
        slot = &interner->slots[(size_t)(slot + 1 - interner->slots) & interner->mask];
    slot->hash = hash;
    return slot;
}

static PvStringId
put (PvInterner *interner, Slot *slot, const char *string)
{
    slot->id = (PvStringId)interner->strings.len;
    pv_array_push (&interner->strings, string);
    return slot->id;
}

PvStringId
pv_interner_add_len (PvInterner *interner, const char *string, size_t size_bytes)
{
    g_assert (interner != NULL && (string != NULL || size_bytes == 0));
    g_autofree char *shown = NULL;
    if (size_bytes == 0)
        return 0;
    if (!is_showable (string, size_bytes)) {
        string = shown = pv_make_showable (string, size_bytes);
        size_bytes = strlen (shown);
    }
    Slot *slot = find_slot (interner, string, size_bytes);
    if (slot->id != 0)
        return slot->id;
    char *copy = pv_arena_strndup (interner->arena, string, size_bytes);
    if (size_bytes >= LONG_BYTES) {
        if (interner->long_strings == NULL)
            interner->long_strings = g_hash_table_new (NULL, NULL);
        g_hash_table_add (interner->long_strings, copy);
    }
    return put (interner, slot, copy);
}

PvStringId
pv_interner_lend (PvInterner *interner, const char *string)
{
    g_assert (interner != NULL && string != NULL);
    if (*string == '\0')
        return 0;
    Slot *slot = find_slot (interner, string, strlen (string));
    return slot->id != 0 ? slot->id : put (interner, slot, string);
}

PvStringId
pv_interner_add (PvInterner *interner, const char *string)
{
    return pv_interner_add_len (interner, string, strlen (string));
}

bool
pv_interner_has_long (const PvInterner *interner, const char *string)
{
    g_assert (interner != NULL);
    return interner->long_strings != NULL && g_hash_table_contains (interner->long_strings, string);
}

void
pv_interner_seal (PvInterner *interner)
{
    g_clear_pointer (&interner->slots, g_free);
    g_clear_pointer (&interner->long_strings, g_hash_table_unref);
    interner->mask = 0;
}

const char *
pv_interner_get (const PvInterner *interner, PvStringId id)
{
    g_assert (id < interner->strings.len);
    return interner->strings.data[id];
}

uint32_t
pv_interner_get_count (const PvInterner *interner)
{
    return (uint32_t)interner->strings.len;
}

size_t
pv_interner_count_bytes (const PvInterner *interner)
{
    g_assert (interner != NULL);
    size_t n_slots = interner->slots != NULL ? (size_t)interner->mask + 1 : 0;
    return pv_arena_count_bytes (interner->arena) + n_slots * sizeof (Slot) +
           interner->strings.cap * sizeof (char *);
}
