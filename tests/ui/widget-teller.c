/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A module of GIO's that profview loads in the tests of its window, and that tells them of its
 * widgets, over the socket whose number is in PV_WIDGETS_SOCKET. It says in a millisecond, and
 * alike in each version of GTK, what takes a screen reader hundreds of calls. Each line that comes
 * is a question:
 *
 *   tree NUMBER         a widget and all that is visible below it, parents first and in order, each
 *                       in a line: its depth, number, role (as GtkAccessibleRole calls it, and
 *                       scroll-pane, which has none of its own), states
 *                       (letters, see print_states ()), place in its surface (x, y, width and
 *                       height; 0 where it is not shown), id (see print_id ()), and name, with tabs
 *                       between. 0 is the program, whose children are its windows.
 *   box NUMBER          a widget's place: "X Y WIDTH HEIGHT"
 *   text NUMBER         the text that can be edited in it
 *   description NUMBER  its description for screen readers
 *   least NUMBER        the least width that it needs
 *   press NUMBER X Y    rests a finger on a place of it
 *   pinch NUMBER SCALE  spreads two fingers on it
 *   rest                nothing, once each window has had another frame and the program has nothing
 *                       left to do
 *
 * X servers have no fingers to synthesize, and GTK makes no events of touch for programs: the
 * widget's own gestures get the signal that follows such events. Nothing is answered if it has no
 * such gesture.
 *
 * The answer ends with an empty line. Backslashes, control characters and what is not ASCII are
 * escaped. The names are those that screen readers are told; where there is none, it is the text of
 * the labels within.
 */
#include <fcntl.h>
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void g_io_module_load (GIOModule *module);
void g_io_module_unload (GIOModule *module);
char **g_io_module_query (void);

#define PREFIX "Pv" /* of the types that are ours */

static GHashTable *widgets; /* number -> GWeakRef; of all that were told of */
static GQuark number_quark;

/* --- numbers ---------------------------------------------------------------------------------- */

static void
free_reference (gpointer reference)
{
    g_weak_ref_clear (reference);
    g_free (reference);
}

static guint
number_of (GtkWidget *widget)
{
    static guint last;
    guint number = GPOINTER_TO_UINT (g_object_get_qdata (G_OBJECT (widget), number_quark));

    if (number == 0) {
        GWeakRef *reference = g_new (GWeakRef, 1);
        number = ++last;
        g_weak_ref_init (reference, widget);
        g_object_set_qdata (G_OBJECT (widget), number_quark, GUINT_TO_POINTER (number));
        g_hash_table_insert (widgets, GUINT_TO_POINTER (number), reference);
    }
    return number;
}

/* NULL: it has gone. Owned by the caller. */
static GtkWidget *
find_widget (guint number)
{
    GWeakRef *reference = g_hash_table_lookup (widgets, GUINT_TO_POINTER (number));

    return reference != NULL ? g_weak_ref_get (reference) : NULL;
}

/* --- names ------------------------------------------------------------------------------------ */

/* The value of a property, as a test that fails says it. NULL: it has none. */
static char *
get_property (GtkWidget *widget, GtkAccessibleProperty property)
{
    GtkAccessible *accessible = GTK_ACCESSIBLE (widget);

    return gtk_test_accessible_has_property (accessible, property)
               ? gtk_test_accessible_check_property (accessible, property, "\1")
               : NULL;
}

static void
add_name (GString *all, const char *name)
{
    if (name == NULL || *name == '\0')
        return;
    if (all->len > 0)
        g_string_append_c (all, ' ');
    g_string_append (all, name);
}

