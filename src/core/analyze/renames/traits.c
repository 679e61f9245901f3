/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/renames/traits.h"

enum { ROWS_PER_CHECK = 65536 };

/* --- presence --- */

void
pv_traits_init (PvTraits *traits, const PvProfile *profile, const PvSymbolTable *symbols,
                const uint8_t *sides_of_location)
{
    g_assert (profile != NULL && profile->n_pairs > 0 && symbols != NULL);
    g_assert (sides_of_location != NULL);
    *traits = (PvTraits){.profile = profile, .symbols = symbols, .pair = &profile->pairs[0]};
    traits->presence_of_function = g_new0 (uint8_t, MAX (symbols->n_functions, 1));
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        uint32_t n;
        const PvFrame *chain = pv_symbol_table_frames (symbols, l, &n);
        if (profile->kind_of_location[l] != PV_LOCATION_NAMED || (n > 0 && chain[0].is_inlined))
            traits->telling_sides |= sides_of_location[l];
        for (uint32_t i = 0; i < n; i++)
            traits->presence_of_function[chain[i].function] |=
                (uint8_t)(sides_of_location[l] << (chain[i].is_inlined ? 2 : 0));
    }
}

void
pv_traits_clear (PvTraits *traits)
{
    g_free (traits->presence_of_function);
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        g_free (traits->weight_of_stack[side]);
        g_free (traits->self_of_function[side]);
        g_free (traits->total_of_function[side]);
    }
    g_free (traits->candidate_of_function);
    pv_array_clear (&traits->candidates);
    pv_array_clear (&traits->traits);
    g_free (traits->first_trait);
}

/* --- amounts --- */

static uint32_t
get_column (const PvProfile *profile, PvMeasureId measure)
{
    return profile->measures[measure].column;
}

/* The innermost function of a stack; 0: it has no frames. */
static PvFunctionId
get_innermost (const PvTraits *traits, PvStackId stack)
{
    uint32_t n;
    const PvFrame *chain =
        pv_symbol_table_frames (traits->symbols, traits->profile->location_of_stack[stack], &n);
    return n > 0 ? chain[0].function : 0;
}

static void
weigh_side (PvTraits *traits, PvSide side)
{
    const PvProfile *profile = traits->profile;
    const PvMeasureId of_side = traits->pair->of_side[side];
    const PvMeasureId samples = traits->pair->samples_of_side[side];
    const PvSampleSet *set = pv_profile_get_measure_set (profile, of_side);
    float *weights = g_new0 (float, MAX (profile->n_stacks, 1));
    double n_samples = 0;
    traits->weight_of_stack[side] = weights;
    traits->self_of_function[side] = g_new0 (double, MAX (traits->symbols->n_functions, 1));
    traits->total_of_function[side] = g_new0 (double, MAX (traits->symbols->n_functions, 1));
    for (uint32_t i = 0; set != NULL && i < set->n_samples; i++) {
        uint64_t weight = pv_sample_set_weight (set, get_column (profile, of_side), i);
        weights[set->stack[i]] += (float)weight;
        traits->whole_of_side[side] += (double)weight;
        if (samples != UINT32_MAX)
            n_samples += (double)pv_sample_set_weight (set, get_column (profile, samples), i);
    }
    traits->sample_of_side[side] = n_samples > 0 ? traits->whole_of_side[side] / n_samples : 0;
    for (PvStackId s = profile->n_stacks; s-- > 1;) {
        weights[profile->parent_of_stack[s]] += weights[s];
    }
}

static void
add_totals (PvTraits *traits)
{
    const PvProfile *profile = traits->profile;
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        uint32_t n;
        const PvFrame *chain =
            pv_symbol_table_frames (traits->symbols, profile->location_of_stack[s], &n);
        PvStackId parent = profile->parent_of_stack[s];
        PvFunctionId caller = get_innermost (traits, parent);
        for (PvSide side = 0; side < PV_N_SIDES; side++) {
            /* The parent's own amount is what its stacks above leave. */
            traits->self_of_function[side][get_innermost (traits, s)] +=
                (double)traits->weight_of_stack[side][s];
            traits->self_of_function[side][caller] -= (double)traits->weight_of_stack[side][s];
        }
        for (uint32_t i = n; i-- > 0; caller = chain[i].function)
            for (PvSide side = 0; side < PV_N_SIDES && chain[i].function != caller; side++)
                traits->total_of_function[side][chain[i].function] +=
                    (double)traits->weight_of_stack[side][s];
    }
}

bool
pv_traits_weigh (PvTraits *traits, PvJob *job)
{
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        weigh_side (traits, side);
    add_totals (traits);
    traits->candidate_of_function = g_new0 (uint32_t, MAX (traits->symbols->n_functions, 1));
    return pv_job_check (job, NULL);
}

