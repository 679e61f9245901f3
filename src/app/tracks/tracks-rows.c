/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "app/tracks/tracks-area-private.h"
#include "app/widgets/actions.h"
#include "app/widgets/focus.h"
#include "app/widgets/keys.h"
#include "app/widgets/menus.h"
#include "core/base/format.h"

/*
 * Rows can be hidden, pinned, moved, sorted and searched. All that is a PvTrackOrder of the model,
 * which all views of the document share; only "Show _Only This Thread" is a filter.
 */

static const struct {
    const char *word;
    PvRowOrder by;
    const char *title;
    gboolean is_of_cpus;
} sorts[] = {
    {"cost", PV_ROWS_BY_COST, NC_ ("sort order", "Cost"), TRUE},
    {"name", PV_ROWS_BY_NAME, NC_ ("sort order", "Name"), FALSE},
    {"id", PV_ROWS_BY_ID, NC_ ("sort order", "Number"), TRUE},
    {"first", PV_ROWS_BY_FIRST, NC_ ("sort order", "First Sample"), TRUE},
    {"hand", PV_ROWS_BY_HAND, NC_ ("sort order", "Custom"), TRUE},
};

static PvTrackOrder *
get_order (PvTracksArea *self)
{
    return pv_tracks_model_get_order (self->model, self->kind);
}

static void
order_changed (PvTracksArea *self)
{
    pv_tracks_model_order_changed (self->model, self->kind);
}

static gboolean
is_heading (PvTracksArea *self, uint32_t track)
{
    return self->set->tracks->tracks[track].row == PV_TRACK_NONE;
}

/* True if its process has more than this row. */
static gboolean
has_siblings (PvTracksArea *self, uint32_t track)
{
    const PvTracks *tracks = self->set->tracks;
    PvProcessId process = pv_tracks_get_process (tracks, track);
    uint32_t n_rows = 0;

    for (uint32_t row = 0; row < tracks->index->n_rows && n_rows < 2; row++)
        n_rows += tracks->index->rows[row].process == process;
    return n_rows > 1 && tracks->index->kind == PV_TIME_THREADS;
}

/* Actions */

static void
hide (PvTracksArea *self, uint32_t track, gboolean is_process)
{
    if (is_process)
        pv_track_order_hide_process (get_order (self), self->set->tracks, track);
    else
        pv_track_order_hide (get_order (self), self->set->tracks, track);
    order_changed (self);
    if (self->input.has_cursor)
        pv_tracks_area_show_cursor (self);
}

static gboolean
is_pinned (PvTracksArea *self, uint32_t track)
{
    return track < self->set->tracks->n_pinned;
}

static void
switch_pin (PvTracksArea *self, uint32_t track)
{
    if (is_heading (self, track))
        return;
    pv_track_order_set_pinned (get_order (self), self->set->tracks, track,
                               !is_pinned (self, track));
    order_changed (self);
    if (self->input.has_cursor)
        pv_tracks_area_show_cursor (self);
}

static gboolean
move (PvTracksArea *self, uint32_t track, gboolean is_down)
{
    if (!pv_track_order_move (get_order (self), self->set->whole, self->set->tracks, track,
                              is_down))
        return FALSE;
    order_changed (self);
    return TRUE;
}

/* A filter: all views show the samples of this thread, process or CPU only. */
static void
show_only (PvTracksArea *self, uint32_t track)
{
    const PvTracks *tracks = self->set->tracks;
    const PvTrack *its = &tracks->tracks[track];
    g_auto (PvQuery) wanted;
    uint32_t id = pv_tracks_get_process (tracks, track);
    PvOrigin origin = PV_ORIGIN_PROCESS;

    if (tracks->index->kind == PV_TIME_CPUS) {
        origin = PV_ORIGIN_CPU;
        id = tracks->index->rows[its->row].cpu;
    } else if (its->row != PV_TRACK_NONE) {
        origin = PV_ORIGIN_THREAD;
        id = tracks->index->rows[its->row].thread;
    }
    pv_query_copy (&wanted, &pv_document_get (self->base.document)->query);
    pv_query_set_only (&wanted, origin, &id, 1);
    pv_document_set_samples (self->base.document, &wanted);
}

