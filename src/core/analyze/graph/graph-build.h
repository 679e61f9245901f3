/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/graph/graph.h"
#include "core/base/job.h"

/* Accepts inverted and grouped trees, and those with all nodes folded. NULL when cancelled. */
PvGraph *pv_graph_build (const PvCallTree *tree, const PvGraphLimits *limits, PvJob *job);
