/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/recording/terminal-pane.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <vte/vte.h>

#include "app/recording/terminal-output.h"
#include "app/widgets/cut-text.h"
#include "app/widgets/focus.h"
#include "app/widgets/menus.h"
#include "app/widgets/setup.h"
#include "app/work/settings.h"

#define DEFAULT_HEIGHT 220
#define MIN_HEIGHT     100
#define MAX_HEIGHT     16384
#define N_COLORS       16
#define HEIGHT_MS      250

struct _PvTerminalPane {
    GtkWidget parent;

    PvDocument *document;
    AdwBin *foot;
    GtkBox *box;
    GtkWidget *title_box;
    GtkToggleButton *fold_button;
    GtkLabel *title_label;
    GtkLabel *silent_label; /* “None yet” */
    GtkLabel *end_label;
    GtkWidget *close_button;
    VteTerminal *terminal;
    GMenuModel *menu;
    GtkWidget *popover;
    PvTerminalOutput *output; /* NULL: no terminal, or closed */
    guint height_source;
    guint focus_source;
    gboolean is_focus_pending; /* focus it as soon as it is mapped */
    gboolean is_shown;         /* not closed; perhaps folded */
    gboolean has_height;       /* has been open once */
    gboolean has_output;
    gboolean takes_input; /* the output has not ended */
    /* Folded until there is output and room for it, which opens it. */
    gboolean is_waiting;
    gboolean is_low;       /* there is no room */
    gboolean folds_at_end; /* nobody but the output has opened it */
};

G_DEFINE_FINAL_TYPE (PvTerminalPane, pv_terminal_pane, GTK_TYPE_WIDGET)

/* Colours */

/* libadwaita's palette: dark shades for a light background, light ones for a dark one. */
static const char *const light_palette[N_COLORS] = {
    "#241f31", "#a51d2d", "#26a269", "#9c6e03", "#1a5fb4", "#813d9c", "#0f7b83", "#77767b",
    "#5e5c64", "#e01b24", "#2ec27e", "#c88800", "#1c71d8", "#9141ac", "#12929b", "#3d3846",
};
static const char *const dark_palette[N_COLORS] = {
    "#5e5c64", "#ed333b", "#57e389", "#f8e45c", "#62a0ea", "#c061cb", "#4fd2fd", "#deddda",
    "#77767b", "#f66151", "#8ff0a4", "#f9f06b", "#99c1f1", "#dc8add", "#93ddf0", "#ffffff",
};

static void
update_colors (PvTerminalPane *self)
{
    GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));
    gboolean is_dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
    const char *const *names = is_dark ? dark_palette : light_palette;
    GdkRGBA palette[N_COLORS], foreground, background;

    for (unsigned i = 0; i < N_COLORS; i++)
        gdk_rgba_parse (&palette[i], names[i]);
    if (!gtk_style_context_lookup_color (context, "view_fg_color", &foreground) ||
        !gtk_style_context_lookup_color (context, "view_bg_color", &background))
        return;
    /* VTE needs opaque colors. */
    foreground.alpha = background.alpha = 1;
    vte_terminal_set_colors (self->terminal, &foreground, &background, palette, N_COLORS);
}

/* Height */

void
pv_terminal_pane_set_height (PvTerminalPane *self, int height)
{
    g_assert (PV_IS_TERMINAL_PANE (self));
    if (height >= MIN_HEIGHT)
        g_settings_set_int (pv_settings_get (), "terminal-height", MIN (height, MAX_HEIGHT));
}

static gboolean
release_height (gpointer user)
{
    PvTerminalPane *self = user;
    GtkWidget *panes = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_PANED);

    /* The window may not have been laid out yet. */
    if (panes == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)) ||
        gtk_widget_get_height (GTK_WIDGET (self)) <= 0)
        return G_SOURCE_CONTINUE;
    self->height_source = 0;
    gtk_paned_set_position (GTK_PANED (panes), gtk_paned_get_position (GTK_PANED (panes)));
    gtk_widget_set_size_request (GTK_WIDGET (self), -1, -1);
    return G_SOURCE_REMOVE;
}

/* Requests a height until GtkPaned has used it; then the user decides. */
static void
request_height (PvTerminalPane *self)
{
    int wanted = g_settings_get_int (pv_settings_get (), "terminal-height");
    GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
    int room = root != NULL ? gtk_widget_get_height (GTK_WIDGET (root)) : 0;
    int most = room > 0 ? room * 2 / 5 : DEFAULT_HEIGHT;

    gtk_widget_set_size_request (GTK_WIDGET (self), -1, MAX (MIN (wanted, most), MIN_HEIGHT));
    if (self->height_source == 0)
        self->height_source = g_timeout_add (HEIGHT_MS, release_height, self);
}

