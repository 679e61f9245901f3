/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The object: how a document begins and ends. It calls all other files. */
#include "app/document/document-private.h"

G_DEFINE_FINAL_TYPE (PvDocument, pv_document, G_TYPE_OBJECT)

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
    for (PvDerived which = 0; which < PV_N_DERIVED; which++)
        pv_document_drop_derived (self, which);
    pv_answer_unref (data->answer);
    pv_comparison_view_clear (&data->comparison);
    g_clear_pointer (&self->formula, pv_formula_unref);
    pv_clear_later (&self->symbols, pv_symbol_table_free);
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
    g_free (data->is_match);
    g_clear_error (&self->error);
    g_array_unref (self->opened);
    pv_document_forget_wanted (self);
    pv_look_clear (&data->look);
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
    pv_document_add_signals (PV_TYPE_DOCUMENT);
}

static void
pv_document_init (PvDocument *self)
{
    self->data.answer = &pv_no_answer;
    pv_query_init (&self->data.query);
    pv_look_init (&self->data.look);
    self->data.fraction = -1;
    self->back = pv_document_make_history ();
    self->opened = g_array_new (FALSE, FALSE, sizeof (PvTreeAnchor));
    self->forward = pv_document_make_history ();
    pv_document_make_tasks (self);
    self->suppressions_task =
        pv_task_new (self, pv_document_read_suppressions, g_free,
                     (GDestroyNotify)pv_suppressions_free, pv_document_take_suppressions);
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
