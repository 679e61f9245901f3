/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/source/source-comparison.h"

#include <glib/gi18n.h>

#include "app/source/source-series.h"
#include "app/work/work.h"
#include "core/analyze/compare/joined.h"
#include "core/analyze/query/query-words.h"
#include "core/base/error.h"

#define LIVE_WORKERS 1 /* the program that is recorded needs the processors */

/* Reading, in a worker */

/* The last profile and symbols that were delivered while a run was read. */
typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
} Read;

static void
on_profile_ready (PvProfile *profile, void *user)
{
    Read *read = user;
    read->profile = profile;
}

static void
on_symbols_ready (PvSymbolTable *symbols, void *user)
{
    Read *read = user;

    g_clear_pointer (&read->symbols, pv_symbol_table_free);
    read->symbols = symbols;
}

/* Takes references to what an earlier run has read from the same files. */
static gboolean
share (PvSourceSpec *spec, const PvComparedRun *run, Read *ret_read)
{
    for (unsigned i = 0; spec->runs->pdata[i] != run; i++) {
        const PvComparedRun *other = spec->runs->pdata[i];
        if (!pv_source_spec_equal (other->spec, run->spec))
            continue;
        ret_read->profile = pv_profile_ref (other->profile);
        ret_read->symbols = pv_symbol_table_ref (other->symbols);
        return TRUE;
    }
    return FALSE;
}

static bool
read_files (PvComparedRun *run, const PvLoadOptions *options, Read *ret_read, PvJob *job,
            GError **error)
{
    PvLoadEvents events = {
        .profile_ready = on_profile_ready, .symbols_ready = on_symbols_ready, .user = ret_read};
    bool is_read = pv_series_source_read (run->spec, options, &events, job, error);

    if (is_read && ret_read->profile != NULL && ret_read->symbols != NULL)
        return true;
    g_clear_pointer (&ret_read->profile, pv_profile_free);
    g_clear_pointer (&ret_read->symbols, pv_symbol_table_free);
    if (is_read)
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_FAILED,
                             _ ("There is nothing in it to show."));
    return false;
}

/* Sets the query that chooses a run's samples. */
static bool
ask (PvComparedRun *run, GError **error)
{
    g_auto (PvQueryWords) words;
    PvQuery query;

    pv_query_words_init (&words);
    if (run->words != NULL &&
        !pv_query_words_add_all (&words, (const char *const *)run->words, error))
        return false;
    if (!pv_query_words_resolve (&words, run->profile, &query, error))
        return false;
    pv_query_clear (&run->query);
    run->query = query;
    return true;
}

/* The query of a profile that was there before still holds. */
static bool
take_read (PvComparedRun *run, Read *read, GError **error)
{
    bool keeps_query = run->profile != NULL && run->words == NULL;

    if (keeps_query)
        pv_query_adapt (&run->query, run->profile, read->profile);
    g_clear_pointer (&run->profile, pv_profile_free);
    g_clear_pointer (&run->symbols, pv_symbol_table_free);
    run->profile = g_steal_pointer (&read->profile);
    run->symbols = g_steal_pointer (&read->symbols);
    run->is_stale = FALSE;
    return keeps_query || ask (run, error);
}

static bool
read_run (PvSourceSpec *spec, PvComparedRun *run, const PvLoadOptions *options, PvJob *job,
          GError **error)
{
    Read read = {NULL, NULL};

    if ((share (spec, run, &read) || read_files (run, options, &read, job, error)) &&
        take_read (run, &read, error))
        return true;
    g_prefix_error (error, "%s: ", run->name);
    return false;
}

static bool
compare (const PvSourceSpec *spec, PvComparison *ret_comparison, PvJob *job, GError **error)
{
    g_autofree PvCompareRun *runs = g_new0 (PvCompareRun, spec->runs->len);
    PvCompareInput input = {.renames = (const char *const *)spec->renames,
                            .remarks = (const char *const *)spec->remarks};

    for (unsigned i = 0; i < spec->runs->len; i++) {
        const PvComparedRun *run = spec->runs->pdata[i];
        runs[i] = (PvCompareRun){run->profile, run->symbols, &run->query, run->name};
        input.n_runs[run->side]++;
    }
    if (spec->is_joined)
        return pv_joined_build (runs, spec->runs->len, ret_comparison, job, error);
    input.runs[PV_SIDE_BASE] = runs;
    input.runs[PV_SIDE_NEW] = runs + input.n_runs[PV_SIDE_BASE];
    return pv_comparison_build (&input, ret_comparison, job, error);
}

