/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reader-case.h"

#include <string.h>

PvProfile *
read_piece (const PvReader *reader, const void *data, size_t size_bytes, GError **error)
{
    PvReadContext context = {0};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (data, size_bytes), size_bytes);
    bool is_read = pv_reader_read (reader, file, NULL, NULL, builder, &context, error);
    return is_read ? pv_profile_builder_snapshot (builder) : NULL;
}

PvProfile *
try_to_read_bytes (const PvReader *reader, const void *data, size_t size_bytes, GError **error)
{
    PvReadContext context = {0};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (data, size_bytes), size_bytes);
    g_assert_true (reader == NULL || pv_read_find_reader (file) == reader);
    bool is_read = pv_read_bytes (file, builder, &context, error);
    return is_read ? pv_profile_builder_snapshot (builder) : NULL;
}

PvProfile *
try_to_read (const PvReader *reader, const char *text, GError **error)
{
    return try_to_read_bytes (reader, text, strlen (text), error);
}

PvProfile *
read_well (const PvReader *reader, const char *text)
{
    return assert_ok (error, try_to_read (reader, text, &error));
}

void
assert_refused (const PvReader *reader, const char *text, PvReadError code)
{
    g_test_message ("%s", text);
    assert_error (error, try_to_read (reader, text, &error), PV_READ_ERROR, (int)code);
}

void
assert_sniffs (const PvReader *reader, const SniffedText *samples, size_t n_samples)
{
    for (size_t i = 0; i < n_samples; i++) {
        g_test_message ("%s", samples[i].text);
        g_assert_true (reader->sniff ((const uint8_t *)samples[i].text, strlen (samples[i].text)) ==
                       samples[i].is_its);
    }
}

bool
has_note (const PvProfile *profile, const char *part)
{
    for (uint32_t i = 0; i < profile->n_notes; i++)
        if (strstr (profile->notes[i].text, part) != NULL)
            return true;
    return false;
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

void
spell_places (GString *text, const PvProfile *profile, PvStackId stack)
{
    for (; stack != 0; stack = profile->parent_of_stack[stack]) {
        PvLocationId location = profile->location_of_stack[stack];
        const PvGivenFrame *frame = &profile->given_frames[profile->given_of_location[location]];
        const PvModule *module = &profile->modules[profile->module_of_location[location]];
        for (bool is_last = false; !is_last; frame++) {
            is_last = frame->is_last;
            g_string_append_printf (text, " %s", frame->name);
            if (frame->file != NULL)
                g_string_append_printf (text, ":%s", frame->file);
            if (frame->file != NULL || frame->line > 0)
                g_string_append_printf (text, ":%u", frame->line);
            if (module->kind == PV_MODULE_FILE && g_strcmp0 (module->path, frame->file) != 0)
                g_string_append_printf (text, "@%s", module->path);
            g_string_append (text, is_last ? "" : "[inlined]");
        }
    }
}

char *
spell_weights (const PvProfile *profile)
{
    GString *text = g_string_new (NULL);
    g_assert_cmpuint (profile->n_sets, ==, 1);
    const PvSampleSet *set = &profile->sets[0];
    for (uint32_t i = 0; i < set->n_samples; i++) {
        for (PvMeasureId m = 0; m < profile->n_measures; m++)
            g_string_append_printf (text, "%s%s=%" G_GUINT64_FORMAT, m > 0 ? " " : "",
                                    profile->measures[m].name,
                                    pv_sample_set_weight (set, profile->measures[m].column, i));
        spell_places (text, profile, set->stack[i]);
        g_string_append_c (text, '\n');
    }
    return g_string_free (text, false);
}
