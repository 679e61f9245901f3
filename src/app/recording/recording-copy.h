/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/base/job.h"

/*
 * Copies a recording, a file or the folder of a series of dumps, so that there is either all of it
 * under the new name or what was there before: blocking, for workers. What a file replaces must be
 * a file; a folder replaces nothing. The copy is the user's alone (0600, 0700) where the original
 * is.
 *
 * job tells how far it is and may be cancelled: G_IO_ERROR_CANCELLED. Messages of other errors are
 * whole sentences for the user.
 */
gboolean pv_recording_copy (const char *from, const char *to, PvJob *job, GError **error);
