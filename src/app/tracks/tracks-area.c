/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/pictures/picture-nodes.h"
#include "app/tracks/mark-text.h"
#include "app/tracks/range-popover.h"
#include "app/tracks/tracks-area-private.h"
#include "app/tracks/wait-text.h"
#include "app/widgets/style.h"
#include "app/work/settings.h"
#include "app/work/work.h"
#include "core/analyze/time/time-find.h"
#include "core/base/format.h"
#include "render/tracks/counter-rows.h"
#include "render/tracks/event-rows.h"

/*
 * The picture without time range and cursor is drawn once and kept as render nodes; they are a few
 * plain nodes over it.
 */
#define STRIP_HEIGHT 26
#define NEAR_PX      4
#define MANY_EVENTS  4 /* the rows of more are folded at first */
#define RANGE_PX     3 /* the bar on the ruler, below its texts */

guint pv_tracks_signals[PV_TRACKS_N_SIGNALS];

G_DEFINE_FINAL_TYPE (PvTracksArea, pv_tracks_area, PV_TYPE_VIEW)

/* The picture */

void
pv_tracks_area_sync_view (PvTracksArea *self)
{
    uint32_t selected = self->input.has_cursor ? self->cursor_track : PV_TRACK_NONE;

    pv_style_sync_view (GTK_WIDGET (self), &self->view);
    self->view.text_scale = pv_style_get_text_scale (GTK_WIDGET (self));
    self->view.scroll_y = self->vertical != NULL ? gtk_adjustment_get_value (self->vertical) : 0;
    if (self->view.selected != selected)
        g_clear_pointer (&self->picture, gsk_render_node_unref);
    self->view.selected = selected;
}

void
pv_tracks_area_invalidate (PvTracksArea *self)
{
    g_clear_pointer (&self->picture, gsk_render_node_unref);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The counter that the pointer is on, and the time there; or PV_COUNTER_NONE and the time of the
 * cursor. FALSE: neither. */
static gboolean
find_counter (PvTracksArea *self, uint32_t *ret_counter, uint64_t *ret_time_ns)
{
    const PvTracks *tracks = self->set->tracks;

    *ret_counter = PV_COUNTER_NONE;
    *ret_time_ns = self->input.cursor_ns;
    if (tracks->counters == NULL || self->input.has_cursor)
        return tracks->counters != NULL;
    if (self->input.pointer_x < pv_tracks_get_plot (tracks, &self->view).x)
        return FALSE;
    *ret_counter = pv_counter_rows_find (tracks, &self->view, self->input.pointer_y);
    *ret_time_ns = pv_tracks_x_to_time (tracks, &self->view, self->input.pointer_x);
    return *ret_counter != PV_COUNTER_NONE;
}

/* Veils what is outside the range and draws lines at its ends. */
static void
snapshot_range (PvTracksArea *self, GtkSnapshot *snapshot)
{
    const PvTracks *tracks = self->set->tracks;
    const PvQuery *query = &pv_document_get (self->base.document)->query;
    cairo_rectangle_t plot = pv_tracks_get_field (tracks, &self->view);
    double right = plot.x + plot.width, start, end;
    double ruler = pv_tracks_get_ruler_height (&self->view), bottom = plot.y + plot.height;
    PvPalette palette;
    GdkRGBA veil, edge;

    if (!pv_document_has_time_range (self->base.document))
        return;
    pv_palette_init_plain (&palette, self->view.is_dark, self->view.is_high_contrast);
    start = pv_tracks_time_to_x (tracks, &self->view, query->start_ns);
    end = query->end_ns == UINT64_MAX ? right
                                      : pv_tracks_time_to_x (tracks, &self->view, query->end_ns);
    start = CLAMP (start, plot.x, right);
    end = CLAMP (end, start, right);
    veil = (GdkRGBA){(float)palette.background.red, (float)palette.background.green,
                     (float)palette.background.blue, 0.72f};
    pv_picture_append_color (snapshot, &veil, plot.x, plot.y, start - plot.x, plot.height);
    pv_picture_append_color (snapshot, &veil, end, plot.y, right - end, plot.height);
    edge = (GdkRGBA){(float)palette.selection.red, (float)palette.selection.green,
                     (float)palette.selection.blue, 0.8f};
    pv_picture_append_color (snapshot, &edge, start, ruler - RANGE_PX, 1,
                             bottom - ruler + RANGE_PX);
    pv_picture_append_color (snapshot, &edge, MAX (end - 1, start), ruler - RANGE_PX, 1,
                             bottom - ruler + RANGE_PX);
    pv_picture_append_color (snapshot, &edge, start, ruler - RANGE_PX, end - start, RANGE_PX);
}

static void
snapshot_moment (PvTracksArea *self, GtkSnapshot *snapshot, uint64_t time_ns)
{
    const PvTracks *tracks = self->set->tracks;
    cairo_rectangle_t plot = pv_tracks_get_field (tracks, &self->view);
    double x = floor (pv_tracks_time_to_x (tracks, &self->view, time_ns));
    GdkRGBA color;

    if (x < plot.x || x >= plot.x + plot.width)
        return;
    gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
    color.alpha *= 0.6f;
    pv_picture_append_color (snapshot, &color, x, plot.y, 1, plot.height);
}

static void
pv_tracks_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvTracksArea *self = PV_TRACKS_AREA (widget);
    uint64_t time_ns;
    uint32_t counter;

    if (self->set == NULL || self->view.end_ns <= self->view.start_ns)
        return;
    pv_tracks_area_sync_view (self);
    if (self->picture == NULL)
        self->picture = pv_picture_nodes_take (
            pv_tracks_draw_image (self->painter, self->set->tracks, self->bins, &self->view),
            widget, STRIP_HEIGHT);
    gtk_snapshot_append_node (snapshot, self->picture);
    snapshot_range (self, snapshot);
    pv_tracks_area_snapshot_marks (self, snapshot);
    if (self->has_hit)
        snapshot_moment (self, snapshot, self->hit.time_ns);
    else if (find_counter (self, &counter, &time_ns) && counter != PV_COUNTER_NONE)
        snapshot_moment (self, snapshot, time_ns);
    pv_tracks_area_snapshot_wake (self, snapshot);
}

