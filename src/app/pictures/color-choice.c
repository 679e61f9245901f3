/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/color-choice.h"

#include <glib/gi18n.h>

#include "app/widgets/cut-text.h"
#include "app/work/query-text.h"
#include "app/work/settings.h"
#include "app/work/user-formulas.h"
#include "app/work/work.h"
#include "core/analyze/query/ratios.h"

/* With more stacks than this, values are computed only to color by. */
#define MAX_STACKS_FOR_DETAILS (1 << 17)

static const char *const schemes[] = {
    N_ ("Color by Module"),
    N_ ("Color by Type of Code"),
    N_ ("Color by Name"),
    N_ ("Color by Package"),
};

G_STATIC_ASSERT (G_N_ELEMENTS (schemes) == PV_COLOR_BY_VALUE);

/* Schemes of signed measures, listed after those. */
static const char *const changes[] = {
    N_ ("Color by Change"),
    N_ ("Color by Amount of Change"),
};

struct PvColorChoice {
    GtkDropDown *drop_down;
    gulong handler;
    PvDocument *document;
    gulong document_handler;
    gulong settings_handler;
    PvColorChoiceFunc on_chosen;
    gpointer owner;

    /* The profile and measure that the formulas are for. */
    PvProfile *profile; /* or NULL */
    PvMeasureId measure;
    PvColorScheme default_scheme;
    gboolean has_change; /* the measure is part of a pair: two entries after the schemes */
    gboolean is_plain;   /* the user wants other colors than those of the change */
    gboolean is_by_size; /* of the two, the second one */
    GPtrArray *formulas; /* PvFormula, after the schemes */
    guint n_usual;       /* of them, at their beginning; the user's own among them */
};

/* Formulas */

static gboolean
has_ratio (const GPtrArray *formulas, PvMeasureId of, PvMeasureId per)
{
    for (guint i = 0; i < formulas->len; i++) {
        const PvFormula *formula = formulas->pdata[i];
        if (formula->n_measures == 2 && formula->measures[0] == of && formula->measures[1] == per)
            return TRUE;
    }
    return FALSE;
}

/* Sizes of the functions, of a program beside a run. */
static void
add_sizes (GPtrArray *formulas, const PvProfile *profile, PvMeasureId measure)
{
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (profile->measures[m].total > 0 && profile->measures[m].unit == PV_UNIT_BYTES &&
            pv_profile_is_size_beside (profile, m, measure))
            g_ptr_array_add (formulas, pv_formula_new_size (profile, m, measure));
}

static void
add_ratios (GPtrArray *formulas, const PvProfile *profile, PvMeasureId measure)
{
    for (PvMeasureId m = 0; m < profile->n_measures; m++) {
        g_autofree char *title = NULL;
        if (!pv_ratio_has_meaning (profile, m, measure) || has_ratio (formulas, m, measure))
            continue;
        title = g_strdup_printf ("%s / %s", pv_measure_get_title (profile, m),
                                 pv_measure_get_title (profile, measure));
        g_ptr_array_add (formulas, pv_formula_new_ratio (profile, m, measure, title));
    }
}

/* Those to color the profile by, the usual ones first. */
static GPtrArray *
make_formulas (PvDocument *document, const PvProfile *profile, PvMeasureId measure,
               guint *ret_n_usual)
{
    GPtrArray *formulas = pv_user_formulas_list_all (
        profile, (const char *const *)pv_document_get (document)->formulas);

    *ret_n_usual = formulas->len;
    /* Ratios of signed measures mean nothing. */
    if (pv_profile_has_weights (profile, measure) &&
        profile->measures[measure].part == PV_PART_NONE) {
        add_sizes (formulas, profile, measure);
        add_ratios (formulas, profile, measure);
    }
    return formulas;
}

static void
list_formulas (PvColorChoice *self)
{
    g_clear_pointer (&self->formulas, g_ptr_array_unref);
    self->n_usual = 0;
    self->formulas = self->profile != NULL ? make_formulas (self->document, self->profile,
                                                            self->measure, &self->n_usual)
                                           : g_ptr_array_new ();
}

