/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/side-by-side.h"

#include "app/widgets/accessible.h"
#include "app/widgets/cut-text.h"
#include "app/widgets/focus.h"
#include "app/widgets/setup.h"

#define LEAST_WIDTH_PX 900 /* that is enough for both beside each other */
#define GAP_PX         6

typedef struct {
    GtkWidget *box; /* has all the rest */
    GtkLabel *heading;
    GtkWidget *overlay;
    GtkWidget *scroller;
    GtkLabel *message;
    GtkWidget *other;
    GtkAdjustment *adjustment; /* vertical, of the scroller */
} Half;

struct _PvSideBySide {
    GtkWidget parent;

    Half halves[PV_SIDE_BY_SIDE_N];
    gboolean is_at_bottom;
    unsigned scrolled; /* the half that the other one will follow, */
    guint follow_id;   /* if there is this */
    guint fit_id;
    gboolean follows;
};

G_DEFINE_FINAL_TYPE (PvSideBySide, pv_side_by_side, GTK_TYPE_WIDGET)

/* Scrolling */

/* The distance between what is in view and what is farthest below it. */
static double
get_rest (GtkAdjustment *adjustment)
{
    return gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment) -
           gtk_adjustment_get_value (adjustment);
}

static gboolean
follow (gpointer user)
{
    PvSideBySide *self = user;
    GtkAdjustment *from = self->halves[self->scrolled].adjustment;
    GtkAdjustment *to = self->halves[1 - self->scrolled].adjustment;
    double value = gtk_adjustment_get_value (from);

    if (self->is_at_bottom)
        value = gtk_adjustment_get_value (to) + get_rest (to) - get_rest (from);
    self->follow_id = 0;
    self->follows = TRUE;
    gtk_adjustment_set_value (to, value);
    self->follows = FALSE;
    return G_SOURCE_REMOVE;
}

/* The signal may come within an allocation, in which nothing else can scroll. */
static void
on_scrolled (GtkAdjustment *adjustment, PvSideBySide *self)
{
    if (self->follows || self->halves[0].box == NULL || self->halves[1].box == NULL)
        return;
    self->scrolled = adjustment == self->halves[1].adjustment;
    if (self->follow_id == 0)
        self->follow_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, follow, self, NULL);
}

/* Both have a scroll bar if one of them needs it, so that they stay equally wide. */
static gboolean
fit_bars (gpointer user)
{
    PvSideBySide *self = user;

    self->fit_id = 0;
    for (unsigned i = 0; i < PV_SIDE_BY_SIDE_N; i++) {
        GtkAdjustment *other = self->halves[1 - i].adjustment;
        gboolean is_needed =
            gtk_adjustment_get_upper (other) > gtk_adjustment_get_page_size (other) + 0.5;
        gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->halves[i].scroller),
                                        GTK_POLICY_NEVER,
                                        is_needed ? GTK_POLICY_ALWAYS : GTK_POLICY_AUTOMATIC);
    }
    return G_SOURCE_REMOVE;
}

static void
on_room_changed (PvSideBySide *self)
{
    if (self->fit_id == 0 && self->halves[0].box != NULL && self->halves[1].box != NULL)
        self->fit_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit_bars, self, NULL);
}

/* Parts */

void
pv_side_by_side_set_picture (PvSideBySide *self, unsigned index, GtkWidget *picture,
                             GtkWidget *other)
{
    Half *half = &self->halves[index];

    g_assert (index < PV_SIDE_BY_SIDE_N && half->box == NULL && GTK_IS_SCROLLABLE (picture));
    half->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    half->heading = GTK_LABEL (gtk_label_new (NULL));
    gtk_label_set_ellipsize (half->heading, PANGO_ELLIPSIZE_MIDDLE);
    gtk_label_set_xalign (half->heading, 0);
    gtk_widget_add_css_class (GTK_WIDGET (half->heading), "pv-side-heading");
    pv_label_show_cut_text (half->heading);
    half->scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "accessible-role",
                                   GTK_ACCESSIBLE_ROLE_GROUP, "hscrollbar-policy", GTK_POLICY_NEVER,
                                   "overlay-scrolling", FALSE, "vexpand", TRUE, NULL);
    gtk_widget_add_css_class (half->scroller, "pv-picture");
    gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (half->scroller), picture);
    half->adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (half->scroller));
    g_signal_connect_object (half->adjustment, "value-changed", G_CALLBACK (on_scrolled), self, 0);
    pv_connect (half->adjustment, "changed", on_room_changed, self);
    half->message = g_object_new (GTK_TYPE_LABEL, "halign", GTK_ALIGN_CENTER, "valign",
                                  GTK_ALIGN_CENTER, "visible", FALSE, "wrap", TRUE, NULL);
    gtk_widget_add_css_class (GTK_WIDGET (half->message), "title-2");
    gtk_widget_add_css_class (GTK_WIDGET (half->message), "dim-label");
    half->overlay = gtk_overlay_new ();
    gtk_overlay_set_child (GTK_OVERLAY (half->overlay), half->scroller);
    gtk_overlay_add_overlay (GTK_OVERLAY (half->overlay), GTK_WIDGET (half->message));
    half->other = other;
    gtk_box_append (GTK_BOX (half->box), GTK_WIDGET (half->heading));
    gtk_box_append (GTK_BOX (half->box), half->overlay);
    gtk_box_append (GTK_BOX (half->box), other);
    gtk_widget_set_parent (half->box, GTK_WIDGET (self));
}