/* Amounts */

static void
request_bins (PvTracksArea *self)
{
    PvTrackBinsInput *input;
    PvTimeIndex *lit;
    uint32_t first, end;

    if (self->set == NULL || gtk_widget_get_width (GTK_WIDGET (self)) <= 0 ||
        self->view.end_ns <= self->view.start_ns)
        return;
    pv_tracks_area_sync_view (self);
    pv_tracks_get_visible (self->set->tracks, &self->view, &first, &end);
    lit = pv_tracks_model_get_lit (self->model, self->kind);
    input = g_new0 (PvTrackBinsInput, 1);
    input->tracks = pv_tracks_ref (self->set->tracks);
    input->lit = lit != NULL ? pv_time_index_ref (lit) : NULL;
    input->first = first;
    input->end = end;
    pv_counter_rows_get_visible (self->set->tracks, &self->view, &input->first_counter,
                                 &input->end_counter);
    input->start_ns = self->view.start_ns;
    input->end_ns = self->view.end_ns;
    input->n_bins = pv_tracks_choose_n_bins (self->set->tracks, &self->view);
    pv_task_start (self->bins_task, input);
}

static void
on_bins (gpointer owner, gpointer result, const GError *error)
{
    PvTracksArea *self = owner;
    PvTrackBins *bins = result;

    if (bins == NULL)
        return;
    pv_clear_later (&self->bins, pv_track_bins_unref);
    self->bins = bins;
    pv_tracks_area_invalidate (self);
    pv_tracks_area_update_hit (self);
}

static void
update_room (PvTracksArea *self)
{
    double height;

    if (self->vertical == NULL)
        return;
    pv_tracks_area_sync_view (self);
    height = self->set != NULL ? pv_tracks_get_plot (self->set->tracks, &self->view).height : 0;
    gtk_adjustment_configure (
        self->vertical, gtk_adjustment_get_value (self->vertical), 0,
        self->set != NULL ? MAX (pv_tracks_get_full_height (self->set->tracks, &self->view), height)
                          : 0,
        STRIP_HEIGHT, height, height);
}

void
pv_tracks_area_view_changed (PvTracksArea *self)
{
    pv_tracks_area_invalidate (self);
    request_bins (self);
    pv_tracks_area_update_hit (self);
    g_signal_emit (self, pv_tracks_signals[PV_TRACKS_VIEW_CHANGED], 0);
}

/* Following */

/* The cursor stays on its row; if that is hidden now, on the next one. */
static void
take_tracks (PvTracksArea *self)
{
    PvTracks *old = self->tracks, *tracks = self->set->tracks;
    uint32_t track = PV_TRACK_NONE;

    self->tracks = pv_tracks_ref (tracks);
    self->menu_track = PV_TRACK_NONE;
    if (old != NULL && old->index == tracks->index) {
        if (self->input.has_cursor)
            track = pv_tracks_find_row (tracks, old->tracks[self->cursor_track].row,
                                        pv_tracks_get_process (old, self->cursor_track));
        if (track != PV_TRACK_NONE)
            self->cursor_track = track;
        if (self->bins != NULL && self->bins->tracks == old)
            pv_track_bins_move (self->bins, tracks);
    }
    if (tracks->n_tracks > 0)
        self->cursor_track = MIN (self->cursor_track, tracks->n_tracks - 1);
    else
        pv_time_input_forget_cursor (&self->input);
    g_clear_pointer (&old, pv_tracks_unref);
}

/* The zoom stays if the profile is the same. */
static void
on_model_changed (PvTracksArea *self)
{
    self->set = pv_tracks_model_get_set (self->model, self->kind);
    if (self->set == NULL)
        return;
    if (self->set->tracks == self->tracks) {
        request_bins (self); /* of lit samples */
        gtk_widget_queue_draw (GTK_WIDGET (self));
        return;
    }
    take_tracks (self);
    if (self->profile != self->set->tree->profile) {
        pv_clear_later (&self->profile, pv_profile_free);
        self->profile = pv_profile_ref ((PvProfile *)self->set->tree->profile);
        pv_tracks_fit (self->set->tracks, &self->view);
        pv_time_input_forget_cursor (&self->input);
        self->has_selected_wait = FALSE;
        if (!self->has_chosen_fold)
            self->view.folds_events = self->set->tracks->events != NULL &&
                                      self->set->tracks->events->n_events > MANY_EVENTS;
    }
    update_room (self);
    pv_tracks_area_view_changed (self);
}

