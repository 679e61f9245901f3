/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/column-set.h"

#include <glib/gi18n.h>

#include "app/widgets/amount-style.h"
#include "app/work/query-text.h"
#include "app/work/settings.h"
#include "app/work/user-formulas.h"
#include "app/work/work.h"

enum {
    MAX_MEASURES = 12, /* of a profile, that have columns */
    AMOUNT_PX = 170,
    LEAST_FIGURE_PX = 100,
    MOST_FIGURE_PX = 240,
};

typedef struct {
    PvFunctionColumn what;
    GtkColumnViewColumn *column; /* the view's */
    char *measure_name;          /* of a column of another measure; else NULL */
    char *formula_name;          /* of a column of a formula; else NULL */
    gboolean is_missing;         /* the profile has nothing to show there */
} SetColumn;

struct PvColumnSet {
    PvRowTable *table;
    const PvColumnSetClass *class;
    GArray *columns;    /* SetColumn */
    PvProfile *profile; /* that the formulas are for; or NULL */
    PvMeasureId shown;  /* by the table's owner */
    char **asked;       /* definitions; or NULL */
    gboolean is_asked;  /* they are to be shown */
    gboolean hides_self;
};

static void
clear_column (gpointer data)
{
    SetColumn *column = data;

    g_free (column->measure_name);
    g_free (column->formula_name);
    pv_function_column_clear (&column->what);
}

PvColumnSet *
pv_column_set_new (PvRowTable *table, const PvColumnSetClass *class)
{
    PvColumnSet *set = g_new0 (PvColumnSet, 1);

    g_assert (PV_IS_ROW_TABLE (table) && class != NULL);
    set->table = table;
    set->class = class;
    set->columns = g_array_new (FALSE, FALSE, sizeof (SetColumn));
    g_array_set_clear_func (set->columns, clear_column);
    return set;
}

void
pv_column_set_free (PvColumnSet *set)
{
    g_array_unref (set->columns);
    pv_clear_later (&set->profile, pv_profile_free);
    g_strfreev (set->asked);
    g_free (set);
}

static SetColumn *
get (const PvColumnSet *set, guint number)
{
    g_assert (number < set->columns->len);
    return &g_array_index (set->columns, SetColumn, number);
}

/* Adding */

static guint
add (PvColumnSet *set, PvFunctionColumn what, GtkColumnViewColumn *column, const char *id,
     gboolean is_chosen)
{
    SetColumn added = {.what = what, .column = column};

    g_array_append_val (set->columns, added);
    pv_row_table_make_sortable (set->table, column);
    pv_row_table_set_id (set->table, column, id, is_chosen);
    return set->columns->len - 1;
}

void
pv_column_set_add_name (PvColumnSet *set, PvMakeCellFunc make, PvBindFunc bind)
{
    PvFunctionColumn what = {PV_FIELD_NAME, PV_MEASURE_SHOWN, NULL};

    g_assert (set->columns->len == 0);
    add (set, what, pv_row_table_add (set->table, PV_COLUMN_TEXT, _ ("Function"), 0, make, bind),
         "name", TRUE);
}

/* title: translated. Returns the number. */
static guint
add_column (PvColumnSet *set, PvFunctionColumn what, const char *title, int width, const char *id,
            gboolean is_chosen)
{
    const PvColumnSetClass *class = set->class;
    gboolean is_median = what.field == PV_FIELD_MEDIAN;
    gboolean is_change = what.change != PV_CHANGE_NONE;
    PvColumnKind kind = pv_function_field_has_words (what.field)         ? PV_COLUMN_TEXT
                        : is_median || is_change || what.formula != NULL ? PV_COLUMN_FIGURE
                                                                         : PV_COLUMN_AMOUNT;
    PvBindNumberedFunc bind = kind == PV_COLUMN_TEXT ? class->bind_text
                              : is_median            ? class->bind_median
                              : is_change            ? class->bind_change
                              : what.formula != NULL ? class->bind_value
                                                     : class->bind_amount;

    g_assert (title != NULL && id != NULL && bind != NULL);
    return add (set, what,
                pv_row_table_add_numbered (set->table, kind, title, width, bind, set->columns->len),
                id, is_chosen);
}

void
pv_column_set_add (PvColumnSet *set, const PvColumnSpec *specs, guint n)
{
    g_assert (set != NULL && specs != NULL);
    for (guint i = 0; i < n; i++)
        add_column (set, specs[i].what, _ (specs[i].title), specs[i].width, specs[i].id,
                    specs[i].is_chosen);
}

