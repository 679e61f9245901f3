/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/heaptrack/heaptrack-session.h"

/* Reads the stream to its end. False when cancelled. */
bool heaptrack_run (HeaptrackSession *session);
