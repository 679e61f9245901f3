/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/load.h"

#include <pthread.h>
#include <stdatomic.h>

#include "core/analyze/tables/emptiness.h"
#include "core/analyze/tables/stack-quality.h"
#include "core/load/load-private.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"
#include "core/symbolize/dwarf/dwarf-code.h"
#include "core/symbolize/symbolizer.h"
#include "core/symbolize/unwind/unwinder.h"

enum { PREVIEW_AFTER_MS = 200 };

PvMappedFile *
pv_load_open_side_file (void *user, const char *recorded_path)
{
    return pv_module_files_open_side_file (user, recorded_path);
}

char *
pv_load_find_relative (void *user, const char *recorded_path, const char *recorder_folder)
{
    return pv_module_files_find_relative (user, recorded_path, recorder_folder);
}

/* The addresses of an object file and of what was split from it are the same if both are placed. */
static bool
is_placed_alike (PvElfImage *debug, const PvElfImage *image)
{
    uint64_t start, end, debug_start, debug_end;
    if (!pv_elf_image_get_placed (image, &start, &end))
        return true;
    return pv_elf_image_place (debug) &&
           pv_elf_image_get_placed (debug, &debug_start, &debug_end) && debug_end == end;
}

static PvCodeMap *
read_code (void *user, PvElfImage *image, unsigned n_workers, uint64_t max_bytes, PvJob *job)
{
    PvModuleFile file;
    pv_module_files_find_companions (user, image, &file);
    if (file.debug != NULL && file.debug != image && !is_placed_alike (file.debug, image))
        g_clear_pointer (&file.debug, pv_elf_image_unref);
    PvCodeMap *map = pv_dwarf_read_code (&file, n_workers, max_bytes, job);
    pv_module_file_clear (&file);
    return map;
}

/* The part of a file that can be shown while most of it is still being read. A thread finds names
 * in symbol tables while reading goes on. */
typedef struct {
    const PvLoadOptions *options;
    const PvLoadEvents *events;
    PvModuleFiles *files;
    PvJob *job; /* for the look-up of names */
    PvProfile *profile;
    pthread_t thread;
    bool has_thread;
    bool is_published;   /* used by the thread only */
    atomic_bool is_over; /* the complete profile is ready */
} Preview;

static void
publish_preview (PvSymbolTable *symbols, void *user)
{
    Preview *preview = user;
    if (preview->is_published || atomic_load (&preview->is_over)) {
        pv_symbol_table_free (symbols);
        return;
    }
    preview->is_published = true;
    preview->events->preview_ready (pv_profile_ref (preview->profile), symbols, preview->job,
                                    preview->events->user);
    pv_job_cancel (preview->job);
}

static void *
name_preview (void *data)
{
    Preview *preview = data;
    pv_symbolize (preview->profile, preview->files, &preview->options->symbols, publish_preview,
                  preview, preview->job, NULL);
    return NULL;
}

static void
take_preview (void *previewer, PvProfile *profile)
{
    Preview *preview = previewer;
    pv_profile_free (preview->profile);
    preview->profile = profile;
    preview->has_thread = pthread_create (&preview->thread, NULL, name_preview, preview) == 0;
}

/* Nothing is published after this. */
static void
end_preview (Preview *preview)
{
    atomic_store (&preview->is_over, true);
    pv_job_cancel (preview->job);
    if (preview->has_thread)
        pthread_join (preview->thread, NULL);
    pv_profile_free (preview->profile);
    pv_job_unref (preview->job);
}

/* Reads and unwinds in one pass. */
PvProfile *
pv_load_read (const char *path, const PvLoadOptions *options, const PvLoadEvents *events,
              PvModuleFiles *files, PvJob *job, GError **error)
{
    Preview preview = {.options = options, .events = events, .files = files, .job = pv_job_new ()};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvUnwinder) unwinder = pv_unwinder_new (files, options->symbols.n_workers);
    PvReadContext context = {
        .unwind = pv_unwinder_unwind,
        .unwinder = unwinder,
        .open_side_file = pv_load_open_side_file,
        .find_relative = pv_load_find_relative,
        .read_code = read_code,
        .user = files,
        .preview = events->preview_ready != NULL ? take_preview : NULL,
        .previewer = &preview,
        .preview_after_ms = PREVIEW_AFTER_MS,
        .n_workers = options->symbols.n_workers,
        .budget = pv_budget_new (options->max_memory_bytes),
        .job = job,
    };
    pv_file_roots_prepare (pv_module_files_get_roots (files), job);
    bool is_read = pv_job_check (job, error) &&
                   pv_read (path, options->max_unpacked_bytes, builder, &context, error);
    end_preview (&preview);
    return is_read ? pv_profile_builder_snapshot (builder) : NULL;
}