void
pv_tracks_area_search_rows (PvTracksArea *self, const char *text)
{
    g_assert (PV_IS_TRACKS_AREA (self));
    if (g_strcmp0 (text, pv_track_order_get_search (get_order (self))) == 0)
        return;
    pv_track_order_set_search (get_order (self), text);
    order_changed (self);
}

const char *
pv_tracks_area_get_row_search (PvTracksArea *self)
{
    g_assert (PV_IS_TRACKS_AREA (self));
    return pv_track_order_get_search (get_order (self));
}

void
pv_tracks_area_show_all_rows (PvTracksArea *self)
{
    g_assert (PV_IS_TRACKS_AREA (self));
    pv_track_order_show_all (get_order (self));
    order_changed (self);
}

char *
pv_tracks_area_describe_hidden (PvTracksArea *self)
{
    uint32_t n = self->set != NULL ? self->set->tracks->n_hidden : 0;
    g_autofree char *count = pv_format_count (n);

    g_assert (PV_IS_TRACKS_AREA (self));
    return n > 0 ? g_strdup_printf (g_dngettext (NULL, "%s row hidden", "%s rows hidden", n), count)
                 : NULL;
}

/* Actions */

typedef enum {
    HIDE,
    HIDE_PROCESS,
    PIN,
    MOVE_UP,
    MOVE_DOWN,
    ONLY,
    SHOW_ALL,
    WAKER,
    FOLD_EVENTS
} Act;

static const char *const acts[] = {
    [HIDE] = "hide",
    [HIDE_PROCESS] = "hide-process",
    [PIN] = "pin",
    [MOVE_UP] = "move-up",
    [MOVE_DOWN] = "move-down",
    [ONLY] = "only",
    [SHOW_ALL] = "show-all",
    [WAKER] = "waker",
    [FOLD_EVENTS] = "fold-events",
};

static void
act (PvTracksArea *self, Act what, uint32_t track)
{
    switch (what) {
    case HIDE:
    case HIDE_PROCESS:
        hide (self, track, what == HIDE_PROCESS);
        break;
    case PIN:
        switch_pin (self, track);
        break;
    case MOVE_UP:
    case MOVE_DOWN:
        if (move (self, track, what == MOVE_DOWN) && self->input.has_cursor)
            pv_tracks_area_show_cursor (self);
        break;
    case ONLY:
        show_only (self, track);
        break;
    case WAKER:
        pv_tracks_area_select_waker (self);
        break;
    case FOLD_EVENTS:
        pv_tracks_area_fold_events (self);
        break;
    case SHOW_ALL:
    default:
        pv_tracks_area_show_all_rows (self);
        break;
    }
}

static void
on_act (PvTracksArea *self, GVariant *parameter, GSimpleAction *action)
{
    const char *name = g_action_get_name (G_ACTION (action));

    for (Act what = 0; what < G_N_ELEMENTS (acts); what++)
        if (strcmp (name, acts[what]) == 0 && self->set != NULL &&
            (what == SHOW_ALL || what == WAKER || what == FOLD_EVENTS ||
             self->menu_track != PV_TRACK_NONE))
            act (self, what, self->menu_track);
}

static void
on_sort (PvTracksArea *self, GVariant *parameter)
{
    const char *word = g_variant_get_string (parameter, NULL);

    for (size_t i = 0; i < G_N_ELEMENTS (sorts); i++)
        if (strcmp (word, sorts[i].word) == 0)
            pv_track_order_set_sort (get_order (self), sorts[i].by);
    order_changed (self);
}

/* Menu */

