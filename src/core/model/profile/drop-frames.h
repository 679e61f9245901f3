/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/model/profile/profile.h"

/*
 * The functions that a profile asks to drop, as one expression for PV_TRANSFORM_DROP (g_free ()
 * it): it fits the whole simplified name of a function. NULL if the profile asks for nothing; and,
 * with a G_REGEX_ERROR, if what it says is no expression.
 */
char *pv_drop_frames_make_expression (const PvProfile *profile, GError **error);

/* The name as such expressions see it, in new memory: without a leading '.', which some linkers
 * give to code, and cut before its parameters. */
char *pv_drop_frames_simplify (const char *name);
