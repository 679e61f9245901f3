/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Default options, and their translation to load options. */
#include "cli/options/options.h"

void
pv_options_init (PvOptions *options)
{
    *options = (PvOptions){.open = PV_OPEN_REQUEST_INIT, .width_part = PV_PART_BOTH};
    pv_export_options_init (&options->out);
    pv_query_words_init (&options->words);
}

void
pv_options_clear (PvOptions *options)
{
    g_free (options->export_path);
    g_free (options->headless_option);
    g_free ((char *)options->fetching.tls.authorities);
    g_free ((char *)options->fetching.tls.certificate);
    g_free ((char *)options->fetching.tls.key);
    pv_open_request_clear (&options->open);
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        g_free (options->side_titles[side]);
        g_strfreev (options->side_options[side]);
    }
    g_strfreev (options->checks);
    g_strfreev (options->interleaved);
    g_strfreev (options->remarks);
    g_strfreev (options->interleaved_command);
    g_free (options->bisect_range);
    g_free (options->bisect_build);
    pv_export_options_clear (&options->out);
    pv_query_words_clear (&options->words);
    pv_record_plan_free (options->record_plan);
    pv_options_init (options);
}

void
pv_options_fill_load (const PvOptions *options, PvLoadOptions *ret_load)
{
    *ret_load = (PvLoadOptions){
        .max_unpacked_bytes = options->max_unpacked_bytes,
        .max_memory_bytes = options->max_memory_bytes,
        .symbols =
            {
                .sysroot = options->open.sysroot,
                .search_paths = (const char *const *)options->open.symbol_paths,
                .path_maps = (const char *const *)options->open.path_maps,
                .no_demangle = options->open.no_demangle,
                .no_other_files = options->no_other_files,
                .n_workers = (unsigned)options->n_jobs,
            },
    };
}
