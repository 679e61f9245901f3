/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/timeline.h"

#include <glib/gi18n.h>

#include "core/analyze/time/phases.h"
#include "core/analyze/time/time-bins.h"
#include "core/base/array.h"
#include "export/report/print-parts.h"

enum {
    CELLS_AT_ONCE = 1 << 22, /* bins of so many rows are in memory */
    MIN_BINS = 20,           /* of text that has to fit a terminal ... */
    WIDTH_OF_NAMES = 50,     /* ... beside names that are cut */
    WIDTH_OF_AMOUNTS = 120,  /* a narrower one has no room for them */
};

typedef struct {
    PvReport report; /* its whole: of all rows in the requested time */
    const PvTimeIndex *index;
    PvTimeView view;
    PvTable *table;
    uint64_t without_time; /* weight in no bin; 0 if the query has a time */
    uint64_t highest;      /* bin of the printed rows */
    uint64_t *weight_of_row;
    PV_ARRAY (uint32_t) rows; /* to be printed */
} Timeline;

/* Rows */

static void
weigh_rows (Timeline *self)
{
    const PvTimeView view = {self->view.start_ns, self->view.end_ns, .n_bins = 1};
    g_autoptr (PvTimeBins) bins = pv_time_bins_build (self->index, &view, NULL);
    uint64_t whole = 0;
    self->weight_of_row = g_new (uint64_t, MAX (bins->n_rows, 1));
    for (uint32_t row = 0; row < bins->n_rows; row++) {
        self->weight_of_row[row] = pv_time_bins_sum (bins, row, 0);
        whole += self->weight_of_row[row];
    }
    pv_report_set_whole (&self->report, whole);
}

static void
choose_rows (Timeline *self)
{
    const uint64_t min_weight = (uint64_t)self->report.min_weight;
    for (uint32_t row = 0; row < self->index->n_rows; row++) {
        /* Threads that have no samples at all are told, those without any at this time are not. */
        bool is_bare = self->index->rows[row].weight == 0 && min_weight == 0;
        if (is_bare || self->weight_of_row[row] >= MAX (min_weight, 1))
            pv_array_push (&self->rows, row);
    }
}

/* Calls for each row to be printed, in order, up to max_rows; place is that in the bins. */
typedef void (*RowFunc) (Timeline *self, uint32_t row, const PvTimeBins *bins, uint32_t place);

static void
for_each_row (Timeline *self, size_t max_rows, RowFunc func)
{
    size_t n_rows = MIN (self->rows.len, max_rows);
    size_t n_at_once = MAX (CELLS_AT_ONCE / self->view.n_bins, 1);
    for (size_t first = 0; first < n_rows; first += n_at_once) {
        PvTimeView view = self->view;
        view.rows = self->rows.data + first;
        view.n_rows = (uint32_t)MIN (n_at_once, n_rows - first);
        g_autoptr (PvTimeBins) bins = pv_time_bins_build (self->index, &view, NULL);
        for (uint32_t place = 0; place < view.n_rows; place++)
            func (self, view.rows[place], bins, place);
    }
}

/* Tsv and json */

static void
add_bins (Timeline *self, uint32_t row, const PvTimeBins *bins, uint32_t place)
{
    const PvProfile *profile = self->index->profile;
    const PvThread *thread = &profile->threads[self->index->rows[row].thread];
    for (uint32_t bin = 0; bin < bins->n_bins; bin++) {
        uint64_t weight = pv_time_bins_sum (bins, place, bin);
        if (weight == 0 || pv_table_get_n_rows (self->table) >= self->report.max_rows)
            continue;
        g_autofree char *tid = thread->tid >= 0 ? g_strdup_printf ("%d", thread->tid) : NULL;
        pv_table_add_text (self->table, profile->processes[thread->process].name);
        pv_table_add_text (self->table, thread->name);
        pv_table_add_text (self->table, tid);
        pv_table_add_number (self->table, pv_time_view_get_start (&self->view, bin));
        pv_table_add_number (self->table, pv_time_view_get_start (&self->view, bin + 1));
        pv_table_add_number (self->table, weight);
    }
}

