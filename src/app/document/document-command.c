/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands for a shell that answer what a document shows. */
#include <string.h>

#include "app/document/comparing.h"
#include "app/document/document-private.h"
#include "app/source/source-comparison.h"
#include "core/analyze/query/query-command.h"

/* The only file, or the URL; NULL: several files, or neither. */
static const char *
get_argument (const PvSourceSpec *files)
{
    if (files->is_together)
        return NULL;
    return files->paths[0] != NULL ? files->paths[0] : files->url;
}

static GPtrArray *
list_side_options (const PvSourceSpec *spec, const PvComparedRun *run)
{
    g_auto (GStrv) options = run->is_of_files || run->profile == NULL
                                 ? g_strdupv (run->words)
                                 : pv_query_list_options (&run->query, run->profile);
    GPtrArray *wanted = g_ptr_array_new_with_free_func (g_free);

    for (guint i = 0; options != NULL && options[i] != NULL; i++)
        if (pv_command_is_about_side (options[i], spec->is_joined))
            g_ptr_array_add (wanted, g_strdup (options[i]));
    return wanted;
}

/* Files that are joined have no options of their own. */
static gboolean
are_asked_alike (const PvSourceSpec *spec)
{
    g_autoptr (GPtrArray) first = list_side_options (spec, spec->runs->pdata[0]);

    for (guint i = 1; i < spec->runs->len; i++) {
        g_autoptr (GPtrArray) other = list_side_options (spec, spec->runs->pdata[i]);
        if (!pv_command_same_options (first, other))
            return FALSE;
    }
    return TRUE;
}

static gboolean
has_sides (PvDocument *self)
{
    const PvSourceSpec *spec = self->data.spec;

    for (guint i = 0; i < spec->runs->len; i++)
        if (get_argument (((PvComparedRun *)spec->runs->pdata[i])->spec) == NULL)
            return FALSE;
    return !spec->is_joined || are_asked_alike (spec);
}

static void
append_scale (GString *command, PvScale scale, const char *function)
{
    g_autofree char *value = scale == PV_SCALE_FUNCTION ? g_strconcat ("function:", function, NULL)
                             : scale == PV_SCALE_TOTAL  ? g_strdup ("total")
                             : scale == PV_SCALE_TIME   ? g_strdup ("time")
                                                        : NULL;

    if (value != NULL)
        pv_command_append (command, "--scale=", value);
}

static void
append_comparison (PvDocument *self, GString *command, PvQuery *query)
{
    const PvComparisonView *view = &self->data.comparison;
    const PvPair *pair = pv_profile_get_pair (self->data.answer->profile, query->measure);
    PvSide side = pv_document_get_width_side (self);

    if (self->data.spec->is_joined)
        return;
    pv_command_append (command, "--diff", "");
    append_scale (command, view->scale, view->function);
    if (side < PV_N_SIDES)
        pv_command_append (command, "--width-by=", side == PV_SIDE_BASE ? "base" : "new");
    else if (pv_document_is_side_by_side (self))
        pv_command_append (command, "--width-by=", "side-by-side");
    if (pair != NULL)
        query->measure = pair->both;
}

/* The base's own measure, where it has none that is called as that of the comparison. */
static gboolean
append_base_measure (PvDocument *self, GString *command, const PvComparedRun *base)
{
    const PvProfile *profile = self->data.answer->profile;
    const PvPair *pair = pv_profile_get_pair (profile, self->data.query.measure);
    const PvMeasure *own =
        base->profile != NULL && pv_profile_has_weights (base->profile, base->query.measure)
            ? &base->profile->measures[base->query.measure]
            : NULL;

    if (pair == NULL || pair->both != 0 || own == NULL || own->part != PV_PART_NONE ||
        pv_profile_find_measure (base->profile, profile->measures[pair->both].name) != UINT32_MAX)
        return FALSE;
    pv_command_append (command, "--base-measure=", own->name);
    return TRUE;
}

/* With the options of the first one, which are those of all. */
static void
append_joined (GString *command, const PvSourceSpec *spec)
{
    g_autoptr (GPtrArray) options = list_side_options (spec, spec->runs->pdata[0]);

    for (guint i = 0; i < options->len; i++)
        pv_command_append (command, options->pdata[i], "");
    for (guint i = 1; i < spec->runs->len; i++)
        pv_command_append (command,
                           "--with=", get_argument (((PvComparedRun *)spec->runs->pdata[i])->spec));
    pv_command_append (command, "", get_argument (((PvComparedRun *)spec->runs->pdata[0])->spec));
}

