/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function that only the base has and one that only the new side has are one if they are in the
 * same module and have signs of that in common, of which these count:
 *
 * - name: it ends the same;
 * - callers: four fifths of it are called by the same functions;
 * - callees: so is what it calls;
 * - file, by its name;
 * - lines: the lines that cost, counted from its declaration;
 * - code: the distances of the instructions that cost.
 *
 * With the same end of the name two other signs do, one of them lines or code, or similar amounts,
 * the callers and the file; where files are not known, the callers and most of the name. Else
 * amounts must be similar, the callers the same, the file not another one, and of the other signs
 * two must agree, one of them lines, code or callees: a function that takes the place of another
 * one has the same callers and file, too. Callers and callees that only one side has count neither
 * for it nor against it, until they are found to be one. Where several functions are as much alike,
 * none is joined.
 */
#include "core/analyze/renames/renames.h"

#include <math.h>
#include <string.h>

#include "core/analyze/renames/alike.h"
#include "core/analyze/renames/traits.h"
#include "core/base/search.h"

enum {
    MAX_CANDIDATES = 4000, /* of each side, the largest ones */
    MAX_COMPARED = 200,    /* of these, compared with all, not only with those whose name ends so */
    MAX_LIKE = 32,         /* of a side, with the same end of the name, the largest ones */
    MAX_INLINED = 1000,
    MAX_ROUNDS = 16,
    MIN_SAMPLES = 20,    /* fewer say little on callers, and chance leaves out a side */
    MIN_OF_EXACT = 1000, /* the part of the whole that counts, where amounts are exact */
    MIN_LINES = 3,       /* that agree */
    MIN_INSTRUCTIONS = 4,
    MAX_TRAITS = 4096, /* of a kind that are compared */
    MAX_HOT = 3,       /* instructions tried as the same one */
};

#define SAME                0.8  /* part of callers or callees that makes them the same */
#define MAY_BE              0.6  /* the part that must not be of others */
#define MOSTLY              0.6  /* part of two names that makes them alike */
#define TELLING             0.05 /* part of all that makes a line count */
#define MAX_FACTOR          2.0  /* between similar amounts */
#define MAX_FACTOR_OF_NAMED 8.0
#define SURE                100.0 /* score of the same name, file and line */
#define LEAD                0.25  /* by which the best pair leads */

/* Callers and callees that only one side has. */
#define UNKNOWN UINT32_MAX

typedef struct {
    uint32_t of_side[PV_N_SIDES]; /* candidates */
    unsigned likeness;
    double score;
} Pair;

typedef struct {
    uint64_t end;    /* hash, with the module */
    uint32_t number; /* in of_side */
} NamedCandidate;

/* By end, then by size; no more than MAX_LIKE with the same end. */
typedef PV_ARRAY (NamedCandidate) NamedCandidates;

typedef struct {
    PvTraits traits;
    PvFunctionId *now_of; /* by function of the base: the one of the new side that it is, or 0 */
    bool *is_paired;      /* by function of either side */
    double *share_of;     /* by function, for one comparison at a time */
    PV_ARRAY (uint32_t) of_side[PV_N_SIDES]; /* candidates that only this side has, by size */
    uint64_t *end_of_candidate; /* hash of the end of its name, with the module; 0: it has none */
    NamedCandidates by_end[PV_N_SIDES], by_long_end[PV_N_SIDES];
    bool *has_pair; /* by candidate, in this round */
    PV_ARRAY (PvFate) fates;
    const bool *is_one_build; /* by module */
} Finding;

/* --- signs --- */

static bool
is_on_both (unsigned presence)
{
    return ((presence | presence >> 2) & 3) == 3;
}

static PvFunctionId
get_candidate (const Finding *self, uint32_t candidate)
{
    return self->traits.candidates.data[candidate];
}

static double
get_total (const Finding *self, uint32_t candidate, PvSide side)
{
    return self->traits.total_of_function[side][get_candidate (self, candidate)];
}

/* The function as the new side has it. */
static PvFunctionId
find_joined (const Finding *self, PvFunctionId function)
{
    if (function == 0 || is_on_both (self->traits.presence_of_function[function]))
        return function;
    if (!self->is_paired[function])
        return UNKNOWN;
    return self->now_of[function] != 0 ? self->now_of[function] : function;
}

