/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as output of bpftrace; what comes out must be a profile that the rest of the program
 * can use: ids in range, parents first, weights that add up.
 */
#include <stdint.h>

#include "check-profile.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Ranges, orders and sums; and words for all of it. */
static void
check_distributions (const PvProfile *profile)
{
    for (uint32_t d = 0; d < profile->n_distributions; d++) {
        const PvDistribution *distribution = &profile->distributions[d];
        bool is_histogram = distribution->kind == PV_DISTRIBUTION_HISTOGRAM;
        uint64_t sum = 0;
        g_free (pv_distribution_make_title (distribution));
        g_assert (is_histogram ? distribution->n_buckets > 0 && distribution->n_rows == 0
                               : distribution->n_rows > 0 && distribution->n_buckets == 0);
        for (uint32_t b = 0; b < distribution->n_buckets; b++) {
            const PvBucket *bucket = &distribution->buckets[b];
            g_assert (bucket->first <= bucket->last && bucket->count <= INT64_MAX);
            g_free (pv_bucket_format_range (bucket));
            g_free (pv_bucket_format_edge (bucket));
            sum = __builtin_add_overflow (sum, bucket->count, &sum) ? UINT64_MAX : sum;
        }
        g_assert (sum == distribution->total || distribution->total == UINT64_MAX);
        for (uint32_t r = 0; r < distribution->n_rows; r++) {
            g_assert (distribution->rows[r].key != NULL);
            g_assert (r == 0 || distribution->rows[r - 1].value >= distribution->rows[r].value);
            g_free (
                pv_distribution_format_number (pv_distribution_get_mean (&distribution->rows[r])));
        }
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    pv_bpftrace_reader.sniff (data, size);
    PvReadContext context = {0};
    PvProfileBuilder *builder = pv_profile_builder_new ();
    PvMappedFile *file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    GError *error = NULL;
    if (pv_bpftrace_reader.read (file, NULL, builder, &context, &error)) {
        PvProfile *profile = pv_profile_builder_snapshot (builder);
        check_tables (profile);
        check_all_samples (profile);
        check_distributions (profile);
        pv_profile_free (profile);
    }
    g_clear_error (&error);
    pv_mapped_file_unref (file);
    pv_profile_builder_free (builder);
    return 0;
}
