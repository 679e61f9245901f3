/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/page/page-functions.h"

#include "core/analyze/tables/functions.h"
#include "core/base/array.h"
#include "core/write/html/html-page.h"

/* All functions if there are few, else those that can be seen. */
enum { ALL_ROWS = 3000, MAX_ROWS = 10000, PARTS = 10000 };

typedef struct {
    const PvCallTree *tree;
    PvPageNames *names;
    bool *is_shown; /* by function */
    uint64_t least;
    GString *frames, *selfs, *totals;
    GString *called, *counts, *callers, *weights;
} Tables;

static void
append (GString *out, uint64_t number)
{
    g_string_append_c (out, out->len == 0 ? '[' : ',');
    pv_html_append_number (out, number);
}

static void
append_column (GString *out, const char *key, const GString *column)
{
    pv_html_begin_member (out, key);
    g_string_append_len (out, column->len > 0 ? column->str : "[",
                         column->len > 0 ? (gssize)column->len : 1);
    g_string_append_c (out, ']');
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
        tables->is_shown[row->function] = true;
        n++;
    }
    return list->n_rows - n;
}

static void
add_callers (Tables *tables, PvFunctionId function, const PvCallersCallees *calls)
{
    const PvSymbolTable *symbols = tables->tree->symbols;
    uint32_t n = 0;
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
        n++;
    }
    if (n == 0)
        return;
    append (tables->called, pv_page_names_function (tables->names, symbols, function));
    append (tables->counts, n);
}

static bool
add_calls (Tables *tables, PvJob *job)
{
    uint32_t n_functions = tables->tree->symbols->n_functions;
    g_autofree PvCallersCallees **all =
        pv_callers_callees_build_all (tables->tree, tables->is_shown, job);
    if (all == NULL)
        return false;
    for (PvFunctionId f = 0; f < n_functions; f++) {
        g_autoptr (PvCallersCallees) calls = all[f];
        if (calls != NULL)
            add_callers (tables, f, calls);
    }
    return true;
}

static void
init (Tables *tables, const PvCallTree *tree, PvPageNames *names)
{
    GString **columns[] = {&tables->frames, &tables->selfs,   &tables->totals, &tables->called,
                           &tables->counts, &tables->callers, &tables->weights};
    *tables = (Tables){.tree = tree, .names = names};
    tables->is_shown = g_new0 (bool, MAX (tree->symbols->n_functions, 1));
    for (size_t i = 0; i < G_N_ELEMENTS (columns); i++)
        *columns[i] = g_string_new (NULL);
}

static void
clear (Tables *tables)
{
    GString *columns[] = {tables->frames, tables->selfs,   tables->totals, tables->called,
                          tables->counts, tables->callers, tables->weights};
    for (size_t i = 0; i < G_N_ELEMENTS (columns); i++)
        g_string_free (columns[i], TRUE);
    g_free (tables->is_shown);
}

bool
pv_page_functions_append (const PvCallTree *tree, PvPageNames *names, GString *out, PvJob *job,
                          GError **error)
{
    g_assert (tree != NULL && names != NULL && out != NULL);
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, job);
    if (list == NULL)
        return pv_job_check (job, error);
    Tables tables;
    init (&tables, tree, names);
    uint32_t n_left = add_rows (&tables, list);
    bool is_done = add_calls (&tables, job);
    if (is_done) {
        pv_html_begin_member (out, "list");
        g_string_append_c (out, '{');
        append_column (out, "frame", tables.frames);
        append_column (out, "self", tables.selfs);
        append_column (out, "total", tables.totals);
        pv_html_begin_member (out, "left");
        pv_html_append_number (out, n_left);
        g_string_append_c (out, '}');
        pv_html_begin_member (out, "calls");
        g_string_append_c (out, '{');
        append_column (out, "function", tables.called);
        append_column (out, "n", tables.counts);
        append_column (out, "caller", tables.callers);
        append_column (out, "weight", tables.weights);
        g_string_append_c (out, '}');
    }
    clear (&tables);
    return is_done || pv_job_check (job, error);
}
