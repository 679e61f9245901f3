/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/files/symbol-options.h"

#include <glib.h>

PvSymbolOptions
pv_symbol_options_copy (const PvSymbolOptions *options)
{
    if (options == NULL)
        return (PvSymbolOptions){0};
    PvSymbolOptions copy = *options;
    copy.sysroot = g_strdup (options->sysroot);
    copy.search_paths = (const char *const *)g_strdupv ((char **)options->search_paths);
    copy.path_maps = (const char *const *)g_strdupv ((char **)options->path_maps);
    copy.recording_folders = (const char *const *)g_strdupv ((char **)options->recording_folders);
    return copy;
}

void
pv_symbol_options_clear (PvSymbolOptions *options)
{
    g_assert (options != NULL);

    g_free ((char *)options->sysroot);
    g_strfreev ((char **)options->search_paths);
    g_strfreev ((char **)options->path_maps);
    g_strfreev ((char **)options->recording_folders);
    *options = (PvSymbolOptions){0};
}