/* How much two sides have in common, as parts of what each has. */
typedef struct {
    double known;    /* the same functions */
    double possible; /* with those that may be the same */
    uint32_t n_telling;
} Common;

/* The sum of the smaller shares of callers or callees. rest_of_side: what else the whole has. */
static Common
compare_calls (Finding *self, const Pair *pair, PvTraitKind kind, const double *rest_of_side)
{
    Common common = {0};
    double unknown_of_side[PV_N_SIDES] = {0}, whole_of_side[PV_N_SIDES];
    const PvTrait *traits[PV_N_SIDES];
    uint32_t n[PV_N_SIDES];
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        traits[side] = pv_traits_get (&self->traits, pair->of_side[side], side, kind, &n[side]);
        whole_of_side[side] = MAX (rest_of_side[side], 0);
        for (uint32_t i = 0; i < n[side]; i++)
            whole_of_side[side] += traits[side][i].weight;
    }
    if (whole_of_side[PV_SIDE_BASE] <= 0 || whole_of_side[PV_SIDE_NEW] <= 0)
        return common;
    common.possible = MIN (rest_of_side[PV_SIDE_BASE] / whole_of_side[PV_SIDE_BASE],
                           rest_of_side[PV_SIDE_NEW] / whole_of_side[PV_SIDE_NEW]);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        for (uint32_t i = 0; i < n[side]; i++) {
            PvFunctionId function = find_joined (self, (PvFunctionId)traits[side][i].key);
            double share = traits[side][i].weight / whole_of_side[side];
            if (function == UNKNOWN) {
                unknown_of_side[side] += share;
            } else if (side == PV_SIDE_BASE) {
                self->share_of[function] += share;
            } else {
                double both = MIN (self->share_of[function], share);
                common.known += both;
                common.n_telling += both >= TELLING;
            }
        }
    for (uint32_t i = 0; i < n[PV_SIDE_BASE]; i++) {
        PvFunctionId function = find_joined (self, (PvFunctionId)traits[PV_SIDE_BASE][i].key);
        if (function != UNKNOWN)
            self->share_of[function] = 0;
    }
    common.possible +=
        common.known + MIN (unknown_of_side[PV_SIDE_BASE], unknown_of_side[PV_SIDE_NEW]);
    return common;
}

static double
sum_weights (const PvTrait *traits, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += traits[i].weight;
    return sum;
}

/* The sum of the smaller shares of places, those of b moved by the distance. */
static Common
compare_places (const PvTrait *a, uint32_t n_a, const PvTrait *b, uint32_t n_b, int64_t distance)
{
    Common common = {0};
    const double sum_a = sum_weights (a, n_a), sum_b = sum_weights (b, n_b);
    for (uint32_t i = 0, k = 0; i < n_a && k < n_b;) {
        /* Addresses of a hostile file may wrap. */
        const int64_t moved = (int64_t)((uint64_t)b[k].key + (uint64_t)distance);
        if (a[i].key < moved) {
            i++;
        } else if (a[i].key > moved) {
            k++;
        } else {
            double both = MIN (a[i].weight / sum_a, b[k].weight / sum_b);
            i++;
            k++;
            common.known += both;
            common.n_telling += both >= TELLING / 2;
        }
    }
    return common;
}

/* True if places agree better than by chance: a few of them well, or more of them, as few samples
 * do not hit all. */
static bool
is_same_place (const Common *common, uint32_t n_least)
{
    return (common->known >= SAME && common->n_telling >= n_least) ||
           (common->known >= MAY_BE && common->n_telling >= n_least + n_least / 2);
}

static void
get_places (const Finding *self, const Pair *pair, PvTraitKind kind, const PvTrait **ret_traits,
            uint32_t *ret_n)
{
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        ret_traits[side] =
            pv_traits_get (&self->traits, pair->of_side[side], side, kind, &ret_n[side]);
        ret_n[side] = MIN (ret_n[side], MAX_TRAITS);
    }
}

static bool
has_same_lines (const Finding *self, const Pair *pair)
{
    const PvTrait *traits[PV_N_SIDES];
    uint32_t n[PV_N_SIDES];
    get_places (self, pair, PV_TRAIT_LINE, traits, n);
    Common common = compare_places (traits[PV_SIDE_BASE], n[PV_SIDE_BASE], traits[PV_SIDE_NEW],
                                    n[PV_SIDE_NEW], 0);
    return is_same_place (&common, MIN_LINES);
}

