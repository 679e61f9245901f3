/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/compare-text.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analyze/join/compare-join.h"
#include "core/analyze/query/my-code.h"
#include "core/analyze/renames/renames.h"
#include "core/base/array.h"
#include "core/base/format.h"

/* Growth by more than this is told as a multiple. */
#define MIN_TIMES 11.0

char *
pv_compare_format_percent (uint64_t base, uint64_t newer)
{
    if (base == 0)
        return g_strdup (newer == 0 ? "" : C_ ("change", "new"));
    if (newer == 0)
        return g_strdup (C_ ("change", "gone"));
    double ratio = (double)newer / (double)base;
    if (ratio >= MIN_TIMES) {
        g_autofree char *times = pv_format_count ((uint64_t)(ratio + 0.5));
        return g_strdup_printf ("×%s", times);
    }
    double percent = ((double)newer - (double)base) / (double)base * 100;
    g_autofree char *number = pv_format_decimals (fabs (percent), fabs (percent) < 9.95 ? 1 : 0);
    const char *sign = newer > base ? "+" : newer < base ? "−" : "";
    return g_strdup_printf ("%s%s %%", sign, number);
}

char *
pv_compare_format_interval (int64_t low, int64_t high, PvUnit unit)
{
    g_autofree char *low_text = pv_format_signed_amount (low, unit);
    g_autofree char *high_text = pv_format_signed_amount (high, unit);
    return g_strdup_printf ("%s … %s", low_text, high_text);
}

char *
pv_compare_make_heading (const PvCallTree *tree, const PvChanges *functions, const char *scale)
{
    const PvCompared *compared = tree->profile->compared;
    g_assert (compared != NULL && functions != NULL);
    uint64_t base = functions->whole_of_side[PV_SIDE_BASE];
    uint64_t newer = functions->whole_of_side[PV_SIDE_NEW];
    g_autofree char *base_text = pv_format_amount (base, functions->unit);
    g_autofree char *new_text = pv_format_amount (newer, functions->unit);
    g_autofree char *change =
        pv_format_signed_amount (pv_changes_get_whole (functions), functions->unit);
    g_autofree char *percent = pv_compare_format_percent (base, newer);
    /* Translators: a name and an amount, twice; the difference, in percent, and how it was scaled.
     */
    return g_strdup_printf (_ ("%s: %s → %s: %s, %s (%s), %s"),
                            compared->name_of_side[PV_SIDE_BASE], base_text,
                            compared->name_of_side[PV_SIDE_NEW], new_text, change, percent, scale);
}

/* Fewer runs do not tell which of them is odd. */
enum { MIN_RUNS_FOR_ODD = 4 };
/* Usual differences from the median, and the least part of it. */
#define ODD_DEVIATIONS 5.0
#define MIN_ODD_PART   0.05

static double
find_median (double *amounts, uint32_t n)
{
    pv_sort_doubles (amounts, n);
    return (amounts[(n - 1) / 2] + amounts[n / 2]) / 2;
}

/* Sentences on runs of a side that are far from the others. */
static void
append_odd_runs (const PvChanges *changes, PvSide side, GString *text)
{
    const uint32_t n = changes->pair->n_runs_of_side[side];
    if (n < MIN_RUNS_FOR_ODD)
        return;
    g_autofree double *amounts = g_new (double, n), *sorted = g_new (double, n);
    for (uint32_t r = 0; r < n; r++)
        sorted[r] = amounts[r] =
            (double)pv_measure_sums_find (changes->sums, changes->pair->runs_of_side[side][r])
                ->whole;
    double median = find_median (sorted, n);
    for (uint32_t r = 0; r < n; r++)
        sorted[r] = fabs (amounts[r] - median);
    double usual = find_median (sorted, n);
    for (uint32_t r = 0; r < n; r++) {
        if (fabs (amounts[r] - median) <= MAX (ODD_DEVIATIONS * usual, MIN_ODD_PART * median))
            continue;
        g_autofree char *amount = pv_format_amount ((uint64_t)amounts[r], changes->unit);
        g_autofree char *others = pv_format_amount ((uint64_t)median, changes->unit);
        g_string_append_c (text, ' ');
        g_string_append_printf (text,
                                side == PV_SIDE_BASE
                                    /* Translators: the number of a run, its amount, that of most */
                                    ? _ ("Run %u of the base stands out: it has %s, most have "
                                         "about %s.")
                                    : _ ("Run %u of the new side stands out: it has %s, most "
                                         "have about %s."),
                                r + 1, amount, others);
    }
}

