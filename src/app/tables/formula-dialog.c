/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/formula-dialog.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/form-rows.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "app/work/settings.h"
#include "app/work/user-formulas.h"
#include "app/work/work.h"
#include "core/base/format.h"

struct _PvFormulaDialog {
    AdwWindow parent;

    PvProfile *profile;
    char **asked; /* the document's formulas; or NULL */
    char *edited; /* the name of the saved formula that is changed; NULL: a new one */
    AdwEntryRow *name_row;
    AdwEntryRow *expression_row;
    GtkMenuButton *measures_button;
    GtkPopover *measures_popover;
    GtkListBox *measures_list;
    GtkLabel *answer_label;
    GtkButton *save_button;
    AdwPreferencesGroup *saved_group;
    GPtrArray *saved_rows; /* children of the group, borrowed */
};

G_DEFINE_FINAL_TYPE (PvFormulaDialog, pv_formula_dialog, ADW_TYPE_WINDOW)

static guint saved_signal;

static GtkText *
get_text_widget (AdwEntryRow *row)
{
    return GTK_TEXT (gtk_editable_get_delegate (GTK_EDITABLE (row)));
}

/* The answer */

/* Errors of the core follow a colon. */
static char *
start_upper (const char *text)
{
    char start[7] = {0};

    g_unichar_to_utf8 (g_unichar_toupper (g_utf8_get_char (text)), start);
    return g_strconcat (start, g_utf8_next_char (text), NULL);
}

static void
show_answer (PvFormulaDialog *self, const char *text, const char *class)
{
    const char *const classes[] = {class, NULL};

    gtk_label_set_text (self->answer_label, text);
    gtk_widget_set_css_classes (GTK_WIDGET (self->answer_label), (const char **)classes);
    pv_accessible_describe (GTK_WIDGET (get_text_widget (self->expression_row)), text);
}

/* Underlines a part of the expression, in bytes. */
static void
mark (PvFormulaDialog *self, size_t start, size_t length)
{
    g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
    PangoAttribute *parts[] = {pango_attr_underline_new (PANGO_UNDERLINE_ERROR),
                               pango_attr_underline_color_new (0xe000, 0x1b00, 0x2400)};

    for (unsigned i = 0; i < G_N_ELEMENTS (parts); i++) {
        parts[i]->start_index = (guint)start;
        parts[i]->end_index = (guint)(start + length);
        pango_attr_list_insert (attributes, parts[i]);
    }
    adw_entry_row_set_attributes (self->expression_row, attributes);
}

static void
show_value (PvFormulaDialog *self, const PvFormula *formula)
{
    double value = pv_formula_compute_whole (formula, self->profile);
    g_autofree char *shown = pv_formula_format (formula, value);
    g_autofree char *text = isnan (value)
                                ? g_strdup (_ ("No value for the whole profile: it divides by 0"))
                                : g_strdup_printf (_ ("For the whole profile: %s"), shown);

    show_answer (self, text, "dim-label");
}

/* Shows the fault or the value of the expression; FALSE: it cannot be saved. It is checked behind a
 * valid name, so all faults are its own. */
static gboolean
check_expression (PvFormulaDialog *self, const char *expression)
{
    static const char name[] = "x=";
    g_autofree char *definition = g_strconcat (name, expression, NULL);
    g_autoptr (GError) error = NULL;
    g_autoptr (PvFormula) formula = NULL;
    PvFormulaFault fault;

    adw_entry_row_set_attributes (self->expression_row, NULL);
    if (strspn (expression, " ") == strlen (expression)) {
        /* xgettext: no-c-format */
        const char *help = _ ("Measures and numbers with + - * / and parentheses. A % at the end "
                              "gives percent.");
        show_answer (self, help, "dim-label");
        return FALSE;
    }
    if (!pv_formula_check (definition, NULL, &fault, &error)) {
        g_autofree char *text = start_upper (error->message);
        mark (self, fault.start - strlen (name), fault.length);
        /* Where something is missing, the user is still typing. */
        show_answer (self, text, fault.length > 0 ? "error" : "dim-label");
        return FALSE;
    }
    if (!pv_formula_check (definition, self->profile, &fault, NULL)) {
        g_autofree char *word = g_strndup (definition + fault.start, fault.length);
        /* Translators: the name of a measure */
        g_autofree char *text = g_strdup_printf (
            _ ("This profile has no measure “%s”: the formula is for other profiles"), word);
        mark (self, fault.start - strlen (name), fault.length);
        show_answer (self, text, "warning");
        return TRUE;
    }
    formula = pv_formula_new (definition, self->profile, NULL);
    show_value (self, formula);
    return TRUE;
}

