/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/renames/renames.h"

#include <glib/gi18n-lib.h>
#include <string.h>

const char *
pv_renames_get_former (const PvSymbolTable *symbols, PvFunctionId function)
{
    const PvFate *fate = pv_symbol_table_find_fate (symbols, function);
    return fate != NULL && fate->was != 0 && fate->likeness != 0
               ? symbols->functions[fate->was].name
               : NULL;
}

const char *
pv_renames_get_place (const PvSymbolTable *symbols, PvFunctionId function, PvSide side)
{
    const PvFate *fate = pv_symbol_table_find_fate (symbols, function);
    if (fate == NULL || fate->place == 0)
        return NULL;
    if (fate->move == PV_MOVE_TAKES || fate->move == PV_MOVE_GIVES)
        return NULL;
    const bool is_new = fate->move == PV_MOVE_INLINED || fate->move == PV_MOVE_INTO;
    return is_new == (side == PV_SIDE_NEW) ? symbols->functions[fate->place].name : NULL;
}

/* True if names differ in parameters and template arguments only. */
static bool
has_same_short_name (const PvSymbolTable *symbols, const PvFate *fate)
{
    return strcmp (symbols->functions[fate->was].short_name,
                   symbols->functions[fate->function].short_name) == 0;
}

/* "same callers, file, lines" */
static char *
list_signs (unsigned likeness)
{
    static const struct {
        PvLikeness sign;
        const char *word;
    } signs[] = {
        /* Translators: each is a part of “renamed from NAME: same callers, file, lines” */
        {PV_LIKE_NAME, NC_ ("likeness", "end of the name")},
        {PV_LIKE_CALLERS, NC_ ("likeness", "callers")},
        {PV_LIKE_CALLEES, NC_ ("likeness", "callees")},
        {PV_LIKE_FILE, NC_ ("likeness", "file")},
        {PV_LIKE_LINES, NC_ ("likeness", "lines")},
        {PV_LIKE_CODE, NC_ ("likeness", "machine code")},
    };
    GString *text = g_string_new (NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (signs); i++)
        if ((likeness & signs[i].sign) != 0)
            g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
                                    g_dpgettext2 (GETTEXT_PACKAGE, "likeness", signs[i].word));
    return g_string_free (text, FALSE);
}

static char *
describe_move (const PvSymbolTable *symbols, const PvFate *fate)
{
    const char *place = fate->place != 0 ? symbols->functions[fate->place].short_name : NULL;
    switch (fate->move) {
    case PV_MOVE_NONE:
        break;
    case PV_MOVE_INLINED:
        return place != NULL ? g_strdup_printf (_ ("now inlined into %s"), place)
                             : g_strdup (_ ("now inlined into its callers"));
    case PV_MOVE_NOT_INLINED:
        return place != NULL ? g_strdup_printf (_ ("no more inlined into %s"), place)
                             : g_strdup (_ ("no more inlined"));
    case PV_MOVE_INTO:
        /* Translators: a function is gone, and another one does its work */
        return g_strdup_printf (_ ("inlined or moved into %s, whose self grew by as much"), place);
    case PV_MOVE_OUT_OF:
        /* Translators: a function is new, and does work that another one did */
        return g_strdup_printf (_ ("taken out of %s, whose self fell by as much"), place);
    case PV_MOVE_TAKES:
        /* Translators: a function has become part of this one */
        return g_strdup_printf (_ ("now with %s inside"), place);
    case PV_MOVE_GIVES:
        /* Translators: a function was part of this one */
        return g_strdup_printf (_ ("now without %s inside"), place);
    }
    return NULL;
}

static char *
describe_former (const PvSymbolTable *symbols, const PvFate *fate, bool has_signs)
{
    const PvFunction *was = &symbols->functions[fate->was];
    const bool has_same = has_same_short_name (symbols, fate);
    if (!has_signs)
        return has_same ? g_strdup (_ ("parameters changed"))
                        : g_strdup_printf (_ ("renamed from %s"), was->short_name);
    g_autofree char *signs = list_signs (fate->likeness);
    /* Translators: a former name, and in what the functions are the same: “callers, file” */
    return has_same ? g_strdup_printf (_ ("in the base %s (same %s)"), was->name, signs)
                    : g_strdup_printf (_ ("renamed from %s (same %s)"), was->short_name, signs);
}

static char *
describe (const PvSymbolTable *symbols, PvFunctionId function, bool has_signs)
{
    const PvFate *fate = pv_symbol_table_find_fate (symbols, function);
    if (fate == NULL)
        return NULL;
    g_autofree char *move = describe_move (symbols, fate);
    if (fate->was == 0 || fate->likeness == 0)
        return g_steal_pointer (&move);
    g_autofree char *renamed = describe_former (symbols, fate, has_signs);
    return move != NULL ? g_strdup_printf ("%s, %s", renamed, move) : g_steal_pointer (&renamed);
}

char *
pv_renames_describe (const PvSymbolTable *symbols, PvFunctionId function)
{
    g_assert (symbols != NULL);
    return describe (symbols, function, true);
}

char *
pv_renames_describe_short (const PvSymbolTable *symbols, PvFunctionId function)
{
    g_assert (symbols != NULL);
    return describe (symbols, function, false);
}

char *
pv_renames_make_tip (const PvSymbolTable *symbols, PvFunctionId function)
{
    g_assert (symbols != NULL && function < MAX (symbols->n_functions, 1));
    g_autofree char *more = describe (symbols, function, true);
    if (function == 0)
        return NULL;
    return more != NULL ? g_strconcat (symbols->functions[function].name, "\n", more, NULL)
                        : g_strdup (symbols->functions[function].name);
}
