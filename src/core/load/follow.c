/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/follow.h"

#include <glib/gi18n-lib.h>
#include <pthread.h>
#include <string.h>

#include "core/base/error.h"
#include "core/base/ref.h"
#include "core/load/load-private.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"
#include "core/symbolize/symbolizer.h"
#include "core/symbolize/unwind/unwinder.h"

/* The state of reading the file; replaced when reading starts again. */
typedef struct {
    const PvFollower *follower;
    PvMappedFile *file;
    PvProfileBuilder *builder;
    PvUnwinder *unwinder;
    PvReadContext context;
    void *session; /* owned by the follower */
    PvSymbolizer *symbolizer;
} Reading;

struct PvFollow {
    int ref_count; /* atomic */
    pthread_mutex_t mutex;
    char *path;
    PvLoadOptions options;
    PvModuleFiles *files;
    Reading reading;    /* session is NULL before the start */
    PvProfile *profile; /* of the last step; NULL before the first */
    uint64_t n_seen;    /* samples or allocations in profile */
    bool is_repeating;  /* atomic; the next step returns a profile anyway */
};

PvFollow *
pv_follow_new (const char *path, const PvLoadOptions *options)
{
    g_assert (path != NULL && options != NULL);
    PvFollow *self = g_new0 (PvFollow, 1);
    const char *const paths[] = {path, NULL};
    self->ref_count = 1;
    pthread_mutex_init (&self->mutex, NULL);
    self->path = g_strdup (path);
    self->options = *options;
    self->options.symbols = pv_symbol_options_copy (&options->symbols);
    self->files = pv_load_open_module_files (paths, &self->options.symbols);
    return self;
}

static void
reading_clear (Reading *reading)
{
    if (reading->session != NULL)
        reading->follower->end (reading->session);
    pv_symbolizer_free (reading->symbolizer);
    pv_unwinder_free (reading->unwinder);
    pv_profile_builder_free (reading->builder);
    pv_mapped_file_unref (reading->file);
    *reading = (Reading){0};
}

PV_DEFINE_REF (pv_follow_ref, PvFollow, PvFollow)

void
pv_follow_unref (PvFollow *self)
{
    if (!pv_ref_was_last (self))
        return;
    reading_clear (&self->reading);
    pv_profile_free (self->profile);
    pv_module_files_free (self->files);
    pv_symbol_options_clear (&self->options.symbols);
    pthread_mutex_destroy (&self->mutex);
    g_free (self->path);
    g_free (self);
}

void
pv_follow_step_clear (PvFollowStep *step)
{
    pv_profile_free (step->profile);
    pv_symbol_table_free (step->symbols);
    *step = (PvFollowStep){0};
}

static void
refuse (GError **error)
{
    g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_UNSUPPORTED,
                         _ ("Files of this format cannot be read while they are being written"));
}

/* The follower for the file's format. NULL without error: nothing has been written yet. */
static const PvFollower *
find_follower (PvMappedFile *file, GError **error)
{
    static const uint8_t nothing[16];
    size_t size_bytes = pv_mapped_file_get_size (file);
    if (size_bytes < sizeof nothing ||
        memcmp (pv_mapped_file_get_data (file), nothing, sizeof nothing) == 0)
        return NULL;
    const PvReader *reader = pv_read_find_reader (file);
    if (reader != NULL && reader->follower != NULL)
        return reader->follower;
    refuse (error);
    return NULL;
}

static bool
begin (PvFollow *self, GError **error)
{
    Reading *reading = &self->reading;
    g_autoptr (PvMappedFile) file = pv_mapped_file_open_growing (self->path, error);
    if (file == NULL)
        return false;
    g_autoptr (GError) problem = NULL;
    const PvFollower *follower = find_follower (file, &problem);
    if (problem != NULL)
        g_propagate_error (error, g_steal_pointer (&problem));
    if (follower == NULL)
        return problem == NULL && (error == NULL || *error == NULL);

    const PvSymbolOptions *symbols = &self->options.symbols;
    reading->follower = follower;
    reading->file = g_steal_pointer (&file);
    reading->builder = pv_profile_builder_new ();
    reading->unwinder = pv_unwinder_new (self->files, symbols->n_workers);
    reading->symbolizer = pv_symbolizer_new (self->files, symbols);
    reading->context = (PvReadContext){
        .unwind = pv_unwinder_unwind,
        .unwinder = reading->unwinder,
        .open_side_file = pv_load_open_side_file,
        .find_relative = pv_load_find_relative,
        .user = self->files,
        .n_workers = symbols->n_workers,
        .budget = pv_budget_new (self->options.max_memory_bytes),
    };
    reading->session = follower->begin (reading->file, reading->builder, &reading->context);
    if (reading->session != NULL)
        return true;
    reading_clear (reading);
    refuse (error);
    return false;
}

