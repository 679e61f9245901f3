/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/tracks-page.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/pictures/color-legend.h"
#include "app/pictures/details-line.h"
#include "app/pictures/foot.h"
#include "app/pictures/picture-export.h"
#include "app/tracks/heat-area.h"
#include "app/tracks/phase-popover.h"
#include "app/tracks/range-popover.h"
#include "app/tracks/tracks-area.h"
#include "app/tracks/tracks-legend.h"
#include "app/tracks/tracks-model.h"
#include "app/view/empty-view.h"
#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/fold.h"
#include "app/widgets/setup.h"
#include "app/widgets/style.h"
#include "app/widgets/text-cell.h"
#include "core/analyze/tables/facets.h"
#include "core/base/format.h"
#include "render/export/export.h"

#define MOST_CALLERS 16

struct _PvTracksPage {
    PvView base;

    PvTracksModel *model;
    PvTracksArea *area;
    GtkScrollbar *scrollbar;
    PvColorLegend *legend;
    PvPalette palette; /* of the legend */
    GPtrArray *shares; /* of the document's functions and these colors; NULL: not yet */
    PvColorScheme shared_colors;
    PvDetailsLine *details;
    PvTextCell *range_cell;
    GtkWidget *bar_bin;
    GtkWidget *bar_box; /* its second half is below the first one where there is little room */
    AdwBin *switch_place;
    const char *shape; /* a literal: "threads", "cpus" or "heat" */
    GtkMenuButton *phases_button;
    PvPhasePopover *phases;
    PvHeatArea *heat; /* in place of tracks_box */
    GtkWidget *tracks_box;
    const PvHeatMap *described_map; /* by the legend; only to be compared */
    GtkButton *hidden_button;
    GtkToggleButton *rows_button;
    GtkWidget *rows_bar;
    GtkEditable *rows_entry;
    GtkWidget *range_button;
    GtkWidget *reset_button;
    GtkLabel *empty_label;
    PvEmptyView *empty_view; /* in place of the label where there are no rows at all */
};

G_DEFINE_FINAL_TYPE (PvTracksPage, pv_tracks_page, PV_TYPE_VIEW)

gboolean
pv_tracks_page_can_show (const PvProfile *profile)
{
    for (PvMeasureId m = 0; profile != NULL && m < profile->n_measures; m++)
        if (pv_time_index_can_build (profile, m))
            return profile->duration_ns > 0;
    return FALSE;
}

/* Details */

/* The stack that the thread runs before or after it waits, and its track. */
static char *
format_wait_place (PvTracksPage *self, const PvTrackHit *hit)
{
    g_autofree char *near = pv_tracks_area_format_near (self->area, MOST_CALLERS);

    return near != NULL ? g_strdup_printf ("%s · %s", near, hit->track->name)
                        : g_strdup (hit->track->name);
}

/* The callers of the function there, the track, and the time of the sample if it is not near. */
static char *
format_place (PvTracksPage *self, const PvTrackHit *hit)
{
    g_autofree char *callers = pv_tracks_area_format_callers (self->area, MOST_CALLERS);
    g_autofree char *distance = pv_tracks_area_format_distance (self->area);
    GString *text = g_string_new (callers);

    g_string_append_printf (text, "%s%s", callers != NULL ? " · " : "", hit->track->name);
    if (distance != NULL)
        g_string_append_printf (text, " · %s", distance);
    return g_string_free (text, FALSE);
}

static void
show_hit (PvTracksPage *self, const PvTrackHit *hit)
{
    const PvTrackSet *set = pv_tracks_area_get_set (self->area);
    const PvSymbolTable *symbols = set->tree->symbols;
    g_autofree char *time = pv_format_amount (hit->time_ns, PV_UNIT_NS);
    g_autofree char *place =
        hit->has_wait ? format_wait_place (self, hit) : format_place (self, hit);
    g_autoptr (GString) figures = g_string_new (NULL);
    g_autofree char *wait = pv_tracks_area_describe_wait (self->area);
    g_autofree char *mark = pv_tracks_area_describe_mark (self->area);
    const char *name = "";

    if (mark != NULL)
        name = mark;
    else if (wait != NULL)
        name = wait;
    else if (hit->has_sample && hit->leaf.function != 0)
        name = symbols->functions[hit->leaf.function].name;
    else if (hit->has_sample)
        name = _ ("[no stack recorded]");
    if (hit->share >= 0) {
        g_autofree char *share = pv_format_percent (MIN (hit->share, 1), 1);
        pv_details_line_add_figure (figures, _ ("CPU use"), share);
    }
    pv_details_line_add_figure (figures, C_ ("figure", "At"), time);
    pv_details_line_set_sentence (self->details, mark != NULL || wait != NULL);
    pv_details_line_show (self->details, name, place,
                          mark == NULL && wait == NULL && hit->has_sample &&
                              hit->leaf.function != 0 && hit->leaf.frame->is_inlined,
                          figures->str, NULL);
}

