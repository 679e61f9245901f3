/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/check.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/analyze/compare/changes.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree.h"
#include "core/model/profile/function-match.h"

typedef enum {
    SIGN_LESS,
    SIGN_AT_MOST,
    SIGN_MORE,
    SIGN_AT_LEAST,
} Sign;

typedef struct {
    bool is_delta;
    bool is_self;
    char *expression; /* NULL: everything */
    Sign sign;
    double limit; /* in percent, or in the unit */
    bool is_percent;
    PvUnit unit; /* of a limit with one */
    bool has_unit;
} Check;

static void
check_clear (Check *check)
{
    g_free (check->expression);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Check, check_clear)

/* --- words --- */

static bool
set_bad (const char *condition, GError **error)
{
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("--check: “%s” is not a condition such as total(malloc) < 5 %%"), condition);
    return false;
}

/* "total(…)", "delta(self(…))", "total": the text between the last pair of parentheses is a regular
 * expression, which may have some itself. */
static bool
parse_amount (char *text, Check *check)
{
    g_strstrip (text);
    if (g_str_has_prefix (text, "delta(") && g_str_has_suffix (text, ")")) {
        check->is_delta = true;
        text[strlen (text) - 1] = '\0';
        text += strlen ("delta(");
        g_strstrip (text);
    }
    if (strcmp (text, "total") == 0)
        return true;
    check->is_self = g_str_has_prefix (text, "self(");
    if ((!check->is_self && !g_str_has_prefix (text, "total(")) || !g_str_has_suffix (text, ")"))
        return false;
    const char *start = strchr (text, '(') + 1;
    check->expression = g_strndup (start, strlen (start) - 1);
    return *check->expression != '\0' && pv_matcher_check (check->expression, NULL);
}

static bool
parse_limit (const char *text, Check *check)
{
    static const struct {
        const char *name;
        double factor;
        PvUnit unit;
    } units[] = {
        {"ns", 1, PV_UNIT_NS},          {"us", 1e3, PV_UNIT_NS},
        {"µs", 1e3, PV_UNIT_NS},        {"ms", 1e6, PV_UNIT_NS},
        {"s", 1e9, PV_UNIT_NS},         {"B", 1, PV_UNIT_BYTES},
        {"KiB", 0x1p10, PV_UNIT_BYTES}, {"MiB", 0x1p20, PV_UNIT_BYTES},
        {"GiB", 0x1p30, PV_UNIT_BYTES}, {"TiB", 0x1p40, PV_UNIT_BYTES},
    };
    char *end;
    check->limit = g_ascii_strtod (text, &end);
    if (end == text || !isfinite (check->limit))
        return false;
    g_autofree char *rest = g_strstrip (g_strdup (end));
    check->is_percent = strcmp (rest, "%") == 0;
    if (check->is_percent || *rest == '\0')
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS (units); i++) {
        if (strcmp (units[i].name, rest) == 0) {
            check->limit *= units[i].factor;
            check->unit = units[i].unit;
            check->has_unit = true;
            return isfinite (check->limit);
        }
    }
    return false;
}

/* The sign is the last one in the text: expressions may contain others. */
static bool
parse (const char *condition, Check *check, GError **error)
{
    const char *less = strrchr (condition, '<'), *more = strrchr (condition, '>');
    const char *sign = less > more ? less : more;
    *check = (Check){0};
    if (sign == NULL)
        return set_bad (condition, error);
    bool has_equal = sign[1] == '=';
    check->sign = *sign == '<' ? (has_equal ? SIGN_AT_MOST : SIGN_LESS)
                               : (has_equal ? SIGN_AT_LEAST : SIGN_MORE);
    g_autofree char *amount = g_strndup (condition, (size_t)(sign - condition));
    return (parse_amount (amount, check) && parse_limit (sign + 1 + has_equal, check)) ||
           set_bad (condition, error);
}

bool
pv_check_parse (const char *condition, GError **error)
{
    g_auto (Check) check;
    return parse (condition, &check, error);
}

/* --- amounts --- */

typedef struct {
    double base, newer; /* base: 0 unless there are sides */
    double whole;       /* everything, of both sides or the new one */
    PvChanges *changes; /* where the interval of the change is; NULL: it has none */
    bool is_of_row;     /* row 0 of them; else everything */
} Amounts;

