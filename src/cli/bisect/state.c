/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bisect/state.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/analyze/compare/noise.h"
#include "core/base/format.h"
#include "record/advice/run-conditions.h"

/* Counts that are no matter of speed are nearly the same in each run. */
#define COUNTED_SPREAD 0.002

/* --- commits --- */

static void
free_commit (gpointer data)
{
    PvBisectCommit *commit = data;
    if (commit == NULL)
        return;
    g_free (commit->id);
    g_free (commit->short_id);
    g_free (commit->title);
    g_array_unref (commit->amounts);
    g_free (commit);
}

static PvBisectCommit *
commit_new (const char *id)
{
    PvBisectCommit *commit = g_new0 (PvBisectCommit, 1);
    commit->id = g_strdup (id);
    commit->short_id = pv_history_make_short_id (id);
    commit->amounts = g_array_new (FALSE, FALSE, PV_N_SIDES * sizeof (double));
    return commit;
}

const char *
pv_bisect_get_title (const PvBisect *bisect, PvBisectCommit *commit)
{
    if (commit->title == NULL)
        commit->title = pv_history_make_title (bisect->history, commit->id);
    return commit->title;
}

void
pv_bisect_add_commits (PvBisect *bisect)
{
    bisect->commits = g_ptr_array_new_with_free_func (free_commit);
    bisect->good = commit_new (bisect->history->good);
    for (guint i = 0; i < bisect->history->ids->len; i++)
        g_ptr_array_add (bisect->commits, commit_new (bisect->history->ids->pdata[i]));
}

void
pv_bisect_clear_commits (PvBisect *bisect)
{
    g_clear_pointer (&bisect->good, free_commit);
    g_clear_pointer (&bisect->commits, g_ptr_array_unref);
}

/* --- files --- */

char *
pv_bisect_make_path (const PvBisect *bisect, const char *name)
{
    return g_build_filename (bisect->folder, name, NULL);
}

char *
pv_bisect_make_file_path (const PvBisect *bisect, const PvBisectCommit *commit, const char *ending)
{
    g_autofree char *name = g_strconcat (commit->short_id, ending, NULL);
    return pv_bisect_make_path (bisect, name);
}

char *
pv_bisect_make_pack_path (const PvBisect *bisect, const PvBisectCommit *commit, PvSide side,
                          unsigned round)
{
    g_autofree char *ending =
        g_strdup_printf (side == PV_SIDE_BASE ? "-good-%u.profview" : "-%u.profview", round + 1);
    return pv_bisect_make_file_path (bisect, commit, ending);
}

char **
pv_bisect_list_packs (const PvBisect *bisect, const PvBisectCommit *commit, PvSide side)
{
    char **files = g_new0 (char *, commit->amounts->len + 1);
    for (unsigned i = 0; i < commit->amounts->len; i++)
        files[i] = pv_bisect_make_pack_path (bisect, commit, side, i);
    return files;
}

/* --- changes --- */

static const double *
get_amounts (const PvBisectCommit *commit, unsigned round)
{
    return (const double *)(gpointer)commit->amounts->data + (size_t)round * PV_N_SIDES;
}

/* The change of each round; g_free () it. */
static double *
list_changes (const PvBisect *bisect, const PvBisectCommit *commit)
{
    double *changes = g_new (double, commit->amounts->len + 1);
    for (unsigned i = 0; i < commit->amounts->len; i++) {
        const double *amounts = get_amounts (commit, i);
        changes[i] = bisect->has_ratios ? log (amounts[PV_SIDE_NEW] / amounts[PV_SIDE_BASE])
                                        : amounts[PV_SIDE_NEW] - amounts[PV_SIDE_BASE];
    }
    return changes;
}

/* The spread between pairs that is usual, in the unit of changes. */
static double
find_usual_spread (const PvBisect *bisect, const PvBisectCommit *commit)
{
    const double usual = pv_run_conditions_matter (bisect->options->record_plan)
                             ? PV_PAIR_USUAL_SPREAD
                             : COUNTED_SPREAD;
    double sum = 0;
    for (unsigned i = 0; i < commit->amounts->len; i++)
        for (PvSide side = 0; side < PV_N_SIDES; side++)
            sum += fabs (get_amounts (commit, i)[side]);
    return usual * (bisect->has_ratios ? 1 : sum / PV_N_SIDES / commit->amounts->len);
}

bool
pv_bisect_are_all (const PvBisectCommit *commit, bool is_more)
{
    for (unsigned i = 0; i < commit->amounts->len; i++)
        for (PvSide side = 0; side < PV_N_SIDES; side++) {
            const double amount = get_amounts (commit, i)[side];
            if (is_more ? !(amount > 0) : amount != 0)
                return false;
        }
    return true;
}

void
pv_bisect_estimate (PvBisect *bisect)
{
    PvPairSpread spread = {0};
    bisect->has_ratios = true;
    for (guint i = 0; i < bisect->commits->len; i++)
        bisect->has_ratios =
            bisect->has_ratios && pv_bisect_are_all (pv_bisect_get (bisect, i), true);
    for (guint i = 0; i < bisect->commits->len; i++) {
        const PvBisectCommit *commit = pv_bisect_get (bisect, i);
        g_autofree double *changes = list_changes (bisect, commit);
        pv_pair_spread_add (&spread, changes, commit->amounts->len);
    }
    for (guint i = 0; i < bisect->commits->len; i++) {
        PvBisectCommit *commit = pv_bisect_get (bisect, i);
        g_autofree double *changes = list_changes (bisect, commit);
        if (commit->amounts->len > 0)
            commit->estimate = pv_pair_spread_estimate (&spread, changes, commit->amounts->len,
                                                        find_usual_spread (bisect, commit));
    }
}

double
pv_bisect_get_amount (const PvBisect *bisect, double change)
{
    return bisect->has_ratios ? expm1 (change) * 100 : change;
}

static char *
format_change (const PvBisect *bisect, double change)
{
    double amount = pv_bisect_get_amount (bisect, change);
    if (!bisect->has_ratios)
        return pv_format_signed_amount (pv_round_amount (amount), bisect->unit);
    g_autofree char *number = pv_format_decimals (fabs (amount), 2);
    return g_strdup_printf ("%s%s %%", amount < 0 ? "−" : "+", number);
}

char *
pv_bisect_describe_change (const PvBisect *bisect, const PvBisectCommit *commit)
{
    g_autofree char *change = format_change (bisect, commit->estimate.change);
    g_autofree char *low = format_change (bisect, pv_estimate_get_end (&commit->estimate, false));
    g_autofree char *high = format_change (bisect, pv_estimate_get_end (&commit->estimate, true));
    /* Translators: an amount, and the ends of the interval in which it truly is. */
    return g_strdup_printf (_ ("%s, between %s and %s"), change, low, high);
}

/* --- chances --- */

uint32_t
pv_bisect_find_likeliest (const PvBisect *bisect)
{
    const PvSuspects *suspects = bisect->history->suspects;
    uint32_t best = 0;
    for (uint32_t i = 1; i < bisect->commits->len; i++)
        if (pv_suspects_get_chance (suspects, i) > pv_suspects_get_chance (suspects, best))
            best = i;
    return best;
}
