/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bisect/answer.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "cli/bisect/git.h"
#include "core/base/format.h"
#include "core/write/escape.h"
#include "export/report/print-parts.h"

enum { N_SHOWN = 20 };
/* A chance that is worth a line. */
#define SHOWN_CHANCE 0.001
/* Standard errors between two estimates that certainly differ. */
#define DIFFERENT 3.0
/* The part of the whole change that a commit has if it is the one. */
#define MOST 0.7

/* --- steps --- */

static PvEstimate
subtract (const PvEstimate *estimate, const PvEstimate *other)
{
    return (PvEstimate){estimate->change - other->change, hypot (estimate->error, other->error)};
}

/* NULL: the good end, to which all is compared. */
static PvEstimate
find_step (const PvBisectCommit *commit, const PvBisectCommit *before)
{
    const PvEstimate zero = {0};
    return subtract (&commit->estimate, before != NULL ? &before->estimate : &zero);
}

/* The nearest commit before it that is measured and does not have the change; NULL: the good end.
 */
static PvBisectCommit *
find_before (const PvBisect *self, uint32_t index)
{
    const PvSuspects *suspects = self->history->suspects;
    for (uint32_t i = index; i-- > 0;)
        if (pv_bisect_get (self, i)->is_measured && pv_suspects_contains (suspects, index, i) &&
            pv_suspects_get_chance_within (suspects, i) < 0.5)
            return pv_bisect_get (self, i);
    return NULL;
}

static bool
differs (const PvEstimate *difference, double least)
{
    return fabs (difference->change) > DIFFERENT * difference->error &&
           fabs (difference->change) > fabs (least);
}

/* True if a commit is measured that has a part of the change, or more than all of it. */
static bool
has_several_steps (const PvBisect *self)
{
    const PvEstimate *whole = &pv_bisect_get_bad (self)->estimate;
    for (uint32_t i = 0; i + 1 < self->commits->len; i++) {
        const PvBisectCommit *commit = pv_bisect_get (self, i);
        PvEstimate rest = subtract (whole, &commit->estimate);
        const double least = (1 - MOST) * whole->change;
        if (commit->is_measured && differs (&commit->estimate, least) && differs (&rest, least))
            return true;
    }
    return false;
}

/* True if the step to the commit may be most of the change. */
static bool
is_most (const PvBisect *self, uint32_t index)
{
    const PvBisectCommit *commit = pv_bisect_get (self, index);
    const double whole = pv_bisect_get_bad (self)->estimate.change;
    if (!commit->is_measured)
        return true;
    PvEstimate step = find_step (commit, find_before (self, index));
    return step.change / whole + DIFFERENT * fabs (step.error / whole) >= MOST;
}

/* The largest step between measured commits, each contained in the next one. */
typedef struct {
    PvBisectCommit *before, *after; /* before: NULL: the good end */
    bool is_adjacent;               /* nothing is between them */
} Step;

static Step
find_largest_step (const PvBisect *self)
{
    const PvSuspects *suspects = self->history->suspects;
    Step largest = {0};
    double size = -1;
    for (uint32_t i = 0; i < self->commits->len; i++) {
        PvBisectCommit *commit = pv_bisect_get (self, i), *before = NULL;
        uint32_t n_between = 0;
        if (!commit->is_measured)
            continue;
        for (uint32_t k = i; k-- > 0 && before == NULL;) {
            if (!pv_suspects_contains (suspects, i, k))
                continue;
            if (pv_bisect_get (self, k)->is_measured)
                before = pv_bisect_get (self, k);
            else
                n_between++;
        }
        PvEstimate step = find_step (commit, before);
        if (fabs (step.change) <= size)
            continue;
        size = fabs (step.change);
        largest = (Step){before, commit, n_between == 0};
    }
    return largest;
}

/* --- words --- */

static char *
format_chance (double chance)
{
    /* Nothing that was measured is certain. */
    g_autofree char *number = pv_format_decimals (MIN (chance * 100, 99.9), 1);
    return g_strdup_printf ("%s %%", number);
}

static void
print_change (const PvBisect *self, FILE *out, PvBisectCommit *commit, const char *label)
{
    g_autofree char *change = pv_bisect_describe_change (self, commit);
    fprintf (out, "  %s: %s\n    %s\n", label, change, pv_bisect_get_title (self, commit));
}

