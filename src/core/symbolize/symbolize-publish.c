/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/symbolizer-private.h"

void
pv_symbolizing_update_labels (PvSymbolizing *s)
{
    if (!pv_symbolizing_has_only_full_names (s))
        pv_name_labels_update (s->labels, s->pool);
}

void
pv_symbolizing_publish (PvSymbolizing *s, bool is_complete)
{
    if (s->publish == NULL || (s->options->only_complete && !is_complete))
        return;
    pv_symbolizing_update_labels (s);
    s->last_publish_us = g_get_monotonic_time ();
    s->publish (pv_symbol_builder_publish (s->builder, is_complete), s->user);
}