/* The places with most weight. */
static uint32_t
find_hot (const PvTrait *traits, uint32_t n, uint32_t *ret_places)
{
    uint32_t n_hot = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = n_hot;
        while (k > 0 && traits[ret_places[k - 1]].weight < traits[i].weight)
            k--;
        if (k == MAX_HOT)
            continue;
        n_hot = MIN (n_hot + 1, MAX_HOT);
        memmove (&ret_places[k + 1], &ret_places[k], (n_hot - 1 - k) * sizeof *ret_places);
        ret_places[k] = i;
    }
    return n_hot;
}

static bool
has_same_code (const Finding *self, const Pair *pair)
{
    const PvTrait *traits[PV_N_SIDES];
    uint32_t n[PV_N_SIDES], hot[PV_N_SIDES][MAX_HOT], n_hot[PV_N_SIDES];
    get_places (self, pair, PV_TRAIT_CODE, traits, n);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        n_hot[side] = find_hot (traits[side], n[side], hot[side]);
    const PvTrait *base = traits[PV_SIDE_BASE], *newer = traits[PV_SIDE_NEW];
    for (uint32_t i = 0; i < n_hot[PV_SIDE_BASE]; i++)
        for (uint32_t k = 0; k < n_hot[PV_SIDE_NEW]; k++) {
            uint64_t distance =
                (uint64_t)base[hot[PV_SIDE_BASE][i]].key - (uint64_t)newer[hot[PV_SIDE_NEW][k]].key;
            Common common =
                compare_places (base, n[PV_SIDE_BASE], newer, n[PV_SIDE_NEW], (int64_t)distance);
            if (is_same_place (&common, MIN_INSTRUCTIONS))
                return true;
        }
    return false;
}

/* By how much amounts differ, as they are, or as parts of their sides: the smaller one. */
static double
find_factor (const Finding *self, const Pair *pair)
{
    const double *whole = self->traits.whole_of_side;
    double ratio = get_total (self, pair->of_side[PV_SIDE_NEW], PV_SIDE_NEW) /
                   get_total (self, pair->of_side[PV_SIDE_BASE], PV_SIDE_BASE);
    double of_parts = ratio * whole[PV_SIDE_BASE] / whole[PV_SIDE_NEW];
    return exp (MIN (fabs (log (ratio)), fabs (log (of_parts))));
}

/* True for functions of libraries that nobody renames, but that replace one another. */
static bool
is_of_library (const PvFunction *function)
{
    static const char *const starts[] = {"std::", "__gnu_cxx::", "core::", "alloc::", "boost::"};
    for (size_t i = 0; i < G_N_ELEMENTS (starts); i++)
        if (g_str_has_prefix (function->name, starts[i]))
            return true;
    return false;
}

/* True if functions with the same end of the name are one: in another file, or of other classes, it
 * is what another function does in its place. */
static bool
is_same_named (unsigned likeness, int files, double factor, const PvFunction *a,
               const PvFunction *b)
{
    const int n_others = __builtin_popcount (likeness & ~(unsigned)PV_LIKE_NAME);
    if ((likeness & (PV_LIKE_LINES | PV_LIKE_CODE)) != 0)
        return n_others >= 2 && factor <= MAX_FACTOR_OF_NAMED;
    if (factor > MAX_FACTOR || (likeness & PV_LIKE_CALLERS) == 0)
        return false;
    if (files >= 0)
        return files == 1 && n_others >= 2;
    return pv_alike_get_common (a, b) >= MOSTLY && !is_of_library (a) && !is_of_library (b);
}

/* True if the signs make two functions one. */
static bool
is_enough (unsigned likeness, int files, double factor, const Common *callees)
{
    static const unsigned inside = PV_LIKE_CALLEES | PV_LIKE_LINES | PV_LIKE_CODE;
    const int n_others = __builtin_popcount (likeness);
    if (factor > MAX_FACTOR || files == 0 || (likeness & PV_LIKE_CALLERS) == 0 ||
        (likeness & inside) == 0)
        return false;
    /* Where files are not known, code is as good as two signs, and so are several callees. */
    const bool has_callees = callees->n_telling > 1 && callees->known >= SAME;
    return n_others >= 3 || (files < 0 && ((likeness & PV_LIKE_CODE) != 0 || has_callees));
}

