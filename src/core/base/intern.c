#include "core/base/intern.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/idmap.h"

struct PvInterner {
    PvArena *arena;
    PvHashMap map; /* hash of the string -> id */
    PV_ARRAY (const char *) strings;
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
    pv_hash_map_clear (&interner->map);
    pv_array_clear (&interner->strings);
    pv_arena_free (interner->arena);
    g_free (interner);
}

static bool
is_showable (const char *string, size_t size_bytes)
{
    bool is_ascii = true;
    for (size_t i = 0; i < size_bytes; i++) {
        uint8_t c = (uint8_t)string[i];
        if (c < 0x20 || c == 0x7f)
            return false;
        is_ascii &= c < 0x80;
    }
    return is_ascii || g_utf8_validate_len (string, size_bytes, NULL);
}

/* Whatever cannot be shown becomes U+FFFD, the replacement character. */
static char *
make_showable (const char *string, size_t size_bytes)
{
    g_autofree char *valid = g_utf8_make_valid (string, (gssize)size_bytes);
    GString *shown = g_string_new (NULL);
    for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p)) {
        gunichar c = g_utf8_get_char (p);
        g_string_append_unichar (shown, c < 0x20 || c == 0x7f ? 0xfffd : c);
    }
    return g_string_free (shown, FALSE);
}

PvStringId
pv_interner_add_len (PvInterner *interner, const char *string, size_t size_bytes)
{
    if (size_bytes == 0)
        return 0;
    uint32_t *slot = pv_hash_map_slot (&interner->map, pv_hash_bytes (string, size_bytes, 0));
    if (*slot != 0)
        return *slot;

    PvStringId id = (PvStringId)interner->strings.len;
    *slot = id;
    if (is_showable (string, size_bytes)) {
        pv_array_push (&interner->strings, pv_arena_strndup (interner->arena, string, size_bytes));
    } else {
        g_autofree char *shown = make_showable (string, size_bytes);
        pv_array_push (&interner->strings,
                       pv_arena_strndup (interner->arena, shown, strlen (shown)));
    }
    return id;
}

PvStringId
pv_interner_add (PvInterner *interner, const char *string)
{
    return pv_interner_add_len (interner, string, strlen (string));
}

void
pv_interner_seal (PvInterner *interner)
{
    pv_hash_map_clear (&interner->map);
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
