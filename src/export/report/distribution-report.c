/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/distribution-report.h"

#include <glib/gi18n.h>

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

/* --- text --- */

static PvTable *
new_histogram_table (const PvDistribution *distribution)
{
    const PvTableColumn columns[] = {
        {.id = "", .title = _ ("Range"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Count"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_COUNT},
        {.id = "", .title = _ ("Share"), .kind = PV_CELL_PERCENT, .whole = distribution->total},
        /* Translators: the share of this row and all rows above it */
        {.id = "", .title = _ ("Cumulative"), .kind = PV_CELL_FIGURE},
    };
    return pv_table_new (columns, G_N_ELEMENTS (columns));
}

static void
add_bucket (PvTable *table, const PvDistribution *distribution, uint32_t b)
{
    const PvBucket *bucket = &distribution->buckets[b];
    g_autofree char *range = pv_bucket_format_range (bucket);
    g_autofree char *percent =
        pv_format_percent (pv_distribution_get_percent (distribution, b), 100);
    pv_table_add_text (table, range);
    pv_table_add_number (table, bucket->count);
    pv_table_add_number (table, bucket->count);
    pv_table_add_text (table, percent);
}

static PvTable *
new_row_table (const PvDistribution *distribution)
{
    const PvTableColumn numbers[] = {
        {.id = "", .title = _ ("Value"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Key")},
    };
    const PvTableColumn stats[] = {
        {.id = "", .title = _ ("Total"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Count"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_COUNT},
        {.id = "", .title = _ ("Average"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Key")},
    };
    return distribution->kind == PV_DISTRIBUTION_STATS
               ? pv_table_new (stats, G_N_ELEMENTS (stats))
               : pv_table_new (numbers, G_N_ELEMENTS (numbers));
}

static void
add_row (PvTable *table, const PvDistribution *distribution, const PvDistributionRow *row)
{
    g_autofree char *value = pv_distribution_format_number (row->value);
    pv_table_add_text (table, value);
    if (distribution->kind == PV_DISTRIBUTION_STATS) {
        g_autofree char *mean = pv_distribution_format_number (pv_distribution_get_mean (row));
        pv_table_add_number (table, row->count);
        pv_table_add_text (table, mean);
    }
    pv_table_add_text (table, row->key);
}

static void
append_text (const PvExportOptions *options, const PvDistribution *distribution,
             const PvTextSink *sink)
{
    bool is_histogram = distribution->kind == PV_DISTRIBUTION_HISTOGRAM;
    uint32_t n_rows = is_histogram ? distribution->n_buckets : distribution->n_rows;
    uint32_t n_shown = MIN (n_rows, get_limit (options, PV_FORMAT_TEXT));
    g_autofree char *title = pv_distribution_make_title (distribution);
    g_autoptr (PvTable) table =
        is_histogram ? new_histogram_table (distribution) : new_row_table (distribution);
    g_string_append_printf (sink->text, "%s\n", title);
    pv_table_set_max_width (table, options->terminal_width);
    pv_table_begin (table, PV_FORMAT_TEXT, sink);
    for (uint32_t r = 0; r < n_shown; r++) {
        if (is_histogram)
            add_bucket (table, distribution, r);
        else
            add_row (table, distribution, &distribution->rows[r]);
    }
    pv_table_end (table);
    pv_print_append_rest (sink->text, options, n_shown, n_rows);
}

/* --- for programs --- */

static char *
format_limit (int64_t number, int64_t none)
{
    return number != none ? g_strdup_printf ("%" G_GINT64_FORMAT, number) : NULL;
}

static void
add_plain_bucket (PvTable *table, const PvDistribution *distribution, const PvBucket *bucket)
{
    g_autofree char *first = format_limit (bucket->first, PV_BUCKET_NO_FIRST);
    g_autofree char *last = format_limit (bucket->last, PV_BUCKET_NO_LAST);
    g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, bucket->count);
    pv_table_add_text (table, distribution->name);
    pv_table_add_text (table, "histogram");
    pv_table_add_text (table, distribution->key != NULL ? distribution->key : "");
    pv_table_add_text (table, first);
    pv_table_add_text (table, last);
    pv_table_add_text (table, count);
    pv_table_add_text (table, NULL);
}

static void
add_plain_row (PvTable *table, const PvDistribution *distribution, const PvDistributionRow *row)
{
    bool is_stats = distribution->kind == PV_DISTRIBUTION_STATS;
    g_autofree char *count = is_stats ? g_strdup_printf ("%" G_GUINT64_FORMAT, row->count) : NULL;
    g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, row->value);
    pv_table_add_text (table, distribution->name);
    pv_table_add_text (table, is_stats ? "stats" : "numbers");
    pv_table_add_text (table, row->key);
    pv_table_add_text (table, NULL);
    pv_table_add_text (table, NULL);
    pv_table_add_text (table, count);
    pv_table_add_text (table, value);
}

static void
append_plain (const PvExportOptions *options, const PvProfile *profile, PvFormat format,
              const PvTextSink *sink)
{
    const PvTableColumn columns[] = {
        {.id = "map", .title = ""},
        {.id = "kind", .title = ""},
        {.id = "key", .title = ""},
        {.id = "first", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "last", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "count", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "value", .title = "", .kind = PV_CELL_FIGURE},
    };
    uint32_t limit = get_limit (options, format);
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    pv_table_begin (table, format, sink);
    for (uint32_t d = 0; d < profile->n_distributions; d++) {
        const PvDistribution *distribution = &profile->distributions[d];
        for (uint32_t b = 0; b < MIN (distribution->n_buckets, limit); b++)
            add_plain_bucket (table, distribution, &distribution->buckets[b]);
        for (uint32_t r = 0; r < MIN (distribution->n_rows, limit); r++)
            add_plain_row (table, distribution, &distribution->rows[r]);
    }
    pv_table_end (table);
}

bool
pv_distribution_report_write (const PvExportOptions *options, const PvProfile *profile,
                              PvFormat format, const PvTextSink *sink, GError **error)
{
    g_assert (options != NULL && profile != NULL && sink != NULL);
    if (profile->n_distributions == 0) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                             _ ("--print=distributions: the file has no histograms or tables of "
                                "numbers"));
        return false;
    }
    if (format != PV_FORMAT_TEXT) {
        append_plain (options, profile, format, sink);
        return true;
    }
    for (uint32_t d = 0; d < profile->n_distributions; d++) {
        if (d > 0)
            g_string_append_c (sink->text, '\n');
        append_text (options, &profile->distributions[d], sink);
    }
    return true;
}