static bool
has_same_end (const Finding *self, const Pair *pair)
{
    const uint64_t end = self->end_of_candidate[pair->of_side[PV_SIDE_BASE]];
    return end != 0 && end == self->end_of_candidate[pair->of_side[PV_SIDE_NEW]];
}

/* Finds the signs that two functions are one. False: there are too few. */
static bool
compare_pair (Finding *self, Pair *pair)
{
    static const double no_rest[PV_N_SIDES];
    const PvFunctionId base = get_candidate (self, pair->of_side[PV_SIDE_BASE]);
    const PvFunctionId newer = get_candidate (self, pair->of_side[PV_SIDE_NEW]);
    const PvFunction *a = &self->traits.symbols->functions[base];
    const PvFunction *b = &self->traits.symbols->functions[newer];
    const double self_of_side[] = {self->traits.self_of_function[PV_SIDE_BASE][base],
                                   self->traits.self_of_function[PV_SIDE_NEW][newer]};
    if (a->module != b->module)
        return false;
    if (pv_alike_but_parameters (a, b)) {
        pair->likeness = PV_LIKE_NAME;
        pair->score = SURE;
        return true;
    }
    const double factor = find_factor (self, pair);
    if (!(factor <= MAX_FACTOR_OF_NAMED))
        return false;
    Common callers = compare_calls (self, pair, PV_TRAIT_CALLER, no_rest);
    Common callees = compare_calls (self, pair, PV_TRAIT_CALLEE, self_of_side);
    const int files = pv_alike_files (a, b);
    const bool is_named = has_same_end (self, pair);
    /* Callees may be inlined on one side only. */
    if (callers.possible < MAY_BE || callees.possible < (is_named ? 1 - SAME : MAY_BE))
        return false;
    const bool has_callees = callees.known >= 1 - SAME && callees.possible >= SAME;
    pair->likeness = (is_named ? PV_LIKE_NAME : 0) | (callers.known >= SAME ? PV_LIKE_CALLERS : 0) |
                     (has_callees ? PV_LIKE_CALLEES : 0) | (files == 1 ? PV_LIKE_FILE : 0) |
                     (has_same_lines (self, pair) ? PV_LIKE_LINES : 0) |
                     (has_same_code (self, pair) ? PV_LIKE_CODE : 0);
    if (is_named ? !is_same_named (pair->likeness, files, factor, a, b)
                 : !is_enough (pair->likeness, files, factor, &callees))
        return false;
    pair->score = __builtin_popcount (pair->likeness) + callers.known + callees.possible +
                  pv_alike_get_common (a, b);
    return true;
}

/* --- pairs --- */

typedef PV_ARRAY (Pair) Pairs;

static bool
is_free (const Finding *self, const Pair *pair)
{
    return !self->is_paired[get_candidate (self, pair->of_side[PV_SIDE_BASE])] &&
           !self->is_paired[get_candidate (self, pair->of_side[PV_SIDE_NEW])];
}

/* The scores of a candidate's best two pairs. */
typedef struct {
    double best, second;
} Scores;

/* By candidate; g_free () it. */
static Scores *
find_scores (const Finding *self, const Pairs *pairs)
{
    Scores *scores = g_new0 (Scores, MAX (self->traits.candidates.len, 1));
    for (size_t i = 0; i < pairs->len; i++)
        for (PvSide side = 0; side < PV_N_SIDES; side++) {
            Scores *of = &scores[pairs->data[i].of_side[side]];
            const double score = pairs->data[i].score;
            of->second = MAX (of->second, MIN (of->best, score));
            of->best = MAX (of->best, score);
        }
    return scores;
}

/* True if both functions are by far more like each other than any other one. */
static bool
is_clear (const Scores *scores, const Pair *pair)
{
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        const Scores *of = &scores[pair->of_side[side]];
        if (pair->score < of->best || of->best - of->second < LEAD)
            return false;
    }
    return true;
}

/* Functions whose names are only written in two ways have no likeness to tell of. */
static unsigned
find_told (const Finding *self, const Pair *pair)
{
    const PvFunction *functions = self->traits.symbols->functions;
    return pv_alike_but_parameters (&functions[get_candidate (self, pair->of_side[PV_SIDE_BASE])],
                                    &functions[get_candidate (self, pair->of_side[PV_SIDE_NEW])])
               ? 0
               : pair->likeness;
}

