/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/filters/filter-editor.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/setup.h"
#include "app/work/query-text.h"

struct _PvFilterEditor {
    GtkPopover parent;

    PvDocument *document;
    uint32_t index;      /* of the transform */
    gboolean is_filling; /* the widgets are being set: the user does nothing */
    GtkDropDown *kind_drop_down;
    GtkLabel *title_label;
    GtkWidget *earlier_button;
    GtkWidget *later_button;
    GtkCheckButton *on_button;
    GtkEntry *entry;
    GtkWidget *answer_box;
    GtkLabel *answer_label; /* how many functions the expression matches, or why it is not valid */
    PvTask *task;
};

G_DEFINE_FINAL_TYPE (PvFilterEditor, pv_filter_editor, GTK_TYPE_POPOVER)

/* The position of a kind in the drop-down, which lists those that have a title. */
static guint
find_position (PvTransformKind kind)
{
    guint position = 0;

    for (PvTransformKind k = 0; k < kind; k++)
        position += pv_transforms[k].title != NULL;
    return position;
}

/* NULL: it is gone by now. */
static const PvTransform *
get_transform (PvFilterEditor *self)
{
    const PvQuery *query = &pv_document_get (self->document)->query;

    return self->index < query->n_transforms ? &query->transforms[self->index] : NULL;
}

static PvTransformKind
get_kind (PvFilterEditor *self)
{
    guint selected = gtk_drop_down_get_selected (self->kind_drop_down);
    PvTransformKind kind = 0;

    while (kind + 1 < PV_N_TRANSFORMS &&
           (pv_transforms[kind].title == NULL || find_position (kind) != selected))
        kind++;
    return kind;
}

/* NULL: none, and the kind needs none. */
static const char *
get_expression (PvFilterEditor *self)
{
    const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));

    return *text != '\0' || pv_transforms[get_kind (self)].must_have_expression ? text : NULL;
}

/* Matches of the expression */

static void
show_answer (PvFilterEditor *self, const char *text, const char *class)
{
    const char *const classes[] = {class, NULL};

    gtk_label_set_text (self->answer_label, text);
    gtk_widget_set_css_classes (GTK_WIDGET (self->answer_label), (const char **)classes);
    pv_accessible_describe (GTK_WIDGET (self->entry), text);
}

static char *
describe_count (PvFilterEditor *self, const PvMatchCount *count)
{
    unsigned n = count->n_matches;

    if (count->gave_up)
        return g_strdup (_ ("The regular expression takes too long"));
    if (get_kind (self) == PV_TRANSFORM_MERGE_MODULE)
        return g_strdup_printf (g_dngettext (NULL, "Matches %u module", "Matches %u modules", n),
                                n);
    return g_strdup_printf (g_dngettext (NULL, "Matches %u function", "Matches %u functions", n),
                            n);
}

static void
on_count (gpointer owner, gpointer result, const GError *error)
{
    PvFilterEditor *self = owner;
    g_autofree PvMatchCount *count = result;
    g_autofree char *text = NULL;

    gtk_widget_action_set_enabled (GTK_WIDGET (self), "editor.apply", count != NULL);
    if (count == NULL) {
        show_answer (self, error->message, "error");
        return;
    }
    text = describe_count (self, count);
    show_answer (self, text, count->gave_up || count->n_matches == 0 ? "warning" : "dim-label");
}

static void
count_matches (PvFilterEditor *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const char *expression = get_expression (self);
    gboolean is_missing = expression != NULL && *expression == '\0';
    PvMatchInput *input;

    if (self->is_filling || data->answer->profile == NULL)
        return;
    /* Translators: in an empty entry: without an expression, the program decides by itself. */
    gtk_entry_set_placeholder_text (self->entry, expression == NULL ? _ ("Default rule") : NULL);
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "editor.apply", !is_missing);
    if (is_missing) {
        pv_task_cancel (self->task);
        show_answer (self, "", "dim-label");
        return;
    }
    input = g_new0 (PvMatchInput, 1);
    input->answer = pv_answer_ref (data->answer);
    input->kind = get_kind (self);
    input->expression = g_strdup (expression);
    pv_task_start (self->task, input);
}

/* Actions of the user */

static void
apply (PvFilterEditor *self)
{
    pv_document_edit_transform (self->document, self->index, get_kind (self),
                                get_expression (self));
    gtk_popover_popdown (GTK_POPOVER (self));
}

/* Does nothing while the action is not enabled. */
static void
on_entry_activated (PvFilterEditor *self)
{
    gtk_widget_activate_action (GTK_WIDGET (self), "editor.apply", NULL);
}

static void
move (PvFilterEditor *self, int step)
{
    uint32_t to = self->index + (uint32_t)step;

    if (to >= pv_document_get (self->document)->query.n_transforms)
        return;
    self->index = to; /* the popover stays with it */
    pv_document_move_transform (self->document, to - (uint32_t)step, to);
}

static void
move_earlier (PvFilterEditor *self)
{
    move (self, -1);
}

static void
move_later (PvFilterEditor *self)
{
    move (self, 1);
}

static void
on_toggled (PvFilterEditor *self)
{
    if (!self->is_filling)
        pv_document_switch_transform (self->document, self->index,
                                      gtk_check_button_get_active (self->on_button));
}