static uint64_t
count_seen (const PvProfile *profile)
{
    return profile->heap != NULL ? profile->heap->n_allocations + profile->heap->n_frees
                                 : pv_profile_count_all_samples (profile);
}

/* Ids of the next reading are others, and so may be its samples, even if they are as many. */
static void
forget_reading (PvFollow *self)
{
    reading_clear (&self->reading);
    g_clear_pointer (&self->profile, pv_profile_free);
    self->n_seen = 0;
}

static bool
read_more (PvFollow *self, GError **error)
{
    Reading *reading = &self->reading;
    if (reading->session == NULL && !begin (self, error))
        return false;
    if (reading->session == NULL)
        return true;
    bool ok = pv_mapped_file_grow (reading->file, error);
    ok = ok && reading->follower->read_more (reading->session, error);
    if (!ok)
        forget_reading (self);
    return ok;
}

/* Begins anew where what is new shows that what was read before is wrong. */
static bool
read_right (PvFollow *self, GError **error)
{
    Reading *reading = &self->reading;
    if (!read_more (self, error))
        return false;
    if (reading->session == NULL || !reading->follower->is_outdated (reading->session))
        return true;
    forget_reading (self);
    return read_more (self, error);
}

static bool
take_step (PvFollow *self, PvJob *job, PvFollowStep *ret_step, GError **error)
{
    bool is_repeating = __atomic_exchange_n (&self->is_repeating, false, __ATOMIC_RELAXED);
    if (!read_right (self, error))
        return false;
    Reading *reading = &self->reading;
    if (reading->session == NULL)
        return true;
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (reading->builder);
    uint64_t n_seen = count_seen (profile);
    if (n_seen == self->n_seen && !(is_repeating && n_seen > 0))
        return true;
    PvSymbolTable *symbols = pv_symbolizer_update (reading->symbolizer, profile, job);
    if (symbols == NULL)
        return pv_job_check (job, error);
    self->n_seen = n_seen;
    pv_profile_free (self->profile);
    self->profile = pv_profile_ref (profile);
    *ret_step = (PvFollowStep){g_steal_pointer (&profile), symbols};
    return true;
}

bool
pv_follow_step (PvFollow *self, PvJob *job, PvFollowStep *ret_step, GError **error)
{
    g_assert (self != NULL && ret_step != NULL);
    *ret_step = (PvFollowStep){0};
    pthread_mutex_lock (&self->mutex);
    bool ok = take_step (self, job, ret_step, error);
    pthread_mutex_unlock (&self->mutex);
    return ok;
}

void
pv_follow_repeat (PvFollow *self)
{
    g_assert (self != NULL);
    __atomic_store_n (&self->is_repeating, true, __ATOMIC_RELAXED);
}

/* True if stacks were unwound with the files that the build-ids say, which a recorder may write
 * last. */
static bool
has_right_files (PvFollow *self, const PvProfile *profile)
{
    const PvProfile *before = self->profile;
    for (PvModuleId m = 1; before != NULL && m < before->n_modules; m++) {
        const PvModule *old = &before->modules[m], *new = &profile->modules[m];
        if (old->build_id_size == 0 && new->build_id_size > 0 &&
            !pv_module_files_are_same (self->files, old, new))
            return false;
    }
    return true;
}

/* The whole profile; NULL: it must be read from its beginning. */
static PvProfile *
read_rest (PvFollow *self, PvJob *job)
{
    Reading *reading = &self->reading;
    if (reading->session == NULL || reading->follower->is_outdated (reading->session) ||
        !pv_mapped_file_grow (reading->file, NULL))
        return NULL;
    pv_job_set_stage (job, PV_STAGE_READ, pv_mapped_file_get_size (reading->file));
    reading->context.job = job;
    if (!reading->follower->finish (reading->session, NULL))
        return NULL;
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (reading->builder);
    return has_right_files (self, profile) ? g_steal_pointer (&profile) : NULL;
}

bool
pv_follow_finish (PvFollow *self, unsigned n_workers, const PvLoadEvents *events, PvJob *job,
                  GError **error)
{
    g_assert (self != NULL && events != NULL);
    PvLoadOptions options = self->options;
    options.symbols.n_workers = n_workers;
    pthread_mutex_lock (&self->mutex);
    PvProfile *profile = read_rest (self, job);
    reading_clear (&self->reading);
    pthread_mutex_unlock (&self->mutex);
    if (!pv_job_check (job, error)) {
        pv_profile_free (profile);
        return false;
    }
    if (profile == NULL)
        return pv_load (self->path, &options, events, job, error);
    return pv_load_symbolize (profile, &options, events, self->files, job, error);
}