static void
amounts_clear (Amounts *amounts)
{
    pv_changes_free (amounts->changes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Amounts, amounts_clear)

/* The tree of all stacks, or of those with a matching function. */
static PvCallTree *
build_tree (const Check *check, const PvProfile *profile, const PvSymbolTable *symbols,
            const PvQuery *asked, bool is_focused, GError **error)
{
    PvQuery query;
    pv_query_copy (&query, asked);
    query.is_inverted = false;
    query.granularity = PV_BY_FUNCTION;
    pv_query_set_grouping (&query, PV_GROUP_NONE, NULL);
    if (is_focused) {
        g_autofree char *expression = g_strconcat ("function:", check->expression, NULL);
        pv_query_add_transform (&query, PV_TRANSFORM_FOCUS, expression);
    }
    PvCallTree *tree = pv_call_tree_build_stacks (profile, symbols, &query, NULL, NULL, error);
    pv_query_clear (&query);
    return tree;
}

/* The changes of self of all matching functions, as one row. */
static PvChanges *
sum_matching (const PvChanges *all, PvMatcher *matcher, const PvSymbolTable *symbols)
{
    g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (PvFunctionId));
    for (PvFunctionId f = 1; f < symbols->n_functions; f++)
        if (pv_function_matches (symbols, f, matcher))
            g_array_append_val (rows, f);
    return pv_changes_sum_functions (all, (const PvFunctionId *)(gpointer)rows->data, rows->len);
}

static void
sum_sides (PvMatcher *matcher, const PvCallTree *tree, const PvCallTree *focused, Amounts *amounts)
{
    g_autoptr (PvChanges) all = pv_changes_by_function (tree, NULL);
    amounts->whole = (double)all->whole_of_side[PV_SIDE_NEW];
    amounts->is_of_row = matcher != NULL && focused == NULL;
    amounts->changes = amounts->is_of_row ? sum_matching (all, matcher, tree->symbols)
                       : focused != NULL  ? pv_changes_by_function (focused, NULL)
                                          : g_steal_pointer (&all);
    const uint64_t *sides = amounts->changes->whole_of_side;
    const uint64_t *const *selfs = amounts->changes->self_of_side;
    amounts->base = (double)(amounts->is_of_row ? selfs[PV_SIDE_BASE][0] : sides[PV_SIDE_BASE]);
    amounts->newer = (double)(amounts->is_of_row ? selfs[PV_SIDE_NEW][0] : sides[PV_SIDE_NEW]);
}

/* Amounts of a signed measure in one profile: the net amount, and all that went either way as its
 * whole. */
static void
make_net (const PvCallTree *tree, Amounts *amounts)
{
    g_clear_pointer (&amounts->changes, pv_changes_free);
    amounts->newer -= amounts->base;
    amounts->base = 0;
    amounts->whole = (double)tree->total[0];
}

static void
sum_plain (PvMatcher *matcher, const PvCallTree *tree, const PvCallTree *focused, Amounts *amounts)
{
    amounts->whole = (double)tree->total[0];
    if (matcher == NULL || focused != NULL) {
        amounts->newer = (double)(focused != NULL ? focused : tree)->total[0];
        return;
    }
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    for (uint32_t i = 0; i < list->n_rows; i++)
        if (pv_function_matches (tree->symbols, list->rows[i].function, matcher))
            amounts->newer += (double)list->rows[i].self;
}

static bool
find_amounts (const Check *check, const PvProfile *profile, const PvSymbolTable *symbols,
              const PvQuery *query, Amounts *amounts, GError **error)
{
    g_autoptr (PvMatcher) matcher = NULL;
    g_autoptr (PvCallTree) focused = NULL;
    *amounts = (Amounts){0};
    g_autoptr (PvCallTree) tree = build_tree (check, profile, symbols, query, false, error);
    if (tree == NULL)
        return false;
    if (check->expression != NULL &&
        (matcher = pv_matcher_new (check->expression, false, error)) == NULL)
        return false;
    if (check->expression != NULL && !check->is_self &&
        (focused = build_tree (check, profile, symbols, query, true, error)) == NULL)
        return false;
    if (pv_changes_can_sum (tree)) {
        sum_sides (matcher, tree, focused, amounts);
        if (profile->compared == NULL)
            make_net (tree, amounts);
    } else {
        sum_plain (matcher, tree, focused, amounts);
    }
    if (matcher == NULL || !pv_matcher_gave_up (matcher))
        return true;
    pv_matcher_set_slow (check->expression, error);
    return false;
}