static void
take_pair (Finding *self, const Pair *pair)
{
    PvFate fate = {.function = get_candidate (self, pair->of_side[PV_SIDE_NEW]),
                   .was = get_candidate (self, pair->of_side[PV_SIDE_BASE]),
                   .likeness = find_told (self, pair)};
    self->is_paired[fate.function] = self->is_paired[fate.was] = true;
    self->now_of[fate.was] = fate.function;
    pv_array_push (&self->fates, fate);
}

static int
compare_named (const void *a, const void *b)
{
    const NamedCandidate *x = a, *y = b;
    return x->end != y->end ? pv_order (x->end, y->end) : pv_order (x->number, y->number);
}

/* By candidate. g_free () it. */
static uint64_t *
find_ends (const Finding *self, bool is_long)
{
    const PvFunction *functions = self->traits.symbols->functions;
    uint64_t *ends = g_new0 (uint64_t, MAX (self->traits.candidates.len, 1));
    for (size_t i = 0; i < self->traits.candidates.len; i++) {
        const PvFunction *function = &functions[self->traits.candidates.data[i]];
        g_autofree char *end = pv_alike_make_end (function, is_long);
        if (end != NULL)
            ends[i] = pv_hash_bytes (end, strlen (end), function->module).a;
    }
    return ends;
}

static void
list_named (const Finding *self, const uint64_t *end_of_candidate, NamedCandidates *lists)
{
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        NamedCandidates *list = &lists[side];
        for (size_t i = 0; i < self->of_side[side].len; i++) {
            NamedCandidate named = {end_of_candidate[self->of_side[side].data[i]], (uint32_t)i};
            if (named.end != 0)
                pv_array_push (list, named);
        }
        pv_array_sort (list, compare_named);
        size_t n_kept = 0, n_like = 0;
        for (size_t i = 0; i < list->len; i++) {
            n_like = i > 0 && list->data[i].end == list->data[i - 1].end ? n_like + 1 : 1;
            if (n_like <= MAX_LIKE)
                list->data[n_kept++] = list->data[i];
        }
        list->len = n_kept;
    }
}

/* Compares the i'th candidate of the base with the k'th of the new side. */
static void
add_pair (Finding *self, Pairs *pairs, size_t i, size_t k)
{
    Pair pair = {
        .of_side = {self->of_side[PV_SIDE_BASE].data[i], self->of_side[PV_SIDE_NEW].data[k]}};
    if (is_free (self, &pair) && compare_pair (self, &pair))
        pv_array_push (pairs, pair);
}

/* Compares the largest candidates of both sides, whatever they are called. */
static void
add_large (Finding *self, Pairs *pairs, PvJob *job)
{
    size_t n_of_side[PV_N_SIDES];
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        n_of_side[side] = MIN (self->of_side[side].len, (size_t)MAX_COMPARED);
    for (size_t i = 0; i < n_of_side[PV_SIDE_BASE] && pv_job_check (job, NULL); i++)
        for (size_t k = 0; k < n_of_side[PV_SIDE_NEW]; k++)
            add_pair (self, pairs, i, k);
}

static void
mark_paired (Finding *self, const Pairs *pairs)
{
    for (size_t i = 0; i < pairs->len; i++)
        for (PvSide side = 0; side < PV_N_SIDES; side++)
            self->has_pair[pairs->data[i].of_side[side]] = true;
}

/* Compares candidates whose names end alike, and that are not marked as paired. */
static void
add_named (Finding *self, Pairs *pairs, const NamedCandidates *lists, PvJob *job)
{
    const NamedCandidates *list = &lists[PV_SIDE_NEW];
    size_t first = 0;
    for (size_t i = 0; i < lists[PV_SIDE_BASE].len && pv_job_check (job, NULL); i++) {
        const NamedCandidate base = lists[PV_SIDE_BASE].data[i];
        while (first < list->len && list->data[first].end < base.end)
            first++;
        for (size_t k = first; k < list->len && list->data[k].end == base.end; k++) {
            const size_t number = list->data[k].number;
            if (!self->has_pair[self->of_side[PV_SIDE_BASE].data[base.number]] &&
                !self->has_pair[self->of_side[PV_SIDE_NEW].data[number]] &&
                (base.number >= MAX_COMPARED || number >= MAX_COMPARED))
                add_pair (self, pairs, base.number, number);
        }
    }
}

