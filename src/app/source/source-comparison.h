/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/source/source.h"

/*
 * Two profiles that are compared, or two parts of one; or several that are joined. What is there
 * already is used as it is, the rest is read; both, and the comparison itself, by one job. Reading
 * again reads what has files.
 * With a list of runs, all of these are read and summed up first, and its ends are compared.
 */

/* spec: with at least one run of each side; copied. */
PvSource *pv_comparison_source_new (const PvSourceSpec *spec);
gboolean pv_source_is_comparison (const PvSource *source);

/* Reads what of the spec is missing or stale and compares, as a source does. In a worker; spec is
 * the caller's own. */
bool pv_comparison_source_read (PvSourceSpec *spec, const PvLoadOptions *options,
                                const PvLoadEvents *events, PvJob *job, GError **error);

/* For comparisons only. */

/* The run that is being recorded; NULL: none, or it has ended. */
const PvComparedRun *pv_comparison_source_get_live (const PvSource *source);
/* Compares again with what has been recorded by now; the same samples of it count. is_live: more
 * will come, and the comparison is as quiet as a live view; else that is all. */
void pv_comparison_source_renew_live (PvSource *source, const PvSourceSpec *files,
                                      const PvProfile *profile, const PvSymbolTable *symbols,
                                      gboolean is_live);
/* No more will come. */
void pv_comparison_source_end_live (PvSource *source);
/* Compares again, the other way round; if that fails, the sides stay what they were. */
void pv_comparison_source_swap (PvSource *source);
/* For a comparison with a list of runs: reads all again and asks this of each, see PvRunList. */
void pv_comparison_source_ask_runs (PvSource *source, const char *const *words, PvScale scale,
                                    const char *function);
/* Compares again if a side is this profile, and these are other symbols of it. */
void pv_comparison_source_set_symbols (PvSource *source, const PvProfile *profile,
                                       const PvSymbolTable *symbols);
