/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"

/*
 * Who woke whom: the waits that a query keeps, by the thread that waited, its state, the thread
 * that woke it, and the innermost functions from which it did so. Waits without a known waker have
 * rows of their own, so that all rows add up to the whole. Any thread.
 */
enum { PV_WAKER_FUNCTIONS = 3 };

typedef struct {
    PvThreadId thread;
    PvThreadId waker;  /* 0: not known, or nobody, as the thread was preempted, or an interrupt */
    bool is_interrupt; /* such as that of a timer: the thread that it interrupted woke nobody */
    char state;        /* see PvWait; 0: not known */
    /* Functions of the waker's program; of the kernel for interrupts, and where nothing else is on
     * the stack. Innermost first, 0 beyond the last one. */
    PvFunctionId functions[PV_WAKER_FUNCTIONS];
    uint32_t n_waits;
    uint64_t weight; /* of the waits, in the measure of the query */
} PvWakerRow;

typedef struct {
    uint64_t total;
    uint32_t n_rows;
    PvWakerRow *rows; /* heaviest first */
} PvWakers;

/* True if the measure counts waits with known details. */
bool pv_wakers_can_build (const PvProfile *profile, PvMeasureId measure);

/* The first measure for which the above holds; UINT32_MAX if none. */
PvMeasureId pv_wakers_find_measure (const PvProfile *profile);

/* The waits of the tree's query, by its measure, for which pv_wakers_can_build () must hold. NULL
 * when cancelled. */
PvWakers *pv_wakers_build (const PvCallTree *tree, PvJob *job);
void pv_wakers_free (PvWakers *wakers);

/* The functions that a row has for this stack; 0 beyond the last. True if the stack is of an
 * interrupt. */
bool pv_wakers_find_functions (const PvProfile *profile, const PvSymbolTable *symbols,
                               PvStackId stack, PvFunctionId ret_functions[PV_WAKER_FUNCTIONS]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvWakers, pv_wakers_free)