/* Compares the sides by the measure that the user sees in the base, if the other one has it, and
 * not by the measure that the other one's tab shows. */
static void
agree_on_measure (PvSourceSpec *spec)
{
    const PvComparedRun *base = pv_source_spec_get_run (spec, PV_SIDE_BASE);
    PvComparedRun *newer = pv_source_spec_get_run (spec, PV_SIDE_NEW);
    PvMeasureId measure = UINT32_MAX;

    if (base->query.measure < base->profile->n_measures)
        measure = pv_comparison_find_like (newer->profile, base->profile, base->query.measure);
    newer->query.measure = measure != UINT32_MAX ? measure : 0;
    newer->query.is_measure_chosen = FALSE;
}

bool
pv_comparison_source_read (PvSourceSpec *spec, const PvLoadOptions *options,
                           const PvLoadEvents *events, PvJob *job, GError **error)
{
    PvComparison comparison;

    if (spec->run_list != NULL && spec->run_list->read == NULL) {
        if (!pv_run_list_read (spec->run_list, options, job, error))
            return false;
        pv_source_spec_take_runs (spec);
    }
    for (unsigned i = 0; i < spec->runs->len; i++) {
        PvComparedRun *run = spec->runs->pdata[i];
        g_atomic_int_set (spec->n_read, (int)i);
        if ((run->profile == NULL || run->is_stale) && !read_run (spec, run, options, job, error))
            return false;
    }
    g_atomic_int_set (spec->n_read, (int)spec->runs->len);
    if (spec->orders_sides) {
        agree_on_measure (spec);
        pv_source_spec_order_sides (spec);
    }
    pv_job_set_stage (job, PV_STAGE_ANALYZE, 0);
    if (!compare (spec, &comparison, job, error))
        return false;
    events->profile_ready (comparison.profile, events->user);
    events->symbols_ready (comparison.symbols, events->user);
    return true;
}

/* The source */

/* The spec with the profiles that were read replaces the source's, for the next comparison too. */
static gboolean
accept (PvSource *source, const PvLoaded *loaded)
{
    pv_source_set_spec (source, pv_source_spec_copy (pv_load_job_get_spec (source->load)));
    return TRUE;
}

static void
reload (PvSource *source)
{
    PvSourceSpec *spec = pv_source_spec_copy (pv_source_get_newest_spec (source));

    if (spec->run_list != NULL)
        pv_clear_later (&spec->run_list->read, pv_read_runs_unref);
    for (unsigned i = 0; i < spec->runs->len; i++) {
        PvComparedRun *run = spec->runs->pdata[i];
        run->is_stale = run->profile != NULL && run->spec->paths[0] != NULL && !run->is_live;
    }
    pv_source_load_spec (source, spec);
}

static char *
describe_side (const PvSourceSpec *spec, PvSide side)
{
    const char *name = pv_source_spec_get_run (spec, side)->name;
    unsigned n_others = 0;

    for (unsigned i = 0; i < spec->runs->len; i++)
        n_others += ((PvComparedRun *)spec->runs->pdata[i])->side == side;
    /* Translators: a file and how many others with it are one side of a comparison. */
    return --n_others > 0
               ? g_strdup_printf (g_dngettext (NULL, "%s and %u more", "%s and %u more", n_others),
                                  name, n_others)
               : g_strdup (name);
}

static char *
make_title (const PvSource *source, const PvProfile *profile)
{
    g_autofree char *base = NULL;
    g_autofree char *newer = NULL;

    if (source->spec->run_list != NULL)
        return pv_run_list_make_title (source->spec->run_list);
    base = describe_side (source->spec, PV_SIDE_BASE);
    newer = describe_side (source->spec, PV_SIDE_NEW);
    if (source->spec->is_joined)
        /* Translators: what is shown together. */
        return g_strdup_printf (_ ("%s + %s"), base, newer);
    /* Translators: what is compared: base and new. */
    return g_strdup_printf (_ ("%s → %s"), base, newer);
}

static const PvSourceClass class = {
    .size_bytes = sizeof (PvSource),
    .start = pv_source_load,
    .reload = reload,
    .read = pv_comparison_source_read,
    .accept = accept,
    .make_title = make_title,
};

