/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Slots that circulate through the stages of a pipeline, one thread per stage: stage 0 fills a
 * slot, each later stage works on it in turn, and after the last it is free again. The caller owns
 * the memory of the slots; the ring only says whose turn it is. Each stage sees what the one before
 * has written.
 */
enum { PV_RING_MAX_STAGES = 4 };

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t n_slots;
    unsigned n_stages;
    uint64_t n_done[PV_RING_MAX_STAGES];
    bool is_closed;
    bool is_stopped;
} PvStageRing;

void pv_stage_ring_init (PvStageRing *ring, size_t n_slots, unsigned n_stages);
void pv_stage_ring_clear (PvStageRing *ring);

/* Waits for the stage's next slot. False when no more will come: the ring was stopped, or closed
 * and all slots are done. */
bool pv_stage_ring_wait (PvStageRing *ring, unsigned stage, size_t *ret_slot);

/* Passes the slot that the stage waited for to the next stage. */
void pv_stage_ring_pass (PvStageRing *ring, unsigned stage);

/* For stage 0: waits until the other stages have done all the slots that it passed. */
void pv_stage_ring_drain (PvStageRing *ring);

/* Stage 0 will not fill any more slots; the others finish the rest. */
void pv_stage_ring_close (PvStageRing *ring);

/* Makes pv_stage_ring_wait () return false in all stages. Any thread. */
void pv_stage_ring_stop (PvStageRing *ring);
