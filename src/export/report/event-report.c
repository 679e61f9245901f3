/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/event-report.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/analyze/tables/calls.h"
#include "core/analyze/tables/marks.h"
#include "core/analyze/tables/wakers.h"
#include "export/report/print-parts.h"

/* --- wakers --- */

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
add_waker (PvTable *table, const PvReport *report, const PvSymbolTable *symbols,
           const PvWakerRow *row)
{
    const PvProfile *profile = report->profile;
    const char *nobody = row->state == 'R'   ? C_ ("waker", "(preempted)")
                         : row->is_interrupt ? C_ ("waker", "(interrupt)")
                                             : _ ("(not recorded)");
    g_autofree char *thread = pv_format_thread (profile, row->thread);
    g_autofree char *waker =
        row->waker != 0 ? pv_format_thread (profile, row->waker) : g_strdup (nobody);
    g_autofree char *functions = join_functions (symbols, row->functions, false);
    g_autofree char *label = join_functions (symbols, row->functions, true);
    pv_table_add_number (table, row->weight);
    pv_table_add_number (table, row->weight);
    pv_table_add_number (table, row->n_waits);
    pv_table_add_text (table, thread);
    add_thread (table, profile, row->thread);
    add_state (table, row->state);
    pv_table_add_text (table, waker);
    add_thread (table, profile, row->waker);
    pv_table_add_name (table, functions, label);
    pv_table_add_number (table, row->n_waits);
    pv_table_add_number (table, row->weight);
}

static void
append_wakers (const PvReport *report, const PvSymbolTable *symbols, const PvWakers *wakers)
{
    const PvTableColumn columns[] = {
        {.title = C_ ("column", "Share"), .kind = PV_CELL_PERCENT, .whole = wakers->total},
        {.title = C_ ("column", "Waited"), .kind = PV_CELL_AMOUNT, .unit = report->unit},
        {.title = C_ ("column", "Waits"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_COUNT},
        {.title = C_ ("column", "Thread")},
        {.id = "process"},
        {.id = "thread"},
        {.id = "tid", .kind = PV_CELL_FIGURE},
        /* Translators: a letter, such as D, as in the column STAT of ps */
        {.id = "state", .title = C_ ("column", "State")},
        {.title = _ ("Woken by")},
        {.id = "waker_process"},
        {.id = "waker"},
        {.id = "waker_tid", .kind = PV_CELL_FIGURE},
        {.id = "functions", .title = C_ ("column", "In")},
        {.id = "waits", .kind = PV_CELL_NUMBER},
        {.id = "weight", .kind = PV_CELL_NUMBER},
    };
    PvTable *table = pv_report_begin_rows (report, "wakers", columns, G_N_ELEMENTS (columns));
    uint32_t n_rows = 0;
    while (n_rows < wakers->n_rows && (double)wakers->rows[n_rows].weight >= report->min_weight)
        n_rows++;
    for (uint32_t r = 0; r < MIN (n_rows, report->max_rows); r++)
        add_waker (table, report, symbols, &wakers->rows[r]);
    pv_report_end_rows (report, "wakers", table, n_rows);
}

/* The query's measure if it is of waits; else another, unless the user named one. UINT32_MAX with
 * an error. */
static PvMeasureId
choose_measure (const PvReport *report, GError **error)
{
    if (pv_wakers_can_build (report->profile, report->query->measure))
        return report->query->measure;
    const PvMeasureId found = pv_wakers_find_measure (report->profile);
    if (found != UINT32_MAX && !report->options->has_measure)
        return found;
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--print=wakers: %s",
                 found != UINT32_MAX
                     ? _ ("needs a measure of waits, such as --measure=off-cpu")
                     : _ ("this profile has no waits; record them with perf record -e "
                          "sched:sched_switch -e sched:sched_waking -g"));
    return UINT32_MAX;
}

/* Stacks of another measure than the query's, which the report is of from now on. NULL with an
 * error. */
static PvCallTree *
build_stacks (PvReport *report, PvMeasureId measure, PvQuery *query, GError **error)
{
    pv_query_copy (query, report->query);
    query->measure = measure;
    report->query = query;
    report->unit = report->profile->measures[measure].unit;
    return pv_call_tree_build_stacks (report->profile, report->symbols, query, NULL, NULL, error);
}

bool
pv_event_report_write_wakers (const PvReport *report, GError **error)
{
    g_assert (report != NULL);
    g_auto (PvQuery) query = {0};
    PvReport own = *report;
    const PvMeasureId measure = choose_measure (report, error);
    g_autoptr (PvCallTree) tree =
        measure != UINT32_MAX ? build_stacks (&own, measure, &query, error) : NULL;
    if (tree == NULL)
        return false;
    g_autoptr (PvWakers) wakers = pv_wakers_build (tree, NULL);
    pv_report_set_whole (&own, wakers->total);
    if (pv_report_append_nothing_matches (&own))
        return true;
    pv_report_begin (&own);
    append_wakers (&own, tree->symbols, wakers);
    return true;
}

