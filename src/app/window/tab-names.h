/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Short names for tabs, from the titles of their documents: a recording is named by its program and
 * the time of day, "server 02:57" for "server 2026-11-28 02.57.12.data", with seconds and then the
 * date where others have the same; a comparison of two is "server 02:57 → 02:58". Long names lose
 * their middle, the more the more tabs there are. n of both; g_strfreev () it. */
char **pv_tab_names_make (const char *const *titles, guint n);
