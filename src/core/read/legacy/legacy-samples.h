/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/legacy/legacy-session.h"

/* Locations, stacks and rows of numbers, until they are samples of a profile. */

/* How the numbers of a sampled heap become those of the whole. */
typedef enum {
    LEGACY_SCALE_NONE,
    LEGACY_SCALE_POISSON, /* a byte in rate_bytes was sampled: by the probability of the mean */
    LEGACY_SCALE_LINEAR,  /* tcmalloc's first version */
} LegacyScale;

typedef struct {
    double objects, bytes;
} LegacyAmounts;

void legacy_session_add_column (LegacySession *session, const LegacyColumn *column);

/* Takes the addresses of a line into session->addrs: every number with 0x until its end. */
void legacy_take_stack (LegacySession *session, LegacyText *line);

/* The location of an address as it was in the process. */
PvLocationId legacy_location (LegacySession *session, uint64_t runtime_addr, PvLocationKind kind);
/* The stack of session->addrs, leaf first. */
PvStackId legacy_stack (LegacySession *session, PvLocationKind leaf, PvLocationKind others);
/* One row for session->rows; rows without any value are left out. */
void legacy_add_row (LegacySession *session, const LegacyRow *row);

/* NULL or names, innermost first, to a location that has none yet. */
void legacy_give_frames (LegacySession *session, PvLocationId location);

LegacyAmounts legacy_unsample (LegacyScale scale, double rate_bytes, int64_t n_objects,
                               int64_t size_bytes);
/* amount as an integer; what it is off by goes to the next one of the column, so that totals are
 * exact and none is off by 1 or more. */
int64_t legacy_round (LegacySession *session, uint32_t column, double amount);

/* Tells that one in so many bytes was sampled. */
void legacy_set_period_bytes (LegacySession *session, uint64_t period_bytes);

/* Makes the sample set of all rows; the preferred column comes first. */
void legacy_session_finish (LegacySession *session);