/* After the expression: a fault of the name is shown only if nothing else is wrong. */
static gboolean
check_name (PvFormulaDialog *self, const char *name, gboolean is_expression_good)
{
    g_autofree char *definition = g_strconcat (name, "=1*x", NULL);
    g_autoptr (GError) error = NULL;
    gboolean is_good =
        pv_formula_check (definition, NULL, NULL, &error) && strchr (name, '=') == NULL;

    if (!is_good && *name != '\0' && is_expression_good) {
        g_autofree char *text = g_strdup_printf (
            _ ("“%s” cannot be the name of a formula: use letters, digits, -, _ and ."), name);
        show_answer (self, text, "error");
    }
    return is_good;
}

/* Labels the button and the window by the effect of saving. */
static void
label_button (PvFormulaDialog *self, const char *name)
{
    g_autofree char *taken = pv_user_formulas_get (name);
    gboolean is_other = taken != NULL && g_strcmp0 (name, self->edited) != 0;
    const char *label = is_other               ? C_ ("button", "_Replace")
                        : self->edited != NULL ? C_ ("button", "_Save")
                                               : C_ ("button", "_Add");
    const char *spoken = is_other               ? C_ ("button", "Replace")
                         : self->edited != NULL ? C_ ("button", "Save")
                                                : C_ ("button", "Add");

    gtk_button_set_label (self->save_button, label);
    pv_accessible_set_name (GTK_WIDGET (self->save_button), spoken);
    gtk_window_set_title (GTK_WINDOW (self),
                          self->edited != NULL ? _ ("Edit Formula") : _ ("Add Formula"));
}

static void
check (PvFormulaDialog *self)
{
    g_autofree char *name = pv_form_get_text (GTK_EDITABLE (self->name_row));
    gboolean is_good =
        check_expression (self, gtk_editable_get_text (GTK_EDITABLE (self->expression_row)));

    is_good = check_name (self, name, is_good) && is_good;
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "formula.save", is_good);
    label_button (self, name);
}

/* Actions */

static void
save (PvFormulaDialog *self)
{
    g_autofree char *name = pv_form_get_text (GTK_EDITABLE (self->name_row));
    g_autofree char *expression = pv_form_get_text (GTK_EDITABLE (self->expression_row));
    g_autofree char *definition = g_strconcat (name, "=", expression, NULL);

    pv_user_formulas_save (definition, self->edited);
    g_signal_emit (self, saved_signal, 0, name);
    gtk_window_close (GTK_WINDOW (self));
}

static void
fill (PvFormulaDialog *self, const char *definition, gboolean is_saved)
{
    g_autofree char *name = pv_formula_copy_name (definition);
    g_autofree char *expression = g_strstrip (g_strdup (strchr (definition, '=') + 1));

    g_free (self->edited);
    self->edited = is_saved ? g_strdup (name) : NULL;
    gtk_editable_set_text (GTK_EDITABLE (self->name_row), name);
    gtk_editable_set_text (GTK_EDITABLE (self->expression_row), expression);
    /* Nothing is selected, which a measure that is inserted would replace. */
    gtk_text_grab_focus_without_selecting (get_text_widget (self->expression_row));
    gtk_editable_set_position (GTK_EDITABLE (self->expression_row), -1);
    check (self);
}

static void
edit (PvFormulaDialog *self, const char *action, GVariant *parameter)
{
    g_autofree char *definition = pv_user_formulas_get (g_variant_get_string (parameter, NULL));

    if (definition != NULL)
        fill (self, definition, TRUE);
}

static void
copy (PvFormulaDialog *self, const char *action, GVariant *parameter)
{
    fill (self, g_variant_get_string (parameter, NULL), FALSE);
}

