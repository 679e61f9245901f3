/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/event-report.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/analyze/tables/calls.h"
#include "core/analyze/tables/marks.h"
#include "core/analyze/tables/wakers.h"
#include "export/report/print-parts.h"

enum { TEXT_ROWS = 50 };

static uint32_t
get_limit (const PvExportOptions *options, PvFormat format)
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
append_wakers (const PvExportOptions *options, const PvProfile *profile,
               const PvSymbolTable *symbols, const PvMeasure *measure, const PvWakers *wakers,
               PvFormat format, const PvTextSink *sink)
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
        pv_table_set_max_width (table, options->terminal_width);
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

/* Keeps the query's measure if it is of waits; else finds one, unless the user named another. */
static bool
choose_measure (const PvExportOptions *options, const PvProfile *profile, PvQuery *query,
                GError **error)
{
    if (pv_wakers_can_build (profile, query->measure))
        return true;
    PvMeasureId found = pv_wakers_find_measure (profile);
    if (found != UINT32_MAX && !options->has_measure) {
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
pv_event_report_write_wakers (const PvExportOptions *options, const PvProfile *profile,
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
    } else if (pv_format_has_cells (format) && options->has_header) {
        pv_print_append_header (format, sink->text, measure, wakers->total);
    }
    append_wakers (options, profile, tree->symbols, measure, wakers, format, sink);
    if (is_json)
        g_string_append (sink->text, "}\n");
    return true;
}

/* Marks */

enum { MARK_COLUMNS = 6 };

/* The requested events: that of the query's measure, or all if none was named. */
static PvMarks *
open_marks (const PvExportOptions *options, const PvProfile *profile, const PvSymbolTable *symbols,
            const PvQuery *query, GError **error)
{
    bool all = !options->has_measure;
    bool has_any = false;
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        has_any |= pv_marks_can_build (profile, m);
    if (has_any && (all || pv_marks_can_build (profile, query->measure)))
        return pv_marks_new (profile, symbols, query, all, NULL, error);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--print=marks: %s",
                 has_any ? _ ("--measure must name an event that has fields")
                         : _ ("this profile has no events with fields, such as tracepoints"));
    return NULL;
}

