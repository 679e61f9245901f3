/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/document/comparing.h"

#include <string.h>

#include "app/document/document-private.h"
#include "app/source/source-comparison.h"
#include "app/source/source-recording.h"
#include "app/work/query-text.h"
#include "core/analyze/query/query-words.h"
#include "record/plan/launches.h"

gboolean
pv_document_is_comparison (PvDocument *self)
{
    g_assert (PV_IS_DOCUMENT (self));
    return pv_source_is_comparison (self->source);
}

gboolean
pv_document_can_compare (PvDocument *self)
{
    g_assert (PV_IS_DOCUMENT (self));
    return self->data.state == PV_DOCUMENT_READY && !self->data.is_preview &&
           !pv_document_is_comparison (self);
}

gboolean
pv_document_can_record_again (PvDocument *self)
{
    const PvDocumentData *data = &self->data;

    return pv_document_can_compare (self) && data->plan != NULL && !data->is_recording &&
           !pv_record_plan_lacks_process (data->plan);
}

/* The title, and what the filters keep of it: "old.data · main (12)". g_free () it. */
static char *
name_part (PvDocument *self)
{
    const PvDocumentData *data = &self->data;
    GString *name = g_string_new (data->title);

    for (PvOrigin origin = 0; origin < PV_N_ORIGINS; origin++)
        for (int is_excluding = 0; is_excluding < 2; is_excluding++) {
            g_autofree char *text =
                pv_format_origin (data->answer->profile, &data->query, origin, is_excluding != 0);
            if (text != NULL)
                g_string_append_printf (name, " · %s", text);
        }
    for (uint32_t i = 0; i < data->query.n_labels; i++) {
        g_autofree char *text = pv_format_label_filter (&data->query.labels[i]);
        g_string_append_printf (name, " · %s", text);
    }
    return g_string_free (name, FALSE);
}

void
pv_document_add_to_comparison (PvDocument *self, PvSourceSpec *comparison, PvSide side,
                               const char *name, uint64_t start_ns, uint64_t end_ns)
{
    const PvDocumentData *data = &self->data;
    g_autofree char *title = NULL;
    g_auto (PvQuery) query;

    g_assert (pv_document_can_compare (self));
    pv_query_copy (&query, &data->query);
    /* The times of one recording mean nothing in another, which is compared as a whole. */
    query.start_ns = name != NULL ? start_ns : 0;
    query.end_ns = name != NULL ? end_ns : UINT64_MAX;
    title = name != NULL ? g_strdup (name) : name_part (self);
    pv_source_spec_add_profile (comparison, side, data->spec, title, data->answer->profile,
                                data->answer->symbols, &query);
}

PvSourceSpec *
pv_document_compare_ranges (PvDocument *self, uint64_t base_start_ns, uint64_t base_end_ns,
                            uint64_t new_start_ns, uint64_t new_end_ns)
{
    PvSourceSpec *comparison = pv_source_spec_new_comparison (NULL);
    uint64_t duration_ns = self->data.answer->profile->duration_ns;
    g_autofree char *base = pv_format_time_range (base_start_ns, base_end_ns, duration_ns);
    g_autofree char *newer = pv_format_time_range (new_start_ns, new_end_ns, duration_ns);

    g_assert (base_start_ns <= base_end_ns && new_start_ns <= new_end_ns);
    pv_document_add_to_comparison (self, comparison, PV_SIDE_BASE, base, base_start_ns,
                                   base_end_ns);
    pv_document_add_to_comparison (self, comparison, PV_SIDE_NEW, newer, new_start_ns, new_end_ns);
    return comparison;
}

/* Names of other documents */

static void
on_other_changed (PvDocument *self, guint what, PvDocument *other)
{
    const PvAnswer *answer = pv_document_get (other)->answer;

    if ((what & (PV_CHANGED_TREE | PV_CHANGED_PROGRESS)) != 0 && answer->symbols != NULL &&
        answer->symbols->is_complete && !pv_source_is_closed (self->source))
        pv_comparison_source_set_symbols (self->source, answer->profile, answer->symbols);
}

void
pv_document_follow_names (PvDocument *self, PvDocument *other)
{
    g_assert (pv_document_is_comparison (self) && !pv_document_is_comparison (other));
    g_signal_connect_object (other, "changed", G_CALLBACK (on_other_changed), self,
                             G_CONNECT_SWAPPED);
}

/* A recording */

static void consider_recording (PvDocument *self);
static void end_live (PvDocument *self);
static void on_recorded_gone (gpointer user, GObject *recorded);

/* A recording is loaded while it is seen, in its own tab or in that of a comparison. */
static void
update_hidden (PvDocument *recording)
{
    if (pv_source_is_recording (recording->source))
        pv_recording_source_set_hidden (recording->source,
                                        recording->is_hidden && recording->n_watching == 0);
}

