/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spelling.h"

#include <string.h>

PvProfile *
try_to_read (const PvReader *reader, const char *text, GError **error)
{
    PvReadContext context = {0};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvMappedFile *file = pv_mapped_file_new_take (g_memdup2 (text, strlen (text)), strlen (text));
    g_assert_true (pv_read_find_reader (file) == reader);
    bool is_read = pv_read_bytes (file, builder, &context, error);
    pv_mapped_file_unref (file);
    return is_read ? pv_profile_builder_snapshot (builder) : NULL;
}

PvProfile *
read_well (const PvReader *reader, const char *text)
{
    g_autoptr (GError) error = NULL;
    PvProfile *profile = try_to_read (reader, text, &error);
    g_assert_no_error (error);
    return profile;
}

char *
spell_frames (const PvProfile *profile, PvStackId stack)
{
    GString *text = g_string_new (NULL);
    for (; stack != 0; stack = profile->parent_of_stack[stack]) {
        PvLocationId location = profile->location_of_stack[stack];
        const PvGivenFrame *frame = &profile->given_frames[profile->given_of_location[location]];
        g_string_prepend (text, text->len > 0 ? ";" : "");
        g_string_prepend (text, frame->name != NULL ? frame->name : "?");
    }
    return g_string_free (text, FALSE);
}

static int
compare_lines (const void *a, const void *b)
{
    return strcmp (*(char *const *)a, *(char *const *)b);
}

char *
join_sorted (GPtrArray *lines)
{
    g_ptr_array_sort (lines, compare_lines);
    g_ptr_array_add (lines, NULL);
    return g_strjoinv ("\n", (char **)lines->pdata);
}

char *
spell_samples (const PvProfile *profile)
{
    g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        const PvSampleSet *set = &profile->sets[s];
        for (uint32_t i = 0; i < set->n_samples; i++) {
            const PvThread *thread = &profile->threads[pv_sample_set_thread (set, i)];
            g_autofree char *frames = spell_frames (profile, set->stack[i]);
            g_ptr_array_add (lines,
                             g_strdup_printf ("%s %s %" G_GUINT64_FORMAT "+%" G_GUINT64_FORMAT
                                              " %" G_GUINT64_FORMAT " %s",
                                              set->name, thread->name != NULL ? thread->name : "",
                                              pv_sample_set_time_ns (set, i),
                                              set->duration_ns != NULL ? set->duration_ns[i] : 0,
                                              pv_sample_set_weight (set, 0, i), frames));
        }
    }
    return join_sorted (lines);
}
