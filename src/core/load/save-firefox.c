/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/save-firefox.h"

#include <stdlib.h>

#include "core/base/array.h"
#include "core/base/output.h"
#include "core/elf/elf-image.h"
#include "core/load/save-rows.h"
#include "core/load/save-stacks.h"
#include "core/write/firefox.h"

enum { ROWS_PER_CHECK = 4096, NS_PER_MS = 1000000, PAGE_BYTES = 4096, MAX_DISTANCES = 1024 };

typedef struct {
    PvThreadId thread;
    uint32_t first, n; /* samples */
    uint64_t weight;   /* of all, whether above or below zero */
} ThreadSamples;

/* The file of a module, to convert addresses of. */
typedef struct {
    bool is_tried;
    PvElfImage *image; /* NULL: not known */
    uint64_t start;    /* of its lowest segment, as linked */
} ModuleImage;

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvMeasureId measure;
    PvSampleRows *rows;
    PvSavedStacks *stacks;
    PvWriter *out;
    PvFirefoxWriter *writer;
    PvJob *job;
    bool has_times;   /* samples are single ones of rows, else those kept */
    PvSavedRows kept; /* by thread */
    uint64_t n_samples;
    PV_ARRAY (ThreadSamples) threads;
    ModuleImage *images;
    uint64_t n_done;
} Save;

static bool
go_on (Save *save, GError **error)
{
    if (save->n_done++ % ROWS_PER_CHECK != 0)
        return true;
    pv_job_set_done (save->job, save->n_done);
    return pv_job_check (save->job, error);
}

/* --- samples --- */

static bool
knows_times (const PvProfile *profile, PvMeasureId measure)
{
    const PvSampleSet *set = pv_profile_get_measure_set (profile, measure);
    return set != NULL && set->n_samples > 0 && profile->n_dumps == 0 &&
           !pv_profile_has_sums (profile) && profile->measures[measure].part == PV_PART_NONE &&
           pv_sample_set_time_ns (set, set->n_samples - 1) > 0;
}

static PvSavedRow
get_row (const Save *save, uint32_t i)
{
    if (!save->has_times)
        return save->kept.data[i];
    PvSingleSample sample = pv_sample_rows_get_single (save->rows, i);
    return (PvSavedRow){sample.thread, sample.node, (int64_t)sample.weight};
}

static uint64_t
get_amount (int64_t weight)
{
    return weight < 0 ? -(uint64_t)weight : (uint64_t)weight;
}

static bool
take_samples (Save *save, GError **error)
{
    if (!save->has_times && !pv_saved_rows_take (&save->kept, save->rows, save->profile,
                                                 save->measure, save->job, error))
        return false;
    pv_saved_rows_sort (&save->kept);
    save->n_samples = save->has_times ? pv_sample_rows_count_singles (save->rows) : save->kept.len;
    pv_job_set_stage (save->job, PV_STAGE_ANALYZE, 4 * save->n_samples);
    for (uint32_t i = 0; i < save->n_samples; i++) {
        PvSavedRow row = get_row (save, i);
        if (!go_on (save, error))
            return false;
        if (i == 0 || save->threads.data[save->threads.len - 1].thread != row.thread) {
            ThreadSamples thread = {.thread = row.thread, .first = i};
            pv_array_push (&save->threads, thread);
        }
        ThreadSamples *last = &save->threads.data[save->threads.len - 1];
        last->n++;
        last->weight += get_amount (row.weight);
    }
    return true;
}

/* --- columns of samples --- */

static bool
write_stacks_of_samples (Save *save, const ThreadSamples *thread, GError **error)
{
    pv_firefox_writer_begin_column (save->writer, "stack");
    for (uint32_t i = thread->first; i < thread->first + thread->n; i++) {
        uint32_t stack = pv_saved_stacks_get (save->stacks, get_row (save, i).node);
        if (!go_on (save, error))
            return false;
        if (stack == 0)
            pv_firefox_writer_add_null (save->writer);
        else
            pv_firefox_writer_add_number (save->writer, stack - 1);
    }
    pv_firefox_writer_end_column (save->writer);
    return true;
}

