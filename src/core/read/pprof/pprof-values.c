/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values and labels of samples, and facts. Every sample type is a measure; one with negative
 * values, as in a difference of two profiles, is a pair.
 */
#include "core/read/pprof/pprof-values.h"
#include "core/model/profile/period.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/read/pprof/pprof-strings.h"
#include "core/read/pprof/pprof-wire-reader.h"

enum {
    MAX_MADE_UP_TYPES = 16,
    MAX_NAME_BYTES = 200, /* of a measure, which is named in many places */
};

typedef struct {
    uint64_t factor;
    uint32_t column; /* of absolute values */
    /* Columns of values below zero (base) and above; UINT32_MAX: no value is below. */
    uint32_t column_of_side[PV_N_SIDES];
} Column;

typedef struct {
    PprofFile *file;
    PV_ARRAY (Column) columns;
    uint32_t n_columns; /* of the builder */
    PV_ARRAY (PvLabel) labels;
    uint32_t *label_set_of_labels;
    uint64_t n_odd;   /* samples with more or fewer values than there are types */
    uint64_t n_added; /* samples with a value that is not zero */
} Values;

static size_t
get_values (const PprofFile *file, size_t row, const int64_t **ret_values)
{
    size_t first = file->samples.data[row].first_value;
    size_t end =
        row + 1 < file->samples.len ? file->samples.data[row + 1].first_value : file->values.len;
    *ret_values = end > first ? file->values.data + first : NULL;
    return end - first;
}

/* Measures */

/* PV_AGGREGATION_STATE for values that show the state at a moment or add up since the process
 * started: those of two dumps of a process can be subtracted. */
static PvAggregation
guess_aggregation (const char *name)
{
    static const char *const levels[] = {"space",     "objects",    "contentions", "delay",
                                         "goroutine", "goroutines", "threadcreate"};
    if (g_str_has_prefix (name, "inuse_") || g_str_has_prefix (name, "alloc_"))
        return PV_AGGREGATION_STATE;
    for (size_t i = 0; i < G_N_ELEMENTS (levels); i++)
        if (strcmp (name, levels[i]) == 0)
            return PV_AGGREGATION_STATE;
    return PV_AGGREGATION_SUM;
}

static uint32_t
add_measure (Values *values, const PprofValueType *type, const char *suffix, Column *column)
{
    PvProfileBuilder *builder = values->file->builder;
    const char *own_name = pprof_string (values->file, type->type);
    const char *unit_name = pprof_string (values->file, type->unit);
    g_autofree char *short_name =
        pv_format_cut (*own_name != '\0' ? own_name : "value", MAX_NAME_BYTES);
    g_autofree char *name = g_strconcat (short_name, suffix, NULL);
    PvUnit unit = pprof_parse_unit (unit_name, &column->factor);
    pv_profile_builder_add_measure (builder, 0, name, unit, guess_aggregation (own_name));
    bool is_counted =
        unit == PV_UNIT_COUNT && *unit_name != '\0' && g_ascii_strcasecmp (unit_name, "count") != 0;
    if (is_counted)
        pv_profile_builder_name_unit (builder, 0, values->n_columns, unit_name);
    return values->n_columns++;
}

static bool *
find_negatives (const PprofFile *file, size_t n_types)
{
    bool *is_negative = g_new0 (bool, n_types + 1);
    for (size_t row = 0; row < file->samples.len; row++) {
        const int64_t *amounts;
        size_t n = MIN (get_values (file, row, &amounts), n_types);
        for (size_t i = 0; i < n; i++)
            is_negative[i] |= amounts[i] < 0;
    }
    return is_negative;
}

/* The file's default column, or its last one. The default's name may omit "inuse_" at its start. */
static uint32_t
find_preferred (const Values *values)
{
    PprofFile *file = values->file;
    const char *wanted = pprof_string (values->file, file->default_sample_type);
    static const char optional[] = "inuse_";
    for (size_t i = 0; *wanted != '\0' && i < file->sample_types.len; i++) {
        const char *name = pprof_string (values->file, file->sample_types.data[i].type);
        if (strcmp (name, wanted) == 0 ||
            (g_str_has_prefix (name, optional) && strcmp (name + strlen (optional), wanted) == 0))
            return values->columns.data[i].column;
    }
    return values->columns.data[file->sample_types.len - 1].column;
}

/* Makes the measure of a sample type signed. */
static void
add_sides (Values *values, size_t type)
{
    static const char *const suffixes[PV_N_SIDES] = {"-negative", "-positive"};
    PvProfileBuilder *builder = values->file->builder;
    Column *column = &values->columns.data[type];
    uint32_t pair = pv_profile_builder_add_pair (builder);
    pv_profile_builder_set_part (builder, 0, column->column, pair, PV_PART_BOTH, 0);
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        column->column_of_side[side] =
            add_measure (values, &values->file->sample_types.data[type], suffixes[side], column);
        pv_profile_builder_set_part (builder, 0, column->column_of_side[side], pair, PV_PART_SIDE,
                                     side);
    }
}

