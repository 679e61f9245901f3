/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/source/source-spec.h"

#include "app/work/work.h"
#include "fetch/fetch-store.h"

/* Runs of a comparison */

static void
run_free (gpointer data)
{
    PvComparedRun *run = data;

    pv_source_spec_free (run->spec);
    g_free (run->name);
    pv_clear_later (&run->profile, pv_profile_free);
    pv_clear_later (&run->symbols, pv_symbol_table_free);
    pv_query_clear (&run->query);
    g_strfreev (run->words);
    g_free (run);
}

static PvComparedRun *
run_copy (const PvComparedRun *run)
{
    PvComparedRun *copy = g_new0 (PvComparedRun, 1);

    copy->side = run->side;
    copy->spec = pv_source_spec_copy (run->spec);
    copy->name = g_strdup (run->name);
    copy->profile = run->profile != NULL ? pv_profile_ref (run->profile) : NULL;
    copy->symbols = run->symbols != NULL ? pv_symbol_table_ref (run->symbols) : NULL;
    copy->is_stale = run->is_stale;
    copy->is_live = run->is_live;
    copy->is_of_files = run->is_of_files;
    pv_query_copy (&copy->query, &run->query);
    copy->words = g_strdupv (run->words);
    return copy;
}

static GPtrArray *
copy_runs (const GPtrArray *runs)
{
    GPtrArray *copies;

    if (runs == NULL)
        return NULL;
    copies = g_ptr_array_new_with_free_func (run_free);
    for (unsigned i = 0; i < runs->len; i++)
        g_ptr_array_add (copies, run_copy (runs->pdata[i]));
    return copies;
}

static gboolean
words_equal (char **a, char **b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return g_strv_equal ((const char *const *)a, (const char *const *)b);
}

/* Tests for the same question: runs of files have the same words, read or not; others have the same
 * profile and query. */
static gboolean
run_equal (const PvComparedRun *a, const PvComparedRun *b)
{
    if (a->side != b->side || a->is_of_files != b->is_of_files ||
        !pv_source_spec_equal (a->spec, b->spec))
        return FALSE;
    if (a->is_of_files)
        return words_equal (a->words, b->words);
    return a->profile == b->profile && pv_query_equal (&a->query, &b->query);
}

static gboolean
runs_equal (const GPtrArray *a, const GPtrArray *b)
{
    if (a == NULL || b == NULL || a->len != b->len)
        return a == b;
    for (unsigned i = 0; i < a->len; i++)
        if (!run_equal (a->pdata[i], b->pdata[i]))
            return FALSE;
    return TRUE;
}

/* Two recordings are often called the same: then their folders tell them apart. */
static char *
name_file (const PvSourceSpec *files, gboolean has_folder)
{
    g_autoptr (GFile) file = pv_source_spec_get_file (files);
    g_autofree char *base = g_file_get_basename (file);
    g_autoptr (GFile) parent = has_folder ? g_file_get_parent (file) : NULL;
    g_autofree char *folder = parent != NULL ? g_file_get_basename (parent) : NULL;
    g_autofree char *path = folder != NULL ? g_build_filename (folder, base, NULL) : NULL;

    return g_filename_display_name (path != NULL ? path : base);
}

static PvComparedRun *
add_run (PvSourceSpec *comparison, PvSide side, const PvSourceSpec *files, const char *name)
{
    PvComparedRun *run = g_new0 (PvComparedRun, 1);
    PvComparedRun *base = pv_source_spec_get_run (comparison, PV_SIDE_BASE);

    g_assert (comparison->runs->len > 0 || side == PV_SIDE_BASE);
    run->side = side;
    run->spec = pv_source_spec_copy (files);
    run->name = name != NULL ? g_strdup (name) : name_file (files, FALSE);
    pv_query_init (&run->query);
    if (base != NULL && side == PV_SIDE_NEW && g_str_equal (base->name, run->name) &&
        !pv_source_spec_equal (base->spec, run->spec)) {
        g_free (run->name);
        run->name = name_file (run->spec, TRUE);
        g_free (base->name);
        base->name = name_file (base->spec, TRUE);
    }
    g_ptr_array_add (comparison->runs, run);
    return run;
}

void
pv_source_spec_add_files (PvSourceSpec *comparison, PvSide side, const PvSourceSpec *files,
                          const char *const *words)
{
    PvComparedRun *run;

    g_assert (comparison->runs != NULL && files->runs == NULL);
    run = add_run (comparison, side, files, NULL);
    run->words = g_strdupv ((char **)words);
    run->is_of_files = TRUE;
}

void
pv_source_spec_add_profile (PvSourceSpec *comparison, PvSide side, const PvSourceSpec *files,
                            const char *name, const PvProfile *profile,
                            const PvSymbolTable *symbols, const PvQuery *query)
{
    PvComparedRun *run;

    g_assert (comparison->runs != NULL && profile != NULL && symbols != NULL && query != NULL);
    run = add_run (comparison, side, files, name);
    run->profile = pv_profile_ref (profile);
    run->symbols = pv_symbol_table_ref (symbols);
    pv_query_clear (&run->query);
    pv_query_copy (&run->query, query);
}