/* GTK says the relation as types and addresses: "GtkLabel<0x…> GtkLabel<0x…>". */
static void
add_labels (GString *name, GtkWidget *widget)
{
    g_autofree char *relation = NULL;

    if (!gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget),
                                           GTK_ACCESSIBLE_RELATION_LABELLED_BY))
        return;
    relation = gtk_test_accessible_check_relation (GTK_ACCESSIBLE (widget),
                                                   GTK_ACCESSIBLE_RELATION_LABELLED_BY, NULL, NULL);
    for (const char *at = relation; at != NULL && (at = strstr (at, "<0x")) != NULL; at++) {
        gpointer label = (gpointer)(gsize)g_ascii_strtoull (at + 1, NULL, 16);
        g_autofree char *text = get_property (GTK_WIDGET (label), GTK_ACCESSIBLE_PROPERTY_LABEL);
        add_name (name, text);
    }
}

static void
add_texts (GString *name, GtkWidget *parent)
{
    for (GtkWidget *child = gtk_widget_get_first_child (parent); child != NULL;
         child = gtk_widget_get_next_sibling (child)) {
        if (!gtk_widget_get_visible (child) || GTK_IS_NATIVE (child))
            continue;
        if (GTK_IS_LABEL (child))
            add_name (name, gtk_label_get_text (GTK_LABEL (child)));
        else
            add_texts (name, child);
    }
}

static gboolean
is_named_by_texts (GtkWidget *widget)
{
    switch ((int)gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget))) {
    case GTK_ACCESSIBLE_ROLE_BUTTON:
    case GTK_ACCESSIBLE_ROLE_CHECKBOX:
    case GTK_ACCESSIBLE_ROLE_LINK:
    case GTK_ACCESSIBLE_ROLE_MENU_ITEM:
    case GTK_ACCESSIBLE_ROLE_MENU_ITEM_CHECKBOX:
    case GTK_ACCESSIBLE_ROLE_MENU_ITEM_RADIO:
    case GTK_ACCESSIBLE_ROLE_RADIO:
    case GTK_ACCESSIBLE_ROLE_TAB:
        return TRUE;
    default:
        return FALSE;
    }
}

static char *
name_of (GtkWidget *widget)
{
    g_autoptr (GString) name = g_string_new (NULL);
    g_autofree char *label = get_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL);

    if (GTK_IS_WINDOW (widget) && label == NULL)
        add_name (name, gtk_window_get_title (GTK_WINDOW (widget)));
    else if (GTK_IS_LABEL (widget))
        add_name (name, gtk_label_get_text (GTK_LABEL (widget)));
    else
        add_name (name, label);
    if (!GTK_IS_LABEL (widget))
        add_labels (name, widget);
    /* GTK 4.18 tells readers that the button within has the same name, but has no relation for it.
     */
    if (name->len == 0 && GTK_IS_TOGGLE_BUTTON (widget) &&
        GTK_IS_MENU_BUTTON (gtk_widget_get_parent (widget)))
        return name_of (gtk_widget_get_parent (widget));
    if (name->len == 0 && is_named_by_texts (widget))
        add_texts (name, widget);
    return g_string_free (g_steal_pointer (&name), FALSE);
}

/* --- places and states ------------------------------------------------------------------------ */

/* Within the surface of the window; of what is in a popover, within that of its window. */
static graphene_rect_t
place_of (GtkWidget *widget)
{
    graphene_rect_t place = GRAPHENE_RECT_INIT (0, 0, 0, 0);
    GtkNative *native = gtk_widget_get_native (widget);
    double dx, dy;

    if (!gtk_widget_get_mapped (widget) || native == NULL ||
        !gtk_widget_compute_bounds (widget, GTK_WIDGET (native), &place))
        return GRAPHENE_RECT_INIT (0, 0, 0, 0);
    /* The bounds are those of the border, if it has any. */
    graphene_point_t corner = {0, 0};
    if (gtk_widget_compute_point (widget, GTK_WIDGET (native), &corner, &corner))
        place = GRAPHENE_RECT_INIT (corner.x, corner.y, (float)gtk_widget_get_width (widget),
                                    (float)gtk_widget_get_height (widget));
    for (;;) {
        GdkSurface *surface = gtk_native_get_surface (native);
        gtk_native_get_surface_transform (native, &dx, &dy);
        place.origin.x += (float)dx;
        place.origin.y += (float)dy;
        if (!GDK_IS_POPUP (surface))
            return place;
        place.origin.x += (float)gdk_popup_get_position_x (GDK_POPUP (surface));
        place.origin.y += (float)gdk_popup_get_position_y (GDK_POPUP (surface));
        native = gtk_widget_get_native (gtk_widget_get_parent (GTK_WIDGET (native)));
        gtk_native_get_surface_transform (native, &dx, &dy);
        place.origin.x -= (float)dx;
        place.origin.y -= (float)dy;
    }
}