/* One round over all candidates that are left. Returns how many pairs were found. */
static size_t
find_round (Finding *self, PvJob *job)
{
    Pairs pairs = {0};
    const size_t n_before = self->fates.len;
    memset (self->has_pair, 0, self->traits.candidates.len * sizeof *self->has_pair);
    add_large (self, &pairs, job);
    add_named (self, &pairs, self->by_long_end, job);
    mark_paired (self, &pairs);
    add_named (self, &pairs, self->by_end, job);
    g_autofree Scores *scores = find_scores (self, &pairs);
    for (size_t i = 0; i < pairs.len; i++)
        if (is_clear (scores, &pairs.data[i]))
            take_pair (self, &pairs.data[i]);
    pv_array_clear (&pairs);
    return self->fates.len - n_before;
}

/* Callers and callees may have been found to be one later. */
static void
renew_likeness (Finding *self)
{
    const uint32_t *candidate_of = self->traits.candidate_of_function;
    for (size_t i = 0; i < self->fates.len; i++) {
        PvFate *fate = &self->fates.data[i];
        Pair pair = {.of_side = {candidate_of[fate->was] - 1, candidate_of[fate->function] - 1}};
        if (fate->likeness != 0 && compare_pair (self, &pair))
            fate->likeness = pair.likeness;
    }
}

/* --- moves --- */

/* The function that calls nearly all of a candidate on a side; 0: there are several. */
static PvFunctionId
find_only_caller (const Finding *self, uint32_t candidate, PvSide side)
{
    uint32_t n;
    const PvTrait *traits = pv_traits_get (&self->traits, candidate, side, PV_TRAIT_CALLER, &n);
    const double sum = sum_weights (traits, n);
    for (uint32_t i = 0; i < n; i++)
        if (traits[i].weight >= SAME * sum)
            return (PvFunctionId)traits[i].key;
    return 0;
}

static bool
has_enough (const Finding *self, PvFunctionId function, PvSide side)
{
    const PvTraits *traits = &self->traits;
    const double total = traits->total_of_function[side][function];
    return traits->sample_of_side[side] > 0
               ? total >= MIN_SAMPLES * traits->sample_of_side[side]
               : total >= MIN_SAMPLES && total >= traits->whole_of_side[side] / MIN_OF_EXACT;
}

/* One of the function's amounts on a side, with its name there. */
static double
get_amount (const Finding *self, double *const *amount_of_function, PvFunctionId function,
            PvSide side)
{
    double amount = amount_of_function[side][function];
    for (size_t i = 0; side == PV_SIDE_BASE && i < self->fates.len; i++)
        if (self->fates.data[i].function == function && self->fates.data[i].was != 0)
            amount += amount_of_function[side][self->fates.data[i].was];
    return amount;
}

/* True if amounts differ by no more than a quarter of the second one. */
static bool
is_near (double amount, double other)
{
    return amount >= other * 0.75 && amount <= other * 1.25;
}

/* A function that one side does not have, nearly all of it its own and called by one function,
 * whose own amount is larger there by as much, and its total the same: the function is part of that
 * one. */
static void
find_move (Finding *self, uint32_t candidate, PvSide side)
{
    const PvTraits *traits = &self->traits;
    const PvFunctionId function = get_candidate (self, candidate);
    const PvSide other = side == PV_SIDE_BASE ? PV_SIDE_NEW : PV_SIDE_BASE;
    PvFunctionId caller = find_joined (self, find_only_caller (self, candidate, side));
    const double own = traits->self_of_function[side][function];
    if (caller == 0 || caller == UNKNOWN ||
        traits->symbols->functions[caller].kind != PV_FUNCTION_NAMED ||
        own < SAME * get_total (self, candidate, side) ||
        traits->symbols->functions[caller].module != traits->symbols->functions[function].module)
        return;
    const double with = get_amount (self, traits->self_of_function, caller, other);
    const double without = get_amount (self, traits->self_of_function, caller, side);
    const double sample =
        MAX (traits->sample_of_side[PV_SIDE_BASE], traits->sample_of_side[PV_SIDE_NEW]);
    const double chance = 4 * sqrt (sample * (with + without));
    const double grown = with - without;
    if (grown < chance || !is_near (grown, own) ||
        !is_near (get_amount (self, traits->total_of_function, caller, other),
                  get_amount (self, traits->total_of_function, caller, side)))
        return;
    PvFate fate = {.function = function,
                   .move = side == PV_SIDE_BASE ? PV_MOVE_INTO : PV_MOVE_OUT_OF,
                   .place = caller};
    pv_array_push (&self->fates, fate);
}

