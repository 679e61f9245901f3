/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/build/builder.h"

/*
 * Puts finished profiles together in one builder: one profile of several files, or a series.
 *
 * Rows that are the same in several profiles become one: modules by kind, path and build-id (and
 * code made at run time by its process and place), locations with the frames that were given for
 * them, stacks, processes by id and name, threads, sets of labels. Samples stay as they are. Sets
 * of samples with the same measures become one set; if only some measures are the same, as in pprof
 * files with different sample types, only these are retained, with a note. Where facts differ,
 * those of the first file count, except for the earliest time, all comments, and sums of amounts.
 * Histograms with the same name and ranges that fit are added up, and so are stats; other
 * distributions that several files have are there for each of them, with its name and a note.
 * Counters stay as they are, and those with a name that several files have get the file's after
 * it; a series has none, which a note says.
 */
typedef struct PvMerger PvMerger;

/* The builder stays the caller's, must be empty, and is not to be used before
 * pv_merger_finish (). */
PvMerger *pv_merger_new (PvProfileBuilder *builder, bool is_series);
void pv_merger_free (PvMerger *merger);

/* The next profile, which must not be that of a heap or a series; name is its file's, for notes. */
void pv_merger_append (PvMerger *merger, const PvProfile *profile, const char *name);

/* Completes the builder: once, after the last profile. Of a series, dumps has one entry for each
 * profile in the order they were appended in; their times, all above 0 and no two the same, say
 * which order they have. NULL for others. */
void pv_merger_finish (PvMerger *merger, const PvDump *dumps, bool has_dump_times);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvMerger, pv_merger_free)
