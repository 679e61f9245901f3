/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/unpack/stage-ring.h"

void
pv_stage_ring_init (PvStageRing *ring, size_t n_slots, unsigned n_stages)
{
    g_assert (n_slots > 0 && n_stages >= 2 && n_stages <= PV_RING_MAX_STAGES);
    *ring = (PvStageRing){.n_slots = n_slots, .n_stages = n_stages};
    pthread_mutex_init (&ring->lock, NULL);
    pthread_cond_init (&ring->changed, NULL);
}

void
pv_stage_ring_clear (PvStageRing *ring)
{
    pthread_cond_destroy (&ring->changed);
    pthread_mutex_destroy (&ring->lock);
}

static bool
is_ready (const PvStageRing *ring, unsigned stage)
{
    if (stage == 0)
        return ring->n_done[0] < ring->n_done[ring->n_stages - 1] + ring->n_slots;
    return ring->n_done[stage] < ring->n_done[stage - 1];
}

/* True if no more slots will come to the stage. */
static bool
is_over (const PvStageRing *ring, unsigned stage)
{
    return ring->is_stopped || (ring->is_closed && ring->n_done[stage] == ring->n_done[0]);
}

bool
pv_stage_ring_wait (PvStageRing *ring, unsigned stage, size_t *ret_slot)
{
    pthread_mutex_lock (&ring->lock);
    while (!is_over (ring, stage) && !is_ready (ring, stage))
        pthread_cond_wait (&ring->changed, &ring->lock);
    bool is_there = !is_over (ring, stage);
    *ret_slot = (size_t)(ring->n_done[stage] % ring->n_slots);
    pthread_mutex_unlock (&ring->lock);
    return is_there;
}

void
pv_stage_ring_pass (PvStageRing *ring, unsigned stage)
{
    pthread_mutex_lock (&ring->lock);
    ring->n_done[stage]++;
    pthread_cond_broadcast (&ring->changed);
    pthread_mutex_unlock (&ring->lock);
}

void
pv_stage_ring_drain (PvStageRing *ring)
{
    pthread_mutex_lock (&ring->lock);
    while (!ring->is_stopped && ring->n_done[ring->n_stages - 1] < ring->n_done[0])
        pthread_cond_wait (&ring->changed, &ring->lock);
    pthread_mutex_unlock (&ring->lock);
}

void
pv_stage_ring_close (PvStageRing *ring)
{
    pthread_mutex_lock (&ring->lock);
    ring->is_closed = true;
    pthread_cond_broadcast (&ring->changed);
    pthread_mutex_unlock (&ring->lock);
}

void
pv_stage_ring_stop (PvStageRing *ring)
{
    pthread_mutex_lock (&ring->lock);
    ring->is_stopped = true;
    pthread_cond_broadcast (&ring->changed);
    pthread_mutex_unlock (&ring->lock);
}