static void
request_when_seen (PvTracksArea *self)
{
    if (gtk_widget_get_mapped (GTK_WIDGET (self)))
        pv_tracks_model_request (self->model, self->kind);
}

static void
pv_tracks_area_changed (PvView *view, guint what)
{
    PvTracksArea *self = PV_TRACKS_AREA (view);

    if (what & PV_CHANGED_QUERY)
        gtk_widget_queue_draw (GTK_WIDGET (self));
    if (what & (PV_CHANGED_TREE | PV_CHANGED_SELECTION | PV_CHANGED_SEARCH))
        request_when_seen (self);
    if (what & PV_CHANGED_TREE)
        pv_tracks_area_select_wanted (self);
}

static void
pv_tracks_area_begin (PvView *view)
{
    PvTracksArea *self = PV_TRACKS_AREA (view);

    self->input.document = view->document;
    self->model = pv_tracks_model_get (view->document);
    pv_range_popover_set_document (PV_RANGE_POPOVER (self->range_popover), view->document);
    pv_connect (self->model, "changed", on_model_changed, self);
    pv_connect (pv_settings_get (), "changed::flame-colors", request_when_seen, self);
    pv_connect (pv_settings_get (), "changed::flame-formula", request_when_seen, self);
    on_model_changed (self);
}

void
pv_tracks_area_set_kind (PvTracksArea *self, PvTimeRowKind kind)
{
    if (self->kind == kind)
        return;
    self->kind = kind;
    pv_time_input_forget_cursor (&self->input);
    on_model_changed (self);
    request_when_seen (self);
}

/* Also called within an allocation, so it emits no signal: the hit follows with the amounts. */
static void
on_scrolled (PvTracksArea *self)
{
    pv_tracks_area_invalidate (self);
    request_bins (self);
}

static gboolean
show_scrollbar (gpointer user)
{
    PvTracksArea *self = user;

    self->scrollbar_source = 0;
    if (self->scrollbar != NULL)
        gtk_widget_set_visible (self->scrollbar, gtk_adjustment_get_upper (self->vertical) >
                                                     gtk_adjustment_get_page_size (self->vertical));
    return G_SOURCE_REMOVE;
}

/* Within an allocation, in which nothing can come or go. */
static void
on_room_changed (PvTracksArea *self)
{
    if (self->scrollbar_source == 0)
        self->scrollbar_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, show_scrollbar, self, NULL);
}

void
pv_tracks_area_set_scrollbar (PvTracksArea *self, GtkScrollbar *scrollbar)
{
    g_assert (self->vertical == NULL && GTK_IS_SCROLLBAR (scrollbar));
    g_set_weak_pointer (&self->scrollbar, GTK_WIDGET (scrollbar));
    self->vertical = g_object_ref (gtk_scrollbar_get_adjustment (scrollbar));
    pv_connect (self->vertical, "value-changed", on_scrolled, self);
    pv_connect (self->vertical, "changed", on_room_changed, self);
}

const PvTrackSet *
pv_tracks_area_get_set (PvTracksArea *self)
{
    /* Others may hear of a new set before the area does. */
    return self->model != NULL ? pv_tracks_model_get_set (self->model, self->kind) : NULL;
}

const PvTracksView *
pv_tracks_area_get_view (PvTracksArea *self)
{
    pv_tracks_area_sync_view (self);
    return &self->view;
}

/* Hits */

/* True if a pixel has room for several samples: else it says nothing about the use of a CPU. */
static gboolean
is_dense (const PvTimeIndex *index, uint32_t row, uint64_t pixel_ns)
{
    const PvTimeRow *its = &index->rows[row];

    return its->n_samples > 0 && pixel_ns >= 4 * (its->weight / its->n_samples);
}

/* Share of one CPU that is in use at the pixel; -1: unknown. */
static double
get_share (PvTracksArea *self, uint32_t track, uint64_t time_ns)
{
    const PvTrackBins *bins = self->bins;
    const PvTimeIndex *index = self->set->tracks->index;
    uint64_t span_ns;
    uint32_t bin, place;

    if (bins == NULL || bins->tracks != self->set->tracks || track < bins->first ||
        track >= bins->end || time_ns < bins->start_ns || time_ns >= bins->end_ns ||
        index->profile->measures[index->measure].unit != PV_UNIT_NS)
        return -1;
    place = bins->place_of_track[track - bins->first];
    if (place == PV_TRACK_NONE)
        return -1;
    span_ns = bins->end_ns - bins->start_ns;
    if (!is_dense (index, self->set->tracks->tracks[track].row, span_ns / bins->bins->n_bins))
        return -1;
    bin = (uint32_t)((double)(time_ns - bins->start_ns) / (double)span_ns * bins->bins->n_bins);
    return (double)pv_time_bins_sum (bins->bins, place, MIN (bin, bins->bins->n_bins - 1)) *
           bins->bins->n_bins / (double)span_ns;
}

