/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* A file that could not be opened: what is wrong, and what can be done about it. */
#define PV_TYPE_ERROR_PAGE (pv_error_page_get_type ())
G_DECLARE_FINAL_TYPE (PvErrorPage, pv_error_page, PV, ERROR_PAGE, GtkWidget)

/* The document must have failed. */
GtkWidget *pv_error_page_new (PvDocument *document);
