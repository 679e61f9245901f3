/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/facet-choice.h"

#include <string.h>

/* Labels */

/* The values that the filters on one key choose. */
typedef struct {
    bool is_only;
    bool has_none;
    GHashTable *values; /* a set that owns them */
} Choice;

static void
choice_init (Choice *choice)
{
    *choice = (Choice){
        .has_none = true,
        .values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    };
}

/* list: NULL for no values. */
static void
choice_set (Choice *choice, const PvLabelList *list, bool is_only, bool has_none)
{
    g_hash_table_remove_all (choice->values);
    for (guint i = 0; list != NULL && i < list->values->len; i++)
        g_hash_table_add (choice->values, g_strdup (list->values->pdata[i]));
    choice->is_only = is_only;
    choice->has_none = has_none;
}

/* Adds the values of a filter made here; false for one in the user's own words. */
static bool
read_filter (Choice *choice, const PvLabelFilter *label)
{
    const PvLabelList *list = label->list;
    if (label->expression == NULL) {
        if (label->is_excluding)
            choice_set (choice, NULL, true, choice->has_none);
        else
            choice->has_none = false;
        return true;
    }
    if (list == NULL || (list->is_negated && !label->is_excluding))
        return false;
    if (list->is_negated)
        choice_set (choice, list, true, true);
    else
        choice_set (choice, list, !label->is_excluding, label->is_excluding && choice->has_none);
    return true;
}

/* Moves the filters made here from the query to the choice. */
static void
take_choice (Choice *choice, PvQuery *query, const char *key)
{
    choice_init (choice);
    for (uint32_t i = 0; i < query->n_labels;) {
        if (strcmp (query->labels[i].key, key) == 0 && read_filter (choice, &query->labels[i]))
            pv_query_remove_label (query, i);
        else
            i++;
    }
}

static int
compare_values (const void *a, const void *b)
{
    return strcmp (*(char *const *)a, *(char *const *)b);
}

static char *
make_expression (const Choice *choice, bool is_negated)
{
    guint n;
    gpointer *keys = g_hash_table_get_keys_as_array (choice->values, &n);
    g_autoptr (GPtrArray) values = g_ptr_array_new ();
    for (guint i = 0; i < n; i++)
        g_ptr_array_add (values, keys[i]);
    g_free (keys);
    g_ptr_array_sort (values, compare_values);
    return pv_label_list_make_expression (values, is_negated);
}

static void
put_choice (Choice *choice, PvQuery *query, const char *key)
{
    bool has_values = g_hash_table_size (choice->values) > 0;
    if (choice->is_only && !has_values) {
        pv_query_exclude_label (query, key, NULL);
    } else if (has_values) {
        bool is_negated = choice->is_only && choice->has_none;
        g_autofree char *expression = make_expression (choice, is_negated);
        if (choice->is_only && !is_negated)
            pv_query_add_label (query, key, expression);
        else
            pv_query_exclude_label (query, key, expression);
    }
    if (!choice->has_none && (!choice->is_only || !has_values))
        pv_query_add_label (query, key, NULL);
    g_hash_table_unref (choice->values);
}

static void
show_label_value (Choice *choice, const PvFacetValue *value, bool is_shown)
{
    if (value->is_unlabeled)
        choice->has_none = is_shown;
    else if (is_shown == choice->is_only)
        g_hash_table_add (choice->values, g_strdup (value->name));
    else
        g_hash_table_remove (choice->values, value->name);
}

static void
set_labels_shown (PvQuery *query, const char *key, const PvFacetValue *values, uint32_t n_values,
                  bool is_shown)
{
    Choice choice;
    take_choice (&choice, query, key);
    for (uint32_t i = 0; i < n_values; i++) {
        show_label_value (&choice, &values[i], is_shown);
        if (is_shown && values[i].is_barred)
            pv_query_remove_labels (query, key);
    }
    put_choice (&choice, query, key);
}

/* Processes, threads and processors */

/* All that the profile has, as ids. */
static GArray *
list_all_ids (const PvProfile *profile, PvOrigin origin)
{
    GArray *ids = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    uint32_t n_rows = origin == PV_ORIGIN_PROCESS  ? profile->n_processes
                      : origin == PV_ORIGIN_THREAD ? profile->n_threads
                                                   : PV_CPU_UNKNOWN;
    g_autofree bool *has_cpu = origin == PV_ORIGIN_CPU ? pv_facet_find_cpus (profile) : NULL;
    for (uint32_t id = has_cpu != NULL ? 0 : 1; id < n_rows; id++) {
        if (has_cpu == NULL || has_cpu[id])
            g_array_append_val (ids, id);
    }
    return ids;
}