/* The width of a bar, or some pixels: the pointer is not on a sample that is farther away. */
static uint64_t
get_reach (PvTracksArea *self)
{
    cairo_rectangle_t plot = pv_tracks_get_plot (self->set->tracks, &self->view);
    double span_ns = (double)(self->view.end_ns - self->view.start_ns);
    uint32_t n_bins = pv_tracks_choose_n_bins (self->set->tracks, &self->view);

    return (uint64_t)MAX (span_ns / n_bins, NEAR_PX * span_ns / MAX (plot.width, 1));
}

static void
fill_sample (PvTracksArea *self, uint32_t row)
{
    const PvTimeIndex *index = self->set->tracks->index;
    const PvProfile *profile = index->profile;
    const PvSampleSet *set = &profile->sets[profile->measures[index->measure].set];
    uint64_t reach_ns = get_reach (self), end_ns;
    uint32_t sample;

    self->hit.has_sample = pv_time_index_find_nearest (index, row, self->hit.time_ns, &sample);
    if (!self->hit.has_sample)
        return;
    self->hit.sample = sample;
    self->hit.sample_ns = pv_sample_set_time_ns (set, sample) - profile->start_ns;
    end_ns = self->hit.sample_ns + (set->duration_ns != NULL ? set->duration_ns[sample] : 0);
    self->hit.is_near = self->hit.time_ns + reach_ns >= self->hit.sample_ns &&
                        self->hit.time_ns <= end_ns + reach_ns;
    if (!pv_stack_reader_begin (self->set->reader, set->stack[sample], &self->hit.leaf))
        self->hit.leaf.function = 0;
}

/* The pointer must be on the ticks. */
static void
fill_mark (PvTracksArea *self)
{
    const PvTracks *tracks = self->set->tracks;
    double span_ns = (double)(self->view.end_ns - self->view.start_ns);
    double width = pv_tracks_get_plot (tracks, &self->view).width;

    if (tracks->marks == NULL ||
        (!self->input.has_cursor &&
         !pv_tracks_is_at_ticks (tracks, &self->view, self->input.pointer_y)))
        return;
    self->hit.has_mark = pv_mark_index_find (
        tracks->marks, tracks->index->rows[self->hit.track->row].thread, self->hit.time_ns,
        (uint64_t)(NEAR_PX * span_ns / MAX (width, 1)), &self->hit.mark_set, &self->hit.mark);
}

static void
find_hit (PvTracksArea *self)
{
    const PvTracks *tracks = self->set != NULL ? self->set->tracks : NULL;
    cairo_rectangle_t plot;
    uint32_t track;

    self->has_hit = FALSE;
    self->hit = (PvTrackHit){.share = -1};
    if (tracks == NULL || gtk_widget_get_width (GTK_WIDGET (self)) <= 0 ||
        self->view.end_ns <= self->view.start_ns)
        return;
    pv_tracks_area_sync_view (self);
    plot = pv_tracks_get_plot (tracks, &self->view);
    if (!self->input.has_cursor && self->input.pointer_x < plot.x)
        return;
    track = self->input.has_cursor ? self->cursor_track
                                   : pv_tracks_find (tracks, &self->view, self->input.pointer_y);
    if (track == PV_TRACK_NONE)
        return;
    self->has_hit = TRUE;
    self->hit.track = &tracks->tracks[track];
    self->hit.time_ns = self->input.has_cursor
                            ? self->input.cursor_ns
                            : pv_tracks_x_to_time (tracks, &self->view, self->input.pointer_x);
    self->hit.share = get_share (self, track, self->hit.time_ns);
    if (self->hit.track->row != PV_TRACK_NONE) {
        fill_sample (self, self->hit.track->row);
        fill_mark (self);
        self->hit.has_wait =
            tracks->waits != NULL &&
            pv_wait_index_find (tracks->waits, tracks->index->rows[self->hit.track->row].thread,
                                self->hit.time_ns, &self->hit.wait);
    }
}

void
pv_tracks_area_update_hit (PvTracksArea *self)
{
    find_hit (self);
    gtk_widget_queue_draw (GTK_WIDGET (self));
    g_signal_emit (self, pv_tracks_signals[PV_TRACKS_HIT_CHANGED], 0);
}

const PvTrackHit *
pv_tracks_area_get_hit (PvTracksArea *self)
{
    return self->has_hit && self->set != NULL ? &self->hit : NULL;
}

char *
pv_tracks_area_describe_wait (PvTracksArea *self)
{
    return self->has_hit && self->hit.has_wait
               ? pv_format_wait (self->set->tracks->waits, self->set->tree->symbols, self->hit.wait)
               : NULL;
}

