/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/page/page-functions.h"

#include <glib/gi18n-lib.h>

#include "core/analyze/columns/column.h"
#include "core/analyze/tables/functions.h"
#include "core/base/array.h"
#include "core/write/escape.h"
#include "core/write/html/html-page.h"

/* All functions if there are few, else those that can be seen. */
enum { ALL_ROWS = 3000, MAX_ROWS = 10000, PARTS = 10000 };

/* A column of figures beside amounts and words: intervals of changes are such. */
typedef struct {
    const PvColumnSpec *spec;
    GString *numbers; /* in the order of the values */
    GString *texts;
} Figures;

typedef struct {
    const PvCallTree *tree;
    PvPageNames *names;
    bool *is_shown;           /* by function */
    uint64_t *base_of_caller; /* of the function that is at hand */
    uint64_t least;
    GString *frames, *selfs, *totals;
    GString *called, *counts, *callers, *weights;
    const PvChanges *rows; /* by row of the list; NULL: only one side */
    GString *base_selfs, *base_totals, *noise;
    GString *base_weights;
    GArray *figures; /* Figures */
} Tables;

static void
append (GString *out, uint64_t number)
{
    g_string_append_c (out, out->len == 0 ? '[' : ',');
    pv_append_number (out, number);
}

static void
append_column (GString *out, const char *key, const GString *column)
{
    pv_html_begin_member (out, key);
    g_string_append_len (out, column->len > 0 ? column->str : "[",
                         column->len > 0 ? (gssize)column->len : 1);
    g_string_append_c (out, ']');
}

static void
list_figures (Tables *tables)
{
    const PvCallTree *tree = tables->tree;
    tables->figures = g_array_new (FALSE, FALSE, sizeof (Figures));
    for (unsigned i = 0; i < pv_n_columns; i++) {
        const PvColumn *column = &pv_columns[i].column;
        Figures figures = {.spec = &pv_columns[i]};
        const bool is_amount = pv_column_is_amount (column) && column->show != PV_SHOW_INTERVAL;
        if (pv_columns[i].width_px[PV_TABLE_FUNCTIONS] == 0 || is_amount ||
            pv_column_has_words (column) ||
            !pv_column_is_there (column, tree->profile, &tree->query))
            continue;
        figures.numbers = g_string_new (NULL);
        figures.texts = g_string_new (NULL);
        g_array_append_val (tables->figures, figures);
    }
}

static void
add_figures (Tables *tables, const PvFunctionRow *of, uint32_t number)
{
    PvRow row;
    pv_row_init_from_tree (&row, tables->tree, of->function);
    row.self = of->self;
    row.total = of->total;
    row.median_ms = of->median_ms;
    row.changes = tables->rows;
    row.change_row = number;
    for (guint i = 0; i < tables->figures->len; i++) {
        Figures *figures = &g_array_index (tables->figures, Figures, i);
        const PvValue value = pv_column_get (&figures->spec->column, &row);
        g_autofree char *text = pv_value_format (&value);
        PvSortKey key = {0};
        pv_value_order (&value, &key, NULL);
        append (figures->numbers, key.amount);
        g_string_append_c (figures->texts, figures->texts->len == 0 ? '[' : ',');
        pv_html_append_string (figures->texts, text != NULL ? text : "");
    }
}

/* Returns how many are left out. */
static uint32_t
add_rows (Tables *tables, const PvFunctionList *list)
{
    uint32_t n = 0;
    tables->least = list->n_rows <= ALL_ROWS ? 1 : MAX (tables->tree->total[0] / PARTS, 1);
    for (uint32_t i = 0; i < list->n_rows; i++) {
        const PvFunctionRow *row = &list->rows[i];
        if (row->total < tables->least || n == MAX_ROWS)
            continue;
        append (tables->frames, pv_page_names_row (tables->names, tables->tree->symbols,
                                                   row->function, row->frame, row->location));
        append (tables->selfs, row->self);
        append (tables->totals, row->total);
        if (tables->rows != NULL) {
            append (tables->base_selfs, tables->rows->self_of_side[PV_SIDE_BASE][i]);
            append (tables->base_totals, tables->rows->total_of_side[PV_SIDE_BASE][i]);
            append (tables->noise, pv_changes_is_row_noise (tables->rows, i));
        }
        add_figures (tables, row, i);
        tables->is_shown[row->function] = true;
        n++;
    }
    return list->n_rows - n;
}

/* Keeps the weights of callers in the base, or forgets them. */
static void
set_base (Tables *tables, const PvCallersCallees *base, bool is_kept)
{
    for (uint32_t i = 0; base != NULL && i < base->n_callers; i++)
        tables->base_of_caller[base->callers[i].function] = is_kept ? base->callers[i].weight : 0;
}

/* base is NULL if nothing of it is there, or all is one side. */
static void
add_callers (Tables *tables, PvFunctionId function, const PvCallersCallees *calls,
             const PvCallersCallees *base)
{
    const PvSymbolTable *symbols = tables->tree->symbols;
    uint32_t n = 0;
    set_base (tables, base, true);
    for (uint32_t i = 0; i < calls->n_callers; i++) {
        const PvCaller *caller = &calls->callers[i];
        if (caller->weight < tables->least ||
            (caller->function != 0 && !tables->is_shown[caller->function]))
            continue;
        uint32_t name = caller->function != 0
                            ? pv_page_names_function (tables->names, symbols, caller->function) + 1
                            : 0;
        append (tables->callers, name);
        append (tables->weights, caller->weight);
        if (tables->rows != NULL)
            append (tables->base_weights, tables->base_of_caller[caller->function]);
        n++;
    }
    set_base (tables, base, false);
    if (n == 0)
        return;
    append (tables->called, pv_page_names_function (tables->names, symbols, function));
    append (tables->counts, n);
}

