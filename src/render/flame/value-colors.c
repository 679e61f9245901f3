/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/flame/value-colors.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "render/draw/palette.h"

/* Parts are compared with the whole. */
static bool
can_compare (const PvNodeValues *values)
{
    return values != NULL && values->formula != NULL && values->whole > 0;
}

uint8_t
pv_value_hue (const PvNodeValues *values, const PvCallTree *tree, PvNodeId node)
{
    g_assert (tree != NULL && node < tree->n_nodes);

    bool is_known = can_compare (values) && values->tree == tree;
    return pv_palette_value_hue (is_known ? values->value_of_node[node] / values->whole : NAN);
}

uint8_t
pv_change_hue (const PvNodeValues *values, const PvCallTree *tree, PvNodeId node)
{
    g_assert (tree != NULL && node < tree->n_nodes);

    bool is_known = values != NULL && values->sides != NULL && values->tree == tree;
    return pv_palette_change_hue (is_known ? pv_node_values_get_balance (values, node) : NAN);
}

char *
pv_value_make_caption (const PvNodeValues *values)
{
    g_assert (values != NULL);

    g_autofree char *whole = pv_formula_format (values->formula, values->whole);
    /* Translators: a formula and its value for the whole profile: “Bytes per allocation, 96 B in
     * all” */
    return g_strdup_printf (_ ("%s, %s in all"), values->formula->title, whole);
}

static void
clear_step (gpointer step)
{
    g_free (((PvValueStep *)step)->text);
}

static void
add_step (GArray *steps, const PvFormula *formula, double value, unsigned family)
{
    bool is_first = family == PV_FAMILY_VALUE, is_last = family == PV_N_FAMILIES - 1;
    g_autofree char *text = pv_formula_format (formula, value);
    PvValueStep step = {
        .text = g_strconcat (is_first  ? "≤ "
                             : is_last ? "≥ "
                                       : "",
                             text, NULL),
        .hue = family * PV_N_SHADES + PV_N_SHADES / 2,
    };
    g_array_append_val (steps, step);
}

GArray *
pv_change_make_steps (void)
{
    const struct {
        double balance;
        const char *text;
    } steps[] = {{-1, _ ("Less")}, {0, _ ("As much less as more")}, {1, _ ("More")}};
    GArray *array = g_array_new (FALSE, FALSE, sizeof (PvValueStep));
    g_array_set_clear_func (array, clear_step);
    for (size_t i = 0; i < G_N_ELEMENTS (steps); i++) {
        PvValueStep step = {g_strdup (steps[i].text), pv_palette_change_hue (steps[i].balance)};
        g_array_append_val (array, step);
    }
    return array;
}

GArray *
pv_value_make_steps (const PvNodeValues *values)
{
    g_assert (values != NULL);

    GArray *steps = g_array_new (FALSE, FALSE, sizeof (PvValueStep));
    g_array_set_clear_func (steps, clear_step);
    for (unsigned f = PV_FAMILY_VALUE; can_compare (values) && f < PV_N_FAMILIES; f += 2) {
        double value = values->whole * pv_palette_value_ratio (f);
        /* No part has a share of more than everything. */
        if (!values->formula->is_percent || value <= 100 || values->whole > 100)
            add_step (steps, values->formula, value, f);
    }
    return steps;
}