PvComparedRun *
pv_source_spec_get_run (const PvSourceSpec *comparison, PvSide side)
{
    g_assert (comparison->runs != NULL);
    for (unsigned i = 0; i < comparison->runs->len; i++) {
        PvComparedRun *run = comparison->runs->pdata[i];
        if (run->side == side)
            return run;
    }
    return NULL;
}

static int
compare_sides (gconstpointer a, gconstpointer b)
{
    const PvComparedRun *x = *(PvComparedRun *const *)a, *y = *(PvComparedRun *const *)b;
    return (int)x->side - (int)y->side;
}

void
pv_source_spec_swap_sides (PvSourceSpec *comparison)
{
    g_assert (comparison->runs != NULL);
    for (unsigned i = 0; i < comparison->runs->len; i++) {
        PvComparedRun *run = comparison->runs->pdata[i];
        run->side = run->side == PV_SIDE_BASE ? PV_SIDE_NEW : PV_SIDE_BASE;
    }
    g_ptr_array_sort (comparison->runs, compare_sides); /* stable */
    comparison->orders_sides = FALSE;
}

/* When a run was recorded, in seconds since 1970; 0: unknown. *ret_is_vague: in whole seconds, or
 * that is when its file was written. */
static double
find_time_s (const PvComparedRun *run, gboolean *ret_is_vague)
{
    const PvFacts *facts = &run->profile->facts;

    *ret_is_vague = facts->recorded_at_ns <= 0;
    return facts->recorded_at_ns > 0   ? (double)facts->recorded_at_ns / 1e9
           : facts->recorded_at > 0    ? (double)facts->recorded_at
           : facts->modified_at_ns > 0 ? (double)facts->modified_at_ns / 1e9
                                       : (double)facts->modified_at;
}

/* Files that were copied together have the time of that moment, in any order. */
#define LEAST_AGE_S 1.0

/* Times of samples count from when the machine started. */
static gboolean
is_later_on_host (const PvComparedRun *run, const PvComparedRun *other)
{
    const PvProfile *profile = run->profile, *than = other->profile;

    return profile->facts.host != NULL && g_strcmp0 (profile->facts.host, than->facts.host) == 0 &&
           g_strcmp0 (profile->facts.kernel_release, than->facts.kernel_release) == 0 &&
           than->start_ns > 0 && profile->start_ns > than->start_ns;
}

void
pv_source_spec_order_sides (PvSourceSpec *comparison)
{
    const PvComparedRun *runs[PV_N_SIDES];
    double time_s[PV_N_SIDES];
    gboolean is_vague[PV_N_SIDES], is_later;
    double age_s;

    g_assert (comparison->runs != NULL);
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        runs[side] = pv_source_spec_get_run (comparison, side);
        time_s[side] = find_time_s (runs[side], &is_vague[side]);
    }
    age_s = time_s[PV_SIDE_BASE] - time_s[PV_SIDE_NEW];
    if (!is_vague[PV_SIDE_BASE] && !is_vague[PV_SIDE_NEW])
        is_later = age_s > 0;
    else if (ABS (age_s) >= LEAST_AGE_S)
        is_later = age_s > 0;
    else
        is_later = is_later_on_host (runs[PV_SIDE_BASE], runs[PV_SIDE_NEW]);
    if (time_s[PV_SIDE_NEW] > 0 && is_later)
        pv_source_spec_swap_sides (comparison);
    comparison->orders_sides = FALSE;
}

/* The spec */

static PvSourceSpec *
new_spec (const char *const *paths)
{
    PvSourceSpec *spec = g_new0 (PvSourceSpec, 1);
    static const char *const none[] = {NULL};

    spec->paths = g_strdupv ((char **)(paths != NULL ? paths : none));
    return spec;
}

PvSourceSpec *
pv_source_spec_new_for_path (const char *path)
{
    const char *const paths[] = {path, NULL};

    g_assert (path != NULL);
    return new_spec (paths);
}

PvSourceSpec *
pv_source_spec_new_for_file (GFile *file)
{
    const char *path = g_file_peek_path (file);
    PvSourceSpec *spec;

    if (path != NULL)
        return pv_source_spec_new_for_path (path);
    spec = new_spec (NULL);
    spec->uri = g_file_get_uri (file);
    return spec;
}

PvSourceSpec *
pv_source_spec_new_together (const char *const *paths, PvTogether how, const char *folder)
{
    PvSourceSpec *spec;

    g_assert (paths[0] != NULL);
    spec = new_spec (paths);
    spec->is_together = TRUE;
    spec->how = how;
    spec->folder = g_strdup (folder);
    return spec;
}

PvSourceSpec *
pv_source_spec_new_for_url (const char *url)
{
    PvSourceSpec *spec = new_spec (NULL);

    g_assert (url != NULL);
    spec->url = g_strdup (url);
    return spec;
}

