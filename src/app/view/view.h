/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/document/document.h"

/*
 * A widget that shows a document: a page, or a part of one. It lets go of its children and of the
 * document itself, hears of changes only while it can be seen, and gives the keyboard's focus to
 * its children one after the other. Main loop only.
 */
#define PV_TYPE_VIEW (pv_view_get_type ())
GType pv_view_get_type (void);
typedef struct _PvView PvView;
typedef struct _PvViewClass PvViewClass;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvView, g_object_unref)

#define PV_VIEW(object)           (G_TYPE_CHECK_INSTANCE_CAST ((object), PV_TYPE_VIEW, PvView))
#define PV_IS_VIEW(object)        (G_TYPE_CHECK_INSTANCE_TYPE ((object), PV_TYPE_VIEW))
#define PV_VIEW_CLASS(class)      (G_TYPE_CHECK_CLASS_CAST ((class), PV_TYPE_VIEW, PvViewClass))
#define PV_VIEW_GET_CLASS(object) (G_TYPE_INSTANCE_GET_CLASS ((object), PV_TYPE_VIEW, PvViewClass))

/* For classes only. */
struct _PvView {
    GtkWidget parent;

    PvDocument *document; /* NULL: not known yet, or let go of */
    gulong changed_handler;
    guint pending; /* PV_CHANGED_*, to be reported when the view is mapped */
};

/* All functions may be NULL. */
struct _PvViewClass {
    GtkWidgetClass parent_class;
    gboolean hears_while_unmapped;    /* of changes, also while it is not mapped */
    gboolean shows_selected_function; /* the document's, as a row of its own */

    /* The document is known, once: the view prepares the parts that depend on it. */
    void (*begin) (PvView *view);
    /* what: PV_CHANGED_* since the last call. The first call has all of them. */
    void (*changed) (PvView *view, guint what);
    /* The children are gone, the document is still there: the view closes its tasks and frees what
     * it owns. As dispose (), it may come more than once. */
    void (*end) (PvView *view);

    /* Pages only: makes the command that prints or draws the same, by changing the parts that
     * differ from --print=summary. */
    void (*describe_command) (PvView *view, PvCommand *command);
    /* Asks for a file name and writes a picture of the page; NULL: the page has no picture. */
    void (*export_picture) (PvView *view);
    /* Pages only: where the switch between the shapes of the page goes; NULL: it has one shape. */
    AdwBin *(*get_switch_place) (PvView *view);
    /* Pages of several shapes (app/window/pages.h): the one that is shown, and another one, which
     * is possible. */
    const char *(*get_shape) (PvView *view);
    void (*show_shape) (PvView *view, const char *id);
    /* NULL: the document's zoom is the page's. */
    void (*zoom_out) (PvView *view);
    /* Opens a search of the page's own; NULL: the document's is for it. */
    void (*search) (PvView *view);
    /* Selects the next or previous match; NULL: the flame graph's order is for it. */
    void (*select_match) (PvView *view, gboolean forward);
};

/* type: one of a view. The document is set. */
GtkWidget *pv_view_new (GType type, PvDocument *document);
/* Tells of another shape ("shape-changed"), whoever asked for it. */
void pv_view_shape_changed (PvView *view);
/* Once, for views that were made without a document. */
void pv_view_set_document (PvView *view, PvDocument *document);
/* The view is to show these (PV_CHANGED_*) again: at once, or else when it is mapped. */
void pv_view_update (PvView *view, guint what);