/* --- marks --- */

/* The requested events: that of the query's measure, or all if none was named. */
static PvMarks *
open_marks (const PvReport *report, GError **error)
{
    const PvProfile *profile = report->profile;
    const bool all = !report->options->has_measure;
    bool has_any = false;
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        has_any |= pv_marks_can_build (profile, m);
    if (has_any && (all || pv_marks_can_build (profile, report->query->measure)))
        return pv_marks_new (profile, report->symbols, report->query, all, NULL, error);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--print=marks: %s",
                 has_any ? _ ("--measure must name an event that has fields")
                         : _ ("this profile has no events with fields, such as tracepoints"));
    return NULL;
}

/* The only set of fields; NULL if several events have some. */
static const PvFields *
get_only_fields (const PvReport *report)
{
    const PvFields *only = NULL;
    for (PvMeasureId m = 0; m < report->profile->n_measures; m++) {
        bool is_wanted = !report->options->has_measure || m == report->query->measure;
        if (!is_wanted || !pv_marks_can_build (report->profile, m))
            continue;
        if (only != NULL)
            return NULL;
        only = pv_profile_get_measure_set (report->profile, m)->fields;
    }
    return only;
}

/* "name=value name=value" */
static char *
join_fields (const PvFields *fields, const uint8_t *data, size_t size)
{
    GString *text = g_string_new (NULL);
    for (uint32_t i = 0; data != NULL && i < fields->n_fields; i++) {
        g_string_append_printf (text, "%s%s=", i > 0 ? " " : "", fields->fields[i].name);
        pv_field_append (text, &fields->fields[i], data, size, fields->swap);
    }
    return g_string_free (text, FALSE);
}

static void
add_mark (PvTable *table, const PvReport *report, const PvMark *mark, const PvFields *only)
{
    const PvProfile *profile = report->profile;
    const PvSampleSet *set = mark->set;
    PvThreadId thread = pv_sample_set_thread (set, mark->sample);
    uint64_t time_ns = pv_sample_set_time_ns (set, mark->sample);
    uint16_t cpu = pv_sample_set_cpu (set, mark->sample);
    g_autofree char *number = cpu != PV_CPU_UNKNOWN ? g_strdup_printf ("%u", cpu) : NULL;
    size_t size = 0;
    const uint8_t *data = pv_sample_set_get_record (set, mark->sample, &size);
    uint64_t since_ns = time_ns - MIN (profile->start_ns, time_ns);
    g_autofree char *name = NULL, *time = NULL;
    if (pv_report_is_text (report)) {
        name = pv_format_thread (profile, thread);
        time = pv_format_decimals ((double)since_ns / 1e6, 6);
    }
    pv_table_add_text (table, time);
    pv_table_add_text (table, name);
    pv_table_add_number (table, since_ns);
    add_thread (table, profile, thread);
    pv_table_add_text (table, number);
    pv_table_add_text (table, set->name);
    if (only == NULL) {
        g_autofree char *fields = join_fields (set->fields, data, size);
        pv_table_add_text (table, fields);
        return;
    }
    for (uint32_t i = 0; i < only->n_fields; i++) {
        g_autoptr (GString) value = g_string_new (NULL);
        const PvField *field = &only->fields[i];
        uint64_t unused;
        bool has_value =
            data != NULL && (!pv_field_is_number (field) ||
                             pv_field_get_number (field, data, size, only->swap, &unused));
        if (has_value)
            pv_field_append (value, field, data, size, only->swap);
        pv_table_add_text (table, has_value ? value->str : NULL);
    }
}

/* A column for each field, under its name, or one for all; names that another column has are told
 * apart by "_" at their end. */
static PvTable *
begin_marks (const PvReport *report, const PvFields *only, char **names)
{
    const PvTableColumn first[] = {
        {.title = _ ("Time in ms"), .kind = PV_CELL_FIGURE},
        {.title = C_ ("column", "Thread")},
        {.id = "time_ns", .kind = PV_CELL_NUMBER},
        {.id = "process"},
        {.id = "thread"},
        {.id = "tid", .kind = PV_CELL_FIGURE},
        {.id = "cpu", .title = C_ ("column", "CPU"), .kind = PV_CELL_FIGURE},
        {.id = "event", .title = C_ ("column", "Event")},
    };
    const uint32_t n_first = G_N_ELEMENTS (first), n_fields = only != NULL ? only->n_fields : 1;
    const uint32_t from = pv_report_is_text (report) ? n_first : 0; /* titles may be the same */
    g_autofree PvTableColumn *columns = g_new0 (PvTableColumn, n_first + n_fields);
    memcpy (columns, first, sizeof first);
    for (uint32_t i = 0; i < n_fields; i++) {
        bool is_number = only != NULL && pv_field_is_number (&only->fields[i]);
        names[i] = g_strdup (only != NULL ? only->fields[i].name : "fields");
        for (uint32_t c = from; c < n_first + i; c++)
            if (g_strcmp0 (columns[c].id, names[i]) == 0) {
                g_autofree char *taken = names[i];
                names[i] = g_strconcat (taken, "_", NULL);
                c = from - 1; /* from the start */
            }
        columns[n_first + i] = (PvTableColumn){
            .id = names[i],
            .title = only != NULL ? names[i] : C_ ("column", "Fields"),
            .kind = is_number ? PV_CELL_FIGURE : PV_CELL_TEXT,
        };
    }
    return pv_report_begin_rows (report, NULL, columns, n_first + n_fields);
}