static void delete (PvFormulaDialog *self, const char *action, GVariant *parameter)
{
    const char *name = g_variant_get_string (parameter, NULL);

    if (g_strcmp0 (self->edited, name) == 0)
        g_clear_pointer (&self->edited, g_free);
    pv_user_formulas_delete (name);
    gtk_widget_grab_focus (GTK_WIDGET (self->name_row));
}

/* Saved formulas */

static GtkWidget *
make_button (const char *icon, const char *tip, const char *action, const char *target)
{
    GtkWidget *button = gtk_button_new_from_icon_name (icon);

    gtk_widget_set_tooltip_text (button, tip);
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    gtk_widget_add_css_class (button, "flat");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
    return button;
}

static char *
describe (PvFormulaDialog *self, const char *definition, gboolean is_saved)
{
    g_autofree char *expression = g_strstrip (g_strdup (strchr (definition, '=') + 1));

    if (!pv_formula_check (definition, self->profile, NULL, NULL))
        /* Translators: a formula whose measures the profile does not have */
        return g_strdup_printf (_ ("%s  ·  not for this profile"), expression);
    if (!is_saved)
        return g_strdup_printf (_ ("%s  ·  from the command line"), expression);
    return g_steal_pointer (&expression);
}

static void
add_row (PvFormulaDialog *self, const char *definition, gboolean is_saved)
{
    g_autofree char *name = pv_formula_copy_name (definition);
    g_autofree char *subtitle = describe (self, definition, is_saved);
    g_autofree char *edit_name = g_strdup_printf (_ ("Edit “%s”"), name);
    g_autofree char *delete_name = g_strdup_printf (_ ("Delete “%s”"), name);
    GtkWidget *row = adw_action_row_new ();
    GtkWidget *edit_button =
        make_button ("document-edit-symbolic", C_ ("button", "Edit"),
                     is_saved ? "formula.edit" : "formula.copy", is_saved ? name : definition);

    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), edit_button);
    adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), edit_button);
    pv_accessible_set_name (edit_button, edit_name); /* not the row's */
    if (is_saved) {
        GtkWidget *button =
            make_button ("user-trash-symbolic", C_ ("button", "Delete"), "formula.delete", name);
        pv_accessible_set_name (button, delete_name);
        adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
    }
    adw_preferences_group_add (self->saved_group, row);
    g_ptr_array_add (self->saved_rows, row);
}

/* The document's formulas that are neither saved nor usual. */
static void
list_asked (PvFormulaDialog *self, const char *const *saved)
{
    for (unsigned i = 0; self->asked != NULL && self->asked[i] != NULL; i++) {
        g_autoptr (PvFormula) formula = pv_formula_new (self->asked[i], self->profile, NULL);
        gboolean is_usual = formula != NULL && !g_str_equal (formula->name, formula->title);
        if (!is_usual && !g_strv_contains (saved, self->asked[i]))
            add_row (self, self->asked[i], FALSE);
    }
}

static void
list_saved (PvFormulaDialog *self)
{
    g_auto (GStrv) saved = pv_user_formulas_list ();

    for (guint i = 0; i < self->saved_rows->len; i++)
        adw_preferences_group_remove (self->saved_group, self->saved_rows->pdata[i]);
    g_ptr_array_set_size (self->saved_rows, 0);
    for (unsigned i = 0; saved[i] != NULL; i++)
        if (strchr (saved[i], '=') != NULL)
            add_row (self, saved[i], TRUE);
    list_asked (self, (const char *const *)saved);
    gtk_widget_set_visible (GTK_WIDGET (self->saved_group), self->saved_rows->len > 0);
}

static void
on_settings_changed (PvFormulaDialog *self)
{
    list_saved (self);
    check (self);
}

/* Measures */

static void
on_measure_activated (PvFormulaDialog *self, GtkListBoxRow *row)
{
    GtkText *text = get_text_widget (self->expression_row);
    GtkEditable *editable = GTK_EDITABLE (text);
    const char *word = g_object_get_data (G_OBJECT (row), "word");
    int position;

    gtk_popover_popdown (self->measures_popover);
    gtk_editable_delete_selection (editable);
    position = gtk_editable_get_position (editable);
    gtk_editable_insert_text (editable, word, -1, &position);
    gtk_text_grab_focus_without_selecting (text);
    gtk_editable_set_position (editable, position);
}