/* Writes times. Unknown ones follow each other, each sample as long as it weighs, or a
 * millisecond. */
static bool
write_times (Save *save, const ThreadSamples *thread, GError **error)
{
    PvUnit unit = save->profile->measures[save->measure].unit;
    uint64_t position = 0;
    pv_firefox_writer_begin_column (save->writer, "time");
    for (uint32_t i = thread->first; i < thread->first + thread->n; i++) {
        if (!go_on (save, error))
            return false;
        if (save->has_times) {
            uint64_t time_ns = pv_sample_rows_get_single (save->rows, i).time_ns;
            uint64_t start_ns = save->profile->start_ns;
            pv_firefox_writer_add_ns (save->writer, (int64_t)(MAX (time_ns, start_ns) - start_ns));
            continue;
        }
        if (unit == PV_UNIT_BYTES)
            pv_firefox_writer_add_number (save->writer, (int64_t)position);
        else
            pv_firefox_writer_add_ns (save->writer, (int64_t)position);
        bool is_length = unit == PV_UNIT_BYTES || unit == PV_UNIT_NS;
        position += is_length ? get_amount (save->kept.data[i].weight) : NS_PER_MS;
    }
    pv_firefox_writer_end_column (save->writer);
    return true;
}

static bool
write_weights (Save *save, const ThreadSamples *thread, GError **error)
{
    bool is_time = save->profile->measures[save->measure].unit == PV_UNIT_NS;
    pv_firefox_writer_begin_column (save->writer, "weight");
    for (uint32_t i = thread->first; i < thread->first + thread->n; i++) {
        int64_t weight = get_row (save, i).weight;
        if (!go_on (save, error))
            return false;
        if (is_time)
            pv_firefox_writer_add_ns (save->writer, weight);
        else
            pv_firefox_writer_add_number (save->writer, weight);
    }
    pv_firefox_writer_end_column (save->writer);
    return true;
}

static bool
write_threads (Save *save, GError **error)
{
    for (size_t t = 0; t < save->threads.len; t++) {
        const ThreadSamples *thread = &save->threads.data[t];
        pv_firefox_writer_begin_thread (save->writer, thread->thread);
        if (!write_stacks_of_samples (save, thread, error) || !write_times (save, thread, error) ||
            !write_weights (save, thread, error))
            return false;
        pv_firefox_writer_end_thread (save->writer, thread->n);
        if (save->out->code != 0)
            break;
    }
    pv_firefox_writer_end_threads (save->writer);
    return true;
}

/* --- addresses --- */

static uint64_t
find_start (const PvElfImage *image)
{
    const PvElfSegment *segments;
    size_t n = pv_elf_image_get_segments (image, &segments);
    uint64_t start = n > 0 ? UINT64_MAX : 0;
    for (size_t i = 0; i < n; i++)
        start = MIN (start, segments[i].link_addr & ~(uint64_t)(PAGE_BYTES - 1));
    return start;
}

static ModuleImage *
get_image (Save *save, PvModuleId id)
{
    ModuleImage *image = &save->images[id];
    const char *path = id < save->symbols->n_modules && save->symbols->file_of_module != NULL
                           ? save->symbols->file_of_module[id]
                           : NULL;
    if (image->is_tried || path == NULL)
        return image;
    image->is_tried = true;
    PvMappedFile *file = pv_mapped_file_open (path, NULL);
    image->image = file != NULL ? pv_elf_image_new (file, path, NULL) : NULL;
    if (file != NULL)
        pv_mapped_file_unref (file);
    if (image->image != NULL)
        image->start = find_start (image->image);
    return image;
}