static void
update_actions (PvTracksArea *self, uint32_t track)
{
    const PvTracks *tracks = self->set->tracks;
    GActionMap *actions = self->row_actions;
    gboolean is_track = track != PV_TRACK_NONE;
    uint32_t first, end;

    pv_actions_enable (actions, acts[HIDE], is_track);
    pv_actions_enable (actions, acts[HIDE_PROCESS], is_track && has_siblings (self, track));
    pv_actions_enable (actions, acts[PIN], is_track && !is_heading (self, track));
    pv_actions_enable (actions, acts[MOVE_UP],
                       is_track && pv_track_order_find_next (tracks, track, FALSE, &first, &end));
    pv_actions_enable (actions, acts[MOVE_DOWN],
                       is_track && pv_track_order_find_next (tracks, track, TRUE, &first, &end));
    pv_actions_enable (actions, acts[ONLY], is_track);
    pv_actions_enable (actions, acts[SHOW_ALL], tracks->n_hidden > 0);
    pv_actions_enable (actions, acts[WAKER], pv_tracks_area_has_waker (self));
    for (size_t i = 0; i < G_N_ELEMENTS (sorts); i++)
        if (sorts[i].by == pv_track_order_get_sort (get_order (self)))
            pv_actions_set_state (actions, "sort", g_variant_new_string (sorts[i].word));
}

static const char *
name_only (PvTracksArea *self, uint32_t track)
{
    if (self->kind == PV_TIME_CPUS)
        return _ ("Show _Only This CPU");
    return is_heading (self, track) ? _ ("Show _Only This Process") : _ ("Show _Only This Thread");
}

static GMenuModel *
make_sort_menu (PvTracksArea *self)
{
    GMenu *menu = g_menu_new ();

    for (size_t i = 0; i < G_N_ELEMENTS (sorts); i++) {
        g_autofree char *action = g_strdup_printf ("row.sort::%s", sorts[i].word);
        gboolean is_moved = pv_track_order_get_sort (get_order (self)) == PV_ROWS_BY_HAND;
        if ((self->kind == PV_TIME_THREADS || sorts[i].is_of_cpus) &&
            (sorts[i].by != PV_ROWS_BY_HAND || is_moved))
            g_menu_append (menu, g_dpgettext2 (GETTEXT_PACKAGE, "sort order", sorts[i].title),
                           action);
    }
    return G_MENU_MODEL (menu);
}

static GMenuModel *
make_menu (PvTracksArea *self, uint32_t track)
{
    GMenu *menu = g_menu_new ();
    g_autoptr (GMenu) showing = g_menu_new (), place = g_menu_new (), filter = g_menu_new ();
    g_autoptr (GMenuModel) sort = make_sort_menu (self);

    if (track != PV_TRACK_NONE) {
        if (!is_heading (self, track))
            g_menu_append (showing, _ ("_Hide Row"), "row.hide");
        if (has_siblings (self, track))
            g_menu_append (showing, _ ("Hide All Rows of the Proc_ess"), "row.hide-process");
        if (!is_heading (self, track))
            g_menu_append (place, is_pinned (self, track) ? _ ("Un_pin Row") : _ ("_Pin Row"),
                           "row.pin");
        g_menu_append (place, _ ("Move _Up"), "row.move-up");
        g_menu_append (place, _ ("Move _Down"), "row.move-down");
        g_menu_append (filter, name_only (self, track), "row.only");
    }
    if (self->set->tracks->waits != NULL)
        g_menu_append (filter, _ ("Select the _Waker’s Stack"), "row.waker");
    g_menu_append (showing, _ ("Show _All Rows"), "row.show-all");
    g_menu_append_submenu (place, _ ("_Sort Rows By"), sort);
    if (self->set->tracks->events != NULL && !self->view.is_compact)
        g_menu_append (showing,
                       self->view.folds_events ? _ ("Show Other E_vents")
                                               : _ ("Collapse Other E_vents"),
                       "row.fold-events");
    g_menu_append_section (menu, NULL, G_MENU_MODEL (showing));
    g_menu_append_section (menu, NULL, G_MENU_MODEL (place));
    if (track != PV_TRACK_NONE)
        g_menu_append_section (menu, C_ ("menu", "Filter"), G_MENU_MODEL (filter));
    return G_MENU_MODEL (menu);
}

