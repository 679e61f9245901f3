/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/document/document.h"

#include <string.h>

#include "app/document/document-private.h"
#include "app/source/source-comparison.h"
#include "core/analyze/query/query-words.h"
#include "core/base/format.h"

/* Words of these need no quotes in a shell. */
#define PLAIN_CHARACTERS G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_=+,./:@%"

G_DEFINE_FINAL_TYPE (PvDocument, pv_document, G_TYPE_OBJECT)

enum { CHANGED, MESSAGE, CLOSED, N_SIGNALS };
static guint signals[N_SIGNALS];

void
pv_document_tell (PvDocument *self, const char *text)
{
    g_signal_emit (self, signals[MESSAGE], 0, text);
}

void
pv_document_emit (PvDocument *self, PvDocumentChange what)
{
    self->pending |= what;
    if (self->freeze_count > 0 || self->pending == 0)
        return;
    what = self->pending;
    self->pending = 0;
    g_signal_emit (self, signals[CHANGED], 0, (guint)what);
}

void
pv_document_freeze (PvDocument *self)
{
    self->freeze_count++;
}

void
pv_document_thaw (PvDocument *self)
{
    g_assert (self->freeze_count > 0);
    if (--self->freeze_count == 0)
        pv_document_emit (self, 0);
}

/* Data for views */

const PvDocumentData *
pv_document_get (PvDocument *self)
{
    g_assert (PV_IS_DOCUMENT (self));
    return &self->data;
}

gboolean
pv_document_is_loading (PvDocument *self)
{
    return self->data.loading == PV_LOADING_FIRST || self->data.loading == PV_LOADING_RENEWAL;
}

char *
pv_document_describe_activity (PvDocument *self, double *ret_fraction)
{
    double fraction;
    char *text = pv_source_describe (self->source, &fraction);

    if (ret_fraction != NULL)
        *ret_fraction = fraction;
    return text;
}

gboolean
pv_document_is_busy (PvDocument *self)
{
    g_autofree char *activity = pv_document_describe_activity (self, NULL);

    return activity != NULL || pv_document_is_loading (self);
}

const PvMeasure *
pv_document_get_measure (PvDocument *self)
{
    const PvDocumentData *data = &self->data;
    const PvQuery *query = data->tree != NULL ? &data->tree->query : &data->query;

    if (data->profile == NULL || query->measure >= data->profile->n_measures)
        return NULL;
    return &data->profile->measures[query->measure];
}

char *
pv_document_format_weight (PvDocument *self, uint64_t weight)
{
    const PvMeasure *measure = pv_document_get_measure (self);
    return pv_format_amount (weight, measure != NULL ? measure->unit : PV_UNIT_COUNT);
}

/* Object */

static void
pv_document_dispose (GObject *object)
{
    PvDocument *self = PV_DOCUMENT (object);

    pv_document_leave_recording (self);
    pv_source_close (self->source);
    g_clear_pointer (&self->symbol_fetch, pv_symbol_fetch_close);
    g_clear_handle_id (&self->rebuild_timeout, g_source_remove);
    pv_document_close_tasks (self);
    G_OBJECT_CLASS (pv_document_parent_class)->dispose (object);
}

static void
pv_document_finalize (GObject *object)
{
    PvDocument *self = PV_DOCUMENT (object);
    PvDocumentData *data = &self->data;

    pv_return_memory ();
    pv_clear_later (&data->functions, pv_functions_unref);
    pv_clear_later (&data->callers_callees, pv_callers_callees_free);
    pv_clear_later (&data->search, pv_search_result_free);
    pv_clear_later (&data->sums, pv_compared_sums_unref);
    pv_comparison_view_clear (&data->comparison);
    g_free (data->scale_text);
    pv_clear_later (&data->flame_tree, pv_call_tree_free);
    pv_clear_later (&data->tree, pv_call_tree_free);
    pv_clear_later (&data->values, pv_node_values_unref);
    g_clear_pointer (&self->formula, pv_formula_unref);
    pv_clear_later (&data->symbols, pv_symbol_table_free);
    pv_clear_later (&data->profile, pv_profile_free);
    pv_clear_later (&data->facet_keys, pv_facet_keys_free);
    pv_clear_later (&self->next_profile, pv_profile_free);
    pv_clear_later (&self->next_symbols, pv_symbol_table_free);
    g_free (self->added_path);
    g_strfreev (self->words);
    g_strfreev (self->data.formulas);
    pv_query_clear (&data->query);
    g_clear_object (&data->file);
    g_free (data->title);
    pv_search_term_clear (&data->search_term);
    g_free (data->search_error);
    g_free (data->suppressions_name);
    g_free (self->is_match);
    g_clear_error (&self->error);
    g_array_unref (self->opened);
    pv_document_forget_wanted (self);
    pv_document_clear_half_zooms (data->half_zooms);
    g_ptr_array_unref (self->back);
    g_ptr_array_unref (self->forward);
    pv_source_unref (self->source);
    G_OBJECT_CLASS (pv_document_parent_class)->finalize (object);
}

