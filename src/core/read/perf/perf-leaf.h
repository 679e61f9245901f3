/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/events/perf-sample.h"
#include "core/read/perf/perf-maps.h"

PerfLeaf *perf_leaf_new (void);
void perf_leaf_free (PerfLeaf *leaf);

/* True if the event's samples contain enough to find the innermost function's caller. */
bool perf_leaf_is_wanted (const PerfSession *session, const PerfAttr *attr);
/* The return address missing after the innermost user address; 0 if the chain already has it or it
 * cannot be found. */
uint64_t perf_leaf_find_caller (PerfSession *session, const PerfAttr *attr, PerfThread *thread,
                                const PerfSample *sample);
