/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/distribution/distribution-text.h"

#include <glib/gi18n.h>

#include "app/work/search-words.h"
#include "core/analyze/columns/sort-keys.h"

#define EDGE_CHARS     24 /* of a key below a bar */
#define ROWS_PER_CHECK 1024

static gboolean
is_histogram (const PvDistribution *distribution)
{
    return distribution->kind == PV_DISTRIBUTION_HISTOGRAM;
}

gboolean
pv_distribution_has_column (const PvDistribution *distribution, guint column)
{
    g_assert (distribution != NULL && column < PV_DISTRIBUTION_COLUMNS);
    switch (column) {
    case PV_DISTRIBUTION_COUNT:
        return distribution->kind != PV_DISTRIBUTION_NUMBERS;
    case PV_DISTRIBUTION_UP_TO:
        return is_histogram (distribution);
    case PV_DISTRIBUTION_VALUE:
        return !is_histogram (distribution);
    case PV_DISTRIBUTION_MEAN:
        return distribution->kind == PV_DISTRIBUTION_STATS;
    default:
        return TRUE;
    }
}

uint32_t
pv_distribution_count_rows (const PvDistribution *distribution)
{
    g_assert (distribution != NULL);
    return is_histogram (distribution) ? distribution->n_buckets : distribution->n_rows;
}

static char *
make_bucket_cell (const PvDistribution *distribution, guint column, gboolean is_plain, uint32_t b)
{
    const PvBucket *bucket = &distribution->buckets[b];

    if (column == PV_DISTRIBUTION_NAME)
        return pv_bucket_format_range (bucket);
    if (column == PV_DISTRIBUTION_UP_TO)
        return pv_format_percent (pv_distribution_get_percent (distribution, b), 100);
    return is_plain ? g_strdup_printf ("%" G_GUINT64_FORMAT, bucket->count)
                    : pv_format_count (bucket->count);
}

static char *
make_number (int64_t number, gboolean is_plain)
{
    return is_plain ? g_strdup_printf ("%" G_GINT64_FORMAT, number)
                    : pv_distribution_format_number (number);
}

static const char *
get_key (const PvDistribution *distribution, uint32_t row)
{
    const char *key = distribution->rows[row].key;

    return *key != '\0' ? key : distribution->name;
}

char *
pv_distribution_make_cell (const PvDistribution *distribution, guint column, gboolean is_plain,
                           uint32_t row)
{
    g_assert (distribution != NULL && row < pv_distribution_count_rows (distribution));
    if (!pv_distribution_has_column (distribution, column))
        return NULL;
    if (is_histogram (distribution))
        return make_bucket_cell (distribution, column, is_plain, row);
    switch (column) {
    case PV_DISTRIBUTION_COUNT:
        return is_plain ? g_strdup_printf ("%" G_GUINT64_FORMAT, distribution->rows[row].count)
                        : pv_format_count (distribution->rows[row].count);
    case PV_DISTRIBUTION_VALUE:
        return make_number (distribution->rows[row].value, is_plain);
    case PV_DISTRIBUTION_MEAN:
        return make_number (pv_distribution_get_mean (&distribution->rows[row]), is_plain);
    default:
        return g_strdup (get_key (distribution, row));
    }
}

static char *
name_bucket (const PvDistribution *distribution, uint32_t b)
{
    const PvBucket *bucket = &distribution->buckets[b];
    g_autofree char *range = pv_bucket_format_range (bucket);
    g_autofree char *count = pv_format_count (bucket->count);
    g_autofree char *percent =
        pv_format_percent ((double)bucket->count, (double)distribution->total);

    /* Translators: a range of numbers, how many there are, and in percent. */
    return g_strdup_printf (_ ("%s: %s (%s)"), range, count, percent);
}

static char *
name_row (const PvDistribution *distribution, uint32_t row)
{
    g_autofree char *value =
        pv_distribution_make_cell (distribution, PV_DISTRIBUTION_VALUE, FALSE, row);
    g_autofree char *key = pv_format_cut (get_key (distribution, row), 400);

    if (distribution->kind == PV_DISTRIBUTION_STATS) {
        g_autofree char *count =
            pv_distribution_make_cell (distribution, PV_DISTRIBUTION_COUNT, FALSE, row);
        g_autofree char *mean =
            pv_distribution_make_cell (distribution, PV_DISTRIBUTION_MEAN, FALSE, row);
        /* Translators: a key, and the sum, number and average of what it counts. */
        return g_strdup_printf (_ ("%s: total %s, count %s, average %s"), key, value, count, mean);
    }
    return g_strdup_printf ("%s: %s", key, value);
}

/* The list of rows */

void
pv_distribution_list_input_free (gpointer data)
{
    PvDistributionListInput *input = data;

    pv_profile_free (input->profile);
    g_free (input->search);
    g_free (input);
}

void
pv_distribution_list_free (gpointer data)
{
    PvDistributionList *list = data;

    pv_profile_free (list->profile);
    g_free (list->rows);
    g_free (list);
}