/* The time of the cursor, or of the pointer while it is between these heights. */
static gboolean
find_time (PvTracksArea *self, double top, double bottom, uint64_t *ret_time_ns)
{
    cairo_rectangle_t plot;

    if (self->set == NULL || self->bins == NULL)
        return FALSE;
    *ret_time_ns = self->input.cursor_ns;
    if (self->input.has_cursor)
        return TRUE;
    plot = pv_tracks_get_plot (self->set->tracks, &self->view);
    if (self->input.pointer_x < plot.x || self->input.pointer_y < top ||
        self->input.pointer_y >= bottom)
        return FALSE;
    *ret_time_ns = pv_tracks_x_to_time (self->set->tracks, &self->view, self->input.pointer_x);
    return TRUE;
}

/* Times per time are a number of CPUs. */
static char *
format_all (const PvTimeIndex *index, uint64_t weight, uint64_t bin_ns)
{
    PvUnit unit = index->profile->measures[index->measure].unit;
    g_autofree char *amount = pv_format_amount (weight, unit);
    g_autofree char *duration = pv_format_amount (bin_ns, PV_UNIT_NS);
    g_autofree char *share = pv_format_digits ((double)weight / (double)bin_ns, 3);

    if (unit == PV_UNIT_NS && !pv_profile_counts_waits (index->profile, index->measure))
        /* Translators: a number with decimals, of CPUs that were busy */
        return g_strdup_printf (_ ("%s CPUs busy"), share);
    /* Translators: an amount, and how long it took */
    return g_strdup_printf (C_ ("amount in a time", "%s in %s"), amount, duration);
}

char *
pv_tracks_area_describe_all (PvTracksArea *self)
{
    uint64_t time_ns, weight, bin_ns;
    g_autofree char *amount = NULL;
    g_autofree char *time = NULL;
    g_autofree char *name = NULL;
    const PvTracks *tracks = self->set != NULL ? self->set->tracks : NULL;
    cairo_rectangle_t plot, field;

    if (tracks == NULL)
        return NULL;
    plot = pv_tracks_get_plot (tracks, &self->view);
    field = pv_tracks_get_field (tracks, &self->view);
    if (find_time (self, field.y, plot.y, &time_ns)) {
        if (!pv_track_bins_get_all (self->bins, time_ns, &weight, &bin_ns))
            return NULL;
        name = g_strdup (pv_tracks_name_all (tracks));
    } else {
        if (pv_tracks_get_rest_height (tracks, &self->view) == 0 ||
            !find_time (self, plot.y + plot.height, field.y + field.height, &time_ns) ||
            !pv_track_bins_get_rest (self->bins, &self->view, time_ns, &weight, &bin_ns))
            return NULL;
        name = pv_tracks_name_rest (tracks, &self->view);
    }
    amount = format_all (tracks->index, weight, bin_ns);
    time = pv_format_amount (time_ns, PV_UNIT_NS);
    return g_strdup_printf ("%s · %s · %s", time, name, amount);
}

char *
pv_tracks_area_describe_mark (PvTracksArea *self)
{
    g_assert (PV_IS_TRACKS_AREA (self));
    const PvProfile *profile;
    const PvSampleSet *set;
    g_autofree char *fields = NULL;
    g_autofree char *time = NULL;

    if (!self->has_hit || !self->hit.has_mark)
        return NULL;
    profile = self->set->tracks->index->profile;
    set = &profile->sets[self->hit.mark_set];
    time = pv_format_amount (pv_sample_set_time_ns (set, self->hit.mark) - profile->start_ns,
                             PV_UNIT_NS);
    fields = pv_format_mark_fields (profile, self->hit.mark_set, self->hit.mark);
    if (fields == NULL)
        /* Translators: an event, and when it happened. */
        return g_strdup_printf (C_ ("event at a time", "%s at %s"), set->name, time);
    /* Translators: an event, when it happened, and its fields. */
    return g_strdup_printf (_ ("%s at %s: %s"), set->name, time, fields);
}

static char *
format_stacks (const uint64_t counts[PV_N_QUALITIES])
{
    g_autofree char *complete = pv_format_count (counts[PV_STACK_COMPLETE]);
    g_autofree char *truncated = pv_format_count (counts[PV_STACK_TRUNCATED]);
    g_autofree char *broken = pv_format_count (counts[PV_STACK_BROKEN]);
    g_autofree char *unknown = pv_format_count (counts[PV_STACK_UNKNOWN]);
    uint64_t n_samples = 0;

    for (unsigned class = 0; class < PV_N_STACK_CLASSES; class ++)
        n_samples += counts[class];
    if (n_samples == 0)
        return g_strdup (_ ("Stacks: no samples here"));
    /* Translators: how many stacks there are of each kind. */
    return g_strdup_printf (_ ("Stacks: %s complete, %s truncated, %s broken, %s unknown"),
                            complete, truncated, broken, unknown);
}