static void
add_ids (GHashTable *set, const uint32_t *ids, uint32_t n_ids)
{
    for (uint32_t i = 0; i < n_ids; i++)
        g_hash_table_add (set, GUINT_TO_POINTER (ids[i]));
}

static void
change_ids (GHashTable *set, const PvFacetValue *values, uint32_t n_values, bool is_added)
{
    for (uint32_t v = 0; v < n_values; v++) {
        if (is_added)
            add_ids (set, values[v].ids, values[v].n_ids);
        for (uint32_t i = 0; !is_added && i < values[v].n_ids; i++)
            g_hash_table_remove (set, GUINT_TO_POINTER (values[v].ids[i]));
    }
}

static void
put_ids (PvQuery *query, PvOrigin origin, GHashTable *only, GHashTable *except)
{
    for (unsigned i = 0; i < 2; i++) {
        g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (uint32_t));
        GHashTableIter iter;
        gpointer id;
        g_hash_table_iter_init (&iter, i == 0 ? only : except);
        while (g_hash_table_iter_next (&iter, &id, NULL)) {
            uint32_t number = GPOINTER_TO_UINT (id);
            g_array_append_val (ids, number);
        }
        (i == 0 ? pv_query_set_only : pv_query_set_except) (
            query, origin, (const uint32_t *)(gpointer)ids->data, ids->len);
    }
}

/* A query that names shown ids stops that when none or all are left; one that names hidden ids,
 * when all were hidden and one is shown. */
static void
set_ids_shown (PvQuery *query, const PvProfile *profile, PvOrigin origin,
               const PvFacetValue *values, uint32_t n_values, bool is_shown)
{
    g_autoptr (GArray) all = list_all_ids (profile, origin);
    g_autoptr (GHashTable) only = g_hash_table_new (NULL, NULL);
    g_autoptr (GHashTable) except = g_hash_table_new (NULL, NULL);
    add_ids (only, query->only[origin].ids, query->only[origin].n_ids);
    add_ids (except, query->except[origin].ids, query->except[origin].n_ids);
    bool names_shown = g_hash_table_size (only) > 0;
    bool was_empty = g_hash_table_size (except) >= all->len;
    if (is_shown && was_empty) {
        g_hash_table_remove_all (except);
        g_hash_table_remove_all (only);
        names_shown = true;
    }
    if (names_shown)
        change_ids (only, values, n_values, is_shown);
    if (is_shown || !names_shown)
        change_ids (except, values, n_values, !is_shown);
    if (names_shown && g_hash_table_size (only) == 0)
        add_ids (except, (const uint32_t *)(gpointer)all->data, all->len);
    if (g_hash_table_size (only) >= all->len)
        g_hash_table_remove_all (only);
    put_ids (query, origin, only, except);
}

/* Facets */

void
pv_facet_set_shown (PvQuery *query, const PvProfile *profile, const PvFacetKey *key,
                    const PvFacetValue *values, uint32_t n_values, bool is_shown)
{
    g_assert (query != NULL && profile != NULL && key != NULL);
    if (key->by == PV_GROUP_LABEL)
        set_labels_shown (query, key->key, values, n_values, is_shown);
    else
        set_ids_shown (query, profile, pv_facet_get_origin (key), values, n_values, is_shown);
}

void
pv_facet_show_all (PvQuery *query, const PvFacetKey *key)
{
    g_assert (query != NULL && key != NULL);
    if (key->by == PV_GROUP_LABEL) {
        pv_query_remove_labels (query, key->key);
        return;
    }
    pv_query_set_only (query, pv_facet_get_origin (key), NULL, 0);
    pv_query_set_except (query, pv_facet_get_origin (key), NULL, 0);
}

void
pv_facet_show_only (PvQuery *query, const PvFacetKey *key, const PvFacetValue *value)
{
    g_assert (value != NULL);
    pv_facet_show_all (query, key);
    if (key->by != PV_GROUP_LABEL) {
        pv_query_set_only (query, pv_facet_get_origin (key), value->ids, value->n_ids);
        return;
    }
    Choice choice;
    choice_init (&choice);
    choice.is_only = true;
    choice.has_none = false;
    show_label_value (&choice, value, true);
    put_choice (&choice, query, key->key);
}
