/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile's tables in the order in which they refer to each other.
 */
#include "core/write/pack/pack.h"

#include <string.h>

#include "core/model/calls/known-calls.h"
#include "core/model/pack/pack-format.h"
#include "core/write/pack/pack-rows.h"

static uint64_t
count_timeless_lost (const PvProfile *profile)
{
    uint64_t n_lost = profile->n_lost;
    for (uint32_t i = 0; i < profile->n_losses; i++)
        n_lost -= MIN (profile->losses[i].n_lost, n_lost);
    return n_lost;
}

static void
write_head (PvPackFile *file, const PvProfile *profile)
{
    const PvFacts *facts = &profile->facts;
    const char *const strings[] = {
        facts->format,         facts->command,       facts->recorded_with, facts->host,
        facts->kernel_release, facts->arch,          facts->cpu,           facts->recorder,
        facts->call_graph,     facts->events,        facts->period,        facts->doc_url,
        profile->drop_frames,  profile->keep_frames,
    };
    for (size_t i = 0; i < G_N_ELEMENTS (strings); i++)
        pv_pack_file_put_string (file, strings[i]);
    g_auto (GStrv) lines = g_strsplit (facts->comment != NULL ? facts->comment : "", "\n", -1);
    pv_pack_file_put (file, g_strv_length (lines));
    for (char **line = lines; *line != NULL; line++)
        pv_pack_file_put_string (file, *line);
    pv_pack_file_put (file, facts->n_cpus);
    pv_pack_file_put (file, facts->memory_bytes);
    pv_pack_file_put_signed (file, facts->recorded_at);
    pv_pack_file_put_signed (file, facts->modified_at);
    pv_pack_file_put_signed (file, facts->recorded_at_ns);
    pv_pack_file_put (file, facts->profiled_ns);
    pv_pack_file_put (file, profile->n_skipped_records);
    pv_pack_file_put (file, count_timeless_lost (profile));
    pv_pack_file_put (file,
                      (profile->is_of_allocations ? 1 : 0) | (profile->has_dump_times ? 2 : 0));
    pv_pack_file_end_section (file, PV_PACK_HEAD);
}

static void
write_modules (PvPackFile *file, const PvProfile *profile)
{
    for (PvModuleId m = 1; m < profile->n_modules; m++) {
        const PvModule *module = &profile->modules[m];
        pv_pack_file_put_string (file, module->path);
        pv_pack_file_put_string (file, module->name);
        pv_pack_file_put (file, module->kind);
        pv_pack_file_put (file, module->address_kind);
        pv_pack_file_put (file, (module->is_kernel ? 1 : 0) | (module->is_main ? 2 : 0) |
                                    (uint64_t)module->section_kind << 2);
        pv_pack_file_put (file, module->build_id_size);
        pv_pack_file_put_bytes (file, module->build_id, module->build_id_size);
        pv_pack_file_put (file, module->load_addr);
        pv_pack_file_put (file, module->end_addr);
        pv_pack_file_put_string (file, module->reference_symbol);
        pv_pack_file_put (file, module->reference_addr);
        pv_pack_file_put_signed (file, module->pid);
        pv_pack_file_put_signed (file, module->container_pid);
        pv_pack_end_row (file, PV_PACK_MODULES);
    }
    pv_pack_end_rows (file, PV_PACK_MODULES);
}

static void
write_locations (PvPackFile *file, const PvProfile *profile)
{
    for (PvLocationId first = 1; first < profile->n_locations;) {
        uint32_t n = MIN (profile->n_locations - first, PV_PACK_MAX_ROWS);
        uint64_t before = 0;
        pv_pack_file_put (file, n);
        for (PvLocationId l = first; l < first + n; l++)
            pv_pack_file_put (file, profile->module_of_location[l]);
        for (PvLocationId l = first; l < first + n; l++)
            pv_pack_file_put (file, profile->kind_of_location[l]);
        for (PvLocationId l = first; l < first + n; l++) {
            uint64_t address = profile->address_of_location[l];
            pv_pack_file_put_signed (file, (int64_t)(address - before));
            before = address;
        }
        pv_pack_file_end_section (file, PV_PACK_LOCATIONS);
        first += n;
    }
}

static void
write_functions (PvPackFile *file, const PvProfile *profile, const PvSymbolTable *symbols)
{
    for (PvFunctionId f = 1; f < symbols->n_functions; f++) {
        const PvFunction *function = &symbols->functions[f];
        pv_pack_file_put (file, function->module < profile->n_modules ? function->module : 0);
        pv_pack_file_put (file, function->kind);
        pv_pack_file_put_string (file, function->name);
        pv_pack_file_put_string (file, function->short_name);
        pv_pack_file_put_string (file, function->label);
        pv_pack_file_put_string (file, function->raw_name);
        pv_pack_file_put_string (file, function->file);
        pv_pack_file_put (file, function->line);
        pv_pack_end_row (file, PV_PACK_FUNCTIONS);
    }
    pv_pack_end_rows (file, PV_PACK_FUNCTIONS);
}

