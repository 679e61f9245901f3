/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/search-mark.h"

#include "app/widgets/setup.h"

#define MATCH_CLASS "pv-match"

void
pv_search_mark (GtkWidget *widget, PvDocument *document, PvFunctionId function)
{
    g_assert (GTK_IS_WIDGET (widget) && PV_IS_DOCUMENT (document));
    pv_set_css_class (widget, MATCH_CLASS, pv_document_is_match (document, function));
}