PvSource *
pv_comparison_source_new (const PvSourceSpec *spec)
{
    g_assert (spec->runs != NULL);
    g_assert (spec->run_list != NULL || (pv_source_spec_get_run (spec, PV_SIDE_BASE) != NULL &&
                                         pv_source_spec_get_run (spec, PV_SIDE_NEW) != NULL));
    return pv_source_new (&class, pv_source_spec_copy (spec));
}

gboolean
pv_source_is_comparison (const PvSource *source)
{
    return source->class == &class;
}

void
pv_comparison_source_swap (PvSource *source)
{
    PvSourceSpec *spec = pv_source_spec_copy (pv_source_get_newest_spec (source));

    g_assert (pv_source_is_comparison (source) && source->owner != NULL);
    pv_source_spec_swap_sides (spec);
    pv_source_load_spec (source, spec);
}

static PvComparedRun *
find_live (const PvSourceSpec *spec)
{
    for (unsigned i = 0; i < spec->runs->len; i++)
        if (((PvComparedRun *)spec->runs->pdata[i])->is_live)
            return spec->runs->pdata[i];
    return NULL;
}

const PvComparedRun *
pv_comparison_source_get_live (const PvSource *source)
{
    g_assert (pv_source_is_comparison (source));
    return find_live (pv_source_get_newest_spec (source));
}

void
pv_comparison_source_renew_live (PvSource *source, const PvSourceSpec *files,
                                 const PvProfile *profile, const PvSymbolTable *symbols,
                                 gboolean is_live)
{
    PvSourceSpec *spec = pv_source_spec_copy (pv_source_get_newest_spec (source));
    PvComparedRun *run = find_live (spec);

    g_assert (pv_source_is_comparison (source) && source->owner != NULL && run != NULL);
    g_assert (files != NULL && profile != NULL && symbols != NULL);
    pv_query_adapt (&run->query, run->profile, profile);
    pv_source_spec_free (run->spec);
    run->spec = pv_source_spec_copy (files);
    pv_clear_later (&run->profile, pv_profile_free);
    pv_clear_later (&run->symbols, pv_symbol_table_free);
    run->profile = pv_profile_ref (profile);
    run->symbols = pv_symbol_table_ref (symbols);
    run->is_live = is_live;
    if (is_live)
        pv_source_load_live_spec (source, spec, LIVE_WORKERS);
    else
        pv_source_load_spec (source, spec);
}

void
pv_comparison_source_end_live (PvSource *source)
{
    PvComparedRun *run;

    g_assert (pv_source_is_comparison (source));
    if ((run = find_live (source->spec)) != NULL)
        run->is_live = FALSE;
    if (source->next_spec != NULL && (run = find_live (source->next_spec)) != NULL)
        run->is_live = FALSE;
}

void
pv_comparison_source_ask_runs (PvSource *source, const char *const *words, PvScale scale,
                               const char *function)
{
    PvSourceSpec *spec = pv_source_spec_copy (pv_source_get_newest_spec (source));
    PvRunList *list = spec->run_list;

    g_assert (list != NULL && source->owner != NULL);
    g_strfreev (list->words);
    list->words = g_strdupv ((char **)words);
    list->scale = scale;
    g_free (list->scale_function);
    list->scale_function = g_strdup (function);
    pv_clear_later (&list->read, pv_read_runs_unref);
    pv_source_load_spec (source, spec);
}

static gboolean
take_symbols (PvSourceSpec *spec, const PvProfile *profile, const PvSymbolTable *symbols)
{
    gboolean has_changed = FALSE;

    for (unsigned i = 0; spec != NULL && i < spec->runs->len; i++) {
        PvComparedRun *run = spec->runs->pdata[i];
        if (run->profile != profile || run->symbols == symbols)
            continue;
        pv_clear_later (&run->symbols, pv_symbol_table_free);
        run->symbols = pv_symbol_table_ref (symbols);
        has_changed = TRUE;
    }
    return has_changed;
}

void
pv_comparison_source_set_symbols (PvSource *source, const PvProfile *profile,
                                  const PvSymbolTable *symbols)
{
    gboolean has_changed;

    g_assert (pv_source_is_comparison (source) && source->owner != NULL);
    /* The profiles stay the same, so both specs get the symbols at once. */
    has_changed = take_symbols (source->spec, profile, symbols);
    if (take_symbols (source->next_spec, profile, symbols) || has_changed)
        pv_source_load (source);
}
