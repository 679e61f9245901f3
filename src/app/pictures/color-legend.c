/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/color-legend.h"

#include <glib/gi18n.h>

#include "app/widgets/swatch.h"
#include "app/widgets/text-cell.h"
#include "core/base/array.h"
#include "render/draw/palette.h"

#define MAX_ENTRIES 12
#define SPACING_PX  14

typedef struct {
    GtkWidget *box;
    PvSwatch *swatch;
    PvTextCell *label;
} Entry;

struct _PvColorLegend {
    GtkWidget parent;

    Entry entries[MAX_ENTRIES];
    guint n_entries;
};

G_DEFINE_FINAL_TYPE (PvColorLegend, pv_color_legend, GTK_TYPE_WIDGET)

/* Entries */

static void
add_entry (PvColorLegend *self, const char *text, const char *details, const PvColor *color)
{
    Entry *entry = &self->entries[self->n_entries++];

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
add_kinds (PvColorLegend *self, PvFlameArea *area)
{
    static const char *const kinds[] = {
        N_ ("Program"), N_ ("Libraries"), N_ ("Kernel"), N_ ("Inlined"), N_ ("Unknown"),
    };

    G_STATIC_ASSERT (G_N_ELEMENTS (kinds) == PV_FAMILY_HASH - PV_FAMILY_KIND);
    for (unsigned i = 0; i < G_N_ELEMENTS (kinds); i++)
        add_hue (self, area, _ (kinds[i]), (PV_FAMILY_KIND + i) * PV_N_SHADES + PV_N_SHADES / 2);
}

typedef struct {
    PvModuleId module;
    double weight;
} Share;

static int
compare_shares (const void *a, const void *b)
{
    const Share *left = a, *right = b;

    if (left->weight != right->weight)
        return left->weight < right->weight ? 1 : -1;
    return (left->module > right->module) - (left->module < right->module);
}

/* How much of the picture each module fills, about: recursion counts once. Free with g_free (). */
static Share *
sum_modules (const PvProfile *profile, const PvFunctions *functions)
{
    const PvSymbolTable *symbols = functions->tree->symbols;
    Share *shares = g_new0 (Share, profile->n_modules);

    for (uint32_t i = 0; i < functions->list->n_rows; i++) {
        const PvFunctionRow *row = &functions->list->rows[i];
        PvModuleId module = symbols->functions[row->function].module;
        if (module < profile->n_modules)
            shares[module].weight += (double)row->total;
    }
    for (PvModuleId module = 0; module < profile->n_modules; module++)
        shares[module].module = module;
    qsort (shares, profile->n_modules, sizeof *shares, compare_shares);
    return shares;
}

static gboolean
has_entry (PvColorLegend *self, const char *text)
{
    for (guint i = 0; i < self->n_entries; i++)
        if (strcmp (pv_text_cell_get_text (self->entries[i].label), text) == 0)
            return TRUE;
    return FALSE;
}

static void
add_modules (PvColorLegend *self, PvFlameArea *area, const PvProfile *profile,
             const PvFunctions *functions)
{
    g_autofree Share *shares = sum_modules (profile, functions);

    for (uint32_t i = 0; i < profile->n_modules && self->n_entries < MAX_ENTRIES; i++) {
        const PvModule *module = &profile->modules[shares[i].module];
        const char *name = module->kind == PV_MODULE_UNKNOWN ? _ ("Unknown") : module->name;
        PvColor color;
        if (shares[i].weight == 0)
            break;
        /* Row 0 is code without a module: names say what it belongs to. */
        if (shares[i].module == 0 || has_entry (self, name))
            continue;
        color = pv_flame_area_get_hue_color (area, pv_palette_module_hue (module));
        add_entry (self, name, module->path, &color);
    }
}

void
pv_color_legend_update (PvColorLegend *self, PvFlameArea *area, PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    const PvFunctions *functions = data->functions;
    PvColorScheme scheme = pv_flame_area_get_view (area)->colors;

    self->n_entries = 0;
    if (data->flame_tree != NULL && scheme == PV_COLOR_BY_KIND)
        add_kinds (self, area);
    else if (data->flame_tree != NULL && scheme == PV_COLOR_BY_HASH)
        add_entry (self, _ ("Each function name has its own color"), NULL, NULL);
    else if (data->flame_tree != NULL && functions != NULL)
        add_modules (self, area, functions->tree->profile, functions);
    for (guint i = 0; i < MAX_ENTRIES; i++)
        gtk_widget_set_visible (self->entries[i].box, i < self->n_entries);
}

/* Layout */

static void
pv_color_legend_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
    PvColorLegend *self = PV_COLOR_LEGEND (widget);

    *minimum = *natural = 0;
    for (guint i = 0; i < self->n_entries; i++) {
        int entry_minimum, entry_natural;
        gtk_widget_measure (self->entries[i].box, orientation, -1, &entry_minimum, &entry_natural,
                            NULL, NULL);
        if (orientation == GTK_ORIENTATION_HORIZONTAL)
            *natural += entry_natural + (i > 0 ? SPACING_PX : 0);
        else
            *minimum = *natural = MAX (*natural, entry_natural);
    }
}

static void
pv_color_legend_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvColorLegend *self = PV_COLOR_LEGEND (widget);
    gboolean is_rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
    int x = 0;

    for (guint i = 0; i < self->n_entries; i++) {
        GtkWidget *box = self->entries[i].box;
        GtkAllocation place = {x, 0, 0, height};
        gtk_widget_measure (box, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &place.width, NULL, NULL);
        gtk_widget_set_child_visible (box, x + place.width <= width);
        x += place.width + SPACING_PX;
        if (is_rtl)
            place.x = width - place.x - place.width;
        gtk_widget_size_allocate (box, &place, -1);
    }
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
    widget_class->size_allocate = pv_color_legend_size_allocate;
    gtk_widget_class_set_css_name (widget_class, "legend");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
pv_color_legend_init (PvColorLegend *self)
{
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Legend"), -1);
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
