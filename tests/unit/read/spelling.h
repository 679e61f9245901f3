/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/model/profile/profile.h"
#include "core/read/readers.h"

/* Reads a text, which this reader must take for its own. NULL with error. */
PvProfile *try_to_read (const PvReader *reader, const char *text, GError **error);
/* The same where there is no error. */
PvProfile *read_well (const PvReader *reader, const char *text);

/* Names of the given frames of a stack, outermost first: "main;work". */
char *spell_frames (const PvProfile *profile, PvStackId stack);
/* A line for each sample of all sets, sorted: "MEASURE THREAD TIME+DURATION WEIGHT main;work". */
char *spell_samples (const PvProfile *profile);
/* Sorts lines, each of which ends; takes the pointers. */
char *join_sorted (GPtrArray *lines);
