/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "app/tracks/tracks-area-private.h"
#include "core/model/profile/event-names.h"
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

/* The first measure of samples with the stack; UINT32_MAX: none. */
static PvMeasureId
find_measure (const PvProfile *profile, PvStackId stack)
{
    const PvSampleSet *before = NULL;

    /* Measures of a set follow one another. */
    for (PvMeasureId m = 0; m < profile->n_measures; m++) {
        const PvSampleSet *set = pv_profile_get_measure_set (profile, m);
        if (set == before)
            continue;
        before = set;
        for (uint32_t i = 0; set != NULL && i < set->n_samples; i++)
            if (set->stack[i] == stack)
                return m;
    }
    return UINT32_MAX;
}

static void
say (PvTracksArea *self, const char *text)
{
    gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", text);
}

/* Wakers were recorded by an event of their own: their stacks may have nothing of the measure that
 * is shown, and so no box that could be selected. FALSE: there is one, or no other measure. */
static gboolean
show_measure_of (PvTracksArea *self, PvStackId stack)
{
    const PvCallTree *tree = pv_document_get (self->base.document)->answer->flame_tree;
    PvMeasureId measure;

    if (tree == NULL || tree->symbols != self->set->tree->symbols || tree->has_folded ||
        pv_tracks_area_find_node (self, stack) != PV_NODE_NONE)
        return FALSE;
    measure = find_measure (tree->profile, stack);
    if (measure == UINT32_MAX || measure == tree->query.measure)
        return FALSE;
    g_autofree char *text =
        /* Translators: a measure */
        g_strdup_printf (_ ("Now showing “%s”, which has the stack of the waker"),
                         pv_measure_get_title (tree->profile, measure));
    self->wanted_stack = stack;
    self->wanted_measure = measure;
    pv_document_set_measure (self->base.document, measure);
    say (self, text);
    return TRUE;
}

void
pv_tracks_area_select_wanted (PvTracksArea *self)
{
    const PvCallTree *tree = pv_document_get (self->base.document)->answer->flame_tree;
    const PvStackId stack = self->wanted_stack;

    if (stack == 0 || tree == NULL || self->set == NULL ||
        tree->query.measure != self->wanted_measure)
        return;
    self->wanted_stack = 0;
    if (pv_tracks_area_find_node (self, stack) != PV_NODE_NONE)
        pv_tracks_area_select_stack (self, stack);
    else
        say (self, _ ("The waker’s stack is left out by the filters or the time range"));
}

/* The arrow, and so the wait, stays. */
static void
select_waker (PvTracksArea *self, uint32_t wait)
{
    const PvStackId stack = get_stack (self, wait);

    self->has_selected_wait = TRUE;
    self->selected_wait = wait;
    self->wanted_stack = 0;
    if (!show_measure_of (self, stack))
        pv_tracks_area_select_stack (self, stack);
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
