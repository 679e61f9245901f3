/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/legacy/legacy-session.h"

/* Locations, stacks and rows of numbers, which become samples of a profile. */

/* How the numbers of a sampled heap are scaled to the whole. */
typedef enum {
    LEGACY_SCALE_NONE,
    LEGACY_SCALE_POISSON, /* one byte in rate_bytes was sampled; uses the mean size */
    LEGACY_SCALE_LINEAR,  /* tcmalloc's first version */
} LegacyScale;

typedef struct {
    double objects, bytes;
} LegacyAmounts;

void legacy_session_add_column (LegacySession *session, const LegacyColumn *column);

/* Takes the addresses of a line, all numbers with 0x, into session->addrs. */
void legacy_take_stack (LegacySession *session, PvText *line);

/* The location of a run-time address. */
PvLocationId legacy_location (LegacySession *session, uint64_t runtime_addr, PvLocationKind kind);
/* The stack of session->addrs, leaf first. */
PvStackId legacy_stack (LegacySession *session, PvLocationKind leaf, PvLocationKind others);
/* Adds a row to session->rows, unless all its values are zero. */
void legacy_add_row (LegacySession *session, const LegacyRow *row);

/* Gives session->frames, innermost first, to a location that has none yet. */
void legacy_give_frames (LegacySession *session, PvLocationId location);

LegacyAmounts legacy_unsample (LegacyScale scale, double rate_bytes, int64_t n_objects,
                               int64_t size_bytes);
/* Rounds amount and carries the error to the column's next amount, so that totals are exact and
 * every amount is off by less than 1. */
int64_t legacy_round (LegacySession *session, uint32_t column, double amount);

/* Sets the fact that one in period_bytes bytes was sampled. */
void legacy_set_period_bytes (LegacySession *session, uint64_t period_bytes);

/* Creates the sample set from all rows; the preferred column becomes the preferred measure. */
void legacy_session_finish (LegacySession *session);
