/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/model/profile/profile.h"

/*
 * The functions that a profile asks to drop, as one expression for PV_TRANSFORM_DROP that matches a
 * function's whole simplified name; g_free () it. NULL if it asks for none, or with a G_REGEX_ERROR
 * if the profile's expression is invalid.
 */
char *pv_drop_frames_make_expression (const PvProfile *profile, GError **error);

/* The name that such expressions are matched against, in new memory: without the leading '.' that
 * some linkers add to code, and without parameters. */
char *pv_drop_frames_simplify (const char *name);