void
pv_traits_add_candidate (PvTraits *traits, PvFunctionId function)
{
    g_assert (traits->candidate_of_function != NULL && traits->first_trait == NULL);
    if (traits->candidate_of_function[function] != 0)
        return;
    pv_array_push (&traits->candidates, function);
    traits->candidate_of_function[function] = (uint32_t)traits->candidates.len;
}

/* --- traits --- */

typedef struct {
    PvTraits *traits;
    PvHashMap places; /* of owner, kind and key: place in traits + 1 */
} Gathering;

/* Adds the weight of a stack on both sides to a trait of the candidate, a number + 1. */
static void
add_trait (Gathering *self, uint32_t candidate, PvTraitKind kind, int64_t key, PvStackId stack)
{
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        const double weight = (double)self->traits->weight_of_stack[side][stack];
        if (weight <= 0)
            continue;
        PvTrait trait = {(candidate - 1) * PV_N_SIDES + side, kind, key, 0};
        uint64_t words[] = {trait.owner, kind, (uint64_t)key};
        uint32_t *place = pv_hash_map_slot (&self->places, pv_hash_bytes (words, sizeof words, 0));
        if (*place == 0) {
            pv_array_push (&self->traits->traits, trait);
            *place = (uint32_t)self->traits->traits.len;
        }
        self->traits->traits.data[*place - 1].weight += weight;
    }
}

/* Lines are those of the function's own file. */
static void
add_places (Gathering *self, uint32_t candidate, const PvFrame *frame, PvStackId stack)
{
    const PvProfile *profile = self->traits->profile;
    const PvFunction *function = &self->traits->symbols->functions[frame->function];
    const PvLocationId location = profile->location_of_stack[stack];
    if (frame->line > 0 && function->line > 0 && frame->file == function->file)
        add_trait (self, candidate, PV_TRAIT_LINE, (int64_t)frame->line - function->line, stack);
    if (profile->kind_of_location[location] == PV_LOCATION_EXACT)
        add_trait (self, candidate, PV_TRAIT_CODE, (int64_t)profile->address_of_location[location],
                   stack);
}

static void
gather_stack (Gathering *self, PvStackId stack)
{
    const PvTraits *traits = self->traits;
    const uint32_t *candidate_of = traits->candidate_of_function;
    uint32_t n;
    const PvFrame *chain =
        pv_symbol_table_frames (traits->symbols, traits->profile->location_of_stack[stack], &n);
    PvFunctionId caller = get_innermost (traits, traits->profile->parent_of_stack[stack]);
    for (uint32_t i = n; i-- > 0; caller = chain[i].function) {
        const PvFunctionId function = chain[i].function;
        if (candidate_of[function] != 0)
            add_places (self, candidate_of[function], &chain[i], stack);
        if (function == caller)
            continue;
        if (candidate_of[function] != 0)
            add_trait (self, candidate_of[function], PV_TRAIT_CALLER, caller, stack);
        if (candidate_of[caller] != 0)
            add_trait (self, candidate_of[caller], PV_TRAIT_CALLEE, function, stack);
    }
}

static int
compare_traits (const void *a, const void *b)
{
    const PvTrait *x = a, *y = b;
    return x->owner != y->owner ? pv_order (x->owner, y->owner)
           : x->kind != y->kind ? pv_order (x->kind, y->kind)
                                : pv_order (x->key, y->key);
}

bool
pv_traits_gather (PvTraits *traits, PvJob *job)
{
    Gathering self = {.traits = traits};
    bool is_done = true;
    for (PvStackId s = 1; s < traits->profile->n_stacks && is_done; s++) {
        gather_stack (&self, s);
        is_done = s % ROWS_PER_CHECK != 0 || pv_job_check (job, NULL);
    }
    pv_hash_map_clear (&self.places);
    pv_array_sort (&traits->traits, compare_traits);
    const uint32_t n_ranges = (uint32_t)traits->candidates.len * PV_N_SIDES * PV_N_TRAITS;
    traits->first_trait = g_new0 (uint32_t, (size_t)n_ranges + 1);
    for (size_t i = 0; i < traits->traits.len; i++)
        traits->first_trait[traits->traits.data[i].owner * PV_N_TRAITS +
                            traits->traits.data[i].kind + 1]++;
    for (uint32_t r = 0; r < n_ranges; r++)
        traits->first_trait[r + 1] += traits->first_trait[r];
    return is_done;
}

const PvTrait *
pv_traits_get (const PvTraits *traits, uint32_t candidate, PvSide side, PvTraitKind kind,
               uint32_t *ret_n)
{
    g_assert (traits->first_trait != NULL && candidate < traits->candidates.len);
    const uint32_t range = (candidate * PV_N_SIDES + side) * PV_N_TRAITS + kind;
    *ret_n = traits->first_trait[range + 1] - traits->first_trait[range];
    return traits->traits.data + traits->first_trait[range];
}
