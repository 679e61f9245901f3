/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/arena.h"
#include "core/read/bpftrace/bpftrace-maps.h"
#include "core/read/unpack/reader.h"

/* True if the first bytes of a file look like the output of bpftrace -f json with maps. */
bool bpftrace_sniff_json (const uint8_t *data, size_t size_bytes);

/* Takes the entries of a line that prints a map. Their texts are in `texts`. Other lines have none.
 * False: the line is cut off or damaged; what came before that is taken. */
bool bpftrace_read_json (PvText line, const PvReadContext *context, BpftraceMaps *maps,
                         PvArena *texts);
