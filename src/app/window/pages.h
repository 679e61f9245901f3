/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"

/*
 * The pages of a document, in their order. The tabs, the keys and the list of keys are made of this
 * table. Main loop only.
 */
typedef struct {
    const char *id;    /* the target of the action "win.page"; not translated */
    const char *title; /* to be translated */
    const char *icon;
    const char *key;          /* an accelerator */
    GType (*get_type) (void); /* a PvView */
    /* The page has something to show. */
    gboolean (*can_show) (const PvDocumentData *data);
} PvPageKind;

/* Rows that follow one another with the same id, title and key are alternatives for one place, of
 * which the first that can be shown is. */
extern const PvPageKind pv_pages[];
extern const unsigned pv_n_pages;

/* The profile has charts over time: heaps and series have. profile may be NULL. */
gboolean pv_page_has_charts (const PvProfile *profile);
