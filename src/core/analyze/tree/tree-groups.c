/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tree/tree-groups.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/idmap.h"
#include "core/model/profile/labels.h"
#include "core/model/profile/package.h"

struct PvTreeGroups {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvGrouping by;
    char *label; /* the key, or NULL */
    PvLabelValues *values;
    /* Modules, files and packages. */
    uint32_t n_texts;
    char **texts;            /* by id, sorted; texts[0] is empty */
    uint32_t *text_of_item;  /* of module or function; NULL by file */
    PvIdMap text_of_pointer; /* of a file: a table's strings are unique. Only those that exist */
};

/* Texts */

typedef struct {
    GHashTable *place_of_text; /* owns the texts; the place is that of first use, from 1 */
    GPtrArray *texts;
} Collection;

static uint32_t
add_text (Collection *collection, const char *text, size_t len)
{
    if (text == NULL || len == 0)
        return 0;
    g_autofree char *copy = g_strndup (text, len);
    uint32_t known = GPOINTER_TO_UINT (g_hash_table_lookup (collection->place_of_text, copy));
    if (known != 0)
        return known;
    g_ptr_array_add (collection->texts, copy);
    g_hash_table_insert (collection->place_of_text, g_steal_pointer (&copy),
                         GUINT_TO_POINTER (collection->texts->len));
    return collection->texts->len;
}

static int
compare_texts (const void *a, const void *b)
{
    return strcmp (*(char *const *)a, *(char *const *)b);
}

/* Numbers the texts in order of name. Returns the id of each place. */
static uint32_t *
sort_texts (PvTreeGroups *groups, Collection *collection)
{
    uint32_t n = collection->texts->len;
    uint32_t *id_of_place = g_new0 (uint32_t, (size_t)n + 1);
    groups->n_texts = n + 1;
    groups->texts = g_new0 (char *, (size_t)n + 2);
    groups->texts[0] = g_strdup ("");
    for (uint32_t i = 0; i < n; i++)
        groups->texts[i + 1] = g_strdup (collection->texts->pdata[i]);
    qsort (groups->texts + 1, n, sizeof (char *), compare_texts);
    for (uint32_t id = 1; id <= n; id++) {
        gpointer place = g_hash_table_lookup (collection->place_of_text, groups->texts[id]);
        id_of_place[GPOINTER_TO_UINT (place)] = id;
    }
    return id_of_place;
}

/* Modules of the same name are one, wherever they lie. */
static void
collect_modules (PvTreeGroups *groups, Collection *collection)
{
    const PvProfile *profile = groups->profile;
    groups->text_of_item = g_new0 (uint32_t, MAX (profile->n_modules, 1));
    for (PvModuleId m = 1; m < profile->n_modules; m++) {
        const char *name = profile->modules[m].name;
        groups->text_of_item[m] = add_text (collection, name, name != NULL ? strlen (name) : 0);
    }
    g_autofree uint32_t *id_of_place = sort_texts (groups, collection);
    for (PvModuleId m = 1; m < profile->n_modules; m++)
        groups->text_of_item[m] = id_of_place[groups->text_of_item[m]];
}

static void
collect_packages (PvTreeGroups *groups, Collection *collection)
{
    const PvSymbolTable *symbols = groups->symbols;
    groups->text_of_item = g_new0 (uint32_t, MAX (symbols->n_functions, 1));
    for (PvFunctionId f = 1; f < symbols->n_functions; f++) {
        size_t len = 0;
        const char *package = pv_function_find_package (&symbols->functions[f], &len);
        groups->text_of_item[f] = add_text (collection, package, len);
    }
    g_autofree uint32_t *id_of_place = sort_texts (groups, collection);
    for (PvFunctionId f = 1; f < symbols->n_functions; f++)
        groups->text_of_item[f] = id_of_place[groups->text_of_item[f]];
}

static const char *
get_file (const PvTreeGroups *groups, const PvFrame *frame)
{
    return frame->file != NULL ? frame->file : groups->symbols->functions[frame->function].file;
}

