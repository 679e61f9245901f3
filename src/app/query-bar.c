#include "app/query-bar.h"

#include <glib/gi18n.h>

#include "app/accessible.h"
#include "app/work.h"
#include "core/write/table.h"

/* From so many measures on there is a search entry above them. */
#define SEARCH_FROM 12

struct _PvQueryBar {
    GtkWidget parent;

    PvDocument *document;
    PvProfile *profile;  /* whose measures the menu lists */
    gboolean is_filling; /* the menu, so that what it selects is not the user's choice */
    GtkDropDown *measure_drop_down;
    GtkLabel *measure_label;
    GtkWidget *chips_box;
    GtkWidget *work_box;
    GtkLabel *work_label;
    GtkWidget *stop_button;
    GtkLabel *samples_label;
};

G_DEFINE_FINAL_TYPE (PvQueryBar, pv_query_bar, GTK_TYPE_WIDGET)

const char *
pv_query_bar_get_stage_name (PvStage stage)
{
    switch (stage) {
    case PV_STAGE_OPEN:
        return _ ("Opening…");
    case PV_STAGE_READ:
        return _ ("Reading the recording…");
    case PV_STAGE_SYMBOLS:
        return _ ("Looking up names…");
    case PV_STAGE_DEBUG_INFO:
        return _ ("Reading debug information…");
    case PV_STAGE_ANALYZE:
    case PV_STAGE_DONE:
        break;
    }
    return _ ("Merging stacks…");
}

/* The list of measures ---------------------------------------------------------------------------
 */

static void
show_check (GtkListItem *item, GParamSpec *pspec, GtkDropDown *drop_down)
{
    gpointer selected = gtk_drop_down_get_selected_item (drop_down);
    GtkWidget *box = gtk_list_item_get_child (item);

    if (box != NULL)
        gtk_widget_set_opacity (gtk_widget_get_last_child (box),
                                selected == gtk_list_item_get_item (item) ? 1 : 0);
}

static void
on_measure_setup (PvQueryBar *self, GtkListItem *item)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *name = gtk_label_new (NULL);
    GtkWidget *samples = gtk_label_new (NULL);

    gtk_label_set_xalign (GTK_LABEL (name), 0);
    gtk_widget_set_hexpand (name, TRUE);
    gtk_widget_add_css_class (samples, "dim-label");
    gtk_widget_add_css_class (samples, "numeric");
    gtk_box_append (GTK_BOX (box), name);
    gtk_box_append (GTK_BOX (box), samples);
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("object-select-symbolic"));
    gtk_list_item_set_child (item, box);
    g_signal_connect_object (self->measure_drop_down, "notify::selected-item",
                             G_CALLBACK (show_check), item, G_CONNECT_SWAPPED);
}

/* Of several hundred tracepoints most were never hit: the list tells which. */
static void
on_measure_bind (PvQueryBar *self, GtkListItem *item)
{
    GtkWidget *name = gtk_widget_get_first_child (gtk_list_item_get_child (item));
    GtkStringObject *string = gtk_list_item_get_item (item);
    guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (string), "measure"));
    g_autofree char *count = NULL;
    uint64_t n_samples;

    gtk_label_set_text (GTK_LABEL (name), gtk_string_object_get_string (string));
    show_check (item, NULL, self->measure_drop_down);
    if (self->profile == NULL || index >= self->profile->n_measures)
        return;
    n_samples = self->profile->sets[self->profile->measures[index].set].n_samples;
    count = pv_format_amount (n_samples, PV_UNIT_COUNT);
    gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (name)), count);
    if (n_samples > 0)
        gtk_widget_remove_css_class (name, "dim-label");
    else
        gtk_widget_add_css_class (name, "dim-label");
}

static void
init_measures (PvQueryBar *self)
{
    g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
    g_autoptr (GtkExpression) name =
        gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");

    g_signal_connect_swapped (factory, "setup", G_CALLBACK (on_measure_setup), self);
    g_signal_connect_swapped (factory, "bind", G_CALLBACK (on_measure_bind), self);
    gtk_drop_down_set_expression (self->measure_drop_down, name);
    gtk_drop_down_set_list_factory (self->measure_drop_down, factory);
}

