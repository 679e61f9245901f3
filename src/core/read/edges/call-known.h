/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/edges/call-samples.h"

/*
 * Keeps in the profile what a call graph says itself, see known-calls.h: what calls cost and how
 * many there were, and what functions cost with all that they call. That is no more than what a
 * whole cycle costs: within one, the file counts a call again in those that it is part of.
 *
 * Unless the costs of calls were measured, they are not known within cycles, nor are totals.
 *
 * After the samples were added. False if it is not kept: there are no calls, or too many.
 */
bool pv_call_known_add (const PvCallSamples *samples, const PvCallGraph *graph, bool is_measured);
