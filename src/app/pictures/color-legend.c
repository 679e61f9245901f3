/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/color-legend.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/swatch.h"
#include "app/widgets/text-cell.h"
#include "core/analyze/compare/compare-text.h"
#include "render/flame/value-colors.h"

#define MAX_ENTRIES 20
#define SPACING_PX  14
#define LINE_GAP_PX 4
#define SCALE_LINES 3 /* at most: no step of a scale may be missing */

typedef struct {
    GtkWidget *box;
    PvSwatch *swatch;
    PvTextCell *label;
} Entry;

struct _PvColorLegend {
    GtkWidget parent;

    Entry entries[MAX_ENTRIES];
    guint n_entries;
    guint max_lines; /* what does not fit is not shown */
};

G_DEFINE_FINAL_TYPE (PvColorLegend, pv_color_legend, GTK_TYPE_WIDGET)

/* Entries */

static void
add_entry (PvColorLegend *self, const char *text, const char *details, const PvColor *color)
{
    Entry *entry = &self->entries[self->n_entries++];

    pv_text_cell_set_max_chars (entry->label, color == NULL ? 60 : 24); /* a sentence, or a name */
    pv_text_cell_set_text (entry->label, text);
    gtk_widget_set_tooltip_text (entry->box, details);
    pv_swatch_set_color (entry->swatch, color);
}

static void
add_hue (PvColorLegend *self, PvFlameArea *area, const char *text, unsigned hue)
{
    PvColor color = pv_flame_area_get_hue_color (area, hue);

    add_entry (self, text, NULL, &color);
}

static void
add_kinds (PvColorLegend *self, PvFlameArea *area, const PvAnswer *answer)
{
    for (unsigned family = PV_FAMILY_KIND; family < PV_FAMILY_HASH; family++)
        add_hue (self, area,
                 pv_color_name_family (answer->profile, answer->symbols, family, PV_COLOR_BY_KIND),
                 pv_palette_get_middle (family * PV_N_SHADES));
}

static void
add_steps (PvColorLegend *self, PvFlameArea *area, const GArray *steps)
{
    for (guint i = 0; i < steps->len; i++) {
        const PvValueStep *step = &g_array_index (steps, PvValueStep, i);
        add_hue (self, area, step->text, step->hue);
        pv_swatch_set_stripes (self->entries[self->n_entries - 1].swatch, step->stripes,
                               pv_flame_area_get_stripe_color (area, step->hue));
    }
}

static void
add_values (PvColorLegend *self, PvFlameArea *area, const PvNodeValues *values)
{
    g_autofree char *caption = pv_value_make_caption (values);
    g_autoptr (GArray) steps = pv_value_make_steps (values);

    add_entry (self, caption, NULL, NULL);
    add_steps (self, area, steps);
    self->max_lines = SCALE_LINES;
}

static void
add_change (PvColorLegend *self, PvFlameArea *area, const PvNodeValues *values,
            PvColorScheme scheme)
{
    g_autoptr (GArray) steps = pv_change_make_steps (values, scheme);

    /* The totals of a comparison are in the bar above. */
    if (values != NULL && values->sides != NULL && values->tree->profile->compared == NULL) {
        g_autofree char *caption = pv_compare_make_caption (values);
        add_entry (self, caption, caption, NULL);
        pv_text_cell_set_max_chars (self->entries[self->n_entries - 1].label, 100);
    }
    add_steps (self, area, steps);
    self->max_lines = SCALE_LINES;
}

/* By self, or how much of the picture it fills, about: recursion counts once. */
static GPtrArray *
list_shares (const PvFunctions *functions, PvColorScheme scheme, gboolean is_self)
{
    const PvCallTree *tree = functions->tree;
    g_autofree double *weights = g_new0 (double, MAX (tree->symbols->n_functions, 1));

    for (uint32_t i = 0; i < functions->list->n_rows; i++) {
        const PvFunctionRow *row = &functions->list->rows[i];
        weights[row->function] += (double)(is_self ? row->self : row->total);
    }
    return pv_color_shares_list (tree->profile, tree->symbols, weights, scheme);
}

