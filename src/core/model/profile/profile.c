/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/profile.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/utsname.h>

#include "core/base/idmap.h"
#include "core/base/ref.h"
#include "core/base/search.h"
#include "core/model/profile/store.h"

PV_DEFINE_REF (pv_profile_ref, PvProfile, const PvProfile)

void
pv_profile_free (PvProfile *profile)
{
    if (!pv_ref_was_last (profile))
        return;
    pv_heap_unref ((PvHeap *)profile->heap);
    pv_arena_free (profile->arena);
    pv_store_unref (profile->store);
    pv_profile_free ((PvProfile *)profile->named);
    g_free (profile);
}

const PvEmbeddedSource *
pv_profile_find_source (const PvProfile *profile, const char *path)
{
    g_assert (profile != NULL && path != NULL);
    for (uint32_t i = 0; i < profile->n_sources; i++)
        if (strcmp (profile->sources[i].path, path) == 0)
            return &profile->sources[i];
    return NULL;
}

const PvPair *
pv_profile_get_pair (const PvProfile *profile, PvMeasureId measure)
{
    g_assert (profile != NULL);
    if (!pv_profile_has_weights (profile, measure) ||
        profile->measures[measure].part == PV_PART_NONE)
        return NULL;
    return &profile->pairs[profile->measures[measure].pair];
}

int64_t
pv_profile_net_total (const PvProfile *profile, PvMeasureId measure)
{
    const PvPair *pair = pv_profile_get_pair (profile, measure);
    g_assert (pair != NULL);
    return (int64_t)profile->measures[pair->of_side[PV_SIDE_NEW]].total -
           (int64_t)profile->measures[pair->of_side[PV_SIDE_BASE]].total;
}

PvMeasureId
pv_profile_find_measure (const PvProfile *profile, const char *name)
{
    g_assert (profile != NULL && name != NULL);
    for (PvMeasureId m = 0; m < profile->n_weights; m++) {
        if (strcmp (profile->measures[m].name, name) == 0)
            return m;
    }
    for (PvMeasureId m = 0; m < profile->n_weights; m++) {
        if (g_ascii_strcasecmp (profile->measures[m].name, name) == 0)
            return m;
    }
    return UINT32_MAX;
}

char *
pv_profile_format_measures (const PvProfile *profile)
{
    g_assert (profile != NULL);
    GString *names = g_string_new (NULL);
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "",
                                profile->measures[m].name);
    return g_string_free (names, FALSE);
}

PvMeasureId
pv_profile_find_heap_measure (const PvProfile *profile, PvHeapMeasure heap_measure)
{
    g_assert (heap_measure > PV_HEAP_NONE && heap_measure < PV_N_HEAP_MEASURES);
    for (PvMeasureId m = 0; m < profile->n_weights; m++) {
        if (profile->measures[m].heap == heap_measure)
            return m;
    }
    return 0;
}

char *
pv_format_thread (const PvProfile *profile, PvThreadId thread)
{
    g_assert (thread < profile->n_threads);
    const PvThread *row = &profile->threads[thread];

    if (row->name == NULL || *row->name == '\0')
        return row->tid >= 0 ? g_strdup_printf (_ ("Thread %d"), row->tid)
                             : g_strdup (_ ("Unknown thread"));
    return row->tid >= 0 ? g_strdup_printf ("%s (%d)", row->name, row->tid) : g_strdup (row->name);
}

char *
pv_format_process (const PvProfile *profile, PvProcessId process)
{
    g_assert (process < profile->n_processes);
    const PvProcess *row = &profile->processes[process];

    if (row->name == NULL || *row->name == '\0')
        return row->pid >= 0 ? g_strdup_printf (_ ("Process %d"), row->pid)
                             : g_strdup (_ ("Unknown process"));
    return row->pid >= 0 ? g_strdup_printf ("%s (%d)", row->name, row->pid) : g_strdup (row->name);
}

void
pv_profile_count_threads (const PvProfile *profile, uint32_t *ret_n_processes,
                          uint32_t *ret_n_threads)
{
    PvIdMap threads = {0}, processes = {0};

    g_assert (profile != NULL && ret_n_processes != NULL && ret_n_threads != NULL);
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        const PvSampleSet *set = &profile->sets[s];
        for (uint32_t c = 0; c < set->n_contexts; c++) {
            if (set->contexts[c].thread == 0)
                continue;
            const PvThread *thread = &profile->threads[set->contexts[c].thread];
            uint32_t pid = (uint32_t)profile->processes[thread->process].pid;
            *pv_id_map_slot (&threads, (uint64_t)pid << 32 | (uint32_t)thread->tid) = 1;
            *pv_id_map_slot (&processes, pid) = 1;
        }
    }
    *ret_n_threads = threads.len;
    *ret_n_processes = profile->heap != NULL ? profile->n_processes - 1 : processes.len;
    pv_id_map_clear (&threads);
    pv_id_map_clear (&processes);
}

uint32_t
pv_sample_set_find (const PvSampleSet *set, uint64_t time_ns)
{
    g_assert (set != NULL);
    return pv_bisect (0, set->n_samples, i, pv_sample_set_time_ns (set, i) < time_ns);
}

bool
pv_profile_has_format (const PvProfile *profile, const char *format)
{
    g_assert (profile != NULL && format != NULL);
    return g_strcmp0 (profile->facts.format, format) == 0;
}

bool
pv_profile_has_mappings (const PvProfile *profile)
{
    g_assert (profile != NULL);
    for (PvModuleId m = 1; m < profile->n_modules; m++) {
        const PvModule *module = &profile->modules[m];
        if (module->kind == PV_MODULE_FILE && module->address_kind != PV_ADDRESS_ORDINAL)
            return true;
    }
    return false;
}

bool
pv_facts_are_of_this_machine (const PvFacts *facts)
{
    g_assert (facts != NULL);
    struct utsname here;
    return facts->host != NULL && uname (&here) == 0 && strcmp (facts->host, here.nodename) == 0;
}
