/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/loading/sources.h"

#include <glib/gi18n.h>

#include "cli/loading/progress-line.h"
#include "cli/loading/stream.h"
#include "cli/loading/symbol-fetching.h"
#include "cli/options/fetching.h"

static void
free_source (gpointer data)
{
    PvCliSource *source = data;
    g_free (source->title);
    g_strfreev (source->arguments);
    g_free (source);
}

static char *
make_title (const char *const *arguments)
{
    guint n = g_strv_length ((char **)arguments);
    if (n == 1)
        return pv_fetching_is_url (arguments[0]) ? pv_fetching_format_argument (arguments[0])
                                                 : g_strdup (arguments[0]);
    g_autofree char *first = pv_fetching_format_argument (arguments[0]);
    /* Translators: the name of a file, and how many others */
    return g_strdup_printf (ngettext ("%s and %u more", "%s and %u more", n - 1), first, n - 1);
}

/* title: NULL to make one from the arguments. */
static void
add_source (GPtrArray *sources, const char *title, const char *const *arguments, bool is_together,
            PvTogether how)
{
    PvCliSource *source = g_new0 (PvCliSource, 1);
    source->title = title != NULL ? g_strdup (title) : make_title (arguments);
    source->arguments = g_strdupv ((char **)arguments);
    source->is_together = is_together;
    source->how = how;
    g_ptr_array_add (sources, source);
}

static void
add_folder (GPtrArray *sources, const char *folder)
{
    const char *const only[] = {folder, NULL};
    g_autoptr (GPtrArray) groups = pv_load_group_files (only, NULL);
    for (guint i = 0; i < groups->len; i++) {
        const PvFileGroup *group = groups->pdata[i];
        add_source (sources, groups->len == 1 ? folder : NULL, (const char *const *)group->paths,
                    group->is_series, PV_TOGETHER_SERIES);
    }
    if (groups->len == 0)
        add_source (sources, folder, only, false, PV_TOGETHER_MERGED);
}

static char *
make_diff_title (const PvOptions *options)
{
    if (options->side_titles[PV_SIDE_BASE] != NULL)
        return g_strdup_printf ("%s → %s", options->side_titles[PV_SIDE_BASE],
                                options->side_titles[PV_SIDE_NEW]);
    char **new_files =
        options->open.files + (options->open.base_files == NULL && options->open.files[1] != NULL);
    g_autofree char *base =
        make_title ((const char *const *)(options->open.base_files != NULL
                                              ? options->open.base_files
                                              : (char *[]){options->open.files[0], NULL}));
    g_autofree char *newer = make_title ((const char *const *)new_files);
    g_autofree char *base_name = g_path_get_basename (base);
    g_autofree char *new_name = g_path_get_basename (newer);
    return g_strdup_printf ("%s → %s", base_name, new_name);
}

static char *
make_joined_title (const PvOptions *options)
{
    g_autofree char *first = make_title ((const char *const[]){options->open.files[0], NULL});
    g_autofree char *others = make_title ((const char *const *)options->open.with_files);
    g_autofree char *first_name = g_path_get_basename (first);
    g_autofree char *other_names = g_path_get_basename (others);
    return g_strdup_printf ("%s + %s", first_name, other_names);
}

GPtrArray *
pv_cli_sources_new (const PvOptions *options)
{
    GPtrArray *sources = g_ptr_array_new_with_free_func (free_source);
    if (options->is_diff || options->open.with_files != NULL) {
        g_autofree char *title =
            options->is_diff ? make_diff_title (options) : make_joined_title (options);
        add_source (sources, title, (const char *const *)options->open.files, true,
                    PV_TOGETHER_MERGED);
        return sources;
    }
    if (options->is_merged || options->is_series) {
        add_source (sources, NULL, (const char *const *)options->open.files, true,
                    options->is_series ? PV_TOGETHER_SERIES : PV_TOGETHER_MERGED);
        return sources;
    }
    for (char **file = options->open.files; *file != NULL; file++) {
        const char *const only[] = {*file, NULL};
        if (!pv_fetching_is_url (*file) && g_file_test (*file, G_FILE_TEST_IS_DIR))
            add_folder (sources, *file);
        else
            add_source (sources, NULL, only, false, PV_TOGETHER_MERGED);
    }
    return sources;
}