static void
add_shares (PvColorLegend *self, PvFlameArea *area, const GPtrArray *shares)
{
    for (guint i = 0; i < shares->len && self->n_entries < MAX_ENTRIES; i++) {
        const PvColorShare *share = shares->pdata[i];
        PvColor color = pv_flame_area_get_hue_color (area, share->hue);
        add_entry (self, share->text, share->details, &color);
    }
}

static gboolean
is_of_shares (PvColorScheme scheme)
{
    return scheme == PV_COLOR_BY_MODULE || scheme == PV_COLOR_BY_PACKAGE;
}

GPtrArray *
pv_color_legend_list_shares (const PvFunctions *functions, PvColorScheme scheme)
{
    g_assert (functions != NULL && is_of_shares (scheme));
    return list_shares (functions, scheme, TRUE);
}

void
pv_color_legend_update (PvColorLegend *self, PvFlameArea *area, PvColorScheme scheme,
                        const PvNodeValues *values, PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    const PvAnswer *answer = data->answer;
    const PvFunctions *functions = data->functions;

    if (functions == NULL && is_of_shares (scheme) &&
        pv_document_is_deriving (document, PV_DERIVED_FUNCTIONS))
        return;
    self->n_entries = 0;
    self->max_lines = 1;
    if (answer->flame_tree != NULL && scheme == PV_COLOR_BY_KIND)
        add_kinds (self, area, answer);
    else if (answer->flame_tree != NULL && scheme == PV_COLOR_BY_HASH)
        add_entry (self, _ ("Each function name has its own color"), NULL, NULL);
    else if (answer->flame_tree != NULL && scheme == PV_COLOR_BY_VALUE) {
        if (values != NULL && values->formula != NULL)
            add_values (self, area, values);
    } else if (answer->flame_tree != NULL && pv_color_is_by_change (scheme)) {
        add_change (self, area, values, scheme);
    } else if (answer->flame_tree != NULL && functions != NULL) {
        g_autoptr (GPtrArray) shares = list_shares (functions, scheme, FALSE);
        add_shares (self, area, shares);
    }
    for (guint i = 0; i < MAX_ENTRIES; i++)
        gtk_widget_set_visible (self->entries[i].box, i < self->n_entries);
}

void
pv_color_legend_clear (PvColorLegend *self)
{
    g_assert (PV_IS_COLOR_LEGEND (self));
    for (guint i = 0; i < self->n_entries; i++)
        gtk_widget_set_visible (self->entries[i].box, FALSE);
    self->n_entries = 0;
    self->max_lines = SCALE_LINES;
}

void
pv_color_legend_add (PvColorLegend *self, const char *text, const PvColor *color)
{
    g_assert (PV_IS_COLOR_LEGEND (self) && text != NULL);
    if (self->n_entries == MAX_ENTRIES)
        return;
    add_entry (self, text, NULL, color);
    gtk_widget_set_visible (self->entries[self->n_entries - 1].box, TRUE);
}

/* Layout */

static int
measure_entry (PvColorLegend *self, guint index, GtkOrientation orientation)
{
    int natural;

    gtk_widget_measure (self->entries[index].box, orientation, -1, NULL, &natural, NULL, NULL);
    return natural;
}

/* Where each entry begins, and on which line, from 0 on, for a width; the number of lines there
 * are. An entry that is not on any line has max_lines. */
static guint
break_lines (PvColorLegend *self, int width, int x_of_entry[MAX_ENTRIES],
             guint line_of_entry[MAX_ENTRIES])
{
    int x = 0;
    guint line = 0, n_lines = 1;

    for (guint i = 0; i < self->n_entries; i++) {
        int entry = measure_entry (self, i, GTK_ORIENTATION_HORIZONTAL);
        if (x + entry > width && (x > 0 || line + 1 == self->max_lines)) {
            line = MIN (line + 1, self->max_lines);
            x = 0;
        }
        x_of_entry[i] = x;
        line_of_entry[i] = line;
        x += entry + SPACING_PX;
        if (line < self->max_lines)
            n_lines = line + 1;
    }
    return n_lines;
}