static void
print_place (GString *answer, GtkWidget *widget)
{
    graphene_rect_t place = place_of (widget);

    g_string_append_printf (answer, "%d %d %d %d", (int)floorf (place.origin.x),
                            (int)floorf (place.origin.y), (int)place.size.width,
                            (int)place.size.height);
}

static gboolean
has_focus (GtkWidget *widget)
{
    GtkEditable *inner =
        GTK_IS_EDITABLE (widget) ? gtk_editable_get_delegate (GTK_EDITABLE (widget)) : NULL;

    return gtk_widget_has_focus (widget) ||
           (inner != NULL && gtk_widget_has_focus (GTK_WIDGET (inner)));
}

static gboolean
has_state (GtkWidget *widget, GtkAccessibleState state, int value)
{
    GtkAccessible *accessible = GTK_ACCESSIBLE (widget);
    g_autofree char *difference = NULL;

    if (!gtk_test_accessible_has_state (accessible, state))
        return FALSE;
    difference = gtk_test_accessible_check_state (accessible, state, value);
    return difference == NULL;
}

static gboolean
has_ellipsis (const GskRenderNode *text)
{
    PangoAnalysis analysis = {.font = gsk_text_node_get_font (text)};
    PangoGlyphString *ellipsis = pango_glyph_string_new ();
    const PangoGlyphInfo *glyphs;
    gboolean found = FALSE;
    guint n = 0;

    pango_shape ("…", -1, &analysis, ellipsis);
    glyphs = gsk_text_node_get_glyphs (text, &n);
    for (guint i = 0; i < n && ellipsis->num_glyphs == 1; i++)
        found = found || glyphs[i].glyph == ellipsis->glyphs[0].glyph;
    pango_glyph_string_free (ellipsis);
    return found;
}

/* node may be NULL. Looks into the nodes that cells are made of. */
static gboolean
draws_ellipsis (const GskRenderNode *node)
{
    gboolean found = FALSE;

    switch (node != NULL ? gsk_render_node_get_node_type (node) : GSK_NOT_A_RENDER_NODE) {
    case GSK_CONTAINER_NODE:
        for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
            found = found || draws_ellipsis (gsk_container_node_get_child (node, i));
        return found;
    case GSK_TRANSFORM_NODE:
        return draws_ellipsis (gsk_transform_node_get_child (node));
    case GSK_CLIP_NODE:
        return draws_ellipsis (gsk_clip_node_get_child (node));
    case GSK_TEXT_NODE:
        return has_ellipsis (node);
    default:
        return FALSE;
    }
}

/* True if a text has not the room that it needs. Cells of ours draw their texts themselves. */
static gboolean
is_cut (GtkWidget *widget)
{
    gboolean is_cell =
        g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), PREFIX) &&
        gtk_widget_get_first_child (widget) == NULL &&
        gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)) == GTK_ACCESSIBLE_ROLE_LABEL;
    GtkSnapshot *snapshot;
    GskRenderNode *node;
    gboolean found;

    if (GTK_IS_LABEL (widget))
        return pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget)));
    if (!is_cell)
        return FALSE;
    snapshot = gtk_snapshot_new ();
    GTK_WIDGET_GET_CLASS (widget)->snapshot (widget, snapshot);
    node = gtk_snapshot_free_to_node (snapshot);
    found = draws_ellipsis (node);
    g_clear_pointer (&node, gsk_render_node_unref);
    return found;
}

