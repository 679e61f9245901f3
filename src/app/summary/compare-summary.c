/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/summary/compare-summary.h"

#include <glib/gi18n.h>

#include "app/work/query-text.h"
#include "core/analyze/compare/compare-text.h"
#include "core/base/format.h"
#include "core/model/profile/note-groups.h"

#define MAX_NOTES_OF_SIDE 6
#define MAX_MEASURES      8

/* Changes */

void
pv_compare_summary_add_changes (PvSection *section, PvDocument *document)
{
    const PvComparedSums *sums = pv_document_get (document)->sums;
    g_autofree char *certainty = NULL;

    if (sums == NULL)
        return;
    certainty = pv_compare_describe_certainty (sums->functions);
    pv_section_add (section, pv_text_row_new (certainty, NULL));
    for (unsigned i = 0; sums->sentences[i] != NULL; i++) {
        GtkWidget *row = pv_text_row_new (sums->sentences[i], NULL);
        gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
        gtk_widget_add_css_class (row, "pv-top");
        g_object_set_data (G_OBJECT (row), "function",
                           GUINT_TO_POINTER (sums->function_of_sentence[i]));
        pv_section_add (section, row);
    }
    if (sums->sentences[0] == NULL)
        pv_section_add (section, pv_text_row_new (sums->functions->noise == NULL
                                                      ? _ ("Nothing changed.")
                                                      : _ ("Nothing changed beyond noise."),
                                                  NULL));
}

/* Both sides */

/* "441 → 462": samples that the query keeps. */
static void
add_samples (PvSection *section, const PvChanges *changes)
{
    g_autofree char *texts[PV_N_SIDES + 1] = {NULL};
    g_autofree char *text = NULL;

    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        PvMeasureId measure = changes->pair->samples_of_side[side];
        const PvMeasureColumn *samples =
            measure != UINT32_MAX ? pv_measure_sums_find (changes->sums, measure) : NULL;
        if (samples == NULL)
            return;
        texts[side] = pv_format_count (samples->whole);
    }
    text = g_strdup_printf (_ ("%s → %s"), texts[PV_SIDE_BASE], texts[PV_SIDE_NEW]);
    pv_section_add_fact (section, C_ ("fact", "Samples"), text);
}

/* "2.62 s → 2.85 s, +222 ms (+8.5 %)": what was recorded, not scaled. */
static char *
describe_pair (const PvProfile *profile, const PvPair *pair)
{
    uint64_t base = profile->measures[pair->of_side[PV_SIDE_BASE]].total;
    uint64_t newer = profile->measures[pair->of_side[PV_SIDE_NEW]].total;
    PvUnit unit = profile->measures[pair->both].unit;
    g_autofree char *base_text = pv_format_amount (base, unit);
    g_autofree char *new_text = pv_format_amount (newer, unit);
    g_autofree char *change = pv_format_signed_amount ((int64_t)(newer - base), unit);
    g_autofree char *percent = pv_compare_format_percent (base, newer);

    /* Translators: the amounts of both sides, the difference, in percent. */
    return g_strdup_printf (_ ("%s → %s, %s (%s)"), base_text, new_text, change, percent);
}

static void
add_durations (PvSection *section, const PvCompared *compared)
{
    g_autofree char *base =
        pv_format_amount (compared->duration_ns_of_side[PV_SIDE_BASE], PV_UNIT_NS);
    g_autofree char *newer =
        pv_format_amount (compared->duration_ns_of_side[PV_SIDE_NEW], PV_UNIT_NS);
    g_autofree char *text = g_strdup_printf (_ ("%s → %s"), base, newer);

    if (compared->duration_ns_of_side[PV_SIDE_BASE] > 0 &&
        compared->duration_ns_of_side[PV_SIDE_NEW] > 0)
        pv_section_add_fact (section, C_ ("fact", "Duration"), text);
}

void
pv_compare_summary_add_sides (PvSection *section, PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    const PvAnswer *answer = data->answer;
    const PvProfile *profile = answer->profile;
    const PvPair *shown = pv_profile_get_pair (profile, answer->query->measure);
    const PvChanges *changes = data->sums != NULL ? data->sums->functions : NULL;
    unsigned n_others = 0;

    /* The bar above has amounts, their difference and the scale. */
    if (shown != NULL && changes != NULL) {
        g_autofree char *interval = pv_compare_describe_whole_interval (changes);
        pv_section_add_fact (section, C_ ("fact", "Change"), interval);
        add_samples (section, changes);
    }
    add_durations (section, profile->compared);
    for (uint32_t i = 0; i < profile->n_measures && n_others < MAX_MEASURES; i++) {
        const PvPair *pair = pv_profile_get_pair (profile, i);
        g_autofree char *text = NULL;
        if (pair == NULL || pair->both != i || pair == shown)
            continue;
        text = describe_pair (profile, pair);
        pv_section_add_fact (section, pv_measure_get_title (profile, i), text);
        n_others++;
    }
}