/* Folding */

/* Moves the title to the foot while the pane is folded. */
static void
move_title (PvTerminalPane *self, gboolean is_open)
{
    g_object_ref (self->title_box);
    if (is_open && adw_bin_get_child (self->foot) == self->title_box) {
        adw_bin_set_child (self->foot, NULL);
        gtk_box_prepend (self->box, self->title_box);
    } else if (!is_open && adw_bin_get_child (self->foot) == NULL) {
        gtk_box_remove (self->box, self->title_box);
        adw_bin_set_child (self->foot, self->title_box);
    }
    g_object_unref (self->title_box);
}

static void
update_fold (PvTerminalPane *self)
{
    gboolean is_open = gtk_toggle_button_get_active (self->fold_button);
    gboolean had_focus = gtk_widget_has_focus (GTK_WIDGET (self->fold_button));

    if (is_open && !self->has_height) {
        self->has_height = TRUE;
        request_height (self);
    }
    gtk_button_set_icon_name (GTK_BUTTON (self->fold_button),
                              is_open ? "pan-down-symbolic" : "pan-up-symbolic");
    move_title (self, is_open);
    gtk_widget_set_visible (GTK_WIDGET (self->foot), !is_open && self->is_shown);
    gtk_widget_set_visible (GTK_WIDGET (self), is_open && self->is_shown);
    if (had_focus)
        gtk_widget_grab_focus (GTK_WIDGET (self->fold_button));
}

/* From now on only the user opens and closes it. */
static void
on_fold_toggled (PvTerminalPane *self)
{
    self->is_waiting = self->folds_at_end = FALSE;
    update_fold (self);
}

/* Opens the pane; the focus goes from its button to the terminal. */
static void
stop_waiting (PvTerminalPane *self)
{
    gboolean had_focus = gtk_widget_has_focus (GTK_WIDGET (self->fold_button));

    self->is_waiting = FALSE;
    gtk_toggle_button_set_active (self->fold_button, TRUE);
    self->folds_at_end = TRUE;
    if (had_focus)
        gtk_widget_grab_focus (GTK_WIDGET (self->terminal));
}

void
pv_terminal_pane_set_low (PvTerminalPane *self, gboolean is_low)
{
    g_assert (PV_IS_TERMINAL_PANE (self));
    self->is_low = is_low;
    if (is_low && self->folds_at_end) {
        gtk_toggle_button_set_active (self->fold_button, FALSE);
        self->is_waiting = TRUE;
    } else if (!is_low && self->is_waiting && self->has_output) {
        stop_waiting (self);
    }
}

/* The end */

static char *
describe_stopped (const PvTargetStatus *status)
{
    if (status->signal == SIGKILL)
        return g_strdup (_ ("Killed because it did not stop"));
    if (status->signal == SIGTERM || status->exit_code == 0)
        return g_strdup (_ ("Stopped with the recording"));
    return g_strdup_printf (_ ("Stopped with the recording, exit status %d"), status->exit_code);
}

/* NULL: it is still running. */
static char *
describe_status (const PvRecording *recording)
{
    const PvTarget *target = recording != NULL ? pv_recording_get_target (recording) : NULL;
    const PvTargetStatus *status = target != NULL ? pv_target_get_status (target) : NULL;

    if (status == NULL)
        return NULL;
    if (!status->is_ended)
        return pv_recording_get_state (recording) == PV_RECORDING_ENDED
                   ? g_strdup (_ ("Still running"))
                   : NULL;
    if (!status->is_known)
        return NULL;
    if (status->exec_errno != 0)
        return g_strdup (_ ("Not started"));
    if (pv_recording_has_stopped_target (recording) &&
        (status->signal == 0 || status->signal == SIGTERM || status->signal == SIGKILL))
        return describe_stopped (status);
    if (status->signal != 0)
        /* Translators: the number of a signal, and what it means */
        return g_strdup_printf (_ ("Killed by signal %d (%s)"), status->signal,
                                strsignal (status->signal));
    return g_strdup_printf (_ ("Ended with exit status %d"), status->exit_code);
}