static void
append_sides (PvDocument *self, GString *command)
{
    const PvSourceSpec *spec = self->data.spec;
    const PvComparedRun *base = pv_source_spec_get_run (spec, PV_SIDE_BASE);
    const PvComparedRun *newer = pv_source_spec_get_run (spec, PV_SIDE_NEW);
    g_autoptr (GPtrArray) base_options = list_side_options (spec, base);
    g_autoptr (GPtrArray) new_options = list_side_options (spec, newer);
    gboolean has_base_runs =
        spec->runs->len > 1 && ((PvComparedRun *)spec->runs->pdata[1])->side == PV_SIDE_BASE;
    gboolean is_one_file = spec->runs->len == 2 && pv_source_spec_equal (base->spec, newer->spec);
    gboolean is_different;

    if (spec->is_joined) {
        append_joined (command, spec);
        return;
    }
    is_different = pv_command_append_sides (command, base_options, new_options);
    is_different |= append_base_measure (self, command, base);
    for (guint i = 0; spec->renames != NULL && spec->renames[i] != NULL; i++)
        pv_command_append (command, "--rename=", spec->renames[i]);
    for (guint i = is_one_file && is_different ? 1 : 0; i < spec->runs->len; i++) {
        const PvComparedRun *run = spec->runs->pdata[i];
        gboolean is_named = run->side == PV_SIDE_BASE && has_base_runs;
        pv_command_append (command, is_named ? "--base=" : "", get_argument (run->spec));
    }
}

static void
append_runs (PvDocument *self, GString *command)
{
    const PvRunList *list = self->data.spec->run_list;

    g_assert (list != NULL);
    pv_command_append (command, "--runs", "");
    pv_command_append (command, "--print=runs", "");
    append_scale (command, list->scale, list->scale_function);
    for (char **word = list->words; word != NULL && *word != NULL; word++)
        if (pv_command_is_about_runs (*word))
            pv_command_append (command, *word, "");
}
static void
append_symbol_options (GString *command, const PvSymbolOptions *symbols)
{
    if (symbols->sysroot != NULL)
        pv_command_append (command, "--sysroot=", symbols->sysroot);
    for (unsigned i = 0; symbols->search_paths != NULL && symbols->search_paths[i] != NULL; i++)
        pv_command_append (command, "--symbol-path=", symbols->search_paths[i]);
    for (unsigned i = 0; symbols->path_maps != NULL && symbols->path_maps[i] != NULL; i++)
        pv_command_append (command, "--map-path=", symbols->path_maps[i]);
    if (symbols->no_demangle)
        pv_command_append (command, "--no-demangle", "");
}

gboolean
pv_document_has_command (PvDocument *self)
{
    const PvDocumentData *data = &self->data;

    g_assert (PV_IS_DOCUMENT (self));
    if (data->answer->profile == NULL)
        return FALSE;
    return pv_source_is_comparison (self->source) ? has_sides (self) : data->spec->paths[0] != NULL;
}

static char *
make_command_of_runs (PvDocument *self)
{
    GString *command = g_string_new ("profview");

    append_runs (self, command);
    append_symbol_options (command, &self->source->symbols);
    for (char **path = self->data.spec->run_list->paths; *path != NULL; path++)
        pv_command_append (command, *path, "");
    return g_string_free (command, FALSE);
}

char *
pv_document_make_command (PvDocument *self, const PvCommand *wanted)
{
    const PvDocumentData *data = &self->data;
    g_autoptr (GString) command = g_string_new ("profview");
    g_auto (GStrv) options = NULL;
    gboolean is_comparison = pv_source_is_comparison (self->source);
    g_auto (PvQuery) query;

    g_assert (wanted != NULL);
    pv_query_copy (&query, &data->query);
    if (!pv_document_has_command (self))
        return NULL;
    if (wanted->are_runs && data->spec->run_list != NULL)
        return make_command_of_runs (self);
    if (is_comparison)
        append_comparison (self, command, &query);
    for (unsigned i = 0; i < G_N_ELEMENTS (wanted->options) && wanted->options[i] != NULL; i++)
        pv_command_append (command, wanted->options[i], "");
    if (wanted->function != NULL) {
        g_autofree char *expression = pv_subject_make_expression (PV_SUBJECT_ANY, wanted->function);
        pv_command_append (command, "--function=", expression);
    }
    if (pv_profile_has_weights (data->answer->profile, wanted->measure))
        query.measure = wanted->measure;
    if (wanted->thread != 0)
        pv_query_set_only (&query, PV_ORIGIN_THREAD, &wanted->thread, 1);
    options = pv_query_list_options (&query, data->answer->profile);
    for (unsigned i = 0; options[i] != NULL; i++)
        pv_command_append (command, options[i], "");
    for (unsigned i = 0; wanted->formulas != NULL && wanted->formulas[i] != NULL; i++)
        pv_command_append (command, "--measure=", wanted->formulas[i]);
    if (data->look.is_inverted && g_strcmp0 (wanted->options[0], "--print=tree") == 0)
        pv_command_append (command, "--invert", "");
    append_symbol_options (command, &self->source->symbols);
    if (is_comparison)
        append_sides (self, command);
    else if (data->spec->is_together)
        pv_command_append (command, data->spec->how == PV_TOGETHER_SERIES ? "--series" : "--merge",
                           "");
    for (unsigned i = 0; data->spec->paths[i] != NULL; i++)
        pv_command_append (command, data->spec->paths[i], "");
    return g_string_free (g_steal_pointer (&command), FALSE);
}
