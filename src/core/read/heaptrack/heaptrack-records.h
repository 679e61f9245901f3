/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/heaptrack/heaptrack-session.h"

/* Takes a line that is neither + nor -; line_end is its line feed. Returns the start of the next
 * line: strings may contain line feeds, up to text_end. */
const char *heaptrack_record (HeaptrackSession *session, const char *line, const char *line_end,
                              const char *text_end);
uint32_t heaptrack_new_site (HeaptrackSession *session, uint64_t trace);
void heaptrack_records_finish (HeaptrackSession *session);

/* The allocation site of a trace, created if needed. The trace must exist. */
static inline uint32_t
heaptrack_get_site (HeaptrackSession *session, uint64_t trace)
{
    uint32_t site = session->site_of_trace.data[trace];
    return G_LIKELY (site != 0) ? site - 1 : heaptrack_new_site (session, trace);
}
