/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stacks come after their parents, so that one loop tells for each of them the classes of all its
 * frames. Only stacks with frames of a class that costs enough are then walked, from the leaf to
 * the nearest function that may be blamed.
 */
#include "core/analyze/findings/finding-pass.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/analyze/findings/finding-classes.h"
#include "core/analyze/findings/finding-holder.h"
#include "core/analyze/findings/finding-weights.h"
#include "core/base/large.h"

enum {
    ITEMS_PER_CHECK = 1 << 16,
    N_BLOCKS = 64, /* of time, each with as much weight */
    MAX_FOCUSED = 30,
    MAX_NAMED = 2,
};

/* Shares of the amount: a function or thread with less is not named in the sentence. */
#define LEAST_NAMED  0.15
#define LEAST_BLAMED 0.20
#define LEAST_HOLDER 0.50
#define ALL          0.9995 /* rounded to 100 % */
/* Shares that findings have in common: others take the place of a broad one that they are so much
 * of; any two with nearly all are of the same stacks. */
#define MOST_OF_BROAD 0.6
#define NEARLY_ALL    0.9

#define LEAST_COST 0.02

typedef struct {
    uint64_t amount;
    uint64_t n_samples;  /* where they are known one by one */
    uint64_t *by_member; /* by function of the class: the one nearest to who is blamed */
    uint64_t *by_blamed; /* by function; 0: nobody */
    double of_block[N_BLOCKS];
} Sums;

typedef struct {
    const PvFindingContext *context;
    const PvFindingRule *const *rules;
    unsigned n_rules;
    const PvFunctionBits *bits; /* by function */
    uint64_t scope_bits, leaf_bits, user_bits, physical_bits, excluding_bits, unblamed_bits;
    uint64_t call_bits;
    PvMeasureId measure;
    PvFindingWeights weights;
    uint64_t *bits_of_stack;
    uint64_t told; /* rules that cost enough */
    Sums sums[PV_MAX_CLASSES];
} Pass;

/* --- classes of stacks --- */

/* The classes that a location's frames give to all stacks with it, and to those that end there. */
typedef struct {
    uint64_t anywhere, at_leaf;
    uint64_t leaves; /* rules that stacks count for that end there */
} LocationBits;

static LocationBits
find_location_bits (const Pass *pass, PvLocationId location)
{
    const PvProfile *profile = pass->context->profile;
    LocationBits bits = {.leaves = pass->bits[0].leaves};
    uint32_t n_frames;
    const PvFrame *chain = pv_symbol_table_frames (pass->context->symbols, location, &n_frames);
    /* Names alone do not tell which functions are inlined. */
    const bool is_told = profile->kind_of_location[location] != PV_LOCATION_NAMED;
    for (uint32_t i = 0; i < n_frames; i++) {
        const bool is_physical = is_told && !chain[i].is_inlined;
        const uint64_t none =
            (is_physical ? 0 : pass->physical_bits) | (chain[i].is_inlined ? pass->call_bits : 0);
        const uint64_t of_frame = pass->bits[chain[i].function].classes & ~none;
        bits.anywhere |= of_frame & ~pass->leaf_bits;
        if (i == 0) {
            bits.at_leaf = of_frame & pass->leaf_bits;
            bits.leaves = pass->bits[chain[i].function].leaves;
        }
    }
    if (profile->modules[profile->module_of_location[location]].is_kernel)
        bits.at_leaf |= pass->user_bits; /* to be taken away */
    return bits;
}

static bool
find_stack_bits (Pass *pass)
{
    const PvProfile *profile = pass->context->profile;
    g_autofree LocationBits *of_location =
        pv_new_large (LocationBits, MAX (profile->n_locations, 1));
    pass->bits_of_stack = pv_new0_large (uint64_t, MAX (profile->n_stacks, 1));
    of_location[0] = (LocationBits){.leaves = pass->bits[0].leaves};
    for (PvLocationId l = 1; l < profile->n_locations; l++)
        of_location[l] = find_location_bits (pass, l);
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        if (s % ITEMS_PER_CHECK == 0 && pv_job_is_cancelled (pass->context->job))
            return false;
        pass->bits_of_stack[s] = pass->bits_of_stack[profile->parent_of_stack[s]] |
                                 of_location[profile->location_of_stack[s]].anywhere;
    }
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        const LocationBits *at = &of_location[profile->location_of_stack[s]];
        if ((pass->bits_of_stack[s] & pass->excluding_bits) != 0) {
            pass->bits_of_stack[s] = 0;
            continue;
        }
        pass->bits_of_stack[s] &= ~(at->at_leaf & pass->user_bits);
        pass->bits_of_stack[s] |= at->at_leaf & pass->leaf_bits;
        pass->bits_of_stack[s] &= pass->scope_bits & at->leaves;
    }
    return true;
}