static void
print_commit (const PvBisect *self, FILE *out, PvBisectCommit *commit)
{
    g_autofree char *author =
        pv_git_ask (self->history->top, NULL, "show", "-s", "--no-show-signature",
                    "--format=%an, %ad", commit->id, NULL);
    g_autofree char *shown =
        author != NULL ? pv_make_showable (author, strlen (author)) : g_strdup ("");
    fprintf (out, "%s\n  %s\n", pv_bisect_get_title (self, commit), shown);
}

static void
print_base (const PvBisect *self, FILE *out)
{
    /* Translators: the title of a commit, with which others are compared. */
    fprintf (out, _ ("Against %s:"), pv_bisect_get_title (self, self->good));
    fputc ('\n', out);
}

static void
print_found (const PvBisect *self, FILE *out, uint32_t index)
{
    PvBisectCommit *commit = pv_bisect_get (self, index), *before = find_before (self, index);
    PvBisectCommit *bad = pv_bisect_get_bad (self);
    g_autofree char *chance =
        format_chance (pv_suspects_get_chance (self->history->suspects, index));
    print_commit (self, out, commit);
    /* Translators: a chance in percent. */
    fprintf (out, _ ("The change came with this commit, with a chance of %s."), chance);
    fputc ('\n', out);
    print_base (self, out);
    if (before != NULL)
        print_change (self, out, before, _ ("before it"));
    if (commit->is_measured)
        print_change (self, out, commit, _ ("with it"));
    if (commit != bad)
        print_change (self, out, bad, _ ("at the end"));
    PvEstimate step = find_step (commit, before);
    PvEstimate rest = subtract (&bad->estimate, &step);
    if (commit->is_measured && differs (&rest, 0.2 * bad->estimate.change))
        fprintf (out, "%s\n", _ ("Other commits of the range change it as well."));
}

static void
print_several (const PvBisect *self, FILE *out, const Step *step)
{
    fprintf (out, "%s\n", _ ("Several commits changed it."));
    print_base (self, out);
    for (uint32_t i = 0; i < self->commits->len; i++) {
        PvBisectCommit *commit = pv_bisect_get (self, i);
        g_autofree char *change = pv_bisect_describe_change (self, commit);
        if (commit->is_measured)
            fprintf (out, "  %s: %s\n", pv_bisect_get_title (self, commit), change);
    }
    if (step->is_adjacent)
        /* Translators: the title of a commit. */
        fprintf (out, _ ("The largest step that was found is %s."),
                 pv_bisect_get_title (self, step->after));
    else
        /* Translators: the ids of two commits. */
        fprintf (out, _ ("The largest step is in --bisect=%s..%s."),
                 step->before != NULL ? step->before->short_id : self->good->short_id,
                 step->after->short_id);
    fputc ('\n', out);
}