static void
collect_files (PvTreeGroups *groups, Collection *collection)
{
    const PvSymbolTable *symbols = groups->symbols;
    g_autoptr (GPtrArray) files = g_ptr_array_new ();
    for (PvLocationId l = 1; l < symbols->n_locations; l++) {
        uint32_t n_frames;
        const PvFrame *chain = pv_symbol_table_frames (symbols, l, &n_frames);
        for (uint32_t i = 0; i < n_frames; i++) {
            const char *file = get_file (groups, &chain[i]);
            if (file == NULL || *file == '\0')
                continue;
            uint32_t *place = pv_id_map_slot (&groups->text_of_pointer, (uint64_t)(uintptr_t)file);
            if (*place != 0)
                continue;
            *place = add_text (collection, file, strlen (file));
            g_ptr_array_add (files, (gpointer)file);
        }
    }
    g_autofree uint32_t *id_of_place = sort_texts (groups, collection);
    for (guint i = 0; i < files->len; i++) {
        uint32_t *place =
            pv_id_map_slot (&groups->text_of_pointer, (uint64_t)(uintptr_t)files->pdata[i]);
        *place = id_of_place[*place];
    }
}

static void
collect_texts (PvTreeGroups *groups)
{
    Collection collection = {
        .place_of_text = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
        .texts = g_ptr_array_new (),
    };
    if (groups->by == PV_GROUP_MODULE)
        collect_modules (groups, &collection);
    else if (groups->by == PV_GROUP_PACKAGE)
        collect_packages (groups, &collection);
    else
        collect_files (groups, &collection);
    g_hash_table_unref (collection.place_of_text);
    g_ptr_array_unref (collection.texts);
}

/* Groups */

PvTreeGroups *
pv_tree_groups_new (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL);
    bool is_of_stacks = pv_groupings[query->grouping].is_of_stacks;
    if (query->grouping == PV_GROUP_NONE ||
        (query->grouping == PV_GROUP_LABEL && query->group_label == NULL) ||
        (profile->heap != NULL && !is_of_stacks)) /* it has no threads */
        return NULL;
    PvTreeGroups *groups = g_new0 (PvTreeGroups, 1);
    groups->profile = profile;
    groups->symbols = symbols;
    groups->by = query->grouping;
    groups->label = g_strdup (query->group_label);
    if (groups->by == PV_GROUP_LABEL)
        groups->values = pv_label_values_new (profile, groups->label);
    if (is_of_stacks)
        collect_texts (groups);
    return groups;
}

void
pv_tree_groups_free (PvTreeGroups *groups)
{
    if (groups == NULL)
        return;
    g_free (groups->label);
    g_clear_pointer (&groups->values, pv_label_values_free);
    g_strfreev (groups->texts);
    g_free (groups->text_of_item);
    pv_id_map_clear (&groups->text_of_pointer);
    g_free (groups);
}

bool
pv_tree_groups_are_of_stacks (const PvTreeGroups *groups)
{
    g_assert (groups != NULL);
    return pv_groupings[groups->by].is_of_stacks;
}

uint32_t
pv_tree_groups_count_ids (const PvTreeGroups *groups)
{
    g_assert (groups != NULL);
    switch (groups->by) {
    case PV_GROUP_NONE:
    case PV_N_GROUPINGS:
        return 0;
    case PV_GROUP_PROCESS:
        return groups->profile->n_processes;
    case PV_GROUP_THREAD:
        return groups->profile->n_threads;
    case PV_GROUP_CPU:
        return PV_CPU_UNKNOWN + 1;
    case PV_GROUP_LABEL:
        return groups->values->n_values;
    case PV_GROUP_MODULE:
    case PV_GROUP_FILE:
    case PV_GROUP_PACKAGE:
        break;
    }
    return groups->n_texts;
}