static void
print_states (GString *answer, GtkWidget *widget)
{
    const struct {
        char letter;
        gboolean is_so;
    } states[] = {
        {'a', GTK_IS_WINDOW (widget) && gtk_window_is_active (GTK_WINDOW (widget))},
        {'c', has_state (widget, GTK_ACCESSIBLE_STATE_CHECKED, GTK_ACCESSIBLE_TRISTATE_TRUE)},
        {'e', has_state (widget, GTK_ACCESSIBLE_STATE_EXPANDED, TRUE)},
        {'f', gtk_widget_get_focusable (widget)},
        {'F', has_focus (widget)},
        {'m', gtk_widget_get_mapped (widget)},
        {'p', has_state (widget, GTK_ACCESSIBLE_STATE_PRESSED, GTK_ACCESSIBLE_TRISTATE_TRUE)},
        {'s', has_state (widget, GTK_ACCESSIBLE_STATE_SELECTED, TRUE)},
        {'S', gtk_widget_is_sensitive (widget)},
        {'x', gtk_widget_get_mapped (widget) && is_cut (widget)},
    };

    for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
        if (states[i].is_so)
            g_string_append_c (answer, states[i].letter);
}

/* --- the tree --------------------------------------------------------------------------------- */

static void
print_escaped (GString *answer, const char *text)
{
    g_autofree char *escaped = g_strescape (text != NULL ? text : "", NULL);

    g_string_append (answer, escaped);
}

/* "QueryBar.filters_button": the id in a template, and the widget of ours that it is in, whose type
 * is owner. Others have none. */
static void
print_id (GString *answer, GtkWidget *widget, const char *owner)
{
    const char *id = gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget));

    if (id != NULL && owner != NULL && !g_str_has_prefix (id, "___object_"))
        g_string_append_printf (answer, "%s.%s", owner + strlen (PREFIX), id);
}

/* owner: the type of the next widget around it that is ours. */
static void
print_widget (GString *answer, GtkWidget *widget, guint depth, const char *owner)
{
    g_autofree char *name = name_of (widget);
    g_autoptr (GEnumClass) roles = g_type_class_ref (GTK_TYPE_ACCESSIBLE_ROLE);
    const GEnumValue *role =
        g_enum_get_value (roles, (int)gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)));

    g_string_append_printf (answer, "%u\t%u\t%s\t", depth, number_of (widget),
                            GTK_IS_SCROLLED_WINDOW (widget) ? "scroll-pane" : role->value_nick);
    print_states (answer, widget);
    g_string_append_c (answer, '\t');
    print_place (answer, widget);
    g_string_append_c (answer, '\t');
    print_id (answer, widget, owner);
    g_string_append_c (answer, '\t');
    print_escaped (answer, name);
    g_string_append_c (answer, '\n');
    if (g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), PREFIX))
        owner = G_OBJECT_TYPE_NAME (widget);
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
         child = gtk_widget_get_next_sibling (child))
        if (gtk_widget_get_visible (child))
            print_widget (answer, child, depth + 1, owner);
}

static const char *
find_owner (GtkWidget *widget)
{
    do
        widget = gtk_widget_get_parent (widget);
    while (widget != NULL && !g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), PREFIX));
    return widget != NULL ? G_OBJECT_TYPE_NAME (widget) : NULL;
}

static void
print_program (GString *answer)
{
    GListModel *windows = gtk_window_get_toplevels ();

    g_string_append_printf (answer, "0\t0\tapplication\t\t0 0 0 0\t\t%s\n", g_get_prgname ());
    for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
        g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
        if (gtk_widget_get_visible (window))
            print_widget (answer, window, 1, NULL);
    }
}

