/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/loading/comparing.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/options/fetching.h"
#include "core/analyze/compare/changes.h"
#include "core/analyze/compare/joined.h"

/* --- words for one side --- */

/* Joined files share one measure of all of them, but each has its own defaults. */
static bool
is_about_sides (const char *option, bool is_joined)
{
    if (!is_joined)
        return pv_query_is_about_samples (option);
    return !g_str_has_prefix (option, "--measure=") &&
           (pv_query_is_about_samples (option) || strcmp (option, "--show-allocators") == 0 ||
            strcmp (option, "--show-dropped") == 0);
}

static bool
is_replaced (const char *option, char **others)
{
    size_t len = strcspn (option, "=");
    for (; others != NULL && *others != NULL; others++)
        if (strncmp (*others, option, len) == 0 && strcspn (*others, "=") == len)
            return true;
    return false;
}

char **
pv_cli_compare_list_words (const PvOptions *options, bool wants_sides, bool is_base)
{
    bool is_joined = options->open.with_files != NULL;
    GPtrArray *wanted = g_ptr_array_new ();
    char **own = wants_sides ? options->side_options[is_base ? PV_SIDE_BASE : PV_SIDE_NEW] : NULL;
    for (char **option = options->words.options; option != NULL && *option != NULL; option++)
        if (is_about_sides (*option, is_joined) == wants_sides && !is_replaced (*option, own))
            g_ptr_array_add (wanted, g_strdup (*option));
    for (; own != NULL && *own != NULL; own++)
        g_ptr_array_add (wanted, g_strdup (*own));
    g_ptr_array_add (wanted, NULL);
    return (char **)g_ptr_array_free (wanted, FALSE);
}

static bool
make_words (PvQueryWords *words, const PvOptions *options, bool wants_sides, bool is_base,
            GError **error)
{
    g_auto (GStrv) wanted = pv_cli_compare_list_words (options, wants_sides, is_base);
    pv_query_words_init (words);
    words->takes_formulas = options->words.takes_formulas;
    return pv_query_words_add_all (words, (const char *const *)wanted, error);
}

static bool
resolve_side (const PvOptions *options, const PvProfile *profile, bool is_base, PvQuery *ret_query,
              GError **error)
{
    g_auto (PvQueryWords) words;
    return make_words (&words, options, true, is_base, error) &&
           pv_query_words_resolve (&words, profile, ret_query, error);
}

/* --- loading --- */

/* A file that is a run of a side, or of both. */
typedef struct {
    const char *file;
    PvCliLoaded loaded;
    PvQuery query;
    bool has_query;
    char *name;
} Run;

static void
run_clear (Run *run)
{
    pv_cli_loaded_clear (&run->loaded);
    if (run->has_query)
        pv_query_clear (&run->query);
    g_free (run->name);
}

static bool
load_run (Run *run, const PvOptions *options, GError **error)
{
    char *only[] = {(char *)run->file, NULL};
    PvOptions one = *options;
    one.is_diff = false;
    one.open.with_files = NULL;
    one.open.files = only;
    g_autoptr (GPtrArray) sources = pv_cli_sources_new (&one);
    if (sources->len != 1) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                             _ ("The folder has dumps of several processes"));
        return false;
    }
    return pv_cli_source_load (sources->pdata[0], options, &run->loaded, error);
}

/* Shares what an earlier run has loaded. */
static bool
share_run (Run *run, const Run *others, guint n_others)
{
    for (guint i = 0; i < n_others; i++) {
        if (strcmp (others[i].file, run->file) == 0 && strcmp (run->file, "-") != 0) {
            run->loaded.profile = pv_profile_ref (others[i].loaded.profile);
            run->loaded.symbols = pv_symbol_table_ref (others[i].loaded.symbols);
            return true;
        }
    }
    return false;
}

static bool
prepare_run (Run *runs, guint index, const PvOptions *options, bool is_base, GError **error)
{
    Run *run = &runs[index];
    const char *title = options->side_titles[is_base ? PV_SIDE_BASE : PV_SIDE_NEW];
    run->name = title != NULL ? g_strdup (title) : pv_fetching_format_argument (run->file);
    bool is_ready = (share_run (run, runs, index) || load_run (run, options, error)) &&
                    resolve_side (options, run->loaded.profile, is_base, &run->query, error);
    run->has_query = is_ready;
    if (!is_ready)
        g_prefix_error (error, "%s: ", run->name);
    return is_ready;
}