void
pv_tracks_area_open_row_menu (PvTracksArea *self, uint32_t track, double x, double y)
{
    g_autoptr (GMenuModel) menu = NULL;

    g_assert (self->set != NULL);
    self->menu_track = track;
    update_actions (self, track);
    menu = make_menu (self, track);
    gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (self->row_menu), menu);
    pv_menu_open_at (GTK_POPOVER (self->row_menu), GTK_WIDGET (self), x, y);
}

/* Keys and drags */

static void
open_menu_by_key (PvTracksArea *self)
{
    uint32_t track = pv_tracks_area_begin_cursor (self);
    cairo_rectangle_t plot;
    double row_height, y;

    pv_tracks_area_show_cursor (self);
    plot = pv_tracks_get_plot (self->set->tracks, &self->view);
    row_height = pv_tracks_get_row_height (self->set->tracks, &self->view);
    y = plot.y + (track + 1) * row_height - self->view.scroll_y;
    pv_tracks_area_open_row_menu (self, track, plot.x / 2, CLAMP (y, plot.y, plot.y + plot.height));
}

gboolean
pv_tracks_area_take_row_key (PvTracksArea *self, guint key, GdkModifierType state)
{
    GdkModifierType with =
        state & (GDK_ALT_MASK | GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_SUPER_MASK);

    key = pv_key_plain (key);
    if (with == GDK_ALT_MASK && key == GDK_KEY_Up)
        act (self, MOVE_UP, pv_tracks_area_begin_cursor (self));
    else if (with == GDK_ALT_MASK && key == GDK_KEY_Down)
        act (self, MOVE_DOWN, pv_tracks_area_begin_cursor (self));
    else if (with == 0 && key == GDK_KEY_Delete)
        act (self, HIDE, pv_tracks_area_begin_cursor (self));
    else if (with == GDK_SHIFT_MASK && key == GDK_KEY_Delete)
        act (self, HIDE_PROCESS, pv_tracks_area_begin_cursor (self));
    else if (with == 0 && key == GDK_KEY_p)
        act (self, PIN, pv_tracks_area_begin_cursor (self));
    else if ((with == 0 && key == GDK_KEY_Menu) || (with == GDK_SHIFT_MASK && key == GDK_KEY_F10))
        open_menu_by_key (self);
    else
        return FALSE;
    return TRUE;
}

/* Past a process only when its last row is reached, or it would come back at once. */
void
pv_tracks_area_drag_row (PvTracksArea *self, double y)
{
    uint32_t track = pv_tracks_find (self->set->tracks, &self->view, y), first, end;
    uint32_t own = self->cursor_track;

    if (track == PV_TRACK_NONE || track == own)
        return;
    if (!pv_track_order_find_next (self->set->tracks, own, track > own, &first, &end))
        return;
    if (track > own ? track >= end - 1 : track <= first)
        move (self, own, track > own);
}

void
pv_tracks_area_add_rows (PvTracksArea *self)
{
    static const PvAction sort = {"sort", G_CALLBACK (on_sort), "s", "'cost'"};

    self->menu_track = PV_TRACK_NONE;
    self->row_actions = pv_actions_new (GTK_WIDGET (self), "row", &sort, 1, self);
    for (size_t i = 0; i < G_N_ELEMENTS (acts); i++) {
        const PvAction entry = {acts[i], G_CALLBACK (on_act)};
        pv_actions_add (self->row_actions, &entry, 1, self);
    }
    self->row_menu = pv_menu_popover_new (GTK_WIDGET (self), NULL);
    pv_focus_return_from_menu (GTK_POPOVER (self->row_menu), GTK_WIDGET (self));
}
