/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/wait-text.h"

#include <glib/gi18n.h>

#include "core/analyze/tables/wakers.h"
#include "core/base/format.h"

static char *
format_state (const PvWait *wait, uint64_t duration_ns)
{
    g_autofree char *duration = pv_format_amount (duration_ns, PV_UNIT_NS);

    switch (wait->state) {
    case 0:
        return g_strdup_printf (_ ("Waited for %s"), duration);
    case 'R':
        return g_strdup_printf (_ ("Preempted for %s"), duration);
    case '?':
    case 'S': /* the usual one */
        return g_strdup_printf (_ ("Blocked for %s"), duration);
    default:
        /* Translators: a time, and a letter that ps prints for the state of a process */
        return g_strdup_printf (_ ("Blocked for %s (%c)"), duration, wait->state);
    }
}

/* The innermost function of a stack outside the kernel, or of the kernel; NULL: no stack. */
static const char *
get_function (const PvWaitIndex *index, const PvSymbolTable *symbols, PvStackId stack)
{
    PvFunctionId functions[PV_WAKER_FUNCTIONS];

    pv_wakers_find_functions (index->profile, symbols, stack, functions);
    return functions[0] != 0 ? symbols->functions[functions[0]].label : NULL;
}

static void
append_waker (GString *text, const PvWaitIndex *index, const PvSymbolTable *symbols,
              const PvWait *wait)
{
    g_autofree char *waker = pv_format_thread (index->profile, wait->waker);
    PvFunctionId functions[PV_WAKER_FUNCTIONS];
    const char *function;

    if (pv_wakers_find_functions (index->profile, symbols, wait->waker_stack, functions)) {
        /* Translators: follows “Blocked for 3 ms” and a comma */
        pv_format_add_fact (text, g_strdup (_ ("woken by an interrupt, such as that of a timer")));
        return;
    }
    function = functions[0] != 0 ? symbols->functions[functions[0]].label : NULL;
    if (function != NULL)
        /* Translators: a thread, and the function in which it did so; follows “Blocked for 3 ms” */
        pv_format_add_fact (text, g_strdup_printf (_ ("woken by %s, from %s"), waker, function));
    else
        pv_format_add_fact (text, g_strdup_printf (_ ("woken by %s"), waker));
}

typedef struct {
    const PvWaitIndex *index;
    const PvSymbolTable *symbols;
} Wakers;

static PvThreadId
find_waker (void *data, uint32_t sample)
{
    const Wakers *self = data;
    const PvWait *wait =
        &self->index->profile->waits[pv_sample_set_wait (self->index->set, sample)];
    PvFunctionId functions[PV_WAKER_FUNCTIONS];

    return pv_wakers_find_functions (self->index->profile, self->symbols, wait->waker_stack,
                                     functions)
               ? 0
               : wait->waker;
}

/* The thread that was waited for longest, where another one woke the thread in the end. */
static void
append_cause (GString *text, const PvWaitIndex *index, const PvSymbolTable *symbols,
              uint32_t sample)
{
    Wakers wakers = {index, symbols};
    PvWaitStep steps[PV_WAIT_STEPS];
    const unsigned n = pv_wait_index_follow (index, sample, find_waker, &wakers, steps);
    PvWaitStep most = {0};

    for (unsigned i = 0; i < n; i++) {
        uint64_t ns = 0;
        for (unsigned j = 0; j < n; j++)
            if (steps[j].thread == steps[i].thread)
                ns += steps[j].ns;
        if (ns > most.ns)
            most = (PvWaitStep){steps[i].thread, ns};
    }
    if (n == 0 || most.thread == steps[0].thread)
        return;
    g_autofree char *thread = pv_format_thread (index->profile, most.thread);
    g_autofree char *duration = pv_format_amount (most.ns, PV_UNIT_NS);
    /* Translators: a time and a thread; follows “Blocked for 3 ms” and a comma, where the thread
     * that ended the wait had to wait itself */
    pv_format_add_fact (text, g_strdup_printf (_ ("%s of it because of %s"), duration, thread));
}

char *
pv_format_wait (const PvWaitIndex *index, const PvSymbolTable *symbols, uint32_t sample)
{
    static const PvWait nothing;
    const PvSampleSet *set;
    const PvWait *wait;
    const char *function;
    GString *text;
    uint32_t row;
    uint64_t delay_ns;

    g_assert (index != NULL && symbols != NULL && sample < index->set->n_samples);
    set = index->set;
    row = pv_sample_set_wait (set, sample);
    wait = row != 0 ? &index->profile->waits[row] : &nothing;
    g_autofree char *state = format_state (wait, set->duration_ns[sample]);
    text = g_string_new (state);
    function = get_function (index, symbols, set->stack[sample]);
    if (wait->waker != 0) {
        append_cause (text, index, symbols, sample);
        append_waker (text, index, symbols, wait);
    }
    if (function != NULL)
        /* Translators: the function in which it waited; follows “Blocked for 3 ms” */
        pv_format_add_fact (text, g_strdup_printf (_ ("while in %s"), function));
    delay_ns = pv_sample_set_delay_ns (set, sample);
    if (delay_ns > 0) {
        g_autofree char *delay = pv_format_amount (delay_ns, PV_UNIT_NS);
        /* Translators: the time between being woken and having a CPU */
        pv_format_add_fact (text, g_strdup_printf (_ ("then queued for %s"), delay));
    }
    if (wait->is_open)
        /* Translators: follows “Blocked for 3 ms, while in read” and a comma */
        pv_format_add_fact (text, g_strdup (_ ("still waiting at the end")));
    return g_string_free (text, FALSE);
}