static void
append_bins (Timeline *self)
{
    static const PvTableColumn columns[] = {
        {.id = "process"},
        {.id = "thread"},
        {.id = "tid", .kind = PV_CELL_FIGURE},
        {.id = "start_ns", .kind = PV_CELL_NUMBER},
        {.id = "end_ns", .kind = PV_CELL_NUMBER},
        {.id = "weight", .kind = PV_CELL_NUMBER},
    };
    const PvReport *report = &self->report;
    pv_report_begin (report);
    if (report->format == PV_FORMAT_JSON)
        g_string_append_printf (
            report->sink->text,
            "\"start_ns\": %" G_GUINT64_FORMAT ",\n\"end_ns\": %" G_GUINT64_FORMAT
            ",\n\"bins\": %u,\n\"without_time\": %" G_GUINT64_FORMAT ",\n",
            self->view.start_ns, self->view.end_ns, self->view.n_bins, self->without_time);
    self->table = pv_report_begin_rows (report, "timeline", columns, G_N_ELEMENTS (columns));
    for_each_row (self, SIZE_MAX, add_bins);
    pv_report_end_rows (report, "timeline", self->table, 0);
}

/* Text */

static void
find_highest (Timeline *self, uint32_t row, const PvTimeBins *bins, uint32_t place)
{
    (void)row;
    for (uint32_t bin = 0; bin < bins->n_bins; bin++)
        self->highest = MAX (self->highest, pv_time_bins_sum (bins, place, bin));
}

/* A character for each bin; only bins without weight are blank. */
static char *
make_bar (const Timeline *self, const PvTimeBins *bins, uint32_t place)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    g_autoptr (GString) bar = g_string_new (NULL);
    for (uint32_t bin = 0; bin < bins->n_bins; bin++) {
        uint64_t weight = pv_time_bins_sum (bins, place, bin);
        double height = (double)weight / (double)self->highest * G_N_ELEMENTS (blocks);
        size_t block = height <= 1 ? 0 : MIN ((size_t)(height - 0.5), G_N_ELEMENTS (blocks) - 1);
        g_string_append (bar, weight == 0 ? " " : blocks[block]);
    }
    return g_string_free (g_steal_pointer (&bar), FALSE);
}

static void
add_bar (Timeline *self, uint32_t row, const PvTimeBins *bins, uint32_t place)
{
    const PvTimeRow *row_of_index = &self->index->rows[row];
    g_autofree char *process = pv_format_process (self->index->profile, row_of_index->process);
    g_autofree char *thread = pv_format_thread (self->index->profile, row_of_index->thread);
    g_autofree char *bar = make_bar (self, bins, place);
    pv_table_add_number (self->table, self->weight_of_row[row]);
    pv_table_add_number (self->table, self->weight_of_row[row]);
    pv_table_add_text (self->table, process);
    pv_table_add_text (self->table, thread);
    pv_table_add_text (self->table, bar);
}

/* "0 ns          1.25 s", as wide as a bar. */
static char *
make_axis (const Timeline *self)
{
    g_autofree char *start = pv_format_amount (self->view.start_ns, PV_UNIT_NS);
    g_autofree char *end = pv_format_amount (self->view.end_ns, PV_UNIT_NS);
    glong n_free = (glong)self->view.n_bins - g_utf8_strlen (start, -1) - g_utf8_strlen (end, -1);
    return n_free > 0 ? g_strdup_printf ("%s%*s%s", start, (int)n_free, "", end)
                      : g_strdup_printf ("%s – %s", start, end);
}

