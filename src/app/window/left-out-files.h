/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/window/window.h"
#include "core/load/load-folder.h"

/* Files that were in opened folders, but are no profiles. */
typedef struct PvLeftOutFiles PvLeftOutFiles;

/* Any thread, one at a time. */
PvLeftOutFiles *pv_left_out_files_new (void);
void pv_left_out_files_add (PvLeftOutFiles *files, const PvFolderContent *content);
void pv_left_out_files_free (PvLeftOutFiles *files);

/* Says in a toast how many there are, or which one, and on request which and why. It stays until it
 * is dismissed. Does nothing where there are none; files may be NULL. Main loop only. */
void pv_left_out_files_tell (const PvLeftOutFiles *files, PvWindow *window);
