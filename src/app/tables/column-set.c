/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/column-set.h"

#include <glib/gi18n.h>

#include "app/work/query-text.h"

enum {
    MAX_MEASURES = 12, /* of a profile, that have columns */
    AMOUNT_PX = 170,
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
    g_clear_pointer (&set->profile, pv_profile_free);
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
    PvColumnKind kind = pv_function_field_has_words (what.field) ? PV_COLUMN_TEXT
                        : is_median || what.formula != NULL      ? PV_COLUMN_FIGURE
                                                                 : PV_COLUMN_AMOUNT;
    PvBindNumberedFunc bind = kind == PV_COLUMN_TEXT ? class->bind_text
                              : is_median            ? class->bind_median
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
    guint number =
        add_column (set, (PvFunctionColumn){field, measure, NULL}, title, AMOUNT_PX, id, FALSE);

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
add_measures (PvColumnSet *set, const PvProfile *profile)
{
    for (PvMeasureId m = 0; m < MIN (profile->n_measures, MAX_MEASURES); m++)
        if (profile->measures[m].name != NULL && !has_columns_of (set, profile->measures[m].name)) {
            add_measure_column (set, profile, PV_FIELD_SELF, m);
            add_measure_column (set, profile, PV_FIELD_TOTAL, m);
        }
}

/* Formulas */

static void
add_formula_column (PvColumnSet *set, PvFunctionField field, PvFormula *formula)
{
    PvFunctionColumn what = {field, G_MAXUINT32, pv_formula_ref (formula)};
    gboolean is_self = field == PV_FIELD_SELF;
    /* Translators: what is computed, and the part of it that is a function's own */
    g_autofree char *title = g_strdup_printf (is_self ? _ ("%s, self") : "%s", formula->title);
    g_autofree char *id = g_strconcat (is_self ? "self=" : "total=", formula->name, NULL);
    guint number = add_column (set, what, title, AMOUNT_PX, id, FALSE);

    get (set, number)->formula_name = g_strdup (formula->name);
}

/* Of the set's columns, whether there are some of that formula; they get this one. */
static gboolean
renew_columns_of (PvColumnSet *set, PvFormula *formula)
{
    gboolean has_some = FALSE;

    for (guint i = 0; i < set->columns->len; i++) {
        SetColumn *column = get (set, i);
        if (g_strcmp0 (column->formula_name, formula->name) != 0)
            continue;
        pv_function_column_clear (&column->what);
        column->what.formula = pv_formula_ref (formula);
        has_some = TRUE;
    }
    return has_some;
}

static void
update_formulas (PvColumnSet *set, const PvProfile *profile)
{
    g_autoptr (GPtrArray) formulas = NULL;

    if (set->profile == profile)
        return;
    g_clear_pointer (&set->profile, pv_profile_free);
    set->profile = pv_profile_ref (profile);
    for (guint i = 0; i < set->columns->len; i++)
        pv_function_column_clear (&get (set, i)->what);
    formulas = pv_formula_list_usual (profile);
    for (guint i = 0; i < formulas->len; i++) {
        if (renew_columns_of (set, formulas->pdata[i]))
            continue;
        add_formula_column (set, PV_FIELD_SELF, formulas->pdata[i]);
        add_formula_column (set, PV_FIELD_TOTAL, formulas->pdata[i]);
    }
}

static void
update_wanted (PvColumnSet *set, const SetColumn *column)
{
    pv_row_table_set_wanted (set->table, column->column,
                             !column->is_missing &&
                                 !(set->hides_self && column->what.field == PV_FIELD_SELF));
}

void
pv_column_set_update (PvColumnSet *set, const PvProfile *profile, PvMeasureId shown)
{
    g_assert (set != NULL && profile != NULL);
    if (profile->n_measures > 1)
        add_measures (set, profile);
    update_formulas (set, profile);
    for (guint i = 0; i < set->columns->len; i++) {
        SetColumn *column = get (set, i);
        if (column->formula_name != NULL) {
            column->is_missing = column->what.formula == NULL;
        } else if (column->measure_name != NULL) {
            column->what.measure = find_measure (profile, column->measure_name);
            column->is_missing =
                column->what.measure == G_MAXUINT32 || column->what.measure == shown;
        } else if (column->what.measure == PV_MEASURE_SAMPLES) {
            column->is_missing = !pv_measure_sums_can_count (profile, PV_MEASURE_SAMPLES);
        } else {
            continue; /* the page knows */
        }
        update_wanted (set, column);
    }
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
        if (!is_amount || what.measure == PV_MEASURE_SHOWN ||
            !g_ptr_array_find (shown, get (set, i)->column, NULL))
            continue;
        if (what.formula != NULL)
            pv_measures_add_formula (measures, what.formula);
        else
            pv_measures_add (measures, what.measure);
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

    if (what.field == PV_FIELD_MEDIAN)
        return " (ms)";
    if (what.formula != NULL && what.formula->is_percent)
        return " (%)";
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
        if (what.formula == NULL && (what.field == PV_FIELD_SELF || what.field == PV_FIELD_TOTAL))
            pv_table_text_add_column (text, number, share, TRUE);
    }
}
