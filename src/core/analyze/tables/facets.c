/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/facets.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "core/analyze/query/sample-filter.h"
#include "core/base/format.h"
#include "core/model/profile/labels.h"

enum { SAMPLES_PER_CHECK = 65536 };

/* Keys */

static void
add_key (GArray *keys, PvGrouping by, const char *name, uint32_t n_values)
{
    PvFacetKey key = {by, name, n_values};
    g_array_append_val (keys, key);
}

bool *
pv_facet_find_cpus (const PvProfile *profile)
{
    g_assert (profile != NULL);
    bool *has_cpu = g_new0 (bool, PV_CPU_UNKNOWN + 1);
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        for (uint32_t c = 0; c < profile->sets[s].n_contexts; c++)
            has_cpu[profile->sets[s].contexts[c].cpu] = true;
    }
    has_cpu[PV_CPU_UNKNOWN] = false;
    return has_cpu;
}

static uint32_t
count_cpus (const PvProfile *profile)
{
    g_autofree bool *has_cpu = pv_facet_find_cpus (profile);
    uint32_t n = 0;
    for (uint32_t cpu = 0; cpu < PV_CPU_UNKNOWN; cpu++)
        n += has_cpu[cpu];
    return n;
}

/* Those with several names have several rows. */
static uint32_t
count_processes (const PvProfile *profile)
{
    g_autoptr (GHashTable) pids = g_hash_table_new (NULL, NULL);
    uint32_t n_unknown = 0;
    for (PvProcessId p = 1; p < profile->n_processes; p++)
        if (profile->processes[p].pid < 0)
            n_unknown++;
        else
            g_hash_table_add (pids, GINT_TO_POINTER (profile->processes[p].pid));
    return n_unknown + g_hash_table_size (pids);
}

static uint32_t
count_threads (const PvProfile *profile)
{
    g_autoptr (GHashTable) ids = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
    uint32_t n_unknown = 0;
    for (PvThreadId t = 1; t < profile->n_threads; t++) {
        const PvThread *thread = &profile->threads[t];
        const int64_t pid = profile->processes[thread->process].pid;
        const int64_t id = (int64_t)((uint64_t)pid << 32 | (uint32_t)thread->tid);
        if (thread->tid < 0)
            n_unknown++;
        else
            g_hash_table_add (ids, g_memdup2 (&id, sizeof id));
    }
    return n_unknown + g_hash_table_size (ids);
}

PvOrigin
pv_facet_get_origin (const PvFacetKey *key)
{
    g_assert (key != NULL && key->by != PV_GROUP_LABEL);
    return pv_grouping_get_origin (key->by);
}

PvFacetKeys *
pv_facet_keys_new (const PvProfile *profile)
{
    g_assert (profile != NULL);
    GArray *keys = g_array_new (FALSE, FALSE, sizeof (PvFacetKey));
    uint32_t n_labels = 0, n_cpus = count_cpus (profile);
    g_autofree PvLabelKey *labels = pv_labels_list_keys (profile, &n_labels);

    /* Row 0 of each table is "none". */
    if (profile->n_processes > 2)
        add_key (keys, PV_GROUP_PROCESS, NULL, count_processes (profile));
    if (profile->n_threads > 2)
        add_key (keys, PV_GROUP_THREAD, NULL, count_threads (profile));
    if (n_cpus > 1)
        add_key (keys, PV_GROUP_CPU, NULL, n_cpus);
    for (uint32_t i = 0; i < n_labels; i++)
        add_key (keys, PV_GROUP_LABEL, labels[i].key, labels[i].n_values);
    PvFacetKeys *found = g_new0 (PvFacetKeys, 1);
    found->profile = pv_profile_ref (profile);
    found->n_keys = profile->heap == NULL ? keys->len : 0;
    found->keys = (PvFacetKey *)(gpointer)g_array_free (keys, FALSE);
    return found;
}

void
pv_facet_keys_free (PvFacetKeys *keys)
{
    if (keys == NULL)
        return;
    pv_profile_free (keys->profile);
    g_free (keys->keys);
    g_free (keys);
}

/* Weights */

/* Copies the query without its filter on the key. */
static void
copy_without_choice (PvQuery *ret_copy, const PvQuery *query, const PvFacetKey *key)
{
    pv_query_copy (ret_copy, query);
    if (key->by == PV_GROUP_LABEL) {
        pv_query_remove_labels (ret_copy, key->key);
        return;
    }
    pv_query_set_only (ret_copy, pv_facet_get_origin (key), NULL, 0);
    pv_query_set_except (ret_copy, pv_facet_get_origin (key), NULL, 0);
}

/* Rows of processes, threads, processors or label values. */
typedef struct {
    const PvProfile *profile;
    const PvFacetKey *key;
    const PvQuery *query;
    PvLabelValues *label_values; /* NULL unless the key is a label */
    bool *has_cpu;               /* NULL unless it is the processor */
    uint32_t n_rows;             /* of threads, processes or label values; processors + 1 */
    uint64_t *weight_of_row;
    bool *is_row_shown; /* by the query's filter on the key */
    bool *is_row_barred;
} Rows;

