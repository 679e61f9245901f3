/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/work/user-formulas.h"

#include "app/work/settings.h"

char **
pv_user_formulas_list (void)
{
    return g_settings_get_strv (pv_settings_get (), PV_USER_FORMULAS_KEY);
}

static gboolean
has_name (const char *definition, const char *name)
{
    g_autofree char *own = pv_formula_copy_name (definition);

    return own != NULL && g_strcmp0 (own, name) == 0;
}

char *
pv_user_formulas_get (const char *name)
{
    g_auto (GStrv) all = pv_user_formulas_list ();

    g_assert (name != NULL);
    for (unsigned i = 0; all[i] != NULL; i++)
        if (has_name (all[i], name))
            return g_strdup (all[i]);
    return NULL;
}

/* definition NULL: takes out those of the names. */
static void
put (const char *definition, const char *name, const char *replaced)
{
    g_auto (GStrv) all = pv_user_formulas_list ();
    g_autoptr (GPtrArray) changed = g_ptr_array_new ();

    for (unsigned i = 0; all[i] != NULL; i++) {
        if (!has_name (all[i], name) && !has_name (all[i], replaced)) {
            g_ptr_array_add (changed, all[i]);
        } else if (definition != NULL) {
            g_ptr_array_add (changed, (char *)definition);
            definition = NULL;
        }
    }
    if (definition != NULL)
        g_ptr_array_add (changed, (char *)definition);
    g_ptr_array_add (changed, NULL);
    g_settings_set_strv (pv_settings_get (), PV_USER_FORMULAS_KEY,
                         (const char *const *)changed->pdata);
}

void
pv_user_formulas_save (const char *definition, const char *replaced)
{
    g_autofree char *name = pv_formula_copy_name (definition);

    g_assert (name != NULL);
    put (definition, name, replaced);
}

void
pv_user_formulas_delete (const char *name)
{
    g_assert (name != NULL);
    put (NULL, name, NULL);
}

/* Takes the formula. */
static void
add (GPtrArray *formulas, PvFormula *formula)
{
    for (guint i = 0; i < formulas->len; i++) {
        PvFormula *old = formulas->pdata[i];
        if (g_strcmp0 (old->name, formula->name) != 0)
            continue;
        formulas->pdata[i] = formula;
        pv_formula_unref (old);
        return;
    }
    g_ptr_array_add (formulas, formula);
}

static void
add_definitions (GPtrArray *formulas, const PvProfile *profile, const char *const *definitions)
{
    for (unsigned i = 0; definitions != NULL && definitions[i] != NULL; i++) {
        PvFormula *formula = pv_formula_new (definitions[i], profile, NULL);
        if (formula != NULL)
            add (formulas, formula);
    }
}

GPtrArray *
pv_user_formulas_list_all (const PvProfile *profile, const char *const *asked)
{
    GPtrArray *formulas = pv_formula_list_usual (profile);
    g_auto (GStrv) own = pv_user_formulas_list ();

    add_definitions (formulas, profile, (const char *const *)own);
    add_definitions (formulas, profile, asked);
    return formulas;
}
