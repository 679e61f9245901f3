/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* The recordings in the user's folder, newest first. A click opens one; a menu saves or deletes it.
 * Hidden when there are none. Watches the folder while its parent is mapped. */
#define PV_TYPE_RECORDED_LIST (pv_recorded_list_get_type ())
G_DECLARE_FINAL_TYPE (PvRecordedList, pv_recorded_list, PV, RECORDED_LIST, AdwBin)

/* Lists the folder again. Call it when the parent is mapped. */
void pv_recorded_list_update (PvRecordedList *list);
