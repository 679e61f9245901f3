/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/distribution-report.h"

#include <glib/gi18n.h>

/* --- text --- */

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
append_text (const PvReport *report, const PvDistribution *distribution)
{
    const PvTableColumn histogram[] = {
        {.title = C_ ("column", "Range"), .kind = PV_CELL_FIGURE},
        {.title = C_ ("column", "Count"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_COUNT},
        {.title = C_ ("column", "Share"), .kind = PV_CELL_PERCENT, .whole = distribution->total},
        /* Translators: the share of this row and all rows above it */
        {.title = C_ ("column", "Cumulative"), .kind = PV_CELL_FIGURE},
    };
    const PvTableColumn numbers[] = {
        {.title = C_ ("column", "Value"), .kind = PV_CELL_FIGURE},
        {.title = C_ ("column", "Key")},
    };
    const PvTableColumn stats[] = {
        {.title = C_ ("column", "Total"), .kind = PV_CELL_FIGURE},
        {.title = C_ ("column", "Count"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_COUNT},
        {.title = C_ ("column", "Average"), .kind = PV_CELL_FIGURE},
        {.title = C_ ("column", "Key")},
    };
    const bool is_histogram = distribution->kind == PV_DISTRIBUTION_HISTOGRAM;
    const bool is_stats = distribution->kind == PV_DISTRIBUTION_STATS;
    const uint32_t n_rows = is_histogram ? distribution->n_buckets : distribution->n_rows;
    g_autofree char *title = pv_distribution_make_title (distribution);
    g_string_append_printf (report->sink->text, "%s\n", title);
    PvTable *table = pv_report_begin_rows (report, NULL,
                                           is_histogram ? histogram
                                           : is_stats   ? stats
                                                        : numbers,
                                           is_histogram ? G_N_ELEMENTS (histogram)
                                           : is_stats   ? G_N_ELEMENTS (stats)
                                                        : G_N_ELEMENTS (numbers));
    for (uint32_t r = 0; r < MIN (n_rows, report->max_rows); r++) {
        if (is_histogram)
            add_bucket (table, distribution, r);
        else
            add_row (table, distribution, &distribution->rows[r]);
    }
    pv_report_end_rows (report, NULL, table, n_rows);
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
append_plain (const PvReport *report)
{
    static const PvTableColumn columns[] = {
        {.id = "map"},
        {.id = "kind"},
        {.id = "key"},
        {.id = "first", .kind = PV_CELL_FIGURE},
        {.id = "last", .kind = PV_CELL_FIGURE},
        {.id = "count", .kind = PV_CELL_FIGURE},
        {.id = "value", .kind = PV_CELL_FIGURE},
    };
    PvTable *table = pv_report_begin_rows (report, NULL, columns, G_N_ELEMENTS (columns));
    for (uint32_t d = 0; d < report->profile->n_distributions; d++) {
        const PvDistribution *distribution = &report->profile->distributions[d];
        for (uint32_t b = 0; b < MIN (distribution->n_buckets, report->max_rows); b++)
            add_plain_bucket (table, distribution, &distribution->buckets[b]);
        for (uint32_t r = 0; r < MIN (distribution->n_rows, report->max_rows); r++)
            add_plain_row (table, distribution, &distribution->rows[r]);
    }
    pv_report_end_rows (report, NULL, table, 0);
}

bool
pv_distribution_report_write (const PvReport *report, GError **error)
{
    g_assert (report != NULL);
    const PvProfile *profile = report->profile;
    if (profile->n_distributions == 0) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                             _ ("--print=distributions: the file has no histograms or tables of "
                                "numbers"));
        return false;
    }
    if (!pv_report_is_text (report))
        append_plain (report);
    for (uint32_t d = 0; pv_report_is_text (report) && d < profile->n_distributions; d++) {
        if (d > 0)
            g_string_append_c (report->sink->text, '\n');
        append_text (report, &profile->distributions[d]);
    }
    return true;
}