/* The choice */

/* The formula in the settings; NULL: not set, or the profile lacks it. */
static PvFormula *
find_formula_among (const GPtrArray *formulas, guint *ret_index)
{
    g_autofree char *name = g_settings_get_string (pv_settings_get (), "flame-formula");

    for (guint i = 0; *name != '\0' && i < formulas->len; i++) {
        PvFormula *formula = formulas->pdata[i];
        if (g_str_equal (formula->name, name)) {
            *ret_index = i;
            return formula;
        }
    }
    return NULL;
}

static PvFormula *
find_formula (PvColorChoice *self, guint *ret_index)
{
    return find_formula_among (self->formulas, ret_index);
}

static gboolean
shows_change (PvColorChoice *self)
{
    return self->has_change && !self->is_plain;
}

/* The position of the first formula in the list. */
static guint
get_first_formula (PvColorChoice *self)
{
    return G_N_ELEMENTS (schemes) + (self->has_change ? G_N_ELEMENTS (changes) : 0);
}

/* The scheme without a choice. Its parts are known since the answer was made, in a worker. */
static PvColorScheme
find_default_scheme (PvDocument *document)
{
    const PvAnswer *answer = pv_document_get (document)->answer;

    return answer->symbols != NULL ? pv_palette_choose_scheme (answer->profile, answer->symbols)
                                   : PV_COLOR_BY_MODULE;
}

static PvColorScheme
get_plain_scheme (PvDocument *document)
{
    g_autoptr (GVariant) chosen = g_settings_get_user_value (pv_settings_get (), "flame-colors");

    return chosen != NULL ? (PvColorScheme)g_settings_get_enum (pv_settings_get (), "flame-colors")
                          : find_default_scheme (document);
}

PvColorScheme
pv_color_choice_get_scheme (PvColorChoice *self)
{
    guint index;

    g_assert (self != NULL);
    if (shows_change (self))
        return self->is_by_size ? PV_COLOR_BY_CHANGE_SIZE : PV_COLOR_BY_CHANGE;
    return find_formula (self, &index) != NULL ? PV_COLOR_BY_VALUE
                                               : get_plain_scheme (self->document);
}

PvColorScheme
pv_color_choice_find_scheme (PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    g_autofree char *name = g_settings_get_string (pv_settings_get (), "flame-formula");
    g_autoptr (GPtrArray) formulas = NULL;
    guint index, n_usual;

    if (*name == '\0' || data->answer->profile == NULL)
        return get_plain_scheme (document);
    formulas = make_formulas (document, data->answer->profile, data->query.measure, &n_usual);
    return find_formula_among (formulas, &index) != NULL ? PV_COLOR_BY_VALUE
                                                         : get_plain_scheme (document);
}

/* Sets the formula that the document is to compute. */
static void
set_formula (PvColorChoice *self)
{
    guint index;
    PvFormula *formula = find_formula (self, &index);

    if (formula == NULL && self->n_usual > 0 && self->profile->n_stacks <= MAX_STACKS_FOR_DETAILS)
        formula = self->formulas->pdata[0];
    pv_document_set_formula (self->document, formula);
}

static void
fill (PvColorChoice *self)
{
    g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
    guint selected, index;

    for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
        gtk_string_list_append (list, _ (schemes[i]));
    for (guint i = 0; self->has_change && i < G_N_ELEMENTS (changes); i++)
        gtk_string_list_append (list, _ (changes[i]));
    for (guint i = 0; i < self->formulas->len; i++) {
        const PvFormula *formula = self->formulas->pdata[i];
        /* Translators: by a formula or a measure: “Color by Bytes per allocation” */
        g_autofree char *text = g_strdup_printf (_ ("Color by %s"), formula->title);
        gtk_string_list_append (list, text);
    }
    if (shows_change (self))
        selected = G_N_ELEMENTS (schemes) + (self->is_by_size ? 1 : 0);
    else
        selected = find_formula (self, &index) != NULL ? get_first_formula (self) + index
                                                       : get_plain_scheme (self->document);
    g_signal_handler_block (self->drop_down, self->handler);
    gtk_drop_down_set_model (self->drop_down, G_LIST_MODEL (list));
    gtk_drop_down_set_selected (self->drop_down, selected);
    g_signal_handler_unblock (self->drop_down, self->handler);
}