PvSourceSpec *
pv_source_spec_new_comparison (const char *const *renames)
{
    PvSourceSpec *spec = new_spec (NULL);

    spec->runs = g_ptr_array_new_with_free_func (run_free);
    spec->renames = g_strdupv ((char **)renames);
    spec->n_read = g_atomic_rc_box_new0 (int);
    return spec;
}

PvSourceSpec *
pv_source_spec_new_joined (void)
{
    PvSourceSpec *spec = pv_source_spec_new_comparison (NULL);

    spec->is_joined = TRUE;
    return spec;
}

PvSourceSpec *
pv_source_spec_new_for_runs (PvRunList *list)
{
    PvSourceSpec *spec = pv_source_spec_new_comparison (NULL);

    g_assert (list != NULL);
    spec->run_list = list;
    return spec;
}

void
pv_source_spec_take_runs (PvSourceSpec *comparison)
{
    const PvRunList *list = comparison->run_list;
    unsigned last;
    g_autoptr (PvSourceSpec) base = NULL;
    g_autoptr (PvSourceSpec) newer = NULL;

    g_assert (list != NULL && list->read != NULL);
    last = list->read->runs->n_runs - 1;
    base = pv_source_spec_new_for_path (list->read->paths[0]);
    newer = pv_source_spec_new_for_path (list->read->paths[last]);
    g_ptr_array_set_size (comparison->runs, 0);
    pv_source_spec_add_files (comparison, PV_SIDE_BASE, base,
                              (const char *const *)list->side_words);
    pv_source_spec_add_files (comparison, PV_SIDE_NEW, newer,
                              (const char *const *)list->side_words);
}

PvSourceSpec *
pv_source_spec_copy (const PvSourceSpec *spec)
{
    PvSourceSpec *copy = g_memdup2 (spec, sizeof *spec);

    copy->paths = g_strdupv (spec->paths);
    copy->folder = g_strdup (spec->folder);
    copy->url = g_strdup (spec->url);
    copy->uri = g_strdup (spec->uri);
    copy->runs = copy_runs (spec->runs);
    copy->renames = g_strdupv (spec->renames);
    copy->remarks = g_strdupv (spec->remarks);
    if (spec->n_read != NULL)
        copy->n_read = g_atomic_rc_box_acquire (spec->n_read);
    copy->run_list = pv_run_list_copy (spec->run_list);
    return copy;
}

void
pv_source_spec_free (PvSourceSpec *spec)
{
    if (spec == NULL)
        return;
    g_strfreev (spec->paths);
    g_free (spec->folder);
    g_free (spec->url);
    g_free (spec->uri);
    g_clear_pointer (&spec->runs, g_ptr_array_unref);
    g_strfreev (spec->renames);
    g_strfreev (spec->remarks);
    g_clear_pointer (&spec->n_read, g_atomic_rc_box_release);
    pv_run_list_free (spec->run_list);
    g_free (spec);
}

gboolean
pv_source_spec_equal (const PvSourceSpec *a, const PvSourceSpec *b)
{
    return a->is_together == b->is_together && (!a->is_together || a->how == b->how) &&
           g_strcmp0 (a->url, b->url) == 0 && g_strcmp0 (a->uri, b->uri) == 0 &&
           g_strcmp0 (a->folder, b->folder) == 0 && a->is_joined == b->is_joined &&
           pv_run_list_equal (a->run_list, b->run_list) &&
           (a->run_list != NULL || runs_equal (a->runs, b->runs)) &&
           words_equal (a->renames, b->renames) &&
           g_strv_equal ((const char *const *)a->paths, (const char *const *)b->paths);
}

void
pv_source_spec_add_path (PvSourceSpec *spec, const char *path)
{
    unsigned n = g_strv_length (spec->paths);

    g_assert (path != NULL);
    spec->paths = g_renew (char *, spec->paths, n + 2);
    spec->paths[n] = g_strdup (path);
    spec->paths[n + 1] = NULL;
    spec->is_together = n > 0;
    spec->how = PV_TOGETHER_SERIES;
}

gboolean
pv_source_spec_is_fetched (const PvSourceSpec *spec)
{
    g_autofree char *path = pv_fetch_get_folder ();
    g_autoptr (GFile) folder = g_file_new_for_path (path);

    if (spec->url != NULL)
        return TRUE;
    for (unsigned i = 0; spec->paths[i] != NULL; i++) {
        g_autoptr (GFile) file = g_file_new_for_path (spec->paths[i]);
        if (g_file_has_prefix (file, folder))
            return TRUE;
    }
    return FALSE;
}

GFile *
pv_source_spec_get_file (const PvSourceSpec *spec)
{
    if (spec->runs != NULL && spec->runs->len > 0)
        return pv_source_spec_get_file (
            ((PvComparedRun *)spec->runs->pdata[spec->is_joined ? 0 : spec->runs->len - 1])->spec);
    if (spec->run_list != NULL)
        return g_file_new_for_path (spec->run_list->paths[0]);
    if (spec->folder != NULL)
        return g_file_new_for_path (spec->folder);
    if (spec->paths[0] != NULL)
        return g_file_new_for_path (spec->paths[0]);
    return g_file_new_for_uri (spec->uri != NULL ? spec->uri : spec->url);
}