char *
pv_tracks_area_describe_quality (PvTracksArea *self)
{
    uint64_t counts[PV_N_QUALITIES], n_lost;
    g_autofree char *stacks = NULL;
    g_autofree char *lost = NULL;
    uint64_t time_ns;

    if (self->set == NULL ||
        !find_time (self, pv_tracks_get_ruler_height (&self->view),
                    pv_tracks_get_quality_end (self->set->tracks, &self->view), &time_ns))
        return NULL;
    if (!pv_track_bins_get_quality (self->bins, time_ns, counts))
        return NULL;
    stacks = format_stacks (counts);
    n_lost = counts[PV_QUALITY_LOST];
    if (n_lost == 0)
        return g_steal_pointer (&stacks);
    lost = pv_format_count (n_lost);
    /* Translators: the first is “Stacks: 9 complete, 2 truncated, 0 broken, 1 unknown”. */
    return g_strdup_printf (g_dngettext (NULL, "%s; %s event lost", "%s; %s events lost", n_lost),
                            stacks, lost);
}

static void
append_event (PvTracksArea *self, GString *text, uint32_t event, uint64_t time_ns)
{
    uint32_t n_samples;
    g_autofree char *count = NULL;

    if (!pv_event_rows_get_count (self->bins, event, time_ns, &n_samples))
        return;
    count = pv_format_count (n_samples);
    g_string_append (text, text->len > 0 ? ", " : "");
    /* Translators: an event, and how many samples of it there are at a time. */
    g_string_append_printf (text, g_dngettext (NULL, "%s: %s sample", "%s: %s samples", n_samples),
                            self->set->tracks->events->events[event].name, count);
}

char *
pv_tracks_area_describe_events (PvTracksArea *self)
{
    g_assert (PV_IS_TRACKS_AREA (self));
    g_autoptr (GString) text = g_string_new (NULL);
    const PvTracks *tracks = self->set != NULL ? self->set->tracks : NULL;
    uint32_t event;

    if (tracks == NULL || tracks->events == NULL || self->bins == NULL || self->view.is_compact ||
        self->view.folds_events)
        return NULL;
    if (self->input.has_cursor) {
        for (event = 0; event < tracks->events->n_events; event++)
            append_event (self, text, event, self->input.cursor_ns);
    } else if (self->input.pointer_x >= pv_tracks_get_plot (tracks, &self->view).x) {
        event = pv_event_rows_find (tracks, &self->view, self->input.pointer_y);
        if (event != PV_EVENT_NONE)
            append_event (self, text, event,
                          pv_tracks_x_to_time (tracks, &self->view, self->input.pointer_x));
    }
    return text->len > 0 ? g_strdup (text->str) : NULL;
}

static void
append_counter (PvTracksArea *self, GString *text, uint32_t counter, uint64_t time_ns)
{
    const PvTracks *tracks = self->set->tracks;
    const PvCounter *its = pv_counter_index_get (tracks->counters, counter);
    g_autofree char *name = pv_counter_rows_name (tracks, counter);
    g_autofree char *amount = NULL;
    double value;

    if (!pv_counter_index_find (tracks->counters, counter, time_ns, &value))
        return;
    amount = pv_counter_format_value (its, value);
    g_string_append (text, text->len > 0 ? ", " : "");
    if (*its->category != '\0')
        g_string_append_printf (text, "%s · ", its->category);
    g_string_append_printf (text, "%s: %s", name, amount);
}

char *
pv_tracks_area_describe_counters (PvTracksArea *self)
{
    g_assert (PV_IS_TRACKS_AREA (self));
    g_autoptr (GString) text = g_string_new (NULL);
    const PvTracks *tracks = self->set != NULL ? self->set->tracks : NULL;
    g_autofree char *time = NULL;
    uint32_t counter, first, end;
    uint64_t time_ns;

    if (tracks == NULL || !find_counter (self, &counter, &time_ns))
        return NULL;
    if (counter != PV_COUNTER_NONE) {
        append_counter (self, text, counter, time_ns);
    } else {
        pv_counter_rows_get_visible (tracks, &self->view, &first, &end);
        for (counter = first; counter < end; counter++)
            append_counter (self, text, counter, time_ns);
    }
    if (text->len == 0)
        return NULL;
    time = pv_format_amount (time_ns, PV_UNIT_NS);
    return g_strdup_printf ("%s · %s", time, text->str);
}

void
pv_tracks_area_set_compact (PvTracksArea *self)
{
    g_assert (PV_IS_TRACKS_AREA (self));
    self->view.is_compact = true;
}

void
pv_tracks_area_fold_events (PvTracksArea *self)
{
    if (self->set == NULL || self->set->tracks->events == NULL || self->view.is_compact)
        return;
    self->has_chosen_fold = TRUE;
    self->view.folds_events = !self->view.folds_events;
    update_room (self);
    pv_tracks_area_view_changed (self);
}

/* The functions of the stack, in the order of the tree's levels. */
static GArray *
list_steps (PvTracksArea *self, PvStackFrame frame, gboolean is_inverted)
{
    GArray *steps = g_array_new (FALSE, FALSE, sizeof (uint32_t));

    do
        g_array_append_val (steps, frame.function);
    while (pv_stack_reader_next (self->set->reader, frame.stack, frame.place, &frame));
    for (guint i = 0; !is_inverted && i < steps->len / 2; i++) {
        uint32_t *a = &g_array_index (steps, uint32_t, i);
        uint32_t *b = &g_array_index (steps, uint32_t, steps->len - 1 - i);
        uint32_t step = *a;
        *a = *b;
        *b = step;
    }
    return steps;
}

