/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/legacy/legacy-session.h"

/* The formats, each in a file of its own; legacy.c lists them. */

/* Reads the rest of session->text, including the header, and fills in columns and rows. False with
 * an error if there is nothing to show. */
typedef bool (*LegacyReadFunc) (LegacySession *session, GError **error);

bool legacy_is_heap (PvText text);
bool legacy_read_heap (LegacySession *session, GError **error);
bool jemalloc_is_heap (PvText text);
bool jemalloc_read_heap (LegacySession *session, GError **error);
bool legacy_is_count (PvText text);
bool legacy_read_count (LegacySession *session, GError **error);
bool legacy_is_contention (PvText text);
bool legacy_read_contention (LegacySession *session, GError **error);
bool legacy_is_threads (PvText text);
bool legacy_read_threads (LegacySession *session, GError **error);
bool legacy_is_java (PvText text);
bool legacy_read_java (LegacySession *session, GError **error);
bool legacy_is_cpu (PvText text);
bool legacy_read_cpu (LegacySession *session, GError **error);
