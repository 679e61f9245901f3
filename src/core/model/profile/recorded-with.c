/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/recorded-with.h"

#include <glib.h>
#include <string.h>

static const char prefix[] = "# recorded with: ";

/* NULL if nothing remains. */
static char *
clean (const char *command, size_t len)
{
    size_t kept = MIN (len, PV_RECORDED_WITH_MAX_BYTES);
    /* Does not cut within a character, which would count as damage. */
    while (kept < len && kept > 0 && ((unsigned char)command[kept] & 0xc0) == 0x80)
        kept--;
    g_autofree char *valid = g_utf8_make_valid (command, (gssize)kept);
    g_autoptr (GString) text = g_string_new (NULL);
    for (const char *at = valid; *at != '\0'; at = g_utf8_next_char (at)) {
        gunichar c = g_utf8_get_char (at);
        g_string_append_unichar (text, g_unichar_isprint (c) && !g_unichar_isspace (c) ? c : ' ');
    }
    if (kept < len)
        g_string_append (text, "…");
    g_strstrip (text->str);
    return *text->str != '\0' ? g_strdup (text->str) : NULL;
}

char *
pv_recorded_with_make_line (const char *command)
{
    g_assert (command != NULL);
    g_autofree char *text = clean (command, strlen (command));
    return text != NULL ? g_strconcat (prefix, text, "\n", NULL) : NULL;
}

char *
pv_recorded_with_find (const char *line, size_t len)
{
    g_assert (line != NULL || len == 0);
    size_t prefix_len = strlen (prefix);
    if (len <= prefix_len || memcmp (line, prefix, prefix_len) != 0)
        return NULL;
    return clean (line + prefix_len, len - prefix_len);
}

const char *
pv_recording_cut_find (const char *line, size_t len)
{
    static const char *const reasons[] = {PV_CUT_DISK_FULL, PV_CUT_WRITE_ERROR, PV_CUT_STOPPED,
                                          PV_CUT_PROFVIEW_KILLED};
    g_assert (line != NULL || len == 0);
    size_t prefix_len = strlen (PV_RECORDING_CUT);
    if (len < prefix_len || memcmp (line, PV_RECORDING_CUT, prefix_len) != 0)
        return NULL;
    for (unsigned i = 0; i < G_N_ELEMENTS (reasons); i++)
        if (strlen (reasons[i]) == len - prefix_len &&
            memcmp (reasons[i], line + prefix_len, len - prefix_len) == 0)
            return reasons[i];
    return NULL;
}
