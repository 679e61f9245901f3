/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* Fetches debug information of one module, shows how far it is, and cancels. */
GtkWidget *pv_fetch_button_new (PvDocument *document, PvModuleId module);
