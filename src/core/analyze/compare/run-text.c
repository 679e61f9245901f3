/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/run-text.h"

#include <glib/gi18n-lib.h>

#include "core/analyze/compare/compare-text.h"

static char *
describe_scale (PvScale scale, const char *scale_function)
{
    switch (scale) {
    case PV_SCALE_TOTAL:
        return g_strdup (_ ("scaled to equal totals"));
    case PV_SCALE_TIME:
        return g_strdup (_ ("scaled to equal times"));
    case PV_SCALE_FUNCTION:
        return g_strdup_printf (_ ("scaled to equal totals of %s"), scale_function);
    case PV_SCALE_NONE:
    case PV_N_SCALES:
        break;
    }
    return g_strdup (_ ("as recorded"));
}

static int64_t
get_change (const PvRunMove *move)
{
    return (int64_t)(move->last - move->first);
}

char *
pv_run_move_format_change (const PvRuns *runs, const PvRunMove *move)
{
    g_assert (runs != NULL && move != NULL);
    g_autofree char *change = pv_format_signed_amount (get_change (move), runs->unit);
    g_autofree char *percent = pv_compare_format_percent (move->first, move->last);
    return *percent != '\0' ? g_strdup_printf ("%s (%s)", change, percent)
                            : g_steal_pointer (&change);
}

char *
pv_runs_make_heading (const PvRuns *runs, PvScale scale, const char *scale_function)
{
    g_assert (runs != NULL);
    PvRunMove move = pv_run_moves_find_whole (runs);
    g_autofree char *how = describe_scale (scale, scale_function);
    g_autofree char *first = pv_format_amount (move.first, runs->unit);
    g_autofree char *last = pv_format_amount (move.last, runs->unit);
    g_autofree char *change = pv_run_move_format_change (runs, &move);
    g_autofree char *count =
        g_strdup_printf (g_dngettext (NULL, "%u run", "%u runs", runs->n_runs), runs->n_runs);
    /* Translators: "6 runs", the measure, two amounts, the change, and how they are scaled. */
    return g_strdup_printf (_ ("%s, %s: %s → %s, %s, %s"), count, runs->measure, first, last,
                            change, how);
}

char *
pv_run_move_format_step (const PvRuns *runs, const PvRunMove *move)
{
    g_assert (runs != NULL && move != NULL && move->step_run < runs->n_runs);
    if (move->step_run == 0)
        return g_strdup ("");
    g_autofree char *step = pv_format_signed_amount (move->step, runs->unit);
    /* Translators: an amount, and the name of a run. */
    return g_strdup_printf (C_ ("change at a run", "%s at %s"), step,
                            runs->runs[move->step_run].name);
}

char *
pv_run_move_describe (const PvRuns *runs, const PvRunMove *move)
{
    g_assert (runs != NULL && move != NULL && move->step_run < runs->n_runs);
    g_autofree char *first = pv_format_amount (move->first, runs->unit);
    g_autofree char *last = pv_format_amount (move->last, runs->unit);
    g_autofree char *step = pv_format_signed_amount (move->step, runs->unit);
    if (move->step_run == 0)
        return g_strdup_printf (_ ("always %s"), first);
    /* Translators: two amounts, the largest change to a next run, the number and name of that */
    return g_strdup_printf (_ ("from %s to %s, largest step %s at run %u, %s"), first, last, step,
                            move->step_run + 1, runs->runs[move->step_run].name);
}

char *
pv_run_line_format (const uint64_t *amounts, uint32_t n_amounts, uint32_t max_characters)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    g_assert ((amounts != NULL || n_amounts == 0) && max_characters > 0);
    uint32_t n = MIN (n_amounts, max_characters);
    uint64_t most = 0;
    GString *line = g_string_new (NULL);
    for (uint32_t r = 0; r < n_amounts; r++)
        most = MAX (most, amounts[r]);
    for (uint32_t c = 0; c < n; c++) {
        uint32_t begin = (uint32_t)((uint64_t)c * n_amounts / n);
        uint32_t end = (uint32_t)(((uint64_t)c + 1) * n_amounts / n);
        uint64_t amount = 0;
        for (uint32_t r = begin; r < end; r++)
            amount = MAX (amount, amounts[r]);
        double part = most > 0 ? (double)amount / (double)most : 0;
        g_string_append (line, blocks[MIN ((unsigned)(part * 8), 7u)]);
    }
    return g_string_free (line, FALSE);
}
