/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/findings/finding-rule.h"

/* A function, and the part of an amount that it may be blamed for. */
typedef struct {
    PvFunctionId function; /* 0: nobody */
    uint64_t amount;
} PvBlamed;

/* The function with most of these amounts by stack. */
PvBlamed pv_finding_blame_most (const PvFindingContext *context, const uint64_t *of_stack);

/* The same for the sites of the profile's heap. Those below zero count as nothing. */
PvBlamed pv_finding_blame_sites (const PvFindingContext *context, const int64_t *of_site);
