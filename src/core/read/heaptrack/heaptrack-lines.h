/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/heaptrack/heaptrack-feed.h"
#include "core/read/heaptrack/heaptrack-session.h"

/* Takes all lines of a text: the frequent ones become operations of the session's batch. */
void heaptrack_tokenise (HeaptrackSession *session, const HeaptrackText *text);