static void
add_move (Finding *self, PvFunctionId function, PvMove move, PvFunctionId place)
{
    PvFate fate = {.function = function, .move = move, .place = place};
    for (size_t i = 0; i < self->fates.len; i++)
        if (self->fates.data[i].function == function) {
            self->fates.data[i].move = move;
            self->fates.data[i].place = place;
            return;
        }
    pv_array_push (&self->fates, fate);
}

/* True if a function is inlined on one side, and has its own frame on the other one. Strict: a
 * single stack that says otherwise is in doubt. */
static PvMove
get_inlining (unsigned presence)
{
    return presence == (PV_OF_BASE | PV_INLINED_IN_NEW)   ? PV_MOVE_INLINED
           : presence == (PV_OF_NEW | PV_INLINED_IN_BASE) ? PV_MOVE_NOT_INLINED
                                                          : PV_MOVE_NONE;
}

static void
find_inlining (Finding *self, PvFunctionId function, PvFunctionId was)
{
    const uint8_t *presence = self->traits.presence_of_function;
    const PvFunctionId base = was != 0 ? was : function;
    PvMove move = get_inlining (presence[function] | presence[base]);
    if (self->traits.telling_sides != (PV_OF_BASE | PV_OF_NEW) || move == PV_MOVE_NONE ||
        self->is_one_build[self->traits.symbols->functions[function].module] ||
        !has_enough (self, base, PV_SIDE_BASE) || !has_enough (self, function, PV_SIDE_NEW))
        return;
    const PvSide side = move == PV_MOVE_INLINED ? PV_SIDE_NEW : PV_SIDE_BASE;
    const uint32_t number =
        self->traits.candidate_of_function[side == PV_SIDE_NEW ? function : base];
    const PvFunctionId caller =
        number != 0 ? find_joined (self, find_only_caller (self, number - 1, side)) : 0;
    add_move (self, function, move, caller != UNKNOWN ? caller : 0);
}

/* The functions that others moved into or out of; of several, one is told. */
static void
add_others (Finding *self)
{
    const size_t n = self->fates.len;
    for (size_t i = 0; i < n; i++) {
        const PvFate fate = self->fates.data[i];
        bool has_fate = fate.place == 0;
        for (size_t k = 0; k < self->fates.len && !has_fate; k++)
            has_fate = self->fates.data[k].function == fate.place;
        if (!has_fate)
            add_move (self, fate.place,
                      fate.move == PV_MOVE_INLINED || fate.move == PV_MOVE_INTO ? PV_MOVE_TAKES
                                                                                : PV_MOVE_GIVES,
                      fate.function);
    }
}

static void
find_moves (Finding *self)
{
    const size_t n_pairs = self->fates.len;
    for (size_t i = 0; i < n_pairs; i++)
        find_inlining (self, self->fates.data[i].function, self->fates.data[i].was);
    for (size_t i = 0; i < self->traits.candidates.len; i++) {
        PvFunctionId function = get_candidate (self, (uint32_t)i);
        if (is_on_both (self->traits.presence_of_function[function]))
            find_inlining (self, function, 0);
    }
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        for (size_t i = 0; i < self->of_side[side].len; i++)
            if (!self->is_paired[get_candidate (self, self->of_side[side].data[i])])
                find_move (self, self->of_side[side].data[i], side);
    add_others (self);
}

/* --- the whole --- */

typedef struct {
    PvFunctionId function;
    const char *name; /* the order of functions is that of the files, that of names is not */
    double total;
} Sized;

static int
compare_totals (const void *a, const void *b)
{
    const Sized *x = a, *y = b;
    const int order =
        x->total != y->total ? pv_order (y->total, x->total) : strcmp (x->name, y->name);
    return order != 0 ? order : pv_order (x->function, y->function);
}

/* The side that a function with a name is only on; PV_N_SIDES: both, or none. */
static PvSide
get_only_side (const Finding *self, PvFunctionId function)
{
    const unsigned presence = self->traits.presence_of_function[function];
    if (self->traits.symbols->functions[function].kind != PV_FUNCTION_NAMED || presence == 0 ||
        is_on_both (presence) ||
        self->is_one_build[self->traits.symbols->functions[function].module])
        return PV_N_SIDES;
    return ((presence | presence >> 2) & PV_OF_BASE) != 0 ? PV_SIDE_BASE : PV_SIDE_NEW;
}