/* --- judging --- */

static bool
holds (const Check *check, double value)
{
    switch (check->sign) {
    case SIGN_LESS:
        return value < check->limit;
    case SIGN_AT_MOST:
        return value <= check->limit;
    case SIGN_MORE:
        return value > check->limit;
    case SIGN_AT_LEAST:
        return value >= check->limit;
    }
    return false;
}

/* In percent, or in the measure's unit. */
static double
find_value (const Check *check, const Amounts *amounts)
{
    double amount = check->is_delta ? amounts->newer - amounts->base : amounts->newer;
    double whole = check->is_delta ? amounts->base : amounts->whole;
    if (!check->is_percent)
        return amount;
    return amount == 0 ? 0 : amount / whole * 100; /* from nothing, growth has no limit */
}

/* The interval of newer - factor * base. */
static PvInterval
find_interval (const Amounts *amounts, double factor)
{
    return amounts->is_of_row ? pv_changes_find_interval (amounts->changes, 0, true, factor)
                              : pv_changes_find_whole_interval (amounts->changes, factor);
}

/* No ratio is told beyond that. */
#define MAX_RATIO 1e6

/* The ratio of new to base from which on newer is surely less, or up to which it is surely more. */
static double
find_ratio (const Amounts *amounts, bool is_high)
{
    double low = 0, high = MAX_RATIO;
    for (unsigned i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        PvInterval interval = find_interval (amounts, middle);
        if (is_high ? interval.high >= 0 : interval.low > 0)
            low = middle;
        else
            high = middle;
    }
    return is_high && high >= MAX_RATIO ? INFINITY : low;
}

/* The interval of the value, if it is the change of an amount that is uncertain. */
static void
find_limits (const Check *check, const Amounts *amounts, PvJudgement *judgement)
{
    judgement->low = judgement->high = judgement->value;
    judgement->is_exact = !check->is_delta || amounts->changes == NULL ||
                          amounts->changes->noise == NULL ||
                          (amounts->base == 0 && amounts->newer == 0);
    if (judgement->is_exact)
        return;
    PvInterval interval = find_interval (amounts, 1);
    judgement->low = check->is_percent ? (find_ratio (amounts, false) - 1) * 100 : interval.low;
    judgement->high = check->is_percent ? (find_ratio (amounts, true) - 1) * 100 : interval.high;
}

static PvCheckResult
judge (const Check *check, const PvJudgement *judgement)
{
    if (holds (check, judgement->low) != holds (check, judgement->high))
        return PV_CHECK_UNKNOWN;
    return holds (check, judgement->value) ? PV_CHECK_HOLDS : PV_CHECK_BROKEN;
}

/* How many times as much has to be recorded until the interval is on one side of the limit: it
 * shrinks with the square root. */
static double
find_times_needed (const Check *check, const Amounts *amounts)
{
    double factor = check->is_percent ? 1 + check->limit / 100 : 1;
    double limit = check->is_percent ? 0 : check->limit;
    PvInterval interval = find_interval (amounts, factor);
    double distance = amounts->newer - factor * amounts->base - limit;
    double width =
        distance > 0 ? distance - (interval.low - limit) : interval.high - limit - distance;
    return distance != 0 ? (width / distance) * (width / distance) : INFINITY;
}

/* --- words --- */

static char *
format_value (const Check *check, double value, PvUnit unit)
{
    if (check->is_percent && isinf (value))
        return g_strdup (C_ ("change", "new"));
    if (check->is_percent) {
        g_autofree char *number = pv_format_decimals (fabs (value), 2);
        const char *sign = value < 0 ? "−" : check->is_delta && value > 0 ? "+" : "";
        return g_strdup_printf ("%s%s %%", sign, number);
    }
    return check->is_delta || value < 0 ? pv_format_signed_amount (pv_round_amount (value), unit)
                                        : pv_format_amount ((uint64_t)value, unit);
}