static void
write_links (PvPackFile *file, const PvSymbolTable *symbols)
{
    for (PvModuleId m = 0; symbols->links_of_module != NULL && m < symbols->n_modules; m++) {
        const PvLinkMap *links = &symbols->links_of_module[m];
        pv_pack_file_put (file, links->n_segments);
        for (uint32_t i = 0; i < links->n_segments; i++) {
            const PvLinkSegment *segment = &links->segments[i];
            pv_pack_file_put (file, segment->start);
            pv_pack_file_put (file, segment->end - segment->start);
            pv_pack_file_put (file, segment->link_addr);
        }
        pv_pack_end_row (file, PV_PACK_LINKS);
    }
    pv_pack_end_rows (file, PV_PACK_LINKS);
}

static void
write_names (PvPackFile *file, const PvProfile *profile, const PvSymbolTable *symbols)
{
    uint64_t before = 0;
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (symbols, l, &n_frames);
        if (pv_pack_file_get_size (file) == 0)
            before = 0;
        pv_pack_file_put (file, n_frames);
        for (uint32_t i = 0; i < n_frames; i++) {
            pv_pack_file_put_signed (file, (int64_t)(frames[i].function - before));
            pv_pack_file_put (file, frames[i].line);
            pv_pack_file_put_string (file, frames[i].file);
            pv_pack_file_put (file, frames[i].is_inlined ? 1 : 0);
            before = frames[i].function;
        }
        pv_pack_end_row (file, PV_PACK_NAMES);
    }
    pv_pack_end_rows (file, PV_PACK_NAMES);
    for (PvModuleId m = 0; m < profile->n_modules; m++) {
        pv_pack_file_put (file, symbols->symbols_of_module[m]);
        pv_pack_file_put_string (file, symbols->file_of_module[m]);
        pv_pack_end_row (file, PV_PACK_SYMBOLS);
    }
    pv_pack_end_rows (file, PV_PACK_SYMBOLS);
    write_links (file, symbols);
    pv_pack_write_rows (file, PV_PACK_NAME_NOTES, PV_PROFILE_NOTES, symbols->notes, 0,
                        symbols->n_notes);
}

static bool
write_stacks (PvPackFile *file, const PvProfile *profile, PvJob *job, GError **error)
{
    for (PvStackId first = 1; first < profile->n_stacks;) {
        uint32_t n = MIN (profile->n_stacks - first, PV_PACK_MAX_ROWS);
        uint64_t before = 0;
        pv_pack_file_put (file, n);
        for (PvStackId s = first; s < first + n; s++)
            pv_pack_file_put (file, s - profile->parent_of_stack[s]);
        for (PvStackId s = first; s < first + n; s++) {
            pv_pack_file_put_signed (file, (int64_t)(profile->location_of_stack[s] - before));
            before = profile->location_of_stack[s];
        }
        pv_pack_file_end_section (file, PV_PACK_STACKS);
        pv_job_add_done (job, n);
        if (!pv_job_check (job, error))
            return false;
        first += n;
    }
    return true;
}

static void
write_labels (PvPackFile *file, const PvProfile *profile)
{
    for (uint32_t set = 1; set < profile->n_label_sets; set++) {
        uint32_t first = profile->first_label_of_set[set];
        uint32_t end = profile->first_label_of_set[set + 1];
        pv_pack_file_put (file, end - first);
        for (uint32_t i = first; i < end; i++) {
            const PvLabel *label = &profile->labels[i];
            pv_pack_file_put_string (file, label->key);
            pv_pack_file_put_string (file, label->text);
            if (label->text == NULL) {
                pv_pack_file_put_signed (file, label->number);
                pv_pack_file_put_string (file, label->unit);
            }
        }
        pv_pack_end_row (file, PV_PACK_LABELS);
    }
    pv_pack_end_rows (file, PV_PACK_LABELS);
}

static void
begin_calls (PvPackFile *file, const PvKnownCalls *calls)
{
    if (pv_pack_file_get_size (file) > 0)
        return;
    pv_pack_file_put (file, calls->set);
    pv_pack_file_put (file, calls->n_columns);
}

/* UINT64_MAX is an unknown amount, 0 here. */
static void
put_amounts (PvPackFile *file, const PvKnownCalls *calls, const uint64_t *amounts, uint32_t row)
{
    for (uint32_t c = 0; c < calls->n_columns; c++)
        pv_pack_file_put (file, amounts[(size_t)row * calls->n_columns + c] + 1);
}

