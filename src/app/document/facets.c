/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/document/facets.h"

#include <stdlib.h>
#include <string.h>

#include "app/document/query-words.h"
#include "core/analyze/query/sample-filter.h"

enum { MAX_PARTS = 500, CHECK_EVERY = 65536 };

/* Keys ------------------------------------------------------------------------------------------
 */

void
pv_facet_keys_free (PvFacetKeys *keys)
{
    pv_profile_free (keys->profile);
    g_free (keys->keys);
    g_free (keys);
}

/* Row 0 of each table is "none". */
static void
add_key (GArray *keys, PvGrouping by, const char *name, uint32_t n_values)
{
    PvFacetKey key = {by, name, n_values};
    g_array_append_val (keys, key);
}

static gpointer
find_keys (gpointer data, PvJob *job, GError **error)
{
    PvProfile *profile = data;
    PvFacetKeys *found = g_new0 (PvFacetKeys, 1);
    GArray *keys = g_array_new (FALSE, FALSE, sizeof (PvFacetKey));
    uint32_t n_labels = 0;
    g_autofree PvLabelKey *labels = pv_labels_list_keys (profile, &n_labels);

    if (profile->n_processes > 2)
        add_key (keys, PV_GROUP_PROCESS, NULL, profile->n_processes - 1);
    if (profile->n_threads > 2)
        add_key (keys, PV_GROUP_THREAD, NULL, profile->n_threads - 1);
    for (uint32_t i = 0; i < n_labels; i++)
        add_key (keys, PV_GROUP_LABEL, labels[i].key, labels[i].n_values);
    found->profile = pv_profile_ref (profile);
    found->n_keys = profile->heap == NULL ? keys->len : 0;
    found->keys = (PvFacetKey *)(gpointer)g_array_free (keys, FALSE);
    return found;
}

PvTask *
pv_facet_keys_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, find_keys, (GDestroyNotify)pv_profile_free,
                        (GDestroyNotify)pv_facet_keys_free, done);
}

/* Parts -----------------------------------------------------------------------------------------
 */

static void
parts_input_free (gpointer data)
{
    PvFacetInput *input = data;
    pv_profile_free (input->profile);
    pv_query_clear (&input->query);
    g_free (input->search);
    g_free (input);
}

static void
clear_part (PvFacetValue *part)
{
    g_free (part->name);
    g_free (part->ids);
}

void
pv_facet_free (PvFacet *parts)
{
    for (uint32_t i = 0; i < parts->n_parts; i++)
        clear_part (&parts->parts[i]);
    g_free (parts->parts);
    g_free (parts);
}

static void
put_aside (PvQuery *query, const PvFacetKey *key)
{
    uint32_t n_kept = 0;

    if (key->by == PV_GROUP_THREAD)
        query->n_threads = 0;
    if (key->by == PV_GROUP_PROCESS)
        query->n_processes = 0;
    if (key->by != PV_GROUP_LABEL)
        return;
    for (uint32_t i = 0; i < query->n_labels; i++) {
        PvLabelFilter label = query->labels[i];
        if (g_str_equal (label.key, key->key)) {
            g_free (label.key);
            g_free (label.expression);
        } else {
            query->labels[n_kept++] = label;
        }
    }
    query->n_labels = n_kept;
}

/* What each sample weighs goes to a row: its thread, its process, or the value of its label. */
static bool
weigh_rows (const PvFacetInput *input, const PvLabelValues *values, uint64_t *weights, PvJob *job)
{
    const PvProfile *profile = input->profile;
    PvSampleFilter filter;
    uint64_t total = 0;
    bool is_done = true;

    pv_sample_filter_init (&filter, &input->query, profile);
    for (uint32_t i = filter.first; i < filter.last; i++) {
        uint64_t weight = pv_sample_filter_weigh (&filter, i, total);
        PvThreadId thread = filter.set->thread[i];
        uint32_t row = thread;
        if (values != NULL)
            row =
                values->value_of_set[filter.set->label_set != NULL ? filter.set->label_set[i] : 0];
        else if (input->key.by == PV_GROUP_PROCESS)
            row = profile->threads[thread].process;
        weights[row] += weight;
        total += weight;
        if (i % CHECK_EVERY == 0 && pv_job_is_cancelled (job)) {
            is_done = false;
            break;
        }
    }
    pv_sample_filter_clear (&filter);
    return is_done;
}