/* The only set of fields; NULL if several events have some. */
static const PvFields *
get_only_fields (const PvExportOptions *options, const PvProfile *profile, const PvQuery *query)
{
    const PvFields *only = NULL;
    for (PvMeasureId m = 0; m < profile->n_measures; m++) {
        bool is_wanted = !options->has_measure || m == query->measure;
        if (!is_wanted || !pv_marks_can_build (profile, m))
            continue;
        if (only != NULL)
            return NULL;
        only = pv_profile_get_measure_set (profile, m)->fields;
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
add_mark (PvTable *table, const PvProfile *profile, const PvMark *mark, bool is_text,
          const PvFields *only)
{
    const PvSampleSet *set = mark->set;
    PvThreadId thread = pv_sample_set_thread (set, mark->sample);
    uint64_t time_ns = pv_sample_set_time_ns (set, mark->sample);
    uint16_t cpu = pv_sample_set_cpu (set, mark->sample);
    g_autofree char *number = cpu != PV_CPU_UNKNOWN ? g_strdup_printf ("%u", cpu) : NULL;
    size_t size = 0;
    const uint8_t *data = pv_sample_set_get_record (set, mark->sample, &size);
    uint64_t since_ns = time_ns - MIN (profile->start_ns, time_ns);
    if (is_text) {
        g_autofree char *name = pv_format_thread (profile, thread);
        g_autofree char *time = pv_format_decimals ((double)since_ns / 1e6, 6);
        pv_table_add_text (table, time);
        pv_table_add_text (table, name);
    } else {
        pv_table_add_number (table, since_ns);
        add_thread (table, profile, thread);
    }
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
make_mark_table (const PvFields *only, bool is_text, char **names)
{
    const PvTableColumn for_people[] = {
        {.id = "", .title = _ ("Time in ms"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Thread")},
        {.id = "", .title = _ ("CPU"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Event")},
    };
    const PvTableColumn for_programs[MARK_COLUMNS] = {
        {.id = "time_ns", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "process", .title = ""},
        {.id = "thread", .title = ""},
        {.id = "tid", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "cpu", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "event", .title = ""},
    };
    uint32_t n_first = is_text ? G_N_ELEMENTS (for_people) : MARK_COLUMNS;
    uint32_t n_fields = only != NULL ? only->n_fields : 1;
    g_autofree PvTableColumn *columns = g_new0 (PvTableColumn, n_first + n_fields);
    memcpy (columns, is_text ? for_people : for_programs, n_first * sizeof *columns);
    for (uint32_t i = 0; i < n_fields; i++) {
        bool is_number = only != NULL && pv_field_is_number (&only->fields[i]);
        const char *name = only != NULL ? only->fields[i].name : "fields";
        names[i] = g_strdup (name);
        for (uint32_t c = 0; c < n_first + i; c++)
            if (strcmp (columns[c].id, names[i]) == 0) {
                g_autofree char *taken = names[i];
                names[i] = g_strconcat (taken, "_", NULL);
                c = UINT32_MAX; /* from the start */
            }
        columns[n_first + i] = (PvTableColumn){
            .id = names[i],
            .title = only != NULL ? names[i] : _ ("Fields"),
            .kind = is_number ? PV_CELL_FIGURE : PV_CELL_TEXT,
        };
    }
    return pv_table_new (columns, n_first + n_fields);
}

static void
append_marks (const PvExportOptions *options, const PvProfile *profile, PvMarks *marks,
              const PvFields *only, PvFormat format, const PvTextSink *sink)
{
    bool is_text = format == PV_FORMAT_TEXT;
    g_auto (GStrv) names = g_new0 (char *, (only != NULL ? only->n_fields : 1) + 1);
    g_autoptr (PvTable) table = make_mark_table (only, is_text, names);
    uint32_t n_marks = 0, limit = get_limit (options, format);
    PvMark mark;
    if (is_text)
        pv_table_set_max_width (table, options->terminal_width);
    pv_table_begin (table, format, sink);
    for (; pv_marks_next (marks, &mark); n_marks++)
        if (n_marks < limit)
            add_mark (table, profile, &mark, is_text, only);
    pv_table_end (table);
    if (is_text)
        pv_print_append_rest (sink->text, options, MIN (n_marks, limit), n_marks);
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
has_number (const PvExportOptions *options, const PvProfile *profile)
{
    for (PvMeasureId m = 0; m < profile->n_measures; m++) {
        const PvField *field =
            pv_marks_can_build (profile, m)
                ? pv_fields_find (pv_profile_get_measure_set (profile, m)->fields,
                                  options->sum_field)
                : NULL;
        if (field != NULL && pv_field_is_number (field))
            return true;
    }
    return false;
}

static bool
append_sums (const PvExportOptions *options, const PvProfile *profile, PvMarks *marks,
             PvFormat format, const PvTextSink *sink, GError **error)
{
    const PvTableColumn columns[] = {
        {.id = "event", .title = _ ("Event")},
        {.id = "process", .title = _ ("Process")},
        {.id = "thread", .title = _ ("Thread")},
        {.id = "tid", .title = _ ("TID"), .kind = PV_CELL_FIGURE},
        {.id = "marks", .title = _ ("Marks"), .kind = PV_CELL_NUMBER},
        {.id = "sum", .title = _ ("Sum"), .kind = PV_CELL_FIGURE},
        {.id = "min", .title = _ ("Min"), .kind = PV_CELL_FIGURE},
        {.id = "max", .title = _ ("Max"), .kind = PV_CELL_FIGURE},
    };
    uint32_t n_sums, limit = get_limit (options, format);
    g_autofree PvMarkSum *sums = pv_marks_sum_up (marks, options->sum_field, &n_sums);
    if (n_sums == 0 && !has_number (options, profile)) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                     _ ("--sum: no event has the numeric field “%s”"), options->sum_field);
        return false;
    }
    if (n_sums == 0 && format == PV_FORMAT_TEXT) {
        pv_print_append_nothing_matches (sink->text, profile);
        return true;
    }
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    pv_table_begin (table, format, sink);
    for (uint32_t i = 0; i < MIN (n_sums, limit); i++) {
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
    pv_table_end (table);
    if (format == PV_FORMAT_TEXT)
        pv_print_append_rest (sink->text, options, MIN (n_sums, limit), n_sums);
    return true;
}

bool
pv_event_report_write_marks (const PvExportOptions *options, const PvProfile *profile,
                             const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                             const PvTextSink *sink, GError **error)
{
    g_assert (options != NULL && profile != NULL && symbols != NULL && query != NULL);
    g_autoptr (PvMarks) marks = open_marks (options, profile, symbols, query, error);
    if (marks == NULL)
        return false;
    if (options->sum_field != NULL)
        return append_sums (options, profile, marks, format, sink, error);
    append_marks (options, profile, marks, get_only_fields (options, profile, query), format, sink);
    return true;
}

/* System calls */

static void
append_calls (const PvExportOptions *options, const PvProfile *profile, const PvCalls *calls,
              PvFormat format, const PvTextSink *sink)
{
    bool is_text = format == PV_FORMAT_TEXT;
    const PvTableColumn columns[] = {
        {.id = "process", .title = _ ("Process")},
        {.id = "thread", .title = _ ("Thread")},
        {.id = "tid", .title = _ ("TID"), .kind = PV_CELL_FIGURE},
        {.id = "syscall", .title = _ ("System Call")},
        {.id = "calls", .title = _ ("Calls"), .kind = PV_CELL_NUMBER},
        {.id = "errors", .title = _ ("Errors"), .kind = PV_CELL_NUMBER},
        {.id = "total_ns", .title = _ ("Total"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_NS},
        {.id = "min_ns", .title = _ ("Min"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_NS},
        {.id = "avg_ns", .title = _ ("Average"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_NS},
        {.id = "max_ns", .title = _ ("Max"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_NS},
    };
    uint32_t n_shown = MIN (calls->n_rows, get_limit (options, format));
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    if (is_text)
        pv_table_set_max_width (table, options->terminal_width);
    pv_table_begin (table, format, sink);
    for (uint32_t r = 0; r < n_shown; r++) {
        const PvCallRow *row = &calls->rows[r];
        add_thread (table, profile, row->thread);
        pv_table_add_text (table, row->name);
        pv_table_add_number (table, row->n_calls);
        pv_table_add_number (table, row->n_errors);
        pv_table_add_number (table, row->weight);
        pv_table_add_number (table, row->min_ns);
        pv_table_add_number (table, row->sum_ns / row->n_calls);
        pv_table_add_number (table, row->max_ns);
    }
    pv_table_end (table);
    if (is_text)
        pv_print_append_rest (sink->text, options, n_shown, calls->n_rows);
}

/* How many calls of each name took how long, by powers of two. */
static void
append_histogram (const PvExportOptions *options, const PvCalls *calls, PvFormat format,
                  const PvTextSink *sink)
{
    enum { BAR = 40 };
    bool is_text = format == PV_FORMAT_TEXT;
    const PvTableColumn columns[] = {
        {.id = "syscall", .title = _ ("System Call")},
        {.id = "from_ns", .title = _ ("From"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_NS},
        {.id = "to_ns", .title = _ ("To"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_NS},
        {.id = "calls", .title = _ ("Calls"), .kind = PV_CELL_NUMBER},
        {.id = "weight", .title = _ ("Total"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_NS},
        {.id = "", .title = ""},
    };
    uint32_t n_shown = MIN (calls->n_bins, get_limit (options, format)), most = 1;
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns) - !is_text);
    for (uint32_t b = 0; b < n_shown; b++)
        most = MAX (most, calls->bins[b].n_calls);
    pv_table_begin (table, format, sink);
    for (uint32_t b = 0; b < n_shown; b++) {
        const PvCallBin *bin = &calls->bins[b];
        uint64_t from_ns = (uint64_t)1 << bin->exponent;
        pv_table_add_text (table, bin->name);
        pv_table_add_number (table, from_ns);
        pv_table_add_number (table, bin->exponent < 63 ? 2 * from_ns : UINT64_MAX);
        pv_table_add_number (table, bin->n_calls);
        pv_table_add_number (table, bin->weight);
        if (!is_text)
            continue;
        g_autoptr (GString) bar = g_string_new (NULL);
        for (uint64_t i = 0; i < ((uint64_t)bin->n_calls * BAR + most - 1) / most; i++)
            g_string_append (bar, "█");
        pv_table_add_text (table, bar->str);
    }
    pv_table_end (table);
    if (is_text)
        pv_print_append_rest (sink->text, options, n_shown, calls->n_bins);
}

bool
pv_event_report_write_calls (const PvExportOptions *options, const PvProfile *profile,
                             const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                             const PvTextSink *sink, GError **error)
{
    g_assert (options != NULL && profile != NULL && symbols != NULL && query != NULL);
    g_auto (PvQuery) own = {0};
    pv_query_copy (&own, query);
    own.measure = pv_calls_find_measure (profile);
    if (own.measure == UINT32_MAX) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--print=syscalls: %s",
                     _ ("this profile has no system calls; record them with perf record -e "
                        "raw_syscalls:sys_enter -e raw_syscalls:sys_exit -g"));
        return false;
    }
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (profile, symbols, &own, NULL, NULL, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvCalls) calls = pv_calls_build (tree, NULL);
    if (format == PV_FORMAT_TEXT && calls->total == 0) {
        pv_print_append_nothing_matches (sink->text, profile);
        return true;
    }
    const PvMeasure *measure = &profile->measures[own.measure];
    if (format == PV_FORMAT_JSON) {
        pv_print_append_members (sink->text, measure, calls->total);
        g_string_append (sink->text, options->is_histogram ? "\"histogram\": " : "\"calls\": ");
    } else if (pv_format_has_cells (format) && options->has_header) {
        pv_print_append_header (format, sink->text, measure, calls->total);
    }
    if (options->is_histogram)
        append_histogram (options, calls, format, sink);
    else
        append_calls (options, profile, calls, format, sink);
    if (format == PV_FORMAT_JSON)
        g_string_append (sink->text, "}\n");
    return true;
}