static void
add_measure_column (PvColumnSet *set, const PvProfile *profile, PvFunctionField field,
                    PvMeasureId measure)
{
    const char *name = profile->measures[measure].name;
    gboolean is_self = field == PV_FIELD_SELF;
    /* Translators: a measure, and the part of it that is a function's own */
    g_autofree char *title =
        g_strdup_printf (is_self ? _ ("%s, self") : "%s", pv_measure_get_title (profile, measure));
    g_autofree char *id = g_strconcat (is_self ? "self:" : "total:", name, NULL);
    const PvJoinedFile *file = pv_profile_get_joined_file (profile, measure);
    /* Measures of files that were requested together are seen together. */
    gboolean is_chosen = file != NULL && file->first_measure == measure;
    guint number =
        add_column (set, (PvFunctionColumn){field, measure, NULL}, title, AMOUNT_PX, id, is_chosen);

    get (set, number)->measure_name = g_strdup (name);
}

/* The measure of that name, or G_MAXUINT32. */
static PvMeasureId
find_measure (const PvProfile *profile, const char *name)
{
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (g_strcmp0 (profile->measures[m].name, name) == 0)
            return m;
    return G_MAXUINT32;
}

static gboolean
has_columns_of (const PvColumnSet *set, const char *name)
{
    for (guint i = 0; i < set->columns->len; i++)
        if (g_strcmp0 (get (set, i)->measure_name, name) == 0)
            return TRUE;
    return FALSE;
}

static void
add_measure (PvColumnSet *set, const PvProfile *profile, PvMeasureId measure)
{
    const PvMeasure *added = &profile->measures[measure];

    if (added->name == NULL || pv_measure_is_hidden (added) || has_columns_of (set, added->name))
        return;
    add_measure_column (set, profile, PV_FIELD_SELF, measure);
    add_measure_column (set, profile, PV_FIELD_TOTAL, measure);
}

static void
add_measures (PvColumnSet *set, const PvProfile *profile)
{
    for (uint32_t i = 0; i < MIN (profile->n_joined, MAX_MEASURES); i++)
        add_measure (set, profile, profile->joined[i].first_measure);
    for (PvMeasureId m = 0; m < MIN (profile->n_measures, MAX_MEASURES); m++)
        add_measure (set, profile, m);
}

/* Formulas */

/* Translators: what is computed, and the part of it that is a function's own */
static char *
make_formula_title (const PvFormula *formula, PvFunctionField field)
{
    return g_strdup_printf (field == PV_FIELD_SELF ? _ ("%s, self") : "%s", formula->title);
}

static void
describe (PvColumnSet *set, const SetColumn *column)
{
    const PvFormula *formula = column->what.formula;
    g_autofree char *title = make_formula_title (formula, column->what.field);
    g_autofree char *tip =
        g_strdup_printf ("%s = %s", formula->name, pv_formula_get_expression (formula));

    if (g_strcmp0 (gtk_column_view_column_get_title (column->column), title) != 0)
        gtk_column_view_column_set_title (column->column, title);
    pv_row_table_set_tip (set->table, column->column, tip);
}

/* Room for the title, with the arrow of the order; figures are short. */
static int
get_figure_width (const char *title)
{
    int n_chars = (int)MIN (g_utf8_strlen (title, -1), MOST_FIGURE_PX);

    return CLAMP (40 + 7 * n_chars, LEAST_FIGURE_PX, MOST_FIGURE_PX);
}

static void
add_formula_column (PvColumnSet *set, PvFunctionField field, PvFormula *formula)
{
    PvFunctionColumn what = {field, G_MAXUINT32, pv_formula_ref (formula)};
    gboolean is_self = field == PV_FIELD_SELF;
    g_autofree char *title = make_formula_title (formula, field);
    g_autofree char *id = g_strconcat (is_self ? "self=" : "total=", formula->name, NULL);
    guint number = add_column (set, what, title, get_figure_width (title), id, FALSE);

    get (set, number)->formula_name = g_strdup (formula->name);
    describe (set, get (set, number));
}

static PvFormula *
find_formula (const GPtrArray *formulas, const char *name)
{
    for (guint i = 0; i < formulas->len; i++) {
        PvFormula *formula = formulas->pdata[i];
        if (g_strcmp0 (formula->name, name) == 0)
            return formula;
    }
    return NULL;
}