typedef struct {
    const PvProfile *profile;
    const PvLoadEvents *events;
} Naming;

static void
publish_symbols (PvSymbolTable *symbols, void *user)
{
    const Naming *naming = user;
    const PvLoadEvents *events = naming->events;
    if (symbols->is_complete) {
        pv_stack_quality_note (naming->profile, symbols);
        pv_emptiness_note (naming->profile, symbols);
    }
    if (events->symbols_ready != NULL)
        events->symbols_ready (symbols, events->user);
    else
        pv_symbol_table_free (symbols);
}

static bool
find_symbols (const PvProfile *profile, const PvLoadOptions *options, const PvLoadEvents *events,
              PvModuleFiles *files, PvJob *job, GError **error)
{
    Naming naming = {profile, events};
    bool is_done =
        pv_symbolize (profile, files, &options->symbols, publish_symbols, &naming, job, error);
    pv_job_set_stage (job, PV_STAGE_DONE, 0);
    return is_done;
}

PvModuleFiles *
pv_load_open_module_files (const char *const *paths, const PvSymbolOptions *options)
{
    PvSymbolOptions extended = *options;
    g_autoptr (GPtrArray) folders = g_ptr_array_new ();
    g_autoptr (GPtrArray) recording_folders = g_ptr_array_new_with_free_func (g_free);
    for (size_t i = 0; options->search_paths != NULL && options->search_paths[i] != NULL; i++)
        g_ptr_array_add (folders, (void *)options->search_paths[i]);
    for (; *paths != NULL; paths++) {
        if (g_file_test (*paths, G_FILE_TEST_IS_DIR))
            g_ptr_array_add (folders, (void *)*paths);
        g_autofree char *path = g_canonicalize_filename (*paths, NULL);
        g_ptr_array_add (recording_folders, g_path_get_dirname (path));
    }
    g_ptr_array_add (folders, NULL);
    g_ptr_array_add (recording_folders, NULL);
    extended.recording_folders = (const char *const *)recording_folders->pdata;
    extended.search_paths = (const char *const *)folders->pdata;
    return pv_module_files_new (&extended);
}

bool
pv_load_symbolize (PvProfile *profile, const PvLoadOptions *options, const PvLoadEvents *events,
                   PvModuleFiles *files, PvJob *job, GError **error)
{
    g_autoptr (PvProfile) owned = profile;
    if (events->profile_ready != NULL)
        events->profile_ready (pv_profile_ref (profile), events->user);
    return find_symbols (profile, options, events, files, job, error);
}

bool
pv_load (const char *path, const PvLoadOptions *options, const PvLoadEvents *events, PvJob *job,
         GError **error)
{
    g_assert (path != NULL && options != NULL && (error == NULL || *error == NULL));
    const char *const paths[] = {path, NULL};
    g_autoptr (PvModuleFiles) files = pv_load_open_module_files (paths, &options->symbols);
    PvProfile *profile = pv_load_read (path, options, events, files, job, error);
    return profile != NULL && pv_load_symbolize (profile, options, events, files, job, error);
}

bool
pv_load_symbols (const char *path, const PvProfile *profile, const PvLoadOptions *options,
                 const PvLoadEvents *events, PvJob *job, GError **error)
{
    g_assert (path != NULL && profile != NULL && options != NULL);
    const char *const paths[] = {path, NULL};
    g_autoptr (PvModuleFiles) files = pv_load_open_module_files (paths, &options->symbols);
    return find_symbols (profile, options, events, files, job, error);
}

bool
pv_load_wants_files (const PvProfile *profile)
{
    g_assert (profile != NULL);
    if (profile->packed_names != NULL)
        return false;
    for (uint32_t m = 1; m < profile->n_modules; m++) {
        if (profile->modules[m].kind == PV_MODULE_JIT && profile->modules[m].n_named_ranges == 0)
            return true;
    }
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        const PvSampleSet *set = &profile->sets[s];
        for (uint32_t c = 0; c < set->n_contexts; c++) {
            if (set->contexts[c].stack_end == PV_STACK_END_NO_BINARY)
                return true;
        }
    }
    return false;
}
