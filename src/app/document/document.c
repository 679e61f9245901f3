/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/document/document.h"

#include "app/document/document-private.h"
#include "core/base/format.h"

enum { CHANGED, MESSAGE, CLOSED, N_SIGNALS };
static guint signals[N_SIGNALS];

void
pv_document_add_signals (GType type)
{
    signals[CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, G_TYPE_UINT);
    signals[MESSAGE] = g_signal_new ("message", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, G_TYPE_STRING);
    signals[CLOSED] =
        g_signal_new ("closed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

void
pv_document_emit_message (PvDocument *self, const char *text)
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
pv_document_can_skip (PvDocument *self)
{
    return pv_source_can_skip (self->source);
}

gboolean
pv_document_is_busy (PvDocument *self)
{
    g_autofree char *activity = pv_document_describe_activity (self, NULL);

    return activity != NULL || pv_document_is_loading (self);
}

gboolean
pv_document_failed_to_record (PvDocument *self)
{
    g_assert (PV_IS_DOCUMENT (self));
    return self->data.state == PV_DOCUMENT_FAILED && self->data.error->domain == PV_RECORD_ERROR;
}

const PvMeasure *
pv_document_get_measure (PvDocument *self)
{
    const PvAnswer *answer = self->data.answer;

    return answer->profile != NULL &&
                   pv_profile_has_weights (answer->profile, answer->query->measure)
               ? &answer->profile->measures[answer->query->measure]
               : NULL;
}

char *
pv_document_format_weight (PvDocument *self, uint64_t weight)
{
    const PvMeasure *measure = pv_document_get_measure (self);
    return pv_format_amount (weight, measure != NULL ? measure->unit : PV_UNIT_COUNT);
}

const PvSymbolOptions *
pv_document_get_symbol_options (PvDocument *self)
{
    g_assert (PV_IS_DOCUMENT (self));
    return &self->source->symbols;
}

void
pv_document_adapt_query (PvDocument *self, PvQuery *query, const PvProfile *from,
                         const PvProfile *to)
{
    if (self->data.plan != NULL && self->query_state != PV_QUERY_CHOSEN) {
        pv_query_clear (query);
        pv_query_init (query);
        pv_query_set_defaults (query, to);
        return;
    }
    pv_query_adapt (query, from, to);
    if (to->heap != NULL && from->heap == NULL)
        pv_query_set_defaults (query, to);
    if (query->start_ns > to->duration_ns) {
        query->start_ns = 0;
        query->end_ns = UINT64_MAX;
    }
}