static void
update_measures (PvQueryBar *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvProfile *profile = data->profile;
    g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

    if (profile == NULL || profile == self->profile)
        return;
    pv_clear_later (&self->profile, pv_profile_free);
    self->profile = pv_profile_ref (profile); /* the rows ask it as soon as they are made */
    for (uint32_t i = 0; i < profile->n_measures; i++) {
        g_autoptr (GObject) item = NULL;
        gtk_string_list_append (names, profile->measures[i].name);
        item = g_list_model_get_item (G_LIST_MODEL (names), i);
        g_object_set_data (item, "measure", GUINT_TO_POINTER (i));
    }
    self->is_filling = TRUE;
    gtk_drop_down_set_model (self->measure_drop_down, G_LIST_MODEL (names));
    gtk_drop_down_set_selected (self->measure_drop_down, data->query.measure);
    self->is_filling = FALSE;
    gtk_drop_down_set_enable_search (self->measure_drop_down, profile->n_measures >= SEARCH_FROM);
    gtk_widget_set_visible (GTK_WIDGET (self->measure_drop_down), profile->n_measures > 1);
    gtk_widget_set_visible (GTK_WIDGET (self->measure_label), profile->n_measures == 1);
    if (profile->n_measures == 1)
        gtk_label_set_text (self->measure_label, profile->measures[0].name);
}

static void
update_samples (PvQueryBar *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvMeasure *measure = pv_document_get_measure (self->document);
    g_autofree char *kept_text = NULL;
    g_autofree char *all_text = NULL;
    g_autofree char *text = NULL;
    uint64_t kept, all;

    if (data->tree == NULL || measure == NULL)
        return;
    kept = data->tree->n_kept_samples;
    all = data->profile->sets[measure->set].n_samples;
    kept_text = pv_format_amount (kept, PV_UNIT_COUNT);
    all_text = pv_format_amount (all, PV_UNIT_COUNT);
    if (kept == all)
        text = g_strdup_printf (g_dngettext (NULL, "%s sample", "%s samples", all), all_text);
    else
        /* Translators: so many samples of all are shown. */
        text = g_strdup_printf (_ ("%s of %s samples"), kept_text, all_text);
    gtk_label_set_text (self->samples_label, text);
}

static void
update_work (PvQueryBar *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    g_autofree char *text = NULL;

    gtk_widget_set_visible (self->work_box, data->is_working);
    if (!data->is_working)
        return;
    if (data->fraction >= 0)
        text = g_strdup_printf ("%s %d %%", pv_query_bar_get_stage_name (data->stage),
                                (int)(data->fraction * 100));
    gtk_label_set_text (self->work_label,
                        text != NULL ? text : pv_query_bar_get_stage_name (data->stage));
}

static void
on_document_changed (PvQueryBar *self, guint what)
{
    if (what & (PV_CHANGED_TREE | PV_CHANGED_STATE)) {
        update_measures (self);
        update_samples (self);
    }
    if (what & (PV_CHANGED_PROGRESS | PV_CHANGED_STATE))
        update_work (self);
}

static void
on_measure_selected (PvQueryBar *self)
{
    guint selected = gtk_drop_down_get_selected (self->measure_drop_down);

    if (!self->is_filling && self->profile != NULL && selected < self->profile->n_measures)
        pv_document_set_measure (self->document, selected);
}

void
pv_query_bar_set_document (PvQueryBar *self, PvDocument *document)
{
    g_assert (self->document == NULL);
    self->document = g_object_ref (document);
    g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (self->stop_button, "clicked", G_CALLBACK (pv_document_cancel),
                             document, G_CONNECT_SWAPPED);
    on_document_changed (self, PV_CHANGED_STATE);
}

static void
pv_query_bar_dispose (GObject *object)
{
    PvQueryBar *self = PV_QUERY_BAR (object);
    GtkWidget *child;

    while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
        gtk_widget_unparent (child);
    pv_clear_later (&self->profile, pv_profile_free);
    g_clear_object (&self->document);
    G_OBJECT_CLASS (pv_query_bar_parent_class)->dispose (object);
}

static void
pv_query_bar_class_init (PvQueryBarClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_query_bar_dispose;
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/query-bar.ui");
    gtk_widget_class_bind_template_child (widget_class, PvQueryBar, measure_drop_down);
    gtk_widget_class_bind_template_child (widget_class, PvQueryBar, measure_label);
    gtk_widget_class_bind_template_child (widget_class, PvQueryBar, chips_box);
    gtk_widget_class_bind_template_child (widget_class, PvQueryBar, work_box);
    gtk_widget_class_bind_template_child (widget_class, PvQueryBar, work_label);
    gtk_widget_class_bind_template_child (widget_class, PvQueryBar, stop_button);
    gtk_widget_class_bind_template_child (widget_class, PvQueryBar, samples_label);
    gtk_widget_class_set_css_name (widget_class, "querybar");
}

static void
pv_query_bar_init (PvQueryBar *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    init_measures (self);
    pv_accessible_name_parts (GTK_WIDGET (self->measure_drop_down), _ ("Measure"), NULL);
    g_signal_connect_swapped (self->measure_drop_down, "notify::selected",
                              G_CALLBACK (on_measure_selected), self);
}
