/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/heaptrack/heaptrack-session.h"

/* Takes one line that is neither + nor -, from line to line_end, its line feed.
 * Returns where the next one starts: a string may have line feeds inside, up to text_end. */
const char *heaptrack_record (HeaptrackSession *session, const char *line, const char *line_end,
                              const char *text_end);
uint32_t heaptrack_new_site (HeaptrackSession *session, uint64_t trace);
void heaptrack_records_finish (HeaptrackSession *session);

/* The site that allocates with this trace, which must exist. */
static inline uint32_t
heaptrack_get_site (HeaptrackSession *session, uint64_t trace)
{
    uint32_t site = session->site_of_trace.data[trace];
    return G_LIKELY (site != 0) ? site - 1 : heaptrack_new_site (session, trace);
}