/* An end of an interval that has none is more than any number. */
static char *
format_end (const Check *check, double value, PvUnit unit)
{
    return isinf (value) ? g_strdup ("∞") : format_value (check, value, unit);
}

/* "34.00 %, between 28.11 % and 40.02 %" */
static char *
describe_value (const Check *check, const PvJudgement *judgement)
{
    g_autofree char *value = format_value (check, judgement->value, judgement->unit);
    if (judgement->is_exact)
        return g_steal_pointer (&value);
    g_autofree char *low = format_end (check, judgement->low, judgement->unit);
    g_autofree char *high = format_end (check, judgement->high, judgement->unit);
    /* Translators: an amount, and the ends of the interval in which it truly is. */
    return g_strdup_printf (_ ("%s, between %s and %s"), value, low, high);
}

enum { MAX_TIMES_TOLD = 1000 };

static char *
describe_need (const Check *check, const Amounts *amounts)
{
    double times = find_times_needed (check, amounts);
    if (times > MAX_TIMES_TOLD)
        return g_strdup (_ ("more than 1,000 times as many samples, or runs, would be needed"));
    int rounded = MAX ((int)ceil (times), 2);
    if (pv_noise_has_runs (amounts->changes->noise))
        /* Translators: about so many times as many as there are. */
        return g_strdup_printf (ngettext ("about %d time as many runs of each side would tell",
                                          "about %d times as many runs of each side would tell",
                                          rounded),
                                rounded);
    /* Translators: about so many times as much. */
    return g_strdup_printf (
        ngettext ("about %d time as many samples, or runs of each side, would tell",
                  "about %d times as many samples, or runs of each side, would tell", rounded),
        rounded);
}

static char *
describe (const Check *check, const char *condition, const Amounts *amounts,
          const PvJudgement *judgement)
{
    g_autofree char *value = describe_value (check, judgement);
    if (judgement->result == PV_CHECK_HOLDS)
        /* Translators: a condition, and the value that meets it. */
        return g_strdup_printf (_ ("check holds: %s (it is %s)"), condition, value);
    if (judgement->result == PV_CHECK_BROKEN)
        /* Translators: a condition, and the value that does not meet it. */
        return g_strdup_printf (_ ("check failed: %s (it is %s)"), condition, value);
    g_autofree char *need = describe_need (check, amounts);
    /* Translators: a condition, a value that may meet it, and what would decide. */
    return g_strdup_printf (_ ("check cannot be told: %s (it is %s; %s)"), condition, value, need);
}

bool
pv_check_judge (const char *condition, const PvProfile *profile, const PvSymbolTable *symbols,
                const PvQuery *query, PvJudgement *ret_judgement, GError **error)
{
    g_assert (condition != NULL && profile != NULL && ret_judgement != NULL);
    g_auto (Check) check;
    g_auto (Amounts) amounts = {0};
    *ret_judgement = (PvJudgement){0};
    if (!parse (condition, &check, error))
        return false;
    PvUnit unit = pv_profile_has_weights (profile, query->measure)
                      ? profile->measures[query->measure].unit
                      : PV_UNIT_COUNT;
    if (check.has_unit && check.unit != unit) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     _ ("--check: “%s” does not have the unit of the measure"), condition);
        return false;
    }
    if (check.is_delta && profile->compared == NULL) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     _ ("--check: “%s” needs a comparison: --diff"), condition);
        return false;
    }
    if (!find_amounts (&check, profile, symbols, query, &amounts, error))
        return false;
    PvJudgement judgement = {.value = find_value (&check, &amounts),
                             .is_percent = check.is_percent,
                             .unit = unit,
                             .limit = check.limit};
    find_limits (&check, &amounts, &judgement);
    judgement.result = judge (&check, &judgement);
    judgement.text = describe (&check, condition, &amounts, &judgement);
    *ret_judgement = judgement;
    return true;
}

void
pv_judgement_clear (PvJudgement *judgement)
{
    g_clear_pointer (&judgement->text, g_free);
}