static gboolean
is_heat (PvTracksPage *self)
{
    return gtk_widget_get_visible (GTK_WIDGET (self->heat));
}

static void
show_cell (PvTracksPage *self, uint32_t cell)
{
    const PvHeatMap *map = pv_heat_area_get_map (self->heat);
    PvUnit unit = map->profile->measures[map->measure].unit;
    g_autofree char *times = pv_heat_format_times (map, cell, cell);
    g_autofree char *amount = pv_format_amount (map->weights[cell], unit);
    g_autofree char *count = pv_format_count (map->n_samples[cell]);
    g_autoptr (GString) figures = g_string_new (NULL);

    pv_details_line_add_figure (figures, NULL, amount);
    pv_details_line_add_figure (figures, C_ ("figure", "Samples"), count);
    pv_details_line_show (self->details, times, NULL, FALSE, figures->str, NULL);
}

static void
show_cell_hint (PvTracksPage *self)
{
    const PvHeatMap *map = pv_heat_area_get_map (self->heat);
    g_autofree char *column = pv_format_amount (map != NULL ? map->column_ns : 0, PV_UNIT_NS);
    g_autofree char *hint =
        map == NULL ? g_strdup ("")
                    /* Translators: a duration */
                    : g_strdup_printf (_ ("A column is %s, from the bottom up; click a cell or "
                                          "drag over several to select their time"),
                                       column);

    pv_details_line_show (self->details, "", hint, FALSE, "", NULL);
}

static void
update_details (PvTracksPage *self)
{
    const PvTrackHit *hit = is_heat (self) ? NULL : pv_tracks_area_get_hit (self->area);
    uint32_t cell = is_heat (self) ? pv_heat_area_get_hit (self->heat) : PV_HEAT_NONE;
    g_autofree char *quality = hit == NULL ? pv_tracks_area_describe_quality (self->area) : NULL;
    g_autofree char *events = hit == NULL ? pv_tracks_area_describe_events (self->area) : NULL;
    g_autofree char *counters = hit == NULL ? pv_tracks_area_describe_counters (self->area) : NULL;
    g_autofree char *all = hit == NULL ? pv_tracks_area_describe_all (self->area) : NULL;

    if (cell != PV_HEAT_NONE)
        show_cell (self, cell);
    else if (is_heat (self))
        show_cell_hint (self);
    else if (hit != NULL)
        show_hit (self, hit);
    else if (events != NULL)
        pv_details_line_show (self->details, "", events, FALSE, "", NULL);
    else if (counters != NULL)
        pv_details_line_show (self->details, "", counters, FALSE, "", NULL);
    else if (all != NULL)
        pv_details_line_show (self->details, "", all, FALSE, "", NULL);
    else if (quality != NULL)
        pv_details_line_show (self->details, "", quality, FALSE, "", NULL);
    else
        pv_details_line_show (self->details, "", _ ("Drag to select a time range; scroll to zoom"),
                              FALSE, "", NULL);
}

/* Colors */

/* Summed up once for the document's functions: zooming asks for them again. */
static const GPtrArray *
get_shares (PvTracksPage *self, PvColorScheme colors)
{
    const PvFunctions *functions = pv_document_get (self->base.document)->functions;

    if (self->shared_colors != colors)
        g_clear_pointer (&self->shares, g_ptr_array_unref);
    self->shared_colors = colors;
    if (self->shares == NULL && functions != NULL &&
        (colors == PV_COLOR_BY_MODULE || colors == PV_COLOR_BY_PACKAGE))
        self->shares = pv_color_legend_list_shares (functions, colors);
    return self->shares;
}

