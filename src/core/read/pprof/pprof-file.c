/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/pprof/pprof-file.h"

void
pprof_file_init (PprofFile *file, PvProfileBuilder *builder, const PvReadContext *context)
{
    g_assert (file != NULL && builder != NULL && context != NULL);
    *file = (PprofFile){
        .builder = builder,
        .context = context,
    };
    pprof_stacks_init (&file->stacks);
}

void
pprof_file_end_taking (PprofFile *file)
{
    pv_hash_map_clear (&file->label_ids);
}

void
pprof_file_clear (PprofFile *file)
{
    pprof_file_end_taking (file);
    pv_array_clear (&file->sample_types);
    pv_array_clear (&file->samples);
    pv_array_clear (&file->values);
    pprof_stacks_clear (&file->stacks);
    pv_array_clear (&file->label_bytes);
    pv_array_clear (&file->end_of_labels);
    pv_array_clear (&file->mappings);
    pv_array_clear (&file->locations);
    pv_array_clear (&file->lines);
    pv_array_clear (&file->functions);
    pprof_ids_clear (&file->mapping_ids);
    pprof_ids_clear (&file->location_ids);
    pprof_ids_clear (&file->function_ids);
    pprof_ids_clear (&file->used_mappings);
    pprof_ids_clear (&file->used_locations);
    pprof_ids_clear (&file->used_functions);
    pv_array_clear (&file->strings);
    pv_array_clear (&file->comments);
}