static char *
describe_odd_runs (const PvChanges *changes)
{
    GString *text = g_string_new (NULL);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        append_odd_runs (changes, side, text);
    return g_string_free (text, FALSE);
}

char *
pv_compare_describe_certainty (const PvChanges *functions)
{
    g_assert (functions != NULL);
    const PvNoise *noise = functions->noise;
    if (noise == NULL)
        return g_strdup (_ ("These amounts have no intervals: they are exact, or nothing tells how "
                            "many samples they are of. Other runs may differ."));
    if (pv_noise_has_runs (noise)) {
        g_autofree char *odd = describe_odd_runs (functions);
        const uint32_t *n_runs = functions->pair->n_runs_of_side;
        /* Translators: numbers of runs */
        g_autofree char *means = g_strdup_printf (
            _ ("Amounts are means, of %u runs of the base and %u of the new side."),
            MAX (n_runs[PV_SIDE_BASE], 1), MAX (n_runs[PV_SIDE_NEW], 1));
        return g_strconcat (
            means, " ",
            /* xgettext: no-c-format */
            _ ("95 % of these intervals contain the true change, judged by how the runs of a side "
               "differ. Of the rows that stand out, at most 1 in 20 should be wrong."),
            odd, NULL);
    }
    if (pv_noise_has_times (noise))
        return g_strdup (
            /* xgettext: no-c-format */
            _ ("95 % of these intervals contain the true change; of the rows that stand out, at "
               "most 1 in 20 should be wrong. But with one run each, a slower machine cannot be "
               "told from slower code: record several runs of each side to tell."));
    return g_strdup (_ ("Intervals assume that each sample is independent, as the files do not say "
                        "when they were taken. Runs may differ by more, and with one run each, a "
                        "slower machine cannot be told from slower code: record several runs of "
                        "each side to tell."));
}

static char *
describe_interval (PvInterval interval, PvUnit unit)
{
    g_autofree char *low = pv_format_signed_amount (pv_round_amount (interval.low), unit);
    g_autofree char *high = pv_format_signed_amount (pv_round_amount (interval.high), unit);
    /* Translators: of a change: “+72 ms, between +51 ms and +93 ms” */
    return g_strdup_printf (_ ("between %s and %s"), low, high);
}

char *
pv_compare_describe_interval (const PvChanges *changes, uint32_t row, bool is_self)
{
    g_assert (changes != NULL);
    return changes->noise != NULL
               ? describe_interval (pv_changes_find_interval (changes, row, is_self, 1),
                                    changes->unit)
               : NULL;
}

char *
pv_compare_describe_whole_interval (const PvChanges *changes)
{
    g_assert (changes != NULL);
    return changes->noise != NULL
               ? describe_interval (pv_changes_find_whole_interval (changes, 1), changes->unit)
               : NULL;
}

/* The last part of a path, unless that of the other side is the same. */
static const char *
shorten_name (const PvCompared *compared, PvSide side)
{
    const char *shown[PV_N_SIDES];
    for (PvSide s = 0; s < PV_N_SIDES; s++) {
        const char *slash = strrchr (compared->name_of_side[s], '/');
        shown[s] = slash != NULL && slash[1] != '\0' ? slash + 1 : compared->name_of_side[s];
    }
    bool is_clear = strcmp (shown[PV_SIDE_BASE], shown[PV_SIDE_NEW]) != 0;
    return is_clear ? shown[side] : compared->name_of_side[side];
}

