/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"

/*
 * The pages of a document in their order, and the shapes that each of them has. Tabs, switches,
 * keys and the list of keys are made of these tables. Main loop only.
 */

typedef enum {
    PV_PAGE_SUMMARY,
    PV_PAGE_GRAPH,
    PV_PAGE_FUNCTIONS,
    PV_PAGE_TIMELINE,
    PV_PAGE_SOURCE,
    PV_PAGE_RUNS,
    PV_PAGE_DISTRIBUTION,
    PV_N_PAGES,
} PvPageId;

typedef struct {
    const char *id;    /* the target of the action "win.page"; not translated */
    const char *title; /* to be translated */
    const char *icon;
    const char *help; /* see PV_HELP () */
    /* The document has the page. */
    gboolean (*is_there) (const PvDocumentData *data);
    /* Shown, with a button to the page Graph, where no shape can be; to be translated. NULL: one
     * always can. */
    const char *empty_title;
    const char *(*get_empty_text) (const PvDocumentData *data); /* translated */
} PvPageKind;

extern const PvPageKind pv_pages[PV_N_PAGES];

/* A way to show a page. The first one that can be shown is the page's at first. */
typedef struct {
    const char *id; /* a target of "win.page" too */
    PvPageId page;
    const char *title, *tip;  /* in the page's switch, to be translated; NULL: not in it */
    const char *key;          /* an accelerator, beside that of the page; or NULL */
    GType (*get_type) (void); /* a PvView, which may have several of the page's shapes */
    /* The shape makes sense for the profile. */
    gboolean (*can_show) (const PvDocumentData *data);
    /* Why the shape cannot be shown, translated; NULL: it can. The function may be NULL. */
    const char *(*get_obstacle) (const PvDocumentData *data);
    /* The page begins with this shape; may be NULL. */
    gboolean (*is_first) (const PvDocumentData *data);
    const char *help; /* NULL: that of the page */
} PvShapeKind;

extern const PvShapeKind pv_shapes[];
extern const unsigned pv_n_shapes;

/* NULL: there is no such shape. */
const PvShapeKind *pv_shape_find (const char *id);
/* Page of the help on a page or shape, static. */
const char *pv_page_get_help (const char *id);
/* TRUE: it can be shown now. */
gboolean pv_shape_is_possible (const PvShapeKind *shape, const PvDocumentData *data);

/* The profile has charts over time: heaps and series have. profile may be NULL. */
gboolean pv_page_has_charts (const PvProfile *profile);
