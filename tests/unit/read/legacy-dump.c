/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "legacy-dump.h"
#include "../cases.h"

#include <glib/gstdio.h>
#include <string.h>

PvProfile *
read_legacy_bytes (const void *data, size_t size_bytes)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    /* At least one byte, so that there is an end to run over. */
    void *copy = g_malloc (size_bytes + 1);
    memcpy (copy, data, size_bytes);
    copy = g_realloc (copy, MAX (size_bytes, 1));
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (copy, size_bytes);
    PvReadContext context = {0};
    bool ok = assert_ok (error, pv_read_bytes (file, builder, &context, &error));
    g_assert_true (ok);
    return pv_profile_builder_snapshot (builder);
}

PvProfile *
read_legacy (const char *text)
{
    return read_legacy_bytes (text, strlen (text));
}

PvProfile *
read_legacy_named (const char *text, const char *name)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autofree char *folder = g_dir_make_tmp (NULL, NULL);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    PvReadContext context = {0};
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
    bool ok = assert_ok (error, pv_read (path, 1 << 20, builder, &context, &error));
    g_assert_true (ok);
    g_unlink (path);
    g_rmdir (folder);
    return pv_profile_builder_snapshot (builder);
}

static void
add_given (GString *text, const PvGivenFrame *frame)
{
    for (bool is_last = false; !is_last; frame++) {
        is_last = frame->is_last;
        g_string_append (text, frame->name != NULL ? frame->name : "?");
        if (frame->file != NULL)
            g_string_append_printf (text, "@%s", frame->file);
        if (frame->line > 0)
            g_string_append_printf (text, ":%u", frame->line);
        if (!is_last)
            g_string_append_c (text, '<');
    }
}

static void
add_frames (GString *text, const PvProfile *profile, PvStackId stack)
{
    if (stack == 0)
        return;
    add_frames (text, profile, profile->parent_of_stack[stack]);
    if (profile->parent_of_stack[stack] != 0)
        g_string_append_c (text, ';');
    PvLocationId location = profile->location_of_stack[stack];
    if (profile->given_of_location != NULL && profile->given_of_location[location] != UINT32_MAX) {
        add_given (text, &profile->given_frames[profile->given_of_location[location]]);
        return;
    }
    const PvModule *module = &profile->modules[profile->module_of_location[location]];
    g_string_append_printf (text, "%s+0x%" G_GINT64_MODIFIER "x%s", module->name,
                            profile->address_of_location[location],
                            profile->kind_of_location[location] == PV_LOCATION_EXACT ? "!" : "");
}

static void
add_labels (GString *text, const PvProfile *profile, const PvSampleSet *set, uint32_t sample)
{
    uint32_t labels = set->label_set != NULL ? set->label_set[sample] : 0;
    if (labels == 0)
        return;
    for (uint32_t i = profile->first_label_of_set[labels];
         i < profile->first_label_of_set[labels + 1]; i++) {
        const PvLabel *label = &profile->labels[i];
        if (label->text != NULL)
            g_string_append_printf (text, " {%s=%s}", label->key, label->text);
        else
            g_string_append_printf (text, " {%s=%" G_GINT64_FORMAT " %s}", label->key,
                                    label->number, label->unit);
    }
}

char *
legacy_samples_text (const PvProfile *profile)
{
    GString *text = g_string_new (NULL);
    g_assert_cmpuint (profile->n_sets, ==, 1);
    const PvSampleSet *set = &profile->sets[0];
    for (uint32_t s = 0; s < set->n_samples; s++) {
        add_frames (text, profile, set->stack[s]);
        for (uint32_t m = 0; m < profile->n_weights; m++)
            g_string_append_printf (text, " %" G_GUINT64_FORMAT,
                                    pv_sample_set_weight (set, profile->measures[m].column, s));
        add_labels (text, profile, set, s);
        const PvThread *thread = &profile->threads[pv_sample_set_thread (set, s)];
        if (pv_sample_set_thread (set, s) != 0)
            g_string_append_printf (text, " [%d%s%s]", thread->tid, *thread->name ? " " : "",
                                    thread->name);
        g_string_append_c (text, '\n');
    }
    return g_string_free (text, FALSE);
}

char *
measures_text (const PvProfile *profile)
{
    static const char *const units[] = {"count", "ns", "bytes", "byte-ms"};
    GString *text = g_string_new (NULL);
    for (uint32_t m = 0; m < profile->n_weights; m++) {
        const PvMeasure *measure = &profile->measures[m];
        g_string_append_printf (
            text, "%s%s %s %s %" G_GUINT64_FORMAT, m > 0 ? ", " : "", measure->name,
            measure->unit_name != NULL ? measure->unit_name : units[measure->unit],
            measure->aggregation == PV_AGGREGATION_STATE ? "state" : "sum", measure->total);
    }
    return g_string_free (text, FALSE);
}

uint32_t
count_notes (const PvProfile *profile)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < profile->n_notes; i++) {
        g_test_message ("%s", profile->notes[i].text);
        n += profile->notes[i].kind != PV_NOTE_MISSING_BINARY;
    }
    return n;
}

void
assert_legacy_samples (const char *text, const char *expected)
{
    g_autoptr (PvProfile) profile = read_legacy (text);
    assert_string (legacy_samples_text (profile), expected);
}

void
assert_clean_samples (const char *text, const char *expected)
{
    g_autoptr (PvProfile) profile = read_legacy (text);
    g_assert_cmpuint (count_notes (profile), ==, 0);
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    assert_string (legacy_samples_text (profile), expected);
}

void
assert_measures (const char *text, const char *expected)
{
    g_autoptr (PvProfile) profile = read_legacy (text);
    assert_string (measures_text (profile), expected);
}
