/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/window/window.h"

/* Tells the user who is elsewhere, by a notification of the desktop, that a recording or the first
 * fetch of a document has ended that took a while; each document tells so once. Main loop only. */

/* Follows what is recorded and fetched in the window's tabs. */
void pv_notices_watch (PvWindow *window);
/* Selects the tab that a notification was about, and presents its window. FALSE: it is closed. */
gboolean pv_notices_show (PvWindow *window, guint32 number);