/* Counted from where the module's lowest segment begins; -1: not known. */
static int64_t
find_address (Save *save, const PvSavedFrame *frame)
{
    const PvProfile *profile = save->profile;
    if (frame->location == 0 || profile->kind_of_location[frame->location] == PV_LOCATION_NAMED)
        return -1;
    PvModuleId id = profile->module_of_location[frame->location];
    const PvModule *module = &profile->modules[id];
    uint64_t address = pv_profile_lookup_address (profile, frame->location), start = 0;
    const ModuleImage *image = &save->images[id];
    switch (module->address_kind) {
    case PV_ADDRESS_IMAGE:
        break;
    case PV_ADDRESS_RUNTIME:
        start = module->load_addr;
        if (start == 0)
            return -1;
        break;
    case PV_ADDRESS_FILE_OFFSET:
        image = get_image (save, id);
        if (image->image == NULL || !pv_elf_image_offset_to_link (image->image, address, &address))
            return -1;
        start = image->start;
        break;
    case PV_ADDRESS_LINK:
        image = get_image (save, id);
        if (image->image == NULL)
            return -1;
        start = image->start;
        break;
    case PV_ADDRESS_ORDINAL:
        return -1;
    }
    /* The Firefox Profiler keeps 32 bits of them. */
    return address >= start && address - start < (uint64_t)INT32_MAX ? (int64_t)(address - start)
                                                                     : -1;
}

/* --- tables --- */

static void
write_stacks (Save *save)
{
    uint32_t n;
    const PvSavedStack *stacks = pv_saved_stacks_get_all (save->stacks, &n);
    pv_firefox_writer_begin_table (save->writer, "stackTable");
    pv_firefox_writer_begin_column (save->writer, "frame");
    for (uint32_t i = 1; i < n; i++)
        pv_firefox_writer_add_number (save->writer, stacks[i].frame);
    pv_firefox_writer_end_column (save->writer);
    pv_firefox_writer_begin_column (save->writer, "prefix");
    for (uint32_t i = 1; i < n; i++) {
        if (stacks[i].parent == 0)
            pv_firefox_writer_add_null (save->writer);
        else
            pv_firefox_writer_add_number (save->writer, stacks[i].parent - 1);
    }
    pv_firefox_writer_end_column (save->writer);
    pv_firefox_writer_end_table (save->writer, n - 1);
}

static PvFirefoxCategory
find_category (const Save *save, const PvSavedFrame *frame)
{
    PvModuleId id = save->symbols->functions[frame->function].module;
    const PvModule *module = &save->profile->modules[id];
    if (id != 0 && module->is_kernel)
        return PV_FIREFOX_KERNEL;
    return id == 0 || module->kind == PV_MODULE_UNKNOWN ? PV_FIREFOX_OTHER : PV_FIREFOX_USER;
}

static void
write_frames (Save *save)
{
    PvFirefoxWriter *writer = save->writer;
    uint32_t n;
    const PvSavedFrame *frames = pv_saved_stacks_get_frames (save->stacks, &n);
    pv_firefox_writer_begin_table (writer, "frameTable");
    pv_firefox_writer_begin_column (writer, "func");
    for (uint32_t i = 0; i < n; i++)
        pv_firefox_writer_add_number (
            writer, pv_firefox_writer_get_function (writer, frames[i].function, frames[i].file));
    pv_firefox_writer_end_column (writer);
    pv_firefox_writer_begin_column (writer, "address");
    for (uint32_t i = 0; i < n; i++)
        pv_firefox_writer_add_number (writer, find_address (save, &frames[i]));
    pv_firefox_writer_end_column (writer);
    pv_firefox_writer_begin_column (writer, "inlineDepth");
    for (uint32_t i = 0; i < n; i++)
        pv_firefox_writer_add_number (writer, frames[i].depth);
    pv_firefox_writer_end_column (writer);
    pv_firefox_writer_begin_column (writer, "line");
    for (uint32_t i = 0; i < n; i++)
        if (frames[i].line > 0)
            pv_firefox_writer_add_number (writer, frames[i].line);
        else
            pv_firefox_writer_add_null (writer);
    pv_firefox_writer_end_column (writer);
    pv_firefox_writer_begin_column (writer, "category");
    for (uint32_t i = 0; i < n; i++)
        pv_firefox_writer_add_number (writer, find_category (save, &frames[i]));
    pv_firefox_writer_end_column (writer);
    pv_firefox_writer_add_column (writer, "subcategory", "0", n);
    pv_firefox_writer_add_column (writer, "column", "null", n);
    pv_firefox_writer_add_column (writer, "nativeSymbol", "null", n);
    pv_firefox_writer_add_column (writer, "innerWindowID", "0", n);
    pv_firefox_writer_end_table (writer, n);
}