void
pv_side_by_side_set_texts (PvSideBySide *self, unsigned index, const char *heading,
                           const char *message)
{
    Half *half = &self->halves[index];

    g_assert (index < PV_SIDE_BY_SIDE_N && half->box != NULL && heading != NULL);
    gtk_label_set_text (half->heading, heading);
    pv_accessible_set_name (half->scroller, heading);
    gtk_label_set_text (half->message, message != NULL ? message : "");
    gtk_widget_set_visible (GTK_WIDGET (half->message), message != NULL);
}

void
pv_side_by_side_set_root_at_bottom (PvSideBySide *self, gboolean is_at_bottom)
{
    self->is_at_bottom = is_at_bottom;
    for (unsigned i = 0; i < PV_SIDE_BY_SIDE_N; i++) {
        Half *half = &self->halves[i];
        g_assert (half->box != NULL);
        gtk_box_reorder_child_after (GTK_BOX (half->box), half->other,
                                     is_at_bottom ? GTK_WIDGET (half->heading) : half->overlay);
    }
}

/* Object */

static GtkSizeRequestMode
pv_side_by_side_get_request_mode (GtkWidget *widget)
{
    return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

/* Both fit one above the other. */
static void
pv_side_by_side_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
    PvSideBySide *self = PV_SIDE_BY_SIDE (widget);
    gboolean is_vertical = orientation == GTK_ORIENTATION_VERTICAL;

    *minimum = *natural = is_vertical ? GAP_PX : 0;
    for (unsigned i = 0; i < PV_SIDE_BY_SIDE_N; i++) {
        int least = 0, wanted = 0;
        if (self->halves[i].box != NULL)
            gtk_widget_measure (self->halves[i].box, orientation, -1, &least, &wanted, NULL, NULL);
        *minimum = is_vertical ? *minimum + least : MAX (*minimum, least);
        *natural = is_vertical ? *natural + wanted : MAX (*natural, wanted);
    }
}

static void
pv_side_by_side_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvSideBySide *self = PV_SIDE_BY_SIDE (widget);
    gboolean is_wide = width >= LEAST_WIDTH_PX;
    int first = ((is_wide ? width : height) - GAP_PX) / 2;
    GtkAllocation boxes[PV_SIDE_BY_SIDE_N] = {{0, 0, width, first},
                                              {0, first + GAP_PX, width, height - first - GAP_PX}};

    if (is_wide) {
        boxes[0] = (GtkAllocation){0, 0, first, height};
        boxes[1] = (GtkAllocation){first + GAP_PX, 0, width - first - GAP_PX, height};
    }
    for (unsigned i = 0; i < PV_SIDE_BY_SIDE_N; i++)
        if (self->halves[i].box != NULL)
            gtk_widget_size_allocate (self->halves[i].box, &boxes[i], -1);
}

static void
pv_side_by_side_dispose (GObject *object)
{
    PvSideBySide *self = PV_SIDE_BY_SIDE (object);

    g_clear_handle_id (&self->follow_id, g_source_remove);
    g_clear_handle_id (&self->fit_id, g_source_remove);
    for (unsigned i = 0; i < PV_SIDE_BY_SIDE_N; i++) {
        g_clear_pointer (&self->halves[i].box, gtk_widget_unparent);
        self->halves[i].adjustment = NULL;
    }
    G_OBJECT_CLASS (pv_side_by_side_parent_class)->dispose (object);
}

static void
pv_side_by_side_class_init (PvSideBySideClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_side_by_side_dispose;
    widget_class->get_request_mode = pv_side_by_side_get_request_mode;
    widget_class->measure = pv_side_by_side_measure;
    widget_class->size_allocate = pv_side_by_side_size_allocate;
    widget_class->focus = pv_focus_children;
    gtk_widget_class_set_css_name (widget_class, "sidebyside");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
pv_side_by_side_init (PvSideBySide *self)
{
    gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}
