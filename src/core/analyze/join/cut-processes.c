/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folded stacks of FlameGraph's scripts begin with the name of the process: "prog;main;work 7", or
 * "prog-4711;…", "prog-4711/4712;…". Recordings have it beside the stack.
 */
#include <string.h>

#include "core/analyze/join/compare-join.h"
#include "core/analyze/join/join-modules.h"

static void
add_name (GHashTable *names, const char *name)
{
    if (name != NULL && *name != '\0')
        g_hash_table_add (names, g_strdelimit (g_strdup (name), " \t", '_'));
}

/* The name of a process without what may follow it. */
static char *
cut_ids (const char *name)
{
    const char *end = name + strlen (name), *dash = strrchr (name, '-');
    if (dash != NULL && dash > name && dash[1] != '\0' &&
        dash[1 + strspn (dash + 1, "0123456789/?")] == '\0')
        end = dash;
    return g_strndup (name, (size_t)(end - name));
}

/* The outermost function of a location; 0: it has none. */
static PvFunctionId
get_outermost (const PvJoinedProfile *joined, PvLocationId location)
{
    uint32_t n;
    const PvFrame *chain = pv_symbol_table_frames (joined->symbols, location, &n);
    return n > 0 ? chain[n - 1].function : 0;
}

/* By function: stacks begin with it. */
static bool *
find_roots (const PvJoinedProfile *joined)
{
    const PvProfile *profile = joined->profile;
    bool *is_root = g_new0 (bool, MAX (joined->symbols->n_functions, 1));
    for (PvStackId s = 1; s < profile->n_stacks; s++)
        if (profile->parent_of_stack[s] == 0)
            is_root[get_outermost (joined, profile->location_of_stack[s])] = true;
    is_root[0] = false;
    return is_root;
}

/* The names of processes and threads, but for those that functions have with which stacks begin. */
static void
list_processes (const PvJoinedProfile *joined, GHashTable *names)
{
    const PvProfile *profile = joined->profile;
    for (PvProcessId p = 1; p < profile->n_processes; p++)
        add_name (names, profile->processes[p].name);
    for (PvThreadId t = 1; t < profile->n_threads; t++)
        add_name (names, profile->threads[t].name);
    g_autofree bool *is_root = find_roots (joined);
    for (PvFunctionId f = 1; f < joined->symbols->n_functions; f++)
        if (is_root[f]) {
            g_autofree char *name = cut_ids (joined->symbols->functions[f].name);
            g_hash_table_remove (names, name);
        }
}

static bool
cut_processes (PvJoinedProfile *joined, GHashTable *names)
{
    g_autofree bool *is_root = find_roots (joined);
    bool has_any = false;
    for (PvFunctionId f = 1; f < joined->symbols->n_functions; f++) {
        g_autofree char *name = is_root[f] ? cut_ids (joined->symbols->functions[f].name) : NULL;
        if (name != NULL && !g_hash_table_contains (names, name))
            return false;
        has_any |= name != NULL;
    }
    if (!has_any)
        return false;
    joined->is_at_start = g_new0 (bool, MAX (joined->profile->n_stacks, 1));
    joined->is_at_start[0] = true;
    joined->is_start = g_steal_pointer (&is_root);
    joined->has_only_start = true;
    return true;
}

bool
pv_compare_join_cut_processes (PvCompareJoin *join)
{
    g_assert (join != NULL);
    g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    bool has_any = false;
    for (size_t p = 0; p < join->profiles.len; p++)
        if (!pv_compare_is_folded (join->profiles.data[p].profile))
            list_processes (&join->profiles.data[p], names);
    for (size_t p = 0; p < join->profiles.len && g_hash_table_size (names) > 0; p++)
        if (pv_compare_is_folded (join->profiles.data[p].profile))
            has_any |= cut_processes (&join->profiles.data[p], names);
    return has_any;
}