static void
add_measure (PvFormulaDialog *self, PvMeasureId measure)
{
    char *word = pv_formula_make_word (self->profile, measure);
    const PvMeasure *its = &self->profile->measures[measure];
    g_autofree char *amount = pv_format_amount (its->total, its->unit);
    GtkWidget *row, *box, *name, *total;

    if (word == NULL)
        return;
    row = gtk_list_box_row_new ();
    box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 24);
    name = gtk_label_new (word);
    total = gtk_label_new (amount);
    gtk_label_set_xalign (GTK_LABEL (name), 0);
    gtk_widget_set_hexpand (name, TRUE);
    gtk_widget_add_css_class (total, "dim-label");
    gtk_widget_add_css_class (total, "numeric");
    gtk_box_append (GTK_BOX (box), name);
    gtk_box_append (GTK_BOX (box), total);
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
    pv_accessible_set_name (row, word);
    g_object_set_data_full (G_OBJECT (row), "word", word, g_free);
    gtk_list_box_append (self->measures_list, row);
}

/* Object */

static void
pv_formula_dialog_finalize (GObject *object)
{
    PvFormulaDialog *self = PV_FORMULA_DIALOG (object);

    pv_clear_later (&self->profile, pv_profile_free);
    g_strfreev (self->asked);
    g_free (self->edited);
    g_ptr_array_unref (self->saved_rows);
    G_OBJECT_CLASS (pv_formula_dialog_parent_class)->finalize (object);
}

static void
pv_formula_dialog_class_init (PvFormulaDialogClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->finalize = pv_formula_dialog_finalize;
    PV_SET_TEMPLATE (widget_class, "formula-dialog", ADW_TYPE_ENTRY_ROW);
    PV_BIND_CHILDREN (widget_class, PvFormulaDialog, name_row, expression_row, measures_button,
                      measures_popover, measures_list, answer_label, save_button, saved_group);
    pv_class_add_action (widget_class, "formula.save", NULL, save);
    pv_class_add_action (widget_class, "formula.edit", "s", edit);
    pv_class_add_action (widget_class, "formula.copy", "s", copy);
    pv_class_add_action (widget_class, "formula.delete", "s", delete);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
    saved_signal = pv_signal_new (class, "saved", 1, G_TYPE_STRING);
}

static void
pv_formula_dialog_init (PvFormulaDialog *self)
{
    self->saved_rows = g_ptr_array_new ();
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_help_add_key (GTK_WIDGET (self), PV_HELP ("formulas"));
    pv_accessible_name_parts (GTK_WIDGET (self->measures_button), _ ("Insert Measure"), NULL);
    pv_accessible_set_name (GTK_WIDGET (get_text_widget (self->name_row)), C_ ("setting", "Name"));
    pv_accessible_set_name (GTK_WIDGET (get_text_widget (self->expression_row)),
                            C_ ("setting", "Formula"));
    pv_connect (self->name_row, "changed", check, self);
    pv_connect (self->expression_row, "changed", check, self);
    pv_connect (self->measures_list, "row-activated", on_measure_activated, self);
    pv_connect (pv_settings_get (), "changed::" PV_USER_FORMULAS_KEY, on_settings_changed, self);
}

PvFormulaDialog *
pv_formula_dialog_new (GtkWindow *parent, PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    PvFormulaDialog *self;

    g_assert (GTK_IS_WINDOW (parent) && data->answer->profile != NULL);
    self = g_object_new (PV_TYPE_FORMULA_DIALOG, "transient-for", parent, NULL);
    self->profile = pv_profile_ref (data->answer->profile);
    self->asked = g_strdupv (data->formulas);
    for (PvMeasureId m = 0; m < self->profile->n_measures; m++)
        add_measure (self, m);
    list_saved (self);
    check (self);
    gtk_widget_grab_focus (GTK_WIDGET (self->name_row));
    return self;
}