static void
sum_classes (Pass *pass)
{
    for (PvStackId s = 1; s < pass->context->profile->n_stacks; s++)
        for (uint64_t left = pass->weights.of_stack[s] > 0 ? pass->bits_of_stack[s] : 0; left != 0;
             left &= left - 1)
            pass->sums[__builtin_ctzll (left)].amount += pass->weights.of_stack[s];
    for (unsigned r = 0; r < pass->n_rules; r++) {
        const double least = MAX (pass->rules[r]->least, LEAST_COST) * (double)pass->weights.total;
        if (pass->sums[r].amount > 0 && (double)pass->sums[r].amount >= least)
            pass->told |= UINT64_C (1) << r;
    }
}

/* --- who calls them --- */

/* A walk from the leaf to the root. */
typedef struct {
    PvFunctionId member; /* outermost one of the class so far; 0: none yet */
    PvFunctionId blamed;
    PvFunctionId fallback; /* who is blamed where nothing is of the user's own */
} Blame;

/* True if the walk is over. */
static bool
blame_frame (const Pass *pass, Blame *blame, uint64_t bit, const PvFrame *frame, bool is_first)
{
    const PvFunctionId function = frame->function;
    const bool is_member =
        (pass->bits[function].classes & bit) != 0 &&
        ((bit & (pass->physical_bits | pass->call_bits)) == 0 || !frame->is_inlined) &&
        ((bit & pass->leaf_bits) == 0 || is_first || blame->member != 0);
    if (is_member) {
        if (blame->member == 0 ||
            (pv_finding_get_traits (pass->context, function) & PV_TRAIT_IS_ENTRY) == 0)
            blame->member = function;
        blame->fallback = 0;
        return false;
    }
    if (blame->member == 0 || (pass->bits[function].classes & pass->unblamed_bits) != 0)
        return false;
    const unsigned traits = pv_finding_get_traits (pass->context, function);
    if ((traits & PV_TRAIT_IS_OWN) != 0)
        blame->blamed =
            (traits & PV_TRAIT_IS_MAIN) == 0 || blame->fallback == 0 ? function : blame->fallback;
    else if (blame->fallback == 0 && (traits & PV_TRAIT_IS_BLAMABLE) != 0)
        blame->fallback = function;
    return (traits & PV_TRAIT_IS_OWN) != 0;
}

static void
blame_stack (Pass *pass, PvStackId stack, uint64_t bit)
{
    const PvProfile *profile = pass->context->profile;
    Sums *sums = &pass->sums[__builtin_ctzll (bit)];
    Blame blame = {0};
    bool is_over = false, is_first = true;
    unsigned n_left = PV_BLAME_DEPTH;
    for (PvStackId s = stack; s != 0 && !is_over && n_left > 0;
         s = profile->parent_of_stack[s], n_left--) {
        uint32_t n_frames;
        const PvFrame *chain = pv_symbol_table_frames (pass->context->symbols,
                                                       profile->location_of_stack[s], &n_frames);
        for (uint32_t i = 0; i < n_frames && !is_over; i++, is_first = false)
            is_over = blame_frame (pass, &blame, bit, &chain[i], is_first);
    }
    sums->by_member[blame.member] += pass->weights.of_stack[stack];
    sums->by_blamed[blame.blamed != 0 ? blame.blamed : blame.fallback] +=
        pass->weights.of_stack[stack];
}

static bool
blame_stacks (Pass *pass)
{
    const uint32_t n_functions = MAX (pass->context->symbols->n_functions, 1);
    for (uint64_t left = pass->told; left != 0; left &= left - 1) {
        Sums *sums = &pass->sums[__builtin_ctzll (left)];
        sums->by_member = g_new0 (uint64_t, n_functions);
        sums->by_blamed = g_new0 (uint64_t, n_functions);
    }
    for (PvStackId s = 1; s < pass->context->profile->n_stacks; s++) {
        if (s % ITEMS_PER_CHECK == 0 && pv_job_is_cancelled (pass->context->job))
            return false;
        for (uint64_t left = pass->weights.of_stack[s] > 0 ? pass->bits_of_stack[s] & pass->told
                                                           : 0;
             left != 0; left &= left - 1)
            blame_stack (pass, s, left & -left);
    }
    return true;
}

