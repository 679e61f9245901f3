/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/events/perf-session.h"

/* Reads a feature section, or the payload of a HEADER_FEATURE record. */
void perf_feature_read (PerfSession *session, uint32_t feature, const uint8_t *data,
                        size_t size_bytes);
/* The value of session->arch for recordings of this machine. */
PvArch perf_arch_of_this_machine (void);
/* Reads a build-id record (HEADER_BUILD_ID layout, header included). */
void perf_feature_build_id (PerfSession *session, const uint8_t *record, size_t size_bytes,
                            bool has_pid);