static uint32_t
id_of_row (const Rows *rows, uint32_t row)
{
    return rows->has_cpu != NULL ? row - 1 : row;
}

/* One bool per value of a label: it passes the filters on the label; in_words: only filters in the
 * user's own words. All label sets with the same value pass alike. */
static bool *
find_passing (const Rows *rows, bool in_words)
{
    PvQuery own;
    bool *passes = g_new (bool, MAX (rows->n_rows, 1));
    memset (passes, true, MAX (rows->n_rows, 1));
    pv_query_copy (&own, rows->query);
    for (uint32_t i = own.n_labels; i > 0; i--) {
        const PvLabelFilter *label = &own.labels[i - 1];
        if (strcmp (label->key, rows->key->key) != 0 ||
            (in_words && (label->expression == NULL || label->list != NULL)))
            pv_query_remove_label (&own, i - 1);
    }
    g_autofree bool *set_passes = pv_sample_filter_find_label_sets (&own, rows->profile);
    for (uint32_t s = 0; set_passes != NULL && s < rows->profile->n_label_sets; s++)
        passes[rows->label_values->value_of_set[s]] = set_passes[s];
    pv_query_clear (&own);
    return passes;
}

static void
judge_rows (Rows *rows)
{
    uint32_t n_rows = MAX (rows->n_rows, 1);
    if (rows->label_values != NULL) {
        rows->is_row_shown = find_passing (rows, false);
        rows->is_row_barred = find_passing (rows, true);
        for (uint32_t row = 0; row < n_rows; row++)
            rows->is_row_barred[row] = !rows->is_row_barred[row];
        return;
    }
    rows->is_row_shown = g_new0 (bool, n_rows);
    rows->is_row_barred = g_new0 (bool, n_rows);
    for (uint32_t row = 1; row < rows->n_rows; row++)
        rows->is_row_shown[row] =
            pv_query_shows (rows->query, pv_facet_get_origin (rows->key), id_of_row (rows, row));
}

static void
rows_init (Rows *rows, const PvProfile *profile, const PvQuery *query, const PvFacetKey *key)
{
    *rows = (Rows){.profile = profile, .key = key, .query = query};
    if (key->by == PV_GROUP_LABEL) {
        rows->label_values = pv_label_values_new (profile, key->key);
        rows->n_rows = rows->label_values->n_values;
    } else if (key->by == PV_GROUP_CPU) {
        rows->has_cpu = pv_facet_find_cpus (profile);
        rows->n_rows = PV_CPU_UNKNOWN + 1;
    } else {
        rows->n_rows = key->by == PV_GROUP_PROCESS ? profile->n_processes : profile->n_threads;
    }
    rows->weight_of_row = g_new0 (uint64_t, MAX (rows->n_rows, 1));
    judge_rows (rows);
}

static void
rows_clear (Rows *rows)
{
    g_clear_pointer (&rows->label_values, pv_label_values_free);
    g_free (rows->has_cpu);
    g_free (rows->weight_of_row);
    g_free (rows->is_row_shown);
    g_free (rows->is_row_barred);
}

static uint32_t
row_of_sample (const Rows *rows, const PvSampleSet *set, uint32_t sample)
{
    if (rows->label_values != NULL)
        return rows->label_values
            ->value_of_set[set->label_set != NULL ? set->label_set[sample] : 0];
    PvThreadId thread = pv_sample_set_thread (set, sample);
    if (rows->has_cpu != NULL)
        return (pv_sample_set_cpu (set, sample) + 1u) % (PV_CPU_UNKNOWN + 1u);
    return rows->key->by == PV_GROUP_PROCESS ? rows->profile->threads[thread].process : thread;
}

/* Adds each sample's weight to its row. False when cancelled. */
static bool
weigh_rows (Rows *rows, const PvQuery *query, PvJob *job)
{
    PvSampleFilter filter;
    uint64_t total = 0;
    bool is_cancelled = false;

    pv_sample_filter_init (&filter, query, rows->profile);
    for (uint32_t i = filter.first; i < filter.last && !is_cancelled; i++) {
        uint64_t weight = pv_sample_filter_weigh (&filter, i, total);
        rows->weight_of_row[row_of_sample (rows, filter.set, i)] += weight;
        total += weight;
        is_cancelled = i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (job);
    }
    pv_sample_filter_clear (&filter);
    return !is_cancelled;
}

/* Values */

static void
clear_value (PvFacetValue *value)
{
    g_free (value->name);
    g_free (value->ids);
}