static gboolean
matches (const PvDistribution *distribution, uint32_t row, const char *search)
{
    g_autofree char *name = NULL;

    if (*search == '\0')
        return TRUE;
    name = pv_distribution_make_cell (distribution, PV_DISTRIBUTION_NAME, FALSE, row);
    return pv_search_words_match (search, (const char *const[]){name}, 1);
}

static uint64_t
order_number (int64_t number)
{
    return (uint64_t)number ^ (uint64_t)1 << 63;
}

/* Ranges are in order as they are. */
static PvSortKey
make_sort_key (const PvDistribution *distribution, guint column, uint32_t row)
{
    PvSortKey key = {.key = row};

    if (is_histogram (distribution)) {
        key.amount = column == PV_DISTRIBUTION_COUNT ? distribution->buckets[row].count : row;
        return key;
    }
    switch (column) {
    case PV_DISTRIBUTION_NAME:
        key.text = distribution->rows[row].key;
        break;
    case PV_DISTRIBUTION_COUNT:
        key.amount = distribution->rows[row].count;
        break;
    case PV_DISTRIBUTION_VALUE:
        key.amount = order_number (distribution->rows[row].value);
        break;
    case PV_DISTRIBUTION_MEAN:
        key.amount = order_number (pv_distribution_get_mean (&distribution->rows[row]));
        break;
    default:
        break;
    }
    return key;
}

gpointer
pv_distribution_list_build (gpointer data, PvJob *job, GError **error)
{
    const PvDistributionListInput *input = data;
    const PvDistribution *distribution = &input->profile->distributions[input->distribution];
    uint32_t n_all = pv_distribution_count_rows (distribution), n = 0;
    g_autofree PvSortKey *keys = g_new (PvSortKey, MAX (n_all, 1));
    PvDistributionList *list;

    for (uint32_t row = 0; row < n_all; row++) {
        if (row % ROWS_PER_CHECK == 0 && !pv_job_check (job, error))
            return NULL;
        if (matches (distribution, row, input->search))
            keys[n++] = make_sort_key (distribution, input->sort, row);
    }
    if (input->sort < PV_DISTRIBUTION_COLUMNS)
        pv_sort_keys (keys, n, input->is_descending);
    list = g_new0 (PvDistributionList, 1);
    list->profile = pv_profile_ref (input->profile);
    list->distribution = input->distribution;
    list->rows = g_new (uint32_t, MAX (n, 1));
    list->n_rows = n;
    for (uint32_t i = 0; i < n; i++)
        list->rows[i] = keys[i].key;
    return list;
}

/* The chart */

void
pv_distribution_make_chart (const PvDistribution *distribution, PvHistogram *ret_histogram,
                            char ***ret_names)
{
    uint32_t n = MIN (pv_distribution_count_rows (distribution),
                      is_histogram (distribution) ? UINT32_MAX : PV_DISTRIBUTION_MAX_BARS);
    char **names = g_new0 (char *, (gsize)n + 1);
    PvHistogram chart = {.n_bars = n, .has_names = !is_histogram (distribution)};

    chart.counts = g_new0 (uint64_t, MAX (n, 1));
    chart.edges = g_new0 (char *, (gsize)n + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (is_histogram (distribution)) {
            chart.counts[i] = distribution->buckets[i].count;
            chart.edges[i] = pv_bucket_format_edge (&distribution->buckets[i]);
            names[i] = name_bucket (distribution, i);
        } else {
            chart.counts[i] = (uint64_t)MAX (distribution->rows[i].value, 0);
            chart.edges[i] = pv_format_cut (get_key (distribution, i), EDGE_CHARS);
            names[i] = name_row (distribution, i);
        }
    }
    *ret_histogram = chart;
    *ret_names = names;
}

/* The range that the middle one of all numbers is in. */
static uint32_t
find_median (const PvDistribution *distribution)
{
    uint64_t left = distribution->total / 2;
    uint32_t b = 0;

    for (; b + 1 < distribution->n_buckets && distribution->buckets[b].count <= left; b++)
        left -= distribution->buckets[b].count;
    return b;
}

char *
pv_distribution_describe (const PvDistribution *distribution)
{
    uint32_t n = pv_distribution_count_rows (distribution);
    g_autofree char *n_rows = pv_format_count (n);
    g_autofree char *total = NULL;
    g_autofree char *range = NULL;

    if (!is_histogram (distribution))
        return n > PV_DISTRIBUTION_MAX_BARS
                   ? g_strdup_printf (g_dngettext (NULL, "%s row, bars for the first %u",
                                                   "%s rows, bars for the first %u", n),
                                      n_rows, PV_DISTRIBUTION_MAX_BARS)
                   : g_strdup_printf (g_dngettext (NULL, "%s row", "%s rows", n), n_rows);
    total = pv_format_count (distribution->total);
    if (distribution->total == 0)
        return g_strdup (_ ("Nothing was counted"));
    range = pv_bucket_format_range (&distribution->buckets[find_median (distribution)]);
    /* Translators: how many numbers a histogram has, and the range that the median is in. */
    return g_strdup_printf (_ ("%s in total, median: %s"), total, range);
}