/* --- the file --- */

static int
compare_distances (const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Usual distance between samples of the thread with most of them: a thread may also wait. */
static uint64_t
find_interval (const Save *save)
{
    const ThreadSamples *most = NULL;
    for (size_t t = 0; t < save->threads.len; t++)
        if (most == NULL || save->threads.data[t].n > most->n)
            most = &save->threads.data[t];
    if (!save->has_times || most == NULL || most->n < 2)
        return 0;
    uint64_t distances[MAX_DISTANCES];
    uint32_t n = MIN (most->n - 1, MAX_DISTANCES);
    for (uint32_t i = 0; i < n; i++)
        distances[i] = pv_sample_rows_get_single (save->rows, most->first + i + 1).time_ns -
                       pv_sample_rows_get_single (save->rows, most->first + i).time_ns;
    qsort (distances, n, sizeof *distances, compare_distances);
    return distances[n / 2];
}

static uint32_t
find_heaviest (const Save *save)
{
    uint32_t heaviest = 0;
    for (uint32_t t = 0; t < save->threads.len; t++)
        if (save->threads.data[t].weight > save->threads.data[heaviest].weight)
            heaviest = t;
    return heaviest;
}

static bool
write_file (Save *save, const char *name, bool is_packed, PvWriter *out, GError **error)
{
    const PvMeasure *measure = &save->profile->measures[save->measure];
    if (!take_samples (save, error))
        return false;
    PvFirefoxHeader header = {
        .profile = save->profile,
        .symbols = save->symbols,
        .name = name,
        .measure = measure->name,
        .unit = measure->unit,
        .has_times = save->has_times,
        .interval_ns = find_interval (save),
        .active_thread = find_heaviest (save),
        .is_packed = is_packed,
    };
    save->out = out;
    save->writer = pv_firefox_writer_new (&header, out);
    if (!write_threads (save, error))
        return false;
    write_stacks (save);
    write_frames (save);
    if (!pv_job_check (save->job, error))
        return false;
    pv_firefox_writer_finish (save->writer);
    return true;
}

static void
clear (Save *save)
{
    for (uint32_t m = 0; m < save->profile->n_modules; m++)
        if (save->images[m].image != NULL)
            pv_elf_image_unref (save->images[m].image);
    g_free (save->images);
    pv_array_clear (&save->kept);
    pv_array_clear (&save->threads);
    pv_firefox_writer_free (save->writer);
    pv_saved_stacks_free (save->stacks);
    pv_sample_rows_free (save->rows);
}

static bool
save_rows (Save *save, const char *name, const char *path, bool is_packed, GError **error)
{
    PvWriter writer;
    if (!pv_writer_open (&writer, path, error))
        return false;
    bool is_done = write_file (save, name, is_packed, &writer, error);
    return pv_writer_close (&writer, is_done ? error : NULL) && is_done;
}

bool
pv_save_firefox (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                 const char *name, const char *path, bool is_packed, uint64_t *ret_n_samples,
                 PvJob *job, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL && name != NULL);
    *ret_n_samples = 0;
    if (!pv_profile_has_weights (profile, query->measure))
        return true;
    bool has_times = knows_times (profile, query->measure);
    PvSampleRows *rows = has_times ? pv_sample_rows_new_single (profile, symbols, query, job, error)
                                   : pv_sample_rows_new (profile, symbols, query, job, error);
    if (rows == NULL)
        return false;
    Save save = {
        .profile = profile,
        .symbols = pv_sample_rows_get_symbols (rows),
        .measure = query->measure,
        .rows = rows,
        .stacks = pv_saved_stacks_new (rows, profile),
        .job = job,
        .has_times = has_times,
        .images = g_new0 (ModuleImage, MAX (profile->n_modules, 1)),
    };
    bool is_done = save_rows (&save, name, path, is_packed, error);
    *ret_n_samples = save.n_samples;
    clear (&save);
    return is_done;
}
