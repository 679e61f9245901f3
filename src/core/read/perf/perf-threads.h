/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/events/perf-session.h"

/* True if the streams next to the main file contain compressed records. */
bool perf_threads_are_packed (const PerfSession *session);
/* Walks the streams next to the main file in step. False when cancelled. */
bool perf_threads_walk (PerfSession *session);