char *
pv_compare_make_caption (const PvNodeValues *values)
{
    g_assert (values != NULL && values->sides != NULL);
    const PvChanges *sides = values->sides;
    const PvCompared *compared = values->tree->profile->compared;
    uint64_t base = sides->whole_of_side[PV_SIDE_BASE], newer = sides->whole_of_side[PV_SIDE_NEW];
    g_autofree char *base_text = pv_format_amount (base, sides->unit);
    g_autofree char *new_text = pv_format_amount (newer, sides->unit);
    g_autofree char *change = pv_format_signed_amount (pv_changes_get_whole (sides), sides->unit);
    g_autofree char *percent = pv_compare_format_percent (base, newer);
    if (compared == NULL)
        /* Translators: what was taken away, what was added, and both together. */
        return g_strdup_printf (_ ("%s less, %s more: %s"), base_text, new_text, change);
    /* Translators: a name and an amount, twice; the difference, and in percent. */
    return g_strdup_printf (_ ("%s %s → %s %s: %s (%s)"), shorten_name (compared, PV_SIDE_BASE),
                            base_text, shorten_name (compared, PV_SIDE_NEW), new_text, change,
                            percent);
}

char *
pv_compare_make_side_heading (const PvNodeValues *values, PvSide side)
{
    g_assert (values != NULL && values->tree_of_side[side] != NULL);
    g_autofree char *amount =
        pv_format_amount (values->sides->whole_of_side[side], values->sides->unit);
    const char *name = shorten_name (values->tree->profile->compared, side);
    /* Translators: one of the profiles that are compared, and what it has in all. */
    return g_strdup_printf (side == PV_SIDE_BASE ? _ ("Base: %s, %s") : _ ("New: %s, %s"), name,
                            amount);
}

char *
pv_compare_format_share (int64_t change, int64_t whole)
{
    if (whole == 0)
        return g_strdup ("");
    g_autofree char *size = pv_format_percent (fabs ((double)change), fabs ((double)whole));
    bool is_against = change != 0 && (change < 0) != (whole < 0);
    return g_strconcat (is_against ? "−" : "", size, NULL);
}

static void
append_share (GString *text, const PvNodeValues *values, int64_t change)
{
    g_autofree char *share = pv_compare_format_share (change, pv_changes_get_whole (values->sides));
    if (*share != '\0')
        /* Translators: a share: “9 % of the change” */
        pv_format_add_fact (text, g_strdup_printf (_ ("%s of the change"), share));
}

char *
pv_compare_describe_node (const PvNodeValues *values, PvNodeId node)
{
    g_assert (values != NULL && values->sides != NULL && node < values->tree->n_nodes);
    const PvChanges *sides = values->sides;
    uint64_t base = sides->total_of_side[PV_SIDE_BASE][node];
    uint64_t newer = sides->total_of_side[PV_SIDE_NEW][node];
    int64_t change = pv_changes_get_total (sides, node);
    g_autofree char *base_text = pv_format_amount (base, sides->unit);
    g_autofree char *new_text = pv_format_amount (newer, sides->unit);
    g_autofree char *amount = pv_format_signed_amount (change, sides->unit);
    g_autofree char *percent = pv_compare_format_percent (base, newer);
    GString *text = g_string_new (NULL);
    if (values->tree->profile->compared == NULL)
        g_string_append_printf (text, _ ("%s less, %s more: %s"), base_text, new_text, amount);
    else
        g_string_append_printf (text, "%s → %s, %s (%s)", base_text, new_text, amount, percent);
    append_share (text, values, change);
    char *interval = pv_compare_describe_interval (sides, node, false);
    if (interval != NULL)
        pv_format_add_fact (text, interval);
    if ((pv_node_values_get_marks (values, node) & PV_NODE_IS_NOISE) != 0)
        /* Translators: a change that may be by chance; follows its figures */
        pv_format_add_fact (text, g_strdup (_ ("within noise")));
    char *more = pv_renames_describe (values->tree->symbols, values->tree->function_of_node[node]);
    if (more != NULL)
        pv_format_add_fact (text, more);
    return g_string_free (text, FALSE);
}

/* A place where the change splits, or stays: there, or in what is not the user's own code, where
 * that is called. */
