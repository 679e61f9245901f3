/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/flame/value-colors.h"

#include <glib/gi18n-lib.h>
#include <math.h>

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

    bool is_known = can_compare (values) && pv_node_values_are_of (values, tree);
    return pv_palette_value_hue (is_known ? values->value_of_node[node] / values->whole : NAN);
}

static bool
has_sides (const PvNodeValues *values, const PvCallTree *tree)
{
    return values != NULL && values->sides != NULL && pv_node_values_are_of (values, tree);
}

/* -1 to 1. */
static double
find_balance (const PvNodeValues *values, PvNodeId node, PvColorScheme scheme)
{
    if ((pv_node_values_get_marks (values, node) & PV_NODE_IS_NOISE) != 0)
        return 0;
    if (scheme == PV_COLOR_BY_CHANGE_SIZE)
        return pv_palette_part_step (pv_node_values_get_part (values, node)) / 4.0;
    if (values->marks_of_node == NULL)
        return pv_node_values_get_balance (values, node);
    return pv_node_values_get_step (values, node) / 4.0;
}

uint8_t
pv_change_hue (const PvNodeValues *values, const PvCallTree *tree, PvNodeId node,
               PvColorScheme scheme)
{
    g_assert (tree != NULL && node < tree->n_nodes);
    return pv_palette_change_hue (has_sides (values, tree) ? find_balance (values, node, scheme)
                                                           : NAN);
}

PvStripes
pv_change_find_stripes (const PvNodeValues *values, const PvCallTree *tree, PvNodeId node)
{
    g_assert (tree != NULL && node < tree->n_nodes);
    unsigned marks = has_sides (values, tree) ? pv_node_values_get_marks (values, node) : 0;
    return (marks & PV_NODE_IS_NEW) != 0    ? PV_STRIPES_RISING
           : (marks & PV_NODE_IS_GONE) != 0 ? PV_STRIPES_FALLING
                                            : PV_STRIPES_NONE;
}

char *
pv_value_make_caption (const PvNodeValues *values)
{
    g_assert (values != NULL);

    g_autofree char *whole = pv_formula_format (values->formula, values->whole);
    /* Translators: a size and its mean: “file-size, 96 B per function on average” */
    if (values->is_mean)
        return g_strdup_printf (_ ("%s, %s per function on average"), values->formula->title,
                                whole);
    /* Translators: a formula and its value for everything: “Bytes per allocation, 96 B in all” */
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

static GArray *
steps_new (void)
{
    GArray *steps = g_array_new (FALSE, FALSE, sizeof (PvValueStep));
    g_array_set_clear_func (steps, clear_step);
    return steps;
}

/* Takes the text. */
static void
add_change_step (GArray *steps, char *text, double balance, PvStripes stripes)
{
    PvValueStep step = {text, pv_palette_change_hue (balance), stripes};
    g_array_append_val (steps, step);
}

/* How small parts of the largest change are that have these hues. */
static void
add_size_steps (GArray *steps, const PvNodeValues *values)
{
    static const double parts[] = {-0.5, -0.1, 0, 0.1, 0.5};
    for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
        double part = parts[i];
        int64_t size = (int64_t)(part * (double)values->largest_change);
        g_autofree char *amount = pv_format_signed_amount (size, values->sides->unit);
        if (part != 0)
            add_change_step (steps, g_strdup_printf (part < 0 ? "≤ %s" : "≥ %s", amount),
                             pv_palette_part_step (part) / 4.0, PV_STRIPES_NONE);
        else
            add_change_step (steps, g_strdup (C_ ("legend", "Little")), 0, PV_STRIPES_NONE);
    }
}

static void
add_ratio_steps (GArray *steps)
{
    static const struct {
        double balance;
        const char *text;
    } ratios[] = {{-1, "≤ −50 %"}, {-0.5, "−20 %"}, {0, NULL}, {0.5, "+25 %"}, {1, "≥ +100 %"}};
    for (size_t i = 0; i < G_N_ELEMENTS (ratios); i++)
        add_change_step (
            steps, g_strdup (ratios[i].text != NULL ? ratios[i].text : C_ ("legend", "Unchanged")),
            ratios[i].balance, PV_STRIPES_NONE);
}

GArray *
pv_change_make_steps (const PvNodeValues *values, PvColorScheme scheme)
{
    GArray *steps = steps_new ();
    bool is_compared = values != NULL && values->marks_of_node != NULL;
    if (scheme == PV_COLOR_BY_CHANGE_SIZE && values != NULL && values->largest_change > 0) {
        add_size_steps (steps, values);
    } else if (is_compared) {
        add_ratio_steps (steps);
    } else {
        add_change_step (steps, g_strdup (C_ ("legend", "Less")), -1, PV_STRIPES_NONE);
        add_change_step (steps, g_strdup (_ ("Increases equal decreases")), 0, PV_STRIPES_NONE);
        add_change_step (steps, g_strdup (C_ ("legend", "More")), 1, PV_STRIPES_NONE);
    }
    if (is_compared && values->sides->noise != NULL) {
        PvValueStep *middle = &g_array_index (steps, PvValueStep, 2);
        g_autofree char *little = g_steal_pointer (&middle->text);
        /* Translators: what did not change, or only by chance: “Unchanged, or noise” */
        middle->text = g_strdup_printf (_ ("%s, or noise"), little);
    }
    if (is_compared) {
        add_change_step (steps, g_strdup (_ ("Only new")), 1, PV_STRIPES_RISING);
        add_change_step (steps, g_strdup (_ ("Only base")), -1, PV_STRIPES_FALLING);
    }
    return steps;
}

GArray *
pv_value_make_steps (const PvNodeValues *values)
{
    g_assert (values != NULL);

    GArray *steps = steps_new ();
    for (unsigned f = PV_FAMILY_VALUE; can_compare (values) && f < PV_N_FAMILIES; f += 2) {
        double value = values->whole * pv_palette_value_ratio (f);
        /* No part has a share of more than everything. */
        if (!values->formula->is_percent || value <= 100 || values->whole > 100)
            add_step (steps, values->formula, value, f);
    }
    return steps;
}
