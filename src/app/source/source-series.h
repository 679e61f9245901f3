/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/source/source.h"

/* Several files that are one profile. Copies spec. */
PvSource *pv_series_source_new (const PvSourceSpec *spec);

/* For other sources that may have one file or several: reads those of the spec, as one profile if
 * they are together. A series that is all of a folder has the files that are there by now. */
bool pv_series_source_read (PvSourceSpec *spec, const PvLoadOptions *options,
                            const PvLoadEvents *events, PvJob *job, GError **error);
/* "jeprof.4711 — 12 dumps". base NULL: what the names of the files have in common. n_dumps 0: as
 * many as there are files. */
char *pv_series_source_format_title (const PvSourceSpec *spec, const char *base, unsigned n_dumps);