static void
append_marks (const PvReport *report, PvMarks *marks)
{
    const PvFields *only = get_only_fields (report);
    g_auto (GStrv) names = g_new0 (char *, (only != NULL ? only->n_fields : 1) + 1);
    PvTable *table = begin_marks (report, only, names);
    uint32_t n_marks = 0;
    PvMark mark;
    for (; pv_marks_next (marks, &mark); n_marks++)
        if (n_marks < report->max_rows)
            add_mark (table, report, &mark, only);
    pv_report_end_rows (report, NULL, table, n_marks);
}

static void
add_signed (PvTable *table, const PvMarkSum *sum, uint64_t number)
{
    g_autofree char *text = sum->is_signed ? g_strdup_printf ("%" G_GINT64_FORMAT, (int64_t)number)
                                           : g_strdup_printf ("%" G_GUINT64_FORMAT, number);
    pv_table_add_text (table, text);
}

/* True if any event has the numeric field to sum up, even one that the query leaves out. */
static bool
has_number (const PvReport *report)
{
    for (PvMeasureId m = 0; m < report->profile->n_measures; m++) {
        const PvField *field =
            pv_marks_can_build (report->profile, m)
                ? pv_fields_find (pv_profile_get_measure_set (report->profile, m)->fields,
                                  report->options->sum_field)
                : NULL;
        if (field != NULL && pv_field_is_number (field))
            return true;
    }
    return false;
}

static bool
append_sums (const PvReport *report, PvMarks *marks, GError **error)
{
    const PvTableColumn columns[] = {
        {.id = "event", .title = C_ ("column", "Event")},
        {.id = "process", .title = C_ ("column", "Process")},
        {.id = "thread", .title = C_ ("column", "Thread")},
        {.id = "tid", .title = C_ ("column", "TID"), .kind = PV_CELL_FIGURE},
        {.id = "marks", .title = C_ ("column", "Marks"), .kind = PV_CELL_NUMBER},
        {.id = "sum", .title = C_ ("column", "Sum"), .kind = PV_CELL_FIGURE},
        {.id = "min", .title = C_ ("column", "Min"), .kind = PV_CELL_FIGURE},
        {.id = "max", .title = C_ ("column", "Max"), .kind = PV_CELL_FIGURE},
    };
    const PvProfile *profile = report->profile;
    uint32_t n_sums;
    g_autofree PvMarkSum *sums = pv_marks_sum_up (marks, report->options->sum_field, &n_sums);
    if (n_sums == 0 && !has_number (report)) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                     _ ("--sum: no event has the numeric field “%s”"), report->options->sum_field);
        return false;
    }
    if (n_sums == 0 && pv_report_is_text (report)) {
        pv_print_append_nothing_matches (report->sink->text, profile, report->symbols,
                                         report->query);
        return true;
    }
    PvTable *table = pv_report_begin_rows (report, NULL, columns, G_N_ELEMENTS (columns));
    pv_table_set_max_width (table, 0);
    for (uint32_t i = 0; i < MIN (n_sums, report->max_rows); i++) {
        const PvMarkSum *sum = &sums[i];
        pv_table_add_text (table, profile->sets[profile->measures[sum->measure].set].name);
        add_thread (table, profile, sum->thread);
        pv_table_add_number (table, sum->n_marks);
        if (sum->is_too_large)
            pv_table_add_text (table, NULL);
        else
            add_signed (table, sum, sum->sum);
        add_signed (table, sum, sum->min);
        add_signed (table, sum, sum->max);
    }
    pv_report_end_rows (report, NULL, table, n_sums);
    return true;
}

bool
pv_event_report_write_marks (const PvReport *report, GError **error)
{
    g_assert (report != NULL);
    g_autoptr (PvMarks) marks = open_marks (report, error);
    if (marks == NULL)
        return false;
    if (report->options->sum_field != NULL)
        return append_sums (report, marks, error);
    append_marks (report, marks);
    return true;
}