static void
update_legend (PvTracksPage *self)
{
    const PvTrackSet *set = pv_tracks_area_get_set (self->area);
    g_auto (PvTimeLight) light = {0};
    g_autofree char *selected = NULL;

    self->described_map = is_heat (self) ? pv_heat_area_get_map (self->heat) : NULL;
    if (is_heat (self))
        pv_heat_area_show_legend (self->heat, self->legend);
    if (is_heat (self) || set == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
        return;
    if (pv_tracks_model_get_light (self->model, set->tracks->index->kind, &light))
        selected = pv_tracks_model_name_selected (self->model, &light);
    pv_tracks_legend_show (self->legend, set, get_shares (self, set->colors), selected,
                           light.search.text, &self->palette);
}

static void
on_style_changed (PvTracksPage *self)
{
    AdwStyleManager *style = adw_style_manager_get_default ();

    pv_palette_init (&self->palette, adw_style_manager_get_dark (style),
                     adw_style_manager_get_high_contrast (style), false);
    update_legend (self);
}

/* Rows that are not shown. Threads and CPUs are searched each for themselves; the strip can show
 * all rows too, and so ends a search. */
static void
update_rows (PvTracksPage *self)
{
    const PvTrackSet *set = pv_tracks_area_get_set (self->area);
    g_autofree char *hidden = pv_tracks_area_describe_hidden (self->area);
    const char *search = pv_tracks_area_get_row_search (self->area);
    gboolean has_rows = set != NULL && set->whole->n_tracks > 0;
    gboolean has_reason;

    gtk_button_set_label (self->hidden_button, hidden != NULL ? hidden : "");
    gtk_widget_set_visible (GTK_WIDGET (self->hidden_button), hidden != NULL);
    if (strcmp (gtk_editable_get_text (self->rows_entry), search) != 0)
        gtk_editable_set_text (self->rows_entry, search);
    if (search[0] != '\0')
        gtk_toggle_button_set_active (self->rows_button, TRUE);
    gtk_label_set_text (self->empty_label,
                        has_rows ? _ ("All rows are hidden") : _ ("No samples in this measure"));
    has_reason = pv_document_get (self->base.document)->answer->emptiness != NULL && !has_rows;
    gtk_widget_set_visible (GTK_WIDGET (self->empty_label),
                            set != NULL && set->tracks->n_tracks == 0 && !has_reason);
    pv_empty_view_set_wanted (self->empty_view, set != NULL && has_reason);
}

/* The picture has nothing to be zoomed or hidden. */
static void
update_heat_range (PvTracksPage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    uint64_t end_ns = MIN (data->query.end_ns, data->answer->profile->duration_ns);
    uint64_t start_ns = MIN (data->query.start_ns, end_ns), n = data->answer->tree->n_kept_samples;
    g_autofree char *duration = pv_format_amount (end_ns - start_ns, PV_UNIT_NS);
    g_autofree char *count = pv_format_count (n);
    g_autofree char *text =
        g_strdup_printf (g_dngettext (NULL, "%s, %s sample", "%s, %s samples", n), duration, count);

    pv_text_cell_set_text (self->range_cell, text);
    gtk_widget_set_visible (GTK_WIDGET (self->hidden_button), FALSE);
    gtk_widget_set_visible (self->range_button, FALSE);
    gtk_widget_set_visible (self->reset_button, FALSE);
}

/* Shows the figures of the range, or of everything. */
static void
update_range (PvTracksPage *self)
{
    const PvTrackSet *set = pv_tracks_area_get_set (self->area);
    const PvDocumentData *data = pv_document_get (self->base.document);
    gboolean has_range = pv_document_has_time_range (self->base.document);
    g_autofree char *text = NULL;

    if (is_heat (self) && data->answer->tree != NULL) {
        update_heat_range (self);
        return;
    }
    if (set != NULL && set->tree->profile == data->answer->profile)
        text = pv_format_range_facts (set->tracks, data->query.start_ns, data->query.end_ns);
    pv_text_cell_set_text (self->range_cell, text != NULL ? text : "");
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "tracks.zoom-to-range", has_range);
    gtk_widget_set_visible (self->range_button, has_range);
    gtk_widget_set_visible (self->reset_button, pv_tracks_area_is_zoomed (self->area));
    update_rows (self);
}

static AdwBin *
pv_tracks_page_get_switch_place (PvView *view)
{
    return PV_TRACKS_PAGE (view)->switch_place;
}

static const char *
pv_tracks_page_get_shape (PvView *view)
{
    return PV_TRACKS_PAGE (view)->shape;
}