static void
pv_document_class_init (PvDocumentClass *class)
{
    GObjectClass *object_class = G_OBJECT_CLASS (class);

    object_class->dispose = pv_document_dispose;
    object_class->finalize = pv_document_finalize;
    signals[CHANGED] = g_signal_new ("changed", PV_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
    signals[MESSAGE] = g_signal_new ("message", PV_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
    signals[CLOSED] = g_signal_new ("closed", PV_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 0);
}

static void
pv_document_init (PvDocument *self)
{
    pv_query_init (&self->data.query);
    self->data.selected = PV_NODE_NONE;
    self->data.range_end = 1;
    pv_document_clear_half_zooms (self->data.half_zooms);
    self->data.fraction = -1;
    self->back = pv_document_make_history ();
    self->opened = g_array_new (FALSE, FALSE, sizeof (PvTreeAnchor));
    self->forward = pv_document_make_history ();
    pv_document_make_tasks (self);
    self->suppressions_task =
        pv_task_new (self, pv_document_read_suppressions, g_free,
                     (GDestroyNotify)pv_suppressions_free, pv_document_take_suppressions);
}

void
pv_append_word (GString *command, const char *option, const char *value)
{
    g_autofree char *word = g_strconcat (option, value, NULL);
    g_autofree char *quoted = g_shell_quote (word);

    g_string_append_printf (command, " %s",
                            strspn (word, PLAIN_CHARACTERS) == strlen (word) ? word : quoted);
}

static void
append_symbol_options (GString *command, const PvSymbolOptions *symbols)
{
    if (symbols->sysroot != NULL)
        pv_append_word (command, "--sysroot=", symbols->sysroot);
    for (unsigned i = 0; symbols->search_paths != NULL && symbols->search_paths[i] != NULL; i++)
        pv_append_word (command, "--symbol-path=", symbols->search_paths[i]);
    for (unsigned i = 0; symbols->path_maps != NULL && symbols->path_maps[i] != NULL; i++)
        pv_append_word (command, "--map-path=", symbols->path_maps[i]);
    if (symbols->no_demangle)
        pv_append_word (command, "--no-demangle", "");
}

gboolean
pv_document_has_command (PvDocument *self)
{
    const PvDocumentData *data = &self->data;

    g_assert (PV_IS_DOCUMENT (self));
    if (data->profile == NULL)
        return FALSE;
    return pv_source_is_comparison (self->source) ? pv_document_has_sides (self)
                                                  : data->spec->paths[0] != NULL;
}

static char *
make_command_of_runs (PvDocument *self)
{
    GString *command = g_string_new ("profview");

    pv_document_append_runs (self, command);
    append_symbol_options (command, &self->source->symbols);
    for (char **path = self->data.spec->run_list->paths; *path != NULL; path++)
        pv_append_word (command, *path, "");
    return g_string_free (command, FALSE);
}

char *
pv_document_make_command (PvDocument *self, const PvCommand *wanted)
{
    const PvDocumentData *data = &self->data;
    g_autoptr (GString) command = g_string_new ("profview");
    g_auto (GStrv) options = NULL;
    gboolean is_comparison = pv_source_is_comparison (self->source);
    g_auto (PvQuery) query;

    g_assert (wanted != NULL);
    pv_query_copy (&query, &data->query);
    if (!pv_document_has_command (self))
        return NULL;
    if (wanted->are_runs && data->spec->run_list != NULL)
        return make_command_of_runs (self);
    if (is_comparison)
        pv_document_append_comparison (self, command, &query);
    for (unsigned i = 0; i < G_N_ELEMENTS (wanted->options) && wanted->options[i] != NULL; i++)
        pv_append_word (command, wanted->options[i], "");
    if (wanted->function != NULL) {
        g_autofree char *expression = pv_subject_make_expression (PV_SUBJECT_ANY, wanted->function);
        pv_append_word (command, "--function=", expression);
    }
    if (wanted->measure < data->profile->n_measures)
        query.measure = wanted->measure;
    if (wanted->thread != 0)
        pv_query_set_only (&query, PV_WHO_THREAD, &wanted->thread, 1);
    options = pv_query_list_options (&query, data->profile);
    for (unsigned i = 0; options[i] != NULL; i++)
        pv_append_word (command, options[i], "");
    for (unsigned i = 0; wanted->formulas != NULL && wanted->formulas[i] != NULL; i++)
        pv_append_word (command, "--measure=", wanted->formulas[i]);
    if (data->is_inverted && g_strcmp0 (wanted->options[0], "--print=tree") == 0)
        pv_append_word (command, "--invert", "");
    append_symbol_options (command, &self->source->symbols);
    if (is_comparison)
        pv_document_append_sides (self, command);
    else if (data->spec->is_together)
        pv_append_word (command, data->spec->how == PV_TOGETHER_SERIES ? "--series" : "--merge",
                        "");
    for (unsigned i = 0; data->spec->paths[i] != NULL; i++)
        pv_append_word (command, data->spec->paths[i], "");
    return g_string_free (g_steal_pointer (&command), FALSE);
}

const PvSymbolOptions *
pv_document_get_symbol_options (PvDocument *self)
{
    g_assert (PV_IS_DOCUMENT (self));
    return &self->source->symbols;
}

PvDocument *
pv_document_new (PvSource *source, const PvSymbolOptions *symbols)
{
    PvDocument *self;

    g_assert (source != NULL && pv_source_is_closed (source));
    self = g_object_new (PV_TYPE_DOCUMENT, NULL);
    self->source = source;
    pv_document_connect (self, symbols);
    return self;
}
