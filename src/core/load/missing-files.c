/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/missing-files.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/error.h"
#include "core/load/load-private.h"
#include "core/symbolize/files/debuginfod.h"
#include "core/symbolize/files/file-search.h"
#include "core/symbolize/location-weights.h"

void
pv_missing_file_free (PvMissingFile *missing)
{
    if (missing == NULL)
        return;
    g_free (missing->path);
    g_free (missing);
}

static void
free_missing (gpointer data)
{
    pv_missing_file_free (data);
}

/* NULL if the module lacks nothing (*ret_is_whole), or no server can have it. */
static PvMissingFile *
make_missing (PvModuleFiles *files, const PvModule *module, bool *ret_is_whole)
{
    *ret_is_whole = false;
    if (module->kind != PV_MODULE_FILE || module->address_kind == PV_ADDRESS_ORDINAL)
        return NULL;
    const PvModuleFile *file = pv_module_files_get (files, module);
    *ret_is_whole = file->debug != NULL && pv_elf_image_has_debug_info (file->debug);
    if (*ret_is_whole)
        return NULL;
    const uint8_t *build_id = module->build_id;
    size_t size = module->build_id_size;
    if (file->has_wrong_id)
        size = 0;
    if (size == 0 && file->binary != NULL)
        size = pv_elf_image_get_build_id (file->binary, &build_id);
    if (size == 0)
        return NULL;
    PvMissingFile *missing = g_new0 (PvMissingFile, 1);
    missing->path = g_strdup (module->path);
    missing->build_id_size = MIN (size, sizeof missing->build_id);
    memcpy (missing->build_id, build_id, missing->build_id_size);
    missing->lacks_binary = file->binary == NULL;
    return missing;
}

static int
compare_weights (const void *a_, const void *b_)
{
    const PvMissingFile *a = *(PvMissingFile *const *)a_;
    const PvMissingFile *b = *(PvMissingFile *const *)b_;

    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a->module < b->module ? -1 : a->module > b->module;
}

GPtrArray *
pv_missing_files_find (const char *const *paths, const PvProfile *profile,
                       const PvSymbolOptions *options)
{
    g_assert (paths != NULL && profile != NULL && options != NULL);
    g_autoptr (PvModuleFiles) files = pv_load_open_module_files (paths, options);
    GPtrArray *all = g_ptr_array_new_with_free_func (free_missing);
    g_autofree uint64_t *weight_of_location = g_new0 (uint64_t, profile->n_locations);
    g_autofree uint64_t *self_of_location = g_new0 (uint64_t, profile->n_locations);
    g_autofree uint64_t *weight_of_module = g_new0 (uint64_t, profile->n_modules);

    pv_location_weights_add (profile, weight_of_location, self_of_location);
    for (PvLocationId l = 1; l < profile->n_locations; l++)
        if (profile->kind_of_location[l] != PV_LOCATION_NAMED)
            weight_of_module[profile->module_of_location[l]] += weight_of_location[l];
    for (PvModuleId m = 0; m < profile->n_modules; m++) {
        bool is_whole;
        PvMissingFile *missing =
            weight_of_module[m] > 0 ? make_missing (files, &profile->modules[m], &is_whole) : NULL;
        if (missing == NULL)
            continue;
        missing->module = m;
        missing->weight = weight_of_module[m];
        g_ptr_array_add (all, missing);
    }
    g_ptr_array_sort (all, compare_weights);
    return all;
}

PvMissingFile *
pv_missing_file_get (const char *const *paths, const PvProfile *profile, PvModuleId module,
                     const PvSymbolOptions *options, GError **error)
{
    g_assert (paths != NULL && profile != NULL && module < profile->n_modules);
    g_autoptr (PvModuleFiles) files = pv_load_open_module_files (paths, options);
    bool is_whole;
    PvMissingFile *missing = make_missing (files, &profile->modules[module], &is_whole);
    if (missing != NULL)
        missing->module = module;
    else if (!is_whole)
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_NOT_FOUND,
                             _ ("Its build-id is unknown, so no server can be asked"));
    return missing;
}

/* Errors are ignored: without the file only names are missing. */
static void
fetch_alternate (const char *debug_path, uint64_t max_bytes, PvJob *job)
{
    g_autoptr (PvElfImage) debug = pv_file_open_image (debug_path);
    const uint8_t *build_id;
    size_t size = debug != NULL ? pv_file_get_alternate_id (debug, &build_id) : 0;
    if (size > 0 && size <= PV_BUILD_ID_MAX)
        g_free (
            pv_debuginfod_fetch (build_id, size, PV_DEBUGINFOD_DEBUG_INFO, max_bytes, job, NULL));
}

bool
pv_missing_file_fetch (const PvMissingFile *missing, uint64_t max_bytes, PvJob *job, GError **error)
{
    g_assert (missing != NULL);
    g_autofree char *binary =
        missing->lacks_binary ? pv_debuginfod_fetch (missing->build_id, missing->build_id_size,
                                                     PV_DEBUGINFOD_EXECUTABLE, max_bytes, job, NULL)
                              : NULL;
    g_autofree char *debug =
        pv_debuginfod_fetch (missing->build_id, missing->build_id_size, PV_DEBUGINFOD_DEBUG_INFO,
                             max_bytes, job, binary == NULL ? error : NULL);
    if (debug != NULL)
        fetch_alternate (debug, max_bytes, job);
    return binary != NULL || debug != NULL;
}