/* True if the program has ended as it should: what it said need not be read. */
static gboolean
has_ended_well (const PvRecording *recording)
{
    const PvTarget *target = recording != NULL ? pv_recording_get_target (recording) : NULL;
    const PvTargetStatus *status = target != NULL ? pv_target_get_status (target) : NULL;

    return status != NULL && status->is_ended && status->is_known && status->exec_errno == 0 &&
           status->exit_code == 0 &&
           (status->signal == 0 ||
            (status->signal == SIGTERM && pv_recording_has_stopped_target (recording)));
}

static void
update_end (PvTerminalPane *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    g_autofree char *end = describe_status (data->recording);
    const char *silent =
        data->is_recording && end == NULL ? _ ("None yet") : C_ ("terminal", "None");

    gtk_label_set_text (self->silent_label, self->has_output ? "" : silent);
    gtk_widget_set_visible (GTK_WIDGET (self->silent_label), !self->has_output);
    gtk_label_set_text (self->end_label, end != NULL ? end : "");
    gtk_widget_set_visible (GTK_WIDGET (self->end_label), end != NULL);
    gtk_widget_set_visible (self->close_button, !data->is_recording);
    if (data->is_recording || !has_ended_well (data->recording))
        return;
    if (self->folds_at_end)
        gtk_toggle_button_set_active (self->fold_button, FALSE);
    if (self->has_output)
        self->is_waiting = FALSE;
}

/* Output of the program */

static void
on_feed (gpointer owner, const char *bytes, size_t n_bytes)
{
    PvTerminalPane *self = owner;

    vte_terminal_feed (self->terminal, bytes, (gssize)n_bytes);
    if (self->has_output)
        return;
    self->has_output = TRUE;
    if (self->is_waiting && !self->is_low)
        stop_waiting (self);
    update_end (self);
}

/* VTE moves the focus of its input method, which it only has while it is realized. */
static void
update_input (PvTerminalPane *self)
{
    if (gtk_widget_get_realized (GTK_WIDGET (self->terminal)))
        vte_terminal_set_input_enabled (self->terminal, self->takes_input);
}

/* Hides the cursor: nothing reads input any more. */
static void
on_output_ended (gpointer owner)
{
    PvTerminalPane *self = owner;

    vte_terminal_feed (self->terminal, "\033[?25l", -1);
    self->takes_input = FALSE;
    update_input (self);
    update_end (self);
}

static void
on_commit (PvTerminalPane *self, const char *text, guint size)
{
    if (self->output != NULL)
        pv_terminal_output_write (self->output, text, size);
}

static void
update_size (PvTerminalPane *self)
{
    if (self->output != NULL)
        pv_terminal_output_set_size (self->output,
                                     (unsigned)vte_terminal_get_row_count (self->terminal),
                                     (unsigned)vte_terminal_get_column_count (self->terminal));
}

static gboolean
take_focus (gpointer user)
{
    PvTerminalPane *self = user;

    gtk_widget_grab_focus (GTK_WIDGET (self));
    self->focus_source = 0;
    return G_SOURCE_REMOVE;
}

/* In an idle, after GTK has moved the focus to the new tab. */
static void
request_focus (PvTerminalPane *self)
{
    self->is_focus_pending = !gtk_widget_get_mapped (self->title_box);
    if (!self->is_focus_pending && self->focus_source == 0)
        self->focus_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, take_focus, self, NULL);
}

static void
on_title_mapped (PvTerminalPane *self)
{
    if (self->is_focus_pending)
        request_focus (self);
}

static void
open_terminal (PvTerminalPane *self, int fd)
{
    const PvDocumentData *data = pv_document_get (self->document);
    g_autofree char *program = g_filename_display_basename (data->plan->argv[0]);
    g_autofree char *title = g_strdup_printf (_ ("Output of “%s”"), program);

    g_clear_pointer (&self->output, pv_terminal_output_close);
    vte_terminal_reset (self->terminal, TRUE, TRUE);
    self->takes_input = TRUE;
    update_input (self);
    self->output = pv_terminal_output_new (fd, &(PvTerminalEvents){self, on_feed, on_output_ended});
    update_size (self);
    gtk_label_set_text (self->title_label, title);
    self->is_shown = TRUE;
    self->has_output = FALSE;
    gtk_toggle_button_set_active (self->fold_button, FALSE);
    self->is_waiting = TRUE;
    update_fold (self);
    request_focus (self);
}

static void
hide (PvTerminalPane *self)
{
    self->is_shown = self->is_waiting = FALSE;
    update_fold (self);
}

static void
close_output (PvTerminalPane *self)
{
    g_clear_pointer (&self->output, pv_terminal_output_close);
    hide (self);
}

