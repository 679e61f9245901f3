/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/source/source.h"

/* One file. Copies spec. */
PvSource *pv_file_source_new (const PvSourceSpec *spec);

/* For other sources: reads the only file of the spec. */
bool pv_file_source_read (PvSourceSpec *spec, const PvLoadOptions *options,
                          const PvLoadEvents *events, PvJob *job, GError **error);