static void
add_measures (Values *values)
{
    PprofFile *file = values->file;
    size_t n_types = file->sample_types.len;
    g_autofree bool *is_negative = find_negatives (file, n_types);
    pv_profile_builder_add_set (file->builder, "samples", false);
    for (size_t i = 0; i < n_types; i++) {
        Column column = {.column_of_side = {UINT32_MAX, UINT32_MAX}};
        column.column = add_measure (values, &file->sample_types.data[i], "", &column);
        pv_array_push (&values->columns, column);
    }
    bool has_negatives = false;
    for (size_t i = 0; i < n_types; i++) {
        has_negatives |= is_negative[i];
        if (is_negative[i])
            add_sides (values, i);
    }
    pv_profile_builder_prefer_measure (file->builder, find_preferred (values));
    if (has_negatives)
        pv_note_info (
            file->builder,
            _ ("The profile has negative values, like a difference of two profiles. Amounts are "
               "net; the width of a box is the sum of its increases and decreases."));
}

/* Labels */

enum { LABEL_KEY = 1, LABEL_STR, LABEL_NUM, LABEL_NUM_UNIT };

/* Without a unit, the key may be one, like Go's "bytes". A string of the builder. */
static const char *
guess_label_unit (PprofFile *file, const char *key)
{
    uint64_t factor;
    if (strcmp (key, "alignment") == 0 || strcmp (key, "request") == 0)
        return pv_profile_builder_string (file->builder, "bytes");
    return pprof_parse_unit (key, &factor) != PV_UNIT_COUNT
               ? key
               : pv_profile_builder_string (file->builder, "");
}

static void
add_label (Values *values, PvCursor message)
{
    uint64_t numbers[LABEL_NUM_UNIT + 1] = {0};
    PprofField field;
    while (pprof_next_field (&message, &field)) {
        if (field.number <= LABEL_NUM_UNIT)
            numbers[field.number] = pprof_number (&message, &field);
    }
    uint32_t strings[LABEL_NUM_UNIT + 1];
    for (size_t i = 0; i <= LABEL_NUM_UNIT; i++)
        strings[i] = (uint32_t)MIN (numbers[i], PPROF_NO_STRING);
    PvLabel label = {.key = pprof_string (values->file, strings[LABEL_KEY])};
    values->file->n_damaged += message.failed;
    if (message.failed || *label.key == '\0')
        return;
    if (strings[LABEL_STR] != 0) {
        label.text = pprof_string (values->file, strings[LABEL_STR]);
    } else {
        const char *unit = pprof_string (values->file, strings[LABEL_NUM_UNIT]);
        label.number = (int64_t)numbers[LABEL_NUM];
        label.unit = *unit != '\0' ? unit : guess_label_unit (values->file, label.key);
    }
    pv_array_push (&values->labels, label);
}

static uint32_t
make_label_set (Values *values, uint32_t labels)
{
    const PprofFile *file = values->file;
    size_t first = labels > 1 ? file->end_of_labels.data[labels - 2] : 0;
    PvCursor all = pv_cursor (file->label_bytes.data + first,
                              file->end_of_labels.data[labels - 1] - first, false);
    values->labels.len = 0;
    while (pv_cursor_left (&all) > 0) {
        uint32_t size_bytes = pv_cursor_u32 (&all);
        add_label (values, pv_cursor_sub (&all, size_bytes));
    }
    return pv_profile_builder_label_set (file->builder, values->labels.data,
                                         (uint32_t)values->labels.len);
}

static void
make_label_sets (Values *values)
{
    size_t n = values->file->end_of_labels.len;
    values->label_set_of_labels = g_new0 (uint32_t, n + 1);
    for (uint32_t labels = 1; labels <= n; labels++)
        values->label_set_of_labels[labels] = make_label_set (values, labels);
}

/* Samples */

static uint64_t
multiply_saturating (uint64_t amount, uint64_t factor)
{
    uint64_t product;
    return __builtin_mul_overflow (amount, factor, &product) ? UINT64_MAX : product;
}

/* False if all values of the sample are zero. */
static bool
fill_weights (Values *values, size_t row, uint64_t *weights)
{
    size_t n_types = values->columns.len;
    const int64_t *amounts;
    size_t n = get_values (values->file, row, &amounts);
    bool is_something = false;
    memset (weights, 0, values->n_columns * sizeof *weights);
    values->n_odd += n != n_types;
    for (size_t i = 0; i < MIN (n, n_types); i++) {
        const Column *column = &values->columns.data[i];
        uint64_t size = amounts[i] < 0 ? -(uint64_t)amounts[i] : (uint64_t)amounts[i];
        uint32_t of_side = column->column_of_side[amounts[i] < 0 ? PV_SIDE_BASE : PV_SIDE_NEW];
        weights[column->column] = multiply_saturating (size, column->factor);
        if (of_side != UINT32_MAX)
            weights[of_side] = weights[column->column];
        is_something |= size > 0;
    }
    return is_something;
}

