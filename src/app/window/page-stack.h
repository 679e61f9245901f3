/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/document/document.h"
#include "app/view/view.h"

/*
 * The pages of a document (pages.h) in a stack of libadwaita: which of them there are, their
 * widgets, made when they are first shown, and the switch between the shapes of each. Emits
 * "changed" when another page or shape is shown. Main loop only.
 */
#define PV_TYPE_PAGE_STACK (pv_page_stack_get_type ())
G_DECLARE_FINAL_TYPE (PvPageStack, pv_page_stack, PV, PAGE_STACK, GObject)

/* The stack is empty, and lives longer. */
PvPageStack *pv_page_stack_new (AdwViewStack *stack, PvDocument *document);

/* The document has changed (PV_CHANGED_*): shows only what makes sense for it. */
void pv_page_stack_update (PvPageStack *self, guint what);
/* Goes to a page or shape. FALSE: the document has none of that name now. */
gboolean pv_page_stack_show (PvPageStack *self, const char *id);
/* The same as soon as the document has been loaded, instead of to the page that comes first. */
void pv_page_stack_begin_with (PvPageStack *self, const char *shape);
/* Goes to the nth page that there is, from 0. FALSE: there are fewer. */
gboolean pv_page_stack_show_nth (PvPageStack *self, guint n);

/* The id of the shape that is shown. */
const char *pv_page_stack_get_shape (PvPageStack *self);
/* The widget that shows it; NULL: there is none yet, or nothing to show. */
PvView *pv_page_stack_get_visible (PvPageStack *self);
/* The one that shows a shape, made if it is not there yet; NULL: there is nothing to show. */
PvView *pv_page_stack_get_view (PvPageStack *self, const char *shape);

/* Frees the widget of a hidden page or shape, to be made again when shown. FALSE: there is none. */
gboolean pv_page_stack_drop (PvPageStack *self);