static void
on_selected (PvColorChoice *self)
{
    guint selected = gtk_drop_down_get_selected (self->drop_down);
    const char *name = "";

    if (selected == GTK_INVALID_LIST_POSITION)
        return;
    if (self->has_change)
        self->is_plain = selected < G_N_ELEMENTS (schemes) || selected >= get_first_formula (self);
    if (shows_change (self))
        self->is_by_size = selected > G_N_ELEMENTS (schemes);
    if (shows_change (self)) {
        self->on_chosen (self->owner);
        return;
    }
    if (selected == self->default_scheme)
        g_settings_reset (pv_settings_get (), "flame-colors");
    else if (selected < G_N_ELEMENTS (schemes))
        g_settings_set_enum (pv_settings_get (), "flame-colors", (int)selected);
    else
        name = ((PvFormula *)self->formulas->pdata[selected - get_first_formula (self)])->name;
    g_settings_set_string (pv_settings_get (), "flame-formula", name);
    set_formula (self);
    self->on_chosen (self->owner);
}

/* Another profile, measure, formula or default. */
static void
renew (PvColorChoice *self)
{
    list_formulas (self);
    fill (self);
    set_formula (self);
    self->on_chosen (self->owner);
}

void
pv_color_choice_update (PvColorChoice *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvAnswer *answer = data->answer;

    g_assert (self != NULL);
    if (self->profile == answer->profile && self->measure == data->query.measure &&
        self->default_scheme == find_default_scheme (self->document))
        return;
    self->default_scheme = find_default_scheme (self->document);
    pv_clear_later (&self->profile, pv_profile_free);
    self->profile = answer->profile != NULL ? pv_profile_ref (answer->profile) : NULL;
    self->measure = data->query.measure;
    self->has_change =
        self->profile != NULL && pv_profile_get_pair (self->profile, self->measure) != NULL;
    renew (self);
}

static void
on_document_changed (PvColorChoice *self, guint what)
{
    if (what & PV_CHANGED_FORMULAS)
        renew (self);
}

PvColorChoice *
pv_color_choice_new (GtkDropDown *drop_down, PvDocument *document, PvColorChoiceFunc on_chosen,
                     gpointer owner)
{
    PvColorChoice *self = g_new0 (PvColorChoice, 1);

    g_assert (GTK_IS_DROP_DOWN (drop_down) && PV_IS_DOCUMENT (document) && on_chosen != NULL);
    self->drop_down = drop_down;
    pv_drop_down_cut_title (drop_down);
    self->document = g_object_ref (document);
    self->on_chosen = on_chosen;
    self->owner = owner;
    self->handler =
        g_signal_connect_swapped (drop_down, "notify::selected", G_CALLBACK (on_selected), self);
    self->document_handler =
        g_signal_connect_swapped (document, "changed", G_CALLBACK (on_document_changed), self);
    self->settings_handler = g_signal_connect_swapped (
        pv_settings_get (), "changed::" PV_USER_FORMULAS_KEY, G_CALLBACK (renew), self);
    list_formulas (self);
    fill (self);
    return self;
}

void
pv_color_choice_free (PvColorChoice *self)
{
    if (self == NULL)
        return;
    g_signal_handler_disconnect (self->drop_down, self->handler);
    g_signal_handler_disconnect (self->document, self->document_handler);
    g_signal_handler_disconnect (pv_settings_get (), self->settings_handler);
    g_ptr_array_unref (self->formulas);
    pv_clear_later (&self->profile, pv_profile_free);
    g_object_unref (self->document);
    g_free (self);
}