/* --- system calls --- */

static void
append_calls (const PvReport *report, const PvCalls *calls)
{
    const PvTableColumn columns[] = {
        {.id = "process", .title = C_ ("column", "Process")},
        {.id = "thread", .title = C_ ("column", "Thread")},
        {.id = "tid", .title = C_ ("column", "TID"), .kind = PV_CELL_FIGURE},
        {.id = "syscall", .title = _ ("System Call")},
        {.id = "calls", .title = C_ ("column", "Calls"), .kind = PV_CELL_NUMBER},
        {.id = "errors", .title = C_ ("column", "Errors"), .kind = PV_CELL_NUMBER},
        {.id = "total_ns",
         .title = C_ ("column", "Total"),
         .kind = PV_CELL_AMOUNT,
         .unit = PV_UNIT_NS},
        {.id = "min_ns", .title = C_ ("column", "Min"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_NS},
        {.id = "avg_ns",
         .title = C_ ("column", "Average"),
         .kind = PV_CELL_AMOUNT,
         .unit = PV_UNIT_NS},
        {.id = "max_ns", .title = C_ ("column", "Max"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_NS},
    };
    PvTable *table = pv_report_begin_rows (report, "calls", columns, G_N_ELEMENTS (columns));
    for (uint32_t r = 0; r < MIN (calls->n_rows, report->max_rows); r++) {
        const PvCallRow *row = &calls->rows[r];
        add_thread (table, report->profile, row->thread);
        pv_table_add_text (table, row->name);
        pv_table_add_number (table, row->n_calls);
        pv_table_add_number (table, row->n_errors);
        pv_table_add_number (table, row->weight);
        pv_table_add_number (table, row->min_ns);
        pv_table_add_number (table, row->sum_ns / row->n_calls);
        pv_table_add_number (table, row->max_ns);
    }
    pv_report_end_rows (report, "calls", table, calls->n_rows);
}

/* How many calls of each name took how long, by powers of two. */
static void
append_histogram (const PvReport *report, const PvCalls *calls)
{
    enum { BAR = 40 };
    const PvTableColumn columns[] = {
        {.id = "syscall", .title = _ ("System Call")},
        {.id = "from_ns",
         .title = C_ ("column", "From"),
         .kind = PV_CELL_AMOUNT,
         .unit = PV_UNIT_NS},
        {.id = "to_ns", .title = C_ ("column", "To"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_NS},
        {.id = "calls", .title = C_ ("column", "Calls"), .kind = PV_CELL_NUMBER},
        {.id = "weight",
         .title = C_ ("column", "Total"),
         .kind = PV_CELL_AMOUNT,
         .unit = PV_UNIT_NS},
        {.title = ""},
    };
    uint32_t n_shown = MIN (calls->n_bins, report->max_rows), most = 1;
    for (uint32_t b = 0; b < n_shown; b++)
        most = MAX (most, calls->bins[b].n_calls);
    PvTable *table = pv_report_begin_rows (report, "histogram", columns, G_N_ELEMENTS (columns));
    pv_table_set_max_width (table, 0);
    for (uint32_t b = 0; b < n_shown; b++) {
        const PvCallBin *bin = &calls->bins[b];
        const uint64_t from_ns = (uint64_t)1 << bin->exponent;
        g_autoptr (GString) bar = g_string_new (NULL);
        for (uint64_t i = 0; i < ((uint64_t)bin->n_calls * BAR + most - 1) / most; i++)
            g_string_append (bar, "█");
        pv_table_add_text (table, bin->name);
        pv_table_add_number (table, from_ns);
        pv_table_add_number (table, bin->exponent < 63 ? 2 * from_ns : UINT64_MAX);
        pv_table_add_number (table, bin->n_calls);
        pv_table_add_number (table, bin->weight);
        pv_table_add_text (table, bar->str);
    }
    pv_report_end_rows (report, "histogram", table, calls->n_bins);
}

bool
pv_event_report_write_calls (const PvReport *report, GError **error)
{
    g_assert (report != NULL);
    g_auto (PvQuery) query = {0};
    PvReport own = *report;
    const PvMeasureId measure = pv_calls_find_measure (report->profile);
    if (measure == UINT32_MAX) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--print=syscalls: %s",
                     _ ("this profile has no system calls; record them with perf record -e "
                        "raw_syscalls:sys_enter -e raw_syscalls:sys_exit -g"));
        return false;
    }
    g_autoptr (PvCallTree) tree = build_stacks (&own, measure, &query, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvCalls) calls = pv_calls_build (tree, NULL);
    pv_report_set_whole (&own, calls->total);
    if (pv_report_append_nothing_matches (&own))
        return true;
    pv_report_begin (&own);
    (own.options->is_histogram ? append_histogram : append_calls) (&own, calls);
    return true;
}
