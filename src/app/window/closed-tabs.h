/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"

/* Tabs that were closed, to open them again: what their documents read, and the query in words. No
 * profile is kept. Main loop only. */
typedef struct {
    PvSourceSpec
        *spec;    /* nothing of it is read; of a URL, the files of its answers, if there are */
    char **words; /* as in PvQueryWords; NULL: nothing was asked yet */
    PvSymbolOptions symbols;
    PvComparisonView comparison;
    int position;      /* among the tabs */
    const char *shape; /* that it showed, as pages.h names them */
} PvClosedTab;

/* NULL: the document cannot be read again. */
PvClosedTab *pv_closed_tab_new (PvDocument *document, int position, const char *shape);
void pv_closed_tab_free (PvClosedTab *tab);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvClosedTab, pv_closed_tab_free)
