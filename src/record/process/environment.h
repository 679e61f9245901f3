/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The environment of a program: ours, then each of the lists of "NAME=VALUE", of which any may be
 * NULL; the last one wins. Free with g_strfreev (). */
char **pv_environment_make (const char *const *entries, const char *const *more_entries);