/* NULL: there is no such value. */
static char *
name_row (const Rows *rows, uint32_t row)
{
    if (rows->label_values != NULL && row == 0)
        return pv_fill_in (_ (pv_groupings[PV_GROUP_LABEL].rest), rows->key->key);
    if (rows->label_values != NULL)
        return g_strdup (rows->label_values->names[row]);
    if (rows->has_cpu != NULL)
        return rows->has_cpu[row - 1] ? g_strdup_printf (_ ("CPU %u"), row - 1) : NULL;
    return rows->key->by == PV_GROUP_PROCESS ? pv_format_process (rows->profile, row)
                                             : pv_format_thread (rows->profile, row);
}

static int
compare_values (const void *a, const void *b)
{
    const PvFacetValue *p = a, *q = b;
    return p->weight != q->weight ? (p->weight > q->weight ? -1 : 1) : strcmp (p->name, q->name);
}

/* Rows with the same name are one value: those of a thread that executed its program again. */
static GArray *
collect_values (const Rows *rows)
{
    GArray *values = g_array_new (FALSE, TRUE, sizeof (PvFacetValue));
    g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

    /* Samples without a label are a value as well, those of no thread are not. */
    for (uint32_t row = rows->label_values != NULL ? 0 : 1; row < rows->n_rows; row++) {
        g_autofree char *name = name_row (rows, row);
        gpointer found;
        PvFacetValue *value;
        bool is_unlabeled = row == 0;
        if (name == NULL || (is_unlabeled && rows->weight_of_row[row] == 0))
            continue;
        if (!is_unlabeled && g_hash_table_lookup_extended (known, name, NULL, &found)) {
            value = &g_array_index (values, PvFacetValue, GPOINTER_TO_UINT (found));
        } else {
            PvFacetValue new_value = {.name = g_steal_pointer (&name)};
            new_value.is_unlabeled = is_unlabeled;
            if (!is_unlabeled)
                g_hash_table_insert (known, new_value.name, GUINT_TO_POINTER (values->len));
            g_array_append_val (values, new_value);
            value = &g_array_index (values, PvFacetValue, values->len - 1);
        }
        value->weight += rows->weight_of_row[row];
        value->is_shown |= rows->is_row_shown[row];
        value->is_barred |= rows->is_row_barred[row];
        if (rows->label_values != NULL)
            continue;
        value->ids = g_renew (uint32_t, value->ids, value->n_ids + 1);
        value->ids[value->n_ids++] = id_of_row (rows, row);
    }
    return values;
}

static bool
has_text (const char *name, const char *folded_search)
{
    if (folded_search == NULL)
        return true;
    g_autofree char *folded = g_utf8_casefold (name, -1);
    return strstr (folded, folded_search) != NULL;
}

static void
keep_matches (GArray *values, const char *search)
{
    g_autofree char *folded = search != NULL ? g_utf8_casefold (search, -1) : NULL;
    uint32_t n_kept = 0;

    for (uint32_t i = 0; i < values->len; i++) {
        PvFacetValue *value = &g_array_index (values, PvFacetValue, i);
        if (has_text (value->name, folded))
            g_array_index (values, PvFacetValue, n_kept++) = *value;
        else
            clear_value (value);
    }
    g_array_set_size (values, n_kept);
}

static PvFacet *
make_facet (const Rows *rows, const char *search, uint32_t max_values)
{
    PvFacet *facet = g_new0 (PvFacet, 1);
    GArray *values = collect_values (rows);

    for (uint32_t row = 0; row < rows->n_rows; row++)
        facet->total += rows->weight_of_row[row];
    facet->n_all = values->len;
    for (uint32_t i = 0; i < values->len; i++)
        facet->n_shown += g_array_index (values, PvFacetValue, i).is_shown;
    keep_matches (values, search);
    qsort (values->data, values->len, sizeof (PvFacetValue), compare_values);
    facet->n_found = values->len;
    facet->n_values = MIN (values->len, max_values);
    facet->values = (PvFacetValue *)(gpointer)g_array_free (values, FALSE);
    return facet;
}

PvFacet *
pv_facet_build (const PvProfile *profile, const PvQuery *query, const PvFacetKey *key,
                const char *search, uint32_t max_values, PvJob *job)
{
    g_assert (pv_profile_has_weights (profile, query->measure));
    g_assert (key->by != PV_GROUP_NONE && (key->by == PV_GROUP_LABEL) == (key->key != NULL));
    PvQuery open_query;
    PvFacet *facet = NULL;
    Rows rows;

    copy_without_choice (&open_query, query, key);
    rows_init (&rows, profile, query, key);
    if (weigh_rows (&rows, &open_query, job)) {
        facet = make_facet (&rows, search, max_values);
        facet->unit = profile->measures[query->measure].unit;
    }
    rows_clear (&rows);
    pv_query_clear (&open_query);
    return facet;
}

void
pv_facet_free (PvFacet *facet)
{
    if (facet == NULL)
        return;
    for (uint32_t i = 0; i < facet->n_found; i++)
        clear_value (&facet->values[i]);
    g_free (facet->values);
    g_free (facet);
}