/* The heat map has no rows to be found. */
static void
pv_tracks_page_show_shape (PvView *view, const char *id)
{
    PvTracksPage *self = PV_TRACKS_PAGE (view);
    const gboolean has_heat = g_str_equal (id, "heat"), has_cpus = g_str_equal (id, "cpus");

    self->shape = has_heat ? "heat" : has_cpus ? "cpus" : "threads";
    gtk_widget_set_visible (GTK_WIDGET (self->heat), has_heat);
    gtk_widget_set_visible (self->tracks_box, !has_heat);
    gtk_toggle_button_set_active (self->rows_button, FALSE);
    gtk_widget_set_visible (GTK_WIDGET (self->rows_button), !has_heat);
    update_range (self);
    update_details (self);
    update_legend (self);
    /* Last: until the other rows are known, there is nothing to tell of. */
    if (!has_heat)
        pv_tracks_area_set_kind (self->area, has_cpus ? PV_TIME_CPUS : PV_TIME_THREADS);
    pv_view_shape_changed (view);
}

static void
on_heat_hit (PvTracksPage *self)
{
    update_details (self);
    if (is_heat (self) && pv_heat_area_get_map (self->heat) != self->described_map)
        update_legend (self);
}

static void
pv_tracks_page_changed (PvView *view, guint what)
{
    PvTracksPage *self = PV_TRACKS_PAGE (view);

    if (what & (PV_CHANGED_QUERY | PV_CHANGED_TREE))
        update_range (self);
    if (what & PV_CHANGED_FUNCTIONS)
        g_clear_pointer (&self->shares, g_ptr_array_unref);
    if (what & (PV_CHANGED_SELECTION | PV_CHANGED_TREE | PV_CHANGED_SEARCH | PV_CHANGED_FUNCTIONS))
        update_legend (self);
}

/* Finding rows */

static void
on_rows_toggled (PvTracksPage *self)
{
    gboolean is_active = gtk_toggle_button_get_active (self->rows_button);

    gtk_widget_set_visible (self->rows_bar, is_active);
    if (is_active)
        gtk_widget_grab_focus (GTK_WIDGET (self->rows_entry));
    else
        gtk_editable_set_text (self->rows_entry, "");
}

static void
on_rows_changed (PvTracksPage *self)
{
    pv_tracks_area_search_rows (self->area, gtk_editable_get_text (self->rows_entry));
}

static void
leave_rows (PvTracksPage *self)
{
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
stop_rows (PvTracksPage *self)
{
    gtk_toggle_button_set_active (self->rows_button, FALSE);
    leave_rows (self);
}

/* Anywhere in the window, while the page is seen. */
static gboolean
on_find_rows (GtkWidget *widget, GVariant *arguments, gpointer user)
{
    PvTracksPage *self = PV_TRACKS_PAGE (widget);

    if (!gtk_widget_get_mapped (widget) || is_heat (self))
        return FALSE;
    gtk_toggle_button_set_active (self->rows_button, TRUE);
    gtk_widget_grab_focus (GTK_WIDGET (self->rows_entry));
    return TRUE;
}

static void
add_find_key (PvTracksPage *self)
{
    GtkEventController *keys = gtk_shortcut_controller_new ();
    GtkShortcut *shortcut =
        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_f, GDK_CONTROL_MASK | GDK_SHIFT_MASK),
                          gtk_callback_action_new (on_find_rows, NULL, NULL));

    gtk_shortcut_controller_set_scope (GTK_SHORTCUT_CONTROLLER (keys), GTK_SHORTCUT_SCOPE_GLOBAL);
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys), shortcut);
    gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

/* Actions */

/* The button goes. */
static void
show_all_rows (PvTracksPage *self)
{
    gtk_widget_grab_focus (GTK_WIDGET (self));
    pv_tracks_area_show_all_rows (self->area);
    gtk_toggle_button_set_active (self->rows_button, FALSE);
}

