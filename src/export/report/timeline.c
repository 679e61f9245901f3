/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/timeline.h"

#include <glib/gi18n.h>

#include "core/analyze/time/phases.h"
#include "core/analyze/time/time-bins.h"
#include "core/base/array.h"
#include "export/report/print-parts.h"

enum {
    TEXT_ROWS = 50,
    CELLS_AT_ONCE = 1 << 22, /* bins of so many rows are in memory */
    MIN_BINS = 20,           /* of text that has to fit a terminal ... */
    WIDTH_OF_NAMES = 50,     /* ... beside names that are cut */
    WIDTH_OF_AMOUNTS = 120,  /* a narrower one has no room for them */
};

typedef struct {
    const PvExportOptions *options;
    const PvTimeIndex *index;
    PvTimeView view;
    PvFormat format;
    PvTable *table;
    const PvMeasure *measure;
    unsigned max_width;    /* of a line of text; 0: unlimited */
    bool has_amounts;      /* in text */
    uint64_t total;        /* of all rows in the requested time */
    uint64_t without_time; /* weight in no bin; 0 if the query has a time */
    uint64_t highest;      /* bin of the printed rows */
    uint64_t *weight_of_row;
    PV_ARRAY (uint32_t) rows; /* to be printed */
} Timeline;

/* Rows */

static void
weigh_rows (Timeline *self)
{
    PvTimeView whole = {self->view.start_ns, self->view.end_ns, .n_bins = 1};
    g_autoptr (PvTimeBins) bins = pv_time_bins_build (self->index, &whole, NULL);
    self->weight_of_row = g_new (uint64_t, MAX (bins->n_rows, 1));
    for (uint32_t row = 0; row < bins->n_rows; row++) {
        self->weight_of_row[row] = pv_time_bins_sum (bins, row, 0);
        self->total += self->weight_of_row[row];
    }
}