static gboolean
is_same_formula (const PvFormula *a, const PvFormula *b)
{
    return a == b || (a != NULL && b != NULL && g_str_equal (a->definition, b->definition));
}

/* Its values are others, and so may be its order. */
static void
renew_values (PvColumnSet *set, const SetColumn *column)
{
    GtkSorter *sorter = gtk_column_view_column_get_sorter (column->column);
    gboolean is_descending;

    describe (set, column);
    pv_row_table_update_column (set->table, column->column);
    if (sorter != NULL && pv_row_table_get_sorted (set->table, &is_descending) == column->column)
        gtk_sorter_changed (sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

/* Gives the columns the formulas of their names. Measures have other numbers in another profile, so
 * formulas are replaced even if they say the same. */
static void
renew_columns (PvColumnSet *set, const GPtrArray *formulas)
{
    for (guint i = 0; i < set->columns->len; i++) {
        SetColumn *column = get (set, i);
        PvFormula *old = column->what.formula;
        PvFormula *formula = find_formula (formulas, column->formula_name);
        if (column->formula_name == NULL)
            continue;
        column->what.formula = formula != NULL ? pv_formula_ref (formula) : NULL;
        if (formula != NULL && !is_same_formula (old, formula))
            renew_values (set, column);
        g_clear_pointer (&old, pv_formula_unref);
    }
}

static gboolean
has_formula (const PvColumnSet *set, const char *name)
{
    for (guint i = 0; i < set->columns->len; i++)
        if (g_strcmp0 (get (set, i)->formula_name, name) == 0)
            return TRUE;
    return FALSE;
}

static void
show_asked (PvColumnSet *set)
{
    set->is_asked = FALSE;
    for (unsigned i = 0; set->asked != NULL && set->asked[i] != NULL; i++) {
        g_autofree char *name = pv_formula_copy_name (set->asked[i]);
        if (name != NULL)
            pv_column_set_show_formula (set, name);
    }
}

static void
update_wanted (PvColumnSet *set, const SetColumn *column)
{
    pv_row_table_set_wanted (set->table, column->column,
                             !column->is_missing &&
                                 !(set->hides_self && column->what.field == PV_FIELD_SELF));
}

static void
update_formulas (PvColumnSet *set)
{
    g_autoptr (GPtrArray) formulas =
        pv_user_formulas_list_all (set->profile, (const char *const *)set->asked);

    renew_columns (set, formulas);
    for (guint i = 0; i < formulas->len; i++) {
        PvFormula *formula = formulas->pdata[i];
        if (has_formula (set, formula->name))
            continue;
        add_formula_column (set, PV_FIELD_SELF, formula);
        add_formula_column (set, PV_FIELD_TOTAL, formula);
    }
    for (guint i = 0; i < set->columns->len; i++) {
        SetColumn *column = get (set, i);
        if (column->formula_name == NULL)
            continue;
        column->is_missing = column->what.formula == NULL;
        update_wanted (set, column);
    }
    if (set->is_asked)
        show_asked (set);
}

/* Asked and saved */

void
pv_column_set_ask (PvColumnSet *set, const char *const *formulas)
{
    g_assert (set != NULL);
    g_strfreev (set->asked);
    set->asked = g_strdupv ((char **)formulas);
    set->is_asked = TRUE;
    pv_column_set_renew_formulas (set);
}

void
pv_column_set_renew_formulas (PvColumnSet *set)
{
    g_assert (set != NULL);
    if (set->profile == NULL)
        return;
    update_formulas (set);
    g_signal_emit_by_name (set->table, "columns-changed");
}

void
pv_column_set_show_formula (PvColumnSet *set, const char *name)
{
    g_assert (set != NULL && name != NULL);
    for (guint i = 0; i < set->columns->len; i++)
        if (get (set, i)->what.formula != NULL && g_strcmp0 (get (set, i)->formula_name, name) == 0)
            pv_row_table_set_chosen (set->table, get (set, i)->column, TRUE);
}

static char **
list_formulas (const PvColumnSet *set)
{
    g_autoptr (GPtrArray) shown = pv_row_table_list_shown (set->table);
    GPtrArray *definitions = g_ptr_array_new ();

    for (guint i = 0; i < set->columns->len; i++) {
        const SetColumn *column = get (set, i);
        if (column->what.formula == NULL || !g_ptr_array_find (shown, column->column, NULL) ||
            g_ptr_array_find_with_equal_func (definitions, column->what.formula->definition,
                                              g_str_equal, NULL))
            continue;
        g_ptr_array_add (definitions, g_strdup (column->what.formula->definition));
    }
    g_ptr_array_add (definitions, NULL);
    return (char **)g_ptr_array_free (definitions, FALSE);
}

void
pv_column_set_describe_command (const PvColumnSet *set, PvCommand *command)
{
    g_assert (set != NULL && command->formulas == NULL);
    command->formulas = list_formulas (set);
    if (set->profile != NULL && set->profile->compared != NULL &&
        g_settings_get_boolean (pv_settings_get (), "noise-hidden"))
        command->options[1] = "--hide-noise";
}

/* A column of the page's, of the measure that is shown. */
static gboolean
is_of_shown (const SetColumn *column)
{
    return (column->what.field == PV_FIELD_SELF || column->what.field == PV_FIELD_TOTAL) &&
           column->what.measure == PV_MEASURE_SHOWN && column->formula_name == NULL;
}

/* A comparison has columns of changes instead of amounts. */
static void
sort_by_shown (PvColumnSet *set)
{
    gboolean is_descending;
    guint number = pv_column_set_find (set, pv_row_table_get_sorted (set->table, &is_descending));

    if (number == set->columns->len || !get (set, number)->is_missing ||
        !is_of_shown (get (set, number)))
        return;
    for (guint i = 0; i < set->columns->len; i++) {
        const SetColumn *column = get (set, i);
        if (!is_of_shown (column) || column->is_missing ||
            column->what.field != get (set, number)->what.field)
            continue;
        gtk_column_view_sort_by_column (pv_row_table_get_view (set->table), column->column,
                                        is_descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
        return;
    }
}

void
pv_column_set_update (PvColumnSet *set, const PvProfile *profile, PvMeasureId shown)
{
    gboolean has_changes;

    g_assert (set != NULL && profile != NULL);
    set->shown = shown;
    has_changes = profile->compared != NULL && pv_profile_get_pair (profile, shown) != NULL;
    if (profile->n_measures > 1)
        add_measures (set, profile);
    if (set->profile != profile) {
        pv_clear_later (&set->profile, pv_profile_free);
        set->profile = pv_profile_ref (profile);
        update_formulas (set);
    }
    for (guint i = 0; i < set->columns->len; i++) {
        SetColumn *column = get (set, i);
        if (column->measure_name != NULL) {
            column->what.measure = find_measure (profile, column->measure_name);
            column->is_missing =
                column->what.measure == G_MAXUINT32 || column->what.measure == shown;
        } else if (column->formula_name == NULL && column->what.measure == PV_MEASURE_SAMPLES) {
            column->is_missing =
                has_changes || !pv_measure_sums_can_count (profile, PV_MEASURE_SAMPLES);
        } else if (is_of_shown (column)) {
            column->is_missing = has_changes != (column->what.change != PV_CHANGE_NONE);
        } else {
            continue; /* is known already, or the page knows */
        }
        update_wanted (set, column);
    }
    sort_by_shown (set);
}

void
pv_column_set_want_self (PvColumnSet *set, gboolean is_wanted)
{
    g_assert (set != NULL);
    set->hides_self = !is_wanted;
    for (guint i = 0; i < set->columns->len; i++)
        if (get (set, i)->what.field == PV_FIELD_SELF)
            update_wanted (set, get (set, i));
}

void
pv_function_column_show (PvFunctionColumn column, const PvCallTree *tree, PvAmountCell *cell,
                         int64_t amount, uint64_t whole)
{
    PvUnit unit = pv_function_column_get_unit (column, tree);

    if (pv_function_column_get_pair (column, tree) != NULL)
        pv_amount_cell_set_net (cell, amount, whole, unit);
    else
        pv_amount_cell_set (cell, (uint64_t)amount, whole, unit);
}

void
pv_noise_show (GtkWidget *cell, gboolean is_noise)
{
    g_assert (GTK_IS_WIDGET (cell));
    if (is_noise == gtk_widget_has_css_class (cell, "pv-noise"))
        return;
    if (is_noise) {
        gtk_widget_add_css_class (cell, "pv-noise");
        gtk_accessible_update_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                        _ ("within noise"), -1);
    } else {
        gtk_widget_remove_css_class (cell, "pv-noise");
        gtk_accessible_reset_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
    }
}

void
pv_change_show (PvChange change, PvChangePart part, PvUnit unit, PvAmountCell *cell)
{
    g_autofree char *text = pv_change_format (change, part, unit);

    gboolean is_zero = part == PV_CHANGE_BASE  ? change.base == 0
                       : part == PV_CHANGE_NEW ? change.new_ == 0
                                               : change.base == change.new_;

    pv_amount_cell_set_plain (cell, text);
    if (is_zero && !change.is_noise)
        gtk_widget_set_opacity (GTK_WIDGET (cell), PV_ZERO_OPACITY);
    pv_noise_show (GTK_WIDGET (cell), change.is_noise);
}

/* Looking up */

guint
pv_column_set_get_n (const PvColumnSet *set)
{
    return set->columns->len;
}

const PvFunctionColumn *
pv_column_set_get (const PvColumnSet *set, guint number)
{
    return &get (set, number)->what;
}

GtkColumnViewColumn *
pv_column_set_get_column (const PvColumnSet *set, guint number)
{
    return get (set, number)->column;
}

guint
pv_column_set_find (const PvColumnSet *set, GtkColumnViewColumn *column)
{
    guint number = 0;

    while (number < set->columns->len && get (set, number)->column != column)
        number++;
    return number;
}

GArray *
pv_column_set_list_measures (const PvColumnSet *set)
{
    GArray *measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    g_autoptr (GPtrArray) shown = pv_row_table_list_shown (set->table);

    for (guint i = 0; i < set->columns->len; i++) {
        PvFunctionColumn what = get (set, i)->what;
        gboolean is_amount = what.field == PV_FIELD_SELF || what.field == PV_FIELD_TOTAL;
        /* Names show which rows are noise, even without columns of changes. */
        if (what.change != PV_CHANGE_NONE && !get (set, i)->is_missing && set->profile != NULL)
            pv_function_column_add_measures (what, set->profile, set->shown, measures);
        else if (is_amount && set->profile != NULL &&
                 g_ptr_array_find (shown, get (set, i)->column, NULL))
            pv_function_column_add_measures (what, set->profile, set->shown, measures);
    }
    return measures;
}

/* Text */

static const char *
name_unit (PvUnit unit)
{
    switch (unit) {
    case PV_UNIT_NS:
        return " (ns)";
    case PV_UNIT_BYTES:
        return " (B)";
    case PV_UNIT_BYTE_MS:
        return " (B ms)";
    case PV_UNIT_COUNT:
        break;
    }
    return "";
}

static const char *
get_unit_name (PvFunctionColumn what, const PvProfile *profile, PvMeasureId shown)
{
    PvMeasureId measure = what.measure == PV_MEASURE_SHOWN ? shown : what.measure;

    if (what.change == PV_CHANGE_PERCENT)
        return "";
    if (what.field == PV_FIELD_MEDIAN)
        return " (ms)";
    if (what.formula != NULL && what.formula->is_percent)
        return " (%)";
    if (what.formula != NULL && what.formula->is_rate)
        return " (B/s)";
    if (what.formula != NULL)
        return what.formula->is_amount ? name_unit (what.formula->unit) : "";
    if (pv_function_field_has_words (what.field) || measure >= profile->n_measures)
        return "";
    return name_unit (profile->measures[measure].unit);
}

void
pv_column_set_add_to_text (const PvColumnSet *set, PvTableText *text, const PvProfile *profile,
                           PvMeasureId shown)
{
    g_autoptr (GPtrArray) columns = pv_row_table_list_shown (set->table);

    for (guint i = 0; i < columns->len; i++) {
        guint number = pv_column_set_find (set, columns->pdata[i]);
        PvFunctionColumn what = get (set, number)->what;
        const char *title = gtk_column_view_column_get_title (columns->pdata[i]);
        g_autofree char *with_unit =
            g_strconcat (title, get_unit_name (what, profile, shown), NULL);
        g_autofree char *share = g_strconcat (title, " %", NULL);

        pv_table_text_add_column (text, number, with_unit, FALSE);
        if (what.formula == NULL && what.change == PV_CHANGE_NONE &&
            (what.field == PV_FIELD_SELF || what.field == PV_FIELD_TOTAL))
            pv_table_text_add_column (text, number, share, TRUE);
    }
}