typedef struct {
    PvNodeId node;
    bool is_own;
    uint64_t size; /* of its function's change, or of that without what another place tells of it */
} Place;

typedef PV_ARRAY (Place) Places;

typedef struct {
    const PvCallTree *tree;
    const PvChanges *functions;
    const PvChanges *nodes;
    uint64_t least; /* smaller changes are not reported */
    bool *is_told;  /* by function */
} Telling;

/* Addresses at which there was no code say nothing, whatever they cost. */
static bool
is_unmapped (const PvCallTree *tree, PvNodeId node)
{
    const PvFunction *functions = tree->symbols->functions;
    return pv_function_is_unmapped (&functions[tree->function_of_node[node]], tree->profile);
}

static bool
is_considerable (const Telling *telling, PvNodeId node)
{
    PvFunctionId function = telling->tree->function_of_node[node];
    return !is_unmapped (telling->tree, node) &&
           pv_changes_get_total (telling->functions, function) != 0 &&
           pv_change_get_size (pv_changes_get_total (telling->nodes, node)) >= telling->least &&
           (function == 0 || !pv_changes_is_noise (telling->functions, function, false));
}

/* The child with nearly all of the node's change; PV_NODE_NONE: no such child. */
static PvNodeId
find_heir (const Telling *telling, PvNodeId node)
{
    const PvCallTree *tree = telling->tree;
    int64_t change = pv_changes_get_total (telling->nodes, node);
    for (PvNodeId c = tree->first_child[node]; c < tree->first_child[node + 1]; c++) {
        int64_t part = pv_changes_get_total (telling->nodes, c);
        if (pv_change_get_size (part) >= telling->least && (part < 0) == (change < 0) &&
            pv_change_get_size (part) >= pv_change_get_size (change) / 5 * 4)
            return c;
    }
    return PV_NODE_NONE;
}

static bool
is_own (const PvCallTree *tree, PvNodeId node)
{
    const PvFunction *function = &tree->symbols->functions[tree->function_of_node[node]];
    return tree->function_of_node[node] != 0 &&
           pv_is_my_code (function, &tree->profile->modules[function->module]);
}

/* The function of the user's own under which a change is, if it changed itself; else the node. */
static PvNodeId
find_own (const Telling *telling, PvNodeId node)
{
    PvNodeId own = node;
    while (own != 0 && !is_own (telling->tree, own))
        own = telling->tree->parent_of_node[own];
    return own != 0 && is_considerable (telling, own) ? own : node;
}

/* The place of the node's function, which is new if no other node has it yet. */
static void
add_place (const Telling *telling, Places *places, PvNodeId node)
{
    PvNodeId own = find_own (telling, node);
    PvFunctionId function = telling->tree->function_of_node[own];
    if (telling->is_told[function])
        return;
    telling->is_told[function] = true;
    int64_t change = pv_changes_get_total (telling->functions, function);
    Place place = {own, is_own (telling->tree, own), pv_change_get_size (change)};
    pv_array_push (places, place);
}

/* By node: all changes of own amounts in it and below, whichever way they go: functions that take
 * the place of others may cost as much. g_free () it. */
static double *
sum_moved (const Telling *telling)
{
    const PvCallTree *tree = telling->tree;
    double *moved = g_new (double, tree->n_nodes);
    for (PvNodeId n = tree->n_nodes; n-- > 0;) {
        moved[n] = (double)pv_change_get_size (pv_changes_get_self (telling->nodes, n));
        for (PvNodeId c = tree->first_child[n]; c < tree->first_child[n + 1]; c++)
            moved[n] += moved[c];
    }
    return moved;
}

