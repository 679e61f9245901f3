/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/save-speedscope.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/analyze/tables/sample-rows.h"
#include "core/base/array.h"
#include "core/base/large.h"
#include "core/write/speedscope.h"

enum { ROWS_PER_CHECK = 4096 };

typedef struct {
    PvThreadId thread;
    uint32_t node;
    uint64_t weight;
} Row;

/* The frames of a node, leaf first, and the next node. */
typedef struct {
    uint32_t first, n; /* in Save.frames; n is 0 where the node was not looked at yet */
    uint32_t next;
} NodeFrames;

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvSampleRows *rows;
    PvSpeedscopeWriter *writer;
    PV_ARRAY (Row) kept;
    uint64_t n_samples;
    NodeFrames *nodes;
    PV_ARRAY (uint32_t) frames;  /* numbers of frames */
    uint32_t *frame_of_function; /* + 1; 0: not written yet */
    uint32_t n_frames;
    PV_ARRAY (uint32_t) stack;
} Save;

/* --- frames --- */

static uint32_t
write_frame (Save *save, PvFunctionId id)
{
    if (save->frame_of_function[id] == 0) {
        const PvFunction *function = &save->symbols->functions[id];
        const PvModule *module = &save->profile->modules[function->module];
        const char *file = function->file != NULL ? function->file : module->name;
        const char *name = function->name != NULL ? function->name : function->label;
        pv_speedscope_writer_add_frame (save->writer, name, file, function->line);
        save->frame_of_function[id] = ++save->n_frames;
    }
    return save->frame_of_function[id] - 1;
}

static void
look_at_node (Save *save, uint32_t node)
{
    PvLocationFrames place;
    NodeFrames *frames = &save->nodes[node];
    frames->next = pv_sample_rows_get_frames (save->rows, node, &place);
    frames->first = (uint32_t)save->frames.len;
    frames->n = place.n_frames;
    for (uint32_t i = 0; i < place.n_frames; i++) {
        uint32_t frame = write_frame (save, place.frames[i].function);
        pv_array_push (&save->frames, frame);
    }
}

/* Frames come before samples in the file: writes those of all stacks. */
static void
write_frames (Save *save, uint32_t node)
{
    while (node != 0 && save->nodes[node].n == 0) {
        look_at_node (save, node);
        node = save->nodes[node].next;
    }
}

static void
gather_stack (Save *save, uint32_t node)
{
    save->stack.len = 0;
    for (; node != 0; node = save->nodes[node].next) {
        const NodeFrames *frames = &save->nodes[node];
        pv_array_append (&save->stack, save->frames.data + frames->first, frames->n);
    }
}

/* --- rows --- */

static bool
keep_rows (Save *save, PvMeasureId measure, PvJob *job, GError **error)
{
    PvSampleRow row;
    for (uint64_t n = 0; pv_sample_rows_next (save->rows, &row); n++) {
        if (n % ROWS_PER_CHECK == 0 && !pv_job_check (job, error))
            return false;
        Row kept = {row.thread, row.node, row.weights[measure]};
        if (kept.weight == 0)
            continue;
        pv_array_push (&save->kept, kept);
        write_frames (save, row.node);
    }
    return true;
}

static int
compare_rows (const void *a, const void *b)
{
    const Row *left = a, *right = b;
    if (left->thread != right->thread)
        return left->thread < right->thread ? -1 : 1;
    return (left->node > right->node) - (left->node < right->node);
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
            const Row *row = &save->kept.data[i];
            gather_stack (save, row->node);
            pv_speedscope_writer_add_sample (save->writer, save->stack.data, save->stack.len,
                                             row->weight);
            sum += row->weight;
        }
        pv_speedscope_writer_end_profile (save->writer);
        heaviest = sum > most ? n : heaviest;
        most = MAX (most, sum);
    }
    return heaviest;
}

static bool
write_file (Save *save, const PvQuery *query, const char *name, FILE *file, PvJob *job,
            GError **error)
{
    save->symbols = pv_sample_rows_get_symbols (save->rows);
    save->nodes = pv_new0_large (NodeFrames, pv_sample_rows_count_nodes (save->rows));
    save->frame_of_function = pv_new0_large (uint32_t, save->symbols->n_functions);
    save->writer = pv_speedscope_writer_new (file);
    bool is_done = keep_rows (save, query->measure, job, error);
    if (is_done) {
        if (save->kept.len > 0)
            qsort (save->kept.data, save->kept.len, sizeof (Row), compare_rows);
        uint32_t active = write_profiles (save, save->profile->measures[query->measure].unit);
        is_done = pv_job_check (job, error) &&
                  pv_speedscope_writer_finish (save->writer, name, active, error);
    }
    save->n_samples = save->kept.len;
    pv_speedscope_writer_free (save->writer);
    pv_array_clear (&save->kept);
    pv_array_clear (&save->frames);
    pv_array_clear (&save->stack);
    g_free (save->nodes);
    g_free (save->frame_of_function);
    return is_done;
}

bool
pv_save_speedscope (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                    const char *name, const char *path, uint64_t *ret_n_samples, PvJob *job,
                    GError **error)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL && name != NULL);
    g_assert (profile->n_pairs == 0);
    *ret_n_samples = 0;
    if (query->measure >= profile->n_measures)
        return true;
    g_autoptr (PvSampleRows) rows = pv_sample_rows_new (profile, symbols, query, job, error);
    if (rows == NULL)
        return false;
    FILE *file = fopen (path, "we");
    int code = errno;
    bool is_done = false;
    if (file != NULL) {
        Save save = {.profile = profile, .rows = rows};
        is_done = write_file (&save, query, name, file, job, error);
        *ret_n_samples = save.n_samples;
        bool is_closed = fclose (file) == 0;
        code = errno;
        if (!is_done || is_closed)
            return is_done;
    }
    g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code), g_strerror (code));
    return false;
}
