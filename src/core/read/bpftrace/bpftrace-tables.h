/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/model/build/builder.h"
#include "core/read/bpftrace/bpftrace-maps.h"

/* A map with histograms by key has one for each; more than anybody looks at are not shown. */
#define BPFTRACE_MAX_TABLES 10000u

/* Adds the last print of all maps that do not count by stack to the builder, as distributions.
 * Returns how many there are. ret_has_more: some are left out. Ends early when cancelled, or when
 * the builder has more than max_bytes. */
uint32_t bpftrace_tables_add (const BpftraceMaps *maps, PvProfileBuilder *builder, PvJob *job,
                              uint64_t max_bytes, bool *ret_has_more);