/* --- loading --- */

void
pv_cli_loaded_clear (PvCliLoaded *loaded)
{
    pv_symbol_table_free (loaded->symbols);
    pv_profile_free (loaded->profile);
    *loaded = (PvCliLoaded){0};
}

static void
take_profile (PvProfile *profile, void *user)
{
    PvCliLoaded *loaded = user;
    pv_profile_free (loaded->profile);
    loaded->profile = profile;
}

static void
take_symbols (PvSymbolTable *symbols, void *user)
{
    PvCliLoaded *loaded = user;
    pv_symbol_table_free (loaded->symbols);
    loaded->symbols = symbols;
}

static void
free_input (gpointer data)
{
    pv_input_clear (data);
    g_free (data);
}

/* Adds the paths of the files for an argument. Keep inputs open until all files are read. */
static bool
open_argument (const PvFetching *fetching, const char *argument, GPtrArray *paths,
               GPtrArray *inputs, GError **error)
{
    if (pv_fetching_is_url (argument)) {
        g_autofree char **fetched = pv_fetching_fetch (fetching, argument, error);
        for (char **path = fetched; path != NULL && *path != NULL; path++)
            g_ptr_array_add (paths, *path);
        return fetched != NULL;
    }
    PvInput *input = g_new0 (PvInput, 1);
    bool is_open = pv_input_open (input, argument, error);
    if (is_open)
        g_ptr_array_add (paths, g_strdup (input->path));
    g_ptr_array_add (inputs, input);
    return is_open;
}

/* A URL fetched several times is a series. */
static bool
load_paths (const PvCliSource *source, const char *const *paths, const PvLoadOptions *options,
            PvCliLoaded *loaded, GError **error)
{
    PvLoadEvents events = {
        .profile_ready = take_profile, .symbols_ready = take_symbols, .user = loaded};
    bool is_series = !source->is_together && paths[1] != NULL;
    g_autoptr (PvProgressLine) line = pv_progress_line_new (NULL);
    PvJob *job = pv_progress_line_get_job (line);
    return source->is_together || is_series
               ? pv_load_together (paths, is_series ? PV_TOGETHER_SERIES : source->how, options,
                                   &events, job, error)
               : pv_load (paths[0], options, &events, job, error);
}

/* True if no functions are printed, except for those of a heap profile. Comparisons print some. */
static bool
has_no_functions (const PvOptions *options)
{
    bool is_list = options->out.print == PV_PRINT_SUMMARY || options->out.print == PV_PRINT_NOTES;
    return is_list && !options->is_diff && options->open.with_files == NULL &&
           options->checks == NULL && options->export_path == NULL;
}

bool
pv_cli_source_load (const PvCliSource *source, const PvOptions *options, PvCliLoaded *ret_loaded,
                    GError **error)
{
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (free_input);
    PvLoadOptions load_options;
    pv_options_fill_load (options, &load_options);
    load_options.symbols.only_complete = true;
    load_options.symbols.only_full_names = has_no_functions (options);
    PvFetching fetching = options->fetching;
    fetching.symbols = &load_options.symbols;
    for (char **argument = source->arguments; *argument != NULL; argument++) {
        if (open_argument (&fetching, *argument, paths, inputs, error))
            continue;
        if (source->arguments[1] != NULL) {
            g_autofree char *which = pv_fetching_format_argument (*argument);
            g_prefix_error (error, "%s: ", which);
        }
        return false;
    }
    g_ptr_array_add (paths, NULL);
    const char *const *all = (const char *const *)paths->pdata;
    if (!load_paths (source, all, &load_options, ret_loaded, error))
        return false;
    if (options->fetches_debug_info &&
        pv_symbol_fetching_run (all, ret_loaded->profile, &load_options.symbols,
                                options->fetching.max_bytes)) {
        pv_cli_loaded_clear (ret_loaded);
        if (!load_paths (source, all, &load_options, ret_loaded, error))
            return false;
    }
    if (ret_loaded->symbols == NULL) {
        g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (ret_loaded->profile);
        ret_loaded->symbols = pv_symbol_builder_publish (builder, true);
    }
    return true;
}
