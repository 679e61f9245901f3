/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/window/window.h"

/* The profiles of the last session: files that were open when the window closed, which are opened
 * again where the user has asked for that in Preferences. Nothing is noted otherwise. Comparisons,
 * merged files, and what was fetched from a URL are not among them. Files that are not found stay
 * noted from one restored session to the next. Main loop only. */

/* Notes what is open from now on. */
void pv_session_watch (PvWindow *window);
/* Opens the files of the last session in the same tabs, and says once which are gone. Does nothing
 * unless the user wants it. */
void pv_session_restore (PvWindow *window);
