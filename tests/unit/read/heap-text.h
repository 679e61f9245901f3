/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/error.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"
#include "perf-writer.h"

/* A heaptrack file as it is on disk, which must be readable. */
PvProfile *read_heap (const char *text);

/*
 * All sites in their order, a line for each that has allocated: root first, ";" between frames, and
 * " allocations/temporary allocated live peak", all over the whole recording. A frame is
 * "module+0xaddress" or, where names are given, "function@file:line" (each part that is known),
 * those inlined into it before it with "<" between: "inner<outer".
 */
char *sites_text (const PvProfile *profile);