static bool
add_calls (Tables *tables, PvJob *job)
{
    const PvCallTree *tree = tables->tree;
    g_autoptr (PvCallTree) base_tree = NULL;
    g_autofree PvCallersCallees **of_base = NULL;
    g_autofree PvCallersCallees **all = pv_callers_callees_build_all (tree, tables->is_shown, job);
    if (all != NULL && tables->rows != NULL) {
        const PvPair *pair = pv_profile_get_pair (tree->profile, tree->query.measure);
        base_tree = pv_call_tree_build_measure (tree, pair->of_side[PV_SIDE_BASE], job, NULL);
        if (base_tree != NULL)
            of_base = pv_callers_callees_build_all (base_tree, tables->is_shown, job);
    }
    for (PvFunctionId f = 0; all != NULL && f < tree->symbols->n_functions; f++) {
        g_autoptr (PvCallersCallees) calls = all[f];
        g_autoptr (PvCallersCallees) base = of_base != NULL ? of_base[f] : NULL;
        if (calls != NULL && !pv_job_is_cancelled (job))
            add_callers (tables, f, calls, base);
    }
    return all != NULL && (tables->rows == NULL || of_base != NULL) && !pv_job_is_cancelled (job);
}

static void
init (Tables *tables, const PvCallTree *tree, const PvChanges *rows, PvPageNames *names)
{
    GString **columns[] = {&tables->frames,  &tables->selfs,       &tables->totals,
                           &tables->called,  &tables->counts,      &tables->callers,
                           &tables->weights, &tables->base_selfs,  &tables->base_totals,
                           &tables->noise,   &tables->base_weights};
    *tables = (Tables){.tree = tree, .names = names, .rows = rows};
    tables->is_shown = g_new0 (bool, MAX (tree->symbols->n_functions, 1));
    tables->base_of_caller = g_new0 (uint64_t, MAX (tree->symbols->n_functions, 1));
    for (size_t i = 0; i < G_N_ELEMENTS (columns); i++)
        *columns[i] = g_string_new (NULL);
    list_figures (tables);
}

static void
clear (Tables *tables)
{
    GString *columns[] = {tables->frames,  tables->selfs,       tables->totals,
                          tables->called,  tables->counts,      tables->callers,
                          tables->weights, tables->base_selfs,  tables->base_totals,
                          tables->noise,   tables->base_weights};
    for (size_t i = 0; i < G_N_ELEMENTS (columns); i++)
        g_string_free (columns[i], TRUE);
    for (guint i = 0; i < tables->figures->len; i++) {
        g_string_free (g_array_index (tables->figures, Figures, i).numbers, TRUE);
        g_string_free (g_array_index (tables->figures, Figures, i).texts, TRUE);
    }
    g_array_unref (tables->figures);
    g_free (tables->is_shown);
    g_free (tables->base_of_caller);
}

static void
append_figures (const Tables *tables, GString *out)
{
    pv_html_begin_member (out, "figures");
    g_string_append_c (out, '[');
    for (guint i = 0; i < tables->figures->len; i++) {
        const Figures *figures = &g_array_index (tables->figures, Figures, i);
        g_string_append (out, i > 0 ? ",{" : "{");
        pv_html_begin_member (out, "id");
        pv_html_append_string (out, figures->spec->id);
        pv_html_begin_member (out, "title");
        pv_html_append_string (out, g_dpgettext2 (GETTEXT_PACKAGE, "column", figures->spec->title));
        append_column (out, "number", figures->numbers);
        append_column (out, "text", figures->texts);
        g_string_append_c (out, '}');
    }
    g_string_append_c (out, ']');
}

static void
append_list (const Tables *tables, uint32_t n_left, GString *out)
{
    pv_html_begin_member (out, "list");
    g_string_append_c (out, '{');
    append_column (out, "frame", tables->frames);
    append_column (out, "self", tables->selfs);
    append_column (out, "total", tables->totals);
    if (tables->rows != NULL) {
        append_column (out, "baseSelf", tables->base_selfs);
        append_column (out, "baseTotal", tables->base_totals);
        append_column (out, "noise", tables->noise);
    }
    append_figures (tables, out);
    pv_html_begin_member (out, "left");
    pv_append_number (out, n_left);
    g_string_append_c (out, '}');
}

static void
append_calls (const Tables *tables, GString *out)
{
    pv_html_begin_member (out, "calls");
    g_string_append_c (out, '{');
    append_column (out, "function", tables->called);
    append_column (out, "n", tables->counts);
    append_column (out, "caller", tables->callers);
    append_column (out, "weight", tables->weights);
    if (tables->rows != NULL)
        append_column (out, "base", tables->base_weights);
    g_string_append_c (out, '}');
}

bool
pv_page_functions_append (const PvCallTree *tree, const PvChanges *changes, PvPageNames *names,
                          GString *out, PvJob *job, GError **error)
{
    g_assert (tree != NULL && names != NULL && out != NULL);
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, job);
    if (list == NULL)
        return pv_job_check (job, error);
    g_autoptr (PvChanges) rows =
        changes != NULL ? pv_changes_by_row (tree, list, changes->noise, job) : NULL;
    if (changes != NULL && rows == NULL)
        return pv_job_check (job, error);
    Tables tables;
    init (&tables, tree, rows, names);
    uint32_t n_left = add_rows (&tables, list);
    bool is_done = add_calls (&tables, job);
    if (is_done) {
        append_list (&tables, n_left, out);
        append_calls (&tables, out);
    }
    clear (&tables);
    return is_done || pv_job_check (job, error);
}
