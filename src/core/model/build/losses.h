/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/build/row-lists.h"

/*
 * Times when events were lost. However many are reported, few are retained: those that are close
 * together become one. The sum stays. Not thread-safe.
 */
enum { PV_MAX_LOSSES = 8192 };

/* Adds to the list, which is in no order. time_ns 0: unknown. */
void pv_loss_list_add (PvLossList *list, uint64_t time_ns, uint64_t n_lost);
/* Sorts losses, each time once, all within [start_ns, end_ns). Those without a time are at the
 * start. Returns how many remain. */
uint32_t pv_losses_fit (PvLoss *losses, uint32_t n_losses, uint64_t start_ns, uint64_t end_ns);