static void
stop_watching (PvDocument *self)
{
    if (self->recorded == NULL || self->is_hidden)
        return;
    g_assert (self->recorded->n_watching > 0);
    self->recorded->n_watching--;
    update_hidden (self->recorded);
}

void
pv_document_leave_recording (PvDocument *self)
{
    if (self->recorded == NULL)
        return;
    stop_watching (self);
    g_signal_handlers_disconnect_by_func (self->recorded, consider_recording, self);
    g_signal_handlers_disconnect_by_func (self->recorded, end_live, self);
    g_object_weak_unref (G_OBJECT (self->recorded), on_recorded_gone, self);
    self->recorded = NULL;
}

void
pv_document_set_hidden (PvDocument *self, gboolean is_hidden)
{
    g_assert (PV_IS_DOCUMENT (self));
    if (self->is_hidden == is_hidden)
        return;
    if (is_hidden)
        stop_watching (self);
    self->is_hidden = is_hidden;
    update_hidden (self);
    if (is_hidden || self->recorded == NULL)
        return;
    self->recorded->n_watching++;
    update_hidden (self->recorded);
    consider_recording (self);
}

static gboolean
is_working (PvDocument *self)
{
    return pv_source_is_loading (self->source) || self->next_profile != NULL ||
           pv_task_is_busy (self->answer_task);
}

/* Ends the live comparison; its results stay. */
static void
end_live (PvDocument *self)
{
    pv_comparison_source_end_live (self->source);
    pv_document_leave_recording (self);
    if (self->has_live_scale)
        pv_document_set_scale (self, PV_SCALE_NONE, NULL);
}

/* It was the user who ended the recording, and not the program: how long it is means nothing. */
static gboolean
was_cut_off (const PvDocumentData *recorded)
{
    return recorded->recording != NULL && (recorded->plan->target != PV_TARGET_LAUNCH ||
                                           pv_recording_has_stopped_target (recorded->recording));
}

/* All that was recorded, as if it had been opened; but it stays scaled if it was cut off. */
static void
compare_all (PvDocument *self, const PvDocumentData *recorded)
{
    pv_document_freeze (self);
    if (self->has_live_scale && !was_cut_off (recorded))
        pv_document_forget_scale (self);
    self->has_live_scale = FALSE;
    pv_comparison_source_renew_live (self->source, recorded->spec, recorded->answer->profile,
                                     recorded->answer->symbols, FALSE);
    pv_document_leave_recording (self);
    pv_document_emit (self, PV_CHANGED_COMPARISON);
    pv_document_thaw (self);
}

/* Compares with what the recording shows by now, once there is time for it: with the last of it, if
 * several have come meanwhile. */
static void
consider_recording (PvDocument *self)
{
    const PvDocumentData *recorded =
        self->recorded != NULL ? pv_document_get (self->recorded) : NULL;
    const PvComparedRun *run;

    if (recorded == NULL || self->data.state != PV_DOCUMENT_READY || is_working (self))
        return;
    run = pv_comparison_source_get_live (self->source);
    if (run == NULL || recorded->state == PV_DOCUMENT_FAILED)
        end_live (self);
    else if (recorded->state == PV_DOCUMENT_READY && !recorded->is_recording &&
             recorded->loading == PV_LOADING_NONE)
        compare_all (self, recorded);
    else if (recorded->state == PV_DOCUMENT_READY && recorded->answer->profile != run->profile &&
             !self->is_hidden)
        pv_comparison_source_renew_live (self->source, recorded->spec, recorded->answer->profile,
                                         recorded->answer->symbols, TRUE);
}

static void
on_recorded_gone (gpointer user, GObject *recorded)
{
    PvDocument *self = user;

    self->recorded = NULL;
    end_live (self);
}

