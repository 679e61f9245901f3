/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/summary/summary-rows.h"

#include "app/widgets/accessible.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/help.h"
#include "app/widgets/text-cell.h"
#include "core/model/profile/profile.h"

#define MIN_TITLE_CHARS 12
#define MAX_VALUE_BYTES 240
#define MAX_LINE_CHARS  32

/* Sections */

void
pv_section_init (PvSection *section, AdwPreferencesGroup *group)
{
    g_assert (section != NULL && ADW_IS_PREFERENCES_GROUP (group));
    section->group = group;
    section->rows = g_ptr_array_new ();
    gtk_widget_set_visible (GTK_WIDGET (group), FALSE);
}

void
pv_section_clear (PvSection *section)
{
    g_assert (section->rows != NULL);
    for (unsigned i = 0; i < section->rows->len; i++)
        adw_preferences_group_remove (section->group, section->rows->pdata[i]);
    g_ptr_array_set_size (section->rows, 0);
}

/* Beside the title, with what the template puts there. */
static GtkBox *
get_header (PvSection *section)
{
    GtkWidget *first = adw_preferences_group_get_header_suffix (section->group);

    if (section->header != NULL)
        return section->header;
    section->header = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
    if (first != NULL) {
        g_object_ref (first);
        adw_preferences_group_set_header_suffix (section->group, NULL);
        gtk_box_append (section->header, first);
        g_object_unref (first);
    }
    adw_preferences_group_set_header_suffix (section->group, GTK_WIDGET (section->header));
    return section->header;
}

void
pv_section_set_note (PvSection *section, const char *note)
{
    if (section->note == NULL && note == NULL)
        return;
    if (section->note == NULL) {
        GtkWidget *label = gtk_label_new (NULL);
        gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
        gtk_label_set_xalign (GTK_LABEL (label), 1);
        gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
        gtk_widget_add_css_class (label, "dim-label");
        gtk_box_prepend (get_header (section), label);
        section->note = GTK_LABEL (label);
    }
    gtk_label_set_text (section->note, note != NULL ? note : "");
}

void
pv_section_set_help (PvSection *section, const char *page, const char *name)
{
    if (section->help == NULL) {
        section->help = pv_help_button_new (page, name);
        gtk_box_append (get_header (section), section->help);
        return;
    }
    pv_help_button_set_page (PV_HELP_BUTTON (section->help), page);
    pv_accessible_set_name (section->help, name);
}

void
pv_section_add (PvSection *section, GtkWidget *row)
{
    g_assert (GTK_IS_WIDGET (row));
    adw_preferences_group_add (section->group, row);
    g_ptr_array_add (section->rows, row);
}

void
pv_section_finish (PvSection *section)
{
    gtk_widget_set_visible (GTK_WIDGET (section->group), section->rows->len > 0);
}

/* Like an AdwActionRow, but of fewer widgets: its labels are shaped for every width that they are
 * measured for. */
static GtkWidget *
new_row (GtkWidget *title, const char *subtitle, GtkWidget **ret_header)
{
    GtkWidget *row = adw_preferences_row_new ();
    GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
    GtkWidget *titles = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

    gtk_widget_add_css_class (header, "header");
    gtk_widget_add_css_class (titles, "title");
    gtk_widget_add_css_class (title, "title");
    gtk_widget_set_valign (titles, GTK_ALIGN_CENTER);
    gtk_box_append (GTK_BOX (titles), title);
    if (subtitle != NULL) {
        GtkWidget *second = pv_text_cell_new (MIN_TITLE_CHARS);
        gtk_widget_add_css_class (second, "subtitle");
        pv_text_cell_set_text (PV_TEXT_CELL (second), subtitle);
        gtk_box_append (GTK_BOX (titles), second);
    }
    gtk_box_append (GTK_BOX (header), titles);
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), header);
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
    gtk_accessible_update_relation (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                    title, NULL, -1);
    *ret_header = header;
    return row;
}

GtkWidget *
pv_name_row_new (const char *title, const char *subtitle, GtkWidget **ret_header)
{
    GtkWidget *cell = pv_text_cell_new (MIN_TITLE_CHARS);

    pv_text_cell_set_text (PV_TEXT_CELL (cell), title);
    gtk_widget_set_hexpand (cell, TRUE);
    return new_row (cell, subtitle, ret_header);
}