static void
print_text (GString *answer, GtkWidget *widget)
{
    if (GTK_IS_EDITABLE (widget)) {
        print_escaped (answer, gtk_editable_get_text (GTK_EDITABLE (widget)));
    } else if (GTK_IS_TEXT_VIEW (widget)) {
        GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (widget));
        g_autofree char *text = NULL;
        g_object_get (buffer, "text", &text, NULL);
        print_escaped (answer, text);
    } else if (GTK_IS_LABEL (widget)) {
        print_escaped (answer, gtk_label_get_text (GTK_LABEL (widget)));
    }
    g_string_append_c (answer, '\n');
}

/* --- touch ------------------------------------------------------------------------------------ */

/* The widget's own gesture of a type, or NULL; not that for a mouse, which is of the same type. */
static GtkGesture *
find_gesture (GtkWidget *widget, GType type)
{
    g_autoptr (GListModel) all = gtk_widget_observe_controllers (widget);

    for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
        g_autoptr (GtkEventController) controller = g_list_model_get_item (all, i);
        if (G_TYPE_CHECK_INSTANCE_TYPE (controller, type) &&
            (!GTK_IS_GESTURE_SINGLE (controller) ||
             gtk_gesture_single_get_touch_only (GTK_GESTURE_SINGLE (controller))))
            return GTK_GESTURE (controller);
    }
    return NULL;
}

static void
press (GString *answer, GtkWidget *widget, double x, double y)
{
    GtkGesture *gesture = find_gesture (widget, GTK_TYPE_GESTURE_LONG_PRESS);

    if (gesture == NULL)
        return;
    g_signal_emit_by_name (gesture, "pressed", x, y);
    g_string_append (answer, "pressed\n");
}

static void
pinch (GString *answer, GtkWidget *widget, double scale)
{
    GtkGesture *gesture = find_gesture (widget, GTK_TYPE_GESTURE_ZOOM);

    if (gesture == NULL)
        return;
    g_signal_emit_by_name (gesture, "scale-changed", scale);
    g_string_append (answer, "pinched\n");
}

/* --- questions -------------------------------------------------------------------------------- */