/* True if both sides have functions of their own, or some are inlined on one side only. */
static bool
has_any (const Finding *self)
{
    bool is_on_side[PV_N_SIDES] = {false}, is_inlined = false;
    for (PvFunctionId f = 1; f < self->traits.symbols->n_functions; f++) {
        const PvSide side = get_only_side (self, f);
        if (side < PV_N_SIDES)
            is_on_side[side] = true;
        is_inlined |= get_inlining (self->traits.presence_of_function[f]) != PV_MOVE_NONE;
    }
    return is_on_side[PV_SIDE_BASE] || is_on_side[PV_SIDE_NEW] || is_inlined;
}

static void
choose_candidates (Finding *self)
{
    PvTraits *traits = &self->traits;
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        PV_ARRAY (Sized) sized = {0};
        for (PvFunctionId f = 1; f < traits->symbols->n_functions; f++) {
            Sized row = {f, traits->symbols->functions[f].name, traits->total_of_function[side][f]};
            if (get_only_side (self, f) == side && has_enough (self, f, side))
                pv_array_push (&sized, row);
        }
        pv_array_sort (&sized, compare_totals);
        for (size_t i = 0; i < MIN (sized.len, MAX_CANDIDATES); i++) {
            pv_array_push (&self->of_side[side], (uint32_t)traits->candidates.len);
            pv_traits_add_candidate (traits, sized.data[i].function);
        }
        pv_array_clear (&sized);
    }
    size_t n_inlined = 0;
    for (PvFunctionId f = 1; f < traits->symbols->n_functions && n_inlined < MAX_INLINED; f++) {
        if (get_inlining (traits->presence_of_function[f]) == PV_MOVE_NONE ||
            !has_enough (self, f, PV_SIDE_BASE) || !has_enough (self, f, PV_SIDE_NEW))
            continue;
        pv_traits_add_candidate (traits, f);
        n_inlined++;
    }
}

static int
compare_fates (const void *a, const void *b)
{
    const PvFate *x = a, *y = b;
    return pv_order (x->function, y->function);
}

static bool
find (Finding *self, PvJob *job)
{
    const uint32_t n = MAX (self->traits.symbols->n_functions, 1);
    if (!pv_traits_weigh (&self->traits, job))
        return false;
    self->now_of = g_new0 (PvFunctionId, n);
    self->is_paired = g_new0 (bool, n);
    self->share_of = g_new0 (double, n);
    choose_candidates (self);
    if (self->traits.candidates.len == 0)
        return true;
    if (!pv_traits_gather (&self->traits, job))
        return false;
    self->has_pair = g_new0 (bool, self->traits.candidates.len);
    self->end_of_candidate = find_ends (self, false);
    g_autofree uint64_t *long_end_of_candidate = find_ends (self, true);
    list_named (self, self->end_of_candidate, self->by_end);
    list_named (self, long_end_of_candidate, self->by_long_end);
    for (unsigned i = 0; i < MAX_ROUNDS && find_round (self, job) > 0; i++)
        continue;
    renew_likeness (self);
    find_moves (self);
    pv_array_sort (&self->fates, compare_fates);
    return true;
}

bool
pv_renames_find (const PvProfile *compared, PvSymbolTable *symbols,
                 const uint8_t *sides_of_location, const bool *is_one_build, PvJob *job,
                 GError **error)
{
    g_assert (compared != NULL && symbols != NULL && is_one_build != NULL);
    Finding self = {.is_one_build = is_one_build};
    if (compared->n_pairs == 0)
        return true;
    bool is_done = true;
    pv_traits_init (&self.traits, compared, symbols, sides_of_location);
    if (has_any (&self))
        is_done = find (&self, job);
    const uint32_t n = (uint32_t)self.fates.len;
    if (is_done && n > 0)
        pv_symbol_table_take_fates (symbols, pv_array_steal (&self.fates), n);
    pv_traits_clear (&self.traits);
    g_free (self.now_of);
    g_free (self.is_paired);
    g_free (self.share_of);
    g_free (self.end_of_candidate);
    g_free (self.has_pair);
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        pv_array_clear (&self.of_side[side]);
        pv_array_clear (&self.by_end[side]);
        pv_array_clear (&self.by_long_end[side]);
    }
    pv_array_clear (&self.fates);
    return pv_job_check (job, error);
}
