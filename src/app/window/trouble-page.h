#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* A file that could not be opened: what is wrong, and what can be done about it. */
#define PV_TYPE_TROUBLE_PAGE (pv_trouble_page_get_type ())
G_DECLARE_FINAL_TYPE (PvTroublePage, pv_trouble_page, PV, TROUBLE_PAGE, GtkWidget)

/* The document must have failed. */
GtkWidget *pv_trouble_page_new (PvDocument *document);
