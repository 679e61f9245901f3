/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/format.h"
#include "core/model/build/builder.h"
#include "core/read/callgrind/callgrind-lines.h"
#include "core/read/edges/call-edges.h"

/*
 * Events that are counted in any part of a file, and formulas of them, such as "CPU = Ir + 10 L1m".
 * One thread at a time.
 */
typedef struct CallgrindEvents CallgrindEvents;

/* Strings are kept in the builder. */
CallgrindEvents *callgrind_events_new (PvProfileBuilder *builder);
void callgrind_events_free (CallgrindEvents *events);

/* The number of an event by its name; a new one is added to the graph. UINT32_MAX: there are too
 * many. */
uint32_t callgrind_events_get (CallgrindEvents *events, PvText name, PvCallGraph *graph);

/* Factor from counts of the event to the measure's unit. */
int64_t callgrind_events_get_scale (const CallgrindEvents *events, uint32_t event);

/* "NAME = FORMULA : LONG NAME"; without a formula it is an event that is counted. Bytes if the long
 * name ends so. */
void callgrind_events_add_formula (CallgrindEvents *events, PvText text);

/* Adds a measure for each event, then for each formula that can be computed of events that there
 * are; notes those that cannot. */
void callgrind_events_add_measures (CallgrindEvents *events, uint32_t set);
uint32_t callgrind_events_count_measures (const CallgrindEvents *events);

/* The weights of a sample by its costs of the events. Sums of all samples stay within an int64_t;
 * no weight is below zero. */
void callgrind_events_weigh (CallgrindEvents *events, const uint64_t *costs, uint64_t *ret_weights);