static char *
name_row (const PvFacetInput *input, const PvLabelValues *values, uint32_t row)
{
    if (values != NULL)
        return g_strdup (values->names[row]);
    return input->key.by == PV_GROUP_PROCESS ? pv_format_process (input->profile, row)
                                             : pv_format_thread (input->profile, row);
}

static int
compare_parts (const void *a, const void *b)
{
    const PvFacetValue *p = a, *q = b;
    return p->weight != q->weight ? (p->weight > q->weight ? -1 : 1) : strcmp (p->name, q->name);
}

/* A thread that has run several programs has several rows, and those with one name are one part. */
static GArray *
collect_parts (const PvFacetInput *input, const PvLabelValues *values, const uint64_t *weights,
               uint32_t n_rows)
{
    GArray *parts = g_array_new (FALSE, TRUE, sizeof (PvFacetValue));
    g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

    for (uint32_t row = 1; row < n_rows; row++) {
        g_autofree char *name = name_row (input, values, row);
        gpointer found;
        PvFacetValue *part;
        if (name == NULL)
            continue;
        if (g_hash_table_lookup_extended (known, name, NULL, &found)) {
            part = &g_array_index (parts, PvFacetValue, GPOINTER_TO_UINT (found));
        } else {
            PvFacetValue new_part = {.name = g_steal_pointer (&name)};
            g_hash_table_insert (known, new_part.name, GUINT_TO_POINTER (parts->len));
            g_array_append_val (parts, new_part);
            part = &g_array_index (parts, PvFacetValue, parts->len - 1);
        }
        part->weight += weights[row];
        if (values != NULL)
            continue;
        part->ids = g_renew (uint32_t, part->ids, part->n_ids + 1);
        part->ids[part->n_ids++] = row;
    }
    return parts;
}

static bool
has_text (const char *name, const char *folded_search)
{
    g_autofree char *folded = NULL;

    if (folded_search == NULL)
        return true;
    folded = g_utf8_casefold (name, -1);
    return strstr (folded, folded_search) != NULL;
}

/* The heaviest of those that are looked for. */
static void
keep_best (GArray *parts, const char *search)
{
    g_autofree char *folded = search != NULL ? g_utf8_casefold (search, -1) : NULL;
    uint32_t n_kept = 0;

    for (uint32_t i = 0; i < parts->len; i++) {
        PvFacetValue *part = &g_array_index (parts, PvFacetValue, i);
        if (has_text (part->name, folded))
            g_array_index (parts, PvFacetValue, n_kept++) = *part;
        else
            clear_part (part);
    }
    g_array_set_size (parts, n_kept);
    qsort (parts->data, parts->len, sizeof (PvFacetValue), compare_parts);
}

static gpointer
find_parts (gpointer data, PvJob *job, GError **error)
{
    PvFacetInput *input = data;
    const PvProfile *profile = input->profile;
    g_autoptr (PvLabelValues) values =
        input->key.by == PV_GROUP_LABEL ? pv_label_values_new (profile, input->key.key) : NULL;
    uint32_t n_rows = values != NULL                      ? values->n_values
                      : input->key.by == PV_GROUP_PROCESS ? profile->n_processes
                                                          : profile->n_threads;
    g_autofree uint64_t *weights = g_new0 (uint64_t, MAX (n_rows, 1));
    PvFacet *found;
    GArray *parts;

    put_aside (&input->query, &input->key);
    if (!weigh_rows (input, values, weights, job))
        return NULL;
    found = g_new0 (PvFacet, 1);
    found->unit = profile->measures[input->query.measure].unit;
    for (uint32_t row = 0; row < n_rows; row++)
        found->total += weights[row];
    parts = collect_parts (input, values, weights, n_rows);
    found->n_all = parts->len;
    keep_best (parts, input->search);
    found->n_found = parts->len;
    for (uint32_t i = MAX_PARTS; i < parts->len; i++)
        clear_part (&g_array_index (parts, PvFacetValue, i));
    found->n_parts = MIN (parts->len, MAX_PARTS);
    found->parts = (PvFacetValue *)(gpointer)g_array_free (parts, FALSE);
    return found;
}

PvTask *
pv_facet_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, find_parts, parts_input_free, (GDestroyNotify)pv_facet_free, done);
}
