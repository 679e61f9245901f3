/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/machine/code-files.h"

#include <pthread.h>

#include "core/base/array.h"
#include "core/base/ref.h"

/* A map has some dozens of bytes for each range of each unit: megabytes in the largest programs. */
enum { MAX_MAPS = 4 };

typedef struct {
    const PvModuleFile *file;
    PvDwarfUnits *units;
    unsigned n_users;
    uint64_t last_use;
} Map;

struct PvCodeFiles {
    int ref_count; /* atomic */
    PvModuleFiles *modules;
    unsigned n_workers;
    pthread_mutex_t mutex; /* protects all below, held while a map is made */
    uint64_t n_uses;
    PV_ARRAY (Map) maps;
};

PvCodeFiles *
pv_code_files_new (const PvSymbolOptions *options)
{
    PvCodeFiles *files = g_new0 (PvCodeFiles, 1);
    files->ref_count = 1;
    files->modules = pv_module_files_new (options);
    files->n_workers = options != NULL ? options->n_workers : 0;
    pthread_mutex_init (&files->mutex, NULL);
    return files;
}

PvCodeFiles *
pv_code_files_ref (PvCodeFiles *files)
{
    g_assert (files != NULL);
    __atomic_fetch_add (&files->ref_count, 1, __ATOMIC_RELAXED);
    return files;
}

void
pv_code_files_unref (PvCodeFiles *files)
{
    if (!pv_ref_was_last (files))
        return;
    for (size_t m = 0; m < files->maps.len; m++)
        pv_dwarf_units_free (files->maps.data[m].units);
    pv_array_clear (&files->maps);
    pthread_mutex_destroy (&files->mutex);
    pv_module_files_free (files->modules);
    g_free (files);
}

PvModuleFiles *
pv_code_files_get_modules (const PvCodeFiles *files)
{
    g_assert (files != NULL);
    return files->modules;
}

unsigned
pv_code_files_get_n_workers (const PvCodeFiles *files)
{
    g_assert (files != NULL);
    return files->n_workers;
}

/* --- unit maps --- */

/* Drops the one that was not used for the longest time, if there are too many. */
static void
drop_oldest (PvCodeFiles *files)
{
    size_t oldest = SIZE_MAX;
    if (files->maps.len <= MAX_MAPS)
        return;
    for (size_t m = 0; m < files->maps.len; m++)
        if (files->maps.data[m].n_users == 0 &&
            (oldest == SIZE_MAX ||
             files->maps.data[m].last_use < files->maps.data[oldest].last_use))
            oldest = m;
    if (oldest == SIZE_MAX)
        return;
    pv_dwarf_units_free (files->maps.data[oldest].units);
    files->maps.data[oldest] = files->maps.data[--files->maps.len];
}

static Map *
find_map (PvCodeFiles *files, const PvModuleFile *file)
{
    for (size_t m = 0; m < files->maps.len; m++)
        if (files->maps.data[m].file == file)
            return &files->maps.data[m];
    return NULL;
}

/* NULL without debug information, or when cancelled, as the map is incomplete then. */
static Map *
make_map (PvCodeFiles *files, const PvModuleFile *file, PvJob *job)
{
    const char *problem = NULL;
    PvDwarfUnits *units = pv_dwarf_units_new (file, job, &problem);
    if (units != NULL && pv_job_is_cancelled (job))
        g_clear_pointer (&units, pv_dwarf_units_free);
    if (units == NULL)
        return NULL;
    pv_array_push (&files->maps, ((Map){.file = file, .units = units}));
    return &files->maps.data[files->maps.len - 1];
}

const PvDwarfUnits *
pv_code_files_borrow_units (PvCodeFiles *files, const PvModuleFile *file, PvJob *job)
{
    g_assert (files != NULL && file != NULL);
    pthread_mutex_lock (&files->mutex);
    Map *map = find_map (files, file);
    if (map == NULL)
        map = make_map (files, file, job);
    if (map != NULL) {
        map->n_users++;
        map->last_use = ++files->n_uses;
    }
    const PvDwarfUnits *units = map != NULL ? map->units : NULL;
    pthread_mutex_unlock (&files->mutex);
    return units;
}

void
pv_code_files_return_units (PvCodeFiles *files, const PvDwarfUnits *units)
{
    g_assert (files != NULL);
    if (units == NULL)
        return;
    pthread_mutex_lock (&files->mutex);
    for (size_t m = 0; m < files->maps.len; m++)
        if (files->maps.data[m].units == units)
            files->maps.data[m].n_users--;
    drop_oldest (files);
    pthread_mutex_unlock (&files->mutex);
}
