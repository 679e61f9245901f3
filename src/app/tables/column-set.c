/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/column-set.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/amount-style.h"
#include "app/widgets/text-cell.h"
#include "app/work/query-text.h"
#include "app/work/settings.h"
#include "app/work/user-formulas.h"
#include "app/work/work.h"

enum {
    MAX_MEASURES = 12, /* of a profile, that have columns */
    AMOUNT_PX = 170,
    LEAST_FIGURE_PX = 100,
    MOST_FIGURE_PX = 240,
    MAX_INDENT = 200, /* of names in a text */
};

typedef struct {
    PvColumn what;
    GtkColumnViewColumn *column; /* the view's */
    const PvColumnSpec *spec;    /* NULL: of another measure, a formula, or the names */
    char *measure_name;          /* of a column of another measure; else NULL */
    char *formula_name;          /* of a column of a formula; else NULL */
    gboolean is_missing;         /* the profile has nothing to show there */
} SetColumn;

struct PvColumnSet {
    PvRowTable *table;
    PvTableKind kind;
    PvGetRowFunc get_row;
    gpointer owner;
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
    pv_column_clear (&column->what);
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

/* Cells */

static void
show_change (GtkWidget *cell, const PvValue *value)
{
    g_autofree char *text = pv_value_format (value);

    pv_amount_cell_set_plain (PV_AMOUNT_CELL (cell), text);
    if (pv_value_is_zero (value) && !value->change.is_noise)
        gtk_widget_set_opacity (cell, PV_ZERO_OPACITY);
    pv_noise_show (cell, value->change.is_noise);
}

static void
show_figure (GtkWidget *cell, const PvValue *value)
{
    g_autofree char *text = pv_value_format (value);

    if (text != NULL)
        pv_amount_cell_set_plain (PV_AMOUNT_CELL (cell), text);
    else
        pv_amount_cell_clear (PV_AMOUNT_CELL (cell));
}

static void
show_words (GtkWidget *cell, const PvValue *value, gboolean is_noise)
{
    g_autofree char *text = value->kind != PV_VALUE_NONE ? pv_value_format (value) : NULL;

    pv_text_cell_set_text (PV_TEXT_CELL (cell), text);
    pv_noise_show (cell, is_noise);
}

static void
bind_value (gpointer user, GtkWidget *cell, uint32_t key, guint number)
{
    const PvColumnSet *set = user;
    const PvColumn *column = &get (set, number)->what;
    PvValue value = {.kind = PV_VALUE_NONE};
    PvRow row;
    gboolean has_row = set->get_row (set->owner, key, &row);

    if (has_row)
        value = pv_column_get (column, &row);
    if (pv_column_has_words (column))
        show_words (cell, &value, has_row && pv_row_is_noise (&row));
    else if (value.kind == PV_VALUE_AMOUNT)
        pv_amount_cell_set (PV_AMOUNT_CELL (cell), value.amount, value.whole, value.unit);
    else if (value.kind == PV_VALUE_NET)
        pv_amount_cell_set_net (PV_AMOUNT_CELL (cell), pv_value_get_net (&value), value.whole,
                                value.unit);
    else if (value.kind == PV_VALUE_CHANGE)
        show_change (cell, &value);
    else if (has_row && value.kind == PV_VALUE_NONE && pv_column_is_amount (column) &&
             column->show < PV_SHOW_CHANGE)
        pv_amount_cell_set_plain (PV_AMOUNT_CELL (cell), "–");
    else
        show_figure (cell, &value);
}

void
pv_noise_show (GtkWidget *cell, gboolean is_noise)
{
    g_assert (GTK_IS_WIDGET (cell));
    if (is_noise == gtk_widget_has_css_class (cell, "pv-noise"))
        return;
    if (is_noise) {
        gtk_widget_add_css_class (cell, "pv-noise");
        pv_accessible_describe (cell, _ ("within noise"));
    } else {
        gtk_widget_remove_css_class (cell, "pv-noise");
        gtk_accessible_reset_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
    }
}

/* Adding */

static guint
add (PvColumnSet *set, const PvColumn *what, GtkColumnViewColumn *column, const char *id,
     gboolean is_chosen)
{
    SetColumn added = {.what = *what, .column = column};

    g_array_append_val (set->columns, added);
    pv_row_table_make_sortable (set->table, column);
    pv_row_table_set_id (set->table, column, id, is_chosen);
    return set->columns->len - 1;
}

/* title: translated. Returns the number. */
static guint
add_column (PvColumnSet *set, const PvColumn *what, const char *title, int width, const char *id,
            gboolean is_chosen)
{
    gboolean is_bar =
        pv_column_is_amount (what) && what->formula == NULL && what->show < PV_SHOW_CHANGE;
    PvCellShape kind = pv_column_has_words (what) ? PV_SHAPE_TEXT
                       : is_bar                   ? PV_SHAPE_AMOUNT
                                                  : PV_SHAPE_FIGURE;
    GtkColumnViewColumn *column = pv_row_table_add (
        set->table, &(PvColumnShape){kind, title, width, bind_value}, set->columns->len);

    pv_row_table_set_binder (set->table, column, set);
    return add (set, what, column, id, is_chosen);
}

/* Until there is a tree, the columns are there that all trees have. */
static void
add_spec (PvColumnSet *set, const PvColumnSpec *spec)
{
    const PvColumn *what = &spec->column;
    guint number =
        add_column (set, what, g_dpgettext2 (GETTEXT_PACKAGE, "column", spec->title),
                    spec->width_px[set->kind], spec->id, (spec->chosen & 1 << set->kind) != 0);
    gboolean is_usual =
        pv_column_has_words (what) || (pv_column_is_amount (what) && what->show == PV_SHOW_AMOUNT &&
                                       what->measure == PV_MEASURE_SHOWN);

    get (set, number)->spec = spec;
    pv_row_table_set_wanted (set->table, get (set, number)->column, is_usual);
}

PvColumnSet *
pv_column_set_new (PvRowTable *table, PvTableKind kind, const char *title, PvMakeCellFunc make,
                   PvBindFunc bind, PvGetRowFunc get_row, gpointer owner)
{
    static const PvColumn name = {PV_COLUMN_NAME};
    PvColumnSet *set = g_new0 (PvColumnSet, 1);
    g_autoptr (GPtrArray) specs = pv_columns_list (kind);

    g_assert (PV_IS_ROW_TABLE (table) && title != NULL && bind != NULL && get_row != NULL);
    set->table = table;
    set->kind = kind;
    set->get_row = get_row;
    set->owner = owner;
    set->columns = g_array_new (FALSE, FALSE, sizeof (SetColumn));
    g_array_set_clear_func (set->columns, clear_column);
    add (set, &name,
         pv_row_table_add (table, &(PvColumnShape){PV_SHAPE_TEXT, title, 0, bind, make}, 0), "name",
         TRUE);
    for (guint i = 0; i < specs->len; i++)
        add_spec (set, specs->pdata[i]);
    return set;
}

static void
add_measure_column (PvColumnSet *set, const PvProfile *profile, PvColumnKind kind,
                    PvMeasureId measure)
{
    const char *name = profile->measures[measure].name;
    gboolean is_self = kind == PV_COLUMN_SELF;
    /* Translators: a measure, and the part of it that is a function's own */
    g_autofree char *title =
        g_strdup_printf (is_self ? _ ("%s, self") : "%s", pv_measure_get_title (profile, measure));
    g_autofree char *id = g_strconcat (is_self ? "self:" : "total:", name, NULL);
    const PvJoinedFile *file = pv_profile_get_joined_file (profile, measure);
    /* Measures of files that were requested together are seen together. */
    gboolean is_chosen = file != NULL && file->first_measure == measure;
    PvColumn what = {kind, PV_SHOW_AMOUNT, measure, NULL};
    guint number = add_column (set, &what, title, AMOUNT_PX, id, is_chosen);

    get (set, number)->measure_name = g_strdup (name);
}

/* The measure of that name, or G_MAXUINT32. */
static PvMeasureId
find_measure (const PvProfile *profile, const char *name)
{
    for (PvMeasureId m = 0; m < profile->n_weights; m++)
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

    if (added->name == NULL || has_columns_of (set, added->name))
        return;
    add_measure_column (set, profile, PV_COLUMN_SELF, measure);
    add_measure_column (set, profile, PV_COLUMN_TOTAL, measure);
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
make_formula_title (const PvFormula *formula, PvColumnKind kind)
{
    return g_strdup_printf (kind == PV_COLUMN_SELF ? _ ("%s, self") : "%s", formula->title);
}

static void
describe (PvColumnSet *set, const SetColumn *column)
{
    const PvFormula *formula = column->what.formula;
    g_autofree char *title = make_formula_title (formula, column->what.kind);
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
add_formula_column (PvColumnSet *set, PvColumnKind kind, PvFormula *formula)
{
    PvColumn what = {kind, PV_SHOW_AMOUNT, G_MAXUINT32, pv_formula_ref (formula)};
    gboolean is_self = kind == PV_COLUMN_SELF;
    g_autofree char *title = make_formula_title (formula, kind);
    g_autofree char *id = g_strconcat (is_self ? "self=" : "total=", formula->name, NULL);
    guint number = add_column (set, &what, title, get_figure_width (title), id, FALSE);

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
                                 !(set->hides_self && column->what.kind == PV_COLUMN_SELF));
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
        add_formula_column (set, PV_COLUMN_SELF, formula);
        add_formula_column (set, PV_COLUMN_TOTAL, formula);
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
pv_column_set_set_formulas (PvColumnSet *set, const char *const *formulas)
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

static guint
find_kind (const PvColumnSet *set, PvColumnKind kind, PvShow show)
{
    guint number = 0;

    while (number < set->columns->len) {
        const SetColumn *column = get (set, number);
        if (column->spec != NULL && column->what.kind == kind && column->what.show == show &&
            (!pv_column_is_amount (&column->what) || column->what.measure == PV_MEASURE_SHOWN))
            break;
        number++;
    }
    return number;
}

static void
sort_by (PvColumnSet *set, guint number, gboolean is_descending)
{
    gtk_column_view_sort_by_column (pv_row_table_get_view (set->table), get (set, number)->column,
                                    is_descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

/* Comparisons have columns of changes instead of amounts; in place of what only some profiles have,
 * there are totals. */
static void
sort_by_shown (PvColumnSet *set)
{
    gboolean is_descending, is_amount;
    guint number = pv_column_set_find (set, pv_row_table_get_sorted (set->table, &is_descending));
    PvColumnKind kind;

    if (number == set->columns->len || !get (set, number)->is_missing ||
        get (set, number)->spec == NULL)
        return;
    is_amount = pv_column_is_amount (&get (set, number)->what);
    kind = is_amount ? get (set, number)->what.kind : PV_COLUMN_TOTAL;
    for (guint i = 0; i < set->columns->len; i++) {
        const SetColumn *column = get (set, i);
        if (column->spec != NULL && !column->is_missing && column->what.kind == kind) {
            sort_by (set, i, is_descending || !is_amount);
            return;
        }
    }
}

void
pv_column_set_update (PvColumnSet *set, const PvCallTree *tree)
{
    const PvProfile *profile;

    g_assert (set != NULL && tree != NULL);
    profile = tree->profile;
    set->shown = tree->query.measure;
    if (profile->n_weights > 1 && set->kind != PV_TABLE_CALLERS)
        add_measures (set, profile);
    if (set->profile != profile) {
        pv_clear_later (&set->profile, pv_profile_free);
        set->profile = pv_profile_ref (profile);
        if (set->kind != PV_TABLE_CALLERS)
            update_formulas (set);
    }
    for (guint i = 0; i < set->columns->len; i++) {
        SetColumn *column = get (set, i);
        if (column->formula_name != NULL)
            continue;
        if (column->measure_name != NULL)
            column->what.measure = find_measure (profile, column->measure_name);
        column->is_missing = !pv_column_is_there (&column->what, profile, &tree->query);
        update_wanted (set, column);
    }
    sort_by_shown (set);
}

void
pv_column_set_name_totals (PvColumnSet *set, gboolean is_bottom_up)
{
    gboolean is_descending;
    guint sorted = pv_column_set_find (set, pv_row_table_get_sorted (set->table, &is_descending));

    for (PvShow show = PV_SHOW_AMOUNT; show <= PV_SHOW_INTERVAL; show++) {
        guint total = find_kind (set, PV_COLUMN_TOTAL, show);
        guint self = find_kind (set, PV_COLUMN_SELF, show);
        if (total < set->columns->len && self < set->columns->len)
            gtk_column_view_column_set_title (
                get (set, total)->column,
                g_dpgettext2 (GETTEXT_PACKAGE, "column",
                              get (set, is_bottom_up ? self : total)->spec->title));
    }
    if (!is_bottom_up || sorted == set->columns->len ||
        get (set, sorted)->what.kind != PV_COLUMN_SELF)
        return;
    for (guint i = 0; i < set->columns->len; i++) {
        PvColumn self = get (set, i)->what;
        if (self.kind != PV_COLUMN_TOTAL)
            continue;
        self.kind = PV_COLUMN_SELF;
        if (pv_column_is_same (&self, &get (set, sorted)->what)) {
            sort_by (set, i, is_descending);
            return;
        }
    }
}

void
pv_column_set_show_self (PvColumnSet *set, gboolean is_wanted)
{
    g_assert (set != NULL);
    set->hides_self = !is_wanted;
    for (guint i = 0; i < set->columns->len; i++)
        if (get (set, i)->what.kind == PV_COLUMN_SELF)
            update_wanted (set, get (set, i));
}

/* Looking up */

guint
pv_column_set_get_n (const PvColumnSet *set)
{
    return set->columns->len;
}

const PvColumn *
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

GtkColumnViewColumn *
pv_column_set_find_kind (const PvColumnSet *set, PvColumnKind kind, PvShow show)
{
    return get (set, find_kind (set, kind, show))->column;
}

PvColumn
pv_column_set_copy_sorted (const PvColumnSet *set, gboolean *ret_descending)
{
    guint number = pv_column_set_find (set, pv_row_table_get_sorted (set->table, ret_descending));

    return pv_column_copy (&get (set, number < set->columns->len ? number : 0)->what);
}

GArray *
pv_column_set_list_measures (const PvColumnSet *set)
{
    GArray *measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    g_autoptr (GPtrArray) shown = pv_row_table_list_shown (set->table);

    for (guint i = 0; i < set->columns->len; i++) {
        const PvColumn *what = &get (set, i)->what;
        /* Names show which rows are noise, even without columns of changes. */
        gboolean is_needed = what->show >= PV_SHOW_CHANGE
                                 ? !get (set, i)->is_missing
                                 : g_ptr_array_find (shown, get (set, i)->column, NULL);
        if (set->profile != NULL && pv_column_is_amount (what) && is_needed)
            pv_column_add_measures (what, set->profile, set->shown, measures);
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
get_unit_name (const PvColumn *what, const PvProfile *profile, PvMeasureId shown)
{
    PvMeasureId measure = what->measure == PV_MEASURE_SHOWN ? shown : what->measure;

    if (what->show == PV_SHOW_PERCENT)
        return "";
    if (what->kind == PV_COLUMN_MEDIAN)
        return " (ms)";
    if (what->formula != NULL && what->formula->is_percent)
        return " (%)";
    if (what->formula != NULL && what->formula->is_rate)
        return " (B/s)";
    if (what->formula != NULL)
        return what->formula->is_amount ? name_unit (what->formula->unit) : "";
    if (!pv_column_is_amount (what) || !pv_profile_has_weights (profile, measure))
        return "";
    return name_unit (profile->measures[measure].unit);
}

static void
add_to_text (const PvColumnSet *set, PvTableText *text, const PvCallTree *tree)
{
    g_autoptr (GPtrArray) columns = pv_row_table_list_shown (set->table);

    for (guint i = 0; i < columns->len; i++) {
        guint number = pv_column_set_find (set, columns->pdata[i]);
        const PvColumn *what = &get (set, number)->what;
        const char *title = gtk_column_view_column_get_title (columns->pdata[i]);
        g_autofree char *with_unit =
            g_strconcat (title, get_unit_name (what, tree->profile, tree->query.measure), NULL);
        g_autofree char *share = g_strconcat (title, " %", NULL);

        pv_table_text_add_column (text, number, with_unit, FALSE);
        if (pv_column_is_amount (what) && what->formula == NULL && what->show == PV_SHOW_AMOUNT)
            pv_table_text_add_column (text, number, share, TRUE);
    }
}

typedef struct {
    gpointer rows;
    GDestroyNotify free_rows;
    PvGetRowFunc get_row;
    guint n_columns;
    PvColumn columns[]; /* by number */
} TextData;

static void
text_data_free (gpointer user)
{
    TextData *data = user;

    data->free_rows (data->rows);
    for (guint i = 0; i < data->n_columns; i++)
        pv_column_clear (&data->columns[i]);
    g_free (data);
}

static char *
make_cell (gconstpointer user, guint number, gboolean is_share, uint32_t key)
{
    const TextData *data = user;
    PvColumn column = data->columns[number];
    g_autofree char *text = NULL;
    PvValue value;
    PvRow row;

    if (!data->get_row (data->rows, key, &row))
        return NULL;
    if (is_share)
        column.show = PV_SHOW_SHARE;
    value = pv_column_get (&column, &row);
    text = pv_value_format_plain (&value);
    if (column.kind != PV_COLUMN_NAME || row.depth == 0 || text == NULL)
        return g_steal_pointer (&text);
    return g_strdup_printf ("%*s%s", 2 * (int)MIN (row.depth, MAX_INDENT), "", text);
}

PvTableText *
pv_column_set_write (const PvColumnSet *set, const PvCallTree *tree, gpointer rows,
                     GDestroyNotify free_rows, PvGetRowFunc get_row, const uint32_t *keys,
                     uint32_t n, GtkBitset *selected)
{
    guint n_columns = set->columns->len;
    TextData *data = g_malloc0 (sizeof (TextData) + n_columns * sizeof (PvColumn));
    PvTextSource source = {data, text_data_free, make_cell};
    PvTableText *text;

    g_assert (tree != NULL && rows != NULL && free_rows != NULL && get_row != NULL);
    *data = (TextData){rows, free_rows, get_row, n_columns};
    for (guint i = 0; i < n_columns; i++)
        data->columns[i] = pv_column_copy (&get (set, i)->what);
    text = pv_table_text_new (&source, keys, n, selected);
    add_to_text (set, text, tree);
    return text;
}
