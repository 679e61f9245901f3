/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/perf/perf-session.h"

/* Handles a record of the kernel whose turn has come. Records have at least 8 bytes here. */
void perf_record_deliver (PerfSession *session, const uint8_t *record, size_t size_bytes,
                          uint64_t time_ns);
/* Handles a record that perf itself wrote, except compressed ones and those that end a round. */
void perf_record_user (PerfSession *session, uint32_t type, uint16_t misc, const uint8_t *record,
                       size_t size_bytes);
/* Tells the builder how many events were lost. */
void perf_record_tell_lost (PerfSession *session);
/* Turns the counts into notes. */
void perf_record_finish (PerfSession *session);
