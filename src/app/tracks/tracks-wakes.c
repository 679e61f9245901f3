/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/tracks-area-private.h"
#include "render/tracks/wake-arrow.h"

/*
 * Who woke a thread: an arrow from the waker's row, at the time it did so. It is shown of the wait
 * that the pointer or the cursor is on, and of the last one that was selected.
 */

static gboolean
has_waits (PvTracksArea *self)
{
    return self->set != NULL && self->set->tracks->waits != NULL &&
           self->view.end_ns > self->view.start_ns;
}

/* The waits with an arrow, the hit's first. */
static unsigned
list_waits (PvTracksArea *self, uint32_t ret_waits[2])
{
    unsigned n = 0;

    if (!has_waits (self))
        return 0;
    if (self->has_hit && self->hit.has_wait)
        ret_waits[n++] = self->hit.wait;
    if (self->has_selected_wait && (n == 0 || ret_waits[0] != self->selected_wait))
        ret_waits[n++] = self->selected_wait;
    return n;
}

void
pv_tracks_area_keep_wake (PvTracksArea *self)
{
    self->has_selected_wait = self->has_hit && self->hit.has_wait;
    self->selected_wait = self->hit.wait;
}

void
pv_tracks_area_snapshot_wake (PvTracksArea *self, GtkSnapshot *snapshot)
{
    const PvTracks *tracks = self->set->tracks;
    uint32_t waits[2];
    unsigned n = list_waits (self, waits);
    PvPalette palette;
    PvWakeArrow arrow;

    for (unsigned i = 0; i < n; i++) {
        cairo_rectangle_t plot = pv_tracks_get_plot (tracks, &self->view);
        graphene_rect_t bounds;
        cairo_t *cr;
        if (!pv_wake_arrow_find (tracks, &self->view, waits[i], &arrow))
            continue;
        graphene_rect_init (&bounds, (float)arrow.x - 8, (float)plot.y, 16, (float)plot.height);
        pv_palette_init_plain (&palette, self->view.is_dark, self->view.is_high_contrast);
        cr = gtk_snapshot_append_cairo (snapshot, &bounds);
        pv_wake_arrow_draw (&arrow, cr, &palette);
        cairo_destroy (cr);
    }
}

/* The wait whose arrow is there. */
static gboolean
find_wait (PvTracksArea *self, double x, double y, uint32_t *ret_wait)
{
    uint32_t waits[2];
    unsigned n = list_waits (self, waits);
    PvWakeArrow arrow;

    for (unsigned i = 0; i < n; i++)
        if (pv_wake_arrow_find (self->set->tracks, &self->view, waits[i], &arrow) &&
            pv_wake_arrow_has (&arrow, x, y)) {
            *ret_wait = waits[i];
            return TRUE;
        }
    return FALSE;
}

/* 0: not known. */
static PvStackId
get_stack (PvTracksArea *self, uint32_t wait)
{
    const PvWaitIndex *index = self->set->tracks->waits;
    uint32_t row = pv_sample_set_wait (index->set, wait);

    return row != 0 ? index->profile->waits[row].waker_stack : 0;
}

gboolean
pv_tracks_area_has_waker_at (PvTracksArea *self, double x, double y)
{
    uint32_t wait;

    return find_wait (self, x, y, &wait) && get_stack (self, wait) != 0;
}

/* The arrow, and so the wait, stays. */
static void
select_waker (PvTracksArea *self, uint32_t wait)
{
    self->has_selected_wait = TRUE;
    self->selected_wait = wait;
    pv_tracks_area_select_stack (self, get_stack (self, wait));
}

gboolean
pv_tracks_area_has_waker (PvTracksArea *self)
{
    uint32_t waits[2];

    return list_waits (self, waits) > 0 && get_stack (self, waits[0]) != 0;
}

void
pv_tracks_area_select_waker (PvTracksArea *self)
{
    uint32_t waits[2];

    if (list_waits (self, waits) > 0 && get_stack (self, waits[0]) != 0)
        select_waker (self, waits[0]);
}

gboolean
pv_tracks_area_select_waker_at (PvTracksArea *self, double x, double y)
{
    uint32_t wait;

    if (!find_wait (self, x, y, &wait) || get_stack (self, wait) == 0)
        return FALSE;
    select_waker (self, wait);
    return TRUE;
}