uint32_t
pv_tree_groups_find_by_sample (const PvTreeGroups *groups, const PvSampleSet *set, uint32_t sample)
{
    const PvSampleContext *context = &set->contexts[pv_sample_set_context (set, sample)];
    if (groups->values != NULL)
        return groups->values->value_of_set[set->label_set != NULL ? set->label_set[sample] : 0];
    if (groups->by == PV_GROUP_CPU)
        return context->cpu != PV_CPU_UNKNOWN ? context->cpu + 1u : 0;
    return groups->by == PV_GROUP_THREAD ? context->thread
                                         : groups->profile->threads[context->thread].process;
}

/* A module that was merged into one function has no files and no packages. */
uint32_t
pv_tree_groups_find_by_leaf (const PvTreeGroups *groups, const PvFrame *frame,
                             PvFunctionId function)
{
    if (groups->by == PV_GROUP_MODULE)
        return groups->text_of_item[groups->symbols->functions[frame->function].module];
    if (frame->function != function)
        return 0;
    if (groups->by == PV_GROUP_PACKAGE)
        return groups->text_of_item[function];
    const char *file = get_file (groups, frame);
    return file != NULL ? pv_id_map_find (&groups->text_of_pointer, (uint64_t)(uintptr_t)file) : 0;
}

/* Order and names */

/* The name and the pid or tid. */
static const char *
get_name_and_number (const PvTreeGroups *groups, uint32_t id, int32_t *ret_number)
{
    if (groups->by == PV_GROUP_THREAD) {
        *ret_number = groups->profile->threads[id].tid;
        return groups->profile->threads[id].name;
    }
    *ret_number = groups->profile->processes[id].pid;
    return groups->profile->processes[id].name;
}

int
pv_tree_groups_compare (const PvTreeGroups *groups, uint32_t a, uint32_t b)
{
    g_assert (groups != NULL);
    int order = 0;
    if (groups->by == PV_GROUP_THREAD || groups->by == PV_GROUP_PROCESS) {
        int32_t number_a, number_b;
        const char *name_a = get_name_and_number (groups, a, &number_a);
        order = g_strcmp0 (name_a, get_name_and_number (groups, b, &number_b));
        if (order == 0)
            order = (number_a > number_b) - (number_a < number_b);
    }
    return order != 0 ? order : (a > b) - (a < b);
}

static char *
make_origin_name (const PvTreeGroups *groups, uint32_t id)
{
    int32_t number;
    const char *name = get_name_and_number (groups, id, &number);
    bool has_name = name != NULL && *name != '\0';
    if (number < 0)
        return g_strdup (has_name ? name : C_ ("grouping", "unknown"));
    return has_name ? g_strdup_printf ("%s (%d)", name, number) : g_strdup_printf ("%d", number);
}

static char *
make_label_name (const PvTreeGroups *groups, uint32_t value)
{
    if (value == 0)
        return pv_fill_in (_ (pv_groupings[PV_GROUP_LABEL].rest), groups->label);
    const char *name = groups->values->names[value];
    return g_strdup (*name != '\0' ? name : C_ ("grouping", "(empty)"));
}

static char *
make_text_name (const PvTreeGroups *groups, uint32_t id)
{
    if (id != 0)
        return g_strdup (groups->texts[id]);
    return g_strdup (_ (pv_groupings[groups->by].rest));
}

char *
pv_tree_groups_make_name (const PvTreeGroups *groups, uint32_t id)
{
    g_assert (groups != NULL && id < pv_tree_groups_count_ids (groups));
    if (groups->by == PV_GROUP_LABEL)
        return make_label_name (groups, id);
    if (pv_tree_groups_are_of_stacks (groups))
        return make_text_name (groups, id);
    if (groups->by != PV_GROUP_CPU)
        return make_origin_name (groups, id);
    return id == 0 ? g_strdup (_ (pv_groupings[PV_GROUP_CPU].rest))
                   /* Translators: a processor, by its number */
                   : g_strdup_printf (_ ("CPU %u"), id - 1);
}