static void
append_scale (const Timeline *self, GString *out)
{
    const PvMeasure *measure = pv_report_get_measure (&self->report);
    uint64_t length_ns = self->view.end_ns - self->view.start_ns;
    g_autofree char *width = pv_format_amount (length_ns / self->view.n_bins, PV_UNIT_NS);
    g_autofree char *height = measure->unit == PV_UNIT_COUNT
                                  ? pv_format_short_count (self->highest)
                                  : pv_format_amount (self->highest, measure->unit);
    /* Translators: of a chart made of characters; a time, an amount and the name of a measure */
    g_string_append_printf (out, _ ("Each column is %s; █ stands for %s of %s."), width, height,
                            measure->name);
    g_string_append_c (out, '\n');
    if (self->without_time == 0)
        return;
    g_autofree char *share = pv_format_percent (
        (double)self->without_time, (double)self->without_time + (double)self->report.whole);
    g_string_append_printf (out,
                            /* Translators: a share, such as “1.2 %” */
                            _ ("%s of all has no time and is not shown."), share);
    g_string_append_c (out, '\n');
}

static void
append_bars (Timeline *self)
{
    const PvReport *report = &self->report;
    const bool has_amounts = report->max_width == 0 || report->max_width >= WIDTH_OF_AMOUNTS;
    const size_t n_shown = MIN (self->rows.len, report->max_rows);
    g_autofree char *axis = make_axis (self);
    const PvTableColumn columns[] = {
        {.title = C_ ("column", "Share"), .kind = PV_CELL_PERCENT, .whole = report->whole},
        {.title = has_amounts ? C_ ("column", "Weight") : NULL,
         .kind = PV_CELL_AMOUNT,
         .unit = report->unit},
        {.title = C_ ("column", "Process")},
        {.title = C_ ("column", "Thread")},
        {.title = axis, .kind = PV_CELL_FIGURE},
    };
    for_each_row (self, n_shown, find_highest);
    self->table = pv_report_begin_rows (report, NULL, columns, G_N_ELEMENTS (columns));
    for_each_row (self, n_shown, add_bar);
    pv_report_end_rows (report, NULL, self->table, 0);
    if (self->highest > 0)
        append_scale (self, report->sink->text);
    pv_report_append_rest (report, (uint32_t)n_shown, (uint32_t)self->rows.len);
}

/* All of it */

bool
pv_timeline_check (const char *option, const PvProfile *profile, PvMeasureId measure,
                   GError **error)
{
    g_assert (option != NULL && profile != NULL);
    if (pv_time_index_can_build (profile, measure))
        return true;
    const char *reason = _ ("this profile does not say when its samples were taken");
    if (profile->heap != NULL)
        reason = _ ("a heap trace has charts over time instead: --chart");
    else if (profile->n_dumps > 0)
        reason = _ ("a series has a chart over time instead: --chart=dumps");
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: %s", option, reason);
    return false;
}

/* The end of the recording ends an open range, after its last nanosecond. */
static PvTimeView
make_view (const PvReport *report)
{
    const int n_bins = report->options->n_bins;
    PvTimeView view = {.start_ns = report->query->start_ns,
                       .end_ns = report->query->end_ns,
                       .n_bins = n_bins != 0 ? (uint32_t)n_bins : PV_TIMELINE_BINS_DEFAULT};
    if (view.end_ns == UINT64_MAX)
        view.end_ns = MAX (report->profile->duration_ns + 1, view.start_ns);
    if (n_bins == 0 && report->max_width > 0)
        view.n_bins = CLAMP (report->max_width, MIN_BINS + WIDTH_OF_NAMES,
                             PV_TIMELINE_BINS_DEFAULT + WIDTH_OF_NAMES) -
                      WIDTH_OF_NAMES;
    return view;
}

bool
pv_timeline_write (const PvReport *report, GError **error)
{
    g_assert (report != NULL);
    const PvQuery *query = report->query;
    if (!pv_timeline_check ("--print=timeline", report->profile, query->measure, error))
        return false;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (report->profile, report->symbols, query, NULL, NULL, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvTimeIndex) index = pv_time_index_build (tree, PV_TIME_THREADS, NULL, 1, NULL);
    Timeline self = {.report = *report, .index = index, .view = make_view (report)};
    if (query->start_ns == 0 && query->end_ns == UINT64_MAX)
        self.without_time = index->weight_without_time;
    weigh_rows (&self);
    choose_rows (&self);
    if (!pv_report_append_nothing_matches (&self.report))
        (pv_report_is_text (report) ? append_bars : append_bins) (&self);
    g_free (self.weight_of_row);
    pv_array_clear (&self.rows);
    return true;
}