static void
zoom_to_range (PvTracksPage *self)
{
    pv_tracks_area_zoom_to_range (self->area);
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
open_ranges (PvTracksPage *self)
{
    pv_tracks_area_open_ranges (self->area);
}

static void
reset_zoom (PvTracksPage *self)
{
    gtk_widget_grab_focus (GTK_WIDGET (self)); /* the button goes */
    pv_tracks_area_reset_zoom (self->area);
}

/* Export, of tracks that the document may show no more when they are drawn */

typedef struct {
    PvCallTree *tree;
    PvTracksPicture picture; /* holds a reference to the tracks */
    PvTimeLight light;
    char *lit_name;     /* as in the picture */
    PvRangeMark *marks; /* the same */
    PvTracksView view;
    PvHeatMap *map; /* in place of all these; or NULL */
    PvHeatView heat_view;
    char *title;
} ExportInput;

static void
export_input_free (gpointer data)
{
    ExportInput *input = data;
    pv_call_tree_free (input->tree);
    g_clear_pointer (&input->picture.tracks, pv_tracks_unref);
    pv_time_light_clear (&input->light);
    g_free (input->lit_name);
    g_free (input->marks);
    pv_heat_map_unref (input->map);
    g_free (input->title);
    g_free (input);
}

static gboolean
write_picture (gpointer data, const char *path, PvJob *job, GError **error)
{
    ExportInput *input = data;
    PvTracksPicture picture = input->picture;
    g_autoptr (PvTimeIndex) lit = NULL;

    if (input->map != NULL)
        return pv_export_heat_map (path, input->map, &input->heat_view, input->title, error);
    picture.tree = input->tree;
    if (!pv_time_light_is_empty (&input->light)) {
        lit = pv_time_index_build_lit (picture.tracks->index, input->tree, &input->light, job);
        if (lit == NULL)
            return FALSE;
        picture.lit = lit;
        picture.lit_name = input->lit_name;
        picture.match_name = input->light.search.text;
    }
    return pv_export_tracks (path, &picture, &input->view, input->title, error);
}

static char *
make_title (PvTracksPage *self, const PvProfile *profile, PvMeasureId measure)
{
    const char *name = profile->measures[measure].name;

    return name != NULL
               ? g_strdup_printf ("%s: %s", pv_document_get (self->base.document)->title, name)
               : g_strdup (pv_document_get (self->base.document)->title);
}

/* NULL: no map yet. */
static ExportInput *
take_heat_map (PvTracksPage *self)
{
    const PvHeatMap *map = pv_heat_area_get_map (self->heat);
    ExportInput *input;

    if (map == NULL)
        return NULL;
    input = g_new0 (ExportInput, 1);
    input->map = pv_heat_map_ref (map);
    input->heat_view = *pv_heat_area_get_view (self->heat);
    input->heat_view.height = 0;
    input->heat_view.is_dark = false;
    input->title = make_title (self, map->profile, map->measure);
    return input;
}

/* As on paper: all rows that are not hidden, and light. */
static gpointer
take_picture (GtkWidget *widget)
{
    PvTracksPage *self = PV_TRACKS_PAGE (widget);
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvTrackSet *set = pv_tracks_area_get_set (self->area);
    const PvRangeMark *marks;
    ExportInput *input;

    if (is_heat (self))
        return take_heat_map (self);
    if (set == NULL || pv_tracks_area_get_view (self->area)->end_ns == 0)
        return NULL;
    input = g_new0 (ExportInput, 1);
    input->tree = pv_call_tree_ref (set->tree);
    input->picture.tracks = pv_tracks_ref (set->tracks);
    input->picture.colors = set->colors;
    if (pv_document_has_time_range (self->base.document)) {
        input->picture.range_start_ns = data->query.start_ns;
        input->picture.range_end_ns = data->query.end_ns;
    }
    if (pv_tracks_model_get_light (self->model, set->tracks->index->kind, &input->light))
        input->lit_name = pv_tracks_model_name_selected (self->model, &input->light);
    marks = pv_tracks_model_get_marks (self->model, &input->picture.n_marks);
    input->picture.marks = input->marks = g_memdup2 (marks, input->picture.n_marks * sizeof *marks);
    input->view = *pv_tracks_area_get_view (self->area);
    input->view.height = 0;
    input->view.is_dark = false;
    input->title = make_title (self, set->tracks->index->profile, set->tracks->index->measure);
    return input;
}

static void
pv_tracks_page_export_picture (PvView *view)
{
    static const PvPictureExport export = {take_picture, write_picture, export_input_free};
    PvTracksPage *self = PV_TRACKS_PAGE (view);
    g_autofree char *name =
        g_strdup_printf ("%s-%s.svg", pv_document_get (self->base.document)->title,
                         is_heat (self) ? "heatmap" : "timeline");
    pv_picture_export (GTK_WIDGET (self), &export,
                       is_heat (self) ? _ ("Save the Heat Map") : _ ("Save the Timeline"), name);
}

static void
pv_tracks_page_describe_command (PvView *view, PvCommand *command)
{
    PvTracksPage *self = PV_TRACKS_PAGE (view);

    command->options[0] = "--print=timeline";
    if (is_heat (self)) {
        command->options[0] = "--export=heatmap.svg";
        command->options[1] = "--view=heatmap";
    } else if (g_str_equal (self->shape, "cpus")) {
        command->options[0] = "--export=timeline.svg";
        command->options[1] = "--view=timeline";
        command->options[2] = "--group=cpu";
    }
}

/* Object */

static void
pv_tracks_page_begin (PvView *view)
{
    PvTracksPage *self = PV_TRACKS_PAGE (view);

    self->model = pv_tracks_model_get (view->document);
    pv_connect (self->model, "changed", update_legend, self);
    pv_view_set_document (PV_VIEW (self->area), view->document);
    pv_view_set_document (PV_VIEW (self->empty_view), view->document);
    pv_phase_popover_set_document (self->phases, view->document);
    pv_view_set_document (PV_VIEW (self->heat), view->document);
    pv_connect (self->area, "view-changed", update_legend, self);
    pv_style_connect (on_style_changed, self);
    on_style_changed (self);
    update_details (self);
}

static void
pv_tracks_page_end (PvView *view)
{
    PvTracksPage *self = PV_TRACKS_PAGE (view);

    g_clear_pointer (&self->shares, g_ptr_array_unref);
    g_clear_object (&self->model);
}

static gboolean
pv_tracks_page_grab_focus (GtkWidget *widget)
{
    PvTracksPage *self = PV_TRACKS_PAGE (widget);

    return gtk_widget_grab_focus (is_heat (self) ? GTK_WIDGET (self->heat)
                                                 : GTK_WIDGET (self->area));
}

static void
pv_tracks_page_class_init (PvTracksPageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_tracks_page_end;
    PV_VIEW_CLASS (class)->begin = pv_tracks_page_begin;
    PV_VIEW_CLASS (class)->changed = pv_tracks_page_changed;
    PV_VIEW_CLASS (class)->describe_command = pv_tracks_page_describe_command;
    PV_VIEW_CLASS (class)->get_switch_place = pv_tracks_page_get_switch_place;
    PV_VIEW_CLASS (class)->get_shape = pv_tracks_page_get_shape;
    PV_VIEW_CLASS (class)->show_shape = pv_tracks_page_show_shape;
    PV_VIEW_CLASS (class)->export_picture = pv_tracks_page_export_picture;
    widget_class->grab_focus = pv_tracks_page_grab_focus;
    PV_SET_TEMPLATE (widget_class, "tracks-page", PV_TYPE_HEAT_AREA, PV_TYPE_FOOT,
                     PV_TYPE_TEXT_CELL, PV_TYPE_TRACKS_AREA, PV_TYPE_COLOR_LEGEND,
                     PV_TYPE_DETAILS_LINE, PV_TYPE_EMPTY_VIEW, PV_TYPE_PHASE_POPOVER);
    PV_BIND_CHILDREN (widget_class, PvTracksPage, bar_bin, bar_box, area, scrollbar, legend,
                      details, range_cell, switch_place, phases_button, phases, heat, tracks_box,
                      hidden_button, rows_button, rows_bar, rows_entry, range_button, reset_button,
                      empty_label, empty_view);
    pv_class_add_action (widget_class, "tracks.zoom-to-range", NULL, zoom_to_range);
    pv_class_add_action (widget_class, "tracks.reset-zoom", NULL, reset_zoom);
    pv_class_add_action (widget_class, "tracks.ranges", NULL, open_ranges);
    pv_class_add_action (widget_class, "tracks.show-all-rows", NULL, show_all_rows);
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
pv_tracks_page_init (PvTracksPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_fold_add (self->bar_bin, self->bar_box, PV_PHONE_WIDTH_PX, PV_LEAST_WIDTH_PX, NULL);
    pv_text_cell_set_cut (self->range_cell, PV_CUT_PARTS);
    pv_text_cell_show_cut_text (self->range_cell);
    self->shape = "threads";
    gtk_orientable_set_orientation (
        GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
        GTK_ORIENTATION_VERTICAL);
    pv_accessible_name_parts (GTK_WIDGET (self->phases_button), C_ ("button", "Phases"), NULL);
    pv_tracks_area_set_scrollbar (self->area, self->scrollbar);
    g_signal_connect (self, "map", G_CALLBACK (update_legend), NULL);
    pv_connect (self->area, "hit-changed", update_details, self);
    pv_connect (self->area, "view-changed", update_range, self);
    pv_connect (self->rows_button, "toggled", on_rows_toggled, self);
    pv_connect (self->rows_entry, "changed", on_rows_changed, self);
    pv_connect (self->rows_entry, "activate", leave_rows, self);
    pv_connect (self->rows_entry, "stop-search", stop_rows, self);
    add_find_key (self);
    pv_connect (self->heat, "hit-changed", on_heat_hit, self);
}