/* --- how sure it is --- */

/* Samples are sorted by time: blocks of them have as much weight each. */
static bool
fill_blocks (Pass *pass)
{
    const PvSampleFilter *filter = &pass->weights.filter;
    uint64_t so_far = 0;
    for (uint32_t i = filter->first; i < filter->last; i++) {
        if (i % ITEMS_PER_CHECK == 0 && pv_job_is_cancelled (pass->context->job))
            return false;
        const uint64_t weight = pv_finding_weights_get (&pass->weights, i, so_far);
        if (weight == 0)
            continue;
        const unsigned block =
            (unsigned)MIN ((double)so_far / (double)pass->weights.total * N_BLOCKS, N_BLOCKS - 1);
        for (uint64_t left = pass->bits_of_stack[filter->set->stack[i]] & pass->told; left != 0;
             left &= left - 1) {
            Sums *sums = &pass->sums[__builtin_ctzll (left)];
            sums->of_block[block] += (double)weight;
            sums->n_samples++;
        }
        so_far += weight;
    }
    return true;
}

/* How much more the amount varies from block to block than samples that come one by one would: the
 * mean square of successive differences, as in compare/spread.h. At least 1. */
static double
find_dispersion (const Pass *pass, const Sums *sums)
{
    const double share = (double)sums->amount / (double)pass->weights.total;
    const double expected = share * (1 - share) * pass->weights.sum_of_squares / N_BLOCKS;
    double squares = 0;
    for (unsigned b = 1; b < N_BLOCKS; b++) {
        const double difference = sums->of_block[b] - sums->of_block[b - 1];
        squares += difference * difference;
    }
    const double variance = squares / 2 / (N_BLOCKS - 1);
    return expected > 0 && pass->weights.n_rows >= (uint64_t)N_BLOCKS * 8
               ? MAX (variance / expected, 1)
               : 1;
}

/* --- findings of the same stacks --- */

static void
drop_rule (Pass *pass, unsigned rule)
{
    pass->told &= ~(UINT64_C (1) << rule);
}

/* Rules that are more special than a broad one: all that are not broad, and broad ones that come
 * before it in the table. */
static uint64_t
find_special (const Pass *pass, unsigned broad)
{
    uint64_t special = 0;
    for (unsigned r = 0; r < pass->n_rules; r++)
        if (!pass->rules[r]->is_broad || r < broad)
            special |= UINT64_C (1) << r;
    return special;
}

/* Drops broad findings that others, together, are most of. */
static void
drop_explained (Pass *pass)
{
    for (unsigned r = 0; r < pass->n_rules; r++) {
        const uint64_t bit = UINT64_C (1) << r;
        if (!pass->rules[r]->is_broad || (pass->told & bit) == 0)
            continue;
        const uint64_t special = pass->told & find_special (pass, r);
        uint64_t explained = 0;
        for (PvStackId s = 1; s < pass->context->profile->n_stacks; s++)
            if ((pass->bits_of_stack[s] & bit) != 0 && (pass->bits_of_stack[s] & special) != 0)
                explained += pass->weights.of_stack[s];
        if ((double)explained >= MOST_OF_BROAD * (double)pass->sums[r].amount)
            drop_rule (pass, r);
    }
}

/* Drops the later one in the table of two findings that are of the same stacks. */
static void
drop_repeated (Pass *pass)
{
    g_autofree uint64_t *both = g_new0 (uint64_t, (size_t)PV_MAX_CLASSES * PV_MAX_CLASSES);
    for (PvStackId s = 1; s < pass->context->profile->n_stacks; s++) {
        const uint64_t bits =
            pass->weights.of_stack[s] > 0 ? pass->bits_of_stack[s] & pass->told : 0;
        for (uint64_t a = bits; a != 0; a &= a - 1)
            for (uint64_t b = a & (a - 1); b != 0; b &= b - 1)
                both[__builtin_ctzll (a) * PV_MAX_CLASSES + __builtin_ctzll (b)] +=
                    pass->weights.of_stack[s];
    }
    for (unsigned a = 0; a < pass->n_rules; a++)
        for (unsigned b = a + 1; b < pass->n_rules; b++) {
            const uint64_t pair = UINT64_C (1) << a | UINT64_C (1) << b;
            const double shared = (double)both[a * PV_MAX_CLASSES + b];
            const double of_a = (double)pass->sums[a].amount, of_b = (double)pass->sums[b].amount;
            if ((pass->told & pair) == pair && shared >= NEARLY_ALL * MAX (of_a, of_b))
                drop_rule (pass, b);
        }
}