static void
write_calls (PvPackFile *file, const PvKnownCalls *calls)
{
    for (uint32_t i = 0; i < calls->n_calls; i++) {
        begin_calls (file, calls);
        pv_pack_file_put (file, calls->calls[i].caller);
        pv_pack_file_put (file, calls->calls[i].callee);
        pv_pack_file_put (file, calls->calls[i].n_calls);
        put_amounts (file, calls, calls->weights, i);
        pv_pack_end_row (file, PV_PACK_CALLS);
    }
    pv_pack_end_rows (file, PV_PACK_CALLS);
    for (uint32_t i = 0; i < calls->n_functions; i++) {
        begin_calls (file, calls);
        pv_pack_file_put (file, calls->functions[i]);
        put_amounts (file, calls, calls->totals, i);
        pv_pack_end_row (file, PV_PACK_TOTALS);
    }
    pv_pack_end_rows (file, PV_PACK_TOTALS);
}

static void
put_counter_head (PvPackFile *file, const PvCounter *counter, bool is_more)
{
    pv_pack_file_put_string (file, counter->name);
    pv_pack_file_put_string (file, counter->category);
    pv_pack_file_put_string (file, counter->description);
    pv_pack_file_put (file, counter->unit);
    pv_pack_file_put (file, counter->kind);
    pv_pack_file_put (file, (counter->is_relative ? 1 : 0) | (is_more ? 2 : 0));
    pv_pack_file_put (file, counter->process);
}

static void
put_double (PvPackFile *file, double value)
{
    uint64_t bits;
    memcpy (&bits, &value, sizeof bits);
    bits = GUINT64_TO_LE (bits);
    pv_pack_file_put_bytes (file, &bits, sizeof bits);
}

/* A section for so many samples. */
static void
write_counter (PvPackFile *file, const PvCounter *counter)
{
    uint32_t first = 0;
    do {
        const uint32_t n = MIN (counter->n_samples - first, PV_PACK_MAX_ROWS);
        uint64_t before = 0;
        put_counter_head (file, counter, first > 0);
        pv_pack_file_put (file, n);
        for (uint32_t i = first; i < first + n; i++) {
            pv_pack_file_put_signed (file, (int64_t)(counter->time_ns[i] - before));
            before = counter->time_ns[i];
        }
        for (uint32_t i = first; i < first + n; i++)
            put_double (file, counter->is_relative && i > 0
                                  ? counter->values[i] - counter->values[i - 1]
                                  : counter->values[i]);
        pv_pack_file_end_section (file, PV_PACK_COUNTERS);
        first += n;
    } while (first < counter->n_samples);
}

bool
pv_pack_write (PvPackFile *file, const PvProfile *profile, const PvSymbolTable *symbols, PvJob *job,
               GError **error)
{
    g_assert (file != NULL && profile != NULL && symbols != NULL);
    g_assert (profile->compared == NULL && profile->n_joined == 0);
    /* They may be names of a later state of a profile that grows. */
    g_assert (symbols->n_locations >= profile->n_locations);
    g_assert (symbols->n_modules >= profile->n_modules);
    pv_job_set_stage (job, PV_STAGE_ANALYZE,
                      profile->n_stacks + (profile->heap != NULL
                                               ? profile->heap->n_rows
                                               : pv_profile_count_all_samples (profile)));
    write_head (file, profile);
    write_modules (file, profile);
    pv_pack_write_table (file, PV_PACK_PROCESSES, profile, PV_PROFILE_PROCESSES, 1);
    pv_pack_write_table (file, PV_PACK_THREADS, profile, PV_PROFILE_THREADS, 1);
    write_locations (file, profile);
    write_functions (file, profile, symbols);
    write_names (file, profile, symbols);
    if (!pv_job_check (job, error) || !write_stacks (file, profile, job, error))
        return false;
    write_labels (file, profile);
    pv_pack_write_table (file, PV_PACK_DUMPS, profile, PV_PROFILE_DUMPS, 0);
    pv_pack_write_table (file, PV_PACK_LOSSES, profile, PV_PROFILE_LOSSES, 0);
    pv_pack_write_table (file, PV_PACK_SUPPRESSIONS, profile, PV_PROFILE_SUPPRESSIONS, 0);
    pv_pack_write_table (file, PV_PACK_NOTES, profile, PV_PROFILE_NOTES, 0);
    if (profile->heap != NULL ? !pv_pack_write_heap (file, profile->heap, job, error)
                              : !pv_pack_write_samples (file, profile, job, error))
        return false;
    if (profile->known_calls != NULL)
        write_calls (file, profile->known_calls);
    pv_pack_write_table (file, PV_PACK_DISTRIBUTIONS, profile, PV_PROFILE_DISTRIBUTIONS, 0);
    for (uint32_t c = 0; c < profile->n_counters; c++)
        write_counter (file, &profile->counters[c]);
    return true;
}

void
pv_pack_write_source (PvPackFile *file, const char *path, const void *text, size_t size_bytes)
{
    g_assert (path != NULL && size_bytes < PV_PACK_MAX_SECTION_BYTES / 2);
    pv_pack_file_put_string (file, path);
    pv_pack_file_put (file, size_bytes);
    pv_pack_file_put_bytes (file, text, size_bytes);
    pv_pack_file_end_section (file, PV_PACK_SOURCE);
}
