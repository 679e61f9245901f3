/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/base/job.h"
#include "core/model/profile/profile.h"
#include "render/chart/histogram.h"

/* At most so many rows have bars: those with the largest values. */
#define PV_DISTRIBUTION_MAX_BARS 400u

/* Columns of the table. */
enum {
    PV_DISTRIBUTION_NAME, /* the range or the key */
    PV_DISTRIBUTION_COUNT,
    PV_DISTRIBUTION_UP_TO, /* of buckets: the share of this one and all before */
    PV_DISTRIBUTION_VALUE,
    PV_DISTRIBUTION_MEAN,
    PV_DISTRIBUTION_COLUMNS
};

gboolean pv_distribution_has_column (const PvDistribution *distribution, guint column);

/* Buckets or rows. */
uint32_t pv_distribution_count_rows (const PvDistribution *distribution);

/* The text of a cell; plain: for other programs. NULL: the column is not there. g_free () it. */
char *pv_distribution_make_cell (const PvDistribution *distribution, guint column,
                                 gboolean is_plain, uint32_t row);

/* The rows that have each word of search, in the order of a column, or as they are. */
typedef struct {
    PvProfile *profile; /* owned, like search */
    uint32_t distribution;
    char *search;
    guint sort; /* PV_DISTRIBUTION_COLUMNS: as they are */
    gboolean is_descending;
} PvDistributionListInput;

typedef struct {
    PvProfile *profile;
    uint32_t distribution;
    uint32_t *rows;
    uint32_t n_rows;
} PvDistributionList;

void pv_distribution_list_input_free (gpointer input);
void pv_distribution_list_free (gpointer list);
/* PvDistributionListInput to PvDistributionList, in a worker. NULL: cancelled. */
gpointer pv_distribution_list_build (gpointer input, PvJob *job, GError **error);

/* The chart; values below zero have no bar. ret_names: a text for each bar, and NULL. */
void pv_distribution_make_chart (const PvDistribution *distribution, PvHistogram *ret_histogram,
                                 char ***ret_names);

/* "1,234 in 12 ranges; half of them up to 63", or "12 rows"; g_free () it. */
char *pv_distribution_describe (const PvDistribution *distribution);
