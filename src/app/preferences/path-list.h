/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* Fills a group of preferences with the texts of a setting, a row for each with a button that
 * removes it, for as long as the group lives. key: of the setting, whose type is "as"; static. */
void pv_path_list_install (AdwPreferencesGroup *group, const char *key);

/* Adds a text to such a setting, unless it is there. Main loop only. */
void pv_path_list_add (const char *key, const char *text);