void
pv_document_follow_recording (PvDocument *self, PvDocument *recording)
{
    g_assert (pv_document_is_comparison (self) && self->recorded == NULL);
    g_assert (pv_comparison_source_get_live (self->source) != NULL);
    self->recorded = recording;
    g_object_weak_ref (G_OBJECT (recording), on_recorded_gone, self);
    g_signal_connect_object (recording, "changed", G_CALLBACK (consider_recording), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (recording, "closed", G_CALLBACK (end_live), self, G_CONNECT_SWAPPED);
    /* For what came while there was no time for it. */
    g_signal_connect_after (self, "changed", G_CALLBACK (consider_recording), NULL);
    self->is_hidden = TRUE; /* until it is shown */
    pv_document_set_scale (self, PV_SCALE_TOTAL, NULL);
    self->has_live_scale = TRUE;
}

PvDocument *
pv_document_get_recording (PvDocument *self)
{
    g_assert (PV_IS_DOCUMENT (self));
    return self->recorded;
}

/* Actions of the user */

void
pv_document_swap_sides (PvDocument *self)
{
    g_assert (pv_document_is_comparison (self));
    if (!pv_source_is_closed (self->source))
        pv_comparison_source_swap (self->source);
}

char **
pv_document_list_run_words (PvDocument *self)
{
    const PvDocumentData *data = &self->data;
    const PvRunList *list = data->spec->run_list;
    const PvPair *pair = NULL;
    GPtrArray *words = g_ptr_array_new ();
    g_auto (GStrv) own = NULL;
    g_auto (PvQuery) query;

    g_assert (list != NULL && data->answer->profile != NULL);
    pv_query_copy (&query, &data->query);
    pair = pv_profile_get_pair (data->answer->profile, query.measure);
    if (pair != NULL)
        query.measure = pair->both;
    query.is_inverted = false;
    pv_query_set_grouping (&query, PV_GROUP_NONE, NULL);
    g_clear_pointer (&query.formulas, g_strfreev);
    own = pv_query_list_options (&query, data->answer->profile);
    for (char **word = list->side_words; word != NULL && *word != NULL; word++)
        g_ptr_array_add (words, g_strdup (*word));
    for (char **word = own; *word != NULL; word++)
        g_ptr_array_add (words, g_strdup (*word));
    g_ptr_array_add (words, NULL);
    return (char **)g_ptr_array_free (words, FALSE);
}

void
pv_document_read_runs (PvDocument *self)
{
    const PvComparisonView *view = &self->data.comparison;
    g_auto (GStrv) words = pv_document_list_run_words (self);

    if (!pv_source_is_closed (self->source))
        pv_comparison_source_ask_runs (self->source, (const char *const *)words, view->scale,
                                       view->function);
}

PvSourceSpec *
pv_document_compare_runs (PvDocument *self, uint32_t base, uint32_t newer)
{
    const PvRunList *list = self->data.spec->run_list;
    PvSourceSpec *comparison = pv_source_spec_new_comparison (NULL);
    g_autoptr (PvSourceSpec) base_file = NULL;
    g_autoptr (PvSourceSpec) new_file = NULL;

    g_assert (list != NULL && list->read != NULL);
    g_assert (base < list->read->runs->n_runs && newer < list->read->runs->n_runs);
    base_file = pv_source_spec_new_for_path (list->read->paths[base]);
    new_file = pv_source_spec_new_for_path (list->read->paths[newer]);
    pv_source_spec_add_files (comparison, PV_SIDE_BASE, base_file,
                              (const char *const *)list->side_words);
    pv_source_spec_add_files (comparison, PV_SIDE_NEW, new_file,
                              (const char *const *)list->side_words);
    return comparison;
}

void
pv_document_set_scale (PvDocument *self, PvScale scale, const char *function)
{
    PvComparisonView *view = &self->data.comparison;

    g_assert (scale < PV_N_SCALES && (scale == PV_SCALE_FUNCTION) == (function != NULL));
    self->has_live_scale = FALSE;
    if (view->scale == scale && g_strcmp0 (view->function, function) == 0)
        return;
    view->scale = scale;
    g_free (view->function);
    view->function = g_strdup (function);
    pv_document_start_build (self);
    pv_document_emit (self, PV_CHANGED_COMPARISON);
}

PvSide
pv_document_get_width_side (PvDocument *self)
{
    const PvDocumentData *data = &self->data;
    const PvMeasure *measure =
        data->answer->profile != NULL &&
                pv_profile_has_weights (data->answer->profile, data->query.measure)
            ? &data->answer->profile->measures[data->query.measure]
            : NULL;

    return measure != NULL && measure->part == PV_PART_SIDE ? measure->side : PV_N_SIDES;
}

void
pv_document_set_width_side (PvDocument *self, PvSide side)
{
    const PvDocumentData *data = &self->data;
    const PvPair *pair;

    g_assert (side <= PV_N_SIDES);
    self->data.comparison.has_side = side < PV_N_SIDES;
    self->data.comparison.width_side = side < PV_N_SIDES ? side : PV_SIDE_NEW;
    if (data->state != PV_DOCUMENT_READY)
        return;
    pair = pv_profile_get_pair (data->answer->profile, data->query.measure);
    if (pair != NULL)
        pv_document_set_measure (self, side < PV_N_SIDES ? pair->of_side[side] : pair->both);
}

void
pv_document_set_side_by_side (PvDocument *self, gboolean is_side_by_side)
{
    if (is_side_by_side == pv_document_is_side_by_side (self) &&
        is_side_by_side == self->data.comparison.is_side_by_side)
        return;
    self->data.comparison.is_side_by_side = is_side_by_side;
    if (is_side_by_side)
        pv_document_set_width_side (self, PV_N_SIDES);
    pv_document_emit (self, PV_CHANGED_COMPARISON);
}

/* A step of the history may have led to the width of one side. */
gboolean
pv_document_is_side_by_side (PvDocument *self)
{
    return self->data.comparison.is_side_by_side && pv_document_get_width_side (self) == PV_N_SIDES;
}
