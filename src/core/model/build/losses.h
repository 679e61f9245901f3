/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/model/profile/profile.h"

/*
 * Times when events were lost. However many are reported, few are retained: those that are close
 * together become one. The sum stays. Not thread-safe.
 */
enum { PV_MAX_LOSSES = 8192 };

typedef struct {
    PV_ARRAY (PvLoss) losses; /* in no order */
} PvLossList;

void pv_loss_list_clear (PvLossList *list);
/* time_ns 0: unknown. */
void pv_loss_list_add (PvLossList *list, uint64_t time_ns, uint64_t n_lost);
/* A sorted copy in the arena, each time once, all within [start_ns, end_ns). Those without a time
 * are at the start. */
const PvLoss *pv_loss_list_publish (const PvLossList *list, uint64_t start_ns, uint64_t end_ns,
                                    PvArena *arena, uint32_t *ret_n_losses);
