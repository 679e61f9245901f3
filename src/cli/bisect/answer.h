/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdio.h>

#include "cli/bisect/state.h"

typedef enum {
    PV_BISECT_FOUND,   /* the files of the options are the commit's and those of the one before */
    PV_BISECT_SEVERAL, /* several commits changed it; they are those of the largest step */
    PV_BISECT_UNSURE,  /* several commits are left; they are those of both ends */
    PV_BISECT_NOTHING, /* the ends do not differ, as far as is known; they are theirs */
    PV_BISECT_FAILED,  /* there was a message */
} PvBisectEnd;

/* Writes the answer of a search in words, or in JSON, and puts the recordings that it is about into
 * the options, as files of a comparison. */
PvBisectEnd pv_bisect_answer (const PvBisect *bisect, FILE *out, bool is_json);
