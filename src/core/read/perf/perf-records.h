/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/events/perf-session.h"

/* Handles a kernel record in order of time. Records have at least 8 bytes here. */
void perf_record_deliver (PerfSession *session, const uint8_t *record, size_t size_bytes,
                          uint64_t time_ns);
/* Handles a record that perf itself wrote, except compressed records and FINISHED_ROUND. */
void perf_record_user (PerfSession *session, uint32_t type, uint16_t misc, const uint8_t *record,
                       size_t size_bytes);
/* Handles a record that only simpleperf writes. */
void perf_record_simpleperf (PerfSession *session, uint32_t type, const uint8_t *record,
                             size_t size_bytes);
/* Reports lost events to the builder. */
void perf_record_tell_lost (PerfSession *session);
/* Turns the counts into notes. */
void perf_record_finish (PerfSession *session);