/* Appends callers in the hit's stack. An ellipsis stands for frames of the kernel. */
static void
append_callers (PvTracksArea *self, GString *text, unsigned n_most, bool has_kernel)
{
    const PvSymbolTable *symbols = self->set->tree->symbols;
    const PvModule *modules = self->set->tree->profile->modules;
    PvStackFrame frame = self->hit.leaf;
    bool is_cut = false;
    unsigned n = 0;

    while (n < n_most &&
           pv_stack_reader_next (self->set->reader, frame.stack, frame.place, &frame)) {
        const PvFunction *function = &symbols->functions[frame.function];
        if (!has_kernel && modules[function->module].is_kernel) {
            is_cut = true;
            continue;
        }
        g_string_append (text, text->len > 0 ? " ← " : "← ");
        if (is_cut)
            g_string_append (text, "… ← ");
        g_string_append (text, function->label);
        is_cut = false;
        n++;
    }
    if (n == n_most && pv_stack_reader_next (self->set->reader, frame.stack, frame.place, &frame))
        g_string_append (text, " ← …");
}

char *
pv_tracks_area_format_callers (PvTracksArea *self, unsigned n_most)
{
    g_assert (PV_IS_TRACKS_AREA (self) && n_most > 0);
    GString *text;

    if (!self->has_hit || !self->hit.has_sample || self->hit.leaf.function == 0)
        return NULL;
    text = g_string_new (NULL);
    append_callers (self, text, n_most, false);
    if (text->len == 0)
        append_callers (self, text, n_most, true);
    return g_string_free (text, text->len == 0);
}

char *
pv_tracks_area_format_near (PvTracksArea *self, unsigned n_most)
{
    g_assert (PV_IS_TRACKS_AREA (self) && n_most > 0);
    g_autofree char *callers = pv_tracks_area_format_callers (self, n_most);
    g_autofree char *stack = NULL;
    const char *name;

    if (!self->has_hit || !self->hit.has_wait || !self->hit.has_sample || !self->hit.is_near ||
        self->hit.leaf.function == 0)
        return NULL;
    name = self->set->tree->symbols->functions[self->hit.leaf.function].label;
    stack = callers != NULL ? g_strconcat (name, " ", callers, NULL) : g_strdup (name);
    /* Translators: a thread waits; this is a function that it ran shortly before or after. */
    return g_strdup_printf (_ ("near %s"), stack);
}

char *
pv_tracks_area_format_distance (PvTracksArea *self)
{
    g_assert (PV_IS_TRACKS_AREA (self));
    g_autofree char *time = NULL;

    if (!self->has_hit || !self->hit.has_sample || self->hit.is_near)
        return NULL;
    time = pv_format_amount (self->hit.sample_ns, PV_UNIT_NS);
    /* Translators: the time of the sample that is nearest to the pointer, but not near it. */
    return g_strdup_printf (_ ("nearest sample at %s"), time);
}

/* The node of a stack; PV_NODE_NONE: it is folded there, or in one of several groups. */
static PvNodeId
find_stack_node (PvTracksArea *self, const PvCallTree *tree, PvStackFrame leaf)
{
    g_autoptr (GArray) steps = NULL;
    PvTreePath path;
    PvNodeId node;
    bool is_whole;

    if (tree->query.grouping != PV_GROUP_NONE)
        return PV_NODE_NONE;
    steps = list_steps (self, leaf, tree->query.is_inverted);
    path = (PvTreePath){
        .steps = (uint32_t *)(gpointer)steps->data, .n_steps = steps->len, .kind = PV_ANCHOR_KEEP};
    node = pv_call_tree_find_path (tree, &path, &is_whole);
    return is_whole && node != 0 ? node : PV_NODE_NONE; /* an ancestor is another function */
}

/* Begins to read a stack. The tree of the flame graph, which has its functions; NULL: it has not,
 * or there is no stack. */
static const PvCallTree *
begin_stack (PvTracksArea *self, PvStackId stack, PvStackFrame *ret_leaf)
{
    const PvCallTree *tree = pv_document_get (self->base.document)->answer->flame_tree;

    return tree != NULL && tree->symbols == self->set->tree->symbols &&
                   pv_stack_reader_begin (self->set->reader, stack, ret_leaf) &&
                   ret_leaf->function != 0
               ? tree
               : NULL;
}

PvNodeId
pv_tracks_area_find_node (PvTracksArea *self, PvStackId stack)
{
    PvStackFrame leaf;
    const PvCallTree *tree = begin_stack (self, stack, &leaf);

    return tree != NULL ? find_stack_node (self, tree, leaf) : PV_NODE_NONE;
}

void
pv_tracks_area_select_stack (PvTracksArea *self, PvStackId stack)
{
    PvStackFrame leaf;
    const PvCallTree *tree = begin_stack (self, stack, &leaf);
    PvNodeId node;

    if (tree == NULL)
        return;
    node = find_stack_node (self, tree, leaf);
    if (node != PV_NODE_NONE)
        pv_document_select_node (self->base.document, node);
    else
        pv_document_select_function (self->base.document, leaf.function);
}

