/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "app/pictures/picture-nodes.h"
#include "app/tracks/range-popover.h"
#include "app/tracks/tracks-area-private.h"
#include "app/widgets/focus.h"
#include "app/widgets/menus.h"
#include "render/draw/palette.h"

/*
 * Ranges of time that are typed or marked. A mark is a bar on the ruler with a flag that has its
 * letter; a click on it selects its range again.
 */
#define BAR_HEIGHT  4
#define FLAG_WIDTH  14
#define FLAG_HEIGHT 15

/* Its part of the ruler; FALSE: it is not in view. */
static gboolean
find_bar (PvTracksArea *self, const PvRangeMark *mark, double *ret_start, double *ret_end)
{
    const PvTracks *tracks = self->set->tracks;
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, &self->view);
    double right = plot.x + plot.width;
    double start = pv_tracks_time_to_x (tracks, &self->view, mark->start_ns);
    double end = pv_tracks_time_to_x (tracks, &self->view, mark->end_ns);

    if (end < plot.x || start >= right || self->view.end_ns <= self->view.start_ns)
        return FALSE;
    *ret_start = floor (CLAMP (start, plot.x, right - 1));
    *ret_end = ceil (CLAMP (end, *ret_start + 1, right));
    return TRUE;
}

static void
snapshot_letter (PvTracksArea *self, GtkSnapshot *snapshot, char letter, double x,
                 const GdkRGBA *color)
{
    const char text[] = {letter, '\0'};
    g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
    PangoAttrList *attributes = pango_attr_list_new ();
    int width, height;

    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
    pango_attr_list_insert (attributes, pango_attr_scale_new (PANGO_SCALE_SMALL));
    pango_layout_set_attributes (layout, attributes);
    pango_attr_list_unref (attributes);
    pango_layout_get_pixel_size (layout, &width, &height);
    gtk_snapshot_save (snapshot);
    gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float)(x + (FLAG_WIDTH - width) / 2.0),
                                                            (float)((FLAG_HEIGHT - height) / 2.0)));
    gtk_snapshot_append_layout (snapshot, layout, color);
    gtk_snapshot_restore (snapshot);
}

void
pv_tracks_area_snapshot_marks (PvTracksArea *self, GtkSnapshot *snapshot)
{
    cairo_rectangle_t plot = pv_tracks_get_plot (self->set->tracks, &self->view);
    guint n_marks;
    const PvRangeMark *marks = pv_tracks_model_get_marks (self->model, &n_marks);
    PvPalette palette;
    GdkRGBA bar, edge, back;

    pv_palette_init_plain (&palette, self->view.is_dark, self->view.is_high_contrast);
    bar = (GdkRGBA){(float)palette.foreground.red, (float)palette.foreground.green,
                    (float)palette.foreground.blue, 0.75f};
    edge = bar;
    edge.alpha = 0.3f;
    back = (GdkRGBA){(float)palette.background.red, (float)palette.background.green,
                     (float)palette.background.blue, 1};
    for (guint i = 0; i < n_marks; i++) {
        double start, end;
        if (!find_bar (self, &marks[i], &start, &end))
            continue;
        pv_picture_append_color (snapshot, &edge, start, FLAG_HEIGHT, 1, plot.height + plot.y);
        pv_picture_append_color (snapshot, &edge, end - 1, BAR_HEIGHT, 1, plot.height + plot.y);
        pv_picture_append_color (snapshot, &back, start, 0, MAX (end - start, FLAG_WIDTH),
                                 BAR_HEIGHT);
        pv_picture_append_color (snapshot, &back, start, 0, FLAG_WIDTH, FLAG_HEIGHT);
        pv_picture_append_color (snapshot, &bar, start, 0, end - start, BAR_HEIGHT);
        pv_picture_append_color (snapshot, &bar, start, 0, FLAG_WIDTH, FLAG_HEIGHT);
        snapshot_letter (self, snapshot, marks[i].letter, start, &back);
    }
}

/* The narrowest there. */
const PvRangeMark *
pv_tracks_area_find_mark (PvTracksArea *self, double x, double y)
{
    const PvRangeMark *best = NULL;
    guint n_marks;
    const PvRangeMark *marks = pv_tracks_model_get_marks (self->model, &n_marks);

    pv_tracks_area_sync_view (self);
    if (y >= pv_tracks_get_ruler_height (&self->view))
        return NULL;
    for (guint i = 0; i < n_marks; i++) {
        double start, end;
        if (find_bar (self, &marks[i], &start, &end) && x >= start &&
            x < MAX (end, start + FLAG_WIDTH) &&
            (best == NULL || marks[i].end_ns - marks[i].start_ns < best->end_ns - best->start_ns))
            best = &marks[i];
    }
    return best;
}

void
pv_tracks_area_show_mark (PvTracksArea *self, const PvRangeMark *mark)
{
    pv_document_remember (self->base.document);
    pv_document_set_time_range (self->base.document, mark->start_ns, mark->end_ns);
}

void
pv_tracks_area_mark_range (PvTracksArea *self)
{
    const PvQuery *query = &pv_document_get (self->base.document)->query;

    g_assert (PV_IS_TRACKS_AREA (self));
    if (self->set == NULL || !pv_document_has_time_range (self->base.document))
        return;
    pv_tracks_model_mark (self->model, query->start_ns,
                          MIN (query->end_ns, pv_range_get_limit (self->set->tracks->index)));
}

void
pv_tracks_area_open_ranges (PvTracksArea *self)
{
    cairo_rectangle_t plot;

    g_assert (PV_IS_TRACKS_AREA (self));
    if (self->set == NULL)
        return;
    pv_tracks_area_sync_view (self);
    plot = pv_tracks_get_plot (self->set->tracks, &self->view);
    pv_range_popover_set_kind (PV_RANGE_POPOVER (self->range_popover), self->kind);
    pv_menu_open_at (GTK_POPOVER (self->range_popover), GTK_WIDGET (self), plot.x + plot.width / 2,
                     plot.y);
}

gboolean
pv_tracks_area_take_range_key (PvTracksArea *self, guint key, GdkModifierType state)
{
    if ((state & (GDK_ALT_MASK | GDK_CONTROL_MASK | GDK_SUPER_MASK)) != 0)
        return FALSE;
    if (key == GDK_KEY_t)
        pv_tracks_area_open_ranges (self);
    else if (key == GDK_KEY_M)
        pv_tracks_area_mark_range (self);
    else
        return FALSE;
    return TRUE;
}

void
pv_tracks_area_add_ranges (PvTracksArea *self)
{
    self->range_popover = g_object_new (PV_TYPE_RANGE_POPOVER, NULL);
    gtk_widget_set_parent (self->range_popover, GTK_WIDGET (self));
    pv_focus_return_from_menu (GTK_POPOVER (self->range_popover), GTK_WIDGET (self));
}