GtkWidget *
pv_title_row_new (const char *title, GtkWidget **ret_header)
{
    GtkWidget *label = gtk_label_new (title);

    gtk_label_set_xalign (GTK_LABEL (label), 0);
    return new_row (label, NULL, ret_header);
}

GtkWidget *
pv_text_row_new (const char *title, const char *subtitle)
{
    GtkWidget *row = adw_action_row_new ();

    g_assert (title != NULL);
    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
    if (subtitle != NULL)
        adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
    return row;
}

void
pv_section_add_fact (PvSection *section, const char *title, const char *value)
{
    GtkWidget *row, *header, *label;

    if (value == NULL || *value == '\0')
        return;
    row = pv_title_row_new (title, &header);
    g_autofree char *shown = pv_format_cut (value, MAX_VALUE_BYTES);
    label = gtk_label_new (shown);
    gtk_label_set_selectable (GTK_LABEL (label), TRUE);
    gtk_label_set_xalign (GTK_LABEL (label), 1);
    /* A label that may wrap is measured for many widths, some 5 ms. */
    if (g_utf8_strlen (value, -1) > MAX_LINE_CHARS) {
        gtk_label_set_wrap (GTK_LABEL (label), TRUE);
        gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
        gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
    }
    gtk_widget_set_hexpand (label, TRUE);
    gtk_widget_set_margin_top (label, 6);
    gtk_widget_set_margin_bottom (label, 6);
    gtk_widget_add_css_class (label, "dim-label");
    gtk_widget_add_css_class (label, "numeric");
    /* A selectable label would take the focus from its row. */
    gtk_widget_set_focusable (label, FALSE);
    gtk_widget_add_css_class (row, "pv-fact");
    gtk_box_append (GTK_BOX (header), label);
    pv_section_add (section, row);
}

/* The address itself is the link. */
void
pv_section_add_link (PvSection *section, const char *title, const char *url)
{
    GtkWidget *row, *header, *button, *label;

    if (url == NULL || (!g_str_has_prefix (url, "https://") && !g_str_has_prefix (url, "http://")))
        return;
    row = pv_title_row_new (title, &header);
    label = gtk_label_new (url);
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
    button = gtk_link_button_new (url);
    gtk_button_set_child (GTK_BUTTON (button), label);
    gtk_widget_set_tooltip_text (button, url);
    gtk_widget_set_hexpand (button, TRUE);
    gtk_widget_set_halign (button, GTK_ALIGN_END);
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    pv_accessible_set_name (button, url);
    gtk_box_append (GTK_BOX (header), button);
    pv_section_add (section, row);
}

void
pv_section_add_share (PvSection *section, const char *title, uint64_t amount, uint64_t total)
{
    GtkWidget *row, *header, *cell;

    if (amount == 0)
        return;
    row = pv_title_row_new (title, &header);
    cell = pv_amount_cell_new_with_room ();
    gtk_widget_set_hexpand (cell, TRUE);
    gtk_widget_set_halign (cell, GTK_ALIGN_END);
    gtk_widget_set_valign (cell, GTK_ALIGN_CENTER);
    pv_amount_cell_set (PV_AMOUNT_CELL (cell), amount, total, PV_UNIT_COUNT);
    gtk_box_append (GTK_BOX (header), cell);
    pv_section_add (section, row);
}

GtkWidget *
pv_section_add_amount (PvSection *section, const char *title, const char *subtitle, uint64_t amount,
                       uint64_t total, PvUnit unit)
{
    GtkWidget *header, *cell;
    GtkWidget *row = pv_name_row_new (title, subtitle, &header);

    cell = pv_amount_cell_new_with_room ();
    gtk_widget_set_valign (cell, GTK_ALIGN_CENTER);
    pv_amount_cell_set (PV_AMOUNT_CELL (cell), amount, total, unit);
    gtk_box_append (GTK_BOX (header), cell);
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
    gtk_widget_add_css_class (row, "pv-top");
    pv_section_add (section, row);
    return row;
}