static void
choose_rows (Timeline *self)
{
    double percent = self->options->min_percent;
    uint64_t min_weight =
        percent == PV_MIN_PERCENT_DEFAULT ? 0 : (uint64_t)((double)self->total * percent / 100);
    for (uint32_t row = 0; row < self->index->n_rows; row++)
        if (self->weight_of_row[row] >= MAX (min_weight, 1))
            pv_array_push (&self->rows, row);
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

static uint32_t
get_limit (const Timeline *self)
{
    int limit = self->options->limit;
    if (limit == PV_LIMIT_DEFAULT)
        limit = self->format == PV_FORMAT_TEXT ? TEXT_ROWS : 0;
    return limit == 0 ? UINT32_MAX : (uint32_t)limit;
}

static void
add_bins (Timeline *self, uint32_t row, const PvTimeBins *bins, uint32_t place)
{
    const PvProfile *profile = self->index->profile;
    const PvThread *thread = &profile->threads[self->index->rows[row].thread];
    for (uint32_t bin = 0; bin < bins->n_bins; bin++) {
        uint64_t weight = pv_time_bins_sum (bins, place, bin);
        if (weight == 0 || pv_table_get_n_rows (self->table) >= get_limit (self))
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
append_bins (Timeline *self, const PvTextSink *sink)
{
    const PvTableColumn columns[] = {
        {.id = "process", .title = ""},
        {.id = "thread", .title = ""},
        {.id = "tid", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "start_ns", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "end_ns", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "weight", .title = "", .kind = PV_CELL_NUMBER},
    };
    bool is_json = self->format == PV_FORMAT_JSON;
    if (is_json) {
        pv_print_append_members (sink->text, self->measure, self->total);
        g_string_append_printf (
            sink->text,
            "\"start_ns\": %" G_GUINT64_FORMAT ",\n\"end_ns\": %" G_GUINT64_FORMAT
            ",\n\"bins\": %u,\n\"without_time\": %" G_GUINT64_FORMAT ",\n\"timeline\": ",
            self->view.start_ns, self->view.end_ns, self->view.n_bins, self->without_time);
    } else if (self->options->has_header) {
        pv_print_append_header (self->format, sink->text, self->measure, self->total);
    }
    self->table = pv_table_new (columns, G_N_ELEMENTS (columns));
    pv_table_begin (self->table, self->format, sink);
    for_each_row (self, SIZE_MAX, add_bins);
    pv_table_end (self->table);
    if (is_json)
        g_string_append (sink->text, "}\n");
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
    if (self->has_amounts)
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
    uint64_t length_ns = self->view.end_ns - self->view.start_ns;
    g_autofree char *width = pv_format_amount (length_ns / self->view.n_bins, PV_UNIT_NS);
    g_autofree char *height = self->measure->unit == PV_UNIT_COUNT
                                  ? pv_format_short_count (self->highest)
                                  : pv_format_amount (self->highest, self->measure->unit);
    /* Translators: of a chart made of characters; a time, an amount and the name of a measure */
    g_string_append_printf (out, _ ("Each column is %s; █ stands for %s of %s.\n"), width, height,
                            self->measure->name);
    if (self->without_time == 0)
        return;
    g_autofree char *share = pv_format_percent ((double)self->without_time,
                                                (double)self->without_time + (double)self->total);
    g_string_append_printf (out,
                            /* Translators: a share, such as “1.2 %” */
                            _ ("%s of all has no time and is not shown.\n"), share);
}

static void
append_bars (Timeline *self, const PvTextSink *sink)
{
    g_autofree char *axis = make_axis (self);
    const PvTableColumn columns[] = {
        {.id = "", .title = _ ("Share"), .kind = PV_CELL_PERCENT, .whole = self->total},
        {.id = "", .title = _ ("Weight"), .kind = PV_CELL_AMOUNT, .unit = self->measure->unit},
        {.id = "", .title = _ ("Process")},
        {.id = "", .title = _ ("Thread")},
        {.id = "", .title = axis, .kind = PV_CELL_FIGURE},
    };
    PvTableColumn shown[G_N_ELEMENTS (columns)];
    unsigned n_shown = 0;
    for (unsigned c = 0; c < G_N_ELEMENTS (columns); c++)
        if (c != 1 || self->has_amounts)
            shown[n_shown++] = columns[c];
    for_each_row (self, get_limit (self), find_highest);
    self->table = pv_table_new (shown, n_shown);
    pv_table_set_max_width (self->table, self->max_width);
    pv_table_begin (self->table, PV_FORMAT_TEXT, sink);
    for_each_row (self, get_limit (self), add_bar);
    uint32_t n_rows = pv_table_get_n_rows (self->table);
    pv_table_end (self->table);
    if (self->highest > 0)
        append_scale (self, sink->text);
    pv_print_append_rest (sink->text, self->options, n_rows, (uint32_t)self->rows.len);
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
make_view (const Timeline *self, const PvProfile *profile, const PvQuery *query)
{
    PvTimeView view = {.start_ns = query->start_ns,
                       .end_ns = query->end_ns,
                       .n_bins = (uint32_t)self->options->n_bins};
    if (view.end_ns == UINT64_MAX)
        view.end_ns = MAX (profile->duration_ns + 1, view.start_ns);
    if (view.n_bins == 0)
        view.n_bins = PV_TIMELINE_BINS_DEFAULT;
    if (self->options->n_bins == 0 && self->max_width > 0)
        view.n_bins = CLAMP (self->max_width, MIN_BINS + WIDTH_OF_NAMES,
                             PV_TIMELINE_BINS_DEFAULT + WIDTH_OF_NAMES) -
                      WIDTH_OF_NAMES;
    return view;
}

bool
pv_timeline_write (const PvExportOptions *options, const PvProfile *profile,
                   const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                   const PvTextSink *sink, GError **error)
{
    g_assert (options != NULL && profile != NULL && symbols != NULL && query != NULL);
    if (!pv_timeline_check ("--print=timeline", profile, query->measure, error))
        return false;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (profile, symbols, query, NULL, NULL, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvTimeIndex) index = pv_time_index_build (tree, PV_TIME_THREADS, NULL, 1, NULL);
    Timeline self = {.options = options,
                     .index = index,
                     .format = format,
                     .measure = &profile->measures[query->measure]};
    self.max_width = format == PV_FORMAT_TEXT ? options->terminal_width : 0;
    self.has_amounts = self.max_width == 0 || self.max_width >= WIDTH_OF_AMOUNTS;
    self.view = make_view (&self, profile, query);
    if (query->start_ns == 0 && query->end_ns == UINT64_MAX)
        self.without_time = index->weight_without_time;
    weigh_rows (&self);
    choose_rows (&self);
    if (format != PV_FORMAT_TEXT)
        append_bins (&self, sink);
    else if (self.total == 0)
        pv_print_append_nothing_matches (sink->text, profile);
    else
        append_bars (&self, sink);
    g_clear_pointer (&self.table, pv_table_free);
    g_free (self.weight_of_row);
    pv_array_clear (&self.rows);
    return true;
}

/* Phases */

static void
add_phase_function (PvTable *table, const PvPhases *phases, PvFunctionId id)
{
    const PvFunction *function = &phases->tree->symbols->functions[id];
    if (id != 0)
        pv_table_add_name (table, function->name, function->short_name);
    else
        pv_table_add_text (table, NULL);
}

static void
add_phase_for_people (PvTable *table, const PvPhases *phases, const PvPhase *phase)
{
    g_autofree char *start = pv_format_amount (phase->start_ns, PV_UNIT_NS);
    g_autofree char *duration = pv_format_amount (phase->end_ns - phase->start_ns, PV_UNIT_NS);
    g_autofree char *share = pv_format_percent (phase->self_share, 1);
    pv_table_add_text (table, start);
    pv_table_add_text (table, duration);
    pv_table_add_number (table, phase->weight);
    pv_table_add_text (table, phase->function != 0 ? share : NULL);
    if (phase->function != 0)
        add_phase_function (table, phases, phase->function);
    else
        pv_table_add_text (table, phase->n_samples == 0 ? _ ("(no samples)") : _ ("[unknown]"));
    add_phase_function (table, phases, phase->typical);
}

static void
add_phase_for_programs (PvTable *table, const PvPhases *phases, const PvPhase *phase)
{
    const PvFunction *functions = phases->tree->symbols->functions;
    g_autofree char *share = g_strdup_printf ("%.4f", phase->self_share);
    pv_table_add_number (table, phase->start_ns);
    pv_table_add_number (table, phase->end_ns);
    pv_table_add_number (table, phase->n_samples);
    pv_table_add_number (table, phase->weight);
    pv_table_add_text (table, phase->function != 0 ? functions[phase->function].name : NULL);
    pv_table_add_text (table, phase->function != 0 ? share : NULL);
    pv_table_add_text (table, phase->typical != 0 ? functions[phase->typical].name : NULL);
}

static void
append_phases (const PvExportOptions *options, const PvPhases *phases, const PvMeasure *measure,
               PvFormat format, const PvTextSink *sink)
{
    const PvTableColumn for_people[] = {
        {.id = "", .title = _ ("Start"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Duration"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = measure->name, .kind = PV_CELL_AMOUNT, .unit = measure->unit},
        {.id = "", .title = _ ("Self"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Hottest Function")},
        /* Translators: what most tells a phase from the others */
        {.id = "", .title = _ ("Typical Function")},
    };
    const PvTableColumn for_programs[] = {
        {.id = "start_ns", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "end_ns", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "samples", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "weight", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "function", .title = ""},
        {.id = "self_share", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "typical", .title = ""},
    };
    bool is_text = format == PV_FORMAT_TEXT;
    g_autoptr (PvTable) table = is_text ? pv_table_new (for_people, G_N_ELEMENTS (for_people))
                                        : pv_table_new (for_programs, G_N_ELEMENTS (for_programs));
    if (is_text)
        pv_table_set_max_width (table, options->terminal_width);
    pv_table_begin (table, format, sink);
    uint32_t n_shown = phases->n_phases;
    if (options->limit > 0)
        n_shown = MIN (n_shown, (uint32_t)options->limit);
    for (uint32_t i = 0; i < n_shown; i++)
        (is_text ? add_phase_for_people : add_phase_for_programs) (table, phases,
                                                                   &phases->phases[i]);
    pv_table_end (table);
    if (is_text)
        pv_print_append_rest (sink->text, options, n_shown, phases->n_phases);
}

bool
pv_timeline_write_phases (const PvExportOptions *options, const PvProfile *profile,
                          const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                          const PvTextSink *sink, GError **error)
{
    g_assert (options != NULL && profile != NULL && symbols != NULL && query != NULL);
    if (!pv_timeline_check ("--print=phases", profile, query->measure, error))
        return false;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (profile, symbols, query, NULL, NULL, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvPhases) phases = pv_phases_find (tree, NULL);
    const PvMeasure *measure = &profile->measures[query->measure];
    if (format == PV_FORMAT_TEXT && phases->n_phases == 0) {
        pv_print_append_nothing_matches (sink->text, profile);
        return true;
    }
    if (format == PV_FORMAT_JSON) {
        pv_print_append_members (sink->text, measure, tree->total[0]);
        g_string_append (sink->text, "\"phases\": ");
    } else if (pv_format_has_cells (format) && options->has_header) {
        pv_print_append_header (format, sink->text, measure, tree->total[0]);
    }
    append_phases (options, phases, measure, format, sink);
    if (format == PV_FORMAT_JSON)
        g_string_append (sink->text, "}\n");
    return true;
}