static void
add_rows (Values *values)
{
    PprofFile *file = values->file;
    g_autofree uint64_t *weights = g_new0 (uint64_t, values->n_columns);
    for (size_t row = 0; row < file->samples.len; row++) {
        const PprofSample *from = &file->samples.data[row];
        if (from->is_added || !fill_weights (values, row, weights))
            continue;
        PvNewSample sample = {
            .stack = from->stack,
            .label_set = values->label_set_of_labels[from->labels],
            .cpu = PV_CPU_UNKNOWN,
            .stack_end = from->is_cut ? PV_STACK_END_DEPTH : PV_STACK_END_UNKNOWN,
        };
        pv_profile_builder_add_sample (file->builder, 0, &sample, weights);
        values->n_added++;
    }
}

static void
note_values (const Values *values)
{
    PvProfileBuilder *builder = values->file->builder;
    const size_t n_samples = values->file->samples.len;
    if (n_samples > 0 && values->n_added == 0)
        pv_note_nothing (builder,
                         g_dngettext (GETTEXT_PACKAGE,
                                      "All values of the %zu sample in the profile are 0. Profile "
                                      "the program while it works, or for longer.",
                                      "All values of the %zu samples in the profile are 0. Profile "
                                      "the program while it works, or for longer.",
                                      n_samples),
                         n_samples);
    if (values->n_odd > 0)
        pv_note_skipped (builder,
                         g_dngettext (GETTEXT_PACKAGE,
                                      "%" PRIu64 " sample has more or fewer values than the "
                                      "profile has sample types. Extra values are ignored.",
                                      "%" PRIu64 " samples have more or fewer values than the "
                                      "profile has sample types. Extra values are ignored.",
                                      (gulong)values->n_odd),
                         values->n_odd);
}

/* Creates sample types for a profile that has none. */
static void
make_up_types (PprofFile *file)
{
    size_t n_types = 0;
    for (size_t row = 0; row < file->samples.len; row++) {
        const int64_t *amounts;
        n_types = MAX (n_types, get_values (file, row, &amounts));
    }
    for (size_t i = 0; i < CLAMP (n_types, 1, MAX_MADE_UP_TYPES); i++)
        pv_array_push (&file->sample_types, n_types == 1 ? file->period_type : (PprofValueType){0});
    if (n_types > 0)
        pv_note_warning (file->builder, _ ("The profile does not say what its samples count."));
}

/* Limits the memory for values: in the builder each sample has a value of every type. */
static void
limit_types (PprofFile *file)
{
    uint64_t bytes_of_type = MAX (file->samples.len, 1) * sizeof (uint64_t);
    uint64_t max_bytes = pv_budget_get_bytes (&file->context->budget, file->unpacked_bytes);
    size_t n_most = (size_t)CLAMP (max_bytes / bytes_of_type, 1, PPROF_MAX_TYPES);
    if (file->sample_types.len <= n_most)
        return;
    file->sample_types.len = n_most;
    pv_note_skipped (
        file->builder,
        _ ("The profile has more sample types than can be shown. Only the first %u are shown."),
        (unsigned)n_most);
}

void
pprof_add_samples (PprofFile *file)
{
    Values values = {.file = file};
    if (file->sample_types.len == 0)
        make_up_types (file);
    limit_types (file);
    add_measures (&values);
    make_label_sets (&values);
    add_rows (&values);
    note_values (&values);
    g_free (values.label_set_of_labels);
    pv_array_clear (&values.columns);
    pv_array_clear (&values.labels);
}

/* Facts */

/* NULL: not stated. */
static char *
format_period (PprofFile *file)
{
    const char *unit_name = pprof_string (file, file->period_type.unit);
    if (file->period <= 0)
        return NULL;
    uint64_t factor;
    PvUnit unit = pprof_parse_unit (unit_name, &factor);
    return pv_period_format (pprof_string (file, file->period_type.type),
                             multiply_saturating ((uint64_t)file->period, factor), unit, unit_name);
}

static const char *
join_comments (PprofFile *file)
{
    g_autoptr (GPtrArray) lines = g_ptr_array_new ();
    for (size_t i = 0; i < file->comments.len; i++) {
        const char *line = pprof_string (file, file->comments.data[i]);
        if (*line != '\0')
            g_ptr_array_add (lines, (void *)line);
    }
    return pv_profile_builder_lines (file->builder, (const char *const *)lines->pdata, lines->len);
}

void
pprof_add_facts (PprofFile *file)
{
    PvFacts *facts = pv_profile_builder_facts (file->builder);
    const char *url = pprof_string (file, file->doc_url);
    g_autofree char *period = format_period (file);
    facts->format = "pprof";
    if (file->time_ns > 0) {
        facts->recorded_at_ns = file->time_ns;
        facts->recorded_at = file->time_ns / 1000000000;
    }
    facts->profiled_ns = file->duration_ns > 0 ? (uint64_t)file->duration_ns : 0;
    facts->period = pv_profile_builder_string (file->builder, period);
    facts->comment = join_comments (file);
    /* Shown as a link, so it must not run a program. */
    if (g_str_has_prefix (url, "http://") || g_str_has_prefix (url, "https://"))
        facts->doc_url = url;
    pv_profile_builder_set_drop_frames (file->builder, pprof_string (file, file->drop_frames),
                                        pprof_string (file, file->keep_frames));
}
