/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Slots that go round through the stages of a pipeline, one thread per stage: stage 0 fills a slot,
 * each further one works on it in turn, and behind the last it is free again. The memory of the
 * slots is the caller's; the ring only says whose turn it is. What a stage has written is seen by
 * the next.
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

/* Hands the slot that the stage waited for to the next one. */
void pv_stage_ring_pass (PvStageRing *ring, unsigned stage);

/* For stage 0: returns when the others have done all that it passed. */
void pv_stage_ring_drain (PvStageRing *ring);

/* Stage 0 will fill no more; the others do what is left. */
void pv_stage_ring_close (PvStageRing *ring);

/* All stages get false from now on. From any thread. */
void pv_stage_ring_stop (PvStageRing *ring);
