/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"
#include "app/tracks/tracks-model.h"

/* Where a time range is typed, and marked to come back to it; with the list of those that are. */
#define PV_TYPE_RANGE_POPOVER (pv_range_popover_get_type ())
G_DECLARE_FINAL_TYPE (PvRangePopover, pv_range_popover, PV, RANGE_POPOVER, GtkPopover)

/* Once, before anything else. */
void pv_range_popover_set_document (PvRangePopover *popover, PvDocument *document);
void pv_range_popover_set_kind (PvRangePopover *popover, PvTimeRowKind kind);

/* Where the time of a profile ends, for ranges without an end. */
uint64_t pv_range_get_limit (const PvTimeIndex *index);

/* "38.2 ms, 61 samples, 1.60 CPUs in use, 12.3 ms waited": a range of time, or what is left of it
 * in the profile. Free with g_free (). */
char *pv_format_range_facts (const PvTracks *tracks, uint64_t start_ns, uint64_t end_ns);