/* Children are in one piece, so a list of nodes to look at needs no recursion. */
static void
find_places (const Telling *telling, Places *places)
{
    const PvCallTree *tree = telling->tree;
    PV_ARRAY (PvNodeId) pending = {0};
    g_autofree double *moved = sum_moved (telling);
    pv_array_push (&pending, 0);
    while (pending.len > 0) {
        PvNodeId node = pending.data[--pending.len];
        PvNodeId heir = find_heir (telling, node);
        uint64_t size = pv_change_get_size (pv_changes_get_total (telling->nodes, node));
        uint64_t own = pv_change_get_size (pv_changes_get_self (telling->nodes, node));
        bool is_own = heir == PV_NODE_NONE && own >= size / 5 && own >= telling->least;
        bool is_leaf = true;
        for (PvNodeId c = tree->first_child[node]; c < tree->first_child[node + 1] && !is_own;
             c++) {
            /* Below what is noise, or the same as it was, there may be changes. */
            if (moved[c] >= (double)telling->least)
                pv_array_push (&pending, c);
            is_leaf &= !is_considerable (telling, c);
        }
        if ((is_own || is_leaf) && tree->function_of_node[node] != 0 &&
            is_considerable (telling, node))
            add_place (telling, places, node);
    }
    pv_array_clear (&pending);
}

