/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/save-speedscope.h"

#include "core/base/array.h"
#include "core/base/large.h"
#include "core/base/output.h"
#include "core/load/save-rows.h"
#include "core/load/save-stacks.h"
#include "core/write/speedscope.h"

enum { ROWS_PER_CHECK = 4096 };

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvSampleRows *rows;
    PvSavedStacks *stacks;
    PvSpeedscopeWriter *writer;
    PvSavedRows kept;
    uint32_t *frame_of_function; /* + 1; 0: not written yet */
    uint32_t n_frames;
    uint32_t frame_of_no_stack; /* the same for stacks without frames, which are idle time there */
    PV_ARRAY (uint32_t) stack;
} Save;

/* --- frames --- */

static PvFunctionId
get_function (const Save *save, uint32_t stack)
{
    uint32_t n;
    uint32_t frame = pv_saved_stacks_get_all (save->stacks, &n)[stack].frame;
    return pv_saved_stacks_get_frames (save->stacks, &n)[frame].function;
}

static uint32_t
get_parent (const Save *save, uint32_t stack)
{
    uint32_t n;
    return pv_saved_stacks_get_all (save->stacks, &n)[stack].parent;
}

static void
write_frame (Save *save, PvFunctionId id)
{
    if (save->frame_of_function[id] != 0)
        return;
    const PvFunction *function = &save->symbols->functions[id];
    const PvModule *module = &save->profile->modules[function->module];
    const char *file = function->file != NULL ? function->file : module->name;
    const char *name = function->name != NULL ? function->name : function->label;
    pv_speedscope_writer_add_frame (
        save->writer, name, function->file != NULL ? module->name : NULL, file, function->line);
    save->frame_of_function[id] = ++save->n_frames;
}

/* Frames come before samples in the file: writes those of all stacks. */
static bool
write_frames (Save *save, PvJob *job, GError **error)
{
    for (size_t i = 0; i < save->kept.len; i++) {
        uint32_t n_before;
        if (i % ROWS_PER_CHECK == 0 && !pv_job_check (job, error))
            return false;
        pv_saved_stacks_get_all (save->stacks, &n_before);
        uint32_t stack = pv_saved_stacks_get (save->stacks, save->kept.data[i].node);
        if (stack == 0 && save->frame_of_no_stack == 0) {
            pv_speedscope_writer_add_frame (save->writer, PV_NO_STACK, NULL, NULL, 0);
            save->frame_of_no_stack = ++save->n_frames;
        }
        for (; stack >= n_before; stack = get_parent (save, stack))
            write_frame (save, get_function (save, stack));
    }
    return true;
}

/* The leaf comes first. */
static void
gather_stack (Save *save, uint32_t node)
{
    uint32_t stack = pv_saved_stacks_get (save->stacks, node);
    save->stack.len = 0;
    for (; stack != 0; stack = get_parent (save, stack))
        pv_array_push (&save->stack, save->frame_of_function[get_function (save, stack)] - 1);
    if (save->stack.len == 0)
        pv_array_push (&save->stack, save->frame_of_no_stack - 1);
}

/* --- profiles --- */

static char *
name_thread (const PvProfile *profile, PvThreadId id)
{
    const PvThread *thread = &profile->threads[id];
    const char *name = id != 0 && thread->name != NULL ? thread->name : "";
    if (id != 0 && thread->tid >= 0)
        return *name != '\0' ? g_strdup_printf ("%s (%d)", name, thread->tid)
                             : g_strdup_printf ("%d", thread->tid);
    return g_strdup (*name != '\0' ? name : "all");
}

static const char *
name_unit (PvUnit unit)
{
    switch (unit) {
    case PV_UNIT_NS:
        return "nanoseconds";
    case PV_UNIT_BYTES:
        return "bytes";
    case PV_UNIT_COUNT:
    case PV_UNIT_BYTE_MS:
        break;
    }
    return "none";
}

/* Returns the number of the profile with most of the measure. */
static uint32_t
write_profiles (Save *save, PvUnit unit)
{
    uint32_t n = 0, heaviest = 0;
    uint64_t most = 0;
    for (size_t i = 0; i < save->kept.len; n++) {
        PvThreadId thread = save->kept.data[i].thread;
        g_autofree char *name = name_thread (save->profile, thread);
        uint64_t sum = 0;
        pv_speedscope_writer_begin_profile (save->writer, name, name_unit (unit));
        for (; i < save->kept.len && save->kept.data[i].thread == thread; i++) {
            const PvSavedRow *row = &save->kept.data[i];
            uint64_t weight = (uint64_t)row->weight;
            gather_stack (save, row->node);
            pv_speedscope_writer_add_sample (save->writer, save->stack.data, save->stack.len,
                                             weight);
            sum += weight;
        }
        pv_speedscope_writer_end_profile (save->writer);
        heaviest = sum > most ? n : heaviest;
        most = MAX (most, sum);
    }
    return heaviest;
}

static bool
write_file (Save *save, const PvQuery *query, const char *name, PvWriter *out, PvJob *job,
            GError **error)
{
    save->symbols = pv_sample_rows_get_symbols (save->rows);
    save->stacks = pv_saved_stacks_new (save->rows, save->profile);
    save->frame_of_function = pv_new0_large (uint32_t, save->symbols->n_functions);
    save->writer = pv_speedscope_writer_new (out);
    bool is_done =
        pv_saved_rows_take (&save->kept, save->rows, save->profile, query->measure, job, error) &&
        write_frames (save, job, error);
    if (is_done) {
        pv_saved_rows_sort (&save->kept);
        uint32_t active = write_profiles (save, save->profile->measures[query->measure].unit);
        is_done = pv_job_check (job, error);
        if (is_done)
            pv_speedscope_writer_finish (save->writer, name, active);
    }
    pv_speedscope_writer_free (save->writer);
    pv_saved_stacks_free (save->stacks);
    pv_array_clear (&save->stack);
    g_free (save->frame_of_function);
    return is_done;
}

bool
pv_save_speedscope (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                    const char *name, const char *path, uint64_t *ret_n_samples, PvJob *job,
                    GError **error)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL && name != NULL);
    g_assert (pv_profile_get_pair (profile, query->measure) == NULL);
    *ret_n_samples = 0;
    if (!pv_profile_has_weights (profile, query->measure))
        return true;
    g_autoptr (PvSampleRows) rows = pv_sample_rows_new (profile, symbols, query, job, error);
    if (rows == NULL)
        return false;
    PvWriter writer;
    Save save = {.profile = profile, .rows = rows};
    if (!pv_writer_open (&writer, path, error))
        return false;
    bool is_done = write_file (&save, query, name, &writer, job, error);
    *ret_n_samples = save.kept.len;
    pv_array_clear (&save.kept);
    return pv_writer_close (&writer, is_done ? error : NULL) && is_done;
}
