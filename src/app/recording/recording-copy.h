/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/base/job.h"

/*
 * Copies a recording, a file or a folder of dumps. Afterwards the new name has all of the copy, or
 * what it had before. A file may replace a file, a folder replaces nothing. Permissions are copied
 * too: recordings are readable by their owner only. Blocks; for workers.
 *
 * job reports progress and may be cancelled: G_IO_ERROR_CANCELLED. Other errors are of G_IO_ERROR
 * too, with a message for the user.
 */
gboolean pv_recording_copy (const char *from, const char *to, PvJob *job, GError **error);