static int
compare_places (const void *a, const void *b)
{
    const Place *x = a, *y = b;
    if (x->is_own != y->is_own)
        return x->is_own ? -1 : 1;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static bool
is_below (const PvCallTree *tree, PvNodeId node, PvFunctionId function)
{
    while (node != 0 && tree->function_of_node[node] != function)
        node = tree->parent_of_node[node];
    return node != 0;
}

/* So many places are looked at for others below them. */
enum { MAX_ORDERED = 64 };

/* A function whose change is nearly all that of one it calls, which is told too, comes with what is
 * left: of main nobody has to be told first. Sorts the places. */
static void
order_places (const Telling *telling, Places *places)
{
    const PvCallTree *tree = telling->tree;
    pv_array_sort (places, compare_places);
    size_t n = MIN (places->len, MAX_ORDERED);
    uint64_t left[MAX_ORDERED];
    for (size_t i = 0; i < n; i++) {
        const Place *place = &places->data[i];
        left[i] = place->size;
        for (size_t k = i + 1; k < n && places->data[k].size >= place->size / 5 * 4; k++)
            if (is_below (tree, places->data[k].node, tree->function_of_node[place->node]))
                left[i] = MIN (left[i], place->size - places->data[k].size);
    }
    for (size_t i = 0; i < n; i++)
        places->data[i].size = left[i];
    pv_array_sort (places, compare_places);
}

/* The largest part of the change of the node's function: what it does itself, or a callee at this
 * place. Where other places changed the other way, a callee's change here may be more than the
 * whole: then it is no part of it. */
static char *
describe_part (const Telling *telling, PvNodeId node)
{
    const PvCallTree *tree = telling->tree;
    PvFunctionId function = tree->function_of_node[node];
    int64_t change = pv_changes_get_total (telling->functions, function);
    PvNodeId largest = PV_NODE_NONE;
    int64_t most = pv_changes_get_self (telling->functions, function);
    for (PvNodeId c = tree->first_child[node]; c < tree->first_child[node + 1]; c++) {
        int64_t part = pv_changes_get_total (telling->nodes, c);
        if (tree->function_of_node[c] != 0 && !is_unmapped (tree, c) &&
            pv_change_get_size (part) > pv_change_get_size (most)) {
            most = part;
            largest = c;
        }
    }
    if (pv_change_get_size (most) < pv_change_get_size (change) / 4 ||
        pv_change_get_size (most) > pv_change_get_size (change) || (most < 0) != (change < 0) ||
        tree->first_child[node] == tree->first_child[node + 1])
        return NULL;
    g_autofree char *amount = pv_format_signed_amount (most, telling->nodes->unit);
    if (largest == PV_NODE_NONE)
        /* Translators: part of a sentence on what changed: “Sort::run +1.2 s, including …” */
        return g_strdup_printf (_ ("self %s"), amount);
    /* Translators: part of a sentence on what changed: “Sort::run +1.2 s, including compare +0.9 s”
     */
    return g_strdup_printf (_ ("including %s %s"), pv_call_tree_get_short_name (tree, largest),
                            amount);
}

static char *
describe_place (const Telling *telling, PvNodeId node)
{
    const PvCallTree *tree = telling->tree;
    PvFunctionId function = tree->function_of_node[node];
    const PvChanges *functions = telling->functions;
    g_autofree char *amount =
        pv_format_signed_amount (pv_changes_get_total (functions, function), functions->unit);
    g_autofree char *percent =
        pv_compare_format_percent (functions->total_of_side[PV_SIDE_BASE][function],
                                   functions->total_of_side[PV_SIDE_NEW][function]);
    g_autofree char *part = describe_part (telling, node);
    const char *name = pv_call_tree_get_short_name (tree, node);
    g_autofree char *more = pv_renames_describe_short (tree->symbols, function);
    return g_strconcat (name, " ", amount, " (", percent, ")", more != NULL ? ", " : "",
                        more != NULL ? more : "", part != NULL ? ", " : "", part, NULL);
}

/* The least part of the larger side that matters. */
#define MIN_NAMELESS_PART 0.05

char *
pv_compare_describe_nameless (const PvCallTree *tree, const PvChanges *functions)
{
    g_assert (tree != NULL && functions != NULL);
    const PvSymbolTable *symbols = tree->symbols;
    const uint64_t whole =
        MAX (functions->whole_of_side[PV_SIDE_BASE], functions->whole_of_side[PV_SIDE_NEW]);
    g_autofree double *amounts = g_new0 (double, MAX (symbols->n_modules, 1));
    PvModuleId worst = 0;
    for (PvFunctionId f = 1; f < functions->n_rows; f++) {
        PvModuleId module = symbols->functions[f].module;
        if (!pv_module_symbols_are_of_one_side (symbols->symbols_of_module[module]))
            continue;
        for (PvSide side = 0; side < PV_N_SIDES; side++)
            amounts[module] += (double)functions->self_of_side[side][f];
        if (amounts[module] > amounts[worst])
            worst = module;
    }
    if (worst == 0 || amounts[worst] < MIN_NAMELESS_PART * (double)whole)
        return NULL;
    return pv_compare_format_nameless (
        tree->profile->modules[worst].name,
        symbols->symbols_of_module[worst] == PV_MODULE_SYMBOLS_NOT_IN_BASE ? PV_SIDE_BASE
                                                                           : PV_SIDE_NEW);
}

/* The least change that is reported: a hundredth of all changes. */
static uint64_t
find_least (const PvChanges *functions)
{
    uint64_t sum = 0;
    for (uint32_t f = 0; f < functions->n_rows; f++)
        sum += MIN (pv_change_get_size (pv_changes_get_self (functions, f)), UINT64_MAX - sum);
    return MAX (sum / 100, 1);
}

char **
pv_compare_list_changes (const PvCallTree *tree, const PvChanges *functions, const PvChanges *nodes,
                         unsigned n_max, PvFunctionId *ret_functions)
{
    g_assert (tree != NULL && functions != NULL && nodes != NULL && !tree->query.is_inverted);
    g_autofree bool *is_told = g_new0 (bool, MAX (tree->symbols->n_functions, 1));
    Telling telling = {
        .tree = tree,
        .functions = functions,
        .nodes = nodes,
        .least = find_least (functions),
        .is_told = is_told,
    };
    Places places = {0};
    g_autoptr (GPtrArray) lines = g_ptr_array_new ();
    char *nameless = n_max > 0 ? pv_compare_describe_nameless (tree, functions) : NULL;
    if (nameless != NULL) {
        g_ptr_array_add (lines, nameless);
        if (ret_functions != NULL)
            ret_functions[0] = 0;
    } else {
        find_places (&telling, &places);
        order_places (&telling, &places);
    }
    for (size_t i = 0; i < places.len && lines->len < n_max; i++) {
        if (ret_functions != NULL)
            ret_functions[lines->len] = tree->function_of_node[places.data[i].node];
        g_ptr_array_add (lines, describe_place (&telling, places.data[i].node));
    }
    pv_array_clear (&places);
    g_ptr_array_add (lines, NULL);
    return (char **)g_ptr_array_free (g_steal_pointer (&lines), FALSE);
}
