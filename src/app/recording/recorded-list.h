/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* The recordings in the user's folder, the newest first: to be opened by a click, saved elsewhere
 * and deleted. Hidden when there is none; kept up to date while what it is in is shown. */
#define PV_TYPE_RECORDED_LIST (pv_recorded_list_get_type ())
G_DECLARE_FINAL_TYPE (PvRecordedList, pv_recorded_list, PV, RECORDED_LIST, AdwBin)

/* Looks at the folder: when what it is in is shown, which it cannot know itself. */
void pv_recorded_list_update (PvRecordedList *list);