/* Indexes of commits by their chance, largest first. */
static uint32_t *
sort_suspects (const PvBisect *self)
{
    const PvSuspects *suspects = self->history->suspects;
    uint32_t *order = g_new (uint32_t, self->commits->len);
    for (uint32_t i = 0; i < self->commits->len; i++) {
        const double chance = pv_suspects_get_chance (suspects, i);
        uint32_t at = i;
        for (; at > 0 && pv_suspects_get_chance (suspects, order[at - 1]) < chance; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

static void
print_more (FILE *out, uint32_t n)
{
    fputs ("  ", out);
    /* Translators: the last line of a list that is cut off */
    fprintf (out, ngettext ("and %u more", "and %u more", n), n);
    fputc ('\n', out);
}

static void
print_unsure (const PvBisect *self, FILE *out)
{
    const PvSuspects *suspects = self->history->suspects;
    g_autofree uint32_t *order = sort_suspects (self);
    uint32_t n = 0, next;
    print_base (self, out);
    print_change (self, out, pv_bisect_get_bad (self), _ ("at the end"));
    fprintf (out, "%s\n", _ ("It cannot be told yet with which of these commits the change came:"));
    for (; n < self->commits->len && pv_suspects_get_chance (suspects, order[n]) > SHOWN_CHANCE;
         n++) {
        PvBisectCommit *commit = pv_bisect_get (self, order[n]);
        g_autofree char *chance = format_chance (pv_suspects_get_chance (suspects, order[n]));
        if (n >= N_SHOWN)
            continue;
        fprintf (out, "  %7s  ", chance);
        /* Translators: the title of a commit */
        fprintf (out,
                 commit->is_broken   ? _ ("%s (does not build)")
                 : commit->is_unable ? _ ("%s (does not run)")
                                     : "%s",
                 pv_bisect_get_title (self, commit));
        fputc ('\n', out);
    }
    if (n > N_SHOWN)
        print_more (out, n - N_SHOWN);
    if (pv_suspects_choose (suspects, &next))
        fprintf (out, "%s\n",
                 _ ("The same command measures more of them; --repeat=N measures each more "
                    "often."));
}

static void
print_nothing (const PvBisect *self, FILE *out)
{
    PvBisectCommit *bad = pv_bisect_get_bad (self);
    g_autofree char *change = pv_bisect_describe_change (self, bad);
    const bool holds_zero = pv_estimate_get_end (&bad->estimate, false) <= 0 &&
                            pv_estimate_get_end (&bad->estimate, true) >= 0;
    /* Translators: the titles of two commits. */
    fprintf (out,
             holds_zero ? _ ("There is no change that can be told between\n  %s and\n  %s")
                        : _ ("It is not certain yet that anything changed between\n  %s and\n  "
                             "%s"),
             pv_bisect_get_title (self, self->good), pv_bisect_get_title (self, bad));
    fputc ('\n', out);
    /* Translators: a change of an amount, and how often each commit ran */
    fprintf (out,
             ngettext ("It is %s, after %u run of each.", "It is %s, after %u runs of each.",
                       bad->amounts->len),
             change, bad->amounts->len);
    fputc ('\n', out);
    if (!holds_zero)
        fprintf (out, "%s\n", _ ("More runs would tell: --repeat=N."));
    if (self->options->out.function == NULL)
        fprintf (out, "%s\n",
                 _ ("One function can have changed by more: --function=REGEX follows it alone."));
}

/* --- JSON --- */

static void
append_string (GString *out, const char *key, const char *value)
{
    g_string_append_printf (out, "%s\"%s\": ", out->str[out->len - 1] != '{' ? ", " : "", key);
    pv_json_append_string (out, value);
}

static void
append_number (GString *out, const char *key, double number)
{
    g_string_append_printf (out, ", \"%s\": ", key);
    pv_json_append_double (out, number);
}

static void
append_change (const PvBisect *self, GString *out, const char *prefix, const PvBisectCommit *commit)
{
    const PvEstimate *estimate = &commit->estimate;
    const struct {
        const char *name;
        double value;
    } fields[] = {{"change", estimate->change},
                  {"change_low", pv_estimate_get_end (estimate, false)},
                  {"change_high", pv_estimate_get_end (estimate, true)}};
    for (size_t i = 0; i < G_N_ELEMENTS (fields); i++) {
        g_autofree char *key = g_strconcat (prefix, fields[i].name, NULL);
        append_number (out, key, pv_bisect_get_amount (self, fields[i].value));
    }
}

/* Lists of commits: that are measured, with what they changed; that are left, with their chances.
 */
static void
append_lists (const PvBisect *self, GString *out)
{
    g_string_append (out, ", \"measured\": [");
    for (uint32_t i = 0; i < self->commits->len; i++) {
        const PvBisectCommit *commit = pv_bisect_get (self, i);
        if (!commit->is_measured)
            continue;
        g_string_append (out, out->str[out->len - 1] != '[' ? ", {" : "{");
        append_string (out, "commit", commit->id);
        append_change (self, out, "", commit);
        g_string_append_printf (out, ", \"runs\": %u}", commit->amounts->len);
    }
    g_string_append (out, "], \"suspects\": [");
    for (uint32_t i = 0; i < self->commits->len; i++) {
        const double chance = pv_suspects_get_chance (self->history->suspects, i);
        if (chance < SHOWN_CHANCE)
            continue;
        g_string_append (out, out->str[out->len - 1] != '[' ? ", {" : "{");
        append_string (out, "commit", pv_bisect_get (self, i)->id);
        append_number (out, "chance", chance);
        g_string_append_c (out, '}');
    }
    g_string_append_c (out, ']');
}

/* One object; commits are their ids, chances are from 0 to 1. */
static void
print_json (const PvBisect *self, FILE *file, PvBisectEnd end, uint32_t index)
{
    static const char *const results[] = {[PV_BISECT_FOUND] = "found",
                                          [PV_BISECT_SEVERAL] = "several",
                                          [PV_BISECT_UNSURE] = "unsure",
                                          [PV_BISECT_NOTHING] = "nothing"};
    const PvBisectCommit *bad = pv_bisect_get_bad (self), *commit = pv_bisect_get (self, index);
    g_autoptr (GString) out = g_string_new ("{");
    append_string (out, "result", results[end]);
    append_string (out, "good", self->good->id);
    append_string (out, "bad", bad->id);
    append_string (out, "unit", self->has_ratios ? "%" : pv_print_name_unit (self->unit));
    append_change (self, out, "whole_", bad);
    if (end == PV_BISECT_FOUND) {
        const PvBisectCommit *before = find_before (self, index);
        append_string (out, "commit", commit->id);
        append_number (out, "chance", pv_suspects_get_chance (self->history->suspects, index));
        append_string (out, "before", before != NULL ? before->id : self->good->id);
        if (commit->is_measured)
            append_change (self, out, "", commit);
        if (before != NULL)
            append_change (self, out, "before_", before);
    }
    append_lists (self, out);
    append_string (out, "folder", self->folder);
    fprintf (file, "%s}\n", out->str);
}

/* --- the answer --- */

/* before: NULL: the good end, as it was recorded in turn with the commit. */
static void
set_files (const PvBisect *self, PvBisectCommit *before, PvBisectCommit *commit)
{
    PvOptions *options = self->options;
    g_strfreev (options->open.base_files);
    g_strfreev (options->open.files);
    options->open.base_files = before != NULL ? pv_bisect_list_packs (self, before, PV_SIDE_NEW)
                                              : pv_bisect_list_packs (self, commit, PV_SIDE_BASE);
    options->open.files = pv_bisect_list_packs (self, commit, PV_SIDE_NEW);
    options->side_titles[PV_SIDE_BASE] =
        g_strdup (pv_bisect_get_title (self, before != NULL ? before : self->good));
    options->side_titles[PV_SIDE_NEW] = g_strdup (pv_bisect_get_title (self, commit));
    options->is_diff = true;
}

static PvBisectEnd
find_end (const PvBisect *self, uint32_t index)
{
    if (!pv_estimate_is_change (&pv_bisect_get_bad (self)->estimate))
        return PV_BISECT_NOTHING;
    const bool is_found =
        pv_suspects_get_chance (self->history->suspects, index) >= PV_BISECT_FOUND_CHANCE;
    if (is_found && is_most (self, index))
        return PV_BISECT_FOUND;
    return has_several_steps (self) ? PV_BISECT_SEVERAL
           : is_found               ? PV_BISECT_FOUND
                                    : PV_BISECT_UNSURE;
}

PvBisectEnd
pv_bisect_answer (const PvBisect *bisect, FILE *out, bool is_json)
{
    uint32_t index = pv_bisect_find_likeliest (bisect);
    const PvBisectEnd end = find_end (bisect, index);
    const Step step = find_largest_step (bisect);
    PvBisectCommit *bad = pv_bisect_get_bad (bisect), *commit = pv_bisect_get (bisect, index);
    if (end == PV_BISECT_FOUND)
        set_files (bisect, find_before (bisect, index), commit->is_measured ? commit : bad);
    else if (end == PV_BISECT_SEVERAL)
        set_files (bisect, step.before, step.after);
    else
        set_files (bisect, NULL, bad);
    if (is_json)
        print_json (bisect, out, end, index);
    else if (end == PV_BISECT_FOUND)
        print_found (bisect, out, index);
    else if (end == PV_BISECT_SEVERAL)
        print_several (bisect, out, &step);
    else if (end == PV_BISECT_UNSURE)
        print_unsure (bisect, out);
    else
        print_nothing (bisect, out);
    return end;
}
