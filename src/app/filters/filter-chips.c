/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/filters/filter-chips.h"

#include "app/filters/filter-editor.h"
#include "app/widgets/chip.h"
#include "app/widgets/setup.h"
#include "app/work/query-text.h"

struct _PvFilterChips {
    PvView base;

    GtkBox *box;
    char *shown;       /* contents of the chips, to see changes */
    GtkWidget *editor; /* made when first needed; or NULL */
};

G_DEFINE_FINAL_TYPE (PvFilterChips, pv_filter_chips, PV_TYPE_VIEW)

static GtkWidget *
get_chip (PvFilterChips *self, uint32_t index)
{
    GtkWidget *chip = gtk_widget_get_first_child (GTK_WIDGET (self->box));

    for (uint32_t i = 0; chip != NULL && i < index; i++)
        chip = gtk_widget_get_next_sibling (chip);
    return chip;
}

static uint32_t
get_index (PvFilterChips *self, GtkWidget *chip)
{
    uint32_t index = 0;

    g_assert (gtk_widget_get_parent (chip) == GTK_WIDGET (self->box));
    while ((chip = gtk_widget_get_prev_sibling (chip)) != NULL)
        index++;
    return index;
}

/* The chip that has the focus, or UINT32_MAX. */
static uint32_t
find_focus (PvFilterChips *self)
{
    GtkWidget *child = gtk_widget_get_focus_child (GTK_WIDGET (self->box));

    return child != NULL ? get_index (self, child) : UINT32_MAX;
}

/* Actions of the user */

static void
remove_at (PvFilterChips *self, uint32_t index)
{
    uint32_t n = pv_document_get (self->base.document)->query.n_transforms;

    /* The focus stays near, also when the chip that has it goes. */
    if (n <= 1)
        gtk_widget_child_focus (gtk_widget_get_parent (GTK_WIDGET (self)), GTK_DIR_TAB_BACKWARD);
    pv_document_remove_transform (self->base.document, index);
}

static void
on_removed (PvChip *chip, PvFilterChips *self)
{
    remove_at (self, get_index (self, GTK_WIDGET (chip)));
}

static void
point_to (PvFilterChips *self, uint32_t index)
{
    GtkWidget *chip = get_chip (self, index);
    graphene_rect_t bounds;

    if (chip != NULL && gtk_widget_compute_bounds (chip, GTK_WIDGET (self), &bounds))
        gtk_popover_set_pointing_to (GTK_POPOVER (self->editor),
                                     &(GdkRectangle){(int)bounds.origin.x, (int)bounds.origin.y,
                                                     (int)bounds.size.width,
                                                     (int)bounds.size.height});
}

/* The chips may be others by now. */
static void
on_editor_closed (PvFilterChips *self)
{
    GtkWidget *chip = get_chip (self, pv_filter_editor_get_index (PV_FILTER_EDITOR (self->editor)));

    if (chip != NULL)
        gtk_widget_grab_focus (chip);
}

static void
on_edited (PvChip *chip, PvFilterChips *self)
{
    uint32_t index = get_index (self, GTK_WIDGET (chip));

    if (self->editor == NULL) {
        self->editor = pv_filter_editor_new (self->base.document);
        gtk_widget_set_parent (self->editor, GTK_WIDGET (self));
        pv_connect (self->editor, "closed", on_editor_closed, self);
    }
    point_to (self, index);
    pv_filter_editor_edit (PV_FILTER_EDITOR (self->editor), index);
}

static void
move (PvFilterChips *self, uint32_t index, uint32_t to)
{
    if (to >= pv_document_get (self->base.document)->query.n_transforms)
        return;
    gtk_widget_grab_focus (get_chip (self, to)); /* which will be this one's */
    pv_document_move_transform (self->base.document, index, to);
}

static gboolean
on_key (PvFilterChips *self, guint key, guint code, GdkModifierType state)
{
    gboolean is_rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
    guint earlier = is_rtl ? GDK_KEY_Right : GDK_KEY_Left;
    guint later = is_rtl ? GDK_KEY_Left : GDK_KEY_Right;
    gboolean has_control = (state & gtk_accelerator_get_default_mod_mask ()) == GDK_CONTROL_MASK;
    uint32_t index = find_focus (self);

    if (index == UINT32_MAX)
        return GDK_EVENT_PROPAGATE;
    if (key == GDK_KEY_Delete)
        remove_at (self, index);
    else if (has_control && key == earlier)
        move (self, index, index - 1);
    else if (has_control && key == later)
        move (self, index, index + 1);
    else
        return GDK_EVENT_PROPAGATE;
    return GDK_EVENT_STOP;
}

/* Dragging: what is dragged is the index */

