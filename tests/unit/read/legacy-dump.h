/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/error.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"

/* A file as it is on disk, which must be readable. */
PvProfile *read_legacy (const char *text);
PvProfile *read_legacy_bytes (const void *data, size_t size_bytes);
/* A file with this name. */
PvProfile *read_legacy_named (const char *text, const char *name);

/*
 * The samples of the first set in their order, a line for each: root first, ";" between frames, and
 * then the weights of the measures in the order of the profile, labels ("{key=value}") and the
 * thread ("[tid name]"), where there are any. A frame is "module+0xaddress", with "!" if the
 * address is exact, or its given names "function@file:line", those inlined into it before it with
 * "<" between.
 */
char *legacy_samples_text (const PvProfile *profile);

/* "name unit aggregation total, ..." */
char *measures_text (const PvProfile *profile);

/* But for that of a missing map. */
uint32_t count_notes (const PvProfile *profile);

void assert_legacy_samples (const char *text, const char *expected);
/* The same, where nothing was skipped or noted. */
void assert_clean_samples (const char *text, const char *expected);
void assert_measures (const char *text, const char *expected);
