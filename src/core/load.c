#include "core/load.h"

#include <string.h>

#include "core/model/builder.h"
#include "core/read/reader.h"

static PvMappedFile *
open_side_file (void *user, const char *recorded_path)
{
    return pv_module_files_open_side_file (user, recorded_path);
}

/* Reading and unwinding, which go hand in hand. */
static PvProfile *
read_profile (const char *path, const PvLoadOptions *options, PvModuleFiles *files, PvJob *job,
              GError **error)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvUnwinder) unwinder = pv_unwinder_new (files, options->symbols.n_workers);
    PvReadContext context = {
        .unwind = pv_unwinder_unwind,
        .unwinder = unwinder,
        .open_side_file = open_side_file,
        .user = files,
        .n_workers = options->symbols.n_workers,
        .job = job,
    };
    if (!pv_read (path, options->max_unpacked_bytes, builder, &context, error))
        return NULL;
    return pv_profile_builder_snapshot (builder);
}

static void
publish_symbols (PvSymbolTable *symbols, void *user)
{
    const PvLoadEvents *events = user;
    if (events->symbols_ready != NULL)
        events->symbols_ready (symbols, events->user);
    else
        pv_symbol_table_free (symbols);
}

/* A recording that is a folder may bring the kernel's symbols along, so it is searched as well. */
static PvModuleFiles *
open_module_files (const char *path, const PvSymbolOptions *options)
{
    PvSymbolOptions extended = *options;
    g_autoptr (GPtrArray) paths = g_ptr_array_new ();
    for (size_t i = 0; options->search_paths != NULL && options->search_paths[i] != NULL; i++)
        g_ptr_array_add (paths, (void *)options->search_paths[i]);
    if (g_file_test (path, G_FILE_TEST_IS_DIR))
        g_ptr_array_add (paths, (void *)path);
    g_ptr_array_add (paths, NULL);
    extended.search_paths = (const char *const *)paths->pdata;
    return pv_module_files_new (&extended);
}

bool
pv_load (const char *path, const PvLoadOptions *options, const PvLoadEvents *events, PvJob *job,
         GError **error)
{
    g_autoptr (PvModuleFiles) files = open_module_files (path, &options->symbols);
    g_autoptr (PvProfile) profile = read_profile (path, options, files, job, error);
    if (profile == NULL)
        return false;
    if (events->profile_ready != NULL)
        events->profile_ready (pv_profile_ref (profile), events->user);
    bool is_done = pv_symbolize (profile, files, &options->symbols, publish_symbols, (void *)events,
                                 job, error);
    pv_job_set_stage (job, PV_STAGE_DONE, 0);
    return is_done;
}

bool
pv_load_symbols (const char *path, const PvProfile *profile, const PvLoadOptions *options,
                 const PvLoadEvents *events, PvJob *job, GError **error)
{
    g_autoptr (PvModuleFiles) files = open_module_files (path, &options->symbols);
    bool is_done = pv_symbolize (profile, files, &options->symbols, publish_symbols, (void *)events,
                                 job, error);
    pv_job_set_stage (job, PV_STAGE_DONE, 0);
    return is_done;
}

bool
pv_load_wants_files (const PvProfile *profile)
{
    for (uint32_t m = 1; m < profile->n_modules; m++) {
        if (profile->modules[m].kind == PV_MODULE_JIT && profile->modules[m].n_named_ranges == 0)
            return true;
    }
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        const PvSampleSet *set = &profile->sets[s];
        if (set->n_samples > 0 &&
            memchr (set->stack_end, PV_STACK_END_NO_BINARY, set->n_samples) != NULL)
            return true;
    }
    return false;
}