/* A tick's own, where it is on one. In a wait, what ran before or after it is not what was waited
 * for: the wait alone is pinned. */
void
pv_tracks_area_select_hit (PvTracksArea *self)
{
    const PvTimeIndex *index;
    const PvSampleSet *set;

    pv_tracks_area_keep_wake (self);
    if (!self->has_hit || (!self->hit.has_sample && !self->hit.has_mark))
        return;
    if (self->hit.has_wait && !self->hit.is_near && !self->hit.has_mark)
        return;
    index = self->set->tracks->index;
    set = &index->profile->sets[self->hit.has_mark ? self->hit.mark_set
                                                   : index->profile->measures[index->measure].set];
    pv_tracks_area_select_stack (
        self, set->stack[self->hit.has_mark ? self->hit.mark : self->hit.sample]);
}

/* Zoom */

gboolean
pv_tracks_area_is_zoomed (PvTracksArea *self)
{
    return self->set != NULL && pv_tracks_is_zoomed (self->set->tracks, &self->view);
}

void
pv_tracks_area_reset_zoom (PvTracksArea *self)
{
    if (!pv_tracks_area_is_zoomed (self))
        return;
    pv_tracks_fit (self->set->tracks, &self->view);
    pv_tracks_area_view_changed (self);
}

void
pv_tracks_area_zoom_to_range (PvTracksArea *self)
{
    const PvQuery *query = &pv_document_get (self->base.document)->query;

    if (self->set == NULL || !pv_document_has_time_range (self->base.document))
        return;
    pv_tracks_fit (self->set->tracks, &self->view);
    if (query->start_ns < self->view.end_ns) {
        self->view.start_ns = query->start_ns;
        self->view.end_ns = CLAMP (query->end_ns, query->start_ns + 1, self->view.end_ns);
    }
    pv_tracks_area_view_changed (self);
}

/* Object */

static void
pv_tracks_area_map (GtkWidget *widget)
{
    PvTracksArea *self = PV_TRACKS_AREA (widget);

    GTK_WIDGET_CLASS (pv_tracks_area_parent_class)->map (widget);
    request_when_seen (self);
}

static void
pv_tracks_area_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
    *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 52;
    *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 400 : 200;
}

static void
pv_tracks_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvTracksArea *self = PV_TRACKS_AREA (widget);

    pv_time_input_allocate (&self->input, width, height);
    update_room (self);
    gtk_popover_present (GTK_POPOVER (self->row_menu));
    gtk_popover_present (GTK_POPOVER (self->range_popover));
    pv_tracks_area_invalidate (self);
    request_bins (self);
}

static gboolean
pv_tracks_area_grab_focus (GtkWidget *widget)
{
    return pv_time_input_grab_focus (&PV_TRACKS_AREA (widget)->input);
}

static void
pv_tracks_area_end (PvView *view)
{
    PvTracksArea *self = PV_TRACKS_AREA (view);

    g_clear_handle_id (&self->scrollbar_source, g_source_remove);
    g_clear_pointer (&self->bins_task, pv_task_close);
    g_clear_object (&self->vertical);
    g_clear_weak_pointer (&self->scrollbar);
    self->input.document = NULL;
    g_clear_pointer (&self->picture, gsk_render_node_unref);
    g_clear_pointer (&self->painter, pv_tracks_painter_free);
    self->has_hit = FALSE;
    pv_clear_later (&self->bins, pv_track_bins_unref);
    self->set = NULL;
    pv_clear_later (&self->tracks, pv_tracks_unref);
    g_clear_object (&self->model);
    pv_clear_later (&self->profile, pv_profile_free);
}

static void
pv_tracks_area_class_init (PvTracksAreaClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
    static const char *const names[] = {"hit-changed", "view-changed"};

    PV_VIEW_CLASS (class)->begin = pv_tracks_area_begin;
    PV_VIEW_CLASS (class)->changed = pv_tracks_area_changed;
    PV_VIEW_CLASS (class)->end = pv_tracks_area_end;
    PV_VIEW_CLASS (class)->hears_while_unmapped = TRUE;
    widget_class->map = pv_tracks_area_map;
    widget_class->snapshot = pv_tracks_area_snapshot;
    widget_class->measure = pv_tracks_area_measure;
    widget_class->size_allocate = pv_tracks_area_size_allocate;
    widget_class->grab_focus = pv_tracks_area_grab_focus;
    for (unsigned i = 0; i < PV_TRACKS_N_SIGNALS; i++)
        pv_tracks_signals[i] = pv_signal_new (class, names[i], 0);
    gtk_widget_class_set_css_name (widget_class, "chartarea");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
pv_tracks_area_init (PvTracksArea *self)
{
    PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));

    self->painter = pv_tracks_painter_new (pango_context_get_font_description (context));
    self->bins_task = pv_track_bins_task_new (self, on_bins);
    gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
    pv_tracks_area_add_input (self);
    pv_tracks_area_add_rows (self);
    pv_tracks_area_add_ranges (self);
    pv_style_connect (pv_tracks_area_invalidate, self);
}
