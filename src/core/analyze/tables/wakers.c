/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/wakers.h"

#include <stdlib.h>
#include <string.h>

#include "core/analyze/query/my-code.h"
#include "core/analyze/query/sample-filter.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/base/array.h"
#include "core/base/hash.h"

enum { SAMPLES_PER_CHECK = 1 << 14 };

bool
pv_wakers_can_build (const PvProfile *profile, PvMeasureId measure)
{
    g_assert (profile != NULL);
    const PvSampleSet *set = pv_profile_has_weights (profile, measure)
                                 ? pv_profile_get_measure_set (profile, measure)
                                 : NULL;
    return set != NULL && set->wait != NULL;
}

PvMeasureId
pv_wakers_find_measure (const PvProfile *profile)
{
    g_assert (profile != NULL);
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (pv_wakers_can_build (profile, m))
            return m;
    return UINT32_MAX;
}

/* Frames are innermost first. Those of the kernel, in which a waker always is, count only if there
 * is nothing else, or if they are of an interrupt. */
bool
pv_wakers_find_functions (const PvProfile *profile, const PvSymbolTable *symbols, PvStackId stack,
                          PvFunctionId ret_functions[PV_WAKER_FUNCTIONS])
{
    g_assert (stack < profile->n_stacks || stack == 0);
    uint32_t n = 0, n_kernel = 0;
    bool interrupts = false;
    PvFunctionId kernel[PV_WAKER_FUNCTIONS] = {0};
    memset (ret_functions, 0, PV_WAKER_FUNCTIONS * sizeof *ret_functions);
    for (; stack != 0 && n < PV_WAKER_FUNCTIONS && !interrupts;
         stack = profile->parent_of_stack[stack]) {
        PvLocationId location = profile->location_of_stack[stack];
        bool is_kernel = profile->modules[profile->module_of_location[location]].is_kernel;
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (symbols, location, &n_frames);
        for (uint32_t i = 0; i < n_frames; i++) {
            if (is_kernel && n_kernel < PV_WAKER_FUNCTIONS)
                kernel[n_kernel++] = frames[i].function;
            else if (!is_kernel && n < PV_WAKER_FUNCTIONS)
                ret_functions[n++] = frames[i].function;
            interrupts |= is_kernel && n == 0 &&
                          pv_is_kernel_interrupt (symbols->functions[frames[i].function].name);
        }
    }
    if (n == 0)
        memcpy (ret_functions, kernel, sizeof kernel);
    return interrupts;
}

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvHashMap row_of_key; /* plus 1 */
    PV_ARRAY (PvWakerRow) rows;
    /* The functions of a row of profile->waits, found when it is first needed. */
    PvFunctionId (*functions_of_wait)[PV_WAKER_FUNCTIONS];
    bool *is_found;
    bool *is_interrupt;
} Summing;

static PvWakerRow *
find_row (Summing *self, PvThreadId thread, uint32_t wait)
{
    PvWakerRow row = {.thread = thread};
    if (wait != 0) {
        const PvWait *known = &self->profile->waits[wait];
        row.state = known->state;
        if (!self->is_found[wait])
            self->is_interrupt[wait] = pv_wakers_find_functions (
                self->profile, self->symbols, known->waker_stack, self->functions_of_wait[wait]);
        self->is_found[wait] = true;
        row.is_interrupt = self->is_interrupt[wait];
        row.waker = row.is_interrupt ? 0 : known->waker;
        memcpy (row.functions, self->functions_of_wait[wait], sizeof row.functions);
    }
    uint32_t words[3 + PV_WAKER_FUNCTIONS] = {row.thread, row.waker, (uint8_t)row.state};
    memcpy (words + 3, row.functions, sizeof row.functions);
    uint32_t *slot = pv_hash_map_slot (&self->row_of_key, pv_hash_bytes (words, sizeof words, 0));
    if (*slot == 0) {
        pv_array_push (&self->rows, row);
        *slot = (uint32_t)self->rows.len;
    }
    return &self->rows.data[*slot - 1];
}

/* Equal weights in the order of threads, wakers, states and functions. */
static int
compare_rows (const void *a, const void *b)
{
    const PvWakerRow *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->waker != y->waker)
        return x->waker < y->waker ? -1 : 1;
    if (x->state != y->state)
        return x->state < y->state ? -1 : 1;
    for (unsigned i = 0; i < PV_WAKER_FUNCTIONS; i++)
        if (x->functions[i] != y->functions[i])
            return x->functions[i] < y->functions[i] ? -1 : 1;
    return 0;
}

/* False when cancelled. */
static bool
sum_up (Summing *self, const PvCallTreeData *data, PvWakers *wakers, PvJob *job)
{
    PvSampleFilter filter;
    bool is_cancelled = false;
    pv_sample_filter_init (&filter, &data->tree.query, self->profile);
    for (uint32_t i = filter.first; i < filter.last && !is_cancelled; i++) {
        is_cancelled = i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (job);
        uint64_t weight = pv_sample_filter_weigh (&filter, i, wakers->total);
        if (weight == 0 ||
            pv_find_position (data->shape, data->focus, filter.set->stack[i]) == UINT32_MAX)
            continue;
        PvWakerRow *row = find_row (self, pv_sample_set_thread (filter.set, i),
                                    pv_sample_set_wait (filter.set, i));
        row->weight += weight;
        row->n_waits++;
        wakers->total += weight;
    }
    pv_sample_filter_clear (&filter);
    return !is_cancelled;
}

PvWakers *
pv_wakers_build (const PvCallTree *tree, PvJob *job)
{
    const PvCallTreeData *data = pv_call_tree_data (pv_call_tree_top_down (tree));
    const PvProfile *profile = data->shape->profile;
    g_assert (pv_wakers_can_build (profile, data->tree.query.measure));
    g_autoptr (PvWakers) wakers = g_new0 (PvWakers, 1);
    Summing self = {.profile = profile, .symbols = data->shape->symbols};
    self.functions_of_wait = g_malloc0_n (profile->n_waits + 1, sizeof *self.functions_of_wait);
    self.is_found = g_new0 (bool, profile->n_waits + 1);
    self.is_interrupt = g_new0 (bool, profile->n_waits + 1);
    bool is_done = sum_up (&self, data, wakers, job);
    g_free (self.functions_of_wait);
    g_free (self.is_found);
    g_free (self.is_interrupt);
    pv_hash_map_clear (&self.row_of_key);
    wakers->n_rows = (uint32_t)self.rows.len;
    wakers->rows = self.rows.data; /* from g_malloc () */
    if (wakers->n_rows > 0)
        qsort (wakers->rows, wakers->n_rows, sizeof *wakers->rows, compare_rows);
    return is_done ? g_steal_pointer (&wakers) : NULL;
}

void
pv_wakers_free (PvWakers *wakers)
{
    if (wakers == NULL)
        return;
    g_free (wakers->rows);
    g_free (wakers);
}