/* Changes of the query */

static void
update_places (PvFilterEditor *self)
{
    uint32_t n = pv_document_get (self->document)->query.n_transforms;

    gtk_widget_set_visible (self->earlier_button, n > 1);
    gtk_widget_set_visible (self->later_button, n > 1);
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "editor.earlier", self->index > 0);
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "editor.later", self->index + 1 < n);
}

static void
on_document_changed (PvFilterEditor *self, guint what)
{
    const PvTransform *transform;

    if (!(what & PV_CHANGED_QUERY) || !gtk_widget_get_visible (GTK_WIDGET (self)))
        return;
    transform = get_transform (self);
    if (transform == NULL) {
        gtk_popover_popdown (GTK_POPOVER (self));
        return;
    }
    self->is_filling = TRUE;
    gtk_check_button_set_active (self->on_button, !transform->is_off);
    self->is_filling = FALSE;
    update_places (self);
}

static void
fill (PvFilterEditor *self, const PvTransform *transform)
{
    gboolean is_editable = pv_transforms[transform->kind].title != NULL;
    const char *expression = transform->expression != NULL ? transform->expression : "";
    g_autofree char *title = is_editable ? NULL : pv_format_transform (transform);

    self->is_filling = TRUE;
    gtk_widget_set_visible (GTK_WIDGET (self->kind_drop_down), is_editable);
    gtk_widget_set_visible (GTK_WIDGET (self->entry), is_editable);
    gtk_widget_set_visible (self->answer_box, is_editable);
    gtk_widget_set_visible (GTK_WIDGET (self->title_label), !is_editable);
    gtk_label_set_text (self->title_label, title != NULL ? title : "");
    if (is_editable) {
        gtk_drop_down_set_selected (self->kind_drop_down, find_position (transform->kind));
        gtk_editable_set_text (GTK_EDITABLE (self->entry), expression);
    }
    gtk_check_button_set_active (self->on_button, !transform->is_off);
    self->is_filling = FALSE;
    show_answer (self, "", "dim-label");
    if (is_editable)
        count_matches (self);
}

void
pv_filter_editor_edit (PvFilterEditor *self, uint32_t index)
{
    const PvTransform *transform;

    g_assert (PV_IS_FILTER_EDITOR (self));
    self->index = index;
    transform = get_transform (self);
    if (transform == NULL)
        return;
    fill (self, transform);
    update_places (self);
    gtk_popover_popup (GTK_POPOVER (self));
    gtk_widget_grab_focus (gtk_widget_get_visible (GTK_WIDGET (self->entry))
                               ? GTK_WIDGET (self->entry)
                               : GTK_WIDGET (self->on_button));
}

uint32_t
pv_filter_editor_get_index (PvFilterEditor *self)
{
    g_assert (PV_IS_FILTER_EDITOR (self));
    return self->index;
}

/* Object */

static void
pv_filter_editor_dispose (GObject *object)
{
    PvFilterEditor *self = PV_FILTER_EDITOR (object);

    g_clear_pointer (&self->task, pv_task_close);
    g_clear_object (&self->document);
    G_OBJECT_CLASS (pv_filter_editor_parent_class)->dispose (object);
}

static void
pv_filter_editor_class_init (PvFilterEditorClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_filter_editor_dispose;
    pv_class_add_action (widget_class, "editor.apply", NULL, apply);
    pv_class_add_action (widget_class, "editor.earlier", NULL, move_earlier);
    pv_class_add_action (widget_class, "editor.later", NULL, move_later);
    PV_SET_TEMPLATE (widget_class, "filter-editor");
    PV_BIND_CHILDREN (widget_class, PvFilterEditor, kind_drop_down, title_label, earlier_button,
                      later_button, on_button, entry, answer_box, answer_label);
}

static void
pv_filter_editor_init (PvFilterEditor *self)
{
    GtkStringList *titles = gtk_string_list_new (NULL);

    gtk_widget_init_template (GTK_WIDGET (self));
    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++)
        if (pv_transforms[kind].title != NULL)
            gtk_string_list_append (
                titles, g_dpgettext2 (GETTEXT_PACKAGE, "transform", pv_transforms[kind].title));
    gtk_drop_down_set_model (self->kind_drop_down, G_LIST_MODEL (titles));
    g_object_unref (titles);
    self->task = pv_match_task_new (self, on_count);
    pv_accessible_name_parts (GTK_WIDGET (self->kind_drop_down), _ ("Kind of filter"), NULL);
    pv_accessible_set_name (self->earlier_button, _ ("Apply Earlier"));
    pv_accessible_set_name (self->later_button, _ ("Apply Later"));
    pv_connect (self->kind_drop_down, "notify::selected", count_matches, self);
    pv_connect (self->entry, "changed", count_matches, self);
    pv_connect (self->on_button, "notify::active", on_toggled, self);
    pv_connect (self->entry, "activate", on_entry_activated, self);
}

GtkWidget *
pv_filter_editor_new (PvDocument *document)
{
    PvFilterEditor *self = g_object_new (PV_TYPE_FILTER_EDITOR, NULL);

    g_assert (PV_IS_DOCUMENT (document));
    self->document = g_object_ref (document);
    pv_connect (document, "changed", on_document_changed, self);
    return GTK_WIDGET (self);
}
