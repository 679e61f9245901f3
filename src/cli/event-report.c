/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/event-report.h"

#include <glib/gi18n.h>

#include "cli/print-parts.h"
#include "core/analyze/tables/wakers.h"

enum { TEXT_ROWS = 50 };

static uint32_t
get_limit (const PvOptions *options, PvFormat format)
{
    int limit = options->limit;
    if (limit == PV_LIMIT_DEFAULT)
        limit = format == PV_FORMAT_TEXT ? TEXT_ROWS : 0;
    return limit == 0 ? UINT32_MAX : (uint32_t)limit;
}

/* Wakers */

/* "unlock < push < produce": innermost first; NULL for none. */
static char *
join_functions (const PvSymbolTable *symbols, const PvFunctionId *functions, bool is_short)
{
    if (functions[0] == 0)
        return NULL;
    GString *text = g_string_new (NULL);
    for (unsigned i = 0; i < PV_WAKER_FUNCTIONS && functions[i] != 0; i++) {
        const PvFunction *function = &symbols->functions[functions[i]];
        g_string_append_printf (text, "%s%s", i > 0 ? " < " : "",
                                is_short ? function->short_name : function->name);
    }
    return g_string_free (text, FALSE);
}

static void
add_thread (PvTable *table, const PvProfile *profile, PvThreadId id)
{
    const PvThread *thread = &profile->threads[id];
    g_autofree char *tid = id != 0 && thread->tid >= 0 ? g_strdup_printf ("%d", thread->tid) : NULL;
    pv_table_add_text (table, id != 0 ? profile->processes[thread->process].name : NULL);
    pv_table_add_text (table, id != 0 ? thread->name : NULL);
    pv_table_add_text (table, tid);
}

static void
add_state (PvTable *table, char state)
{
    const char text[] = {state, '\0'};
    pv_table_add_text (table, state != 0 ? text : NULL);
}

static void
add_wakers_for_people (PvTable *table, const PvProfile *profile, const PvSymbolTable *symbols,
                       const PvWakerRow *row)
{
    g_autofree char *thread = pv_format_thread (profile, row->thread);
    const char *nobody = row->state == 'R' ? _ ("(preempted)") : _ ("(not recorded)");
    g_autofree char *waker =
        row->waker != 0 ? pv_format_thread (profile, row->waker) : g_strdup (nobody);
    g_autofree char *functions = join_functions (symbols, row->functions, false);
    g_autofree char *label = join_functions (symbols, row->functions, true);
    pv_table_add_number (table, row->weight);
    pv_table_add_number (table, row->weight);
    pv_table_add_number (table, row->n_waits);
    pv_table_add_text (table, thread);
    add_state (table, row->state);
    pv_table_add_text (table, waker);
    if (functions != NULL)
        pv_table_add_name (table, functions, label);
    else
        pv_table_add_text (table, NULL);
}

static void
add_wakers_for_programs (PvTable *table, const PvProfile *profile, const PvSymbolTable *symbols,
                         const PvWakerRow *row)
{
    g_autofree char *functions = join_functions (symbols, row->functions, false);
    add_thread (table, profile, row->thread);
    add_state (table, row->state);
    add_thread (table, profile, row->waker);
    pv_table_add_text (table, functions);
    pv_table_add_number (table, row->n_waits);
    pv_table_add_number (table, row->weight);
}

static void
append_wakers (const PvOptions *options, const PvProfile *profile, const PvSymbolTable *symbols,
               const PvMeasure *measure, const PvWakers *wakers, PvFormat format,
               const PvTextSink *sink)
{
    const PvTableColumn for_people[] = {
        {.id = "", .title = _ ("Share"), .kind = PV_CELL_PERCENT, .whole = wakers->total},
        {.id = "", .title = _ ("Waited"), .kind = PV_CELL_AMOUNT, .unit = measure->unit},
        {.id = "", .title = _ ("Waits"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_COUNT},
        {.id = "", .title = _ ("Thread")},
        /* Translators: a letter, such as D, as in the column STAT of ps */
        {.id = "", .title = _ ("State")},
        {.id = "", .title = _ ("Woken by")},
        {.id = "", .title = _ ("In")},
    };
    const PvTableColumn for_programs[] = {
        {.id = "process", .title = ""},
        {.id = "thread", .title = ""},
        {.id = "tid", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "state", .title = ""},
        {.id = "waker_process", .title = ""},
        {.id = "waker", .title = ""},
        {.id = "waker_tid", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "functions", .title = ""},
        {.id = "waits", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "weight", .title = "", .kind = PV_CELL_NUMBER},
    };
    bool is_text = format == PV_FORMAT_TEXT;
    g_autoptr (PvTable) table = is_text ? pv_table_new (for_people, G_N_ELEMENTS (for_people))
                                        : pv_table_new (for_programs, G_N_ELEMENTS (for_programs));
    if (is_text)
        pv_table_set_max_width (table, pv_print_get_terminal_width (options));
    pv_table_begin (table, format, sink);
    double percent = options->min_percent == PV_MIN_PERCENT_DEFAULT ? 0 : options->min_percent;
    uint32_t n_rows = 0;
    while (n_rows < wakers->n_rows &&
           (double)wakers->rows[n_rows].weight >= (double)wakers->total * percent / 100)
        n_rows++;
    uint32_t n_shown = MIN (n_rows, get_limit (options, format));
    for (uint32_t r = 0; r < n_shown; r++) {
        if (is_text)
            add_wakers_for_people (table, profile, symbols, &wakers->rows[r]);
        else
            add_wakers_for_programs (table, profile, symbols, &wakers->rows[r]);
    }
    pv_table_end (table);
    if (is_text)
        pv_print_append_rest (sink->text, options, n_shown, n_rows);
}

/* The measure of the query, unless that is none of waits and the user did not name one. */
static bool
choose_measure (const PvOptions *options, const PvProfile *profile, PvQuery *query, GError **error)
{
    if (pv_wakers_can_build (profile, query->measure))
        return true;
    PvMeasureId found = pv_wakers_find_measure (profile);
    if (found != UINT32_MAX && options->words.measure == NULL) {
        query->measure = found;
        return true;
    }
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--print=wakers: %s",
                 found != UINT32_MAX
                     ? _ ("needs a measure of waits, such as --measure=off-cpu")
                     : _ ("this profile has no waits; record them with perf record -e "
                          "sched:sched_switch -e sched:sched_waking -g"));
    return false;
}

bool
pv_event_report_write_wakers (const PvOptions *options, const PvProfile *profile,
                              const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                              const PvTextSink *sink, GError **error)
{
    g_assert (options != NULL && profile != NULL && symbols != NULL && query != NULL);
    g_auto (PvQuery) own = {0};
    pv_query_copy (&own, query);
    if (!choose_measure (options, profile, &own, error))
        return false;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (profile, symbols, &own, NULL, NULL, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvWakers) wakers = pv_wakers_build (tree, NULL);
    const PvMeasure *measure = &profile->measures[own.measure];
    bool is_json = format == PV_FORMAT_JSON;
    if (format == PV_FORMAT_TEXT && wakers->total == 0) {
        pv_print_append_nothing_matches (sink->text, profile);
        return true;
    }
    if (is_json) {
        pv_print_append_members (sink->text, measure, wakers->total);
        g_string_append (sink->text, "\"wakers\": ");
    } else if (format == PV_FORMAT_TSV && options->has_header) {
        pv_print_append_header (sink->text, measure, wakers->total);
    }
    append_wakers (options, profile, tree->symbols, measure, wakers, format, sink);
    if (is_json)
        g_string_append (sink->text, "}\n");
    return true;
}