static GdkContentProvider *
on_drag_prepare (GtkDragSource *source, double x, double y, PvFilterChips *self)
{
    GtkWidget *chip = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));

    return gdk_content_provider_new_typed (G_TYPE_UINT, (guint)get_index (self, chip));
}

static void
on_drag_begin (GtkDragSource *source, GdkDrag *drag, PvFilterChips *self)
{
    GtkWidget *chip = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));
    g_autoptr (GdkPaintable) picture = gtk_widget_paintable_new (chip);

    gtk_drag_source_set_icon (source, picture, 0, 0);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, PvFilterChips *self)
{
    GtkWidget *chip = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (target));

    pv_document_move_transform (self->base.document, g_value_get_uint (value),
                                get_index (self, chip));
    return TRUE;
}

static void
make_movable (PvFilterChips *self, GtkWidget *chip)
{
    GtkDragSource *source = gtk_drag_source_new ();
    GtkDropTarget *target = gtk_drop_target_new (G_TYPE_UINT, GDK_ACTION_MOVE);

    gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
    /* Before the button inside takes the press. */
    gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (source), GTK_PHASE_CAPTURE);
    g_signal_connect_object (source, "prepare", G_CALLBACK (on_drag_prepare), self, 0);
    g_signal_connect_object (source, "drag-begin", G_CALLBACK (on_drag_begin), self, 0);
    g_signal_connect_object (target, "drop", G_CALLBACK (on_drop), self, 0);
    gtk_widget_add_controller (chip, GTK_EVENT_CONTROLLER (source));
    gtk_widget_add_controller (chip, GTK_EVENT_CONTROLLER (target));
}

/* Chips of the query */

static char *
describe (const PvQuery *query)
{
    GString *all = g_string_new (NULL);

    for (uint32_t i = 0; i < query->n_transforms; i++) {
        const PvTransform *transform = &query->transforms[i];
        g_autofree char *text = pv_format_transform (transform);
        g_string_append_printf (all, "%s %d %d\n", text, transform->is_off,
                                pv_transform_gave_up (transform));
    }
    return g_string_free (all, FALSE);
}

static GtkWidget *
make_chip (PvFilterChips *self, const PvTransform *transform)
{
    g_autofree char *text = pv_format_transform (transform);
    GtkWidget *chip = pv_chip_new (text);

    pv_chip_set_editable (PV_CHIP (chip));
    if (pv_transform_gave_up (transform))
        pv_chip_set_incomplete (PV_CHIP (chip));
    pv_chip_set_off (PV_CHIP (chip), transform->is_off);
    g_signal_connect_object (chip, "removed", G_CALLBACK (on_removed), self, 0);
    g_signal_connect_object (chip, "edited", G_CALLBACK (on_edited), self, 0);
    make_movable (self, chip);
    return chip;
}

/* Unchanged chips are not made anew under the pointer. */
static void
update (PvFilterChips *self)
{
    const PvQuery *query = &pv_document_get (self->base.document)->query;
    g_autofree char *text = describe (query);
    uint32_t focus = find_focus (self);

    if (g_strcmp0 (text, self->shown) == 0)
        return;
    g_free (self->shown);
    self->shown = g_steal_pointer (&text);
    pv_remove_children (GTK_WIDGET (self->box));
    for (uint32_t i = 0; i < query->n_transforms; i++)
        gtk_box_append (self->box, make_chip (self, &query->transforms[i]));
    gtk_widget_set_visible (GTK_WIDGET (self), query->n_transforms > 0);
    if (focus != UINT32_MAX && query->n_transforms > 0)
        gtk_widget_grab_focus (get_chip (self, MIN (focus, query->n_transforms - 1)));
}

static void
pv_filter_chips_changed (PvView *view, guint what)
{
    /* A tree may show that an expression is too slow. */
    if (what & (PV_CHANGED_QUERY | PV_CHANGED_STATE | PV_CHANGED_TREE))
        update (PV_FILTER_CHIPS (view));
}

/* Object */

static void
pv_filter_chips_finalize (GObject *object)
{
    g_free (PV_FILTER_CHIPS (object)->shown);
    G_OBJECT_CLASS (pv_filter_chips_parent_class)->finalize (object);
}

static void
pv_filter_chips_class_init (PvFilterChipsClass *class)
{
    PV_VIEW_CLASS (class)->changed = pv_filter_chips_changed;
    PV_VIEW_CLASS (class)->hears_while_unmapped = TRUE;
    G_OBJECT_CLASS (class)->finalize = pv_filter_chips_finalize;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
pv_filter_chips_init (PvFilterChips *self)
{
    self->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
    gtk_widget_set_parent (GTK_WIDGET (self->box), GTK_WIDGET (self));
    gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
    pv_add_keys (GTK_WIDGET (self), GTK_PHASE_BUBBLE, on_key, self);
}