/* --- findings --- */

/* Functions by amount, heaviest first; ties by their number. Returns how many there are. */
static unsigned
find_heaviest (const uint64_t *amounts, uint32_t n_functions, unsigned n_max, PvFunctionId *ret)
{
    unsigned n = 0;
    for (PvFunctionId f = 1; f < n_functions; f++) {
        unsigned at = n;
        while (at > 0 && amounts[f] > amounts[ret[at - 1]])
            at--;
        if (amounts[f] == 0 || at == n_max)
            continue;
        n = MIN (n + 1, n_max);
        for (unsigned i = n - 1; i > at; i--)
            ret[i] = ret[i - 1];
        ret[at] = f;
    }
    return n;
}

static char *
list_members (const Pass *pass, const Sums *sums, const PvFunctionId *members, unsigned n_members)
{
    GString *text = g_string_new (NULL);
    for (unsigned i = 0; i < MIN (n_members, MAX_NAMED); i++) {
        g_autofree char *name = pv_finding_format_function (pass->context, members[i]);
        if (i > 0 && strcmp (name, text->str) == 0)
            continue;
        if (i > 0 && (double)sums->by_member[members[i]] < LEAST_NAMED * (double)sums->amount)
            break;
        g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", name);
    }
    return g_string_free (text, FALSE);
}

/* "Memory allocation (malloc, free) takes 28.1 % of CPU time; 61 % of it in calls from
 * “parse_row”" */
static char *
make_title (const Pass *pass, unsigned rule, const PvFunctionId *members, unsigned n_members,
            PvFunctionId blamed)
{
    const Sums *sums = &pass->sums[rule];
    g_autofree char *names = list_members (pass, sums, members, n_members);
    g_autofree char *share = pv_format_percent ((double)sums->amount, (double)pass->weights.total);
    const char *const texts[] = {
        names, share, pv_finding_get_measure_title (pass->context->profile, pass->measure)};
    g_autofree char *title =
        pv_finding_fill_in (_ (pass->rules[rule]->title), texts, G_N_ELEMENTS (texts));
    if (blamed == 0)
        return g_steal_pointer (&title);
    g_autofree char *name = pv_finding_format_function (pass->context, blamed);
    g_autofree char *part =
        pv_format_percent ((double)sums->by_blamed[blamed], (double)sums->amount);
    if ((double)sums->by_blamed[blamed] >= ALL * (double)sums->amount)
        /* Translators: a sentence, a function. */
        return g_strdup_printf (_ ("%s; all of it in calls from “%s”"), title, name);
    /* Translators: a sentence, a share, a function. */
    return g_strdup_printf (_ ("%s; %s of it in calls from “%s”"), title, part, name);
}

/* Names the thread that most of a rule's waits were for. NULL: there is none, or nothing tells. */
static char *
describe_holder (const Pass *pass, unsigned rule)
{
    if (pass->rules[rule]->detail_of_holder == NULL)
        return NULL;
    const PvHolder holder = pv_finding_find_holder (pass->context, &pass->weights,
                                                    pass->bits_of_stack, UINT64_C (1) << rule);
    if (holder.share < LEAST_HOLDER)
        return NULL;
    g_autofree char *thread = pv_format_thread (pass->context->profile, holder.thread);
    g_autofree char *share = pv_format_percent (holder.share, 1);
    const char *const texts[] = {thread, share};
    return pv_finding_fill_in (_ (pass->rules[rule]->detail_of_holder), texts,
                               G_N_ELEMENTS (texts));
}