static void
pv_color_legend_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
    PvColorLegend *self = PV_COLOR_LEGEND (widget);
    int xs[MAX_ENTRIES];
    guint lines[MAX_ENTRIES];

    *minimum = *natural = 0;
    for (guint i = 0; i < self->n_entries; i++) {
        int entry = measure_entry (self, i, orientation);
        if (orientation == GTK_ORIENTATION_HORIZONTAL)
            *natural += entry + (i > 0 ? SPACING_PX : 0);
        else
            *minimum = *natural = MAX (*natural, entry);
    }
    if (orientation == GTK_ORIENTATION_VERTICAL && self->max_lines > 1 && for_size >= 0)
        *minimum = *natural =
            (*natural + LINE_GAP_PX) * (int)break_lines (self, for_size, xs, lines) - LINE_GAP_PX;
}

static void
pv_color_legend_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvColorLegend *self = PV_COLOR_LEGEND (widget);
    gboolean is_rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
    int xs[MAX_ENTRIES];
    guint lines[MAX_ENTRIES];
    int n_lines = (int)break_lines (self, width, xs, lines);
    int line_height = (height + LINE_GAP_PX) / n_lines - LINE_GAP_PX;

    for (guint i = 0; i < self->n_entries; i++) {
        GtkAllocation place = {xs[i], (int)lines[i] * (line_height + LINE_GAP_PX),
                               measure_entry (self, i, GTK_ORIENTATION_HORIZONTAL), line_height};
        place.width = MIN (place.width, MAX (width, 0)); /* of a caption that is longer */
        gtk_widget_set_child_visible (self->entries[i].box, lines[i] < self->max_lines);
        if (is_rtl)
            place.x = width - place.x - place.width;
        gtk_widget_size_allocate (self->entries[i].box, &place, -1);
    }
}

static GtkSizeRequestMode
pv_color_legend_get_request_mode (GtkWidget *widget)
{
    return PV_COLOR_LEGEND (widget)->max_lines > 1 ? GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH
                                                   : GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

/* Object */

static void
pv_color_legend_dispose (GObject *object)
{
    PvColorLegend *self = PV_COLOR_LEGEND (object);

    for (guint i = 0; i < MAX_ENTRIES; i++)
        g_clear_pointer (&self->entries[i].box, gtk_widget_unparent);
    self->n_entries = 0;
    G_OBJECT_CLASS (pv_color_legend_parent_class)->dispose (object);
}

static void
pv_color_legend_class_init (PvColorLegendClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_color_legend_dispose;
    widget_class->measure = pv_color_legend_measure;
    widget_class->get_request_mode = pv_color_legend_get_request_mode;
    widget_class->size_allocate = pv_color_legend_size_allocate;
    gtk_widget_class_set_css_name (widget_class, "legend");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
pv_color_legend_init (PvColorLegend *self)
{
    self->max_lines = 1;
    pv_accessible_set_name (GTK_WIDGET (self), C_ ("control", "Legend"));
    for (guint i = 0; i < MAX_ENTRIES; i++) {
        Entry *entry = &self->entries[i];
        entry->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5);
        entry->swatch = PV_SWATCH (pv_swatch_new ());
        entry->label = PV_TEXT_CELL (pv_text_cell_new (3));
        pv_text_cell_set_max_chars (entry->label, 24);
        gtk_widget_add_css_class (GTK_WIDGET (entry->label), "caption");
        gtk_box_append (GTK_BOX (entry->box), GTK_WIDGET (entry->swatch));
        gtk_box_append (GTK_BOX (entry->box), GTK_WIDGET (entry->label));
        gtk_widget_set_visible (entry->box, FALSE);
        gtk_widget_set_parent (entry->box, GTK_WIDGET (self));
    }
}