/* A running program still needs its output read. */
static void
on_close (PvTerminalPane *self)
{
    const PvRecording *recording = pv_document_get (self->document)->recording;
    const PvTarget *target = recording != NULL ? pv_recording_get_target (recording) : NULL;

    if (target == NULL || pv_target_get_status (target)->is_ended)
        close_output (self);
    else
        hide (self);
}

static void
on_document_changed (PvTerminalPane *self, guint what)
{
    const PvDocumentData *data = pv_document_get (self->document);
    int fd;

    if (!(what & PV_CHANGED_RECORDING))
        return;
    fd = pv_document_take_terminal (self->document);
    if (fd >= 0)
        open_terminal (self, fd);
    if (self->output == NULL)
        return;
    /* The program never ran, so there is no output. */
    if (data->recording != NULL && !data->is_recording &&
        pv_recording_get_figures (data->recording)->elapsed_seconds <= 0)
        close_output (self);
    else
        update_end (self);
}

/* Copying and pasting */

static void
copy (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvTerminalPane *self = user;
    vte_terminal_copy_clipboard_format (self->terminal, VTE_FORMAT_TEXT);
}

static void
paste (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvTerminalPane *self = user;
    vte_terminal_paste_clipboard (self->terminal);
}

static void
select_all (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvTerminalPane *self = user;
    vte_terminal_select_all (self->terminal);
}

static gboolean
show_menu (gpointer user, double x, double y)
{
    PvTerminalPane *self = user;

    gtk_widget_translate_coordinates (GTK_WIDGET (self->terminal), GTK_WIDGET (self), x, y, &x, &y);
    gtk_popover_set_pointing_to (GTK_POPOVER (self->popover),
                                 &(GdkRectangle){(int)x, (int)y, 1, 1});
    gtk_popover_popup (GTK_POPOVER (self->popover));
    return TRUE;
}

static void
add_shortcuts (PvTerminalPane *self)
{
    static const GActionEntry entries[] = {
        {"copy", copy}, {"paste", paste}, {"select-all", select_all}};
    g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
    GtkEventController *keys = gtk_shortcut_controller_new ();

    g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
    gtk_widget_insert_action_group (GTK_WIDGET (self), "terminal", G_ACTION_GROUP (group));
    gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (keys),
        gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("<Control><Shift>c"),
                          gtk_named_action_new ("terminal.copy")));
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (keys),
        gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("<Control><Shift>v"),
                          gtk_named_action_new ("terminal.paste")));
    gtk_widget_add_controller (GTK_WIDGET (self->terminal), keys);
    pv_menu_add_gestures (GTK_WIDGET (self->terminal), show_menu, self, NULL);
    self->popover = gtk_popover_menu_new_from_model (self->menu);
    gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
    gtk_widget_set_halign (self->popover, GTK_ALIGN_START);
    gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
}

/* Object */

static void
pv_terminal_pane_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
    GTK_WIDGET_CLASS (pv_terminal_pane_parent_class)->css_changed (widget, change);
    update_colors (PV_TERMINAL_PANE (widget));
}

static void
pv_terminal_pane_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                          int *natural, int *minimum_baseline, int *natural_baseline)
{
    gtk_widget_measure (GTK_WIDGET (PV_TERMINAL_PANE (widget)->box), orientation, for_size, minimum,
                        natural, minimum_baseline, natural_baseline);
}

/* VTE sets the size of its own pty only. */
static void
pv_terminal_pane_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvTerminalPane *self = PV_TERMINAL_PANE (widget);

    gtk_widget_size_allocate (GTK_WIDGET (self->box), &(GtkAllocation){0, 0, width, height},
                              baseline);
    gtk_popover_present (GTK_POPOVER (self->popover));
    update_size (self);
}

static gboolean
pv_terminal_pane_grab_focus (GtkWidget *widget)
{
    PvTerminalPane *self = PV_TERMINAL_PANE (widget);
    GtkWidget *terminal = GTK_WIDGET (self->terminal);
    GtkWidget *button = GTK_WIDGET (self->fold_button);

    return gtk_widget_grab_focus (gtk_widget_get_mapped (terminal) ? terminal : button);
}

gboolean
pv_terminal_pane_is_there (PvTerminalPane *self)
{
    g_assert (PV_IS_TERMINAL_PANE (self));
    return gtk_widget_get_mapped (self->title_box);
}

gboolean
pv_terminal_pane_has_focus (PvTerminalPane *self)
{
    g_assert (PV_IS_TERMINAL_PANE (self));
    return gtk_widget_has_focus (GTK_WIDGET (self->terminal)) ||
           gtk_widget_has_focus (GTK_WIDGET (self->fold_button));
}

