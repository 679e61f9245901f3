/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/perf/perf-session.h"

/* Whether the streams beside the main file hold compressed records. */
bool perf_threads_are_packed (const PerfSession *session);
/* Walks the streams beside the main file side by side. False when cancelled. */
bool perf_threads_walk (PerfSession *session);