/* Phases */

static void
add_phase (PvTable *table, const PvPhases *phases, const PvPhase *phase)
{
    const PvFunction *functions = phases->tree->symbols->functions;
    const PvFunction *hottest = phase->function != 0 ? &functions[phase->function] : NULL;
    const PvFunction *typical = phase->typical != 0 ? &functions[phase->typical] : NULL;
    g_autofree char *start = pv_format_amount (phase->start_ns, PV_UNIT_NS);
    g_autofree char *duration = pv_format_amount (phase->end_ns - phase->start_ns, PV_UNIT_NS);
    g_autofree char *percent = pv_format_percent (phase->self_share, 1);
    char share[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd (share, sizeof share, "%.4f", phase->self_share);
    const char *unknown = phase->n_samples == 0 ? _ ("(no samples)") : C_ ("function", "[unknown]");
    pv_table_add_text (table, start);
    pv_table_add_text (table, duration);
    pv_table_add_number (table, phase->weight);
    pv_table_add_text (table, hottest != NULL ? percent : NULL);
    pv_table_add_name (table, hottest != NULL ? hottest->name : unknown,
                       hottest != NULL ? hottest->short_name : NULL);
    pv_table_add_number (table, phase->start_ns);
    pv_table_add_number (table, phase->end_ns);
    pv_table_add_number (table, phase->n_samples);
    pv_table_add_number (table, phase->weight);
    pv_table_add_text (table, hottest != NULL ? hottest->name : NULL);
    pv_table_add_text (table, hottest != NULL ? share : NULL);
    pv_table_add_name (table, typical != NULL ? typical->name : NULL,
                       typical != NULL ? typical->short_name : NULL);
}

static void
append_phases (const PvReport *report, const PvPhases *phases)
{
    const PvTableColumn columns[] = {
        {.title = C_ ("column", "Start"), .kind = PV_CELL_FIGURE},
        {.title = C_ ("column", "Duration"), .kind = PV_CELL_FIGURE},
        {.title = pv_report_get_measure (report)->name,
         .kind = PV_CELL_AMOUNT,
         .unit = report->unit},
        {.title = C_ ("column", "Self"), .kind = PV_CELL_FIGURE},
        {.title = _ ("Hottest Function")},
        {.id = "start_ns", .kind = PV_CELL_NUMBER},
        {.id = "end_ns", .kind = PV_CELL_NUMBER},
        {.id = "samples", .kind = PV_CELL_NUMBER},
        {.id = "weight", .kind = PV_CELL_NUMBER},
        {.id = "function"},
        {.id = "self_share", .kind = PV_CELL_FIGURE},
        /* Translators: what most tells a phase from the others */
        {.id = "typical", .title = _ ("Typical Function")},
    };
    const int limit = report->options->limit;
    const uint32_t max_rows = limit > 0 ? (uint32_t)limit : UINT32_MAX;
    PvTable *table = pv_report_begin_rows (report, "phases", columns, G_N_ELEMENTS (columns));
    for (uint32_t i = 0; i < MIN (phases->n_phases, max_rows); i++)
        add_phase (table, phases, &phases->phases[i]);
    pv_report_end_rows (report, "phases", table, 0);
}

bool
pv_timeline_write_phases (const PvReport *report, GError **error)
{
    g_assert (report != NULL);
    if (!pv_timeline_check ("--print=phases", report->profile, report->query->measure, error))
        return false;
    g_autoptr (PvCallTree) tree = pv_call_tree_build_stacks (report->profile, report->symbols,
                                                             report->query, NULL, NULL, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvPhases) phases = pv_phases_find (tree, NULL);
    PvReport own = *report;
    if (phases->n_phases == 0 && pv_report_append_nothing_matches (&own))
        return true;
    pv_report_set_whole (&own, tree->total[0]);
    pv_report_begin (&own);
    append_phases (&own, phases);
    return true;
}
