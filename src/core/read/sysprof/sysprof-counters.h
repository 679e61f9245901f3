/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/read/sysprof/sysprof-places.h"

/* The counters of a capture, in the order of their definitions. */
typedef struct {
    SysprofCounterDefinition definition; /* its texts lie in the capture */
    int32_t pid;
    uint64_t defined_ns; /* values of an earlier time are of something else */
    PV_ARRAY (uint64_t) times;
    PV_ARRAY (double) values;
} SysprofCounter;

typedef struct {
    PV_ARRAY (SysprofCounter) counters;
    PvIdMap counter_of_id; /* the latest one: row + 1 */
    uint64_t n_samples;
    uint64_t n_left_out; /* definitions beyond PV_MAX_COUNTERS */
} SysprofCounters;

void sysprof_counters_clear (SysprofCounters *counters);
/* With what the builder will need of them. */
uint64_t sysprof_counters_count_bytes (const SysprofCounters *counters);

/* Each takes a frame, in the order of the file; false: it is damaged. */
bool sysprof_counters_define (SysprofCounters *counters, const SysprofCapture *capture,
                              const SysprofFrame *frame);
bool sysprof_counters_add_values (SysprofCounters *counters, const SysprofFrame *frame);

/* Adds those that have values to the builder of the places. */
void sysprof_counters_finish (const SysprofCounters *counters, SysprofPlaces *places);