static void
answer_question (GString *answer, const char *question)
{
    g_auto (GStrv) words = g_strsplit (question, " ", -1);
    guint n_words = g_strv_length (words);
    guint number = (guint)g_ascii_strtoull (words[1], NULL, 10);
    g_autoptr (GtkWidget) widget = number != 0 ? find_widget (number) : NULL;

    if (number == 0 && gtk_is_initialized ()) {
        print_program (answer);
    } else if (widget != NULL && g_str_equal (words[0], "tree")) {
        print_widget (answer, widget, 0, find_owner (widget));
    } else if (widget != NULL && g_str_equal (words[0], "box")) {
        print_place (answer, widget);
        g_string_append_c (answer, '\n');
    } else if (widget != NULL && g_str_equal (words[0], "text")) {
        print_text (answer, widget);
    } else if (widget != NULL && g_str_equal (words[0], "description")) {
        g_autofree char *text = get_property (widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
        print_escaped (answer, text);
        g_string_append_c (answer, '\n');
    } else if (widget != NULL && g_str_equal (words[0], "least")) {
        int least;
        gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
        g_string_append_printf (answer, "%d\n", least);
    } else if (widget != NULL && n_words == 4 && g_str_equal (words[0], "press")) {
        press (answer, widget, g_ascii_strtod (words[2], NULL), g_ascii_strtod (words[3], NULL));
    } else if (widget != NULL && n_words == 3 && g_str_equal (words[0], "pinch")) {
        pinch (answer, widget, g_ascii_strtod (words[2], NULL));
    }
    g_string_append_c (answer, '\n');
}

static gboolean
write_all (int fd, const char *bytes, gsize n)
{
    while (n > 0) {
        gssize written = write (fd, bytes, n);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return FALSE;
        bytes += written;
        n -= (gsize)written;
    }
    return TRUE;
}

/* --- rest ------------------------------------------------------------------------------------- */

enum { MAX_FRAME_MS = 1000 }; /* windows that are covered may have none */

static struct {
    int fd;
    guint n_frames; /* that are waited for */
    guint source;   /* what ends the wait */
} rest;

static gboolean
tell_rest (gpointer unused)
{
    rest.source = 0;
    rest.n_frames = 0;
    write_all (rest.fd, "\n", 1);
    return G_SOURCE_REMOVE;
}

static gboolean
on_frame (GtkWidget *window, GdkFrameClock *clock, gpointer unused)
{
    return G_SOURCE_REMOVE;
}

/* Follows a frame, or the end of its window. */
static void
end_frame (gpointer unused)
{
    if (rest.n_frames == 0 || --rest.n_frames > 0)
        return;
    g_source_remove (rest.source);
    rest.source = g_idle_add_full (G_PRIORITY_LOW, tell_rest, NULL, NULL);
}

static void
wait_for_rest (int fd)
{
    GListModel *windows = gtk_is_initialized () ? gtk_window_get_toplevels () : NULL;

    rest.fd = fd;
    rest.source = g_timeout_add (MAX_FRAME_MS, tell_rest, NULL);
    rest.n_frames = 1; /* this function */
    for (guint i = 0; windows != NULL && i < g_list_model_get_n_items (windows); i++) {
        g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
        if (!gtk_widget_get_mapped (window))
            continue;
        rest.n_frames++;
        gtk_widget_add_tick_callback (window, on_frame, NULL, end_frame);
    }
    end_frame (NULL);
}

/* A question is short, and there is never more than one. */
static gboolean
on_question (int fd, GIOCondition condition, gpointer unused)
{
    char question[128];
    g_autoptr (GString) answer = g_string_new (NULL);
    gssize n = read (fd, question, sizeof question - 1);

    if (n <= 0)
        return G_SOURCE_REMOVE;
    question[n] = '\0';
    g_strchomp (question);
    if (g_str_equal (question, "rest")) {
        wait_for_rest (fd);
        return G_SOURCE_CONTINUE;
    }
    answer_question (answer, question);
    return write_all (fd, answer->str, answer->len);
}

/* --- complaints ------------------------------------------------------------------------------- */

/* GTK says by its address which widget it has drawn without a place. */
static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer unused)
{
    gpointer address = NULL;

    for (gsize i = 0; i < n_fields && address == NULL; i++)
        if (g_str_equal (fields[i].key, "MESSAGE") &&
            sscanf (fields[i].value, "Trying to snapshot %*s %p without", &address) != 1)
            address = NULL;
    for (GtkWidget *widget = address; widget != NULL; widget = gtk_widget_get_parent (widget))
        g_printerr ("%s %s, %d x %d%s%s\n", G_OBJECT_TYPE_NAME (widget),
                    gtk_widget_get_tooltip_text (widget) != NULL
                        ? gtk_widget_get_tooltip_text (widget)
                        : gtk_widget_get_css_name (widget),
                    gtk_widget_get_width (widget), gtk_widget_get_height (widget),
                    gtk_widget_get_visible (widget) ? "" : ", hidden",
                    gtk_widget_get_child_visible (widget) ? "" : ", hidden by its parent");
    return g_log_writer_default (level, fields, n_fields, NULL);
}

void
g_io_module_load (GIOModule *module)
{
    const char *number = g_getenv ("PV_WIDGETS_SOCKET");
    int fd;

    g_type_module_use (G_TYPE_MODULE (module)); /* it stays */
    if (number == NULL)
        return;
    fd = atoi (number);
    /* Programs that this one starts have nothing to tell. */
    g_unsetenv ("PV_WIDGETS_SOCKET");
    fcntl (fd, F_SETFD, FD_CLOEXEC);
    number_quark = g_quark_from_static_string ("pv-widget-number");
    widgets = g_hash_table_new_full (NULL, NULL, NULL, free_reference);
    g_unix_fd_add (fd, G_IO_IN | G_IO_HUP, on_question, NULL);
    g_log_set_writer_func (write_log, NULL, NULL);
}

void
g_io_module_unload (GIOModule *module)
{
}

char **
g_io_module_query (void)
{
    return g_new0 (char *, 1);
}