void
pv_compare_summary_add_joined (PvSection *section, const PvProfile *profile)
{
    for (uint32_t f = 0; f < profile->n_joined; f++) {
        const PvJoinedFile *file = &profile->joined[f];
        for (uint32_t i = 0; i < MIN (file->n_measures, MAX_MEASURES); i++) {
            PvMeasureId measure = file->first_measure + i;
            g_autofree char *amount = pv_measure_format_total (profile, measure);
            /* Translators: a measure, and which file it is of. */
            g_autofree char *title =
                g_strdup_printf (_ ("%s, %s"), pv_measure_get_title (profile, measure), file->name);
            pv_section_add_fact (section, title, amount);
        }
    }
}

/* The role of a run, such as "Base". */
static const char *
name_run (const PvSourceSpec *spec, const PvComparedRun *run)
{
    if (spec->is_joined)
        return run->side == PV_SIDE_BASE ? C_ ("run", "First") : _ ("Together with");
    return run->side == PV_SIDE_BASE ? C_ ("side", "Base") : C_ ("side", "New");
}

void
pv_compare_summary_add_files (PvSection *section, PvDocument *document)
{
    const PvSourceSpec *spec = pv_document_get (document)->spec;

    for (unsigned i = 0; spec->runs != NULL && i < spec->runs->len; i++) {
        const PvComparedRun *run = spec->runs->pdata[i];
        const char *title = name_run (spec, run);
        g_autoptr (GFile) file = pv_source_spec_get_file (run->spec);
        g_autofree char *path = g_file_get_path (file);
        g_autofree char *shown = path != NULL ? g_filename_display_name (path) : NULL;
        pv_section_add_fact (section, title, shown != NULL ? shown : run->name);
        if (run->profile != NULL && run->profile->facts.recorded_at > 0) {
            g_autoptr (GDateTime) time =
                g_date_time_new_from_unix_local (run->profile->facts.recorded_at);
            g_autofree char *moment = time != NULL ? g_date_time_format (time, "%c") : NULL;
            pv_section_add_fact (section, C_ ("fact", "Recorded"), moment);
        }
        if (run->profile != NULL)
            pv_section_add_fact (section, C_ ("fact", "Command"), run->profile->facts.command);
    }
}

/* Notes */

/* name: of what they are about; NULL: all of it. */
static void
add_notes (PvSection *section, const char *name, const PvNote *notes, uint32_t n_notes,
           unsigned *n_added)
{
    for (uint32_t i = 0; i < n_notes; i++) {
        GtkWidget *row;
        if (notes[i].severity != PV_NOTE_WARNING)
            continue;
        if ((*n_added)++ >= MAX_NOTES_OF_SIDE)
            return;
        row = pv_text_row_new (notes[i].text, name);
        adw_action_row_add_prefix (ADW_ACTION_ROW (row),
                                   gtk_image_new_from_icon_name ("dialog-warning-symbolic"));
        pv_section_add (section, row);
    }
}

/* Notes of one group are reported once, with their number. */
static void
add_groups (PvSection *section, const PvComparedRun *run)
{
    for (PvNoteGroup group = PV_NOTE_GROUP_NONE + 1; group < PV_N_NOTE_GROUPS; group++) {
        unsigned n_files = 0;
        if (pv_note_group_get_severity (group) != PV_NOTE_WARNING)
            continue;
        for (uint32_t i = 0; i < run->symbols->n_notes; i++)
            n_files += pv_note_get_group (run->profile, &run->symbols->notes[i]) == group;
        if (n_files > 0) {
            g_autofree char *title = pv_note_group_format_title (group, n_files);
            pv_section_add (section, pv_text_row_new (title, run->name));
        }
    }
}

void
pv_compare_summary_add_notes (PvSection *section, PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    const PvProfile *profile = data->answer->profile;
    unsigned n_own = 0;

    add_notes (section, NULL, profile->notes, profile->n_notes, &n_own);
    for (unsigned i = 0; data->spec->runs != NULL && i < data->spec->runs->len; i++) {
        const PvComparedRun *run = data->spec->runs->pdata[i];
        unsigned n_added = 0;
        if (run->profile == NULL || run->symbols == NULL)
            continue;
        add_notes (section, run->name, run->profile->notes, run->profile->n_notes, &n_added);
        add_groups (section, run);
    }
}