/* Text opens the pane, as it can be typed ahead; space and Return press the button that has the
 * focus. */
static gboolean
is_text (guint keyval, GdkModifierType modifiers)
{
    return (modifiers & ~GDK_SHIFT_MASK) == 0 && gdk_keyval_to_unicode (keyval) > ' ' &&
           gdk_keyval_to_unicode (keyval) != 0x7f;
}

/* Keys that programs use to edit lines, search, stop and quit. The window's other shortcuts have
 * other modifiers, or switch tabs and pages. */
gboolean
pv_terminal_pane_wants_key (PvTerminalPane *self, guint keyval, GdkModifierType state)
{
    GdkModifierType modifiers =
        state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK | GDK_SUPER_MASK);
    guint lower = gdk_keyval_to_lower (keyval);
    gboolean is_letter = lower >= GDK_KEY_a && lower <= GDK_KEY_z;

    g_assert (PV_IS_TERMINAL_PANE (self));
    if (!pv_terminal_pane_has_focus (self) || !self->takes_input)
        return FALSE;
    if (!gtk_widget_has_focus (GTK_WIDGET (self->terminal)))
        return self->is_waiting && is_text (keyval, modifiers);
    if (modifiers == GDK_CONTROL_MASK && lower == GDK_KEY_q)
        return FALSE; /* the window's way out */
    if (modifiers == GDK_CONTROL_MASK || modifiers == GDK_ALT_MASK)
        return is_letter || keyval == GDK_KEY_Left || keyval == GDK_KEY_Right;
    return modifiers == 0 && (keyval == GDK_KEY_F3 || keyval == GDK_KEY_F5);
}

gboolean
pv_terminal_pane_forward (PvTerminalPane *self, GtkEventControllerKey *controller)
{
    g_assert (PV_IS_TERMINAL_PANE (self));
    if (self->is_waiting)
        stop_waiting (self);
    return gtk_event_controller_key_forward (controller, GTK_WIDGET (self->terminal));
}

static void
pv_terminal_pane_dispose (GObject *object)
{
    PvTerminalPane *self = PV_TERMINAL_PANE (object);
    GtkWidget *child;

    g_clear_handle_id (&self->height_source, g_source_remove);
    g_clear_handle_id (&self->focus_source, g_source_remove);
    g_clear_pointer (&self->output, pv_terminal_output_close);
    g_clear_pointer (&self->popover, gtk_widget_unparent);
    while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
        gtk_widget_unparent (child);
    g_clear_object (&self->foot);
    g_clear_object (&self->document);
    G_OBJECT_CLASS (pv_terminal_pane_parent_class)->dispose (object);
}

static void
pv_terminal_pane_class_init (PvTerminalPaneClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_terminal_pane_dispose;
    widget_class->css_changed = pv_terminal_pane_css_changed;
    widget_class->measure = pv_terminal_pane_measure;
    widget_class->size_allocate = pv_terminal_pane_size_allocate;
    widget_class->focus = pv_focus_children;
    widget_class->grab_focus = pv_terminal_pane_grab_focus;
    g_type_ensure (VTE_TYPE_TERMINAL);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/terminal-pane.ui");
    gtk_widget_class_set_css_name (widget_class, "terminalpane");
    PV_BIND_CHILDREN (widget_class, PvTerminalPane, box, title_box, fold_button, title_label,
                      silent_label, end_label, close_button, terminal, menu);
}

static void
pv_terminal_pane_init (PvTerminalPane *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_label_show_cut_text (self->title_label);
    pv_label_show_cut_text (self->end_label);
    add_shortcuts (self);
    pv_connect (self->fold_button, "toggled", on_fold_toggled, self);
    pv_connect (self->title_box, "map", on_title_mapped, self);
    pv_connect (self->close_button, "clicked", on_close, self);
    pv_connect (self->terminal, "realize", update_input, self);
    pv_connect (self->terminal, "commit", on_commit, self);
    pv_connect (adw_style_manager_get_default (), "notify::dark", update_colors, self);
}

void
pv_terminal_pane_set_document (PvTerminalPane *self, PvDocument *document, AdwBin *foot)
{
    g_assert (PV_IS_TERMINAL_PANE (self) && self->document == NULL);
    g_assert (PV_IS_DOCUMENT (document) && ADW_IS_BIN (foot));
    self->document = g_object_ref (document);
    self->foot = g_object_ref (foot);
    pv_connect (document, "changed", on_document_changed, self);
    on_document_changed (self, PV_CHANGED_RECORDING);
}
