/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* A program's environment: ours, overridden by the lists of "NAME=VALUE" in turn. Either may be
 * NULL. Free with g_strfreev (). */
char **pv_environment_make (const char *const *entries, const char *const *more_entries);
