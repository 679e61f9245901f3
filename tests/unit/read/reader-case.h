/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../cases.h"
#include "../texts.h"
#include "core/base/error.h"
#include "core/model/profile/profile.h"
#include "core/read/readers.h"

/* --- reading --- */

/* Reads a text, which this reader must take for its own. NULL with error. */
PvProfile *try_to_read (const PvReader *reader, const char *text, GError **error);
/* The same of bytes; reader NULL: whichever takes them. */
PvProfile *try_to_read_bytes (const PvReader *reader, const void *data, size_t size_bytes,
                              GError **error);
/* The same where there is no error. */
PvProfile *read_well (const PvReader *reader, const char *text);
/* Reads bytes that may be too few to know the format by. NULL with error. */
PvProfile *read_piece (const PvReader *reader, const void *data, size_t size_bytes, GError **error);

/* The text is refused as this. */
void assert_refused (const PvReader *reader, const char *text, PvReadError code);

typedef struct {
    const char *text;
    bool is_its; /* of the reader's format */
} SniffedText;

/* First bytes that the reader accepts. */
void assert_sniffs (const PvReader *reader, const SniffedText *samples, size_t n_samples);

/* --- what was read --- */

bool has_note (const PvProfile *profile, const char *part);

/* Names of the given frames of a stack, outermost first: "main;work". */
char *spell_frames (const PvProfile *profile, PvStackId stack);
/* A line for each sample of all sets, sorted: "MEASURE THREAD TIME+DURATION WEIGHT main;work". */
char *spell_samples (const PvProfile *profile);
/* Adds the given frames, leaf first: " f:a.c:5@/bin/sh[inlined] main". */
void spell_places (GString *text, const PvProfile *profile, PvStackId stack);
/* A line for each sample of the only set: its weights by measure, then its places. */
char *spell_weights (const PvProfile *profile);
