/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The few choices that outlive a run, in a key file in the user's configuration folder. Main loop
 * only; reading is one small file, once. */
char *pv_preferences_get (const char *key, const char *fallback);
void pv_preferences_set (const char *key, const char *value);