static void
add_finding (const Pass *pass, unsigned rule, PvFindingList *list)
{
    const Sums *sums = &pass->sums[rule];
    const PvFindingRule *of = pass->rules[rule];
    const uint32_t n_functions = pass->context->symbols->n_functions;
    PvFunctionId members[MAX_FOCUSED], blamed = 0;
    const unsigned n_members = find_heaviest (sums->by_member, n_functions, MAX_FOCUSED, members);
    if (find_heaviest (sums->by_blamed, n_functions, 1, &blamed) > 0 &&
        (double)sums->by_blamed[blamed] < LEAST_BLAMED * (double)sums->amount)
        blamed = 0;
    g_assert (n_members > 0);
    char *holder = describe_holder (pass, rule);
    PvFinding finding = {
        .rule = of->word,
        .title = make_title (pass, rule, members, n_members, blamed),
        .detail = holder != NULL       ? holder
                  : of->detail != NULL ? g_strdup (_ (of->detail))
                                       : NULL,
        .measure = pass->measure,
        .amount = sums->amount,
        .is_measured = pv_profile_counts_waits (pass->context->profile, pass->measure),
        .page = PV_FINDING_GRAPH,
        .function = blamed != 0 ? blamed : members[0],
        .module = pass->context->symbols->functions[blamed != 0 ? blamed : members[0]].module,
    };
    pv_finding_weights_judge (&pass->weights, &finding);
    if (pass->weights.has_rows_of_samples) {
        finding.n_samples = sums->n_samples;
        finding.error *= sqrt (find_dispersion (pass, sums));
    }
    g_autofree char *expression =
        of->is_shown_by_module
            ? pv_finding_make_module_expression (pass->context, members, n_members)
            : pv_finding_make_expression (pass->context, members, n_members);
    finding.options = g_new0 (char *, 2);
    finding.options[0] = g_strconcat ("--focus=", expression, NULL);
    pv_array_push (list, finding);
}

static void
clear_pass (Pass *pass)
{
    for (unsigned r = 0; r < pass->n_rules; r++) {
        g_free (pass->sums[r].by_member);
        g_free (pass->sums[r].by_blamed);
    }
    g_free (pass->bits_of_stack);
    pv_finding_weights_clear (&pass->weights);
    g_free (pass);
}

static Pass *
new_pass (const PvFindingContext *context, PvRuleScope scope, PvMeasureId measure,
          const PvFindingRule *const *rules, unsigned n_rules)
{
    Pass *pass = g_new0 (Pass, 1);
    pass->context = context;
    pass->rules = rules;
    pass->n_rules = n_rules;
    pass->measure = measure;
    for (unsigned r = 0; r < n_rules; r++) {
        const uint64_t bit = UINT64_C (1) << r;
        pass->scope_bits |= rules[r]->scope == scope ? bit : 0;
        pass->leaf_bits |= rules[r]->place == PV_RULE_AT_LEAF ? bit : 0;
        pass->user_bits |= rules[r]->place == PV_RULE_IN_USER ? bit : 0;
        pass->physical_bits |= rules[r]->is_of_physical ? bit : 0;
        pass->excluding_bits |= rules[r]->is_excluding ? bit : 0;
        pass->unblamed_bits |= rules[r]->is_never_blamed ? bit : 0;
        pass->call_bits |= rules[r]->is_of_calls ? bit : 0;
    }
    return pass;
}

bool
pv_finding_pass_run (const PvFindingContext *context, PvRuleScope scope, PvMeasureId measure,
                     const PvFindingRule *const *rules, unsigned n_rules,
                     const PvFunctionBits *bits, PvFindingList *list)
{
    g_assert (context != NULL && rules != NULL && n_rules <= PV_MAX_CLASSES && list != NULL);
    g_assert (measure < context->profile->n_measures);
    Pass *pass = new_pass (context, scope, measure, rules, n_rules);
    pass->bits = bits;
    bool is_done = pv_finding_weights_init (&pass->weights, context, measure);
    if (is_done && pass->weights.total > 0) {
        is_done = find_stack_bits (pass);
        if (is_done)
            sum_classes (pass);
        is_done = is_done && blame_stacks (pass) &&
                  (!pass->weights.has_rows_of_samples || fill_blocks (pass));
        if (is_done) {
            drop_explained (pass);
            drop_repeated (pass);
        }
        for (uint64_t left = is_done ? pass->told : 0; left != 0; left &= left - 1)
            add_finding (pass, (unsigned)__builtin_ctzll (left), list);
    }
    clear_pass (pass);
    return is_done;
}