/* The files of both sides, the base first. */
static GPtrArray *
list_files (const PvOptions *options, guint *ret_n_base)
{
    GPtrArray *files = g_ptr_array_new ();
    for (char **file = options->open.base_files; file != NULL && *file != NULL; file++)
        g_ptr_array_add (files, *file);
    if (options->open.base_files == NULL)
        g_ptr_array_add (files, options->open.files[0]);
    *ret_n_base = files->len;
    bool is_part = options->open.files[1] == NULL;
    for (char **file = options->open.files + (options->open.base_files == NULL && !is_part);
         *file != NULL; file++)
        g_ptr_array_add (files, *file);
    return files;
}

static GPtrArray *
list_joined_files (const PvOptions *options)
{
    GPtrArray *files = g_ptr_array_new ();
    g_ptr_array_add (files, options->open.files[0]);
    for (char **file = options->open.with_files; *file != NULL; file++)
        g_ptr_array_add (files, *file);
    return files;
}

static bool
put_together (const PvOptions *options, const PvCompareRun *runs, guint n_runs, guint n_base,
              PvComparison *ret_result, GError **error)
{
    if (options->open.with_files != NULL)
        return pv_joined_build (runs, n_runs, ret_result, NULL, error);
    PvCompareInput input = {
        .runs = {runs, runs + n_base},
        .n_runs = {n_base, n_runs - n_base},
        .renames = (const char *const *)options->open.renames,
        .remarks = (const char *const *)options->remarks,
    };
    return pv_comparison_build (&input, ret_result, NULL, error);
}

bool
pv_cli_compare_load (const PvOptions *options, PvCliLoaded *ret_loaded, GError **error)
{
    g_assert (options->is_diff || options->open.with_files != NULL);
    g_assert (options->open.files != NULL && options->open.files[0] != NULL);
    guint n_base = 0;
    g_autoptr (GPtrArray) files =
        options->is_diff ? list_files (options, &n_base) : list_joined_files (options);
    g_autofree Run *runs = g_new0 (Run, files->len);
    g_autofree PvCompareRun *compared = g_new0 (PvCompareRun, files->len);
    bool is_ready = true;
    for (guint i = 0; i < files->len && is_ready; i++) {
        runs[i].file = files->pdata[i];
        is_ready = prepare_run (runs, i, options, i < n_base, error);
        compared[i] = (PvCompareRun){runs[i].loaded.profile, runs[i].loaded.symbols, &runs[i].query,
                                     runs[i].name};
    }
    PvComparison result;
    if (is_ready &&
        (is_ready = put_together (options, compared, files->len, n_base, &result, error)))
        *ret_loaded = (PvCliLoaded){result.profile, result.symbols};
    for (guint i = 0; i < files->len; i++)
        run_clear (&runs[i]);
    return is_ready;
}

/* --- the query --- */

bool
pv_cli_make_query (const PvOptions *options, const PvCliLoaded *loaded, PvQuery *ret_query,
                   GError **error)
{
    const PvProfile *profile = loaded->profile;
    if (!pv_profile_has_sums (profile))
        return pv_query_words_resolve (&options->words, profile, ret_query, error);
    g_auto (PvQueryWords) words;
    if (!make_words (&words, options, false, false, error) ||
        !pv_query_words_resolve (&words, profile, ret_query, error))
        return false;
    const PvPair *pair = pv_profile_get_pair (profile, ret_query->measure);
    bool is_done = profile->compared == NULL || pair == NULL ||
                   pv_scale_apply (options->out.scale, options->out.scale_function, profile,
                                   loaded->symbols, NULL, ret_query, NULL, NULL, error);
    if (!is_done)
        pv_query_clear (ret_query);
    return is_done;
}

void
pv_cli_set_width (const PvOptions *options, const PvProfile *profile, PvQuery *query)
{
    const PvPair *pair = pv_profile_get_pair (profile, query->measure);
    if (profile->compared != NULL && pair != NULL && options->width_part == PV_PART_SIDE)
        query->measure = pair->of_side[options->width_side];
}
